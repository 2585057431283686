"""A sentence by reference: the core says which, the edge says it in the user's language."""

from __future__ import annotations

from typing import TypeAlias

from gpu_assistant.base.model import Value

Argument: TypeAlias = "str | int | float | Message"


class Message(Value, frozen=True, kw_only=True):
    """A reference to one sentence of `resources/texts`, with what fills its holes."""

    id: str
    args: dict[str, Argument] = {}


def message(id_: str, /, **args: Argument) -> Message:
    """Short for `Message(id=..., args=...)`."""
    return Message(id=id_, args=args)
