"""Keeps the computer from falling asleep while a download or a training runs; the screen may still go dark."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator

_CONTINUOUS = 0x80000000
_SYSTEM_REQUIRED = 0x00000001


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
