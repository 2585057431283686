"""Columns of numbers over one growing time axis that forgets its oldest end. Times ascend; a gap is NaN."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Generic, TypeVar

import numpy as np
import numpy.typing as npt

Times = npt.NDArray[np.float64]
Values = npt.NDArray[np.float32]
KeyT = TypeVar("KeyT", bound=Hashable)

_FIRST_SIZE = 1024


class Ring(Generic[KeyT]):
    """Keeps at least the newest `capacity` rows; every view is contiguous, so nothing is copied to look at it.

    Buffers grow by doubling and, once full, move their newest `capacity` rows to the front every `capacity / 8` rows.
    """

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self._limit = capacity + max(capacity // 8, 1)
        size = min(_FIRST_SIZE, self._limit)
        self._times: Times = np.empty(size, np.float64)
        self._columns: dict[KeyT, Values] = {}
        self._end = 0

    def __len__(self) -> int:
        return min(self._end, self.capacity)

    @property
    def keys(self) -> tuple[KeyT, ...]:
        """Every column, in the order of its first value."""
        return tuple(self._columns)

    @property
    def times(self) -> Times:
        """The time axis; a view that stays right until the next `append`."""
        return self._times[self._end - len(self) : self._end]

    def column(self, key: KeyT) -> Values:
        """One column as long as `times`; all NaN for a key that never had a value."""
        found = self._columns.get(key)
        if found is None:
            return np.full(len(self), np.nan, np.float32)
        return found[self._end - len(self) : self._end]

    def append(self, time: float, row: Mapping[KeyT, float]) -> None:
        """Adds one row; a column that is not in it gets NaN. `time` must not be before the last."""
        if self._end == len(self._times):
            self._make_room()
        self._times[self._end] = time
        for column in self._columns.values():
            column[self._end] = np.nan
        for key, value in row.items():
            if key not in self._columns:
                self._columns[key] = np.full(len(self._times), np.nan, np.float32)
            self._columns[key][self._end] = value
        self._end += 1

    @property
    def nbytes(self) -> int:
        """Memory that the buffers hold."""
        return self._times.nbytes + sum(column.nbytes for column in self._columns.values())

    def _make_room(self) -> None:
        if self._end < self._limit:
            size = min(2 * self._end, self._limit)
            self._times = _grown(self._times, size)
            self._columns = {key: _grown(column, size) for key, column in self._columns.items()}
            return
        _move_to_front(self._times, self._end - self.capacity, self._end)
        for column in self._columns.values():
            _move_to_front(column, self._end - self.capacity, self._end)
        self._end = self.capacity


BLOCK = 32


class BlockRing(Ring[KeyT]):
    """A ring that also keeps the lowest and highest value of every `BLOCK` rows, for drawing from far away.

    A block ends early where `end_block` is called, so that a gap is never inside of one.
    """

    def __init__(self, capacity: int) -> None:
        super().__init__(capacity)
        self.lows: Ring[KeyT] = Ring(capacity // BLOCK + 256)
        self.highs: Ring[KeyT] = Ring(capacity // BLOCK + 256)
        self.appended = 0  # rows ever, which tells whether anything changed
        self._open = 0

    def append(self, time: float, row: Mapping[KeyT, float]) -> None:
        """As `Ring.append`; every `BLOCK` rows are summed up."""
        super().append(time, row)
        self.appended += 1
        self._open += 1
        if self._open == BLOCK:
            self.end_block()

    def end_block(self) -> None:
        """Lets the next row begin a new block."""
        rows = min(self._open, len(self))
        if not rows:
            return
        start = float(self.times[-rows])
        tails = {key: self.column(key)[-rows:] for key in self.keys}
        self.lows.append(start, {key: float(np.fmin.reduce(tail)) for key, tail in tails.items()})
        self.highs.append(start, {key: float(np.fmax.reduce(tail)) for key, tail in tails.items()})
        self._open = 0

    @property
    def open_rows(self) -> int:
        """How many of the newest rows are in no block yet."""
        return min(self._open, len(self))

    @property
    def nbytes(self) -> int:
        """Memory that all buffers hold."""
        return super().nbytes + self.lows.nbytes + self.highs.nbytes


ScalarT = TypeVar("ScalarT", np.float32, np.float64)


def _grown(buffer: npt.NDArray[ScalarT], size: int) -> npt.NDArray[ScalarT]:
    larger = np.full(size, np.nan, buffer.dtype)
    larger[: len(buffer)] = buffer
    return larger


def _move_to_front(buffer: npt.NDArray[ScalarT], start: int, end: int) -> None:
    buffer[: end - start] = buffer[start:end].copy()
