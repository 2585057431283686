"""Where the time went: a bar for each kind of work, with its name and its part."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from gpu_assistant.gui import theme
from gpu_assistant.gui.theme import SPACE

Row = tuple[str, float]  # name, part (0 to 1)


class ShareBars(QWidget):
    """Painted, so that it follows every second without flicker; a screen reader gets it as one sentence."""

    def __init__(self) -> None:
        super().__init__()
        self._rows: tuple[Row, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_rows(self, rows: Sequence[Row]) -> None:
        """These parts, from top to bottom."""
        if tuple(rows) != self._rows:
            self._rows = tuple(rows)
            self.setAccessibleName("; ".join(f"{name}: {part * 100:.0f} %" for name, part in rows))
            self.updateGeometry()
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(260, len(self._rows) * self._row_height)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    @property
    def _row_height(self) -> int:
        return self.fontMetrics().height() + SPACE + SPACE // 2

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colours, height = theme.colours(), self._row_height
        for place, (name, part) in enumerate(self._rows):
            top, text = place * height, self.fontMetrics().height()
            line = QRectF(0, top, self.width(), text)
            painter.setPen(QColor(colours.text))
            painter.drawText(line, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, name)
            painter.drawText(line, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, f"{part * 100:.0f} %")
            bar = QRectF(0, top + text + 1, self.width(), 5)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(colours.border))
            painter.drawRoundedRect(bar, 2.5, 2.5)
            painter.setBrush(QColor(colours.accent))
            bar.setWidth(bar.width() * min(1.0, part))
            painter.drawRoundedRect(bar, 2.5, 2.5)
