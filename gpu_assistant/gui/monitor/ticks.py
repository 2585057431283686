"""Where the axes of a chart get their lines and labels. Pure functions."""

from __future__ import annotations

import math
import time
from typing import NamedTuple

from gpu_assistant.base.texts import Language
from gpu_assistant.monitor.metrics import Metric, Unit, format_value

_SECONDS = (1, 2, 5, 10, 15, 30)
_MINUTE, _HOUR, _DAY = 60, 3600, 86400
TIME_STEPS = (
    *_SECONDS,
    *(_MINUTE * part for part in _SECONDS),
    *(_HOUR * part for part in (1, 2, 3, 6, 12)),
    *(_DAY * part for part in (1, 2, 7)),
)


class Tick(NamedTuple):
    """A line across the chart with its label."""

    value: float
    label: str


def time_ticks(start: float, end: float, most: int, *, relative: bool = False) -> list[Tick]:
    """At most about `most` round moments of the wall clock; with `relative`, of a clock that began at 0."""
    if end <= start or most < 1:
        return []
    step = next((step for step in TIME_STEPS if (end - start) / step <= most), TIME_STEPS[-1])
    shift = 0 if relative else time.localtime(max(0.0, end)).tm_gmtoff
    first = math.ceil((start + shift) / step) * step
    count = int((end + shift - first) // step) + 1
    moments = [first + place * step - shift for place in range(count)]
    return [Tick(moment, time_label(moment, step, relative=relative)) for moment in moments]


def time_label(moment: float, step: float, *, relative: bool = False) -> str:
    """A moment as exactly as the step between labels needs it: "14:05:30", "14:05", "01.12"."""
    if relative:
        return _clock(moment)
    shape = "%H:%M:%S" if step < _MINUTE else "%H:%M" if step < _DAY else "%d.%m"
    return wall_clock(moment, shape)


def wall_clock(moment: float, shape: str) -> str:
    """A Unix time as the local clock shows it. Before the first sample a view may lie before 1970."""
    return time.strftime(shape, time.localtime(max(0.0, moment)))  # Windows refuses negative times


def _clock(seconds: float) -> str:
    sign, total = ("-" if seconds < -0.5 else ""), abs(round(seconds))
    hours, minutes, rest = total // _HOUR, total % _HOUR // _MINUTE, total % _MINUTE
    return f"{sign}{hours}:{minutes:02}:{rest:02}" if hours else f"{sign}{minutes}:{rest:02}"


def value_ticks(low: float, high: float, most: int, metric: Metric, language: Language) -> list[Tick]:
    """Round values from `low` to `high`, in steps that fit the unit (powers of two for bytes)."""
    if high <= low or most < 1:
        return []
    step = _step((high - low) / most, metric.unit)
    first = math.ceil(low / step - 1e-9)
    last = math.floor(high / step + 1e-9)
    return [Tick(place * step, format_value(place * step, metric.unit, language)) for place in range(first, last + 1)]


def _step(least: float, unit: Unit) -> float:
    if unit in ("count", "state", "generation", "lanes"):
        least = max(least, 1.0)
    if unit.startswith("bytes"):
        power = 1024.0 ** max(math.floor(math.log(max(least, 1.0), 1024)), 0)
        steps = [power * size for size in (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024)]
        return next((step for step in steps if step >= least), steps[-1])
    power = 10.0 ** math.floor(math.log10(least))
    sizes = (1, 2, 2.5, 5, 10) if unit == "percent" else (1, 2, 5, 10)
    return next(power * size for size in sizes if power * size >= least * (1 - 1e-9))


def value_range(
    metric: Metric, lowest: float | None, highest: float | None, border: float | None
) -> tuple[float, float]:
    """The ends of the value axis from what is visible; `border` is the value of the row's `high_metric`."""
    low = metric.low if metric.low is not None else (lowest if lowest is not None else 0.0)
    if lowest is not None:
        low = min(low, lowest)
    high = metric.high if metric.high is not None else border
    if high is None:
        high = (highest * 1.08 if highest is not None and highest > 0 else 0.0) or 1.0
    if highest is not None:
        high = max(high, highest)
    if high <= low:
        low, high = low - 0.5, high + 0.5
    if metric.low is None and metric.high is None and metric.high_metric is None:
        margin = 0.06 * (high - low)
        low -= margin
    return low, high
