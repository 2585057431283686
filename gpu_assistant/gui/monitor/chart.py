"""One chart: a metric of one or several cards over the shared stretch of time."""

from __future__ import annotations

import html
from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPixmap, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip

from gpu_assistant.gui import theme
from gpu_assistant.gui.language import language
from gpu_assistant.gui.monitor import chart_paint
from gpu_assistant.gui.monitor.chart_paint import Look
from gpu_assistant.gui.monitor.plot import Scale
from gpu_assistant.gui.monitor.summary import SummaryWriter, merged, value_text
from gpu_assistant.gui.monitor.ticks import value_range
from gpu_assistant.gui.monitor.time_view import TimeView
from gpu_assistant.gui.monitor.tracks import Track
from gpu_assistant.gui.widgets.base import Worded
from gpu_assistant.monitor.decimation import Series
from gpu_assistant.monitor.metrics import Metric, metrics
from gpu_assistant.monitor.model import Mark
from gpu_assistant.monitor.store import Stats

HEADER, FOOTER, LEFT, RIGHT = 30, 20, 66, 10
MUCH = 8 * 3600.0  # seconds of curves from which on the charts are redrawn one after the other, not in one long stall
TURN_MS = 15
ZOOM = 1.25  # per notch of the wheel or press of a key
SPEAK_EVERY = 5  # refreshes between two texts for screen readers


class Chart(Worded):
    """Draws what its tracks hold between the view's edges. It keeps no values beyond what is visible."""

    def __init__(self, metric: Metric, view: TimeView) -> None:
        super().__init__()
        self.subject = metric  # not `metric`: that is a virtual function of every paint device
        self.stats: tuple[Stats | None, ...] = ()
        self.turn = 0  # place among the charts
        self._view = view
        self._tracks: tuple[Track, ...] = ()
        self._marks: tuple[Mark, ...] = ()
        self._lines: list[Series] = []
        self._scale: Scale | None = None
        self._picture = QPixmap()
        self._drag: QPointF | None = None
        self._drawn_end = 0.0
        self._refreshes = 0
        self._writer = SummaryWriter(self)
        self.setMinimumSize(220, 120)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.CrossCursor)
        view.changed.connect(self.refresh)
        view.cursor_moved.connect(self.update)
        self.retranslate()

    def sizeHint(self) -> QSize:
        return QSize(460, 170)

    def retranslate(self) -> None:
        how = self.tr("Ctrl and the wheel zoom, dragging moves, a double click goes back to now")
        # as rich text, because only that wraps
        self.setToolTip(f"<p>{html.escape(self.subject.explanation(language()))}</p><p>{html.escape(how)}</p>")
        self._redraw()

    def show_tracks(self, tracks: Sequence[Track], marks: Sequence[Mark] = ()) -> None:
        """Draws these tracks and marks from now on."""
        self._tracks = tuple(track for track in tracks if track.scope == self.subject.scope)
        self._marks = tuple(marks)
        self._redraw()

    def show_marks(self, marks: Sequence[Mark]) -> None:
        """Draws these marks with the next refresh."""
        if tuple(marks) != self._marks:
            self._marks = tuple(marks)
            self._redraw()

    def refresh(self) -> None:
        """Looks at the tracks again, unless the newest moment moved by less than a pixel."""
        if self._view.following and self._view.pointed is None:
            moved = abs(self._view.end - self._drawn_end)
            if self._scale is not None and moved < self._view.span / max(self._scale.area.width(), 1.0):
                same = abs(self._scale.end - self._scale.start - self._view.span) < 1e-6
                if same:
                    return
        if len(self._tracks) * self._view.span > MUCH:
            QTimer.singleShot(self.turn * TURN_MS, self, self._redraw)
        else:
            self._redraw()

    @property
    def read_out(self) -> str:
        """What the chart says at the time cursor, or now."""
        return "   ".join(value_text(self.subject, value) for value in self._values())

    @property
    def tracks(self) -> tuple[Track, ...]:
        """What is drawn."""
        return self._tracks

    # events

    def event(self, event: QEvent) -> bool:
        # over the curves the explanation would hide what the cursor reads out
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip and event.pos().y() > HEADER:
            QToolTip.hideText()
            event.ignore()
            return True
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        if self._scale is None or self._picture.size() != self.size() * self.devicePixelRatioF():
            self._look_at_tracks()
            self._paint_picture()
        painter.drawPixmap(0, 0, self._picture)
        if self._scale is not None:
            chart_paint.paint_header(painter, self._look(), self._values(), self._header_range())
            if self._view.cursor is not None:
                chart_paint.paint_cursor(
                    painter, self._look(), self._scale, self._view, self._values(), self.underMouse()
                )

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._scale = None

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.FontChange):
            self._redraw()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._scale is None:
            return
        if self._drag is not None:
            moved = self._drag.x() - event.position().x()
            self._drag = event.position()
            self._view.pan(moved / self._scale.area.width() * self._view.span)
            return
        inside = self._scale.area.left() <= event.position().x() <= self._scale.area.right()
        self._view.set_cursor(self._scale.time(event.position().x()) if inside else None)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._drag = event.position()
            self.setFocus(Qt.FocusReason.MouseFocusReason)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._drag = None

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self._view.follow()

    def leaveEvent(self, event: QEvent) -> None:
        self._view.set_cursor(None)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Ctrl and the wheel zoom, Shift and the wheel move; the wheel alone scrolls the page."""
        notches = event.angleDelta().y() / 120 or event.angleDelta().x() / 120
        modifiers = event.modifiers()
        if self._scale is None or not notches:
            event.ignore()
        elif modifiers & Qt.KeyboardModifier.ControlModifier:
            self._view.zoom(ZOOM**-notches, self._scale.time(event.position().x()))
        elif modifiers & Qt.KeyboardModifier.ShiftModifier or not event.angleDelta().y():
            self._view.pan(-0.1 * notches * self._view.span)
        else:
            event.ignore()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        view, key = self._view, event.key()
        cursor = view.end if view.cursor is None else view.cursor
        step = view.span / 100
        if key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            moved = cursor + (step if key == Qt.Key.Key_Right else -step)
            view.set_cursor(min(max(moved, view.start), view.end))
            self._speak()
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
            view.zoom(1 / ZOOM, cursor)
        elif key == Qt.Key.Key_Minus:
            view.zoom(ZOOM, cursor)
        elif key == Qt.Key.Key_PageUp:
            view.pan(-0.5 * view.span)
        elif key == Qt.Key.Key_PageDown:
            view.pan(0.5 * view.span)
        elif key == Qt.Key.Key_End:
            view.follow()
        elif key == Qt.Key.Key_Escape and view.cursor is not None:
            view.set_cursor(None)
        else:
            super().keyPressEvent(event)

    # drawing

    def _redraw(self) -> None:
        self._scale = None
        self._refreshes += 1
        if self._refreshes % SPEAK_EVERY == 1 and self.isVisible():
            self._speak()
        self.update()

    def _look(self) -> Look:
        return Look(self.size(), self.font(), self.subject, self._tracks, focused=self.hasFocus())

    def _look_at_tracks(self) -> None:
        view, metric = self._view, self.subject
        area = QRectF(LEFT, HEADER, self.width() - LEFT - RIGHT, self.height() - HEADER - FOOTER)
        if area.width() < 10 or area.height() < 10:
            return
        self._lines = [track.points(metric.id, view.start, view.end, int(area.width())) for track in self._tracks]
        self.stats = tuple(track.stats(metric.id, view.start, view.end) for track in self._tracks)
        whole = merged(self.stats)
        low, high = value_range(
            metric,
            whole.minimum if whole else None,
            whole.maximum if whole else None,
            self._border(metric.high_metric),
        )
        self._scale = Scale(area, (view.start, view.end), (low, high))
        self._drawn_end = view.end

    def _border(self, metric: str | None) -> float | None:
        if metric is None:
            return None
        found = [value for track in self._tracks if (value := track.newest(metric)) is not None]
        return max(found) if found else None

    def _thresholds(self) -> list[tuple[str, float]]:
        table = metrics()
        found: dict[tuple[str, float], None] = {}
        for id_ in self.subject.thresholds:
            for track in self._tracks:
                if (value := track.newest(id_)) is not None:
                    found[(table[id_].title(language()), value)] = None
        return list(found)

    def _paint_picture(self) -> None:
        ratio = self.devicePixelRatioF()
        self._picture = QPixmap(self.size() * ratio)
        self._picture.setDevicePixelRatio(ratio)
        self._picture.fill(theme.background("neutral"))
        if self._scale is None:
            return
        painter = QPainter(self._picture)
        look = self._look()
        chart_paint.paint_pointed(painter, look, self._scale, self._view.pointed)
        chart_paint.paint_axes(painter, look, self._scale, relative=self._view.relative)
        chart_paint.paint_thresholds(painter, look, self._scale, self._thresholds())
        chart_paint.paint_lines(painter, look, self._scale, self._lines)
        chart_paint.paint_marks(painter, look, self._scale, self._marks)
        painter.end()

    def _values(self) -> list[float | None]:
        cursor = self._view.cursor
        if cursor is not None:
            return [track.at(self.subject.id, cursor) for track in self._tracks]
        if self._view.following:
            return [track.at(self.subject.id, self._view.end) for track in self._tracks]
        return [stats.last if stats is not None else None for stats in self.stats]

    def _header_range(self) -> str:
        return self._writer.range_text(self.subject, merged(self.stats))

    def _speak(self) -> None:
        view = self._view
        scale = self._scale.high - self._scale.low if self._scale is not None else 1.0
        text = self._writer.spoken(self.subject, self._tracks, view.start, view.end, scale)
        if view.cursor is not None:
            text = f"{self.read_out}. {text}"
        if text != self.accessibleName():
            self.setAccessibleName(text)
