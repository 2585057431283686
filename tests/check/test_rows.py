"""The rows as data: every example leads where it says, and every detector has its row."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from gpu_assistant.base.resources import BadData
from gpu_assistant.base.texts import placeholders
from gpu_assistant.check.detectors import DETECTORS
from gpu_assistant.check.engine import CheckResult, check_file
from gpu_assistant.check.rows import check_rows, load_rows

ROWS = check_rows()
BAD = [pytest.param(id_, text, id=f"{id_}-{place}") for id_, row in ROWS.items() for place, text in enumerate(row.bad)]
GOOD = [
    pytest.param(id_, text, id=f"{id_}-{place}") for id_, row in ROWS.items() for place, text in enumerate(row.good)
]


def _check(text: str) -> CheckResult:
    if "# %% notebook" not in text:
        return check_file("script.py", text.encode())
    cell = {"cell_type": "code", "source": text}
    return check_file("script.ipynb", json.dumps({"cells": [cell]}).encode())


@pytest.mark.parametrize(("id_", "text"), BAD)
def test_what_is_wrong_is_found_in_its_line(id_: str, text: str) -> None:
    marked = [number for number, line in enumerate(text.split("\n"), 1) if line.endswith("# <-")]
    found = [finding for finding in _check(text).findings if finding.rule == id_]
    assert [finding.line for finding in found] == marked
    for finding in found:
        for words in (finding.title.en, finding.title.ru, finding.why.en, finding.why.ru, finding.code):
            assert not re.search(r"\{\w+\}|``", words), words


@pytest.mark.parametrize(("id_", "text"), GOOD)
def test_what_is_right_is_left_alone(id_: str, text: str) -> None:
    result = _check(text)
    assert result.trouble is None
    assert id_ not in {finding.rule for finding in result.findings}


def test_every_detector_has_a_row_and_every_row_a_detector() -> None:
    assert set(DETECTORS) == set(ROWS)


def test_both_languages_say_everything() -> None:
    for id_, row in ROWS.items():
        for text in (row.title, row.why):
            assert re.search("[а-яё]", text.ru), id_
            assert text.en.isascii(), id_
            assert placeholders(text.en) == placeholders(text.ru), id_


def test_a_bad_file_is_told_with_everything_that_is_wrong(tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_text(
        """
[one]
rank = 1
title = { en = "t {x}", ru = "т" }
why = { en = "", ru = "п" }
bad = []
good = ["pass"]
[two]
rnak = 1
""",
        "utf-8",
    )
    with pytest.raises(BadData) as caught:
        load_rows(tmp_path)
    for part in ("one language only", "empty text", "one against", 'did you mean "rank"'):
        assert part in str(caught.value)
