"""Dotted versions, compared as numbers and never as text: drivers, compute capabilities, Pythons."""

from __future__ import annotations

import re
from typing import TypeAlias

Numbers: TypeAlias = tuple[int, ...]


def numbers(text: str) -> Numbers:
    """The numbers of a dotted version: "580.65.06" is (580, 65, 6). Raises `ValueError` where there are none."""
    found = re.match(r"\s*(\d+(?:\.\d+)*)", text)
    if found is None:
        raise ValueError(f"no version number: {text!r}")
    return tuple(int(part) for part in found.group(1).split("."))


def padded(value: Numbers, length: int = 4) -> Numbers:
    """The numbers with zeros behind, so that 580 and 580.00 are equal."""
    return value + (0,) * (length - len(value))


def at_least(have: str | None, need: str) -> bool:
    """True where a known version is not below the needed one."""
    if have is None:
        return False
    try:
        return padded(numbers(have)) >= padded(numbers(need))
    except ValueError:
        return False


def branch(driver: str) -> int | None:
    """The branch of an NVIDIA driver: 580 for "580.88"."""
    try:
        return numbers(driver)[0]
    except ValueError:
        return None


class PythonRange:
    """The Pythons that a build has wheels for, written "3.10-3.14"."""

    def __init__(self, text: str) -> None:
        low, _, high = text.partition("-")
        self.low = numbers(low)
        self.high = numbers(high or low)

    def __contains__(self, version: object) -> bool:
        return isinstance(version, str) and self.low <= numbers(version)[:2] <= self.high

    def __str__(self) -> str:
        return f"{_dotted(self.low)}-{_dotted(self.high)}"

    def choose(self, preferred: str) -> str:
        """The preferred version if it fits, else the nearest end of the range."""
        if preferred in self:
            return preferred
        return _dotted(self.high if numbers(preferred) > self.high else self.low)


def _dotted(value: Numbers) -> str:
    return ".".join(map(str, value))
