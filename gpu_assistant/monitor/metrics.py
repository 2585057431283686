"""The table of everything that the monitor can show, read from `resources/metrics.toml`."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Literal

import msgspec

from gpu_assistant.base.message import message
from gpu_assistant.base.model import Value
from gpu_assistant.base.resources import BadData, Complaint, read_entries, resource_root
from gpu_assistant.base.texts import Language, Sentence, check_sentence, format_bytes, say

Scope = Literal["gpu", "host", "training"]
Unit = Literal[
    "percent",
    "bytes",
    "bytes_per_second",
    "watts",
    "celsius",
    "megahertz",
    "rpm",
    "count",
    "state",
    "generation",
    "lanes",
    "per_second",
    "number",
]


class Metric(Value, frozen=True, kw_only=True):
    """One row. Names and explanations are in both languages; `limit` rows are borders of others, never own charts."""

    id: str = ""
    scope: Scope
    unit: Unit
    group: str
    name: Sentence
    explain: Sentence
    shown: bool = False
    limit: bool = False
    low: float | None = None
    high: float | None = None
    high_metric: str | None = None
    thresholds: tuple[str, ...] = ()

    def title(self, language: Language) -> str:
        """Its name in that language."""
        return _text(self.name, language)

    def explanation(self, language: Language) -> str:
        """What it means, for somebody who never saw a monitor."""
        return _text(self.explain, language)


def _text(sentence: Sentence, language: Language) -> str:
    return str(sentence.en if language == "en" else sentence.ru)


def load_metrics(path: Path) -> dict[str, Metric]:
    """Reads the table in its order. Raises `BadData` with all complaints at once."""
    rows, complaints = read_entries(path, Metric)
    for id_, row in rows.items():
        for sentence in (row.name, row.explain):
            complaints += check_sentence(path.name, id_, sentence)
        for other in (*row.thresholds, *([row.high_metric] if row.high_metric else [])):
            if other not in rows:
                complaints.append(Complaint(path.name, id_, other, "no such metric"))
            elif rows[other].scope != row.scope:
                complaints.append(Complaint(path.name, id_, other, "a border of another scope"))
        if row.limit and row.shown:
            complaints.append(Complaint(path.name, id_, "shown", "a limit has no chart of its own"))
    if complaints:
        raise BadData(complaints)
    return {id_: msgspec.structs.replace(row, id=id_) for id_, row in rows.items()}


@functools.cache
def metrics() -> dict[str, Metric]:
    """The program's own table, read once."""
    return load_metrics(resource_root() / "metrics.toml")


def charted(scope: Scope, *, chosen: tuple[str, ...] = ()) -> tuple[Metric, ...]:
    """The metrics of a scope that get a chart: the chosen ones, or those shown from the start."""
    rows = [row for row in metrics().values() if row.scope == scope and not row.limit]
    return tuple(row for row in rows if (row.id in chosen if chosen else row.shown))


def format_value(value: float, unit: Unit, language: Language) -> str:
    """A value as people read it: "87 %", "2.4 GiB", "1 830 MHz", "P2"."""
    if unit == "bytes":
        return format_bytes(value, language)
    if unit == "bytes_per_second":
        return say(message("monitor-unit-bytes-per-second", size=value), language)
    if unit in ("per_second", "number"):
        return say(message(f"monitor-unit-{unit.replace('_', '-')}", value=float(f"{value:.3g}")), language)
    return say(message(f"monitor-unit-{unit}", value=round(value)), language)
