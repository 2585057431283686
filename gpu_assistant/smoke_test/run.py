"""The fold of a smoke test: the same value from live, replayed and reloaded events."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from msgspec.structs import replace

from gpu_assistant.base.model import Value
from gpu_assistant.smoke_test.events import (
    Began,
    CancelledByUser,
    Device,
    Ending,
    Error,
    Exited,
    Hello,
    Interrupted,
    Log,
    Metric,
    Note,
    NotStarted,
    Picture,
    Proof,
    Result,
    SmokeEvent,
    Stage,
    TimedOut,
)
from gpu_assistant.smoke_test.spec import SmokeSpec

KEPT_LINES = 200  # of the log, in memory; the file has them all
KEPT_POINTS = 1000  # of a curve; beyond that every second of the older points goes

Verdict = Literal[
    "waiting", "running", "passed", "failed", "crashed", "timed_out", "cancelled", "not_started", "interrupted"
]
Point = tuple[int, float]


class SmokeRun(Value, frozen=True, kw_only=True):
    """A smoke test at one moment. `SmokeRun()` is one that has not begun."""

    id: str = ""  # the saved run's name; empty: not saved
    spec: SmokeSpec | None = None
    started: float = 0.0  # Unix time
    seconds: float = 0.0  # since then, at the last event
    hello: Hello | None = None
    device: Device | None = None
    stages: tuple[Stage, ...] = ()  # with the time at which each began
    proofs: tuple[Proof, ...] = ()
    curves: dict[str, tuple[Point, ...]] = {}  # metric name -> (step, value)
    step: int = 0
    total: int = 0
    pictures: dict[str, Picture] = {}  # the latest of each name
    notes: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()  # the last of the log
    result: Result | None = None
    error: Error | None = None
    ending: Ending | None = None

    def apply(self, event: SmokeEvent) -> SmokeRun:
        """The run after one more event."""
        if isinstance(event, Began):
            return SmokeRun(id=event.run_id, spec=event.spec, started=event.started)
        return replace(self._with(event), seconds=max(self.seconds, event.time))

    @property
    def verdict(self) -> Verdict:
        """How it stands. The child's own word counts; without a word of it an ended child has crashed."""
        if self.ending is None:
            return "running" if self.spec is not None else "waiting"
        if isinstance(self.ending, CancelledByUser):
            return "cancelled"
        if self.error is not None:
            return "failed"
        if self.result is not None:
            return "passed" if self.result.passed and not self.failed_proofs else "failed"
        if isinstance(self.ending, TimedOut):
            return "timed_out"
        if isinstance(self.ending, NotStarted):
            return "not_started"
        return "interrupted" if isinstance(self.ending, Interrupted) else "crashed"

    @property
    def passed(self) -> bool:
        """Ended, and everything was proven."""
        return self.verdict == "passed"

    @property
    def stage(self) -> Stage | None:
        """The stage that runs, or ran last."""
        return self.stages[-1] if self.stages else None

    @property
    def failed_proofs(self) -> tuple[Proof, ...]:
        """What was disproven."""
        return tuple(proof for proof in self.proofs if proof.outcome == "failed")

    @property
    def picture(self) -> Picture | None:
        """What there is to watch: what the network has learnt, or its guesses."""
        return self.pictures.get("learnt") or self.pictures.get("guesses")

    @property
    def target(self) -> Picture | None:
        """What the network shall learn, where that is a picture."""
        return self.pictures.get("target")

    @property
    def exit_code(self) -> int | None:
        """The child's, where it ended by itself."""
        return self.ending.code if isinstance(self.ending, Exited) else None

    def proof(self, id_: str) -> Proof | None:
        """One proof by its id; None: not yet."""
        return next((proof for proof in self.proofs if proof.id == id_), None)

    def curve(self, name: str) -> tuple[Point, ...]:
        """The points of one metric; empty: none yet."""
        return self.curves.get(name, ())

    def latest(self, name: str) -> float | None:
        """The last value of one metric."""
        points = self.curve(name)
        return points[-1][1] if points else None

    def _with(self, event: SmokeEvent) -> SmokeRun:
        match event:
            case Hello():
                return replace(self, hello=event)
            case Stage():
                return replace(self, stages=(*self.stages, event))
            case Device():
                return replace(self, device=event)
            case Metric():
                return self._with_metric(event)
            case Picture():
                return replace(self, pictures={**self.pictures, event.name: event})
            case Proof():
                # a later word on the same thing replaces the earlier one
                rest = tuple(proof for proof in self.proofs if proof.id != event.id)
                return replace(self, proofs=(*rest, event))
            case Note():
                return replace(self, notes=(*self.notes, event.text))
            case Log():
                return replace(self, lines=(*self.lines[1 - KEPT_LINES :], event.text))
            case Result() | Error() if self.result is not None or self.error is not None:
                return self  # the first one was the last word
            case Result():
                return replace(self, result=event)
            case Error():
                return replace(self, error=event)
            case Exited() | TimedOut() | CancelledByUser() | NotStarted() | Interrupted():
                return replace(self, ending=self.ending or event)
            case Began():
                return self

    def _with_metric(self, event: Metric) -> SmokeRun:
        points = self.curve(event.name)
        if len(points) >= KEPT_POINTS:
            half = len(points) // 2
            points = points[:half:2] + points[half:]
        curves = {**self.curves, event.name: (*points, (event.step, event.value))}
        return replace(self, curves=curves, step=max(self.step, event.step), total=event.total)


def fold(events: Iterable[SmokeEvent]) -> SmokeRun:
    """The run that these events make."""
    run = SmokeRun()
    for event in events:
        run = run.apply(event)
    return run
