"""Every recorded machine gets its verdict and its plan."""

from __future__ import annotations

from pathlib import Path

import pytest

from gpu_assistant.base.job import JobContext
from gpu_assistant.base.settings import Settings
from gpu_assistant.base.texts import say
from gpu_assistant.detect.collect import collect
from gpu_assistant.detect.recording import open_gateways
from gpu_assistant.detect.report import SystemReport
from gpu_assistant.select.judge import judge
from gpu_assistant.select.planning import make_plan, planned_option
from tests.select.machines import pytorch

RECORDINGS = Path(__file__).parents[1] / "recordings"

# recording | status, sentence, first package (None: no plan), build
EXPECTED = {
    "docker-no-gpus": ("driver_needed", "select-driver-inaccessible", None, None),
    "linux-a100-mig": ("ready", "select-ready", "torch>=2.14.1,<2.16", "cu130"),
    "linux-driver-mismatch": ("driver_needed", "select-driver-mismatch", None, None),
    "linux-driver-not-loaded": ("driver_needed", "select-driver-not-loaded", None, None),
    "linux-nouveau": ("driver_needed", "select-driver-missing", None, None),
    "linux-nvidia-smi-missing": ("ready", "select-ready", "torch>=2.14.1,<2.16", "cu130"),
    "linux-rx6700xt": ("unsupported", "select-unsupported-card", "torch>=2.14.1,<2.16", "cpu"),
    "linux-two-rtx3090-driver-610": ("ready", "select-ready", "torch>=2.14.1,<2.16", "cu130"),
    "macos-m3": ("ready", "select-ready", "torch>=2.14.1,<2.16", "mps"),
    "no-gpu": ("cpu_only", "select-cpu-no-card", "torch>=2.14.1,<2.16", "cpu"),
    "this-machine": ("cpu_only", "select-cpu-no-card", "torch>=2.14.1,<2.16", "cpu"),
    "win10-gtx960": ("driver_needed", "select-driver-old", None, None),
    "win11-arc-b580": ("ready", "select-ready", "torch>=2.14.0,<2.16", "xpu"),
    "win11-driver-hangs": ("driver_needed", "select-driver-not-responding", None, None),
    "win11-egpu-remote": ("ready", "select-ready-update", "torch==2.14.1", "cu126"),
    "win11-gtx1080-new-driver": ("ready", "select-ready-last", "torch==2.14.1", "cu126"),
    "win11-gtx1660-no-driver": ("driver_needed", "select-driver-missing", None, None),
    "win11-rtx4060-laptop": ("ready", "select-ready-update", "torch==2.14.1", "cu126"),
    "win11-rtx5090-old-driver": ("ready", "select-ready-update", "torch==2.11.0", "cu128"),
    "win11-ru-cyrillic-user": ("ready", "select-ready-update", "torch==2.14.1", "cu126"),
    "win11-rx7900xtx": ("cpu_only", "select-cpu-card", "torch>=2.14.1,<2.16", "cpu"),
    "win11-two-cards": ("ready", "select-ready-split", "torch>=2.14.1,<2.16", "cu130"),
    "wsl2-no-libcuda": ("driver_needed", "select-driver-inaccessible", None, None),
    "wsl2-rtx4070": ("ready", "select-ready", "torch>=2.14.1,<2.16", "cu130"),
}
FOUND = sorted(path.parent.name for path in RECORDINGS.glob("*/machine.toml"))


def report_of(name: str) -> SystemReport:
    return collect(open_gateways(RECORDINGS / name), JobContext())


def test_every_recording_has_its_row() -> None:
    assert set(FOUND) == set(EXPECTED)


@pytest.mark.parametrize("name", FOUND)
def test_verdict_and_plan(name: str) -> None:
    status, sentence, package, build = EXPECTED[name]
    report = report_of(name)
    verdict = judge(report, pytorch())
    assert (verdict.status, verdict.sentence.id) == (status, sentence)
    option = planned_option(verdict)
    assert (option is None) == (package is None)
    if option is not None:
        plan = make_plan(option, report, pytorch(), Settings())
        assert (plan.packages[0], plan.build) == (package, build)
        assert plan.target.replace("<user>", "user").isascii()
        for text in (*verdict.reasons, *verdict.next_steps, *plan.warnings):
            assert say(text, "ru") != say(text, "en")


def test_a_name_in_cyrillic_leads_to_a_folder_without_it() -> None:
    plan = make_plan("cu126", report_of("win11-ru-cyrillic-user"), pytorch(), Settings())
    assert plan.target == "D:\\GPU-Assistant\\envs\\pytorch-cu126"
    assert not any(warning.id == "select-warn-not-ascii" for warning in plan.warnings)


def test_a_build_for_the_processor_that_is_already_there_is_said() -> None:
    plan = make_plan("cu126", report_of("win11-rtx4060-laptop"), pytorch(), Settings())
    assert any(warning.id == "select-warn-existing-cpu" for warning in plan.warnings)
