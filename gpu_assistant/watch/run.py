"""A watched run: the fold over its events. Live, saved and reopened runs are the same value."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from msgspec.structs import replace

from gpu_assistant.base.model import Value
from gpu_assistant.watch.events import (
    Began,
    CancelledByUser,
    Ended,
    Hello,
    Memory,
    Note,
    NotStarted,
    Output,
    Place,
    Places,
    Profile,
    Steps,
    Usage,
    WatchEvent,
)
from gpu_assistant.watch.rhythm import Rhythm, read_progress
from gpu_assistant.watch.spec import WatchSpec

KEPT_LINES = 400
KEPT_PLACES = 40
Verdict = Literal["running", "finished", "failed", "cancelled", "not_started"]


class WatchRun(Value, frozen=True, kw_only=True):
    """Everything that is known of one run. Seconds by kind and by line count from the first told step on."""

    spec: WatchSpec | None = None
    attached: int | None = None
    command: tuple[str, ...] = ()
    began: float | None = None  # Unix time
    ended: float | None = None
    ending: Ended | CancelledByUser | NotStarted | None = None
    pid: int | None = None  # of the process that trains
    pids: tuple[int, ...] = ()
    python: str | None = None
    lines: tuple[str, ...] = ()  # the last ones
    told: bool = False  # the steps are told from inside, not guessed from the output
    rhythm: Rhythm = Rhythm()
    total: int | None = None
    batch: int | None = None
    device: str | None = None
    values: dict[str, float] = {}
    memory: Memory | None = None
    usage: Usage | None = None
    profile: Profile | None = None
    seconds: dict[str, float] = {}  # by kind of work
    places: tuple[Place, ...] = ()  # lines of the user's; `share` in seconds
    notes: tuple[str, ...] = ()

    @property
    def steps(self) -> int:
        """Training steps so far."""
        return self.rhythm.done

    @property
    def verdict(self) -> Verdict:
        """How it stands."""
        match self.ending:
            case None:
                return "running"
            case Ended(code=code):
                return "finished" if code in (0, None) else "failed"
            case CancelledByUser():
                return "cancelled"
        return "not_started"

    @property
    def shares(self) -> dict[str, float]:
        """The parts (0 to 1) of the training's time by kind, biggest first."""
        whole = sum(self.seconds.values())
        parts = {kind: seconds / whole for kind, seconds in self.seconds.items()} if whole else {}
        return dict(sorted(parts.items(), key=lambda item: -item[1]))

    def apply(self, event: WatchEvent) -> WatchRun:
        """The run after one more event."""
        match event:
            case Began():
                return WatchRun(
                    spec=event.spec,
                    attached=event.attached,
                    command=event.command,
                    began=event.time,
                    pid=event.attached,
                )
            case Output():
                return _printed(self, event)
            case Usage():
                return replace(self, usage=event, pids=event.pids)
            case Ended() | CancelledByUser() | NotStarted():
                return replace(self, ending=event, ended=event.time)
            case Hello():
                return self if self.pid is not None else replace(self, pid=event.pid, python=event.python)
            case Steps():
                return _stepped(self, event)
        return self._told(event) if event.pid == self.pid else self

    def _told(self, event: Places | Memory | Profile | Note) -> WatchRun:
        match event:
            case Places():
                return _placed(self, event)
            case Memory():
                return replace(self, memory=event)
            case Profile():
                return replace(self, profile=event)
        return replace(self, notes=(*self.notes, event.text))


def _printed(run: WatchRun, event: Output) -> WatchRun:
    run = replace(run, lines=(*run.lines, event.text)[-KEPT_LINES:])
    progress = None if run.told else read_progress(event.text)
    if progress is None:
        return run
    return replace(run, rhythm=run.rhythm.at(event.time, progress.step), total=progress.total)


def _stepped(run: WatchRun, event: Steps) -> WatchRun:
    """The first process that tells steps is the one that trains: a launcher's own Python tells none."""
    if run.told and event.pid != run.pid:
        return run
    if not run.told:  # what came before the first step was the start, and a guessed rhythm
        run = replace(run, told=True, rhythm=Rhythm(), seconds={}, places=())
    return replace(
        run,
        pid=event.pid,
        rhythm=run.rhythm.at(event.time, event.count),
        batch=event.batch or run.batch,
        device=event.device or run.device,
        values=event.values or run.values,
    )


def _placed(run: WatchRun, event: Places) -> WatchRun:
    seconds = dict(run.seconds)
    for kind, share in event.shares.items():
        seconds[kind] = seconds.get(kind, 0.0) + share * event.seconds
    places = {(place.file, place.line, place.kind): place for place in run.places}
    for place in event.lines:
        key = (place.file, place.line, place.kind)
        before = places[key].share if key in places else 0.0
        places[key] = replace(place, share=before + place.share * event.seconds)
    most = sorted(places.values(), key=lambda place: -place.share)[:KEPT_PLACES]
    return replace(run, seconds=seconds, places=tuple(most))


def fold(events: Iterable[WatchEvent]) -> WatchRun:
    """The run that some events tell."""
    run = WatchRun()
    for event in events:
        run = run.apply(event)
    return run
