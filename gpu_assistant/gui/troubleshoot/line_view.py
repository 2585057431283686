"""Lines in a fixed-width font with their numbers, or a command; both to be read and copied."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPlainTextEdit, QSizePolicy

from gpu_assistant.gui.theme import SPACE
from gpu_assistant.gui.widgets.base import Worded, fixed_font, row
from gpu_assistant.gui.widgets.boxes import button, name_button
from gpu_assistant.troubleshoot.diagnosis import MarkedLine

MOST = 8  # lines until it scrolls
COPIED_MS = 1500


class FixedText(QPlainTextEdit):
    """As high as its text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.setReadOnly(True)
        self.setTabChangesFocus(True)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setFont(fixed_font(self, 0.95))
        self.setPlainText(text)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        lines = min(MOST, max(1, self.document().blockCount()))
        wide = max(self.fontMetrics().horizontalAdvance(line) for line in text.split("\n")) > 600
        bar = self.horizontalScrollBar().sizeHint().height() if wide else 0
        self.setFixedHeight(self.fontMetrics().lineSpacing() * lines + 12 + bar)


def numbered(lines: Sequence[MarkedLine]) -> str:
    """ "  812 | RuntimeError: ..." """
    width = max((len(str(line.number)) for line in lines), default=1)
    return "\n".join(f"{line.number:>{width}} │ {line.text}" for line in lines)


class CommandLine(Worded):
    """One command with a button that copies it."""

    def __init__(self, command: str) -> None:
        super().__init__()
        self.command = command
        self.text = FixedText(command)
        self.copy_button = button("copy")
        self.copy_button.clicked.connect(self._copy)
        self.setLayout(row(self.text, self.copy_button, spacing=SPACE // 2))
        self.retranslate()

    def retranslate(self) -> None:
        self.text.setAccessibleName(self.tr("Command: {text}").format(text=self.command))
        name_button(self.copy_button, self.tr("Copy"), self.tr("Copies the command"))

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.command)
        self.copy_button.show_icon("check")
        QTimer.singleShot(COPIED_MS, self.copy_button, lambda: self.copy_button.show_icon("copy"))
