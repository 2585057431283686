"""Keeps the computer awake while a download or a training runs, and does not count the time that it slept all the same.

The screen may still go dark; closing the lid of a laptop sends it to sleep whatever a program wishes.
"""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Iterator

_CONTINUOUS = 0x80000000
_SYSTEM_REQUIRED = 0x00000001
_SLEEP = 20.0  # seconds: nobody who asks every second is held up that long by anything else


@contextlib.contextmanager
def keep_awake() -> Iterator[None]:
    """For the time of the block. Windows only: elsewhere a desktop that works is not sent to sleep by a timer alone.

    The wish belongs to the calling thread and ends with it, so a crash leaves nothing behind.
    """
    _wish(_CONTINUOUS | _SYSTEM_REQUIRED)
    try:
        yield
    finally:
        _wish(_CONTINUOUS)


def _wish(flags: int) -> None:
    if sys.platform == "win32":
        import ctypes

        ctypes.windll.kernel32.SetThreadExecutionState(ctypes.c_uint(flags))


class WakingTime:
    """Seconds that the computer was awake. Windows' clocks run on while it sleeps, and a child sleeps with us."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._last = clock()
        self._awake = 0.0

    def now(self) -> float:
        """Seconds since the start. Ask several times within `_SLEEP` seconds: a longer silence counts as a sleep."""
        last, self._last = self._last, self._clock()
        step = self._last - last
        self._awake += step if step < _SLEEP else 0.0
        return self._awake
