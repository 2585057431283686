"""Texts that are no GPU problem: ordinary errors, and what the same tools print when all went well. No false alarm."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from gpu_assistant.troubleshoot.engine import diagnose
from gpu_assistant.troubleshoot.evidence import Evidence
from gpu_assistant.troubleshoot.rules import rule_base

HARMLESS = {"not_a_gpu_problem", "unknown"}
CASES = [
    pytest.param(case, id=f"{path.stem}: {case['name']}")
    for path in sorted((Path(__file__).parent / "negative").glob("*.toml"))
    for case in tomllib.loads(path.read_text("utf-8"))["case"]
]


def test_there_are_enough_of_them() -> None:
    assert len(CASES) >= 60


@pytest.mark.parametrize("case", CASES)
def test_no_false_alarm(case: dict[str, object]) -> None:
    found = diagnose(Evidence(text=str(case["text"])), rule_base())
    assert found[0].cause in HARMLESS | set(case.get("causes", ()))
