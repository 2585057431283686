"""A curve of one number over the steps of a training, drawn without a chart library."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from gpu_assistant.gui import language, theme

MARGIN_LEFT, MARGIN_BOTTOM, MARGIN_TOP = 52, 22, 10


class Curve(QWidget):
    """Points (step, value) with labels at the ends of both axes; thinned so that thousands cost nothing."""

    def __init__(self) -> None:
        super().__init__()
        self._points: tuple[tuple[float, float], ...] = ()
        self._total = 1.0
        self.setMinimumSize(180, 120)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def sizeHint(self) -> QSize:
        return QSize(320, 200)

    def show_points(self, points: Sequence[tuple[float, float]], total: float) -> None:
        """Shows these points; the axis ends at `total` steps."""
        points = tuple(points)
        if points != self._points or total != self._total:
            self._points, self._total = points, max(1.0, total)
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colours = theme.colours()
        area = QRectF(self.rect()).adjusted(MARGIN_LEFT, MARGIN_TOP, -6, -MARGIN_BOTTOM)
        painter.setFont(theme.sized(self.font(), 0.88))
        painter.setPen(QPen(QColor(colours.border), 1))
        for part in (0.0, 0.5, 1.0):
            y = area.top() + part * area.height()
            painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y))
        painter.setPen(QColor(colours.muted))
        bottom = QRectF(area.left(), area.bottom() + 3, area.width(), MARGIN_BOTTOM)
        painter.drawText(bottom, Qt.AlignmentFlag.AlignLeft, "0")
        painter.drawText(bottom, Qt.AlignmentFlag.AlignRight, language.format_number(self._total))
        if len(self._points) < 2:
            return
        low, high = _range(self._points)
        for part, value in ((0.0, high), (0.5, (low + high) / 2), (1.0, low)):
            place = QRectF(0, area.top() + part * area.height() - 9, MARGIN_LEFT - 6, 18)
            flags = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(place, flags, language.format_number(value, _digits(high - low)))
        self._draw_line(painter, area, low, high)

    def _draw_line(self, painter: QPainter, area: QRectF, low: float, high: float) -> None:
        def place(step: float, value: float) -> QPointF:
            return QPointF(
                area.left() + step / self._total * area.width(),
                area.bottom() - (value - low) / (high - low) * area.height(),
            )

        points = [place(step, value) for step, value in thinned(self._points, int(area.width()))]
        line = QPainterPath(points[0])
        for point in points[1:]:
            line.lineTo(point)
        below = QPainterPath(line)
        below.lineTo(points[-1].x(), area.bottom())
        below.lineTo(points[0].x(), area.bottom())
        accent = QColor(theme.colours().accent)
        soft = QColor(accent)
        soft.setAlpha(38)
        painter.fillPath(below, soft)
        painter.setPen(QPen(accent, 1.8))
        painter.drawPath(line)
        painter.setBrush(accent)
        painter.drawEllipse(points[-1], 3, 3)


def _range(points: Sequence[tuple[float, float]]) -> tuple[float, float]:
    values = [value for _, value in points]
    low, high = min(values), max(values)
    return (low, high) if high > low else (low - 0.5, high + 0.5)


def _digits(span: float) -> int:
    return next((digits for digits, least in enumerate((50, 5, 0.5, 0.05)) if span >= least), 4)


def thinned(points: Sequence[tuple[float, float]], limit: int) -> list[tuple[float, float]]:
    """At most about `limit` of the points, evenly, with the first and the last among them."""
    if len(points) <= max(limit, 2):
        return list(points)
    stride = len(points) / max(limit, 2)
    return [*(points[int(place * stride)] for place in range(max(limit, 2))), points[-1]]
