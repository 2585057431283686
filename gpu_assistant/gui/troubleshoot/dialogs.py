"""What a fix would do, shown before anything happens."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QVBoxLayout, QWidget

from gpu_assistant.gui.language import format_bytes, is_windows, say
from gpu_assistant.gui.theme import SPACE
from gpu_assistant.gui.troubleshoot.line_view import CommandLine
from gpu_assistant.gui.widgets.base import Label, row
from gpu_assistant.gui.widgets.boxes import Banner, button, name_button
from gpu_assistant.select.plan import ShellText
from gpu_assistant.troubleshoot.actions import Prepared


class FixDialog(QDialog):
    """What a fix would do, how it is undone, and the button that does it."""

    agreed = Signal(object)  # Prepared
    monitor_wanted = Signal()

    def __init__(self, prepared: Prepared, parent: QWidget | None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("What this fix does"))
        self.setMinimumWidth(620)
        self._prepared = prepared
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2 * SPACE, 2 * SPACE, 2 * SPACE, 2 * SPACE)
        layout.setSpacing(SPACE)
        if prepared.refused is not None:
            refused = Banner("warning")
            refused.show_text("warning", self.tr("The program cannot do this here"), [say(prepared.refused)])
            layout.addWidget(refused)
        else:
            layout.addWidget(Label(self.tr("What changes"), bold=True))
            layout.addWidget(Label(say(prepared.changes), selectable=True))
            layout.addWidget(Label(self.tr("How it is undone"), bold=True))
            layout.addWidget(Label(say(prepared.undo), selectable=True))
            self._add_processes(layout)
            self._add_commands(layout)
        self.do_button = button("play", primary=True)
        self.do_button.clicked.connect(self._agree)
        close = button()
        name_button(close, self.tr("&Close") if prepared.refused is not None else self.tr("&Not now"))
        close.clicked.connect(self.reject)
        self._name_button()
        layout.addStretch(1)
        layout.addLayout(row(1, close, self.do_button))

    def _name_button(self) -> None:
        prepared = self._prepared
        self.do_button.setVisible(prepared.refused is None)
        if prepared.plan is not None:
            name_button(self.do_button, self.tr("&Review the plan"), self.tr("Opens the page where you start it"))
        elif prepared.kind == "free_gpu":
            name_button(self.do_button, self.tr("Open the &Monitor"), self.tr("There you can end a program"))
        elif prepared.variables:
            name_button(self.do_button, self.tr("&Use it for the next training test"))
        else:
            name_button(self.do_button, self.tr("&Do it"))

    def _add_processes(self, layout: QVBoxLayout) -> None:
        for process in self._prepared.processes:
            size = format_bytes(process.vram_bytes) if process.vram_bytes is not None else self.tr("size not told")
            layout.addWidget(Label(f"• {process.name or '?'} ({process.pid}): {size}", selectable=True))

    def _add_commands(self, layout: QVBoxLayout) -> None:
        prepared = self._prepared
        commands = prepared.commands
        if prepared.plan is not None:
            commands = tuple(step.shell for step in prepared.plan.steps)
        if commands:
            layout.addWidget(Label(self.tr("The same by hand"), bold=True))
        for command in commands:
            layout.addWidget(CommandLine(_typed(command)))

    def _agree(self) -> None:
        self.accept()
        if self._prepared.kind == "free_gpu":
            self.monitor_wanted.emit()
        else:
            self.agreed.emit(self._prepared)


def _typed(command: ShellText) -> str:
    return command.powershell if is_windows() else command.bash
