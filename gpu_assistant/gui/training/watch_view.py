"""What a watched run shows: its verdict, where its time goes, the curves, what they mean."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from gpu_assistant.base.message import message
from gpu_assistant.gui.language import format_duration, format_number, language, say
from gpu_assistant.gui.monitor.charts import Charts
from gpu_assistant.gui.monitor.hints_panel import HintsPanel
from gpu_assistant.gui.monitor.time_view import TimeView
from gpu_assistant.gui.monitor.tracks import compared_tracks, live_tracks
from gpu_assistant.gui.theme import SPACE, Tone
from gpu_assistant.gui.training.share_bars import ShareBars
from gpu_assistant.gui.widgets.base import Card, Label, Worded, column, row
from gpu_assistant.gui.widgets.boxes import Banner
from gpu_assistant.monitor.metrics import metrics
from gpu_assistant.monitor.store import SeriesStore
from gpu_assistant.watch.memory import memory_story
from gpu_assistant.watch.observation import Observation
from gpu_assistant.watch.page import profile_words
from gpu_assistant.watch.run import WatchRun
from gpu_assistant.watch.summary import places_of, seconds_of, verdict_message

CURVES = (
    "utilization",
    "steps_per_second",
    "data_wait",
    "side_work",
    "framework_vram_allocated",
    "framework_vram_reserved",
    "vram_used",
    "cpu",
    "program_memory",
    "loss",
)


class WatchView(Worded):
    """Draws an `Observation`, live or reopened."""

    def __init__(self) -> None:
        super().__init__()
        self._seen: Observation | None = None
        self.view = TimeView(120.0)
        self.banner = Banner("info", big=True)
        self.charts = Charts(self.view)
        self.hints = HintsPanel()
        self.hints.setMinimumHeight(130)
        self.shares = ShareBars()
        self.places = Label(selectable=True)
        self.memory = Label(selectable=True)
        self.profile = ShareBars()
        self._titles = {key: Label(bold=True) for key in ("time", "places", "memory", "profile")}
        self._cards = {
            "time": self._card("time", self.shares),
            "places": self._card("places", self.places),
            "memory": self._card("memory", self.memory),
            "profile": self._card("profile", self.profile),
        }
        cards = row(
            column(self._cards["time"], self._cards["profile"], 1),
            column(self._cards["places"], self._cards["memory"], 1),
        )
        inside = QWidget()
        inside.setLayout(column(self.banner, self.hints, cards, self.charts, 1, spacing=SPACE))
        scroll = QScrollArea()
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidget(inside)
        self.setLayout(column(scroll))
        self.hints.pointed_out.connect(self.view.point_out)
        self.retranslate()

    def retranslate(self) -> None:
        self._titles["time"].setText(self.tr("Where the time goes"))
        self._titles["places"].setText(self.tr("The lines that take most of it"))
        self._titles["memory"].setText(self.tr("Video memory"))
        self._titles["profile"].setText(self.tr("Ten steps under the profiler"))
        if self._seen is not None:
            self.show_observation(self._seen)

    def show_observation(self, seen: Observation) -> None:
        """Draws what is known now; while it runs the hints of this moment, afterwards all that were seen."""
        self._seen = seen
        run, store = seen.run, seen.store
        live = run.verdict == "running"
        hints = seen.hints if live else tuple(seen.seen.values())
        self._draw_banner(run, store, len(hints))
        self.hints.show_hints(hints, {card.uuid: "" for card in store.gpus()})
        self.hints.setVisible(bool(hints) or (live and run.steps > 0))
        self.shares.show_rows([(say(message(f"watch-kind-{kind}")), part) for kind, part in run.shares.items()])
        self.places.setText("\n".join(self._place_words(run)))
        story = memory_story(store)
        self.memory.setText(say(story) if story is not None else "")
        self.profile.show_rows(profile_words(run.profile, language()) if run.profile is not None else [])
        shown = {"time": run.shares, "places": run.places, "memory": story, "profile": run.profile}
        for key, card in self._cards.items():
            card.setVisible(bool(shown[key]))
        self._draw_curves(store, live=live)

    def show_comparison(self, runs: Sequence[tuple[str, SeriesStore]], sentences: Sequence[str]) -> None:
        """Two runs over each other, each from its beginning, and which was faster."""
        self._seen = None
        self.banner.show_text("info", sentences[0], sentences[1:], icon="chart")
        self.hints.hide()
        for card in self._cards.values():
            card.hide()
        self.view.relative = True
        self.charts.show_tracks(compared_tracks(runs, self.tr("Computer"), self.tr("Training")))
        self._show_metrics({metric for _, store in runs for metric in self._known(store)})
        self.view.show_range(0.0, max((store.last_time or 0) - (store.first_time or 0) for _, store in runs))

    def _draw_banner(self, run: WatchRun, store: SeriesStore, hints: int) -> None:
        lasted = format_duration(seconds_of(run, store))
        speed = run.rhythm.per_second
        lines = [self.tr("It has run for {time}.").format(time=lasted)]
        if run.steps and speed is not None:
            lines = [
                self.tr("{time}, {steps} steps, {speed} a second").format(
                    time=lasted, steps=run.steps, speed=format_number(speed, 1)
                )
            ]
        if run.verdict == "running":
            title = self.tr("The training runs") if run.steps else self.tr("The program runs; no training step yet")
            self.banner.show_text("info", title, lines, icon="play")
            return
        found = tuple(self._seen.seen.values()) if self._seen is not None else ()
        tone: Tone = "problem" if run.verdict in ("failed", "not_started") else "warning" if hints else "good"
        if run.verdict not in ("failed", "not_started") and not run.steps:
            tone = "info"
        self.banner.show_text(tone, say(verdict_message(run, found)), lines)

    def _place_words(self, run: WatchRun) -> list[str]:
        return [
            f"{place.share * 100:.0f} %  {Path(place.file).name}:{place.line}  {place.text}" for place in places_of(run)
        ]

    def _draw_curves(self, store: SeriesStore, *, live: bool) -> None:
        self.view.relative = False
        self.charts.show_tracks(live_tracks(store, self.tr("Computer"), self.tr("Training")))
        self.charts.show_marks(store.marks())
        self._show_metrics(self._known(store))
        if store.last_time is None or store.first_time is None:
            return
        if live:
            self.view.advance(store.last_time)
        else:
            self.view.show_range(store.first_time, store.last_time)

    def _known(self, store: SeriesStore) -> set[str]:
        owners = [*(card.uuid for card in store.gpus()), "host", "training"]
        return {metric for owner in owners for metric in store.metrics(owner)}

    def _show_metrics(self, known: set[str]) -> None:
        self.charts.show_metrics([metrics()[id_] for id_ in CURVES if id_ in known])

    def _card(self, key: str, inside: QWidget) -> Card:
        card = Card(padding=SPACE + SPACE // 2)
        card.body.addWidget(self._titles[key])
        card.body.addWidget(inside)
        card.hide()
        return card
