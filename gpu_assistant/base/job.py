"""A long job has one shape and exactly one ending: succeeded, failed or cancelled."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

ResultT_co = TypeVar("ResultT_co", covariant=True)
ResultT = TypeVar("ResultT")


class Cancelled(Exception):
    """Raised inside a job whose context was cancelled."""


class JobContext:
    """What a running job may do to the world: report an event, look whether to stop, wait.

    Thread-safe: `cancel` may be called from any thread, the rest from the job's own.
    """

    def __init__(self, on_event: Callable[[object], None] | None = None) -> None:
        self._on_event = on_event or (lambda event: None)
        self._cancelled = threading.Event()

    def emit(self, event: object) -> None:
        """Hands one event to whoever listens."""
        self._on_event(event)

    def cancel(self) -> None:
        """Asks the job to stop; returns at once."""
        self._cancelled.set()

    @property
    def cancelled(self) -> bool:
        """True once `cancel` was called."""
        return self._cancelled.is_set()

    def check(self) -> None:
        """Raises `Cancelled` if the job shall stop."""
        if self.cancelled:
            raise Cancelled

    def wait(self, seconds: float) -> None:
        """Sleeps, but wakes and raises `Cancelled` the moment the job shall stop."""
        if self._cancelled.wait(seconds):
            raise Cancelled

    def wait_until(self, condition: Callable[[], bool], timeout: float, poll: float = 0.02) -> bool:
        """Waits until the condition holds; False when `timeout` seconds passed first."""
        end = time.monotonic() + timeout
        while not condition():
            if time.monotonic() >= end:
                return False
            self.wait(poll)
        return True


class Job(Protocol[ResultT_co]):
    """Work that takes longer than a blink. It knows no Qt and returns its result."""

    def run(self, ctx: JobContext) -> ResultT_co: ...


class Succeeded(Generic[ResultT]):
    """The ending with a result."""

    def __init__(self, result: ResultT) -> None:
        self.result = result


class Failed:
    """The ending with an exception."""

    def __init__(self, error: BaseException) -> None:
        self.error = error


class WasCancelled:
    """The ending that was asked for."""


def run_to_ending(job: Job[ResultT], ctx: JobContext) -> Succeeded[ResultT] | Failed | WasCancelled:
    """Runs a job to its one ending. Both shells use this; a thread adds nothing but the hand-over."""
    try:
        return Succeeded(job.run(ctx))
    except Cancelled:
        return WasCancelled()
    except Exception as error:
        return Failed(error)
