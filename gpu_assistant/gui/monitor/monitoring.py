"""Connects the sampler with the window: samples in, one store, marks, alerts, a recording. Draws nothing."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Protocol

import psutil
from PySide6.QtCore import QObject, QTimer, Signal

from gpu_assistant.base.message import Message, message
from gpu_assistant.base.settings import Settings
from gpu_assistant.monitor.alerts import AlertState, watch
from gpu_assistant.monitor.hints import Hint, facts_about, find_hints
from gpu_assistant.monitor.marks import MarkFinder
from gpu_assistant.monitor.model import Mark, Sample
from gpu_assistant.monitor.recording import SUFFIX, Recorder
from gpu_assistant.monitor.store import DAY, SeriesStore

_log = logging.getLogger(__name__)

LINGER_MS = 120_000  # how long sampling goes on when nobody looks: people come back
HINT_EVERY = 5  # samples between two looks at what the curves mean
FAMILY_EVERY = 3  # samples between two looks at the children of the training


class AnySampler(Protocol):
    """What is needed of `monitor.sampler.Sampler`."""

    def start(self) -> None: ...
    def stop(self, timeout: float = 5.0) -> None: ...
    def pause(self) -> None: ...
    def resume(self) -> None: ...
    def set_interval(self, seconds: float) -> None: ...


MakeSampler = Callable[[Callable[[Sample], None], float], AnySampler]


def real_sampler(on_sample: Callable[[Sample], None], interval: float) -> AnySampler:
    """The one that asks this computer."""
    from gpu_assistant.monitor.sampler import Sampler

    return Sampler(on_sample, interval=interval)


class Monitoring(QObject):
    """Owns the sampler and everything it told. Signals come in the GUI thread."""

    sampled = Signal(object)  # Sample, already in the store
    hinted = Signal(tuple)  # of Hint
    alerted = Signal(object)  # Alert
    recorded = Signal(object)  # Path of the recording that was closed
    failed = Signal(object)  # Message
    _arrived = Signal(object)

    def __init__(self, settings: Settings, make: MakeSampler = real_sampler) -> None:
        super().__init__()
        self.store = SeriesStore(DAY, settings.monitor_seconds)
        self._settings = settings
        self._make = make
        self._sampler: AnySampler | None = None
        self._marks = MarkFinder()
        self._alerts = AlertState()
        self._recorder: Recorder | None = None
        self._lock = threading.Lock()  # the recorder is written by the sampler's thread
        self._training: int | None = None
        self._in_training = False
        self.own_pids: frozenset[int] = frozenset()
        self._count = 0
        self._linger = QTimer(self)
        self._linger.setSingleShot(True)
        self._linger.setInterval(LINGER_MS)
        self._linger.timeout.connect(self._rest)
        self._watched = False
        self._arrived.connect(self._take)

    def set_watched(self, watched: bool) -> None:
        """Whether somebody looks. Unwatched, sampling ends after a while, unless something else needs it."""
        self._watched = watched
        if watched:
            self._begin()
        elif self._sampler is not None:
            self._linger.start()

    def use_settings(self, settings: Settings) -> None:
        """New settings."""
        changed = settings.monitor_seconds != self._settings.monitor_seconds
        self._settings = settings
        if changed and self._sampler is not None:
            self._sampler.set_interval(settings.monitor_seconds)

    def set_training(self, pid: int | None) -> None:
        """The process whose work on the card is ours, with all its children; None: there is none."""
        self._training = pid
        self.own_pids = _family(pid)

    def add_mark(self, mark: Mark) -> None:
        """A moment worth remembering. While a training runs, sampling goes on though nobody looks."""
        self.store.add_mark(mark)
        if mark.kind == "training_started":
            self._in_training = True
            self._begin()
        elif mark.kind == "training_ended":
            self._in_training = False
            if not self._watched:
                self._linger.start()
        with self._lock:
            recorder = self._recorder
            if recorder is not None:
                self._write(lambda: recorder.mark(mark))

    def add_training(self, moment: float, values: Mapping[str, float]) -> None:
        """What a training told: metric ids of scope "training"."""
        self.store.add_training(moment, values)
        with self._lock:
            recorder = self._recorder
            if recorder is not None:
                self._write(lambda: recorder.training(moment, dict(values)))

    @property
    def recording(self) -> bool:
        """Whether samples go into a file."""
        return self._recorder is not None

    def start_recording(self, folder: Path) -> None:
        """Writes everything from now on into a new file of the folder."""
        path = folder / f"{time.strftime('%Y-%m-%d_%H-%M-%S')}{SUFFIX}"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            recorder = Recorder(path, interval=self._settings.monitor_seconds, started=time.time())
        except OSError as error:
            self.failed.emit(message("monitor-cli-file", file=str(path), detail=str(error)))
            return
        with self._lock:
            self._recorder = recorder

    def stop_recording(self) -> None:
        """Closes the file."""
        with self._lock:
            recorder, self._recorder = self._recorder, None
        if recorder is None:
            return
        try:
            recorder.close()
        except OSError as error:
            self.failed.emit(message("monitor-cli-file", file=str(recorder.path), detail=str(error)))
            return
        self.recorded.emit(recorder.path)

    def shut_down(self) -> None:
        """Ends the sampler and closes the file; nothing comes afterwards."""
        self._linger.stop()
        if self._sampler is not None:
            self._sampler.stop()
            self._sampler = None
        self.stop_recording()

    def _begin(self) -> None:
        self._linger.stop()
        if self._sampler is None:
            self._sampler = self._make(self._receive, self._settings.monitor_seconds)
            self._sampler.start()
        else:
            self._sampler.resume()

    def _rest(self) -> None:
        needed = self.recording or self._in_training or self._settings.tray
        if not self._watched and not needed and self._sampler is not None:
            self._sampler.pause()

    def _receive(self, sample: Sample) -> None:
        """On the sampler's thread."""
        with self._lock:
            recorder = self._recorder
            if recorder is not None:
                self._write(lambda: recorder.write(sample))
        self._arrived.emit(sample)

    def _write(self, write: Callable[[], None]) -> None:
        try:
            write()
        except OSError as error:
            recorder, self._recorder = self._recorder, None
            path = str(recorder.path) if recorder is not None else ""
            self.failed.emit(message("monitor-cli-file", file=path, detail=str(error)))

    def _take(self, sample: Sample) -> None:
        self.store.add(sample)
        for mark in self._marks.look(sample):
            self.add_mark(mark)
        if self._training is not None and self._count % FAMILY_EVERY == 0:
            self.own_pids = _family(self._training)
        self._alerts, alerts = watch(self._alerts, sample, self._settings, training=self._cards_in_training(sample))
        self.sampled.emit(sample)
        for alert in alerts:
            self.alerted.emit(alert)
        self._count += 1
        if self._watched and self._count % HINT_EVERY == 0:
            self.hinted.emit(self._hints(sample))

    def _cards_in_training(self, sample: Sample) -> list[str]:
        if not self._in_training:
            return []
        busy = [gpu.uuid for gpu in sample.gpus if any(one.pid in self.own_pids for one in gpu.processes)]
        # a training that is on no card at all is the one that should be
        return busy or [gpu.uuid for gpu in sample.gpus]

    def _hints(self, sample: Sample) -> tuple[Hint, ...]:
        facts = {gpu.uuid: facts_about(gpu, self.own_pids, training=self._in_training) for gpu in sample.gpus}
        return find_hints(self.store, facts)


def _family(pid: int | None) -> frozenset[int]:
    if pid is None:
        return frozenset()
    try:
        children = psutil.Process(pid).children(recursive=True)
    except psutil.Error:
        return frozenset((pid,))
    return frozenset((pid, *(child.pid for child in children)))


def cannot_read(path: Path, error: Exception) -> Message:
    """What is said of a recording that cannot be opened."""
    if isinstance(error, OSError):
        return message("monitor-cli-file", file=str(path), detail=str(error))
    return message("monitor-cli-not-a-recording", file=str(path))
