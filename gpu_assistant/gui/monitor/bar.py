"""The tool bar of the charts: which stretch of time, which cards, which metrics, and what to do with it all."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from PySide6.QtCore import QSize, Signal, SignalInstance
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QButtonGroup, QMenu, QToolButton

from gpu_assistant.base.message import message
from gpu_assistant.gui import icons
from gpu_assistant.gui.language import language, say
from gpu_assistant.gui.theme import SPACE
from gpu_assistant.gui.widgets.base import Worded, row
from gpu_assistant.gui.widgets.boxes import Button, button, name_button
from gpu_assistant.monitor.metrics import charted, metrics

RANGES = (60, 300, 900, 3600, 6 * 3600, 24 * 3600)  # seconds


class CardChoice(NamedTuple):
    """A card in the list of those that can be shown."""

    uuid: str
    name: str
    shown: bool


class Bar(Worded):
    """Announces wishes; holds no state but what is checked."""

    span_chosen = Signal(float)
    pause_chosen = Signal(bool)
    metrics_chosen = Signal(tuple)
    cards_chosen = Signal(tuple)  # uuids
    record_chosen = Signal(bool)
    open_wanted = Signal()
    compare_wanted = Signal()
    csv_wanted = Signal()
    picture_wanted = Signal()
    folder_wanted = Signal()
    strip_chosen = Signal(bool)
    live_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._chosen: tuple[str, ...] = ()
        self._cards: tuple[CardChoice, ...] = ()
        self.ranges = QButtonGroup(self)
        self._range_buttons: list[QToolButton] = []
        for seconds in RANGES:
            one = QToolButton()
            one.setCheckable(True)
            one.setAutoRaise(True)
            self.ranges.addButton(one, seconds)
            self._range_buttons.append(one)
        self.ranges.idClicked.connect(lambda seconds: self.span_chosen.emit(float(seconds)))
        self.pause = _checkable("pause")
        self.record = _checkable("record")
        self.live = button("arrow-left")
        self.cards = button("gpu")
        self.metrics = button("chart")
        self.more = button("list")
        self.pause.toggled.connect(self._pause_toggled)
        self.record.toggled.connect(self.record_chosen)
        self.live.clicked.connect(self.live_wanted)
        self.live.hide()
        self._menus = {one: QMenu(one) for one in (self.cards, self.metrics, self.more)}
        for opener, menu in self._menus.items():
            opener.setMenu(menu)
        self._menus[self.cards].aboutToShow.connect(self._fill_cards)
        self._menus[self.metrics].aboutToShow.connect(self._fill_metrics)
        self._build_more()
        self._left = row(*self._range_buttons, self.pause, 1, spacing=SPACE // 2)
        self._right = row(1, self.live, self.cards, self.metrics, self.record, self.more, spacing=SPACE // 2)
        self._both = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._both.setContentsMargins(0, 0, 0, 0)
        self._both.setSpacing(SPACE // 2)
        self._both.addLayout(self._left)
        self._both.addLayout(self._right)
        self.retranslate()

    def retranslate(self) -> None:
        texts = (
            self.tr("1 min"),
            self.tr("5 min"),
            self.tr("15 min"),
            self.tr("1 h"),
            self.tr("6 h"),
            self.tr("24 h"),
        )
        for one, text in zip(self._range_buttons, texts, strict=True):
            name_button(one, text, self.tr("Show this much time"))
        self._name_pause()
        name_button(self.live, self.tr("&Back to now"), self.tr("Closes the recording and shows what happens now"))
        name_button(self.cards, self.tr("C&ards"), self.tr("Which cards the charts show"))
        name_button(self.metrics, self.tr("Cha&rts"), self.tr("Which charts are shown"))
        name_button(self.record, self.tr("Re&cord"), self.tr("Writes everything into a file until you click again"))
        name_button(self.more, self.tr("&More"))
        for action, text in (
            (self.open_action, self.tr("&Open a recording…")),
            (self.compare_action, self.tr("Com&pare two recordings…")),
            (self.csv_action, self.tr("Export as a &table (CSV)…")),
            (self.picture_action, self.tr("Save the charts as a p&icture…")),
            (self.folder_action, self.tr("Open the &folder with recordings")),
            (self.strip_action, self.tr("Small &window above the others")),
        ):
            action.setText(text)

    def minimumSizeHint(self) -> QSize:
        width = max(self._left.minimumSize().width(), self._right.minimumSize().width())
        return QSize(width, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """One line where it fits, else two."""
        super().resizeEvent(event)
        needed = self._left.minimumSize().width() + self._right.minimumSize().width() + SPACE
        direction = QBoxLayout.Direction
        self._both.setDirection(direction.LeftToRight if needed <= self.width() else direction.TopToBottom)

    def show_span(self, seconds: float) -> None:
        """Marks the button of that range, or none."""
        self.ranges.setExclusive(False)
        for one, length in zip(self._range_buttons, RANGES, strict=True):
            one.setChecked(abs(length - seconds) < 1)
        self.ranges.setExclusive(True)

    def show_paused(self, paused: bool) -> None:
        """The pause button without a signal."""
        self.pause.blockSignals(True)
        self.pause.setChecked(paused)
        self.pause.blockSignals(False)
        self._name_pause()

    def show_recording(self, recording: bool) -> None:
        """The record button without a signal."""
        self.record.blockSignals(True)
        self.record.setChecked(recording)
        self.record.blockSignals(False)

    def show_strip(self, shown: bool) -> None:
        """The tick of the small window without a signal."""
        self.strip_action.blockSignals(True)
        self.strip_action.setChecked(shown)
        self.strip_action.blockSignals(False)

    def show_chosen(self, chosen: tuple[str, ...]) -> None:
        """Ids of the metrics that have charts."""
        self._chosen = chosen

    def show_cards(self, cards: Sequence[CardChoice]) -> None:
        """The cards to choose from; one card needs no choice."""
        self._cards = tuple(cards)
        self.cards.setVisible(len(cards) > 1)

    def show_source(self, *, live: bool) -> None:
        """Whether the charts show now or a recording."""
        self.live.setVisible(not live)
        self.pause.setEnabled(live)

    def _pause_toggled(self, paused: bool) -> None:
        self._name_pause()
        self.pause_chosen.emit(paused)

    def _name_pause(self) -> None:
        if self.pause.isChecked():
            name_button(self.pause, self.tr("&Go on"), self.tr("The charts follow again"))
        else:
            name_button(self.pause, self.tr("&Pause"), self.tr("The charts stand still; sampling goes on"))
        self.pause.show_icon("play" if self.pause.isChecked() else "pause")

    def _fill_metrics(self) -> None:
        menu = self._menus[self.metrics]
        menu.clear()
        menu.setToolTipsVisible(True)
        group = ""
        for row_ in metrics().values():
            if row_.limit:
                continue
            if row_.group != group:
                group = row_.group
                menu.addSection(say(message(f"metric-group-{group}")))
            action = menu.addAction(row_.title(language()))
            action.setToolTip(row_.explanation(language()))
            action.setCheckable(True)
            action.setChecked(row_.id in self._chosen)
            action.toggled.connect(lambda on, id_=row_.id: self._choose_metric(id_, on))
        menu.addSeparator()
        menu.addAction(self.tr("As at the beginning")).triggered.connect(lambda: self._choose(default_metrics()))

    def _choose_metric(self, id_: str, on: bool) -> None:
        wanted = {*self._chosen, id_} if on else set(self._chosen) - {id_}
        self._choose(wanted)

    def _choose(self, wanted: Collection[str]) -> None:
        if wanted:
            self._chosen = tuple(id_ for id_ in metrics() if id_ in wanted)
            self.metrics_chosen.emit(self._chosen)

    def _fill_cards(self) -> None:
        menu = self._menus[self.cards]
        menu.clear()
        for card in self._cards:
            action = menu.addAction(card.name)
            action.setCheckable(True)
            action.setChecked(card.shown)
            action.toggled.connect(lambda on, uuid=card.uuid: self._choose_card(uuid, on))
        menu.addSeparator()
        everyone = tuple(card.uuid for card in self._cards)
        menu.addAction(self.tr("All of them")).triggered.connect(lambda: self.cards_chosen.emit(everyone))

    def _choose_card(self, uuid: str, on: bool) -> None:
        chosen = tuple(card.uuid for card in self._cards if (on if card.uuid == uuid else card.shown))
        if chosen:
            self.cards_chosen.emit(chosen)

    def _build_more(self) -> None:
        menu = self._menus[self.more]

        def add(icon: str, signal: SignalInstance | None = None) -> QAction:
            action = menu.addAction(icons.icon(icon), "") if icon else menu.addAction("")
            if signal is not None:
                action.triggered.connect(lambda _=False: signal.emit())
            return action

        self.open_action = add("folder", self.open_wanted)
        self.compare_action = add("chart", self.compare_wanted)
        self.csv_action = add("save", self.csv_wanted)
        self.picture_action = add("picture", self.picture_wanted)
        self.folder_action = add("folder", self.folder_wanted)
        menu.addSeparator()
        self.strip_action = add("")
        self.strip_action.setCheckable(True)
        self.strip_action.toggled.connect(self.strip_chosen)


def _checkable(icon: str) -> Button:
    made = button(icon)
    made.setCheckable(True)
    return made


def default_metrics() -> tuple[str, ...]:
    """Ids of the charts shown from the start."""
    return tuple(row_.id for scope in ("gpu", "host", "training") for row_ in charted(scope))
