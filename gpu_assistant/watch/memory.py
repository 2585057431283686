"""What the curves of memory say: a leak, a stock, or nothing to worry about."""

from __future__ import annotations

import numpy as np

from gpu_assistant.base.message import Message, message
from gpu_assistant.monitor.measures import Points, measure
from gpu_assistant.monitor.store import TRAINING, SeriesStore

GROWS = 110.0  # last third in percent of the first
STEADY = 85.0  # percent of the way that led upwards
STOCK = 1.3  # reserved against allocated, from which on the difference is worth a word
_FEWEST = 8


def memory_story(store: SeriesStore) -> Message | None:
    """One sentence about the framework's video memory; None where it told nothing."""
    allocated, reserved = _values(store, "framework_vram_allocated"), _values(store, "framework_vram_reserved")
    if allocated is None or reserved is None:
        return None
    now, stock = float(allocated[-1]), float(reserved[-1])
    if measure(allocated, "ratio") > GROWS and measure(allocated, "steadiness") > STEADY:
        return message("watch-memory-leak", before=float(allocated[0]), now=now)
    if now and stock / now > STOCK:
        return message("watch-memory-stock", now=now, stock=stock, free=stock - now)
    return message("watch-memory-steady", now=now, stock=stock)


def _values(store: SeriesStore, metric: str) -> Points | None:
    values = store.window(TRAINING, metric).values
    known = values[~np.isnan(values)].astype(np.float64)
    return known if len(known) >= _FEWEST else None
