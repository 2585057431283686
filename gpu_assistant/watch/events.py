"""What is told about a watched program. `time` is Unix time in seconds.

From inside (`resources/watch/hook/gpu_assistant_watch.py`): `hello`, `places`, `steps`, `memory`, `profile`, `note`,
each with the process that tells it. From outside: first `began`, then `output` and `usage`, at last exactly one of
`ended`, `cancelled`, `not_started`.
"""

from __future__ import annotations

from typing import Literal

from gpu_assistant.base.model import Value
from gpu_assistant.watch.spec import WatchSpec


class _Event(Value, frozen=True, kw_only=True, tag_field="event"):
    time: float = 0.0


class _Inside(_Event, frozen=True, kw_only=True):
    pid: int


class Hello(_Inside, frozen=True, kw_only=True, tag="hello"):
    """A Python of the program's has started."""

    python: str
    argv: tuple[str, ...] = ()


class Place(Value, frozen=True, kw_only=True):
    """A line of the user's, and the share of the time (0 to 1) that the program was in it."""

    file: str
    line: int
    text: str = ""
    kind: str = "compute"
    share: float = 0.0


class Places(_Inside, frozen=True, kw_only=True, tag="places"):
    """Where the program was in the last `seconds`; the kinds are those of `resources/watch/hook/places.json`."""

    seconds: float
    shares: dict[str, float] = {}  # 0 to 1
    lines: tuple[Place, ...] = ()


class Steps(_Inside, frozen=True, kw_only=True, tag="steps"):
    """How many training steps were made since the start."""

    count: int
    batch: int | None = None  # examples in a step
    device: str | None = None  # where the network lies: "cuda", "cpu", "mps", "xpu"
    values: dict[str, float] = {}  # what the program told: loss, ...


class Memory(_Inside, frozen=True, kw_only=True, tag="memory"):
    """The framework's own accounting, in bytes."""

    allocated: int
    reserved: int


class Profile(_Inside, frozen=True, kw_only=True, tag="profile"):
    """What the framework's profiler saw in some steps, in seconds."""

    steps: int
    seconds: float
    on_card: bool
    parts: dict[str, float]  # data, copies, kernels, idle
    top: tuple[tuple[str, float], ...] = ()


class Note(_Inside, frozen=True, kw_only=True, tag="note"):
    """Watching from inside met a trouble of its own."""

    text: str


class Began(_Event, frozen=True, kw_only=True, tag="began"):
    """The program was started (`spec`), or one that runs already is looked at (`attached`)."""

    spec: WatchSpec | None = None
    attached: int | None = None  # pid
    command: tuple[str, ...] = ()


class Output(_Event, frozen=True, kw_only=True, tag="output"):
    """One line that the program printed."""

    text: str
    stream: Literal["out", "err"] = "out"


class Usage(_Event, frozen=True, kw_only=True, tag="usage"):
    """What the program's processes use together."""

    pids: tuple[int, ...]
    memory: int  # resident bytes
    cpu: float  # percent of one core


class Ended(_Event, frozen=True, kw_only=True, tag="ended"):
    """The program ended by itself; the code of an attached one is not known."""

    code: int | None


class CancelledByUser(_Event, frozen=True, kw_only=True, tag="cancelled"):
    """It was stopped, or an attached one was let go."""


class NotStarted(_Event, frozen=True, kw_only=True, tag="not_started"):
    """It could not be started."""

    reason: str


InsideEvent = Hello | Places | Steps | Memory | Profile | Note
OutsideEvent = Began | Output | Usage | Ended | CancelledByUser | NotStarted
WatchEvent = InsideEvent | OutsideEvent
