"""When to tap the user on the shoulder: plain decisions over samples; nothing nags twice."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal

import msgspec

from gpu_assistant.base.message import Message, message
from gpu_assistant.base.model import Value
from gpu_assistant.base.settings import Settings
from gpu_assistant.monitor.model import GpuSample, Sample

AlertKind = Literal["hot", "vram", "idle", "lost", "back"]

_IDLE_PERCENT = 3.0
_CALM_TEMPERATURE = 5.0  # degrees below the threshold until another warning may come
_CALM_VRAM = 5.0  # percent
_ASSUMED_SLOWDOWN = 90.0  # for a card that does not tell
_DRIVER_TROUBLE = ("driver_lost", "not_responding")


class Alert(Value, frozen=True, kw_only=True):
    """One notification."""

    kind: AlertKind
    gpu: str  # uuid
    text: Message


class _Card(Value, frozen=True, kw_only=True):
    name: str
    told: frozenset[AlertKind] = frozenset()
    idle_since: float | None = None


class AlertState(Value, frozen=True, kw_only=True):
    """What has been told already."""

    cards: dict[str, _Card] = {}


def watch(
    state: AlertState, sample: Sample, settings: Settings, *, training: Collection[str] = ()
) -> tuple[AlertState, tuple[Alert, ...]]:
    """Takes the next sample. `training`: uuids of the cards a training we know of is meant for.

    A warning comes once and again only after the trouble was clearly over in between.
    """
    cards = dict(state.cards)
    alerts: list[Alert] = []
    for gpu in sample.gpus:
        card, found = _watch_card(
            cards.get(gpu.uuid, _Card(name=gpu.name)), gpu, sample.time, settings, gpu.uuid in training
        )
        cards[gpu.uuid] = card
        alerts += found
    present = {gpu.uuid for gpu in sample.gpus}
    # a silent driver takes its cards along, and so does a card that left the bus
    gone = sample.trouble in _DRIVER_TROUBLE or (bool(present) and sample.trouble is None)
    for uuid in cards.keys() - present if gone else ():
        cards[uuid], found = _lost(cards[uuid], uuid)
        alerts += found
    return AlertState(cards=cards), tuple(alerts)


def _watch_card(
    card: _Card, gpu: GpuSample, now: float, settings: Settings, training: bool
) -> tuple[_Card, list[Alert]]:
    if gpu.lost:
        return _lost(card, gpu.uuid)
    if gpu.asleep or not gpu.values:
        return msgspec.structs.replace(card, idle_since=None), []
    found: dict[AlertKind, tuple[bool, bool, Message]] = {}
    if "lost" in card.told:
        found["back"] = (True, True, message("monitor-alert-back", name=gpu.name))
        card = msgspec.structs.replace(card, told=card.told - {"lost"})
    if (hot := _hot(gpu, settings)) is not None:
        found["hot"] = hot
    if (full := _full(gpu, settings)) is not None:
        found["vram"] = full
    card, found["idle"] = _idle(card, gpu, now, settings, training)
    told, alerts = set(card.told), []
    for kind, (holds, over, text) in found.items():
        if holds and kind not in told:
            told.add(kind)
            alerts.append(Alert(kind=kind, gpu=gpu.uuid, text=text))
        if over:
            told.discard(kind)
    return msgspec.structs.replace(card, name=gpu.name, told=frozenset(told)), alerts


def _hot(gpu: GpuSample, settings: Settings) -> tuple[bool, bool, Message] | None:
    temperature = gpu.values.get("temperature")
    if temperature is None:
        return None
    slowdown = gpu.values.get("temperature_slowdown", _ASSUMED_SLOWDOWN)
    border = slowdown - settings.notify_temperature_margin_c
    braking = gpu.values.get("held_back_heat", 0.0) > 0
    id_ = "monitor-alert-too-hot" if braking or temperature >= slowdown else "monitor-alert-hot"
    args = {} if id_ == "monitor-alert-too-hot" else {"left": slowdown - temperature}
    text = message(id_, name=gpu.name, temperature=temperature, **args)
    return temperature >= border or braking, temperature < border - _CALM_TEMPERATURE and not braking, text


def _full(gpu: GpuSample, settings: Settings) -> tuple[bool, bool, Message] | None:
    used, total = gpu.values.get("vram_used"), gpu.values.get("vram_total")
    if used is None or not total:
        return None
    percent = (used + gpu.values.get("vram_reserved", 0.0)) / total * 100
    text = message("monitor-alert-vram", name=gpu.name, percent=percent)
    border = settings.notify_vram_percent
    return percent >= border, percent < border - _CALM_VRAM, text


def _idle(
    card: _Card, gpu: GpuSample, now: float, settings: Settings, training: bool
) -> tuple[_Card, tuple[bool, bool, Message]]:
    load = gpu.values.get("utilization")
    resting = training and load is not None and load < _IDLE_PERCENT
    since = (card.idle_since if card.idle_since is not None else now) if resting else None
    seconds = now - since if since is not None else 0.0
    text = message("monitor-alert-idle", name=gpu.name, seconds=seconds)
    # the training's end, not a short burst, makes room for another warning
    return msgspec.structs.replace(card, idle_since=since), (
        seconds >= settings.notify_idle_minutes * 60 and resting,
        not training,
        text,
    )


def _lost(card: _Card, uuid: str) -> tuple[_Card, list[Alert]]:
    if "lost" in card.told:
        return card, []
    lost = msgspec.structs.replace(card, told=card.told | {"lost"}, idle_since=None)
    return lost, [Alert(kind="lost", gpu=uuid, text=message("monitor-alert-lost", name=card.name))]
