"""The command line: bytes in, sentences or JSON out."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from gpu_assistant.base.model import to_json
from gpu_assistant.cli import main
from tests.troubleshoot.test_engine import NOT_AVAILABLE, computer

TEXT = "RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB (GPU 0; 8.00 GiB total capacity; 0 bytes free)"


def _json(capsys: pytest.CaptureFixture[str], *words: str) -> dict:
    assert main(["diagnose", "--json", *words]) == 0
    return json.loads(capsys.readouterr().out)["diagnoses"][0]


@pytest.mark.parametrize(("language", "word"), [("en", "batch"), ("ru", "батч")])
def test_json_speaks_the_language(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, language: str, word: str
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(TEXT.encode())))
    best = _json(capsys, "--lang", language, "-")
    assert best["cause"] == "cuda_out_of_memory"
    assert 0 < best["confidence"] <= 1
    assert best["lines"] == [TEXT]
    assert best["line_numbers"] == [1]
    assert word in best["fixes"][0]
    assert all(isinstance(fix, str) for fix in best["fixes"])


def test_a_file_of_a_russian_console_is_read(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "журнал.txt"
    file.write_bytes("OSError: Файл подкачки слишком мал для завершения операции. (os error)".encode("cp866"))
    assert _json(capsys, str(file))["cause"] == "windows_pagefile_too_small"


def test_a_saved_report_decides(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "log").write_text(NOT_AVAILABLE, "utf-8")
    (tmp_path / "report").write_bytes(to_json(computer(build="cpu")))
    best = _json(capsys, str(tmp_path / "log"), "--report", str(tmp_path / "report"))
    assert best["cause"] == "torch_cpu_only_build"
    assert best["facts"]


def test_an_exit_code_may_be_hexadecimal(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "log").write_text("", "utf-8")
    best = _json(capsys, str(tmp_path / "log"), "--exit-code", "0xC0000135")
    assert best["cause"] == "dll_missing_dependency"


@pytest.mark.parametrize(("language", "word"), [("en", "What to do"), ("ru", "Что делать")])
def test_sentences_for_people(capsys: pytest.CaptureFixture[str], tmp_path: Path, language: str, word: str) -> None:
    (tmp_path / "log").write_text(TEXT, "utf-8")
    assert main(["diagnose", str(tmp_path / "log"), "--lang", language]) == 0
    out = capsys.readouterr().out
    assert word in out
    assert "[cuda_out_of_memory]" in out


def test_what_cannot_be_read_is_told(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["diagnose", str(tmp_path / "missing")]) == 2
    assert "missing" in capsys.readouterr().err
    (tmp_path / "log").write_text("", "utf-8")
    (tmp_path / "report").write_text("{}", "utf-8")
    assert main(["diagnose", str(tmp_path / "log"), "--report", str(tmp_path / "report")]) == 2
