"""Who the processes on a card are, and how to end one."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable

import msgspec
import psutil

from gpu_assistant.monitor.model import ProcessSample

_ASK_AGAIN = 10  # passes until a known pid is checked for having changed hands
_LONGEST_COMMAND = 1000


class _Known(msgspec.Struct):
    checked: int
    started: float | None = None
    name: str | None = None
    user: str | None = None
    command: str | None = None


class ProcessBook:
    """Joins NVML's bare pids with names, users, commands and start times; asks the system rarely."""

    def __init__(self) -> None:
        self._known: dict[int, _Known] = {}
        self._pass = 0

    def named(self, groups: Iterable[tuple[ProcessSample, ...]]) -> list[tuple[ProcessSample, ...]]:
        """The same processes, card by card, with what the system tells about them."""
        self._pass += 1
        bare = [tuple(group) for group in groups]
        pids = {process.pid for group in bare for process in group}
        self._known = {pid: known for pid, known in self._known.items() if pid in pids}
        return [tuple(self._join(process) for process in group) for group in bare]

    def _join(self, process: ProcessSample) -> ProcessSample:
        known = self._known.get(process.pid)
        if known is None or self._pass - known.checked >= _ASK_AGAIN:
            known = self._known[process.pid] = _look_up(process.pid, self._pass, known)
        return msgspec.structs.replace(
            process, name=known.name or process.name, user=known.user, command=known.command, started=known.started
        )


def _look_up(pid: int, now: int, before: _Known | None) -> _Known:
    known = _Known(now)
    try:
        process = psutil.Process(pid)
        known.started = process.create_time()
        if before is not None and before.started == known.started:
            before.checked = now
            return before
        known.name = process.name()
    except (psutil.Error, OSError, ValueError):
        return known
    with contextlib.suppress(psutil.Error, OSError):
        known.user = process.username()
    with contextlib.suppress(psutil.Error, OSError):
        known.command = " ".join(process.cmdline())[:_LONGEST_COMMAND]
    return known


class ProcessChanged(Exception):
    """The pid belongs to another process by now, or to none."""


class ProcessRefused(Exception):
    """The system does not let us end it."""


def end_process(pid: int, started: float | None, *, timeout: float = 3.0) -> None:
    """Ends one process: politely, then by force after `timeout` seconds.

    `started` (Unix time, from the sample the user saw) makes sure that it is still the same process. Raises
    `ProcessChanged`, `ProcessRefused`.
    """
    try:
        process = psutil.Process(pid)
        if started is None or abs(process.create_time() - started) > 0.1:
            raise ProcessChanged(pid)
        process.terminate()
        try:
            process.wait(timeout)
        except psutil.TimeoutExpired:
            process.kill()
            process.wait(timeout)
    except psutil.NoSuchProcess as error:
        raise ProcessChanged(pid) from error
    except (psutil.AccessDenied, psutil.TimeoutExpired, OSError) as error:
        raise ProcessRefused(pid) from error
