"""A strip that stays above other windows: load, memory and heat of each card, nothing else."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from gpu_assistant.gui import theme
from gpu_assistant.gui.monitor.card import Glance
from gpu_assistant.gui.monitor.tracks import pen
from gpu_assistant.gui.widgets.base import Worded

LINE, WIDTH, PAD = 24, 300, 10


class Strip(Worded):
    """Drag it anywhere; a double click opens the window, Esc closes the strip."""

    closed = Signal()
    opened = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowFlags(Qt.WindowType.Tool | Qt.WindowType.FramelessWindowHint | Qt.WindowType.WindowStaysOnTopHint)
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        self._glances: tuple[Glance, ...] = ()
        self._grip: QPoint | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.resize(WIDTH, LINE + 8)
        self.retranslate()

    def retranslate(self) -> None:
        self.setWindowTitle(self.tr("GPU Assistant: cards"))
        self.setToolTip(self.tr("Drag to move, double-click to open the window, Esc to close"))

    def sizeHint(self) -> QSize:
        return QSize(WIDTH, max(len(self._glances), 1) * LINE + 8)

    def show_glances(self, glances: Sequence[Glance]) -> None:
        """Shows these cards."""
        if tuple(glances) == self._glances:
            return
        self._glances = tuple(glances)
        self.setAccessibleName("; ".join(glance.spoken for glance in glances))
        if self.height() != self.sizeHint().height():
            self.resize(self.sizeHint())
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        colours = theme.colours()
        painter.fillRect(self.rect(), QColor(colours.base))
        painter.setPen(QPen(QColor(colours.border), 1))
        painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
        bold = theme.sized(self.font(), 1.0, bold=True)
        for number, glance in enumerate(self._glances):
            y = 4 + number * LINE
            painter.setPen(pen(glance.place or 0, 2))
            painter.drawLine(PAD, y + LINE // 2, PAD + 16, y + LINE // 2)
            parts = [(glance.load, 46), (glance.memory, 140), (glance.line.split(" · ")[0], 56)]
            left = PAD + 24.0
            for place, (text, width) in enumerate(parts):
                painter.setFont(bold if place == 0 else self.font())
                painter.setPen(QColor(colours.problem if glance.tone == "problem" else colours.text))
                fitting = QFontMetricsF(painter.font()).elidedText(text, Qt.TextElideMode.ElideRight, width)
                painter.drawText(QRectF(left, y, width, LINE), Qt.AlignmentFlag.AlignVCenter, fitting)
                left += width + 6

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._grip = event.globalPosition().toPoint() - self.pos()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._grip is not None:
            self.move(event.globalPosition().toPoint() - self._grip)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._grip = None

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.opened.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.hide()
            self.closed.emit()
        else:
            super().keyPressEvent(event)
