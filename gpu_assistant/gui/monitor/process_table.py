"""The programs on the cards: who holds how much memory, and a way to end one."""

from __future__ import annotations

import time
from collections.abc import Collection
from typing import NamedTuple

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, QSortFilterProxyModel, Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView

from gpu_assistant.gui import theme
from gpu_assistant.gui.language import format_bytes, format_duration, format_number
from gpu_assistant.gui.monitor.tracks import card_name
from gpu_assistant.gui.theme import SPACE
from gpu_assistant.gui.widgets.base import Label, Worded, column, row
from gpu_assistant.gui.widgets.boxes import button, name_button
from gpu_assistant.monitor.model import ProcessSample, Sample

NAME, CARD, MEMORY, SHARE, LOAD, USER, SINCE, COMMAND = range(8)
SORT = Qt.ItemDataRole.UserRole
Index = QModelIndex | QPersistentModelIndex


class ProcessRow(NamedTuple):
    """One process on one card."""

    process: ProcessSample
    card: str
    share: float | None  # of the card's memory, in percent
    ours: bool


class _Model(QAbstractTableModel):
    """Rows keep their place while a process lives, so that the selection does not jump."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[ProcessRow] = []
        self.now = 0.0

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 8

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if role != Qt.ItemDataRole.DisplayRole or orientation != Qt.Orientation.Horizontal:
            return None
        return (
            self.tr("Program"),
            self.tr("Card"),
            self.tr("Video memory"),
            self.tr("Part of the card"),
            self.tr("Load"),
            self.tr("User"),
            self.tr("Running for"),
            self.tr("Command"),
        )[section]

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        line, column = self.rows[index.row()], index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(line, column)
        if role == SORT:
            return self._key(line, column)
        if role == Qt.ItemDataRole.ToolTipRole and column == COMMAND:
            return line.process.command
        if role == Qt.ItemDataRole.TextAlignmentRole and column in (MEMORY, SHARE, LOAD):
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        if role == Qt.ItemDataRole.ForegroundRole and line.ours and column == NAME:
            return theme.foreground("accent")
        return None

    def show_rows(self, rows: list[ProcessRow], now: float) -> None:
        """Changes what changed."""
        self.now = now
        if [_identity(row) for row in rows] != [_identity(row) for row in self.rows]:
            self.beginResetModel()
            self.rows = rows
            self.endResetModel()
        elif rows:
            self.rows = rows
            self.dataChanged.emit(self.index(0, 0), self.index(len(rows) - 1, self.columnCount() - 1))

    def _text(self, line: ProcessRow, column: int) -> str:
        process, unknown = line.process, "–"
        match column:
            case 0:
                name = f"{process.name or unknown} ({process.pid})"
                return self.tr("{name}, your training").format(name=name) if line.ours else name
            case 1:
                return line.card
            case 2:
                return self._memory(process)
            case 3:
                return unknown if line.share is None else f"{format_number(line.share)} %"
            case 4:
                return unknown if process.gpu_percent is None else f"{format_number(process.gpu_percent)} %"
            case 5:
                return process.user or unknown
            case 6:
                return unknown if process.started is None else format_duration(max(self.now - process.started, 0))
        return process.command or unknown

    def _memory(self, process: ProcessSample) -> str:
        if process.vram_bytes is None:
            return self.tr("not told")
        text = format_bytes(process.vram_bytes)
        if not process.shared_bytes:
            return text
        return self.tr("{size} + {shared} in ordinary memory").format(
            size=text, shared=format_bytes(process.shared_bytes)
        )

    def _key(self, line: ProcessRow, column: int) -> object:
        process = line.process
        keys = {
            MEMORY: process.vram_bytes or -1,
            SHARE: line.share or -1.0,
            LOAD: process.gpu_percent or -1.0,
            SINCE: -(process.started or 0.0),
        }
        return keys.get(column, self._text(line, column).lower())


def _identity(row: ProcessRow) -> tuple[int, float | None, str]:
    return row.process.pid, row.process.started, row.card


class ProcessTable(Worded):
    """The table with its button."""

    end_wanted = Signal(object)  # ProcessSample

    def __init__(self) -> None:
        super().__init__()
        self._model = _Model()
        self._sorted = QSortFilterProxyModel()
        self._sorted.setSourceModel(self._model)
        self._sorted.setSortRole(SORT)
        self.table = QTableView()
        self.table.setModel(self._sorted)
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.table.setSortingEnabled(True)
        self.table.sortByColumn(MEMORY, Qt.SortOrder.DescendingOrder)
        self.table.setShowGrid(False)
        self.table.setAlternatingRowColors(True)
        self.table.setWordWrap(False)
        self.table.setTabKeyNavigation(False)
        self.table.verticalHeader().hide()
        head = self.table.horizontalHeader()
        head.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        head.setStretchLastSection(True)
        head.setHighlightSections(False)
        for column_, width in enumerate((230, 100, 110, 100, 70, 100, 90)):
            self.table.setColumnWidth(column_, width)
        self._title = Label(bold=True)
        self._empty = Label(tone="muted")
        self.end_button = button("stop")
        self.end_button.clicked.connect(self._end)
        self.table.selectionModel().selectionChanged.connect(self._enable)
        self._sorted.modelReset.connect(self._enable)
        whole = column(row(self._title, 1, self.end_button), self._empty, self.table, spacing=SPACE // 2)
        whole.setAlignment(self._empty, Qt.AlignmentFlag.AlignTop)
        self.setLayout(whole)
        self.retranslate()
        self._enable()

    def retranslate(self) -> None:
        self._title.setText(self.tr("Programs on the card"))
        self._empty.setText(self.tr("No program computes on the card now."))
        name_button(
            self.end_button, self.tr("&End program…"), self.tr("Ends the chosen program after asking you once more")
        )
        self.table.setAccessibleName(self.tr("Programs on the card"))
        self._model.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, 7)
        self._draw_empty()

    def show_sample(self, sample: Sample | None, ours: Collection[int]) -> None:
        """The processes of the newest sample; those of `ours` are marked."""
        rows = []
        for gpu in sample.gpus if sample is not None else ():
            total = gpu.values.get("vram_total")
            name = card_name(gpu.name, gpu.index, alone=sample is not None and len(sample.gpus) == 1)
            for process in gpu.processes:
                known = process.vram_bytes is not None and total
                share = process.vram_bytes / total * 100 if known else None  # type: ignore[operator]
                rows.append(ProcessRow(process, name, share, process.pid in ours))
        rows.sort(key=_identity_key)
        self._model.show_rows(rows, sample.time if sample is not None else time.time())
        self._draw_empty()

    @property
    def rows(self) -> list[ProcessRow]:
        """What is shown, in no special order."""
        return list(self._model.rows)

    def chosen(self) -> ProcessSample | None:
        """The selected process."""
        for index in self.table.selectionModel().selectedRows():
            return self._model.rows[self._sorted.mapToSource(index).row()].process
        return None

    def _draw_empty(self) -> None:
        self._empty.setVisible(not self._model.rows)
        self.table.setVisible(bool(self._model.rows))

    def _enable(self) -> None:
        process = self.chosen()
        self.end_button.setEnabled(process is not None and process.started is not None)

    def _end(self) -> None:
        if (process := self.chosen()) is not None:
            self.end_wanted.emit(process)


def _identity_key(row: ProcessRow) -> tuple[str, int]:
    return row.card, row.process.pid
