"""Changes as sentences."""

from __future__ import annotations

from gpu_assistant.base.message import Argument, Message, message
from gpu_assistant.fit.changes import Change
from gpu_assistant.fit.shape import Shape


def change_message(shape: Shape, change: Change) -> Message:
    """What the change is, what it saves and what it costs."""
    values: dict[str, Argument] = {"saves": change.saves}
    if change.id == "batch":
        values["batch"] = change.wish.batch
    if change.id == "length":
        values["length"] = change.wish.length or shape.length
    return message(f"fit-change-{change.id}", **values)
