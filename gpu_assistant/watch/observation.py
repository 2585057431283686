"""A watched run as it goes on: the run, the curves around it, and what they mean. Both shells feed it and show it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from gpu_assistant.monitor.hint_rows import HintRow, hint_rows
from gpu_assistant.monitor.hints import NO_CARD, Facts, Hint, facts_about, find_hints
from gpu_assistant.monitor.marks import MarkFinder
from gpu_assistant.monitor.model import Mark, Sample
from gpu_assistant.monitor.store import SeriesStore
from gpu_assistant.watch.events import Began, CancelledByUser, Ended, Memory, Places, Steps, Usage, WatchEvent
from gpu_assistant.watch.run import WatchRun
from gpu_assistant.watch.store import RunFolder

SIDE_WORK = ("log", "draw", "save")
SHORTEST = 4.0  # seconds of training that can be judged at all


class Observation:
    """Not thread-safe: one thread feeds and looks. `hints` hold now; `seen` holds each one at its longest."""

    def __init__(
        self, folder: RunFolder | None = None, *, interval: float = 1.0, rows: Mapping[str, HintRow] | None = None
    ) -> None:
        """`folder` keeps the samples beside the run's events; `rows` replaces the table of hints."""
        self.run = WatchRun()
        self.store = SeriesStore(interval=interval)
        self.hints: tuple[Hint, ...] = ()
        self.seen: dict[str, Hint] = {}
        self._folder = folder
        self._rows = rows if rows is not None else hint_rows()
        self._marks = MarkFinder()
        self._first_step: float | None = None
        self._told: dict[str, float] = {}

    @classmethod
    def of(cls, run: WatchRun, store: SeriesStore, hints: Iterable[Hint]) -> Observation:
        """A run of an earlier day."""
        seen = cls()
        seen.run, seen.store = run, store
        seen.seen = {hint.id: hint for hint in hints}
        return seen

    def see(self, event: WatchEvent) -> None:
        """One more event of the run."""
        self.run = self.run.apply(event)
        self._told |= training_values(event, self.run)
        if isinstance(event, Steps if self.run.told else Usage):
            self._keep_told(event.time)
        if isinstance(event, Began):
            self._mark(Mark(time=event.time, kind="training_started"))
        elif isinstance(event, Ended | CancelledByUser):
            self._mark(Mark(time=event.time, kind="training_ended"))
            self._judge_all_of_it()
        if self._first_step is None and self.run.steps:
            self._first_step = event.time

    def sample(self, sample: Sample) -> None:
        """One more look at the card and the computer; hints are judged anew."""
        self.store.add(sample)
        if self._folder is not None:
            self._folder.sample(sample)
        for mark in self._marks.look(sample):
            self._mark(mark)
        runs = self.run.verdict == "running" and self.run.began is not None
        self.hints = self._judged(self._rows) if runs else ()
        for hint in self.hints:
            self.seen[hint.id] = replace(hint, start=self.seen.get(hint.id, hint).start)

    def _keep_told(self, time: float) -> None:
        """What was told since the last time becomes one row of the curves, so that their points are neighbours."""
        if self._told:
            self.store.add_training(time, self._told)
            if self._folder is not None:
                self._folder.training(time, self._told)
            self._told = {}

    def _judge_all_of_it(self) -> None:
        """A run may end before a hint's time has passed: then its whole training counts."""
        lasted = (self.store.last_time or 0.0) - (self._first_step or math.inf)
        if lasted >= SHORTEST:
            rows = {id_: replace(row, seconds=min(row.seconds, lasted)) for id_, row in self._rows.items()}
            for hint in self._judged(rows):
                self.seen.setdefault(hint.id, hint)
        self.hints = ()

    def _judged(self, rows: Mapping[str, HintRow]) -> tuple[Hint, ...]:
        cards = self.store.last.gpus if self.store.last is not None else ()
        facts = {gpu.uuid: facts_about(gpu, self.run.pids, training=True) for gpu in cards}
        found = find_hints(self.store, facts or {NO_CARD: Facts(training=True)}, rows=rows)
        # what the training tells is true of every card: it is said once
        return tuple({hint.id: hint for hint in reversed(found)}.values())[::-1]

    def _mark(self, mark: Mark) -> None:
        self.store.add_mark(mark)
        if self._folder is not None:
            self._folder.mark(mark)


def training_values(event: WatchEvent, run: WatchRun) -> dict[str, float]:
    """What an event says in the metrics of `resources/metrics.toml`; `run` is the run after it."""
    match event:
        case Steps() if event.pid == run.pid:
            return _step_values(event, run)
        case Places() if event.pid == run.pid and run.steps:
            side = sum(event.shares.get(kind, 0.0) for kind in SIDE_WORK)
            return {"data_wait": event.shares.get("data", 0.0) * 100, "side_work": side * 100}
        case Memory() if event.pid == run.pid:
            return {"framework_vram_allocated": event.allocated, "framework_vram_reserved": event.reserved}
        case Usage():
            rate = {} if run.told else _rate(run)
            return {"program_memory": float(event.memory), **rate}
    return {}


def _step_values(event: Steps, run: WatchRun) -> dict[str, float]:
    values = _rate(run)
    if "loss" in event.values:
        values["loss"] = event.values["loss"]
    if event.batch is not None:
        values["batch_size"] = float(event.batch)
    if event.device is not None:
        values["on_processor"] = float(event.device == "cpu")
    return values


def _rate(run: WatchRun) -> dict[str, float]:
    speed = run.rhythm.per_second
    return {} if speed is None else {"steps_per_second": speed}
