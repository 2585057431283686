"""Boxes that speak: a banner with a verdict, details that unfold, a card to choose, a list of ticks."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import (
    QButtonGroup,
    QCheckBox,
    QGridLayout,
    QPushButton,
    QRadioButton,
    QStyle,
    QStyleOptionButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from gpu_assistant.gui import icons, theme
from gpu_assistant.gui.theme import SPACE, Tone, ToneName
from gpu_assistant.gui.widgets.base import Card, Label, Symbol, clear, column, row

TONE_ICONS: dict[Tone, str] = {
    "neutral": "info",
    "good": "check-circle",
    "warning": "warning",
    "problem": "error",
    "info": "info",
}


class Banner(Card):
    """One sentence that matters, with a symbol, lines under it and room for buttons."""

    def __init__(self, tone: Tone = "info", *, big: bool = False) -> None:
        super().__init__(tone)
        self._symbol = Symbol(TONE_ICONS[tone], 28 if big else 20, tone)
        self._title = Label(size=1.25 if big else 1.0, bold=True, selectable=True)
        self._text = Label(selectable=True)
        self.buttons = row()
        self._text.hide()
        content = column(self._title, self._text, self.buttons, spacing=SPACE // 2)
        line = row(self._symbol, content, spacing=SPACE + SPACE // 2)
        line.setAlignment(self._symbol, Qt.AlignmentFlag.AlignTop)
        self.body.addLayout(line)

    def show_text(self, tone: Tone, title: str, lines: Sequence[str] = (), icon: str = "") -> None:
        """Says something."""
        self.set_tone(tone)
        self._symbol.show_symbol(icon or TONE_ICONS[tone], tone)
        self._title.setText(title)
        self._title.set_tone(tone)
        self._text.setText("\n".join(lines))
        self._text.setVisible(bool(lines))
        self.setAccessibleName(title)
        self.setAccessibleDescription("\n".join(lines))


class Details(QWidget):
    """A line that unfolds what is under it."""

    toggled = Signal(bool)

    def __init__(self) -> None:
        super().__init__()
        self.button = QToolButton()
        self.button.setAutoRaise(True)
        self.button.setCheckable(True)
        self.button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.button.setIconSize(QSize(14, 14))
        self.button.toggled.connect(self._show)
        self._inside = QWidget()
        self.body = QVBoxLayout(self._inside)
        self.body.setContentsMargins(SPACE, 0, 0, 0)
        self.body.setSpacing(SPACE)
        self._inside.hide()
        QVBoxLayout(self).setContentsMargins(0, 0, 0, 0)
        line = row(self.button, 1)
        outer = column(line, self._inside, spacing=SPACE // 2)
        self.layout().addLayout(outer)  # type: ignore[union-attr]
        self._show(False)

    def set_title(self, text: str) -> None:
        """The words of the line."""
        self.button.setText(text)
        self.button.setAccessibleName(text)

    def set_open(self, is_open: bool) -> None:
        """Unfolds or folds."""
        self.button.setChecked(is_open)

    def _show(self, is_open: bool) -> None:
        self._inside.setVisible(is_open)
        self.button.setIcon(icons.icon("chevron-down" if is_open else "chevron-right"))
        self.toggled.emit(is_open)


class RadioButton(QRadioButton):
    """Draws the ring that Fusion loses on a dark card."""

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        _outline(self, QStyle.SubElement.SE_RadioButtonIndicator, round_=True)


class CheckBox(QCheckBox):
    """Draws the frame that Fusion loses on a dark card."""

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        _outline(self, QStyle.SubElement.SE_CheckBoxIndicator, round_=False)


def _outline(widget: QRadioButton | QCheckBox, element: QStyle.SubElement, *, round_: bool) -> None:
    if not theme.is_dark() or widget.style().name() != "fusion":
        return
    option = QStyleOptionButton()
    widget.initStyleOption(option)
    area = widget.style().subElementRect(element, option, widget).toRectF().adjusted(0.5, 0.5, -0.5, -0.5)
    painter = QPainter(widget)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(QColor(theme.colours().muted), 1))
    if round_:
        painter.drawEllipse(area)
    else:
        painter.drawRoundedRect(area, 2, 2)


class ChoiceCard(Card):
    """A big radio button: a title, lines of reasons, perhaps a badge. A click anywhere chooses it."""

    chosen = Signal(str)

    def __init__(self, key: str, group: QButtonGroup) -> None:
        super().__init__(padding=SPACE + SPACE // 2)
        self.key = key
        self.radio = RadioButton()
        self.radio.setFont(theme.sized(self.radio.font(), 1.1, bold=True))
        group.addButton(self.radio)
        self._badge = Label(tone="good", bold=True, wrap=False)
        self._badge.hide()
        self._lines = Label(tone="muted")
        self.extra = column()
        self.body.setSpacing(SPACE // 2)
        self.body.addLayout(row(self.radio, 1, self._badge))
        inset = column(self._lines, self.extra, spacing=SPACE // 2)
        style = self.radio.style()
        indicator = style.pixelMetric(QStyle.PixelMetric.PM_ExclusiveIndicatorWidth, None, self.radio)
        gap = style.pixelMetric(QStyle.PixelMetric.PM_RadioButtonLabelSpacing, None, self.radio)
        inset.setContentsMargins(indicator + gap, 0, 0, 0)  # under the title's first letter
        self.body.addLayout(inset)
        self.radio.toggled.connect(self._toggled)

    def show_choice(
        self, title: str, lines: Sequence[str], badge: str = "", *, chosen: bool, enabled: bool = True
    ) -> None:
        """Sets words and state."""
        self.radio.setText(title.replace("&", "&&"))
        self.radio.setAccessibleName(", ".join(part for part in (title, badge) if part))
        self.radio.setAccessibleDescription("\n".join(lines))
        self._lines.setText("\n".join(lines))
        self._lines.setVisible(bool(lines))
        self._badge.setText(badge)
        self._badge.setVisible(bool(badge))
        self.radio.setEnabled(enabled)
        self.set_chosen(chosen)

    def set_chosen(self, chosen: bool) -> None:
        """Checks or unchecks it without a signal."""
        if chosen == self.radio.isChecked():
            return
        group = self.radio.group()
        group.setExclusive(False)
        self.radio.blockSignals(True)
        self.radio.setChecked(chosen)
        self.radio.blockSignals(False)
        group.setExclusive(True)
        self.set_marked(chosen)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if self.radio.isEnabled():
            self.radio.setFocus()
            self.radio.setChecked(True)

    def _toggled(self, checked: bool) -> None:
        self.set_marked(checked)
        if checked:
            self.chosen.emit(self.key)


class Tick:
    """One line of a `TickList`."""

    def __init__(self, icon: str, tone: ToneName, title: str, text: str = "") -> None:
        self.icon, self.tone, self.title, self.text = icon, tone, title, text

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Tick) and vars(self) == vars(other)

    __hash__ = None  # type: ignore[assignment]


class TickList(QWidget):
    """Lines with a symbol each. Rows stay when only their words change, so nothing flickers."""

    def __init__(self) -> None:
        super().__init__()
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(SPACE + 2)
        self._grid.setVerticalSpacing(SPACE // 2)
        self._grid.setColumnStretch(1, 1)
        self._rows: list[_TickRow] = []
        self._shown: list[Tick] = []

    def show_ticks(self, ticks: Sequence[Tick]) -> None:
        """Shows these lines."""
        if len(ticks) != len(self._rows):
            self._build(len(ticks))
        shown = self._shown if len(self._shown) == len(ticks) else [None] * len(ticks)
        for tick, before, line in zip(ticks, shown, self._rows, strict=True):
            if tick != before:
                line.show_tick(tick)
        self._shown = list(ticks)

    @property
    def ticks(self) -> list[Tick]:
        """What is shown now."""
        return list(self._shown)

    def _build(self, count: int) -> None:
        clear(self._grid)
        self._shown = []
        self._rows = [_TickRow(self._grid, place) for place in range(count)]


class _TickRow:
    """The widgets of one tick."""

    def __init__(self, grid: QGridLayout, place: int) -> None:
        self._symbol = Symbol("todo", 18)
        self._title = Label(selectable=True)
        self._text: Label | None = None  # most ticks have none
        self._words = column(self._title, spacing=0)
        grid.addWidget(self._symbol, place, 0, Qt.AlignmentFlag.AlignTop)
        grid.addLayout(self._words, place, 1)

    def show_tick(self, tick: Tick) -> None:
        self._symbol.show_symbol(tick.icon, tick.tone)
        self._title.setText(tick.title)
        self._title.set_tone("muted" if tick.tone == "muted" else "neutral")
        if tick.text and self._text is None:
            self._text = Label(tone="muted", selectable=True)
            self._words.addWidget(self._text)
        if self._text is not None:
            self._text.setText(tick.text)
            self._text.setVisible(bool(tick.text))


class Button(QPushButton):
    """A push button whose icon follows the colours. The primary one is the page's default, bigger, in the accent."""

    def __init__(self, icon: str = "", *, primary: bool = False) -> None:
        super().__init__()
        self._icon = icon
        self._primary = primary
        self._recoloured = ""
        if primary:
            self.setDefault(True)
            self.setFont(theme.sized(self.font(), 1.05, bold=True))
            self.setMinimumHeight(self.fontMetrics().height() * 2)
        self._colour()

    def set_primary(self, primary: bool) -> None:
        """Makes it the page's main button, or one among others."""
        if primary != self._primary:
            self._primary = primary
            self._recoloured = ""
            self._colour()
            self.update()

    def show_icon(self, icon: str) -> None:
        """Another icon."""
        self._icon = icon
        self._recoloured = ""
        self._colour()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.EnabledChange):
            self._colour()

    def _colour(self) -> None:
        colours = theme.colours()
        filled = self._primary and self.isEnabled()
        wanted = f"{colours.text}{filled}"
        if wanted == self._recoloured:
            return
        self._recoloured = wanted
        if self._icon:
            self.setIcon(icons.icon(self._icon, QColor(colours.accent_text) if filled else None))

    def paintEvent(self, event: QPaintEvent) -> None:
        # styles tint or bleach a coloured button as they like; the main one must look the same everywhere
        if not self._primary or not self.isEnabled():
            super().paintEvent(event)
            return
        colours = theme.colours()
        fill = QColor(colours.accent)
        if self.isDown():
            fill = fill.darker(118)
        elif self.underMouse():
            fill = fill.lighter(110)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(fill)
        area = self.rect().toRectF().adjusted(1, 1, -1, -1)
        painter.drawRoundedRect(area, 6, 6)
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(colours.accent_text), 1.2))
            painter.drawRoundedRect(area.adjusted(2.5, 2.5, -2.5, -2.5), 4, 4)
        option = QStyleOptionButton()
        self.initStyleOption(option)
        option.palette.setColor(QPalette.ColorRole.ButtonText, QColor(colours.accent_text))
        self.style().drawControl(QStyle.ControlElement.CE_PushButtonLabel, option, painter, self)


def button(icon: str = "", *, primary: bool = False) -> Button:
    """A push button whose words come later."""
    return Button(icon, primary=primary)


def name_button(one: QPushButton | QToolButton, text: str, description: str = "") -> None:
    """Sets a button's words, for eyes and for screen readers."""
    one.setText(text)
    one.setAccessibleName(text.replace("&", ""))
    if description:
        one.setToolTip(description)
        one.setAccessibleDescription(description)
