from __future__ import annotations

import sys

import pytest

from gpu_assistant.base.awake import WakingTime, keep_awake


def wish() -> int:
    """The thread's wish now; asking changes nothing, because it is set back."""
    import ctypes

    ask = ctypes.windll.kernel32.SetThreadExecutionState  # type: ignore[attr-defined]
    ask.restype = ctypes.c_uint
    before = int(ask(ctypes.c_uint(0x80000000)))
    ask(ctypes.c_uint(before | 0x80000000))
    return before & 0x3


@pytest.mark.skipif(sys.platform != "win32", reason="Windows falls asleep under a download")
def test_windows_stays_awake_for_the_time_of_the_block():
    with keep_awake():
        assert wish() == 1
    assert wish() == 0


@pytest.mark.skipif(sys.platform == "win32", reason="nothing to do elsewhere")
def test_elsewhere_nothing_happens():
    with keep_awake():
        pass


def test_a_sleep_does_not_count():
    moments = iter((100.0, 101.0, 106.0, 30_000.0, 30_002.0))
    time = WakingTime(lambda: next(moments))
    assert [time.now() for _ in range(4)] == [1.0, 6.0, 6.0, 8.0]
