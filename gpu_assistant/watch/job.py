"""Starts a program under our eyes, or looks at one that runs already."""

from __future__ import annotations

import time

import psutil

from gpu_assistant.base.child import Child, ChildError
from gpu_assistant.base.job import Cancelled, JobContext
from gpu_assistant.watch.events import Began, CancelledByUser, Ended, NotStarted, Output, WatchEvent
from gpu_assistant.watch.inside import Tail, inside_environment
from gpu_assistant.watch.run import WatchRun
from gpu_assistant.watch.spec import WatchSpec
from gpu_assistant.watch.store import RunFolder
from gpu_assistant.watch.usage import Meter

TICK = 0.2  # seconds between two looks at what is told from inside
USAGE = 0.5  # seconds between two looks from outside


class WatchJob:
    """One program from its start to its end, in the shape of `base.job`; its tree ends with the job."""

    def __init__(self, spec: WatchSpec, folder: RunFolder) -> None:
        self._spec = spec
        self._folder = folder

    def run(self, ctx: JobContext) -> WatchRun:
        """Runs to the one ending, which the result's `verdict` tells; a cancelled run is returned too."""
        teller = _Teller(ctx, self._folder)
        spec = self._spec
        teller.tell(Began(time=time.time(), spec=spec, command=spec.command))
        environment = inside_environment(self._folder.told, profile=spec.profile)
        try:
            child = Child(spec.command, environment=environment, folder=spec.home)
        except ChildError as error:
            teller.tell(NotStarted(time=time.time(), reason=str(error)))
            return teller.run
        with child:
            try:
                self._follow(child, ctx, teller)
                ending: WatchEvent = Ended(time=time.time(), code=child.wait(ctx))
            except Cancelled:
                child.end()
                ending = CancelledByUser(time=time.time())
        teller.tell(ending)
        return teller.run

    def _follow(self, child: Child, ctx: JobContext, teller: _Teller) -> None:
        tail, look = Tail(self._folder.told), _Outside(child.pid)
        looked = 0.0
        for line in child.lines(ctx, poll=TICK, idle=TICK):
            now = time.time()
            if line is not None:
                teller.tell(Output(time=now, text=line.text, stream=line.stream))
            if now - looked >= TICK:
                looked = now
                for event in tail.read():
                    teller.tell(event)
                look.tell(teller)
        for event in tail.read():
            teller.tell(event)


def command_of(pid: int) -> tuple[str, ...]:
    """What a running process was started with. Raises `psutil.NoSuchProcess`, `psutil.AccessDenied`."""
    return tuple(psutil.Process(pid).cmdline())


class AttachJob:
    """Looks at a process from outside until it ends or the job is cancelled; the process is left alone."""

    def __init__(self, pid: int, command: tuple[str, ...], folder: RunFolder) -> None:
        """`command`: see `command_of`."""
        self._pid = pid
        self._folder = folder
        self._command = command

    def run(self, ctx: JobContext) -> WatchRun:
        """Returns when the process has ended, or when it is let go."""
        teller = _Teller(ctx, self._folder)
        teller.tell(Began(time=time.time(), attached=self._pid, command=self._command))
        look = _Outside(self._pid)
        try:
            while look.meter is not None and look.meter.runs:
                look.tell(teller)
                ctx.wait(TICK)
            teller.tell(Ended(time=time.time(), code=None))
        except Cancelled:
            teller.tell(CancelledByUser(time=time.time()))
        return teller.run


class _Outside:
    """Tells now and then what the program uses."""

    def __init__(self, pid: int) -> None:
        try:
            self.meter: Meter | None = Meter(pid)
        except psutil.Error:
            self.meter = None
        self._asked = 0.0

    def tell(self, teller: _Teller) -> None:
        now = time.monotonic()
        if self.meter is None or now - self._asked < USAGE:
            return
        self._asked = now
        if (usage := self.meter.ask()) is not None:
            teller.tell(usage)


class _Teller:
    """Hands each event to the run, the file and the listener."""

    def __init__(self, ctx: JobContext, folder: RunFolder) -> None:
        self.run = WatchRun()
        self._ctx = ctx
        self._folder = folder

    def tell(self, event: WatchEvent) -> None:
        self.run = self.run.apply(event)
        self._folder.write(event)
        self._ctx.emit(event)
