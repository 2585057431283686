"""The rows that stand on PyTorch really train on the processor, alone and in two processes."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import psutil
import pytest

from gpu_assistant.base.job import JobContext
from gpu_assistant.smoke_test.catalogue import find_test
from gpu_assistant.smoke_test.events import Proof
from gpu_assistant.smoke_test.job import SmokeTestJob
from gpu_assistant.smoke_test.run import SmokeRun
from gpu_assistant.smoke_test.spec import SmokeSpec
from tests.real_torch import real_rows_environment

pytestmark = [pytest.mark.real_install, pytest.mark.timeout(900), pytest.mark.allow_network]

ON_CPU = {"card_seen", "mixed_precision", "faster_than_cpu", "memory"}


@pytest.fixture(scope="module")
def python() -> str:
    return str(real_rows_environment())


def train(python: str, framework: str, test: str, ctx: JobContext | None = None) -> SmokeRun:
    spec = SmokeSpec(framework=framework, test=test, python=python, expect="cpu", seconds=3)
    return SmokeTestJob(spec, save=False).run(ctx or JobContext())


@pytest.mark.parametrize(
    ("framework", "test"),
    [
        ("pytorch", "two"),
        ("lightning", "picture"),
        ("lightning", "two"),
        ("accelerate", "picture"),
        ("accelerate", "two"),
        ("transformers", "sentences"),
    ],
)
def test_a_row_trains_and_proves_it(python: str, framework: str, test: str) -> None:
    run = train(python, framework, test)
    assert run.verdict == "passed", (run.error, run.failed_proofs, run.lines[-30:])
    wanted = {shown.id for shown in find_test(framework, test).proofs}
    assert {proof.id for proof in run.proofs} == wanted
    assert {proof.id for proof in run.proofs if proof.outcome == "skipped"} == ON_CPU
    assert run.step >= 60
    assert run.result is not None
    assert framework == "pytorch" or framework in run.result.summary


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
def test_the_death_of_the_second_process_ends_the_test(python: str) -> None:
    victims: list[int] = []

    def kill_second(event: object) -> None:
        if isinstance(event, Proof) and event.id == "met" and not victims:
            for process in psutil.Process(os.getpid()).children(recursive=True):
                if process.environ().get("RANK") == "1":
                    victims.append(process.pid)
                    os.kill(process.pid, signal.SIGKILL)

    run = train(python, "pytorch", "two", JobContext(kill_second))
    assert victims
    assert run.verdict in ("failed", "crashed"), run.verdict
    assert not psutil.pid_exists(victims[0])


def test_cancelling_two_processes_leaves_none(python: str) -> None:
    ctx = JobContext(lambda event: ctx.cancel() if isinstance(event, Proof) and event.id == "met" else None)
    assert train(python, "pytorch", "two", ctx).verdict == "cancelled"
    script = str(Path("pytorch") / "smoke_two.py")
    assert not [one for one in psutil.process_iter(["cmdline"]) if script in " ".join(one.info["cmdline"] or ())]
