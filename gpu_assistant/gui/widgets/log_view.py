"""A log that takes 20,000 lines without holding up the window."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from PySide6.QtCore import QTimer
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QPlainTextEdit

from gpu_assistant.gui.widgets.base import fixed_font

MAX_LINES = 5000  # older lines stand in the log file
SLICE = 250  # lines a turn: about 3 ms
TURN_MS = 15


class LogView(QPlainTextEdit):
    """Shows the last `MAX_LINES` lines and follows the end unless the reader scrolled up."""

    def __init__(self) -> None:
        super().__init__()
        self.setReadOnly(True)
        self.setUndoRedoEnabled(False)
        self.setMaximumBlockCount(MAX_LINES)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setFont(fixed_font(self, 0.95))
        self.setTabChangesFocus(True)
        self._waiting: deque[str] = deque(maxlen=MAX_LINES)
        self._timer = QTimer(self)
        self._timer.setInterval(TURN_MS)
        self._timer.timeout.connect(self._write)

    def add_lines(self, lines: Iterable[str]) -> None:
        """Adds lines; they appear within some turns of the event loop."""
        self._waiting.extend(lines)
        if self._waiting and not self._timer.isActive():
            self._timer.start()

    def clear_lines(self) -> None:
        """Empties the log."""
        self._waiting.clear()
        self.clear()

    def _write(self) -> None:
        lines = [self._waiting.popleft() for _ in range(min(SLICE, len(self._waiting)))]
        if not self._waiting:
            self._timer.stop()
        bar = self.verticalScrollBar()
        follows = bar.value() >= bar.maximum() - 2
        cursor = QTextCursor(self.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        cursor.insertText(("" if self.document().isEmpty() else "\n") + "\n".join(lines))
        if follows:
            bar.setValue(bar.maximum())
