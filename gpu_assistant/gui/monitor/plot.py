"""Draws curves into a rectangle. One-pixel lines without antialiasing: a day of eight cards stays cheap."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator

import numpy as np
import shiboken6
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter, QPolygonF

from gpu_assistant.monitor.decimation import Series

Floats = NDArray[np.float64]


class Scale:
    """From time and value to pixels of the plot's rectangle, and back."""

    def __init__(self, area: QRectF, times: tuple[float, float], values: tuple[float, float]) -> None:
        self.area = area
        self.start, self.end = times
        self.low, self.high = values

    def x(self, time: float) -> float:
        """Where a moment is."""
        return self.area.left() + (time - self.start) / (self.end - self.start) * self.area.width()

    def y(self, value: float) -> float:
        """Where a value is."""
        return self.area.bottom() - (value - self.low) / (self.high - self.low) * self.area.height()

    def time(self, x: float) -> float:
        """Which moment is there."""
        return self.start + (x - self.area.left()) / self.area.width() * (self.end - self.start)

    def pixels(self, series: Series) -> tuple[Floats, Floats]:
        """A whole series in pixels."""
        xs = self.area.left() + (series.times - self.start) * (self.area.width() / (self.end - self.start))
        ys = self.area.bottom() - (series.values.astype(float) - self.low) * (
            self.area.height() / (self.high - self.low)
        )
        return xs, ys


def runs(values: NDArray[np.floating]) -> Iterator[tuple[int, int]]:
    """The stretches without a gap, as (first, last + 1)."""
    known = np.concatenate(([False], ~np.isnan(values), [False]))
    edges = np.flatnonzero(known[1:] != known[:-1])
    return zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True)


def draw_series(painter: QPainter, scale: Scale, series: Series) -> None:
    """Draws with the painter's pen; a gap stays empty, a lonely point is a dot."""
    if not len(series.times):
        return
    xs, ys = scale.pixels(series)
    for first, last in runs(ys):
        if last - first == 1:
            painter.drawLine(QPointF(xs[first] - 1, ys[first]), QPointF(xs[first] + 1, ys[first]))
        else:
            painter.drawPolyline(polygon(xs[first:last], ys[first:last]))


def polygon(xs: Floats, ys: Floats) -> QPolygonF:
    """A polygon filled through its memory: a thousand points cost as little as ten."""
    made = QPolygonF()
    made.resize(len(xs))
    address = shiboken6.getCppPointer(made.data())[0]
    memory = (ctypes.c_double * (2 * len(xs))).from_address(address)
    points: Floats = np.ctypeslib.as_array(memory).reshape(-1, 2)
    points[:, 0], points[:, 1] = xs, ys
    return made
