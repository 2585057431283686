"""The road as a person without a window goes it: real processes, a real install, a real training, nothing left over."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from gpu_assistant.base.settings import Settings, save_settings

WHEELS = os.environ.get("PIP_FIND_LINKS", "")


def say(home: Path, *words: str, text: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "gpu_assistant", *words],
        input=text,
        capture_output=True,
        encoding="utf-8",
        env=os.environ | {"GPU_ASSISTANT_HOME": str(home)},
        timeout=900,
        check=False,
    )


def told(answer: subprocess.CompletedProcess[str]) -> Any:
    assert answer.returncode == 0, answer.stdout + answer.stderr
    return json.loads(answer.stdout)


@pytest.mark.real_install
@pytest.mark.timeout(1200)
@pytest.mark.skipif(not WHEELS or not any(Path(WHEELS).glob("torch-*")), reason="no folder with torch wheels")
def test_from_an_unknown_computer_to_a_trained_network(own_home: Path, tmp_path: Path) -> None:
    root = tmp_path / "моя папка"
    save_settings(own_home / "config" / "settings.toml", Settings(wheel_folder=WHEELS, root_folder=str(root)))
    assert told(say(own_home, "report", "--json"))["system"]["os"]
    plan = told(say(own_home, "plan", "--option", "cpu", "--json"))["plan"]
    assert plan["build"] == "cpu"
    installed = told(say(own_home, "install", "--option", "cpu", "--plan-id", plan["id"], "--yes", "--json"))
    assert installed["ending"] == "succeeded"
    assert installed["build"] == "cpu"
    assert Path(installed["folder"]).is_relative_to(root)
    training = say(own_home, "train", "--test", "digits", "--json")
    assert training.returncode == 0, training.stdout + training.stderr
    trained = json.loads(training.stdout.splitlines()[-1])
    assert trained["verdict"] == "passed"
    assert trained["device"]["kind"] == "cpu"
    assert trained["metrics"]["accuracy"]["last"] > 0.8
    assert say(own_home, "install", "--undo", "--yes").returncode == 0
    assert not any(root.glob("envs/*"))


def test_an_error_text_on_standard_input_gets_its_cause(own_home: Path) -> None:
    answer = say(
        own_home, "diagnose", "-", "--json", "--lang", "ru", text="AssertionError: Torch not compiled with CUDA enabled"
    )
    best = told(answer)["diagnoses"][0]
    assert best["cause"] == "torch_cpu_only_build"
    assert any("а" <= letter <= "я" for letter in best["fixes"][0])


def test_a_recording_of_another_computer_answers_everywhere(own_home: Path) -> None:
    recording = str(Path(__file__).parents[1] / "recordings" / "win11-gtx1080-new-driver")
    assert told(say(own_home, "report", "--json", "--replay", recording))["system"]["os"] == "windows"
    plan = told(say(own_home, "plan", "--json", "--replay", recording))
    assert plan["plan"]["build"] == "cu126"
    assert "torch==2.14.1" in plan["plan"]["packages"]
