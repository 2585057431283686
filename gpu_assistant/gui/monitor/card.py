"""A card (or the computer) at a glance: name, load, memory, heat, power, and what holds it back, in words."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from gpu_assistant.gui import icons, theme
from gpu_assistant.gui.monitor.tracks import pen
from gpu_assistant.gui.theme import SPACE, Tone

WIDE, NARROW = QSize(236, 124), QSize(138, 92)
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class Glance(NamedTuple):
    """What a card of the Monitor tab shows; every text is in the present language."""

    name: str
    load: str  # "74 %"
    memory: str  # "5.2 of 8.0 GiB"
    share: float | None  # of the memory in use, 0 to 1
    line: str = ""  # "61 °C · 115 of 160 W"
    note: str = ""  # what holds it back, or why it is silent
    tone: Tone = "neutral"  # of the note
    place: int | None = None  # the card's line in the charts

    @property
    def spoken(self) -> str:
        """All of it for screen readers."""
        return ", ".join(part for part in (self.name, self.load, self.memory, self.line, self.note) if part)


class GlanceCard(QWidget):
    """Painted, not built of labels: it changes every second and must not move the layout."""

    def __init__(self, *, narrow: bool = False) -> None:
        super().__init__()
        self._glance = Glance("", "", "", None)
        self._size = NARROW if narrow else WIDE
        self.setMinimumSize(self._size)
        self.setMaximumHeight(self._size.height())
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return self._size

    def show_glance(self, glance: Glance) -> None:
        """Shows this."""
        if glance == self._glance:
            return
        self._glance = glance
        self.setAccessibleName(glance.spoken)
        self.setToolTip(f"{glance.name}\n{glance.note}".strip())
        self.update()

    @property
    def glance(self) -> Glance:
        """What is shown."""
        return self._glance

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        glance, colours = self._glance, theme.colours()
        border = QColor(colours.border)
        if glance.tone != "neutral":
            border = theme.foreground(glance.tone)
            border.setAlpha(110)
        painter.setPen(QPen(border, 1))
        painter.setBrush(theme.background("neutral"))
        painter.drawRoundedRect(self.rect().toRectF().adjusted(0.5, 0.5, -0.5, -0.5), 8, 8)
        inside = self.rect().toRectF().adjusted(12, 8, -12, -8)
        if self._size is NARROW:
            self._paint_narrow(painter, inside)
        else:
            self._paint_wide(painter, inside)

    def _paint_wide(self, painter: QPainter, inside: QRectF) -> None:
        self._name(painter, QRectF(inside.left(), inside.top(), inside.width(), 20))
        big = theme.sized(self.font(), 2.0, bold=True)
        painter.setFont(big)
        painter.setPen(QColor(theme.colours().text))
        left = QFontMetricsF(big).horizontalAdvance("100 % ") + 2
        painter.drawText(QRectF(inside.left(), inside.top() + 23, left, 38), _LEFT, self._glance.load)
        right = QRectF(inside.left() + left, inside.top() + 24, inside.width() - left, 17)
        self._text(painter, right, self._glance.memory, "neutral", _LEFT)
        self._bar(painter, QRectF(right.left(), right.bottom() + 5, right.width(), 8))
        self._text(
            painter, QRectF(inside.left(), inside.top() + 63, inside.width(), 18), self._glance.line, "muted", _LEFT
        )
        self._note(painter, QRectF(inside.left(), inside.top() + 86, inside.width(), 20))

    def _paint_narrow(self, painter: QPainter, inside: QRectF) -> None:
        self._name(painter, QRectF(inside.left(), inside.top(), inside.width(), 18))
        bold = theme.sized(self.font(), 1.25, bold=True)
        painter.setFont(bold)
        painter.setPen(QColor(theme.colours().text))
        painter.drawText(QRectF(inside.left(), inside.top() + 19, inside.width(), 22), _LEFT, self._glance.load)
        if self._glance.place is not None:  # a card's heat; the computer tells nothing as short
            place = QRectF(inside.left() + 56, inside.top() + 20, inside.width() - 56, 20)
            self._text(painter, place, self._glance.line.split(" · ")[0], "muted", _RIGHT)
        self._bar(painter, QRectF(inside.left(), inside.top() + 44, inside.width(), 7))
        below = QRectF(inside.left(), inside.top() + 54, inside.width(), 20)
        if self._glance.note:
            self._note(painter, below)
        else:
            self._text(painter, below, self._glance.memory, "muted", _LEFT)

    def _name(self, painter: QPainter, place: QRectF) -> None:
        if self._glance.place is not None:
            painter.setPen(pen(self._glance.place, 2))
            middle = round(place.center().y()) + 0.5
            painter.drawLine(int(place.left()), int(middle), int(place.left()) + 20, int(middle))
            place = place.adjusted(26, 0, 0, 0)
        font = theme.sized(self.font(), 1.0, bold=True)
        painter.setFont(font)
        painter.setPen(QColor(theme.colours().text))
        text = QFontMetricsF(font).elidedText(self._glance.name, Qt.TextElideMode.ElideRight, place.width())
        painter.drawText(place, _LEFT, text)

    def _text(self, painter: QPainter, place: QRectF, text: str, tone: str, flags: Qt.AlignmentFlag) -> None:
        font = theme.sized(self.font(), 0.9)
        painter.setFont(font)
        painter.setPen(theme.foreground(tone))  # type: ignore[arg-type]
        painter.drawText(place, flags, QFontMetricsF(font).elidedText(text, Qt.TextElideMode.ElideRight, place.width()))

    def _note(self, painter: QPainter, place: QRectF) -> None:
        if not self._glance.note:
            return
        name = {"warning": "warning", "problem": "error", "good": "check-circle"}.get(self._glance.tone, "info")
        tone = "muted" if self._glance.tone == "neutral" else self._glance.tone
        icons.paint_icon(painter, name, QRectF(place.left(), place.top() + 2, 16, 16), theme.foreground(tone))
        self._text(painter, place.adjusted(16 + SPACE // 2, 0, 0, 0), self._glance.note, tone, _LEFT)

    def _bar(self, painter: QPainter, place: QRectF) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme.colours().border))
        painter.drawRoundedRect(place, 3, 3)
        if self._glance.share is None:
            return
        full = self._glance.share > 0.95
        painter.setBrush(theme.foreground("warning") if full else QColor(theme.colours().accent))
        width = place.width() * min(max(self._glance.share, 0.0), 1.0)
        painter.drawRoundedRect(QRectF(place.left(), place.top(), max(width, 3), place.height()), 3, 3)
