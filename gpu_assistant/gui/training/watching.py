"""Runs a watched program and the sampler beside it, and brings both home to the window."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

from gpu_assistant.base.job import Failed, Job
from gpu_assistant.gui.jobs import Ending, JobRunner
from gpu_assistant.gui.monitor.monitoring import AnySampler, MakeSampler, real_sampler
from gpu_assistant.monitor.model import Sample
from gpu_assistant.watch.events import Output
from gpu_assistant.watch.job import AttachJob, WatchJob, command_of
from gpu_assistant.watch.observation import Observation
from gpu_assistant.watch.run import WatchRun
from gpu_assistant.watch.spec import WatchSpec
from gpu_assistant.watch.store import RunFolder, watched_folder

DRAW_MS = 300  # between two drawings of a run that goes on


class Watching(QObject):
    """One run at a time. Signals come in the GUI thread."""

    changed = Signal(object)  # Observation
    printed = Signal(list)  # lines of the program
    ended = Signal(object)  # Observation
    failed = Signal(object)  # exception: it could not even begin
    _sampled = Signal(object)

    def __init__(self, make_sampler: MakeSampler = real_sampler, folder: Path | None = None) -> None:
        super().__init__()
        self._make_sampler = make_sampler
        self._parent = folder
        self._runner: JobRunner | None = None
        self._sampler: AnySampler | None = None
        self._folder: RunFolder | None = None
        self.observation = Observation()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(DRAW_MS)
        self._timer.timeout.connect(lambda: self.changed.emit(self.observation))
        self._sampled.connect(self._take_sample)

    @property
    def works(self) -> bool:
        """Whether a program is watched now."""
        return self._runner is not None

    def start(self, spec: WatchSpec) -> None:
        """Starts a program. Raises `OSError` where nothing can be kept."""
        self._begin(RunFolder(self._place, Path(spec.script).stem), lambda folder: WatchJob(spec, folder))

    def attach(self, pid: int) -> None:
        """Looks at one that runs. Raises `OSError`, `psutil.Error`."""
        command = command_of(pid)
        self._begin(RunFolder(self._place, f"pid-{pid}"), lambda folder: AttachJob(pid, command, folder))

    def stop(self) -> None:
        """Ends the program, or lets go of it; `ended` follows."""
        if self._runner is not None:
            self._runner.cancel()

    def shut_down(self) -> None:
        """Nothing comes afterwards."""
        self._timer.stop()
        self._stop_sampler()

    @property
    def _place(self) -> Path:
        return self._parent or watched_folder()

    def _begin(self, folder: RunFolder, make: Callable[[RunFolder], Job[WatchRun]]) -> None:
        job = make(folder)
        self._folder = folder
        self.observation = Observation(folder)
        self._runner = JobRunner(job)
        self._runner.events.connect(self._take_events)
        self._runner.ended.connect(self._end)
        self._sampler = self._make_sampler(self._sampled.emit, 1.0)
        self._sampler.start()
        self._runner.start()

    def _take_events(self, events: list[object]) -> None:
        for event in events:
            self.observation.see(event)  # type: ignore[arg-type]
        if lines := [event.text for event in events if isinstance(event, Output)]:
            self.printed.emit(lines)
        self._draw_soon()

    def _take_sample(self, sample: Sample) -> None:
        if self._runner is not None:
            self.observation.sample(sample)
            self._draw_soon()

    def _draw_soon(self) -> None:
        if not self._timer.isActive():
            self._timer.start()

    def _end(self, ending: Ending) -> None:
        self._runner = None
        self._stop_sampler()
        self._timer.stop()
        if self._folder is not None:
            self._folder.close(self.observation.run, self.observation.seen.values())
        if isinstance(ending, Failed):
            self.failed.emit(ending.error)
        self.ended.emit(self.observation)

    def _stop_sampler(self) -> None:
        if self._sampler is not None:
            self._sampler.stop()
            self._sampler = None
