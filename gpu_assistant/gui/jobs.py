"""Carries a `base.job.Job` on a thread of its own and brings its events home to the window, in batches."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, Qt, QThread, QTimer, Signal

from gpu_assistant.base.job import Failed, Job, JobContext, Succeeded, WasCancelled, run_to_ending

Ending = Succeeded[Any] | Failed | WasCancelled

BATCH_MS = 100  # the eye sees ten updates a second as motion; 20,000 single signals would stall the window
SLICE = 250  # events at a time, so that a flood of them is folded in many short turns
CATCH_UP_MS = 5

# The process aborts when the last reference to a running thread is lost, so each is held until it has finished.
_running: set[JobRunner] = set()


class _Thread(QThread):
    def __init__(self, work: Callable[[], None]) -> None:
        super().__init__()
        self._work = work

    def run(self) -> None:
        self._work()


class JobRunner(QObject):
    """One run of one job. Emits `events` any number of times, then `ended` exactly once, always in the GUI thread."""

    events = Signal(list)
    ended = Signal(object)  # Succeeded | Failed | WasCancelled
    _over = Signal()

    def __init__(self, job: Job[Any]) -> None:
        super().__init__()
        self._job = job
        self._context = JobContext(self._take)
        self._lock = threading.Lock()
        self._waiting: list[object] = []
        self._ending: Ending | None = None
        self._over_at_last = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._flush)
        self._thread = _Thread(self._work)
        self._over.connect(self._end, Qt.ConnectionType.QueuedConnection)

    def start(self) -> None:
        """Starts the thread; returns at once."""
        _running.add(self)
        self._timer.start(BATCH_MS)
        self._thread.start()

    def cancel(self) -> None:
        """Asks the job to stop; `ended` follows."""
        self._context.cancel()

    def join(self, patience_ms: int) -> bool:
        """Waits for the thread, not for `ended`. False: it still runs."""
        return self._thread.wait(patience_ms)

    @property
    def cancelling(self) -> bool:
        """True once `cancel` was called."""
        return self._context.cancelled

    def _take(self, event: object) -> None:
        with self._lock:
            self._waiting.append(event)

    def _work(self) -> None:
        self._ending = run_to_ending(self._job, self._context)
        self._over.emit()

    def _flush(self) -> None:
        with self._lock:
            batch, self._waiting = self._waiting[:SLICE], self._waiting[SLICE:]
            more = bool(self._waiting)
        if batch:
            self.events.emit(batch)
        if self._over_at_last and not more:
            self._finish()
        else:
            self._timer.start(CATCH_UP_MS if more or self._over_at_last else BATCH_MS)

    def _end(self) -> None:
        self._thread.wait()
        self._over_at_last = True
        self._timer.start(0)

    def _finish(self) -> None:
        ending, self._ending = self._ending, None
        _running.discard(self)
        if ending is not None:
            self.ended.emit(ending)
        self.deleteLater()


def cancel_all_jobs() -> None:
    """Asks every running job to stop; returns at once."""
    for runner in list(_running):
        runner.cancel()


def jobs_running() -> bool:
    """Whether any job still has its thread."""
    return bool(_running)


def end_all_jobs(patience_ms: int = 10_000) -> bool:
    """Cancels every job and waits for their threads. For the very end, when no window is left. False: not all ended."""
    cancel_all_jobs()
    return not [runner for runner in list(_running) if not runner.join(patience_ms)]
