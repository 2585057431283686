"""What the curves mean: pure functions from series to hints. Each hint is a row of `resources/hints.toml`."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Literal

from gpu_assistant.base.message import Message, message
from gpu_assistant.base.model import Value
from gpu_assistant.base.texts import Language, fill, texts
from gpu_assistant.monitor import measures
from gpu_assistant.monitor.hint_rows import Condition, HintRow, hint_rows
from gpu_assistant.monitor.metrics import metrics
from gpu_assistant.monitor.model import GpuSample
from gpu_assistant.monitor.store import HOST, TRAINING, SeriesStore

NO_CARD = ""  # stands for the card where there is none: what the training tells is judged all the same

_WATCHED = (  # what may explain a sudden change, most telling first
    ("vram_shared", 256 * 2.0**20),
    ("held_back_heat", 20.0),
    ("held_back_power", 30.0),
    ("sm_clock", 200.0),
    ("process_count", 0.5),
    ("disk_busy", 30.0),
    ("cpu", 25.0),
    ("pagefile_used", 512 * 2.0**20),
    ("temperature", 8.0),
)


class Evidence(Value, frozen=True, kw_only=True):
    """A series that a hint rests on; to be shown on the chart between the hint's `start` and `end`."""

    owner: str  # a card's uuid, "host" or "training"
    metric: str


class Facts(Value, frozen=True, kw_only=True):
    """What the series do not tell about one card."""

    training: bool = False  # a training that we know of is running and meant for this card
    other_vram: float = 0.0  # bytes that the largest foreign computing program holds
    other_name: str = ""


class Hint(Value, frozen=True, kw_only=True):
    """One thing worth saying about one card. `args` fill the holes of the row's sentences."""

    id: str
    gpu: str  # uuid, or `NO_CARD`
    start: float
    end: float
    severity: Literal["info", "warning"] = "info"
    args: dict[str, str | int | float | Message] = {}
    evidence: tuple[Evidence, ...] = ()

    def sentence(self, language: Language) -> str:
        """What is going on, in one sentence."""
        row = hint_rows()[self.id]
        return fill(row.sentence.en if language == "en" else row.sentence.ru, self.args, language, texts())

    def advice(self, language: Language) -> str:
        """What to try first."""
        row = hint_rows()[self.id]
        return fill(row.first.en if language == "en" else row.first.ru, self.args, language, texts())


def facts_about(gpu: GpuSample, own_pids: Collection[int], *, training: bool) -> Facts:
    """The facts of one card from its newest sample; `own_pids`: the processes of the training we know of."""
    others = [process for process in gpu.processes if process.pid not in own_pids and process.kind != "graphics"]
    largest = max(others, key=lambda process: process.vram_bytes or 0, default=None)
    if largest is None:
        return Facts(training=training)
    name = largest.name or str(largest.pid)
    return Facts(training=training, other_vram=float(largest.vram_bytes or 0), other_name=name)


def find_hints(
    store: SeriesStore,
    facts: Mapping[str, Facts] | None = None,
    *,
    end: float | None = None,
    rows: Mapping[str, HintRow] | None = None,
) -> tuple[Hint, ...]:
    """Every hint that holds at `end` (the newest moment), warnings first. `facts` by a card's uuid."""
    moment = store.last_time if end is None else end
    if moment is None:
        return ()
    found = [
        hint
        for uuid in [gpu.uuid for gpu in store.gpus()] or [NO_CARD]
        for id_, row in (hint_rows() if rows is None else rows).items()
        if (hint := judge(id_, row, store, uuid, (facts or {}).get(uuid, Facts()), moment)) is not None
    ]
    return tuple(sorted(found, key=lambda hint: hint.severity != "warning"))


def judge(id_: str, row: HintRow, store: SeriesStore, gpu: str, facts: Facts, end: float) -> Hint | None:
    """One row against one card: a hint, or silence."""
    start = end - row.seconds

    def measured(condition: Condition) -> float | None:
        return _measured(condition, store, gpu, facts, start, end)

    when = [(condition, measured(condition)) for condition in row.when]
    if not all(_holds(condition, value) for condition, value in when):
        return None
    either = [(condition, measured(condition)) for condition in row.any]
    either = [(condition, value) for condition, value in either if _holds(condition, value)]
    if row.any and not either:
        return None
    if any(_holds(condition, measured(condition)) for condition in row.unless):
        return None
    args: dict[str, str | int | float | Message] = {"other_name": facts.other_name}
    for condition, value in (*when, *either):
        args.setdefault(condition.name or condition.metric or condition.fact or "", value or 0.0)
    shown = row.evidence or tuple(condition.metric for condition, _ in (*when, *either) if condition.metric)
    if row.compare:
        changed = _changed(store, gpu, start, end)
        args["changed"] = message(f"monitor-changed-{changed}" if changed else "monitor-changed-nothing")
        shown += (changed,) if changed else ()
    evidence = tuple(
        Evidence(owner=owner, metric=metric)
        for metric in dict.fromkeys(shown)
        if metric in store.metrics(owner := owner_of(metric, gpu))
    )
    return Hint(id=id_, gpu=gpu, start=start, end=end, severity=row.severity, args=args, evidence=evidence)


def owner_of(metric: str, gpu: str) -> str:
    """Whose series a metric is when one card is looked at."""
    scope = metrics()[metric].scope
    return gpu if scope == "gpu" else HOST if scope == "host" else TRAINING


def _measured(
    condition: Condition, store: SeriesStore, gpu: str, facts: Facts, start: float, end: float
) -> float | None:
    if condition.fact is not None:
        value = float(getattr(facts, condition.fact))
    else:
        metric = condition.metric or ""
        points = measures.window(store, owner_of(metric, gpu), metric, start, end)
        if points is None:
            return None
        value = measures.measure(points, condition.measure, condition.over)
    if condition.of is None:
        return value
    whole = measures.window(store, owner_of(condition.of, gpu), condition.of, start, end)
    if whole is None or not whole.mean():
        return None
    return value / float(whole.mean()) * 100


def _holds(condition: Condition, value: float | None) -> bool:
    if value is None:
        return False
    return (condition.above is None or value > condition.above) and (condition.below is None or value < condition.below)


def _changed(store: SeriesStore, gpu: str, start: float, end: float) -> str | None:
    """The first watched metric whose level moved by more than its measure between the window's ends."""
    for metric, enough in _WATCHED:
        points = measures.window(store, owner_of(metric, gpu), metric, start, end)
        if points is None:
            continue
        third = len(points) // 3
        if abs(float(points[-third:].mean() - points[:third].mean())) >= enough:
            return metric
    return None
