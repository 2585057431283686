"""Chooses among the runs that were watched before: one to open, or two to compare."""

from __future__ import annotations

from PySide6.QtCore import QDateTime, QLocale, Signal
from PySide6.QtWidgets import QAbstractItemView, QDialog, QTreeWidget, QTreeWidgetItem, QVBoxLayout, QWidget

from gpu_assistant.gui.language import format_duration
from gpu_assistant.gui.theme import SPACE
from gpu_assistant.gui.widgets.base import Label, row
from gpu_assistant.gui.widgets.boxes import button, name_button
from gpu_assistant.watch.store import SavedRun


class SavedRunsDialog(QDialog):
    """A list, newest first."""

    opened = Signal(object)  # SavedRun
    compared = Signal(object, object)  # the earlier SavedRun, the later one

    def __init__(self, runs: tuple[SavedRun, ...], parent: QWidget | None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Earlier runs"))
        self.resize(720, 420)
        self._runs = runs
        said = Label(self.tr("Open one, or hold Ctrl and choose two to compare them."), tone="muted")
        self.list = QTreeWidget()
        self.list.setHeaderLabels([self.tr("When"), self.tr("Program"), self.tr("How long"), self.tr("Steps")])
        self.list.setRootIsDecorated(False)
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.list.setAccessibleName(self.windowTitle())
        for saved in runs:
            self.list.addTopLevelItem(QTreeWidgetItem(self._words(saved)))
        for column in (0, 1):
            self.list.resizeColumnToContents(column)
        self.open_button, self.compare_button, close = button("folder", primary=True), button("chart"), button()
        name_button(self.open_button, self.tr("&Open"))
        name_button(self.compare_button, self.tr("Co&mpare"))
        name_button(close, self.tr("&Close"))
        close.clicked.connect(self.reject)
        self.open_button.clicked.connect(self._open)
        self.compare_button.clicked.connect(self._compare)
        self.list.itemSelectionChanged.connect(self._choose)
        self.list.itemDoubleClicked.connect(lambda *_: self._open())
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2 * SPACE, 2 * SPACE, 2 * SPACE, 2 * SPACE)
        layout.setSpacing(SPACE)
        for widget in (said, self.list):
            layout.addWidget(widget)
        layout.addLayout(row(1, close, self.compare_button, self.open_button))
        self._choose()

    def _words(self, saved: SavedRun) -> list[str]:
        meta = saved.meta
        when = QLocale().toString(QDateTime.fromSecsSinceEpoch(int(meta.began)), QLocale.FormatType.ShortFormat)
        name = " ".join(meta.command[2:]) or " ".join(meta.command)
        return [when, name.replace("\\", "/").rpartition("/")[2], format_duration(meta.seconds), str(meta.steps or "")]

    @property
    def _chosen(self) -> list[SavedRun]:
        return [self._runs[index.row()] for index in self.list.selectionModel().selectedRows()]

    def _choose(self) -> None:
        self.open_button.setEnabled(len(self._chosen) == 1)
        self.compare_button.setEnabled(len(self._chosen) == 2)

    def _open(self) -> None:
        if len(self._chosen) == 1:
            self.opened.emit(self._chosen[0])
            self.accept()

    def _compare(self) -> None:
        before, after = sorted(self._chosen, key=lambda saved: saved.meta.began)
        self.compared.emit(before, after)
        self.accept()
