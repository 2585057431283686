"""What an install tells while it runs. The same events are shown live, written to the log and replayed from it."""

from __future__ import annotations

from typing import Literal

from gpu_assistant.base.message import Message
from gpu_assistant.base.model import Value

StepOutcome = Literal["done", "failed", "cancelled"]
Severity = Literal["info", "warning", "problem"]


class _Event(Value, frozen=True, kw_only=True, tag_field="event"):
    time: float = 0.0  # seconds since the install began


class PlannedStep(Value, frozen=True, kw_only=True):
    """A step that will come: known from the start, so that "2 of 6" can be said."""

    id: str
    purpose: Message


class Began(_Event, frozen=True, kw_only=True, tag="began"):
    """The first event. `started` is Unix time."""

    plan_id: str
    framework: str
    option: str
    build: str
    target: str
    started: float
    steps: tuple[PlannedStep, ...]


class StepStarted(_Event, frozen=True, kw_only=True, tag="step_started"):
    """A step begins; `argv` is what is really started (empty for our own work)."""

    id: str
    argv: tuple[str, ...] = ()


class StepEnded(_Event, frozen=True, kw_only=True, tag="step_ended"):
    """A step's one ending."""

    id: str
    outcome: StepOutcome
    exit_code: int | None = None


class Note(_Event, frozen=True, kw_only=True, tag="note"):
    """A sentence for the user: the answer of a check, a warning, what is done instead."""

    message: Message
    severity: Severity = "info"


class FileKnown(Value, frozen=True, kw_only=True):
    """A file to fetch. `size` in bytes, None until the server tells; `have` bytes lie here from an earlier try."""

    name: str
    size: int | None = None
    have: int = 0


class FilesKnown(_Event, frozen=True, kw_only=True, tag="files"):
    """All files that will be fetched."""

    files: tuple[FileKnown, ...]


class Progress(_Event, frozen=True, kw_only=True, tag="progress"):
    """So many bytes of a file are here. `done` falls to 0 when a spoilt file starts over."""

    file: str
    done: int
    total: int | None = None


class Log(_Event, frozen=True, kw_only=True, tag="log"):
    """A line that the installer printed."""

    text: str
    stream: Literal["out", "err"] = "err"


class Waiting(_Event, frozen=True, kw_only=True, tag="waiting"):
    """Nothing was heard for `seconds`; `message` says what is awaited. Nobody is stopped for it."""

    seconds: float
    message: Message


class Verified(_Event, frozen=True, kw_only=True, tag="verified"):
    """The environment proved itself: packages import, versions and build tag are the planned ones."""

    versions: dict[str, str]
    build: str | None = None


class Succeeded(_Event, frozen=True, kw_only=True, tag="succeeded"):
    """Ending: the environment stands at its place. `bytes` is its size on disk."""

    folder: str
    python: str
    bytes: int = 0


class Failed(_Event, frozen=True, kw_only=True, tag="failed"):
    """Ending: what went wrong and where; `aside` is the folder that was put aside."""

    reason: Message
    step: str
    exit_code: int | None = None
    aside: str | None = None


class CancelledByUser(_Event, frozen=True, kw_only=True, tag="cancelled"):
    """Ending: stopped on request; the process tree is gone."""

    step: str
    aside: str | None = None


Ending = Succeeded | Failed | CancelledByUser
InstallEvent = (
    Began
    | StepStarted
    | StepEnded
    | Note
    | FilesKnown
    | Progress
    | Log
    | Waiting
    | Verified
    | Succeeded
    | Failed
    | CancelledByUser
)
