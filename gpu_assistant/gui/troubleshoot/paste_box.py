"""Where the error goes in: pasted, dropped, or opened."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from PySide6.QtCore import QMimeData, Signal
from PySide6.QtGui import (
    QBrush,
    QDragEnterEvent,
    QDragMoveEvent,
    QDropEvent,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QTextCursor,
    QTextFormat,
)
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit

from gpu_assistant.gui import theme
from gpu_assistant.gui.troubleshoot.case import SHOWN
from gpu_assistant.gui.widgets.base import fixed_font


class PasteBox(QPlainTextEdit):
    """A text box that a file can be dropped on. A huge text is kept whole beside it and only its end is shown."""

    file_dropped = Signal(object)  # Path
    pasted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setAcceptDrops(True)
        self.setTabChangesFocus(True)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setFont(fixed_font(self, 0.95))
        self._whole: str | None = None  # set while the box shows only a part of it
        self._answered = False
        self.textChanged.connect(lambda: self.set_answered(False))

    @property
    def text(self) -> str:
        """Everything that was given."""
        return self._whole if self._whole is not None else self.toPlainText()

    @property
    def hidden_characters(self) -> int:
        """How much of the text the box does not show."""
        return len(self._whole) - SHOWN if self._whole is not None else 0

    def show_text(self, text: str) -> None:
        """Takes this text instead of what was there."""
        self._whole = text if len(text) > SHOWN else None
        self.setReadOnly(self._whole is not None)
        self.setPlainText(text[-SHOWN:])
        self.setExtraSelections([])
        self.moveCursor(QTextCursor.MoveOperation.End)

    def set_answered(self, answered: bool) -> None:
        """With its answer shown, a text is done with: the next paste takes its place instead of being mixed into it."""
        self._answered = answered

    def mark_lines(self, numbers: Collection[int]) -> None:
        """Marks lines, counted from 1, and shows the first of them; only where the whole text is shown."""
        marked = []
        for number in sorted(numbers) if self._whole is None else ():
            block = self.document().findBlockByNumber(number - 1)
            if not block.isValid():
                continue
            selection = QTextEdit.ExtraSelection()
            selection.cursor = QTextCursor(block)
            selection.format.setBackground(QBrush(theme.background("warning")))
            selection.format.setProperty(QTextFormat.Property.FullWidthSelection, True)
            marked.append(selection)
        self.setExtraSelections(marked)
        if marked:
            self.setTextCursor(marked[0].cursor)
            self.centerCursor()

    def insertFromMimeData(self, source: QMimeData) -> None:
        """A file becomes a file, a huge text is not poured into the box."""
        if (path := local_file(source)) is not None:
            self.file_dropped.emit(path)
            return
        if not source.text():
            return
        if self._answered:
            self.selectAll()  # replaced, and Ctrl+Z brings it back
        if len(source.text()) > SHOWN or self._whole is not None:
            self.show_text(source.text())
        else:
            super().insertFromMimeData(source)
        self.pasted.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self.isReadOnly() and event.matches(QKeySequence.StandardKey.Paste):
            self.paste_clipboard()  # Qt pastes nothing into a box that is only read
        else:
            super().keyPressEvent(event)

    def paste_clipboard(self) -> None:
        """Takes what the clipboard holds, wherever the focus is."""
        data: QMimeData | None = (
            QGuiApplication.clipboard().mimeData()
        )  # None: an empty clipboard, whatever the stub says
        if data is not None:
            self.insertFromMimeData(data)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        self._accept(event)

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        self._accept(event)

    def dropEvent(self, event: QDropEvent) -> None:
        if (path := local_file(event.mimeData())) is not None:
            event.acceptProposedAction()
            self.file_dropped.emit(path)
        else:
            super().dropEvent(event)

    def _accept(self, event: QDragMoveEvent) -> None:
        if local_file(event.mimeData()) is not None or event.mimeData().hasText():
            event.acceptProposedAction()


def local_file(data: QMimeData) -> Path | None:
    """The first file of what is dragged or pasted."""
    for url in data.urls():
        if url.isLocalFile() and Path(url.toLocalFile()).is_file():
            return Path(url.toLocalFile())
    return None
