"""Numbers inside messages that decide between causes: sizes of memory, and generations of cards."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from gpu_assistant.base.model import Value

_SIZE = re.compile(r"([\d.]{1,18}) ?(bytes|[KMGT]i?B)?", re.IGNORECASE)
_UNITS = {"": 1, "b": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}
_ARCHITECTURE = re.compile(r"(\d{2,3})")


class Ratio(Value, frozen=True, kw_only=True):
    """`(hole - minus) / over` lies in a range; false if a hole is empty. With `absent` the hole must be empty."""

    hole: str
    over: str = ""
    minus: str = ""
    at_least: float = 0.0
    at_most: float = float("inf")
    absent: bool = False

    def holds(self, holes: Mapping[str, str]) -> bool:
        """Whether it is true for these captured texts."""
        if self.absent:
            return self.hole not in holes
        top, bottom = size(holes.get(self.hole)), size(holes.get(self.over))
        less = size(holes.get(self.minus)) if self.minus else 0.0
        if top is None or not bottom or less is None:
            return False
        return self.at_least <= (top - less) / bottom <= self.at_most


def ratios_hold(groups: Sequence[Sequence[Ratio]], holes: Mapping[str, str]) -> bool:
    """True if one group holds in full, or there is none."""
    return not groups or any(all(ratio.holds(holes) for ratio in group) for group in groups)


def size(text: str | None) -> float | None:
    """Bytes of "1.39 GiB"; a bare number stays as it is."""
    match = _SIZE.match(text.strip()) if text else None
    if match is None:
        return None
    try:
        return float(match[1]) * _UNITS.get((match[2] or "")[:1].lower(), 1)
    except ValueError:
        return None


def generation(holes: Mapping[str, str]) -> str | None:
    """ "newer" or "older": the card (`sm`) against the architectures in the build (`list`) or a minimum (`least`).

    None where the texts do not tell.
    """
    card = _capability(holes.get("sm"))
    built = [int(number) for number in _ARCHITECTURE.findall(holes.get("list", ""))]
    if card is None:
        return "older" if "least" in holes else None
    if built:
        return "newer" if card > max(built) else "older" if card < min(built) else "newer"
    if "least" in holes:
        return "older"
    return "newer" if card >= 80 else "older" if card < 75 else None


def _capability(text: str | None) -> int | None:
    """86 of "86", 120 of "12.0"."""
    digits = (text or "").replace(".", "")
    return int(digits) if digits.isdigit() else None
