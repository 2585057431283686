"""Whole scripts as people write them. The findings must be exactly those that "# ! ids" name in their lines."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from gpu_assistant.check.engine import check_file

SCRIPTS = sorted((Path(__file__).parent / "scripts").glob("*.py"))


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_exactly_what_is_marked_is_found(path: Path) -> None:
    expected = {
        (number, rule)
        for number, line in enumerate(path.read_text("utf-8").split("\n"), 1)
        if (mark := re.search(r"# ! (.+)$", line))
        for rule in mark.group(1).split()
    }
    result = check_file(path.name, path.read_bytes())
    assert result.trouble is None
    assert {(finding.line, finding.rule) for finding in result.findings} == expected


def test_there_are_enough_of_them() -> None:
    assert len(SCRIPTS) >= 60
