"""The layers of a chart, from the back to the front."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QFontMetricsF, QPainter, QPen

from gpu_assistant.gui import theme
from gpu_assistant.gui.language import language
from gpu_assistant.gui.monitor.marks import mark_words, tone_of
from gpu_assistant.gui.monitor.plot import Scale, draw_series
from gpu_assistant.gui.monitor.summary import value_text
from gpu_assistant.gui.monitor.ticks import time_label, time_ticks, value_ticks, wall_clock
from gpu_assistant.gui.monitor.time_view import Span, TimeView
from gpu_assistant.gui.monitor.tracks import Track, pen
from gpu_assistant.monitor.decimation import Series
from gpu_assistant.monitor.metrics import Metric
from gpu_assistant.monitor.model import Mark

SMALL = 0.85
TICK_WIDTH, TICK_HEIGHT = 84, 30  # pixels that a label of an axis needs
DENSE = 700  # points of a curve from which on dashes would be noise, and cost ten times as much
SAMPLE = 22  # length of a line sample in the header and the read-out
_RIGHT_MIDDLE = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_LEFT_MIDDLE = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


class Look(NamedTuple):
    """What every layer needs to know."""

    size: QSize
    font: QFont
    metric: Metric
    tracks: tuple[Track, ...]
    focused: bool = False

    @property
    def small(self) -> QFont:
        """The font of axes and labels."""
        return theme.sized(self.font, SMALL)


def paint_axes(painter: QPainter, look: Look, scale: Scale, *, relative: bool) -> None:
    """Grid lines and their labels."""
    colours, area = theme.colours(), scale.area
    grid, words = QPen(QColor(colours.border), 0), QPen(QColor(colours.muted))
    painter.setFont(look.small)
    most = max(1, int(area.height() / TICK_HEIGHT))
    for tick in value_ticks(scale.low, scale.high, most, look.metric, language()):
        y = round(scale.y(tick.value)) + 0.5
        painter.setPen(grid)
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y))
        painter.setPen(words)
        painter.drawText(QRectF(0, y - 9, area.left() - 6, 18), _RIGHT_MIDDLE, tick.label)
    below = QFontMetricsF(look.small)
    for tick in time_ticks(scale.start, scale.end, max(1, int(area.width() / TICK_WIDTH)), relative=relative):
        x = round(scale.x(tick.value)) + 0.5
        painter.setPen(grid)
        painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()))
        half = below.horizontalAdvance(tick.label) / 2
        if x - half < area.left() - 30 or x + half > look.size.width():
            continue
        painter.setPen(words)
        place = QRectF(x - half - 2, area.bottom() + 2, 2 * half + 4, below.height())
        painter.drawText(place, Qt.AlignmentFlag.AlignCenter, tick.label)


def paint_thresholds(painter: QPainter, look: Look, scale: Scale, thresholds: Sequence[tuple[str, float]]) -> None:
    """Borders as dashed lines with a name; those out of sight are left out."""
    painter.setFont(look.small)
    metrics, colour = QFontMetricsF(look.small), theme.foreground("warning")
    taken: list[QRectF] = []
    for name, value in thresholds:
        if not scale.low <= value <= scale.high:
            continue
        y = round(scale.y(value)) + 0.5
        painter.setPen(QPen(colour, 1, Qt.PenStyle.DashLine))
        painter.drawLine(QPointF(scale.area.left(), y), QPointF(scale.area.right(), y))
        text = f"{name} {value_text(look.metric, value)}"
        place = _free_place(scale.area, y, metrics.horizontalAdvance(text) + 2, taken)
        taken.append(place)
        painter.setPen(colour)
        painter.drawText(place, _LEFT_MIDDLE, text)


def _free_place(area: QRectF, y: float, width: float, taken: Sequence[QRectF]) -> QRectF:
    """Room for the label of a border: below or above its line, at the left or the right."""
    left, right = area.left() + 4, area.right() - width - 4
    places = [QRectF(x, top, width, 15) for x in (left, right) for top in (y - 16, y + 1)]
    inside = [place for place in places if place.top() >= area.top() - 1] or places
    return next((place for place in inside if not any(place.intersects(other) for other in taken)), inside[0])


def paint_lines(painter: QPainter, look: Look, scale: Scale, lines: Sequence[Series]) -> None:
    """The curves. Dashes tell cards apart only where the line is loose enough to show them."""
    painter.save()
    painter.setClipRect(scale.area.adjusted(0, -1, 0, 1))
    width = 1.4 if len(lines) == 1 and len(lines[0].times) < 2000 else 1.0
    for track, series in zip(look.tracks, lines, strict=True):
        stroke = pen(track.place, width)
        if len(series.times) > DENSE:
            stroke.setStyle(Qt.PenStyle.SolidLine)
        painter.setPen(stroke)
        draw_series(painter, scale, series)
    painter.restore()


def paint_marks(painter: QPainter, look: Look, scale: Scale, marks: Sequence[Mark]) -> None:
    """Moments worth a line; of labels that would overlap only the first is written."""
    metrics, free_from = QFontMetricsF(look.small), scale.area.left()
    painter.setFont(look.small)
    for mark in marks:
        if not scale.start <= mark.time <= scale.end:
            continue
        x = round(scale.x(mark.time)) + 0.5
        colour = theme.foreground(tone_of(mark))
        painter.setPen(QPen(colour, 1, Qt.PenStyle.DashDotLine))
        painter.drawLine(QPointF(x, scale.area.top()), QPointF(x, scale.area.bottom()))
        text = metrics.elidedText(mark_words(mark), Qt.TextElideMode.ElideRight, 170)
        wide = metrics.horizontalAdvance(text) + 8
        left = x if x + wide <= scale.area.right() else x - wide
        if left < free_from:
            continue
        free_from = left + wide
        box = QRectF(left, scale.area.bottom() - metrics.height() - 3, wide, metrics.height() + 2)
        ground = theme.background("neutral")
        ground.setAlpha(225)
        painter.fillRect(box, ground)
        painter.setPen(colour)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)


def paint_pointed(painter: QPainter, look: Look, scale: Scale, span: Span | None) -> None:
    """The stretch that a hint is about, behind everything; hatched, so that colour does not say it alone."""
    if span is None or not any((track.owner, look.metric.id) in span.series for track in look.tracks):
        return
    left = max(scale.x(span.start), scale.area.left())
    right = min(scale.x(span.end), scale.area.right())
    if right <= left:
        return
    place = QRectF(left, scale.area.top(), max(right - left, 2), scale.area.height())
    painter.fillRect(place, theme.background("warning"))
    hatch = theme.foreground("warning")
    hatch.setAlpha(60)
    painter.fillRect(place, QBrush(hatch, Qt.BrushStyle.BDiagPattern))


def paint_header(painter: QPainter, look: Look, values: Sequence[float | None], visible: str) -> None:
    """Name at the left, values now (or at the cursor) at the right, the range between them where it fits."""
    colours = theme.colours()
    bold = theme.sized(look.font, 1.0, bold=True)
    title = look.metric.title(language())
    line = QRectF(8, 2, look.size.width() - 16, 20)
    if look.focused:
        painter.setPen(QPen(QColor(colours.accent), 1))
        painter.drawRect(QRectF(0.5, 0.5, look.size.width() - 1, look.size.height() - 1))
    painter.setFont(bold)
    metrics = QFontMetricsF(bold)
    left = line.left() + metrics.horizontalAdvance(title) + 14
    painter.setPen(QColor(colours.text))
    painter.drawText(line, _LEFT_MIDDLE, metrics.elidedText(title, Qt.TextElideMode.ElideRight, line.width() * 0.6))
    right = line.right()
    texts = [value_text(look.metric, value) for value in values]
    sample = SAMPLE + 12 if len(look.tracks) > 1 else 4
    needed = sum(metrics.horizontalAdvance(text) + sample for text in texts)
    several = list(zip(look.tracks, texts, strict=False)) if needed < right - left else []  # all of them or none
    for track, text in reversed(several):
        width = metrics.horizontalAdvance(text)
        painter.setFont(bold)
        painter.setPen(QColor(colours.text))
        painter.drawText(QRectF(right - width - 1, line.top(), width + 1, line.height()), _RIGHT_MIDDLE, text)
        right -= width + 4
        if len(look.tracks) > 1:
            _sample(painter, track.place, right - SAMPLE, line.center().y())
            right -= SAMPLE + 8
    small = QFontMetricsF(look.small)
    if visible and small.horizontalAdvance(visible) + left + 10 < right:
        painter.setFont(look.small)
        painter.setPen(QColor(colours.muted))
        painter.drawText(QRectF(left, line.top(), right - left - 8, line.height()), _LEFT_MIDDLE, visible)


def paint_cursor(
    painter: QPainter, look: Look, scale: Scale, view: TimeView, values: Sequence[float | None], hovered: bool
) -> None:
    """The time cursor, a dot on each curve, and in the chart under the mouse a box with names."""
    if view.cursor is None or not scale.start <= view.cursor <= scale.end:
        return
    colours = theme.colours()
    x = round(scale.x(view.cursor)) + 0.5
    painter.setPen(QPen(QColor(colours.muted), 1))
    painter.drawLine(QPointF(x, scale.area.top()), QPointF(x, scale.area.bottom()))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for track, value in zip(look.tracks, values, strict=True):
        if value is not None:
            painter.setPen(QPen(QColor(colours.base), 1))
            painter.setBrush(pen(track.place).color())
            painter.drawEllipse(QPointF(x, scale.y(value)), 3.5, 3.5)
    if hovered or look.focused:
        _read_out(painter, look, scale, x, _moment(view), values)


def _moment(view: TimeView) -> str:
    cursor = view.cursor or 0.0
    if view.relative:
        return time_label(cursor, 1, relative=True)
    shape = "%H:%M:%S" if view.span < 43200 else "%d.%m %H:%M:%S"
    return wall_clock(cursor, shape)


def _read_out(
    painter: QPainter, look: Look, scale: Scale, x: float, moment: str, values: Sequence[float | None]
) -> None:
    colours, metrics = theme.colours(), QFontMetricsF(look.small)
    lines = [
        f"{track.name}  {value_text(look.metric, value)}" for track, value in zip(look.tracks, values, strict=True)
    ]
    high = metrics.height() + 2
    wide = max(metrics.horizontalAdvance(text) for text in (moment, *lines)) + SAMPLE + 22
    left = x + 10 if x + 10 + wide <= scale.area.right() else x - 10 - wide
    tall = high * (len(lines) + 1) + 8
    top = max(2.0, min(scale.area.top() + 4, look.size.height() - tall - 2))
    box = QRectF(left, top, wide, tall)
    ground = QColor(colours.base)
    ground.setAlpha(240)
    painter.setPen(QPen(QColor(colours.border), 1))
    painter.setBrush(ground)
    painter.drawRoundedRect(box, 4, 4)
    painter.setFont(look.small)
    painter.setPen(QColor(colours.muted))
    painter.drawText(QRectF(left + 8, top + 4, wide - 12, high), _LEFT_MIDDLE, moment)
    for number, (track, text) in enumerate(zip(look.tracks, lines, strict=True), 1):
        line = QRectF(left + SAMPLE + 14, top + 4 + number * high, wide - SAMPLE - 16, high)
        _sample(painter, track.place, left + 8, line.center().y())
        painter.setPen(QColor(colours.text))
        painter.drawText(line, _LEFT_MIDDLE, text)


def _sample(painter: QPainter, place: int, left: float, y: float) -> None:
    painter.setPen(pen(place, 2))
    painter.drawLine(QPointF(left, round(y) + 0.5), QPointF(left + SAMPLE, round(y) + 0.5))
