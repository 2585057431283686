"""Tells the Monitor what the training test does, so that its charts can be read together with the card's."""

from __future__ import annotations

import time

from PySide6.QtCore import QObject, Signal

from gpu_assistant.monitor.model import Mark
from gpu_assistant.session.state import SessionState

METRICS = {
    "loss": "loss",
    "steps_per_second": "steps_per_second",
    "vram_allocated": "framework_vram_allocated",
    "vram_reserved": "framework_vram_reserved",
}  # of the smoke test -> of resources/metrics.toml


class TrainingMarks(QObject):
    """Watches the session for a training that begins, moves and ends."""

    mark_wanted = Signal(object)  # Mark
    values_wanted = Signal(float, dict)  # Unix time, metric id -> value

    def __init__(self) -> None:
        super().__init__()
        self._runs = False
        self._step = 0

    def follow(self, state: SessionState) -> None:
        """Looks at the new state."""
        runs = state.busy == "smoke_test"
        if runs != self._runs:
            self._runs, self._step = runs, 0
            self.mark_wanted.emit(Mark(time=time.time(), kind="training_started" if runs else "training_ended"))
        run = state.smoke
        if not runs or run is None or run.step <= self._step:
            return
        self._step = run.step
        latest = {metric: run.latest(name) for name, metric in METRICS.items()}
        self.values_wanted.emit(time.time(), {metric: value for metric, value in latest.items() if value is not None})
