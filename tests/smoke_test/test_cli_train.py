"""`gpu-assistant train` from its words to its exit code."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import msgspec
import pytest

from gpu_assistant.cli import main
from gpu_assistant.cli.train_screen import figures, preview, proof_lines
from gpu_assistant.smoke_test.catalogue import find_test
from gpu_assistant.smoke_test.events import Began, Device, Exited, Metric, Picture, Proof, Result
from gpu_assistant.smoke_test.run import SmokeRun, fold
from gpu_assistant.smoke_test.spec import SmokeSpec
from gpu_assistant.smoke_test.store import RunWriter, runs_folder

SPEC = SmokeSpec(framework="pytorch", test="digits", python="python", expect="cuda")
EVENTS = (
    Began(spec=SPEC, started=1.0, run_id="one"),
    Device(kind="cuda", name="RTX 4060", vram_total=8 << 30),
    Metric(name="loss", step=1, total=2, value=2.0),
    Metric(name="loss", step=2, total=2, value=0.5),
    Metric(name="accuracy", step=2, total=2, value=0.97),
    Proof(id="card_seen", outcome="passed", values={"name": "RTX 4060"}),
    Result(passed=True, summary={"torch": "2.14.1+cu130"}),
    Exited(code=0),
)


@pytest.fixture
def saved(own_home: Path) -> SmokeRun:
    writer = RunWriter(runs_folder(), EVENTS[0])
    for event in EVENTS:
        writer.write(event)
    run = fold(EVENTS)
    writer.close(run)
    return run


def test_the_list_names_tests_and_runs(saved: SmokeRun, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["train", "--list", "--lang", "ru"]) == 0
    out = capsys.readouterr().out
    assert "Выучить картинку" in out
    assert "RTX 4060" in out
    assert main(["train", "--list", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [test["id"] for test in told["tests"]] == ["picture", "digits", "two"]
    assert [run["id"] for run in told["runs"]] == ["one"]


@pytest.mark.parametrize("name", ["one", "last"])
def test_a_saved_run_is_shown(saved: SmokeRun, capsys: pytest.CaptureFixture[str], name: str) -> None:
    assert main(["train", "--show", name, "--lang", "en"]) == 0
    out = capsys.readouterr().out
    assert "✓ PyTorch sees your card: RTX 4060." in out
    assert "· The network lies on the device" in out
    assert main(["train", "--show", name, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["event"] == "summary"
    assert told["schema"] == 1
    assert told["verdict"] == "passed"
    assert told["device"]["name"] == "RTX 4060"
    assert told["metrics"]["loss"] == {"first": 2.0, "last": 0.5}
    assert told["proofs"][0]["outcome"] == "passed"
    assert told["versions"] == {"torch": "2.14.1+cu130"}


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["--show", "nothing"], 2),
        (["--show", "last"], 1),
        (["--env", "/nowhere"], 2),
        (["--python", sys.executable, "--test", "nothing"], 2),
        (["--python", sys.executable, "--device", "toaster"], 2),
        (["--python", sys.executable, "--framework", "nothing"], 2),
        (["--python", sys.executable, "--replay", "/nowhere"], 2),
    ],
)
def test_wrong_use_is_told_in_one_sentence(capsys: pytest.CaptureFixture[str], words: list[str], code: int) -> None:
    assert main(["train", "--lang", "en", *words]) == code
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1


def test_without_an_environment_of_ours(own_home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (own_home / "config").mkdir()
    (own_home / "config" / "settings.toml").write_text(f"root_folder = {str(own_home / 'root')!r}")
    assert main(["train", "--lang", "en"]) == 1
    assert "gpu-assistant install" in capsys.readouterr().err


def test_an_environment_without_the_framework_fails_with_its_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["train", "--python", sys.executable, "--device", "cpu", "--json"]) == 1
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert lines[0]["event"] == "began"
    assert lines[-1]["event"] == "summary"
    assert lines[-1]["verdict"] == "failed"
    assert lines[-1]["error"]["kind"] == "ModuleNotFoundError"
    assert main(["train", "--python", sys.executable, "--device", "cpu", "--lang", "en"]) == 1
    out = capsys.readouterr().out
    assert "ModuleNotFoundError" in out
    assert "\x1b" not in out, "no colours into a file"


def test_figures_and_pictures_for_a_terminal() -> None:
    assert figures(fold(EVENTS)) == "2/2   loss 0.5000   accuracy 97.0%"
    picture = Picture(name="learnt", step=1, width=2, height=2, rgb="AQIDBAUGBwgJCgsM")
    assert preview(picture) == ["  \x1b[38;2;1;2;3;48;2;7;8;9m▀\x1b[38;2;4;5;6;48;2;10;11;12m▀\x1b[0m"]
    assert preview(msgspec.structs.replace(picture, rgb="AQID")) == []
    grid = msgspec.structs.replace(picture, labels=("7", "3!=8", "1", "2"), columns=2)
    assert len(preview(grid)) == 2
    assert "3!=8" in preview(grid)[0]


def test_what_was_not_reached_is_listed_too() -> None:
    lines = proof_lines(find_test("pytorch", "digits"), SmokeRun(), "ru")
    assert len(lines) == 12
    assert all(line.startswith("  · ") for line in lines)
