"""Runs a smoke test in the user's own environment, as a child, and watches over its time."""

from __future__ import annotations

import time
from collections import deque
from pathlib import Path

from msgspec.structs import replace

from gpu_assistant.base.awake import WakingTime, keep_awake
from gpu_assistant.base.child import Child, ChildError, Line, child_environment
from gpu_assistant.base.job import Cancelled, JobContext
from gpu_assistant.smoke_test.catalogue import SmokeTest, find_test
from gpu_assistant.smoke_test.events import (
    Began,
    CancelledByUser,
    Error,
    Exited,
    Log,
    NotStarted,
    Result,
    SmokeEvent,
    Stage,
    TimedOut,
)
from gpu_assistant.smoke_test.parse import parse_line
from gpu_assistant.smoke_test.run import SmokeRun
from gpu_assistant.smoke_test.spec import SmokeSpec
from gpu_assistant.smoke_test.store import RunWriter, new_run_id, runs_folder

START_BUDGET = 60.0  # seconds until the child's first word; a virus scanner reads a whole Python first
EXIT_BUDGET = 20.0  # seconds between the child's last word and its end
TICK = 0.1
PASSED_LINES = 5000  # of the log, before only the last ones count
LAST_LINES = 500


class SmokeTestJob:
    """One smoke test in the shape of `base.job`: events through the context, the folded run as the result."""

    def __init__(
        self, spec: SmokeSpec, *, test: SmokeTest | None = None, folder: Path | None = None, save: bool = True
    ) -> None:
        """`folder` holds the saved runs, by default the user's. Raises `KeyError` for an unknown test."""
        self._spec = spec
        self._test = test or find_test(spec.framework, spec.test)
        self._folder = folder
        self._save = save

    def run(self, ctx: JobContext) -> SmokeRun:
        """Runs to the one ending, which the result's `verdict` tells; a cancelled run is returned too."""
        began = Began(spec=self._spec, started=time.time(), run_id=new_run_id(self._test.id) if self._save else "")
        writer = RunWriter(self._folder or runs_folder(), began) if self._save else None
        teller = _Teller(ctx, writer)
        try:
            teller.tell(began)
            with keep_awake():
                self._watch(ctx, teller)
        finally:
            teller.close()
        return teller.run

    def argv(self) -> list[str]:
        """The command of the child."""
        spec = self._spec
        seconds = spec.seconds if spec.seconds is not None else self._test.seconds
        words = [spec.python, "-X", "utf8", "-u", str(self._test.script), "--expect", spec.expect]
        words += ["--seed", str(spec.seed), "--seconds", f"{seconds:g}", "--batch-scale", f"{spec.batch_scale:g}"]
        if spec.steps is not None:
            words += ["--steps", str(spec.steps)]
        if spec.device_index is not None:
            words += ["--device-index", str(spec.device_index)]
        return words

    def _watch(self, ctx: JobContext, teller: _Teller) -> None:
        if ctx.cancelled:
            teller.tell(CancelledByUser())
            return
        try:
            child = Child(self.argv(), environment=child_environment(), keep_stdin=True)
        except ChildError as error:
            teller.tell(NotStarted(reason=str(error)))
            return
        with child:
            try:
                ending: SmokeEvent = _follow(child, ctx, teller)
            except Cancelled:
                ending = CancelledByUser()
            child.end()
        teller.tell(ending)


class _Teller:
    """Stamps each event, and hands it to the run, the file and the listener; holds a flood of log lines back."""

    def __init__(self, ctx: JobContext, writer: RunWriter | None) -> None:
        self.run = SmokeRun()
        self._ctx = ctx
        self._writer = writer
        self._start = time.monotonic()
        self._logs = 0
        self._held: deque[Log] = deque(maxlen=LAST_LINES)
        self._left_out = 0

    def tell(self, event: SmokeEvent) -> None:
        """One more event."""
        if not isinstance(event, Log):
            self._release()
        elif self._logs >= PASSED_LINES:
            self._left_out += len(self._held) == LAST_LINES
            self._held.append(event)
            return
        self._pass_on(event)

    def close(self) -> None:
        """The end of the run."""
        if self._writer is not None:
            self._writer.close(self.run)

    def _release(self) -> None:
        if self._left_out:
            self._pass_on(Log(text=f"[... {self._left_out} lines left out ...]"))
        for event in self._held:
            self._pass_on(event)
        self._held.clear()
        self._left_out = 0

    def _pass_on(self, event: SmokeEvent) -> None:
        event = replace(event, time=round(time.monotonic() - self._start, 3))
        self._logs += isinstance(event, Log)
        self.run = self.run.apply(event)
        if self._writer is not None:
            self._writer.write(event)
        self._ctx.emit(event)


class _Clock:
    """The time that the present stage has left."""

    def __init__(self) -> None:
        self.stage = "start"
        self._time = WakingTime()
        self._deadline = START_BUDGET

    def see(self, event: SmokeEvent) -> None:
        """A new stage has its own budget, and so has the child's end."""
        if isinstance(event, Stage):
            self.stage, self._deadline = event.name, self._time.now() + max(1.0, event.budget)
        elif isinstance(event, Result | Error):
            self.stage, self._deadline = "exit", self._time.now() + EXIT_BUDGET

    @property
    def left(self) -> float:
        return self._deadline - self._time.now()


def _follow(child: Child, ctx: JobContext, teller: _Teller) -> Exited | TimedOut:
    """Tells every event of the child. Raises `Cancelled`."""
    clock = _Clock()
    for line in child.lines(ctx, idle=TICK):
        if isinstance(line, Line):
            event = parse_line(line.text, line.stream)
            clock.see(event)
            teller.tell(event)
        if clock.left < 0:
            return TimedOut(stage=clock.stage)
    # an ended pipe is no ended process
    if not ctx.wait_until(lambda: child.exit_code is not None, max(1.0, clock.left)):
        return TimedOut(stage=clock.stage)
    return Exited(code=child.exit_code or 0)
