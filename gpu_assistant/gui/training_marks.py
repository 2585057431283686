"""Tells the Monitor what the training test does, so that its charts can be read together with the card's."""

from __future__ import annotations

import time

from PySide6.QtCore import QObject, Signal

from gpu_assistant.session.state import SessionState

METRICS = {
    "loss": "loss",
    "steps_per_second": "steps_per_second",
    "vram_allocated": "framework_vram_allocated",
    "vram_reserved": "framework_vram_reserved",
}  # of the smoke test -> of resources/metrics.toml


class TrainingMarks(QObject):
    """Watches the session for a training that begins, moves and ends."""

    process_changed = Signal(object)  # the pid of the process that trains; None: it ended
    values_wanted = Signal(float, dict)  # Unix time, metric id -> value

    def __init__(self) -> None:
        super().__init__()
        self._pid: int | None = None
        self._step = 0

    def follow(self, state: SessionState) -> None:
        """Looks at the new state."""
        run = state.smoke if state.busy == "smoke_test" else None
        pid = run.hello.pid if run is not None and run.hello is not None else None
        if pid != self._pid:
            self._pid, self._step = pid, 0
            self.process_changed.emit(pid)
        if run is None or run.step <= self._step:
            return
        self._step = run.step
        latest = {metric: run.latest(name) for name, metric in METRICS.items()}
        self.values_wanted.emit(time.time(), {metric: value for metric, value in latest.items() if value is not None})
