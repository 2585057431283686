"""The rows of `resources/hints.toml`: conditions over a window of time, and what to say when they hold."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Literal

from gpu_assistant.base.model import Value
from gpu_assistant.base.resources import BadData, Complaint, read_entries, resource_root
from gpu_assistant.base.texts import Sentence, check_sentence, placeholders
from gpu_assistant.monitor.metrics import metrics

Measure = Literal[
    "mean",
    "spread",  # standard deviation
    "minimum",
    "maximum",
    "last",
    "share",  # percent of the time above `over`
    "growth",  # last quarter's mean minus the first quarter's
    "steadiness",  # percent of the way that led upwards, over ten equal parts
    "ratio",  # last third's mean in percent of the first third's
]

FACTS = ("training", "other_vram")
_EXTRA_HOLES = {"other_name", "changed"}


class Condition(Value, frozen=True, kw_only=True):
    """One measured number between `above` and `below`. With `of` it is in percent of that metric's mean."""

    metric: str | None = None
    fact: str | None = None
    measure: Measure = "mean"
    of: str | None = None
    over: float = 0.0
    above: float | None = None
    below: float | None = None
    name: str | None = None  # the hole of the sentence that it fills; without: the metric's id


Example = dict[str, float | list[float] | str]


class HintRow(Value, frozen=True, kw_only=True):
    """One hint. All of `when`, one of `any`, none of `unless`; what cannot be measured speaks for silence."""

    severity: Literal["info", "warning"] = "info"
    seconds: float
    when: tuple[Condition, ...]
    any: tuple[Condition, ...] = ()
    unless: tuple[Condition, ...] = ()
    evidence: tuple[str, ...] = ()  # metrics to show; without: those of `when` and `any`
    compare: bool = False  # look what else changed in the window's middle
    sentence: Sentence
    first: Sentence
    fires: tuple[Example, ...]  # the row's own proof: series that must fire it
    silent: tuple[Example, ...]  # and series that must not


def load_hints(path: Path) -> dict[str, HintRow]:
    """Reads the table. Raises `BadData` with all complaints at once."""
    rows, complaints = read_entries(path, HintRow)
    for id_, row in rows.items():
        for key, sentence in (("sentence", row.sentence), ("first", row.first)):
            complaints += check_sentence(path.name, id_, sentence)
            unknown = (placeholders(sentence.en) | placeholders(sentence.ru)) - _holes(row)
            complaints += [Complaint(path.name, id_, key, f"nothing fills {{{hole}}}") for hole in sorted(unknown)]
        for condition in (*row.when, *row.any, *row.unless):
            complaints += [Complaint(path.name, id_, "condition", fault) for fault in _faults(condition)]
        complaints += [
            Complaint(path.name, id_, "evidence", f"no such metric: {metric}")
            for metric in row.evidence
            if metric not in metrics()
        ]
        if not row.fires or not row.silent:
            complaints.append(Complaint(path.name, id_, "fires", "no proof: one example for, one against"))
    if complaints:
        raise BadData(complaints)
    return rows


def _holes(row: HintRow) -> set[str]:
    return {condition.name or condition.metric or condition.fact or "" for condition in (*row.when, *row.any)} | (
        _EXTRA_HOLES
    )


def _faults(condition: Condition) -> list[str]:
    faults = [
        f"no such metric: {metric}" for metric in (condition.metric, condition.of) if metric not in (None, *metrics())
    ]
    if condition.fact not in (None, *FACTS):
        faults.append(f"no such fact: {condition.fact}")
    if (condition.metric is None) == (condition.fact is None):
        faults.append("needs a metric or a fact")
    if condition.above is None and condition.below is None:
        faults.append("has neither above nor below")
    return faults


@functools.cache
def hint_rows() -> dict[str, HintRow]:
    """The program's own table, read once."""
    return load_hints(resource_root() / "hints.toml")
