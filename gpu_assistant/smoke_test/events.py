"""The smoke test's protocol: one JSON object a line on the child's stdout, and what the parent adds.

Child: `hello`, then any of `stage`, `device`, `metric`, `picture`, `proof`, `note`, then exactly one `result` or
`error`. Parent: first `began`; `log` for every line that is no event; at last exactly one of `exited`, `timed_out`,
`cancelled`, `not_started`, or `interrupted` when a saved run has no end because we died.
"""

from __future__ import annotations

from typing import Literal

from gpu_assistant.base.model import Value
from gpu_assistant.smoke_test.spec import SmokeSpec


class _Event(Value, frozen=True, kw_only=True, tag_field="event"):
    time: float = 0.0  # seconds since the child's start


class Began(_Event, frozen=True, kw_only=True, tag="began"):
    """A new run; everything before it is forgotten."""

    spec: SmokeSpec
    started: float  # Unix time
    run_id: str = ""  # the saved run's name; empty: not saved


class Hello(_Event, frozen=True, kw_only=True, tag="hello"):
    """The child lives. `build` is the framework's own tag: "cu130", "cpu", "rocm7.2", "xpu", "mps"."""

    python: str
    framework: str
    version: str | None = None
    build: str | None = None
    pid: int | None = None  # of the process that trains; on Windows an environment's python.exe only starts it


class Stage(_Event, frozen=True, kw_only=True, tag="stage"):
    """A new stage begins; `budget` is its time limit in seconds."""

    name: str
    budget: float


class Device(_Event, frozen=True, kw_only=True, tag="device"):
    """Where the training runs. `kind`: cuda | rocm | xpu | mps | cpu."""

    kind: str
    name: str
    index: int | None = None
    vram_total: int | None = None
    compute_capability: str | None = None
    uuid: str | None = None
    pci_address: str | None = None


class Metric(_Event, frozen=True, kw_only=True, tag="metric"):
    """One number at one step: name "loss", "accuracy", "steps_per_second", "vram_allocated", "vram_reserved"."""

    name: str
    step: int
    total: int
    value: float


class Picture(_Event, frozen=True, kw_only=True, tag="picture"):
    """What the network has learnt so far: RGB rows, base64 of width * height * 3 bytes.

    `name`: "learnt" (sharpens), "target" (what is to be learnt, sent once), "guesses" (a grid of labelled pictures).
    """

    name: str
    step: int
    width: int
    height: int
    rgb: str
    labels: tuple[str, ...] = ()  # for a grid of guesses, row by row: "7", or "3!=8" (guessed 3, it is an 8)
    columns: int = 0  # of that grid


class Proof(_Event, frozen=True, kw_only=True, tag="proof"):
    """One thing proven or disproven; `id` has its sentence in the test's data file."""

    id: str
    outcome: Literal["passed", "failed", "skipped"]
    values: dict[str, str | int | float] = {}


class Note(_Event, frozen=True, kw_only=True, tag="note"):
    """Something worth knowing that proves nothing."""

    text: str


class Result(_Event, frozen=True, kw_only=True, tag="result"):
    """The child's own summary."""

    passed: bool
    summary: dict[str, str | int | float] = {}


class Error(_Event, frozen=True, kw_only=True, tag="error"):
    """The child caught an exception; `traceback` is evidence for troubleshooting."""

    kind: str
    text: str
    traceback: str


class Log(_Event, frozen=True, kw_only=True, tag="log"):
    """Any other line."""

    text: str
    stream: Literal["out", "err"] = "err"


class Exited(_Event, frozen=True, kw_only=True, tag="exited"):
    """The child ended with this code."""

    code: int


class TimedOut(_Event, frozen=True, kw_only=True, tag="timed_out"):
    """A stage took longer than its budget; the tree was ended."""

    stage: str


class CancelledByUser(_Event, frozen=True, kw_only=True, tag="cancelled"):
    """The user stopped it; the tree was ended."""


class NotStarted(_Event, frozen=True, kw_only=True, tag="not_started"):
    """The child could not be started."""

    reason: str


class Interrupted(_Event, frozen=True, kw_only=True, tag="interrupted"):
    """The program died while the run was on; told when the saved run is opened."""


ChildEvent = Hello | Stage | Device | Metric | Picture | Proof | Note | Result | Error
Ending = Exited | TimedOut | CancelledByUser | NotStarted | Interrupted
SmokeEvent = ChildEvent | Began | Log | Ending
