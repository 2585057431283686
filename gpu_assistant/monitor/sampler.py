"""Samples outside of whoever looks: a child process asks the drivers, so that a hung driver hangs only the child."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence

import msgspec

from gpu_assistant.base.child import Child, ChildError
from gpu_assistant.base.job import Cancelled, JobContext
from gpu_assistant.base.model import from_json
from gpu_assistant.base.self_command import self_command
from gpu_assistant.monitor.model import Sample, Trouble
from gpu_assistant.monitor.sampling_child import MODULE

_log = logging.getLogger(__name__)

_HANGING = 3.0  # seconds that the child waits for the driver until it says that nothing answers
_SILENT = 5.0  # seconds without a line until we say that nothing answers
_GIVE_UP = 15.0  # seconds of silence, or of a hanging driver, until the child is replaced
_SLOWEST_RESTART = 30.0


class Sampler:
    """Sends samples until it is stopped; replaces its child when that falls silent, hangs or dies.

    `on_sample` is called on the sampler's own thread, once per `interval` seconds, also while nothing answers
    (then with `trouble`). Every method but `stop` returns at once; all may be called from any thread.
    """

    def __init__(
        self,
        on_sample: Callable[[Sample], None],
        *,
        interval: float = 1.0,
        command: Sequence[str] | None = None,
        patience: float = 1.0,
    ) -> None:
        """`command` replaces the sampling child and `patience` scales every time limit, for tests."""
        self._on_sample = on_sample
        self._interval = interval
        self._command = tuple(command) if command is not None else None
        self._patience = patience
        self._changed = threading.Condition()
        self._running = False
        self._paused = False
        self._turn = JobContext()  # cancelled when the child in use shall end
        self._thread: threading.Thread | None = None

    @property
    def interval(self) -> float:
        """Seconds between samples."""
        return self._interval

    @property
    def paused(self) -> bool:
        """Whether `pause` was called last."""
        return self._paused

    def start(self) -> None:
        """Begins to sample."""
        with self._changed:
            if self._running:
                return
            self._running = True
        self._thread = threading.Thread(target=self._run, daemon=True, name="sampler")
        self._thread.start()

    def stop(self, timeout: float = 5.0) -> None:
        """Ends the child and the thread; no sample comes afterwards."""
        self._change(running=False)
        thread, self._thread = self._thread, None
        if thread is not None and thread is not threading.current_thread():
            thread.join(timeout)

    def pause(self) -> None:
        """Lets go of the driver, so that a laptop's card may fall asleep; nothing is sampled until `resume`."""
        self._change(paused=True)

    def resume(self) -> None:
        """Samples again after `pause`; the pause is a gap."""
        self._change(paused=False)

    def set_interval(self, seconds: float) -> None:
        """Another rate from now on."""
        if seconds != self._interval:
            self._interval = seconds
            self._change()

    def restart(self) -> None:
        """Begins with a fresh child now."""
        self._change()

    def _change(self, *, running: bool | None = None, paused: bool | None = None) -> None:
        with self._changed:
            if running is not None:
                self._running = running
            if paused is not None:
                if paused == self._paused:
                    return
                self._paused = paused
            self._turn.cancel()
            self._changed.notify_all()

    def _run(self) -> None:
        failures = 0
        fresh = True  # the first sample after a pause, a restart or a silence follows a gap
        while True:
            with self._changed:
                self._changed.wait_for(lambda: not self._paused or not self._running)
                if not self._running:
                    return
                turn = self._turn = JobContext()
            try:
                worked = self._follow_child(turn, fresh=fresh)
                failures = 0 if worked else failures + 1
                self._pause_before_restart(turn, failures)
            except Cancelled:
                failures = 0
            fresh = True

    def _follow_child(self, turn: JobContext, *, fresh: bool) -> bool:
        """Hands on what a child sends until it ends or has to be replaced; True if it ever answered."""
        watch = _Watch(self._patience)
        command = self._command or self_command(
            MODULE, "--interval", str(self._interval), "--patience", str(_HANGING * self._patience)
        )
        last_words = ""
        try:
            with Child(command, keep_stdin=True) as child:
                for line in child.lines(turn, poll=min(0.5, self._interval), idle=self._interval):
                    if line is not None and line.stream == "err":
                        last_words = line.text
                        continue
                    sample = _sample(line.text) if line is not None else None
                    if sample is not None:
                        self._on_sample(msgspec.structs.replace(sample, after_gap=True) if fresh else sample)
                        fresh = False
                    elif line is None and watch.silent:
                        self._say("not_responding")
                    watch.saw(sample)
                    if watch.hopeless:
                        _log.info("the sampling process is replaced: nothing answers")
                        break
        except ChildError as error:
            _log.info("the sampling process cannot be started: %s", error)
        if last_words:
            _log.info("the sampling process ended: %s", last_words)
        return watch.answered

    def _pause_before_restart(self, turn: JobContext, failures: int) -> None:
        end = time.monotonic() + min(2.0**failures, _SLOWEST_RESTART) * self._patience
        while (left := end - time.monotonic()) > 0:
            if failures:
                self._say("sampler_broken")
            turn.wait(min(left, self._interval))

    def _say(self, trouble: Trouble) -> None:
        self._on_sample(Sample(time=time.time(), trouble=trouble))


class _Watch:
    """When the child's silence, or its driver's, has lasted too long."""

    def __init__(self, patience: float) -> None:
        self.answered = False
        self._patience = patience
        self._heard = self._hung_since = time.monotonic()

    def saw(self, sample: Sample | None) -> None:
        """Takes what came: a sample, or nothing."""
        if sample is None:
            return
        self.answered = True
        self._heard = time.monotonic()
        if sample.trouble != "not_responding":
            self._hung_since = self._heard

    @property
    def silent(self) -> bool:
        return time.monotonic() - self._heard > _SILENT * self._patience

    @property
    def hopeless(self) -> bool:
        now = time.monotonic()
        return now - min(self._heard, self._hung_since) > _GIVE_UP * self._patience


def _sample(text: str) -> Sample | None:
    try:
        return from_json(text, Sample)
    except msgspec.DecodeError:
        return None
