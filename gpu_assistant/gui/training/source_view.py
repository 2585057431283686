"""A script with its line numbers; lines with findings are marked."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QEvent
from PySide6.QtGui import QBrush, QTextCursor, QTextFormat
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit

from gpu_assistant.check.engine import Level
from gpu_assistant.check.source import Source
from gpu_assistant.gui import theme
from gpu_assistant.gui.theme import Tone
from gpu_assistant.gui.widgets.base import fixed_font

TONES: dict[Level, Tone] = {"wrong": "problem", "slow": "warning", "chance": "info"}


class SourceView(QPlainTextEdit):
    """Read only. A notebook's lines are numbered by cell."""

    def __init__(self) -> None:
        super().__init__()
        self.setReadOnly(True)
        self.setTabChangesFocus(True)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setFont(fixed_font(self, 0.95))
        self._marks: dict[int, Level] = {}

    def show_source(self, source: Source, marks: Mapping[int, Level]) -> None:
        """The text, and the lines to mark with what is wrong there; stays where it was scrolled to."""
        text = numbered(source)
        if text != self.toPlainText():
            place = self.verticalScrollBar().value()
            self.setPlainText(text)
            self.verticalScrollBar().setValue(place)
        self._marks = dict(marks)
        self._draw_marks()

    def show_line(self, line: int) -> None:
        """Brings a line, counted from 1, into the middle."""
        block = self.document().findBlockByNumber(line - 1)
        if block.isValid():
            self.setTextCursor(QTextCursor(block))
            self.centerCursor()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._draw_marks()

    def _draw_marks(self) -> None:
        drawn = []
        for line, level in self._marks.items():
            block = self.document().findBlockByNumber(line - 1)
            if not block.isValid():
                continue
            selection = QTextEdit.ExtraSelection()
            selection.cursor = QTextCursor(block)
            selection.format.setBackground(QBrush(theme.background(TONES[level])))
            selection.format.setProperty(QTextFormat.Property.FullWidthSelection, True)
            drawn.append(selection)
        self.setExtraSelections(drawn)


def numbered(source: Source) -> str:
    """Every line behind its number; in a notebook behind "cell:line"."""
    lines = source.lines
    names = [f"{cell}:{line}" if cell is not None else str(line) for cell, line in _places(source, len(lines))]
    width = max((len(name) for name in names), default=1)
    return "\n".join(f"{name:>{width}} │ {line}" for name, line in zip(names, lines, strict=True))


def _places(source: Source, count: int) -> list[tuple[int | None, int]]:
    if not source.cells:
        return [(None, line) for line in range(1, count + 1)]
    ends = [cell.start for cell in source.cells[1:]] + [count + 1]
    return [
        (cell.number, line + 1)
        for cell, end in zip(source.cells, ends, strict=True)
        for line in range(end - cell.start)
    ]
