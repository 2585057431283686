"""Real messages lead to their cause. The table of scores is printed with `-s`."""

from __future__ import annotations

import json
import tomllib
from collections import defaultdict
from pathlib import Path

import pytest

from gpu_assistant.base.texts import LANGUAGES
from gpu_assistant.troubleshoot.diagnosis import Diagnosis
from gpu_assistant.troubleshoot.engine import diagnose
from gpu_assistant.troubleshoot.evidence import Evidence
from gpu_assistant.troubleshoot.rules import rule_base

CASES = Path(__file__).parent / "cases"
SHARED = [json.loads(path.read_text("utf-8")) for path in sorted((CASES / "shared").glob("*.json"))]
WORDINGS = [case for path in sorted(CASES.glob("*.toml")) for case in tomllib.loads(path.read_text("utf-8"))["case"]]


def _diagnose(text: str) -> tuple[Diagnosis, ...]:
    return diagnose(Evidence(text=text), rule_base())


@pytest.mark.parametrize("case", SHARED, ids=[case["id"] for case in SHARED])
def test_the_cause_stands_first(case: dict) -> None:
    best = _diagnose(case["input"])[0]
    assert best.cause in (case["expected"]["cause"], *case["expected"]["also_acceptable"])
    assert best.lines
    for language in LANGUAGES:
        assert len(best.fixes[0].text.say(language)) > 20


@pytest.mark.parametrize("case", WORDINGS, ids=[f"{n}-{case['causes'][0]}" for n, case in enumerate(WORDINGS)])
def test_other_wordings_lead_to_it_too(case: dict) -> None:
    assert _diagnose(case["text"])[0].cause in case["causes"]


def test_score_table(capsys: pytest.CaptureFixture[str]) -> None:
    score: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for case in SHARED:
        best = _diagnose(case["input"])[0]
        cell = score[rule_base().rules[best.rule].family]
        cell[0] += best.cause in (case["expected"]["cause"], *case["expected"]["also_acceptable"])
        cell[1] += 1
    with capsys.disabled():
        print()
        for family, (right, all_) in sorted(score.items()):
            print(f"  {family:<12} {right:>3} of {all_}")
    assert sum(right for right, _ in score.values()) == len(SHARED)
