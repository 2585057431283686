"""Numbers that sum a window of a series up. None where there is too little to tell."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from gpu_assistant.monitor.hint_rows import Measure
from gpu_assistant.monitor.store import TRAINING, Series, SeriesStore

Points = npt.NDArray[np.float64]

_FEWEST = 8
_COVERED = 0.8


def window(store: SeriesStore, owner: str, metric: str, start: float, end: float) -> Points | None:
    """The values of a stretch if they cover it, without its few gaps."""
    series = store.window(owner, metric, start, end)
    known = ~np.isnan(series.values)
    if known.sum() < _FEWEST or not _covers(series, known, start, end):
        return None
    if owner != TRAINING and known.mean() < _COVERED:
        return None
    values: Points = series.values[known].astype(np.float64)
    return values


def _covers(series: Series, known: npt.NDArray[np.bool_], start: float, end: float) -> bool:
    times = series.times[known]
    return bool(times[-1] - times[0] >= _COVERED * (end - start))


def measure(values: Points, how: Measure, over: float = 0.0) -> float:
    """One number. `values` are not empty and have no gaps."""
    if how == "share":
        return float((values > over).mean() * 100)
    if how == "growth":
        quarters = np.array_split(values, 4)
        return float(quarters[-1].mean() - quarters[0].mean())
    if how == "ratio":
        thirds = np.array_split(values, 3)
        before = float(thirds[0].mean())
        return float(thirds[-1].mean()) / before * 100 if before else 100.0
    if how == "steadiness":
        steps = np.diff([part.mean() for part in np.array_split(values, 10) if len(part)])
        way = np.abs(steps).sum()
        return float(steps[steps > 0].sum() / way * 100) if way else 0.0
    return float(_PLAIN[how](values))


_PLAIN: dict[str, Callable[[Points], Any]] = {
    "mean": np.mean,
    "spread": np.std,
    "minimum": np.min,
    "maximum": np.max,
    "last": lambda values: values[-1],
}
