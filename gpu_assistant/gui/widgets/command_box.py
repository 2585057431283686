"""Commands to read, choose the tool and shell of, and copy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QComboBox, QPlainTextEdit, QSizePolicy

from gpu_assistant.gui.widgets.base import Worded, column, fixed_font, row
from gpu_assistant.gui.widgets.boxes import button, name_button
from gpu_assistant.select.plan import ShellText

SHELLS = {"cmd": "cmd", "powershell": "PowerShell", "bash": "bash"}
MAX_LINES = 7
COPIED_MS = 1500


class CommandBox(Worded):
    """The commands of one tool in one shell; two lists choose which."""

    copied = Signal()

    def __init__(self, shell: str) -> None:
        super().__init__()
        self._commands: dict[str, Sequence[ShellText]] = {}
        self.tool = QComboBox()
        self.shell = QComboBox()
        for key, title in SHELLS.items():
            self.shell.addItem(title, key)
        self.shell.setCurrentIndex(self.shell.findData(shell))
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setFont(fixed_font(self))
        self.text.setTabChangesFocus(True)
        self.text.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.copy_button = button("copy")
        self.copy_button.clicked.connect(self._copy)
        self.tool.currentIndexChanged.connect(self._draw)
        self.shell.currentIndexChanged.connect(self._draw)
        self.setLayout(column(row(self.tool, self.shell, 1, self.copy_button), self.text))
        self.retranslate()

    def retranslate(self) -> None:
        self.tool.setAccessibleName(self.tr("Install tool"))
        self.shell.setAccessibleName(self.tr("Command shell"))
        self.text.setAccessibleName(self.tr("Commands"))
        name_button(self.copy_button, self.tr("&Copy"), self.tr("Copy these commands"))

    def show_commands(self, commands: Mapping[str, Sequence[ShellText]]) -> None:
        """Shows these commands by tool; keeps the chosen tool."""
        if dict(commands) == self._commands:
            return
        self._commands = dict(commands)
        chosen = self.tool.currentData()
        self.tool.blockSignals(True)
        self.tool.clear()
        for name in commands:
            self.tool.addItem(name, name)
        self.tool.setCurrentIndex(max(0, self.tool.findData(chosen)))
        self.tool.blockSignals(False)
        self._draw()

    def _draw(self) -> None:
        shell = self.shell.currentData()
        lines = [getattr(text, shell) for text in self._commands.get(self.tool.currentData(), ())]
        self.text.setPlainText("\n".join(lines))
        count = min(MAX_LINES, max(2, self.text.document().blockCount() + 1))
        self.text.setFixedHeight(self.text.fontMetrics().lineSpacing() * count + 16)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.text.toPlainText())
        self.copy_button.show_icon("check")
        QTimer.singleShot(COPIED_MS, self.copy_button, lambda: self.copy_button.show_icon("copy"))
        self.copied.emit()
