"""The monitor's memory: a day of every metric of every card, ready to be drawn, measured and judged.

Owners of series are a card's uuid, `HOST` and `TRAINING`. Not thread-safe: one thread adds and looks.
"""

from __future__ import annotations

import bisect
from collections.abc import Mapping
from operator import attrgetter
from typing import Literal

import numpy as np

from gpu_assistant.base.model import Value
from gpu_assistant.monitor.decimation import Decimator
from gpu_assistant.monitor.decimation import Series as Series  # part of what the store answers
from gpu_assistant.monitor.model import GpuSample, Mark, Sample
from gpu_assistant.monitor.ring import BlockRing

HOST = "host"
TRAINING = "training"
DAY = 86400.0
_MOST_MARKS = 2000


class Stats(Value, frozen=True, kw_only=True):
    """What can be said of a stretch of a series that has values."""

    minimum: float
    mean: float
    maximum: float
    last: float
    samples: int


class GpuIdentity(Value, frozen=True, kw_only=True):
    """A card that was seen at least once."""

    uuid: str
    index: int
    name: str
    vendor: Literal["nvidia", "amd", "intel", "other"] = "nvidia"


_Key = tuple[str, str]  # owner, metric id


class SeriesStore:
    """Keeps the last `seconds` at one sample per `interval` (both in seconds)."""

    def __init__(self, seconds: float = DAY, interval: float = 1.0) -> None:
        self.interval = interval
        rows = max(int(seconds / interval), 2)
        self._sampled: BlockRing[_Key] = BlockRing(rows)
        self._trained: BlockRing[_Key] = BlockRing(rows)
        self._decimators = {ring: Decimator(ring) for ring in (self._sampled, self._trained)}
        self._gpus: dict[str, GpuIdentity] = {}
        self._marks: list[Mark] = []
        self._last: Sample | None = None

    def add(self, sample: Sample) -> None:
        """Takes the next sample. A long silence before it becomes a gap; a clock set back never bends the axis."""
        time = self._open_row(self._sampled, sample.time, after_gap=sample.after_gap)
        row: dict[_Key, float] = {(HOST, metric): value for metric, value in sample.host.values.items()}
        for gpu in sample.gpus:
            self._remember(gpu)
            row.update({(gpu.uuid, metric): value for metric, value in gpu.values.items()})
        self._sampled.append(time, row)
        self._last = sample

    def add_training(self, time: float, values: Mapping[str, float]) -> None:
        """Takes what a training told at one moment (metric ids of scope "training")."""
        time = self._open_row(self._trained, time, after_gap=False)
        self._trained.append(time, {(TRAINING, metric): value for metric, value in values.items()})

    def add_mark(self, mark: Mark) -> None:
        """Puts a mark on the time axis, at its place by time."""
        bisect.insort(self._marks, mark, key=attrgetter("time"))
        del self._marks[:-_MOST_MARKS]

    @property
    def last(self) -> Sample | None:
        """The newest sample, with its processes."""
        return self._last

    @property
    def first_time(self) -> float | None:
        """Where the remembered time begins."""
        return float(self._sampled.times[0]) if len(self._sampled) else None

    @property
    def last_time(self) -> float | None:
        """The newest moment on the time axis."""
        return float(self._sampled.times[-1]) if len(self._sampled) else None

    def gpus(self) -> tuple[GpuIdentity, ...]:
        """Every card that was seen, also one that is gone now, in the driver's order."""
        return tuple(sorted(self._gpus.values(), key=attrgetter("index")))

    def metrics(self, owner: str) -> tuple[str, ...]:
        """Ids of the metrics that ever had a value for this owner."""
        return tuple(metric for who, metric in self._ring(owner).keys if who == owner)

    def marks(self, start: float | None = None, end: float | None = None) -> tuple[Mark, ...]:
        """The marks of a stretch of time, oldest first."""
        low = 0 if start is None else bisect.bisect_left(self._marks, start, key=attrgetter("time"))
        high = None if end is None else bisect.bisect_right(self._marks, end, key=attrgetter("time"))
        return tuple(self._marks[low:high])

    def window(self, owner: str, metric: str, start: float | None = None, end: float | None = None) -> Series:
        """Every point with `start <= time <= end`."""
        return self._decimators[self._ring(owner)].window((owner, metric), start, end)

    def decimated(self, owner: str, metric: str, start: float, end: float, columns: int) -> Series:
        """What a chart `columns` pixels wide needs: per column its lowest and highest value, gaps kept as NaN.

        A stretch with few points comes back whole. Columns are aligned to the clock, so that a scrolling chart does
        not flicker.
        """
        return self._decimators[self._ring(owner)].reduced((owner, metric), start, end, max(columns, 1))

    def stats(self, owner: str, metric: str, start: float | None = None, end: float | None = None) -> Stats | None:
        """Minimum, mean, maximum and last value of a stretch; None where it has none."""
        values = self.window(owner, metric, start, end).values
        known = values[~np.isnan(values)]
        if not len(known):
            return None
        return Stats(
            minimum=float(known.min()),
            mean=float(known.mean(dtype=np.float64)),
            maximum=float(known.max()),
            last=float(known[-1]),
            samples=len(known),
        )

    def at(self, owner: str, metric: str, time: float) -> float | None:
        """The value nearest to a moment, for a read-out; None in a gap or more than two intervals away."""
        series = self.window(owner, metric, time - 2 * self.interval, time + 2 * self.interval)
        if not len(series.times):
            return None
        value = float(series.values[np.abs(series.times - time).argmin()])
        return None if np.isnan(value) else value

    @property
    def nbytes(self) -> int:
        """Memory that the series hold, in bytes."""
        return self._sampled.nbytes + self._trained.nbytes

    def _ring(self, owner: str) -> BlockRing[_Key]:
        return self._trained if owner == TRAINING else self._sampled

    def _remember(self, gpu: GpuSample) -> None:
        known = self._gpus.get(gpu.uuid)
        if known is None or (known.index, known.name) != (gpu.index, gpu.name):
            self._gpus[gpu.uuid] = GpuIdentity(uuid=gpu.uuid, index=gpu.index, name=gpu.name, vendor=gpu.vendor)

    def _open_row(self, ring: BlockRing[_Key], time: float, *, after_gap: bool) -> float:
        if not len(ring):
            return time
        last = float(ring.times[-1])
        if time <= last:
            # set back by hand or by the network: go on in small steps until the clock has caught up
            return last + 0.001
        if ring is self._sampled and (after_gap or time - last > max(4 * self.interval, 5.0)):
            ring.end_block()
            ring.append(min(last + self.interval, (last + time) / 2), {})
            ring.end_block()
        return time
