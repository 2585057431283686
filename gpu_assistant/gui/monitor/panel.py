"""The Monitor tab's content: cards, charts, hints, programs. It draws a store, announces wishes and samples nothing."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QSizePolicy, QSplitter, QVBoxLayout, QWidget

from gpu_assistant.base.message import message
from gpu_assistant.gui.language import say
from gpu_assistant.gui.monitor.bar import Bar, CardChoice, default_metrics
from gpu_assistant.gui.monitor.card import NARROW, WIDE, GlanceCard
from gpu_assistant.gui.monitor.charts import Charts
from gpu_assistant.gui.monitor.flow import Flow
from gpu_assistant.gui.monitor.glances import GlanceWriter
from gpu_assistant.gui.monitor.hints_panel import HintsPanel
from gpu_assistant.gui.monitor.process_table import ProcessTable
from gpu_assistant.gui.monitor.time_view import TimeView
from gpu_assistant.gui.monitor.tracks import card_name, compared_tracks, live_tracks
from gpu_assistant.gui.theme import SPACE, Tone
from gpu_assistant.gui.widgets.base import Label, Worded, column
from gpu_assistant.gui.widgets.boxes import Banner
from gpu_assistant.monitor.hints import Hint
from gpu_assistant.monitor.metrics import metrics
from gpu_assistant.monitor.model import Sample
from gpu_assistant.monitor.store import SeriesStore

MANY = 3  # cards from which on their boxes get small
LOW = 560  # pixels of height under which the whole page scrolls


class Panel(Worded):
    """Everything below the tab's title."""

    metrics_chosen = Signal(tuple)
    end_wanted = Signal(object)  # ProcessSample

    def __init__(self) -> None:
        super().__init__()
        self.view = TimeView()
        self._store = SeriesStore(2, 1)
        self._sample: Sample | None = None
        self._compared: tuple[tuple[str, SeriesStore], ...] = ()
        self._chosen: tuple[str, ...] = ()
        self._hidden: set[str] = set()  # uuids that the user took off the charts
        self._ours: Collection[int] = ()
        self._tracks_of: object = None
        self._writer = GlanceWriter(self)
        self.cards: list[GlanceCard] = []
        self.banner = Banner("info")
        self.note = Label(tone="muted", selectable=True)
        self.bar = Bar()
        self.charts = Charts(self.view)
        self.hints = HintsPanel()
        self.processes = ProcessTable()
        self._cards_box = QWidget()
        self._flow = Flow(self._cards_box, SPACE)
        self._build()
        self._wire()
        self.show_metrics(())
        self.retranslate()

    def retranslate(self) -> None:
        self.setAccessibleName(self.tr("Monitor"))
        self._tracks_of = None
        self.refresh()

    # state in

    def show_store(self, store: SeriesStore) -> None:
        """Draws this store: what happens now, or one recording."""
        self._store, self._compared = store, ()
        self._sample = store.last
        self.view.relative = False
        self._tracks_of = None
        self.refresh()

    def show_comparison(self, stores: Sequence[tuple[str, SeriesStore]]) -> None:
        """Draws several recordings over each other, each from its beginning."""
        self._compared = tuple(stores)
        self._sample = None
        self.view.relative = True
        self._tracks_of = None
        length = max((store.last_time or 0) - (store.first_time or 0) for _, store in stores)
        self.refresh()
        self.view.show_range(0.0, length)

    def show_whole(self) -> None:
        """Shows the store from its beginning to its end."""
        if self._store.first_time is not None and self._store.last_time is not None:
            self.view.show_range(self._store.first_time, self._store.last_time)

    def show_metrics(self, chosen: tuple[str, ...]) -> None:
        """Which charts; empty: those shown from the start."""
        known = tuple(id_ for id_ in chosen if id_ in metrics())
        self._chosen = known or default_metrics()
        self.bar.show_chosen(self._chosen)
        self._draw_charts()

    def show_hints(self, hints: Sequence[Hint]) -> None:
        """What the curves mean now."""
        cards = self._store.gpus()
        alone = len(cards) == 1
        names = {card.uuid: "" if alone else card_name(card.name, card.index, alone=False) for card in cards}
        self.hints.show_hints(hints, names)

    def show_ours(self, pids: Collection[int]) -> None:
        """The processes of the training we know of."""
        self._ours = pids

    def show_note(self, text: str) -> None:
        """One line about the recording, or nothing."""
        self.note.setText(text)
        self.note.setVisible(bool(text))

    def refresh(self) -> None:
        """Draws what the store holds now; call it after every sample."""
        if not self._compared:
            self._sample = self._store.last
        self._draw_trouble()
        self._draw_cards()
        self._draw_tracks()
        self.processes.show_sample(self._sample, self._ours)
        if self._store.last_time is not None and not self._compared:
            self.charts.show_marks(self._store.marks())
            self.view.advance(self._store.last_time)

    # drawing

    def _draw_trouble(self) -> None:
        sample = self._sample
        trouble = sample.trouble if sample is not None else None
        self.banner.setVisible((sample is None and not self._compared) or trouble is not None)
        if self._compared:
            return
        if sample is None:
            self.banner.show_text("info", self.tr("Asking the card for its first numbers…"), icon="clock")
        elif trouble is not None:
            lone = trouble in ("no_nvml", "no_devices") and not sample.gpus
            tone: Tone = "info" if lone else "warning" if trouble in ("not_responding", "no_permission") else "problem"
            lines = [self.tr("The computer is shown alone: processor, memory, disks, network.")] if lone else []
            if trouble in ("driver_lost", "not_responding"):
                lines = [self.tr("We keep asking. As soon as the driver answers, the curves go on by themselves.")]
            self.banner.show_text(tone, say(message(f"monitor-trouble-{trouble}")), lines)

    def _draw_cards(self) -> None:
        sample = self._sample
        if sample is None:
            self._show_glances(0, narrow=False)
            return
        gpus = sample.gpus
        places = {card.uuid: place for place, card in enumerate(self._store.gpus())}
        alone = len(gpus) == 1
        glances = [self._writer.of_gpu(gpu, places.get(gpu.uuid, 0), alone=alone) for gpu in gpus]
        glances.append(self._writer.of_host(sample))
        self._show_glances(len(glances), narrow=len(gpus) > MANY)
        for card, glance in zip(self.cards, glances, strict=True):
            card.show_glance(glance)

    def _show_glances(self, count: int, *, narrow: bool) -> None:
        size = NARROW if narrow else WIDE
        if len(self.cards) == count and all(card.sizeHint() == size for card in self.cards):
            return
        for card in self.cards:
            self._flow.remove(card)
        self.cards = [GlanceCard(narrow=narrow) for _ in range(count)]
        for card in self.cards:
            self._flow.add(card)

    def _draw_tracks(self) -> None:
        cards = self._store.gpus()
        key = (id(self._store), self._compared, cards, frozenset(self._hidden), bool(self._trained()))
        if key == self._tracks_of:
            return
        self._tracks_of = key
        computer, training = self.tr("Computer"), self.tr("Training")
        if self._compared:
            tracks = compared_tracks(self._compared, computer, training)
        else:
            shown = [card.uuid for card in cards if card.uuid not in self._hidden]
            tracks = live_tracks(self._store, computer, training, shown)
        self.charts.show_tracks(tracks)
        choices = [CardChoice(card.uuid, f"{card.index}: {card.name}", card.uuid not in self._hidden) for card in cards]
        self.bar.show_cards([] if self._compared else choices)
        self._draw_charts()

    def _draw_charts(self) -> None:
        """Charts that can have values here: none of cards without a card, none of a training without one."""
        table = metrics()
        cards = bool(self._store.gpus()) or bool(self._compared)
        possible = {"gpu": cards, "host": True, "training": bool(self._trained()) or bool(self._compared)}
        self.charts.show_metrics([table[id_] for id_ in self._chosen if possible[table[id_].scope]])

    def _trained(self) -> tuple[str, ...]:
        return self._store.metrics("training")

    def _choose_cards(self, uuids: tuple[str, ...]) -> None:
        self._hidden = {card.uuid for card in self._store.gpus()} - set(uuids)
        self._draw_tracks()

    def _choose_metrics(self, chosen: tuple[str, ...]) -> None:
        self.show_metrics(chosen)
        self.metrics_chosen.emit(chosen)

    def _pause(self, paused: bool) -> None:
        if paused:
            self.view.pause()
        else:
            self.view.follow()

    def _build(self) -> None:
        below = QSplitter(Qt.Orientation.Horizontal)
        below.addWidget(self.hints)
        below.addWidget(self.processes)
        below.setStretchFactor(0, 2)
        below.setStretchFactor(1, 3)
        below.setChildrenCollapsible(False)
        below.setMinimumHeight(150)
        for one in (self.hints, self.processes):
            one.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Expanding)
            one.setMinimumWidth(240)
        scroll = _scroll(self.charts)
        scroll.setMinimumHeight(190)
        self.split = QSplitter(Qt.Orientation.Vertical)
        self.split.addWidget(scroll)
        self.split.addWidget(below)
        self.split.setStretchFactor(0, 2)
        self.split.setStretchFactor(1, 1)
        self.split.setSizes([1000, 450])
        self.split.setChildrenCollapsible(False)
        self.note.hide()
        whole = column(self.banner, self._cards_box, self.bar, self.note, self.split, spacing=SPACE)
        whole.setContentsMargins(2 * SPACE, SPACE + SPACE // 2, 2 * SPACE, SPACE)
        whole.setStretch(4, 1)
        self._inside = QWidget()
        self._inside.setLayout(whole)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(_scroll(self._inside))

    def _wire(self) -> None:
        self.bar.span_chosen.connect(self._choose_span)
        self.bar.pause_chosen.connect(self._pause)
        self.bar.metrics_chosen.connect(self._choose_metrics)
        self.bar.cards_chosen.connect(self._choose_cards)
        self.view.changed.connect(lambda: self.bar.show_span(self.view.span))
        self.view.following_changed.connect(lambda following: self.bar.show_paused(not following))
        self.hints.pointed_out.connect(self.view.point_out)
        self.processes.end_wanted.connect(self.end_wanted)

    def _choose_span(self, seconds: float) -> None:
        self.view.pointed = None
        self.view.set_span(seconds)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.split.setMinimumHeight(360 if self.height() < LOW else 0)


def _scroll(inside: QWidget) -> QScrollArea:
    scroll = QScrollArea()
    scroll.setFrameShape(QFrame.Shape.NoFrame)
    scroll.setWidgetResizable(True)
    scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    scroll.setWidget(inside)
    return scroll
