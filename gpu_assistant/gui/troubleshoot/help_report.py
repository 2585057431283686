"""Asking people for help: everything that will be given away is shown first."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec
from msgspec.structs import replace
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QFileDialog, QPlainTextEdit, QTabWidget, QVBoxLayout, QWidget

from gpu_assistant.base.files import write_atomic
from gpu_assistant.base.job import Job, Succeeded
from gpu_assistant.gui.jobs import Ending, JobRunner
from gpu_assistant.gui.theme import SPACE
from gpu_assistant.gui.widgets.base import Label, fixed_font, row
from gpu_assistant.gui.widgets.boxes import button, name_button
from gpu_assistant.troubleshoot.bundle import Bundle, Difference, compare, pack, unpack_json

Recording = Mapping[str, bytes]


class HelpReportDialog(QDialog):
    """The report for people and for machines. Shown first; copied or saved by a click."""

    def __init__(self, bundle: Bundle, record: Job[Recording] | None, parent: QWidget | None) -> None:
        """`record` asks the computer for its raw answers; None: there is nothing to ask."""
        super().__init__(parent)
        self.setWindowTitle(self.tr("Ask for help"))
        self.resize(760, 600)
        self._bundle = bundle
        said = Label(
            self.tr(
                "Exactly this will be copied or saved. Names, folders and passwords are taken out; "
                "look through it all the same."
            ),
            tone="muted",
        )
        self.pages = QTabWidget()
        self._add_page(self.tr("For people (Markdown)"), bundle.markdown)
        self._add_page(self.tr("For programs (JSON)"), bundle.json)
        self._add_buttons(said)
        self._recorder = JobRunner(record) if record is not None else None
        if self._recorder is not None:
            waiting = self.tr("The computer's answers are being collected. This takes a few seconds…")
            self.recording = self._add_page(self.tr("The computer's answers"), waiting)
            self.save_button.setEnabled(False)
            self._recorder.ended.connect(self._recorded)
            self.finished.connect(self._recorder.cancel)
            self._recorder.start()

    def _add_buttons(self, said: QWidget) -> None:
        self.copy_button = button("copy", primary=True)
        name_button(self.copy_button, self.tr("&Copy this page"))
        self.copy_button.clicked.connect(self._copy)
        self.save_button = button("save")
        name_button(self.save_button, self.tr("&Save everything…"), self.tr("One zip file for whoever helps you"))
        self.save_button.clicked.connect(self._save)
        self.compare_button = button("clock")
        name_button(
            self.compare_button, self.tr("What has cha&nged…"), self.tr("Compares with a report that you saved earlier")
        )
        self.compare_button.clicked.connect(self._open_earlier)
        close = button()
        name_button(close, self.tr("Cl&ose"))
        close.clicked.connect(self.accept)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2 * SPACE, 2 * SPACE, 2 * SPACE, 2 * SPACE)
        layout.setSpacing(SPACE)
        layout.addWidget(said)
        layout.addWidget(self.pages)
        layout.addLayout(row(self.compare_button, 1, close, self.save_button, self.copy_button))

    def _add_page(self, title: str, text: str) -> QPlainTextEdit:
        view = QPlainTextEdit(text)
        view.setReadOnly(True)
        view.setTabChangesFocus(True)
        view.setFont(fixed_font(self, 0.95))
        view.setAccessibleName(title)
        self.pages.addTab(view, title)
        return view

    @property
    def text(self) -> str:
        """The page that is shown."""
        page = self.pages.currentWidget()
        return page.toPlainText() if isinstance(page, QPlainTextEdit) else ""

    def _recorded(self, ending: Ending) -> None:
        self.save_button.setEnabled(True)
        if isinstance(ending, Succeeded):
            self._bundle = replace(self._bundle, recording=dict(ending.result))
            self.recording.setPlainText(_shown(ending.result))
        else:
            self.recording.setPlainText(self.tr("The answers could not be collected; the report goes without them."))

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.text)
        self.copy_button.show_icon("check")

    def _save(self) -> None:
        dialog = QFileDialog(self, self.tr("Save the report"))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix("zip")
        dialog.selectFile("gpu-assistant-help.zip")
        self._ask(dialog, self.save)

    def _open_earlier(self) -> None:
        dialog = QFileDialog(self, self.tr("The report that you saved earlier"))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilter(self.tr("Reports (*.zip *.json)"))
        self._ask(dialog, self.compare_with)

    def _ask(self, dialog: QFileDialog, chosen: Callable[[Path], None]) -> None:
        dialog.fileSelected.connect(lambda name: chosen(Path(name)))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def save(self, path: Path) -> None:
        """Writes everything into one file; what goes wrong is said on the button."""
        try:
            write_atomic(path, pack(self._bundle))
        except OSError as error:
            name_button(self.save_button, self.tr("&Save everything…"), str(error))
            self.save_button.show_icon("error")
        else:
            self.save_button.show_icon("check")

    def compare_with(self, path: Path) -> None:
        """Shows on a page of its own what is different from an earlier report."""
        try:
            found = compare(unpack_json(path.read_bytes()), self._bundle.json)
        except (OSError, ValueError, msgspec.MsgspecError) as error:
            text = self.tr("{file} is no report of this program: {detail}").format(file=path.name, detail=error)
        else:
            text = "\n".join(map(self._difference, found)) or self.tr("Nothing that we know of has changed.")
        self._add_page(self.tr("What has changed"), text)
        self.pages.setCurrentIndex(self.pages.count() - 1)

    def _difference(self, one: Difference) -> str:
        nothing = self.tr("not there")
        return f"{one.key}: {one.before or nothing} → {one.after or nothing}"


def _shown(recording: Recording) -> str:
    return "\n\n".join(f"===== {name} =====\n{data.decode('utf-8', 'replace')}" for name, data in recording.items())
