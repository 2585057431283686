"""`gpu-assistant check` in both languages."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gpu_assistant.check.rows import check_rows
from gpu_assistant.cli import main

ROWS = check_rows()


def test_findings_are_told_and_decide_the_exit_code(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = tmp_path / "обучение.py"
    bad.write_text(ROWS["gradients-never-cleared"].bad[0], "utf-8")
    assert main(["check", str(bad), "--lang", "ru"]) == 1
    told = capsys.readouterr().out
    for part in ("обучение.py: 1 замечание", "строка 7: Градиенты никогда не обнуляются", "optimizer.zero_grad("):
        assert part in told
    good = tmp_path / "good.py"
    good.write_text("import torch\n", "utf-8")
    assert main(["check", str(good), "--lang", "en"]) == 0
    assert "Nothing found" in capsys.readouterr().out


def test_json_holds_everything(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cell = {"cell_type": "code", "source": ROWS["loss-kept"].bad[0]}
    (tmp_path / "a.ipynb").write_text(json.dumps({"cells": [cell]}), "utf-8")
    (tmp_path / "b.py").write_text("def (", "utf-8")
    files = [str(tmp_path / name) for name in ("a.ipynb", "b.py", "missing.py")]
    assert main(["check", *files, "--json", "--lang", "en"]) == 2
    told = json.loads(capsys.readouterr().out)["files"]
    found = told[0]["findings"][0]
    assert (found["rule"], found["level"], found["cell"]) == ("loss-kept", "wrong", 1)
    assert "total += loss" in found["text"]
    assert [bool(one["trouble"]) for one in told] == [False, True, True]
