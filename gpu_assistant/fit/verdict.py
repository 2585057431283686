"""The answer in one sentence, and which cards would do."""

from __future__ import annotations

from collections.abc import Iterable

from gpu_assistant.base.message import Message, message
from gpu_assistant.fit.estimate import Estimate

GIB = 1 << 30
EXAMPLES = 4


def verdict(found: Estimate, room: int | None) -> Message:
    """Whether it fits into `room` bytes of video memory; None: no card is known."""
    if room is None:
        return message("fit-verdict-alone", need=found.high)
    if found.high <= room:
        return message("fit-verdict-fits", need=found.high, room=room)
    if found.low <= room:
        return message("fit-verdict-tight", low=found.low, need=found.high, room=room)
    return message("fit-verdict-no", low=found.low, room=room)


def fits(found: Estimate, room: int | None) -> bool | None:
    """True, False, or None where it is only just, or no card is known."""
    if room is None or found.low <= room < found.high:
        return None
    return found.high <= room


def cards_that_do(found: Estimate, cards: Iterable[tuple[str, float]]) -> Message:
    """The smallest memory that is enough, with examples. `cards`: names with their GiB."""
    enough = sorted((gib, name) for name, gib in cards if gib * GIB >= found.high)
    if not enough:
        return message("fit-cards-none")
    least = enough[0][0]
    names = [name for gib, name in enough if gib == least]
    return message("fit-cards", gib=f"{least:g}", names=", ".join(names[-EXAMPLES:]))
