"""Tells the world what an install does: to the listener, into the log, into the run itself."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from msgspec.structs import replace

from gpu_assistant.base.child import Child, Line
from gpu_assistant.base.job import Cancelled, JobContext
from gpu_assistant.base.message import Message, message
from gpu_assistant.install.events import InstallEvent, Log, StepEnded, StepStarted, Waiting
from gpu_assistant.install.run import InstallRun, RunLog


class StepFailed(Exception):
    """A step that ended badly: why, in words, and the exit code if a process gave one."""

    def __init__(self, reason: Message, exit_code: int | None = None) -> None:
        super().__init__(reason.id)
        self.reason = reason
        self.exit_code = exit_code


class Reporter:
    """The one door for events; it stamps them and keeps the run up to date."""

    def __init__(self, ctx: JobContext, log: RunLog | None, silence: float) -> None:
        """`silence`: seconds without a line after which the user is told what is awaited."""
        self.ctx = ctx
        self.run = InstallRun()
        self._log = log
        self._silence = silence
        self._start = time.monotonic()
        self.step_id = ""

    def tell(self, event: InstallEvent) -> None:
        """Stamps and passes on one event."""
        event = replace(event, time=round(time.monotonic() - self._start, 3))
        self.run = self.run.apply(event)
        if self._log is not None:
            self._log.write(event)
        self.ctx.emit(event)

    @contextmanager
    def step(self, id_: str, argv: tuple[str, ...] = ()) -> Iterator[None]:
        """Brackets a step with its two events, whichever way it ends."""
        self.ctx.check()
        self.step_id = id_
        self.tell(StepStarted(id=id_, argv=argv))
        try:
            yield
        except Cancelled:
            self.tell(StepEnded(id=id_, outcome="cancelled"))
            raise
        except StepFailed as failed:
            self.tell(StepEnded(id=id_, outcome="failed", exit_code=failed.exit_code))
            raise
        except Exception:
            self.tell(StepEnded(id=id_, outcome="failed"))
            raise
        self.tell(StepEnded(id=id_, outcome="done"))

    def lines(self, child: Child, awaited: Message) -> Iterator[Line]:
        """The child's lines; long silence becomes an event that says what is awaited. Raises `Cancelled`."""
        silent = 0.0
        for line in child.lines(self.ctx, idle=self._silence):
            if line is None:
                silent += self._silence
                self.tell(Waiting(seconds=silent, message=message("install-waiting", what=awaited)))
            else:
                silent = 0.0
                yield line

    def log(self, line: Line) -> None:
        """Passes one printed line on."""
        self.tell(Log(text=line.text, stream=line.stream))
