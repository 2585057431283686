"""Before and after: which of two watched runs was faster, and what changed most."""

from __future__ import annotations

from gpu_assistant.base.message import Message, message
from gpu_assistant.watch.summary import WatchSummary

ALIKE = 0.05  # of the speed
MOVED = 0.1  # of the time, from which on a kind of work is worth naming


def compare_runs(before: WatchSummary, after: WatchSummary) -> tuple[Message, ...]:
    """The verdict in one sentence, and one more about where the time went, if that changed."""
    return (_speed(before, after), *_moved(before.shares, after.shares))


def _speed(before: WatchSummary, after: WatchSummary) -> Message:
    old, new = before.steps_per_second, after.steps_per_second
    if not old or not new:
        return message("watch-compare-unknown")
    if abs(new / old - 1) < ALIKE:
        return message("watch-compare-alike", after=new)
    if new < old:
        return message("watch-compare-slower", before=old, after=new)
    return message("watch-compare-speed", before=old, after=new, times=new / old)


def _moved(before: dict[str, float], after: dict[str, float]) -> tuple[Message, ...]:
    changes = {kind: after.get(kind, 0.0) - before.get(kind, 0.0) for kind in {*before, *after} if kind != "compute"}
    kind = max(changes, key=lambda one: (abs(changes[one]), one), default=None)
    if kind is None or abs(changes[kind]) < MOVED:
        return ()
    said = message(f"watch-kind-{kind}")
    return (
        message("watch-compare-moved", kind=said, before=before.get(kind, 0.0) * 100, after=after.get(kind, 0.0) * 100),
    )
