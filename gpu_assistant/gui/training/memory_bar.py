"""The parts of the memory side by side, against what the card has."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from gpu_assistant.gui import theme
from gpu_assistant.gui.monitor.tracks import colour
from gpu_assistant.gui.theme import SPACE

HEIGHT = 34


class MemoryBar(QWidget):
    """Painted; the list of parts beside it says the same in words."""

    def __init__(self) -> None:
        super().__init__()
        self._parts: tuple[int, ...] = ()
        self._room: int | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_parts(self, parts: Sequence[int], room: int | None) -> None:
        """Bytes of the parts in their order, and the card's memory."""
        self._parts, self._room = tuple(parts), room
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(320, HEIGHT + SPACE)

    def minimumSizeHint(self) -> QSize:
        return QSize(160, HEIGHT + SPACE)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        whole = max(sum(self._parts), self._room or 0, 1)
        area = QRectF(1, SPACE / 2, self.width() - 2, HEIGHT)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme.colours().border))
        if self._room is not None:
            painter.drawRoundedRect(QRectF(area.left(), area.top(), area.width() * self._room / whole, HEIGHT), 4, 4)
        left = area.left()
        for place, size in enumerate(self._parts):
            wide = area.width() * size / whole
            painter.setBrush(colour(place))
            painter.drawRect(QRectF(left, area.top() + 4, wide, HEIGHT - 8))
            left += wide
        if self._room is not None:
            border = area.left() + area.width() * self._room / whole
            painter.setPen(QPen(QColor(theme.colours().text), 2))
            painter.drawLine(int(border), 0, int(border), HEIGHT + SPACE)


class Swatch(QWidget):
    """A square in the colour of a part."""

    def __init__(self, place: int) -> None:
        super().__init__()
        self._place = place
        self.setFixedSize(12, 12)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour(self._place))
        painter.drawRoundedRect(self.rect(), 2, 2)
