"""A real `nvidia-smi` process, made of a file: found, read, ended when it hangs."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import psutil
import pytest

from gpu_assistant.detect.gateways import Live
from gpu_assistant.detect.nvidia import smi_path
from gpu_assistant.detect.nvidia_smi import QUERY, parse_nvidia_smi
from gpu_assistant.detect.paths import MachinePaths
from gpu_assistant.detect.report import DriverState, Outcome
from tests.standin_nvml.build import build_smi, compiler

ANSWER = Path(__file__).parents[1] / "recordings" / "win11-rtx4060-laptop" / "raw" / "nvidia-smi-q-x.txt"


@pytest.fixture
def smi(monkeypatch: pytest.MonkeyPatch) -> str:
    """The stand-in, first on PATH; on Windows it was built elsewhere and STANDIN_SMI_WINDOWS names its folder."""
    if sys.platform == "win32":
        folder = os.environ.get("STANDIN_SMI_WINDOWS")
        if folder is None:
            pytest.skip("STANDIN_SMI_WINDOWS names no folder with nvidia-smi.exe")
    elif compiler("linux") is None:
        pytest.skip("needs gcc")
    else:
        folder = str(build_smi())
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("STANDIN_SMI_OUTPUT", str(ANSWER))
    found = smi_path(MachinePaths(Live()))
    assert found is not None
    assert Path(found).parent == Path(folder)
    return found


def test_it_is_found_and_read(smi: str) -> None:
    driver, cards, note = parse_nvidia_smi(Live().run((smi, *QUERY), 20))
    assert note.outcome is Outcome.OK
    assert driver.state is DriverState.WORKING
    assert [card.name for card in cards] == ["NVIDIA GeForce RTX 4060 Laptop GPU"]


def test_a_failing_one_is_no_answer(smi: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STANDIN_SMI_EXIT", "9")
    monkeypatch.delenv("STANDIN_SMI_OUTPUT")
    answer = Live().run((smi, *QUERY), 20)
    assert answer.outcome is Outcome.FAILED
    assert answer.exit_code == 9
    assert parse_nvidia_smi(answer)[1] == ()


def test_a_hanging_one_is_ended(smi: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STANDIN_SMI_HANG", "600")
    assert Live().run((smi, *QUERY), 2).outcome is Outcome.TIMED_OUT
    left = [child.name() for child in psutil.Process().children(recursive=True)]
    assert not [name for name in left if name.startswith("nvidia-smi")]
