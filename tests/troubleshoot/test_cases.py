"""Real messages lead to their cause. The table of scores is printed with `-s`."""

from __future__ import annotations

import json
import re
import tomllib
from collections import Counter
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


def _filled(diagnosis: Diagnosis, language: str) -> bool:
    """Every text of the card is there in that language, without a hole that nothing filled."""
    texts = [diagnosis.title, diagnosis.what, diagnosis.why, diagnosis.check, diagnosis.stop]
    texts += [fix.text for fix in diagnosis.fixes]
    said = [text.say(language) for text in texts]
    holes = re.compile(r"(?<!\d)(?<!\d )…|\{\w+\}")  # an empty hole is said as "…"; "0…1" is a range
    return all(text.strip() and not holes.search(text) for text in said) and (
        language != "ru" or all(re.search("[а-яё]", text.lower()) for text in said)
    )


def test_score_table(capsys: pytest.CaptureFixture[str]) -> None:
    """The answer does not depend on the language of the interface; its texts are whole in both."""
    all_: Counter[str] = Counter()
    right: dict[str, Counter[str]] = {language: Counter() for language in LANGUAGES}
    for case in SHARED:
        best = _diagnose(case["input"])[0]
        family = rule_base().rules[best.rule].family
        all_[family] += 1
        first = best.cause in (case["expected"]["cause"], *case["expected"]["also_acceptable"])
        for language in LANGUAGES:
            right[language][family] += first and _filled(best, language)
    with capsys.disabled():
        print()
        for family, count in sorted(all_.items()):
            scores = "   ".join(f"{language} {right[language][family]:>3} of {count}" for language in LANGUAGES)
            print(f"  {family:<12} {scores}")
    assert all(score == all_ for score in right.values())
