"""Recordings: what the monitor saw, in one crash-safe file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import IO

from gpu_assistant.base.model import Value
from gpu_assistant.monitor.model import Mark, Sample
from gpu_assistant.monitor.store import SeriesStore


class Recorder:
    """Appends samples and marks to a new file. Use as a context manager. Raises `OSError`."""

    def __init__(self, path: Path, *, interval: float = 1.0, title: str = "") -> None:
        raise NotImplementedError

    def write(self, sample: Sample) -> None: ...

    def mark(self, mark: Mark) -> None: ...

    def training(self, time: float, values: dict[str, float]) -> None: ...

    def close(self) -> None: ...


class Header(Value, frozen=True, kw_only=True):
    """What stands first in a recording."""

    program: str
    started: float
    interval: float
    title: str = ""


class Recording:
    """A recording opened for reading; a damaged end is left out and told in `truncated`."""

    header: Header
    truncated: bool
    marks: tuple[Mark, ...]

    def samples(self) -> Iterator[Sample]:
        raise NotImplementedError

    def store(self) -> SeriesStore:
        """All of it, ready for the charts."""
        raise NotImplementedError


def open_recording(path: Path) -> Recording:
    """Raises `OSError`, or `ValueError` for a file that is no recording."""
    raise NotImplementedError


def export_csv(recording: Recording, out: IO[str]) -> None:
    """One line per sample and card; the host's columns repeat."""
    raise NotImplementedError
