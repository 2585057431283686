"""The command from its first to its last word, offline, with tiny wheels."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gpu_assistant.base.message import message
from gpu_assistant.base.texts import LANGUAGES
from gpu_assistant.cli import main
from gpu_assistant.cli.install import Screen, progress_text
from gpu_assistant.install.events import Began, FileKnown, FilesKnown, Log, PlannedStep, Progress, StepStarted
from gpu_assistant.install.marker import read_marker
from gpu_assistant.install.run import fold
from tests.install.wheels import write_wheel


@pytest.fixture
def root(own_home, tmp_path) -> Path:
    """The root folder of a computer whose only source of packages is a folder of wheels."""
    wheels = tmp_path / "wheels"
    write_wheel(wheels, "torch", "2.13.0+cpu", requires=("tinydep",))
    write_wheel(wheels, "tinydep", "1.0")
    write_wheel(wheels, "numpy", "2.2.0")
    config = own_home / "config"
    config.mkdir()
    lines = (f"wheel_folder = '{wheels}'", "offline = true", f"root_folder = '{tmp_path / 'root'}'")
    (config / "settings.toml").write_text("\n".join(lines))
    return tmp_path / "root"


def answer(capsys, *words: str) -> tuple[int, dict]:
    code = main(["install", *words, "--json", "--lang", "en"])
    out = capsys.readouterr().out
    return code, json.loads(out) if out else {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_install_list_and_undo(root, capsys, language):
    assert main(["install", "--option", "cpu", "--yes", "--lang", language]) == 0
    shown = capsys.readouterr()
    assert "uv pip install" in shown.out
    assert "torch 2.13.0+cpu" in shown.out
    assert "[1/7]" in shown.err
    folder = root / "envs" / "pytorch-cpu"
    assert read_marker(folder) is not None
    code, listed = answer(capsys, "--list")
    assert (code, [one["folder"] for one in listed["environments"]]) == (0, [str(folder)])
    assert listed["environments"][0]["bytes"] > 0
    assert main(["install", "--list", "--lang", language]) == 0
    assert main(["install", "--undo", "--yes", "--lang", language]) == 0
    assert not folder.exists()


def test_only_the_plan_that_was_seen_runs(root, capsys):
    assert main(["plan", "--option", "cpu", "--json"]) == 0
    plan = json.loads(capsys.readouterr().out)["plan"]
    code, _ = answer(capsys, "--option", "cpu", "--plan-id", "0" * 16)
    assert code == 2
    code, result = answer(capsys, "--option", "cpu", "--plan-id", plan["id"])
    assert (code, result["ending"], result["plan_id"], result["build"]) == (0, "succeeded", plan["id"], "cpu")
    assert Path(result["log"]).is_file()


def test_nothing_runs_without_a_yes(root, capsys):
    assert main(["install", "--option", "cpu"]) == 1
    assert not (root / "envs").exists()


def test_a_failure_has_its_reason_and_its_lines(root, capsys, tmp_path):
    next((tmp_path / "wheels").glob("tinydep*")).unlink()
    code, result = answer(capsys, "--option", "cpu", "--yes")
    assert (code, result["ending"], result["step"]) == (1, "failed", "resolve")
    assert result["reason"]["id"] == "install-failed-solution"
    assert result["last_lines"]
    assert main(["install", "--option", "cpu", "--yes", "--lang", "ru"]) == 1
    assert "Весь журнал" in capsys.readouterr().out


def test_wrong_words(root, capsys):
    assert main(["install", "--framework", "fortran"]) == 2
    assert main(["install", "--option", "cu999", "--yes"]) == 2
    assert main(["install", "--remove", "nothing"]) == 2
    assert main(["install", "--replay", str(root)]) == 2


def test_the_live_line(capsys):
    began = Began(
        plan_id="p",
        framework="pytorch",
        option="cpu",
        build="cpu",
        target="/x",
        started=0,
        steps=(PlannedStep(id="download", purpose=message("install-step-download")),),
    )
    events = [
        began,
        StepStarted(id="download"),
        FilesKnown(files=(FileKnown(name="torch.whl", size=2 << 30),)),
        Progress(file="torch.whl", done=0, time=1.0),
        Progress(file="torch.whl", done=1 << 30, time=5.0),
    ]
    assert progress_text(fold(events), "en") == " 50%  1.0 GiB / 2.0 GiB  256 MiB/s  4 s left"
    assert progress_text(fold(events), "ru") == " 50%  1,0 ГиБ / 2,0 ГиБ  256 МиБ/с  осталось 4 с"
    screen = Screen("en", live=True, verbose=True)
    for event in (*events, Log(text="a line"), "no event of ours"):
        screen.show(event)
    screen.close()
    assert "\r  0%" in capsys.readouterr().err
