"""What every widget with words shares: its words are set in `retranslate`, its colours follow the palette."""

from __future__ import annotations

from typing import TypeVar

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QLabel, QLayout, QSizePolicy, QVBoxLayout, QWidget

from gpu_assistant.gui import icons, theme
from gpu_assistant.gui.theme import SPACE, Tone, ToneName

BoxT = TypeVar("BoxT", bound=QBoxLayout)


class Worded(QWidget):
    """A widget with words. Subclasses set all of them in `retranslate`, which a language change calls again."""

    def retranslate(self) -> None:
        """Sets every word."""

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()


class Label(QLabel):
    """Text that wraps, can be selected, and takes its colour from its meaning."""

    def __init__(
        self,
        text: str = "",
        *,
        tone: ToneName = "neutral",
        size: float = 1.0,
        bold: bool = False,
        wrap: bool = True,
        selectable: bool = False,
    ) -> None:
        super().__init__(text)
        self._tone: ToneName = tone
        self.setWordWrap(wrap)
        self.setTextFormat(Qt.TextFormat.PlainText)
        if size != 1.0 or bold:
            self.setFont(theme.sized(self.font(), size, bold=bold))
        if selectable:
            self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        if wrap:
            policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
            policy.setHeightForWidth(True)
            self.setSizePolicy(policy)
        self._colour()

    def minimumSizeHint(self) -> QSize:
        # Qt's own is the height at the smallest width, a tower that makes every page scroll
        return QSize(1, self.fontMetrics().height()) if self.wordWrap() else super().minimumSizeHint()

    def set_tone(self, tone: ToneName) -> None:
        """Changes the meaning, and with it the colour."""
        self._tone = tone
        self._colour()

    def _colour(self) -> None:
        wanted = QColor(theme.colours().named(self._tone))
        palette = self.palette()
        if palette.color(QPalette.ColorRole.WindowText) != wanted:
            palette.setColor(QPalette.ColorRole.WindowText, wanted)
            self.setPalette(palette)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._colour()


class Symbol(QWidget):
    """An icon in the colour of its meaning, sharp at every scale. Silent for screen readers: words say the same."""

    def __init__(self, name: str, size: int = 20, tone: ToneName = "neutral") -> None:
        super().__init__()
        self._name = name
        self._tone = tone
        self.setFixedSize(size, size)

    def show_symbol(self, name: str, tone: ToneName = "neutral") -> None:
        """Changes the icon."""
        self._name, self._tone = name, tone
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        colour = QColor(theme.colours().named(self._tone))
        icons.paint_icon(painter, self._name, self.rect().toRectF(), colour)


class Card(QFrame):
    """A rounded box. Its tone colours it, its content goes into `body`."""

    def __init__(self, tone: Tone = "neutral", *, padding: int = 2 * SPACE) -> None:
        super().__init__()
        self._tone: Tone = tone
        self._marked = False
        self.body = QVBoxLayout(self)
        self.body.setContentsMargins(padding, padding, padding, padding)
        self.body.setSpacing(SPACE)

    def set_tone(self, tone: Tone) -> None:
        """Changes the meaning, and with it the colour."""
        if tone != self._tone:
            self._tone = tone
            self.update()

    def set_marked(self, marked: bool) -> None:
        """A marked card has a border in the accent colour."""
        if marked != self._marked:
            self._marked = marked
            self.update()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()

    def retranslate(self) -> None:
        """Sets every word."""

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colours = theme.colours()
        border = QColor(colours.border)
        if self._tone != "neutral":
            border = theme.foreground(self._tone)
            border.setAlpha(90)
        if self._marked:
            border = QColor(colours.accent)
        width = 2.0 if self._marked else 1.0
        painter.setPen(QPen(border, width))
        painter.setBrush(theme.background(self._tone))
        inset = width / 2
        painter.drawRoundedRect(self.rect().toRectF().adjusted(inset, inset, -inset, -inset), 8, 8)


def row(*items: QWidget | QLayout | int, spacing: int = SPACE) -> QHBoxLayout:
    """A row of widgets; a number is a stretch."""
    return _fill(QHBoxLayout(), items, spacing)


def column(*items: QWidget | QLayout | int, spacing: int = SPACE) -> QVBoxLayout:
    """A column of widgets; a number is a stretch."""
    return _fill(QVBoxLayout(), items, spacing)


def _fill(layout: BoxT, items: tuple[QWidget | QLayout | int, ...], spacing: int) -> BoxT:
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(spacing)
    for item in items:
        if isinstance(item, int):
            layout.addStretch(item)
        elif isinstance(item, QWidget):
            layout.addWidget(item)
        else:
            layout.addLayout(item)
    return layout


def clear(layout: QLayout) -> None:
    """Removes everything from a layout, for good."""
    while (item := layout.takeAt(0)) is not None:
        if (widget := item.widget()) is not None:
            widget.hide()
            widget.setParent(None)
            widget.deleteLater()
        elif (inner := item.layout()) is not None:
            clear(inner)


def fixed_font(widget: QWidget, factor: float = 1.0) -> QFont:
    """The system's fixed-width font in the widget's size."""
    from PySide6.QtGui import QFontDatabase

    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    if widget.font().pointSizeF() > 0:
        font.setPointSizeF(widget.font().pointSizeF() * factor)
    return font
