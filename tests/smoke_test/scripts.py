"""Runs the fake script through the real job."""

from __future__ import annotations

import sys
import threading
from pathlib import Path

import pytest

from gpu_assistant.base.job import JobContext
from gpu_assistant.base.texts import Sentence
from gpu_assistant.smoke_test.catalogue import SmokeTest
from gpu_assistant.smoke_test.events import SmokeEvent
from gpu_assistant.smoke_test.job import SmokeTestJob
from gpu_assistant.smoke_test.run import SmokeRun
from gpu_assistant.smoke_test.spec import SmokeSpec

FAKES = Path(__file__).parent / "fakes"


def fake_test(script: str = "script.py") -> SmokeTest:
    """A row for one of the fakes."""
    name = Sentence(en="Fake", ru="Подделка")
    return SmokeTest(
        id="fake",
        framework="fake",
        script=FAKES / script,
        name=name,
        description=name,
        seconds=1,
        proofs=(),
        reasons={},
    )


def spec(**changes: object) -> SmokeSpec:
    """For our own interpreter."""
    return SmokeSpec(**{"framework": "fake", "test": "fake", "python": sys.executable, **changes})  # type: ignore[arg-type]


class FakeRun:
    """The job with a fake script, and what it told."""

    def __init__(
        self, monkeypatch: pytest.MonkeyPatch, behaviour: str, *, budget: float = 60, **changes: object
    ) -> None:
        monkeypatch.setenv("FAKE_SCRIPT", behaviour)
        monkeypatch.setenv("FAKE_BUDGET", str(budget))
        monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
        self.events: list[SmokeEvent] = []
        self.seen = threading.Condition()
        self.ctx = JobContext(self._see)
        self.job = SmokeTestJob(spec(**changes), test=fake_test())

    def run(self) -> SmokeRun:
        """To the end."""
        return self.job.run(self.ctx)

    def _see(self, event: object) -> None:
        with self.seen:
            self.events.append(event)  # type: ignore[arg-type]
            self.seen.notify_all()
