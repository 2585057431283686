"""`gpu-assistant report` and `gpu-assistant record` as they are typed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gpu_assistant.base.model import from_json
from gpu_assistant.cli import main
from gpu_assistant.detect.report import SystemReport
from tests.detect.machines import RECORDINGS

LAPTOP = str(RECORDINGS / "win11-rtx4060-laptop")


def test_json_is_the_system_report(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", "--json", "--replay", LAPTOP]) == 0
    text = capsys.readouterr().out
    assert from_json(text, SystemReport).gpus[0].compute_capability == "8.9"
    assert json.loads(text)["schema"] == 1


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ["Graphics cards", "8.0 GiB", "processor only"]),
        ("ru", ["Видеокарты", "8,0 ГиБ", "только для процессора"]),
    ],
)
def test_text_in_both_languages(language: str, words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", "--lang", language, "--replay", LAPTOP]) == 0
    out = capsys.readouterr().out
    for word in words:
        assert word in out
    assert "[nvml]" not in out


def test_sources_are_shown_on_demand(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", "--lang", "en", "--sources", "--replay", LAPTOP]) == 0
    out = capsys.readouterr().out
    assert "NVIDIA GeForce RTX 4060 Laptop GPU   [nvml]" in out
    assert "nvml: answered" in out


def test_record_then_replay(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "mine"
    assert main(["record", str(folder), "--lang", "en", "--replay", LAPTOP]) == 0
    assert main(["report", "--json", "--replay", str(folder)]) == 0
    assert "RTX 4060" in capsys.readouterr().out
    assert (folder / "raw" / "nvidia-smi.exe-q-x.txt").is_file()


def test_wrong_folders_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", "--lang", "en", "--replay", str(tmp_path)]) == 2
    assert "is not a recording" in capsys.readouterr().err
    (tmp_path / "file").write_text("mine")
    assert main(["record", str(tmp_path), "--lang", "ru"]) == 2
    assert "не пуста" in capsys.readouterr().err
    assert main(["record", str(tmp_path / "file"), "--lang", "en"]) == 2
