"""Services that answer at once, with real values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from gpu_assistant.base.job import Job, JobContext
from gpu_assistant.base.message import Message, message
from gpu_assistant.base.paths import app_paths
from gpu_assistant.base.settings import Settings
from gpu_assistant.detect.report import SystemReport
from gpu_assistant.gui.services import CallJob, Services
from gpu_assistant.install.events import InstallEvent
from gpu_assistant.install.run import fold
from gpu_assistant.session.state import SessionState
from gpu_assistant.session.states import finished_events, laptop
from gpu_assistant.smoke_test.catalogue import SmokeTest
from gpu_assistant.smoke_test.events import Began, Device, Exited, Hello, Metric, Result, SmokeEvent
from gpu_assistant.smoke_test.run import SmokeRun
from gpu_assistant.smoke_test.spec import SmokeSpec


class Playing:
    """Tells events and gives a result; waits where it is told to, so that it can be cancelled."""

    def __init__(self, events: Sequence[object], result: object, *, wait: bool = False) -> None:
        self._events, self._result, self._wait = events, result, wait

    def run(self, ctx: JobContext) -> Any:
        for event in self._events:
            ctx.emit(event)
        if self._wait:
            ctx.wait(60)
        return self._result


class FakeServices(Services):
    """Everything succeeds unless a test says otherwise; the verdicts and plans are the real ones."""

    def __init__(self, report: SystemReport | None = None) -> None:
        super().__init__(Settings(), app_paths())
        self.report = report or laptop()
        self.install_events: Callable[[SessionState], list[InstallEvent]] = finished_events
        self.hold = False  # install and training go on until they are cancelled
        self.smoke_passes = True
        self.deeds: list[tuple[str, str]] = []
        self.undone = 0
        self.tests: Sequence[SmokeTest] | None = None  # instead of the framework's own

    def detect_job(self) -> Job[SystemReport]:
        return Playing([], self.report)

    def install_job(self, state: SessionState) -> Job[Any]:
        events = self.install_events(state)
        return Playing(events, fold(events), wait=self.hold)

    def smoke_tests(self, framework: str) -> Sequence[SmokeTest]:
        return super().smoke_tests(framework) if self.tests is None else self.tests

    def sampler(self, on_sample: object) -> None:
        return None

    def smoke_job(self, state: SessionState, python: str, test: str) -> Job[Any]:
        events = smoke_events(state, python, passes=self.smoke_passes)
        run = SmokeRun()
        for event in events:
            run = run.apply(event)
        return Playing(events, run, wait=self.hold)

    def deed_job(self, state: SessionState, key: str, folder: str) -> Job[Message | None]:
        self.deeds.append((key, folder))
        return CallJob(lambda ctx: message("window-project-created", folder=folder) if key == "project" else None)

    def undo_job(self, state: SessionState) -> Job[Message]:
        self.undone += 1
        return CallJob(lambda ctx: message("window-undone", folder="x"))


def smoke_events(state: SessionState, python: str, *, passes: bool) -> list[SmokeEvent]:
    spec = SmokeSpec(framework=state.framework, test="picture", python=python)
    return [
        Began(run_id="", spec=spec, started=1_796_000_000.0),
        Hello(python="3.12.4", framework="torch", version="2.15.0+cu130", build="cu130"),
        Device(kind="cuda", name="NVIDIA GeForce RTX 4060 Laptop GPU"),
        *(Metric(name="loss", step=step, total=50, value=1 / (step + 1)) for step in range(50)),
        Result(passed=passes),
        Exited(code=0),
    ]
