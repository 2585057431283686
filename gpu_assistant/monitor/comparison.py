"""Two runs side by side: what differed, and which was faster."""

from __future__ import annotations

from gpu_assistant.base.message import Message, message
from gpu_assistant.base.model import Value
from gpu_assistant.monitor.hints import owner_of
from gpu_assistant.monitor.metrics import metrics
from gpu_assistant.monitor.store import SeriesStore, Stats

_ENOUGH = 5.0  # percent under which two runs count as alike

# What is worth looking at when two runs differ, in this order; by how much of its unit it must differ.
_REASONS = {
    "vram_shared": 256 * 2.0**20,
    "held_back_heat": 10.0,
    "held_back_power": 20.0,
    "sm_clock": 150.0,
    "cpu": 20.0,
    "disk_busy": 20.0,
    "temperature": 8.0,
    "power": 20.0,
}


class Compared(Value, frozen=True, kw_only=True):
    """One metric in both runs; None where a run does not have it."""

    metric: str
    first: Stats | None
    second: Stats | None

    @property
    def difference(self) -> float | None:
        """Second mean minus first."""
        return self.second.mean - self.first.mean if self.first and self.second else None


class Comparison(Value, frozen=True, kw_only=True):
    """The whole answer."""

    first_gpu: str  # uuid of the busiest card of each run
    second_gpu: str
    verdict: Message
    rows: tuple[Compared, ...]
    reasons: tuple[str, ...] = ()  # metrics that may explain the difference


def compare(first: SeriesStore, second: SeriesStore) -> Comparison | None:
    """Compares the busiest card of each run; None if one of them has no card."""
    cards = busiest_card(first), busiest_card(second)
    if cards[0] is None or cards[1] is None:
        return None
    rows = tuple(
        Compared(
            metric=id_,
            first=first.stats(owner_of(id_, cards[0]), id_),
            second=second.stats(owner_of(id_, cards[1]), id_),
        )
        for id_, row in metrics().items()
        if not row.limit
    )
    rows = tuple(row for row in rows if row.first is not None or row.second is not None)
    by_id = {row.metric: row for row in rows}
    verdict, differs = _verdict(by_id)
    reasons = tuple(id_ for id_, enough in _REASONS.items() if _differs(by_id.get(id_), enough)) if differs else ()
    return Comparison(first_gpu=cards[0], second_gpu=cards[1], verdict=verdict, rows=rows, reasons=reasons)


def busiest_card(store: SeriesStore) -> str | None:
    """The card with the highest mean load; the first one where none tells its load."""
    loads = {gpu.uuid: store.stats(gpu.uuid, "utilization") for gpu in store.gpus()}
    return max(loads, key=lambda uuid: stats.mean if (stats := loads[uuid]) else -1.0, default=None)


def _verdict(rows: dict[str, Compared]) -> tuple[Message, bool]:
    for id_, name in (("steps_per_second", "speed"), ("utilization", "load")):
        row = rows.get(id_)
        if row is None or row.first is None or row.second is None or not row.first.mean:
            continue
        percent = (row.second.mean / row.first.mean - 1) * 100
        if abs(percent) < _ENOUGH:
            return message(f"monitor-compare-{name}-alike"), False
        direction = "more" if percent > 0 else "less"
        return message(f"monitor-compare-{name}-{direction}", percent=abs(percent)), True
    return message("monitor-compare-unknown"), False


def _differs(row: Compared | None, enough: float) -> bool:
    return row is not None and row.difference is not None and abs(row.difference) >= enough
