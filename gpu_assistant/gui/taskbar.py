"""What the window's button in the taskbar says: how far an install or a training is, and that it ended."""

from __future__ import annotations

import sys
from typing import Literal

from PySide6.QtWidgets import QApplication, QWidget

from gpu_assistant.base.model import Value
from gpu_assistant.session.state import SessionState

LONG_WORK = ("install", "smoke_test")


class Progress(Value, frozen=True, kw_only=True):
    """What the button shows. `moving`: something goes on, nobody knows how much is left."""

    kind: Literal["none", "moving", "part"] = "none"
    done: int = 0
    total: int = 0


def progress_of(state: SessionState) -> Progress:
    """What a session lets the button show."""
    if state.busy == "install":
        run = state.install
        total = run.total_bytes if run is not None and run.files else None
        return _part(run.done_bytes if run is not None else 0, total)
    if state.busy == "smoke_test":
        return _part(state.smoke.step, state.smoke.total) if state.smoke is not None else _part(0, None)
    return Progress()


def _part(done: int, total: int | None) -> Progress:
    return Progress(kind="part", done=min(done, total), total=total) if total else Progress(kind="moving")


class Taskbar:
    """Follows the session; calls for attention when long work ended behind other windows."""

    def __init__(self, window: QWidget) -> None:
        self._window = window
        self._shown = Progress()
        self._busy = ""

    def show_state(self, state: SessionState) -> None:
        """Brings the button up to the state."""
        ended, self._busy = self._busy in LONG_WORK and not state.busy, state.busy
        if ended:
            QApplication.alert(self._window)
        progress = progress_of(state)
        if progress != self._shown:
            self._shown = progress
            self._draw(progress)

    def _draw(self, progress: Progress) -> None:
        if sys.platform == "win32" and self._window.isVisible():
            from gpu_assistant.gui import windows_taskbar

            windows_taskbar.show(int(self._window.winId()), progress.kind, progress.done, progress.total)
