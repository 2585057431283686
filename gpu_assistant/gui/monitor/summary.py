"""What a chart says, in words: for people who cannot see it, and for its header."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike
from PySide6.QtCore import QObject

from gpu_assistant.gui.language import language
from gpu_assistant.gui.monitor.tracks import Track
from gpu_assistant.monitor.metrics import Metric, format_value
from gpu_assistant.monitor.store import Stats

Trend = Literal["rising", "falling", "steady"]
LOOK_BACK = 30.0  # seconds that the trend is about
TELLING = 0.05  # of the scale: less is called steady


def trend(values: ArrayLike, scale: float) -> Trend:
    """Whether the last quarter of the values lies above the first one by a telling part of the scale."""
    known = np.asarray(values, float)
    known = known[~np.isnan(known)]
    if len(known) < 4 or scale <= 0:
        return "steady"
    quarter = len(known) // 4
    change = float(known[-quarter:].mean() - known[:quarter].mean())
    if abs(change) < TELLING * scale:
        return "steady"
    return "rising" if change > 0 else "falling"


def value_text(metric: Metric, value: float | None) -> str:
    """The value with its unit; a dash where there is none."""
    return "–" if value is None else format_value(value, metric.unit, language())


def merged(found: Sequence[Stats | None]) -> Stats | None:
    """One range over several tracks."""
    known = [stats for stats in found if stats is not None]
    if not known:
        return None
    samples = sum(stats.samples for stats in known)
    return Stats(
        minimum=min(stats.minimum for stats in known),
        mean=sum(stats.mean * stats.samples for stats in known) / samples,
        maximum=max(stats.maximum for stats in known),
        last=known[0].last,
        samples=samples,
    )


class SummaryWriter(QObject):
    """Puts charts into words. A QObject because of `tr`."""

    def range_text(self, metric: Metric, stats: Stats | None) -> str:
        """Minimum, mean and maximum of what is visible."""
        if stats is None:
            return self.tr("no values here")
        return self.tr("min {least} · mean {mean} · max {most}").format(
            least=value_text(metric, stats.minimum),
            mean=value_text(metric, stats.mean),
            most=value_text(metric, stats.maximum),
        )

    def spoken(self, metric: Metric, tracks: Sequence[Track], start: float, end: float, scale: float) -> str:
        """The chart in one or few sentences: "GPU load: 74 %, rising; from 2 % to 99 %"."""
        parts = []
        for track in tracks:
            stats = track.stats(metric.id, start, end)
            if stats is None:
                parts.append(self.tr("{name}: no values").format(name=track.name))
                continue
            recent = track.points(metric.id, max(start, end - LOOK_BACK), end, 1000).values
            words = {"rising": self.tr("rising"), "falling": self.tr("falling"), "steady": self.tr("steady")}
            text = self.tr("{name}: {value}, {trend}; from {least} to {most}").format(
                name=track.name,
                value=value_text(metric, stats.last),
                trend=words[trend(recent, scale)],
                least=value_text(metric, stats.minimum),
                most=value_text(metric, stats.maximum),
            )
            parts.append(text)
        return f"{metric.title(language())}. " + ". ".join(parts)
