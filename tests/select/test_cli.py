"""`gpu-assistant plan` on described machines: the JSON that others read, and the text that people read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gpu_assistant import cli


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = cli.main(["plan", *words])
    out, err = capsys.readouterr()
    return code, out, err


@pytest.fixture
def pascal(tmp_path: Path) -> str:
    path = tmp_path / "pascal.toml"
    path.write_text('os = "windows"\n[driver]\nversion = "580.88"\n[[gpu]]\nname = "GTX 1080 Ti"\n', encoding="utf-8")
    return str(path)


def test_json(capsys: pytest.CaptureFixture[str], pascal: str) -> None:
    code, out, _ = run(capsys, "--machine", pascal, "--json", "--lang", "en")
    answer = json.loads(out)
    assert code == 0
    assert set(answer) == {"framework", "facts_as_of", "option", "verdict", "options", "blocked", "plan", "wsl_road"}
    assert answer["verdict"]["status"] == "ready"
    assert {"id", "text"} == set(answer["verdict"]["reasons"][0])
    plan = answer["plan"]
    assert plan["packages"] == ["torch==2.14.1", "torchvision==0.29.1"]
    assert (plan["build"], plan["python"]) == ("cu126", "3.12")
    assert plan["index_url"] == "https://download.pytorch.org/whl/cu126"
    assert {"cmd", "powershell", "bash"} == set(plan["steps"][0]["shell"])
    assert isinstance(plan["steps"][0]["purpose"], str)
    assert len(plan["id"]) == 16
    assert {blocked["option"] for blocked in answer["blocked"]} >= {"cu130", "cu132"}
    assert set(answer["blocked"][0]["reason"]) == {"id", "text"}


def test_no_plan_while_a_driver_is_needed_unless_asked_for(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "old.toml"
    path.write_text('os = "windows"\n[driver]\nversion = "452.39"\n[[gpu]]\nname = "GTX 960"\n', encoding="utf-8")
    _, out, _ = run(capsys, "--machine", str(path), "--json")
    assert json.loads(out)["plan"] is None
    _, out, _ = run(capsys, "--machine", str(path), "--json", "--option", "cpu")
    assert json.loads(out)["plan"]["build"] == "cpu"


@pytest.mark.parametrize("language", ["en", "ru"])
def test_text(capsys: pytest.CaptureFixture[str], pascal: str, language: str) -> None:
    code, out, _ = run(capsys, "--machine", pascal, "--lang", language, "--target", "D:\\envs\\mine")
    assert code == 0
    assert "torch==2.14.1" in out
    assert "D:\\envs\\mine" in out


def test_wrong_input_is_two(capsys: pytest.CaptureFixture[str], pascal: str, tmp_path: Path) -> None:
    assert run(capsys, "--machine", pascal, "--option", "cu130")[0] == 2
    assert run(capsys, "--machine", pascal, "--framework", "none")[0] == 2
    code, out, err = run(capsys, "--machine", str(tmp_path / "none.toml"))
    assert (code, out) == (2, "")
    assert "none.toml" in err
