"""From a day of points to what a chart of some pixels needs: per column the lowest and the highest value."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Generic, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from gpu_assistant.monitor.ring import BLOCK, BlockRing, Ring, Times, Values

KeyT = TypeVar("KeyT", bound=Hashable)

_FEW_BLOCKS = 3  # per column; to draw them costs less than to reduce them


class Series(NamedTuple):
    """Points of one metric; NaN is a gap. Read it before the next `add`: it may be a view."""

    times: Times  # Unix time, seconds
    values: Values


class _Cut(NamedTuple):
    """How a stretch of the axis is cut into columns: the same for every series on it."""

    low: int  # the rows, or the blocks, that the stretch holds
    high: int
    coarse: bool  # blocks instead of rows
    tail: int  # rows behind the last block that belong to it
    places: npt.NDArray[np.intp] | None  # where each column begins; None: the blocks are few enough as they are
    holes: npt.NDArray[np.bool_] | None  # points of columns without any row
    times: Times  # each column's middle or each block's begin, twice


class Decimator(Generic[KeyT]):
    """Reduces the columns of one ring; charts that ask for the same stretch share the cutting of the axis."""

    def __init__(self, ring: BlockRing[KeyT]) -> None:
        self._ring = ring
        self._cuts: dict[tuple[float, float, int], _Cut] = {}
        self._cuts_of = -1

    def window(self, key: KeyT, start: float | None, end: float | None) -> Series:
        """Every point with `start <= time <= end`."""
        low, high = _bounds(self._ring, start, end)
        return Series(self._ring.times[low:high], self._ring.column(key)[low:high])

    def reduced(self, key: KeyT, start: float, end: float, columns: int) -> Series:
        """Lowest and highest values, a few points per column; few points come back whole."""
        if self._cuts_of != self._ring.appended:
            self._cuts.clear()
            self._cuts_of = self._ring.appended
        cut = self._cuts.get((start, end, columns))
        if cut is None:
            low, high = _bounds(self._ring, start, end)
            if high - low <= 2 * columns or end <= start:
                return Series(self._ring.times[low:high], self._ring.column(key)[low:high])
            cut = self._cuts[start, end, columns] = self._cut(low, high, start, end, columns)
        lows, highs = self._points(key, cut)
        values = np.empty(len(cut.times), np.float32)
        if cut.places is None:
            values[0::2], values[1::2] = lows, highs
        else:
            np.fmin.reduceat(lows, cut.places, out=values[0::2])
            np.fmax.reduceat(highs, cut.places, out=values[1::2])
        if cut.holes is not None:
            values[cut.holes] = np.nan
        return Series(cut.times, values)

    def _points(self, key: KeyT, cut: _Cut) -> tuple[Values, Values]:
        if not cut.coarse:
            rows = self._ring.column(key)[cut.low : cut.high]
            return rows, rows
        lows = self._ring.lows.column(key)[cut.low : cut.high]
        highs = self._ring.highs.column(key)[cut.low : cut.high]
        if not cut.tail:
            return lows, highs
        newest = self._ring.column(key)[-cut.tail :]
        return np.append(lows, np.fmin.reduce(newest)), np.append(highs, np.fmax.reduce(newest))

    def _cut(self, low: int, high: int, start: float, end: float, columns: int) -> _Cut:
        width = (end - start) / columns
        blocks = self._ring.lows.times
        # after very many gaps the blocks are used up before the rows are
        reach = len(blocks) > 0 and float(blocks[0]) <= float(self._ring.times[low])
        if not reach or high - low <= 1.5 * BLOCK * columns:
            return _Cut(low, high, False, 0, *_columns(self._ring.times[low:high], width))
        low, high = _bounds(self._ring.lows, start, end)
        times, tail = blocks[low:high], self._ring.open_rows
        if tail and start <= float(self._ring.times[-tail]) <= end:
            times = np.append(times, self._ring.times[-tail])
        else:
            tail = 0
        if len(times) <= _FEW_BLOCKS * columns:
            return _Cut(low, high, True, tail, None, None, np.repeat(times, 2))
        return _Cut(low, high, True, tail, *_columns(times, width))


def _bounds(ring: Ring[KeyT], start: float | None, end: float | None) -> tuple[int, int]:
    times = ring.times
    low = 0 if start is None else int(np.searchsorted(times, start, "left"))
    high = len(times) if end is None else int(np.searchsorted(times, end, "right"))
    return low, high


def _columns(times: Times, width: float) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.bool_] | None, Times]:
    """Columns aligned to multiples of their width, so that a scrolling chart does not flicker."""
    first = np.floor(times[0] / width)
    count = int(np.floor(times[-1] / width) - first) + 1
    edges = (first + np.arange(count + 1)) * width
    starts = np.searchsorted(times, edges, "left")
    empty = starts[:-1] == starts[1:]
    places = np.minimum(starts[:-1], len(times) - 1)
    return places, np.repeat(empty, 2) if empty.any() else None, np.repeat(edges[:-1] + width / 2, 2)
