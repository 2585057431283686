"""The fold of an install: one value from any number of events, live, replayed or reloaded."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Literal

import msgspec
from msgspec.structs import replace

from gpu_assistant.base.message import Message
from gpu_assistant.base.model import Value, from_json, to_json
from gpu_assistant.install.events import (
    Began,
    CancelledByUser,
    Failed,
    FilesKnown,
    InstallEvent,
    Log,
    Note,
    PlannedStep,
    Progress,
    StepEnded,
    StepOutcome,
    StepStarted,
    Succeeded,
    Verified,
    Waiting,
)

KEPT_LINES = 200  # of the log, in memory; the file has them all
SPEED_WINDOW = 8.0  # seconds: long enough to be calm, short enough to be true


class StepState(Value, frozen=True, kw_only=True):
    """One step as a list shows it. Times are seconds since the beginning."""

    id: str
    purpose: Message
    state: Literal["waiting", "running"] | StepOutcome = "waiting"
    argv: tuple[str, ...] = ()
    began: float | None = None
    ended: float | None = None
    exit_code: int | None = None


class FileState(Value, frozen=True, kw_only=True):
    """One file on its way. `kept` bytes were here before this run: they are progress, but not speed."""

    name: str
    done: int = 0
    total: int | None = None
    kept: int = 0


class Failure(Value, frozen=True, kw_only=True):
    """Everything that help needs: the reason, the step, the exit code and the last lines."""

    reason: Message
    step: str
    exit_code: int | None = None
    last_lines: tuple[str, ...] = ()


class _Moment(Value, frozen=True, kw_only=True):
    time: float
    received: int


class InstallRun(Value, frozen=True, kw_only=True):
    """An install at one moment. `ending` is None while it runs (or when it was torn off)."""

    plan_id: str = ""
    framework: str = ""
    option: str = ""
    build: str = ""
    target: str = ""
    started: float = 0.0  # Unix time
    seconds: float = 0.0  # since then, at the last event
    steps: tuple[StepState, ...] = ()
    files: tuple[FileState, ...] = ()
    notes: tuple[Note, ...] = ()
    lines: tuple[str, ...] = ()
    waiting: Waiting | None = None
    verified: Verified | None = None
    ending: Literal["succeeded", "failed", "cancelled"] | None = None
    failure: Failure | None = None
    folder: str | None = None  # of the finished environment
    python: str | None = None
    disk_bytes: int | None = None
    aside: str | None = None  # where the unfinished environment was put
    moments: tuple[_Moment, ...] = ()

    def apply(self, event: InstallEvent) -> InstallRun:
        """The run after one more event."""
        run: InstallRun = getattr(self, f"_on_{event.__struct_config__.tag}")(event)
        waiting = event if isinstance(event, Waiting) else None
        return replace(run, seconds=max(self.seconds, event.time), waiting=waiting)

    @property
    def step(self) -> StepState | None:
        """The step that runs, or ran last."""
        begun = [step for step in self.steps if step.began is not None]
        return begun[-1] if begun else None

    @property
    def done_bytes(self) -> int:
        """Bytes of all files that are here."""
        return sum(file.done for file in self.files)

    @property
    def total_bytes(self) -> int | None:
        """Size of all files; None while the size of any is unknown."""
        sizes = [file.total for file in self.files]
        return None if not sizes or None in sizes else sum(size for size in sizes if size is not None)

    @property
    def speed(self) -> float | None:
        """Bytes per second over the last seconds; None before it can be told."""
        if len(self.moments) < 2 or self.moments[-1].time - self.moments[0].time < 0.5:
            return None
        first, last = self.moments[0], self.moments[-1]
        return max(0, last.received - first.received) / (last.time - first.time)

    @property
    def seconds_left(self) -> float | None:
        """Until all files are here, at the present speed."""
        total, speed = self.total_bytes, self.speed
        return None if total is None or not speed else max(0, total - self.done_bytes) / speed

    def _on_began(self, event: Began) -> InstallRun:
        return InstallRun(
            plan_id=event.plan_id,
            framework=event.framework,
            option=event.option,
            build=event.build,
            target=event.target,
            started=event.started,
            steps=tuple(_planned(step) for step in event.steps),
        )

    def _on_step_started(self, event: StepStarted) -> InstallRun:
        return self._with_step(event.id, state="running", argv=event.argv, began=event.time)

    def _on_step_ended(self, event: StepEnded) -> InstallRun:
        return self._with_step(event.id, state=event.outcome, ended=event.time, exit_code=event.exit_code)

    def _on_note(self, event: Note) -> InstallRun:
        return replace(self, notes=(*self.notes, event))

    def _on_files(self, event: FilesKnown) -> InstallRun:
        files = tuple(FileState(name=f.name, done=f.have, total=f.size, kept=f.have) for f in event.files)
        return replace(self, files=files, moments=())

    def _on_progress(self, event: Progress) -> InstallRun:
        files = tuple(_moved(file, event) if file.name == event.file else file for file in self.files)
        received = sum(file.done - file.kept for file in files)
        moment = _Moment(time=event.time, received=received)
        recent = tuple(m for m in self.moments if event.time - m.time <= SPEED_WINDOW)
        return replace(self, files=files, moments=(*recent, moment))

    def _on_log(self, event: Log) -> InstallRun:
        return replace(self, lines=(*self.lines[1 - KEPT_LINES :], event.text))

    def _on_waiting(self, event: Waiting) -> InstallRun:
        return self

    def _on_verified(self, event: Verified) -> InstallRun:
        return replace(self, verified=event)

    def _on_succeeded(self, event: Succeeded) -> InstallRun:
        return replace(
            self, ending="succeeded", folder=event.folder, python=event.python, disk_bytes=event.bytes, moments=()
        )

    def _on_failed(self, event: Failed) -> InstallRun:
        failure = Failure(reason=event.reason, step=event.step, exit_code=event.exit_code, last_lines=self.lines[-40:])
        return replace(self, ending="failed", failure=failure, aside=event.aside, moments=())

    def _on_cancelled(self, event: CancelledByUser) -> InstallRun:
        return replace(self, ending="cancelled", aside=event.aside, moments=())

    def _with_step(self, id_: str, **changes: object) -> InstallRun:
        return replace(self, steps=tuple(replace(s, **changes) if s.id == id_ else s for s in self.steps))


def _planned(step: PlannedStep) -> StepState:
    return StepState(id=step.id, purpose=step.purpose)


def _moved(file: FileState, event: Progress) -> FileState:
    total = event.total if event.total is not None else file.total
    return replace(file, done=event.done, total=total, kept=min(file.kept, event.done))


def fold(events: Iterable[InstallEvent]) -> InstallRun:
    """The run that these events make."""
    run = InstallRun()
    for event in events:
        run = run.apply(event)
    return run


class RunLog:
    """The events as JSON lines in a file, each flushed, so that a crash loses at most the line being written."""

    def __init__(self, path: Path) -> None:
        """Raises `OSError`."""
        path.parent.mkdir(parents=True, exist_ok=True)
        self.path = path
        self._file = path.open("ab")

    def write(self, event: InstallEvent) -> None:
        """Adds one event; a full disk must not end the install, so errors are swallowed."""
        try:
            self._file.write(to_json(event) + b"\n")
            self._file.flush()
        except OSError:
            return

    def close(self) -> None:
        """Closes the file."""
        try:
            self._file.close()
        except OSError:
            return


def read_log(path: Path) -> tuple[InstallEvent, ...]:
    """The events of a saved run; a torn last line is left out. Raises `OSError`."""
    events: list[InstallEvent] = []
    for line in path.read_bytes().splitlines():
        try:
            events.append(from_json(line, InstallEvent))  # type: ignore[arg-type]
        except msgspec.DecodeError:
            break
    return tuple(events)


def load_run(path: Path) -> InstallRun:
    """A saved run as the object it was when it ended. Raises `OSError`."""
    return fold(read_log(path))
