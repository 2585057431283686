"""Files as they come: encodings, notebooks, magics, broken and foreign syntax, nonsense."""

from __future__ import annotations

import ast
import json
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpu_assistant.base.texts import say
from gpu_assistant.check.engine import CheckResult, check_file
from gpu_assistant.check.rows import check_rows
from gpu_assistant.check.source import MOST_BYTES

EXAMPLES = [text for row in check_rows().values() for text in (*row.bad, *row.good)]
TRAINING = check_rows()["gradients-never-cleared"].bad[0]


def _notebook(*cells: str) -> bytes:
    return json.dumps({"nbformat": 4, "cells": [{"cell_type": "code", "source": cell} for cell in cells]}).encode()


def _rules(result: CheckResult) -> set[str]:
    return {finding.rule for finding in result.findings}


@pytest.mark.parametrize(
    "data",
    [
        ("# -*- coding: cp1251 -*-\n# Обучение\n" + TRAINING).encode("cp1251"),
        ("# Обучение\n" + TRAINING).encode("cp1251"),
        ("\ufeff# Обучение\n" + TRAINING).encode(),
        ("\ufeff# Обучение\n" + TRAINING).encode("utf-16-le"),
        ("# -*- coding: no-such-code -*-\n# Обучение\n" + TRAINING).encode(),
        TRAINING.replace("\n", "\r\n").encode(),
        TRAINING.replace("\n", "\r").encode(),
        (TRAINING + "\0").encode(),
    ],
)
def test_every_encoding_is_read(data: bytes) -> None:
    assert _rules(check_file("a.py", data)) == {"gradients-never-cleared"}


@pytest.mark.parametrize(
    ("text", "id_", "line"),
    [
        ("import torch\nx = (1,\n", "check-syntax", 2),
        ("import torch\nprint 'loss', loss\n", "check-python-2", 2),
        ("try:\n    pass\nexcept IOError, e:\n    pass\n", "check-python-2", 3),
        ("import torch\nx = 1\n  y = 2\n", "check-syntax", 3),
    ],
)
def test_what_python_cannot_read_is_told_with_its_line(text: str, id_: str, line: int) -> None:
    trouble = check_file("a.py", text.encode()).trouble
    assert trouble is not None
    assert (trouble.id, trouble.args["line"]) == (id_, line)
    assert str(line) in say(trouble, "ru")


def test_what_is_no_script_is_said() -> None:
    for name, data, id_ in (
        ("a.py", b" \n", "check-empty"),
        ("a.py", b"#" * (MOST_BYTES + 1), "check-too-big"),
        ("a.ipynb", b"{}", "check-no-notebook"),
        ("a.ipynb", b"not json", "check-no-notebook"),
        ("a.ipynb", _notebook(), "check-empty"),
    ):
        trouble = check_file(name, data).trouble
        assert trouble is not None
        assert trouble.id == id_
    assert [note.id for note in check_file("a.py", b"print(1)").notes] == ["check-no-framework"]


def test_a_deep_text_is_not_our_end() -> None:
    assert check_file("a.py", b"x = " + b"(" * 5000 + b")" * 5000).trouble is not None
    deep = "x = " + "-" * 3000 + "1"
    assert check_file("a.py", deep.encode()) is not None
    long = "import torch\n" + "x = x + 1\n" * 20000
    assert check_file("a.py", long.encode()).trouble is None


def test_a_function_that_returns_its_own_items_is_not_our_end() -> None:
    text = "import torch\ndef f(x):\n    return f(x)\na, b = f(1)\nfor i in range(9):\n    a.backward()\n    b.item()\n"
    assert check_file("a.py", text.encode()).trouble is None


def test_lines_of_a_notebook_are_told_by_cell() -> None:
    first, second = "%matplotlib inline\n!pip install torch \\\n  torchvision\nimport torch", TRAINING.strip()
    found = check_file("a.ipynb", _notebook(first, "# words", second)).findings
    line = next(i for i, text in enumerate(second.split("\n"), 1) if text.endswith("# <-"))
    assert [(one.rule, one.cell, one.cell_line) for one in found] == [("gradients-never-cleared", 3, line)]


@pytest.mark.parametrize(
    "cell",
    [
        "%%time\nimport torch",
        "%%bash\nls -l | grep torch",
        "files = !ls\nx = %time 1",
        "if True:\n    !nvidia-smi\n",
        "torch.nn?\n?torch",
        "text = '''\n%not a magic\n!nor this\n'''",
        "await something()",
        "%%writefile train.py\nimport torch as",
    ],
)
def test_magics_do_not_hide_the_rest(cell: str) -> None:
    result = check_file("a.ipynb", _notebook(cell, TRAINING))
    assert _rules(result) == {"gradients-never-cleared"}
    assert not [note for note in result.notes if note.id == "check-cell-skipped"]


def test_a_broken_cell_is_left_out_and_named() -> None:
    result = check_file("a.ipynb", _notebook("x = (", TRAINING))
    assert _rules(result) == {"gradients-never-cleared"}
    assert [note.args["cell"] for note in result.notes] == [1]


def test_a_script_with_magics_and_an_old_notebook_are_read() -> None:
    assert _rules(check_file("a.py", ("!pip install torch\n" + TRAINING).encode())) == {"gradients-never-cleared"}
    old = {"worksheets": [{"cells": [{"cell_type": "code", "input": TRAINING.splitlines(keepends=True)}]}]}
    assert _rules(check_file("a.ipynb", json.dumps(old).encode())) == {"gradients-never-cleared"}


def test_a_comment_silences_its_line() -> None:
    text = TRAINING.replace("# <-", "# gpu-assistant: ok")
    assert text != TRAINING
    assert not check_file("a.py", text.encode()).findings


def test_nothing_is_run(tmp_path: Path) -> None:
    target = tmp_path / "ran"
    text = f"import torch\nopen({str(target)!r}, 'w')\n__import__('os').system('exit 1')\n" + TRAINING
    assert check_file("a.py", text.encode()).findings
    assert not target.exists()


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=400), st.sampled_from(["a.py", "a.ipynb"]))
def test_bytes_of_any_kind_get_an_answer(data: bytes, name: str) -> None:
    assert isinstance(check_file(name, data), CheckResult)


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(EXAMPLES), st.sampled_from(EXAMPLES), st.integers(0, 10**6))
def test_shuffled_and_cut_scripts_get_an_answer(first: str, second: str, seed: int) -> None:
    body = [*ast.parse(first).body, *ast.parse(second).body]
    random.Random(seed).shuffle(body)
    text = "\n".join(map(ast.unparse, body))
    whole = check_file("a.py", text.encode())
    assert whole.trouble is None
    assert all(1 <= finding.line <= text.count("\n") + 1 for finding in whole.findings)
    assert isinstance(check_file("a.py", text[: seed % (len(text) + 1)].encode()), CheckResult)
