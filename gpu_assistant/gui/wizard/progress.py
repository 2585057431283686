"""A progress bar that shows a part of a whole."""

from __future__ import annotations

from PySide6.QtWidgets import QProgressBar

PARTS = 1000  # bytes of big files do not fit a bar's int


def show_part(bar: QProgressBar, done: int, total: int | None) -> None:
    """Sets a bar to a part of a whole; an unknown whole moves to and fro."""
    if not total:
        bar.setRange(0, 0)
    else:
        bar.setRange(0, PARTS)
        bar.setValue(min(PARTS, round(done / total * PARTS)))
