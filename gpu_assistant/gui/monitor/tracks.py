"""Whose curves are drawn: one track per card (or computer) of a store, with a colour, a line style and a name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPen

from gpu_assistant.gui import theme
from gpu_assistant.monitor.decimation import Series
from gpu_assistant.monitor.metrics import Scope
from gpu_assistant.monitor.store import HOST, TRAINING, SeriesStore, Stats

# Told apart by hue and lightness on the background of their scheme; never by colour alone: see `pen`.
LIGHT = ("#2b5fd9", "#c2410c", "#0f766e", "#9333ea", "#8a6500", "#be185d", "#15803d", "#475569")
DARK = ("#7aa5ff", "#ff9a5c", "#4fd1c5", "#c99bff", "#e6c35c", "#ff8cc0", "#7ddc8a", "#b6c2d4")
STYLES = (
    Qt.PenStyle.SolidLine,
    Qt.PenStyle.DashLine,
    Qt.PenStyle.DotLine,
    Qt.PenStyle.DashDotLine,
)


class Track(NamedTuple):
    """One owner's series on the shared time axis."""

    name: str
    store: SeriesStore
    owner: str  # a card's uuid, `HOST` or `TRAINING`
    scope: Scope
    place: int = 0  # which colour and line style
    offset: float = 0.0  # what to add to the store's times to get the axis' time

    def points(self, metric: str, start: float, end: float, columns: int) -> Series:
        """What a chart of that width draws, on the axis' time."""
        series = self.store.decimated(self.owner, metric, start - self.offset, end - self.offset, columns)
        return Series(series.times + self.offset, series.values)

    def stats(self, metric: str, start: float, end: float) -> Stats | None:
        """Minimum, mean, maximum of what is visible."""
        return self.store.stats(self.owner, metric, start - self.offset, end - self.offset)

    def at(self, metric: str, time: float) -> float | None:
        """The value at a moment of the axis."""
        return self.store.at(self.owner, metric, time - self.offset)

    def newest(self, metric: str) -> float | None:
        """The last value that is known; for borders, which hardly change."""
        return last_value(self.store, self.owner, metric)


def last_value(store: SeriesStore, owner: str, metric: str) -> float | None:
    """The newest value of a series that is not a gap."""
    values = store.window(owner, metric).values
    for part in (values[-60:], values):
        known = np.flatnonzero(~np.isnan(part))
        if len(known):
            return float(part[known[-1]])
    return None


def colour(place: int) -> QColor:
    """The line colour of that place in the present scheme."""
    colours = DARK if theme.is_dark() else LIGHT
    return QColor(colours[place % len(colours)])


def pen(place: int, width: float = 1.0) -> QPen:
    """Colour and line style of that place; no two of the first 32 are alike."""
    made = QPen(colour(place), width, STYLES[(place + place // len(LIGHT)) % len(STYLES)])
    made.setCosmetic(True)
    return made


def live_tracks(store: SeriesStore, computer: str, training: str, shown: Sequence[str] | None = None) -> list[Track]:
    """The tracks of one store: its cards (only those of `shown`, by uuid, if given), its computer, its training."""
    cards = store.gpus()
    named = [
        Track(card_name(card.name, card.index, alone=len(cards) == 1), store, card.uuid, "gpu", place)
        for place, card in enumerate(cards)
        if shown is None or card.uuid in shown
    ]
    return [*named, Track(computer, store, HOST, "host"), Track(training, store, TRAINING, "training")]


def card_name(name: str, index: int, *, alone: bool) -> str:
    """A card's name short enough for a chart: "RTX 4060", "1: RTX 4060"."""
    for word in ("NVIDIA ", "GeForce ", "AMD ", "Intel(R) "):
        name = name.replace(word, "")
    return name if alone else f"{index}: {name}"


def compared_tracks(stores: Sequence[tuple[str, SeriesStore]], computer: str, training: str) -> list[Track]:
    """The tracks of several recordings, each beginning at second 0."""
    tracks: list[Track] = []
    for number, (name, store) in enumerate(stores):
        offset = -(store.first_time or 0.0)
        own = live_tracks(store, computer, training)
        cards = max(len(store.gpus()), 1)
        tracks += [
            track._replace(name=f"{name} · {track.name}", place=number * cards + track.place, offset=offset)
            for track in own
        ]
    return tracks
