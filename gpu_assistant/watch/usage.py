"""What a program and everything it started use together, seen from outside."""

from __future__ import annotations

import contextlib
import time

import psutil

from gpu_assistant.watch.events import Usage


class Meter:
    """Asks about one process and its children, as often as it is told to."""

    def __init__(self, pid: int) -> None:
        """Raises `psutil.NoSuchProcess`."""
        self._root = psutil.Process(pid)
        self._spent: dict[int, float] = {}
        self._asked = time.monotonic()

    @property
    def runs(self) -> bool:
        """Whether the process is still there."""
        with contextlib.suppress(psutil.Error):
            return self._root.is_running() and self._root.status() != psutil.STATUS_ZOMBIE
        return False

    def ask(self) -> Usage | None:
        """Memory now, and the processor's part since the last call; None where nobody answers any more."""
        now = time.monotonic()
        memory, spent = 0, {}
        with contextlib.suppress(psutil.Error):
            for process in (self._root, *self._root.children(recursive=True)):
                with contextlib.suppress(psutil.Error):
                    times = process.cpu_times()
                    memory += process.memory_info().rss
                    spent[process.pid] = times.user + times.system
        if not memory:  # what has just ended holds none
            return None
        worked = sum(max(0.0, seconds - self._spent.get(pid, seconds)) for pid, seconds in spent.items())
        cpu = worked / max(now - self._asked, 1e-6) * 100
        self._spent, self._asked = spent, now
        return Usage(time=time.time(), pids=tuple(spent), memory=memory, cpu=round(cpu, 1))
