"""What came out of a watched run, on one page: what ran, how long, what held it back, what to try."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from gpu_assistant.base.message import Message, message
from gpu_assistant.base.model import Value
from gpu_assistant.base.texts import Language, say
from gpu_assistant.monitor.comparison import busiest_card
from gpu_assistant.monitor.hints import Hint
from gpu_assistant.monitor.metrics import metrics
from gpu_assistant.monitor.store import HOST, TRAINING, SeriesStore, Stats
from gpu_assistant.watch.events import Place, Profile
from gpu_assistant.watch.memory import memory_story
from gpu_assistant.watch.run import WatchRun

PLACES = 6
LEAST = 0.01  # of the time, for a line worth naming
_SHOWN = ("utilization", "vram_used", "power", "temperature", "cpu", "ram_used", "steps_per_second", "program_memory")


class Advice(Value, frozen=True, kw_only=True):
    """One thing that held the run back, and what to try first."""

    id: str
    sentence: str
    first: str
    seconds: float  # from when to when it was seen


class WatchSummary(Value, frozen=True, kw_only=True):
    """The page. `schema` grows when keys change their meaning; keys are only added."""

    schema: int = 1
    verdict: str
    sentence: str
    command: tuple[str, ...]
    python: str | None
    began: float | None  # Unix time
    seconds: float
    exit_code: int | None
    steps: int
    steps_per_second: float | None
    batch: int | None
    device: str | None
    shares: dict[str, float]  # parts of the time, 0 to 1; "compute" is the training itself
    places: tuple[Place, ...]  # lines of the user's own; `share` is a part of the time
    advice: tuple[Advice, ...]
    memory: str | None
    profile: Profile | None
    curves: dict[str, Stats]  # by metric id


def summarise(run: WatchRun, store: SeriesStore, hints: Iterable[Hint], language: Language) -> WatchSummary:
    """The page in one language. `hints`: all that were seen."""
    advice = tuple(
        Advice(
            id=hint.id,
            sentence=hint.sentence(language),
            first=hint.advice(language),
            seconds=round(hint.end - hint.start, 1),
        )
        for hint in hints
    )
    story, curves = memory_story(store), _curves(store)
    speed = curves.get("steps_per_second")
    return WatchSummary(
        verdict=run.verdict,
        sentence=say(verdict_message(run, advice), language),
        command=run.command,
        python=run.python,
        began=run.began,
        seconds=seconds_of(run, store),
        exit_code=getattr(run.ending, "code", None),
        steps=run.steps,
        steps_per_second=speed.mean if speed is not None else None,
        batch=run.batch,
        device=run.device,
        shares={kind: round(share, 4) for kind, share in run.shares.items()},
        places=places_of(run),
        advice=advice,
        memory=say(story, language) if story is not None else None,
        profile=run.profile,
        curves=curves,
    )


def verdict_message(run: WatchRun, advice: tuple[Advice, ...] | tuple[Hint, ...]) -> Message:
    """The one sentence on top."""
    match run.verdict:
        case "failed":
            return message("watch-verdict-failed", code=str(getattr(run.ending, "code", "?")))
        case "not_started":
            return message("watch-verdict-not-started", reason=getattr(run.ending, "reason", ""))
    if advice:
        return message("watch-verdict-held-back", count=len(advice))
    return message("watch-verdict-nothing" if run.steps else "watch-verdict-no-steps")


def places_of(run: WatchRun) -> tuple[Place, ...]:
    """The user's lines that took most of the time; `share` is a part of it, `kind` what most of that was."""
    whole = sum(run.seconds.values())
    lines: dict[tuple[str, int], Place] = {}
    for place in run.places:  # longest first
        known = lines.get((place.file, place.line))
        lines[place.file, place.line] = (
            place if known is None else msgspec.structs.replace(known, share=known.share + place.share)
        )
    most = sorted(lines.values(), key=lambda place: -place.share)[:PLACES]
    parts = [msgspec.structs.replace(place, share=round(place.share / whole, 4)) for place in most] if whole else []
    return tuple(place for place in parts if place.share >= LEAST)


def seconds_of(run: WatchRun, store: SeriesStore) -> float:
    """How long it has run."""
    if run.began is None:
        return 0.0
    return round(max(0.0, (run.ended or store.last_time or run.began) - run.began), 1)


def _curves(store: SeriesStore) -> dict[str, Stats]:
    card = busiest_card(store)
    owners = {"gpu": card, "host": HOST, "training": TRAINING}
    found = {}
    for id_ in _SHOWN:
        owner = owners[metrics()[id_].scope]
        if owner is not None and (stats := store.stats(owner, id_)) is not None:
            found[id_] = stats
    return found
