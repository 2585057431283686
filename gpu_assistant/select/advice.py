"""The sentences of a verdict: what it says, why, and what to do outside the program."""

from __future__ import annotations

from collections.abc import Iterable

from gpu_assistant.base.message import Argument, Message, message
from gpu_assistant.detect.report import DriverState, SystemReport
from gpu_assistant.select.cards import Card, card_names, holds_code
from gpu_assistant.select.catalogue import Build, CardFacts
from gpu_assistant.select.obstacles import Kind
from gpu_assistant.select.plan import Status
from gpu_assistant.select.situation import Situation, driver_state, hidden_cards
from gpu_assistant.select.versions import at_least, branch, numbers


def explain(now: Situation, status: Status, facts: CardFacts) -> tuple[Message, tuple[Message, ...]]:
    """The verdict in one sentence, and its reasons in the order in which they were found."""
    reasons = [*_card_reasons(now), *_driver_reasons(now, status, facts), *_choice_reasons(now, status)]
    return _sentence(now, status, facts), _distinct([*reasons, *hidden_cards(now)])


def _sentence(now: Situation, status: Status, facts: CardFacts) -> Message:
    match status:
        case Status.READY:
            return _ready(now)
        case Status.DRIVER_NEEDED:
            return _driver_needed(now, facts)
        case Status.CPU_ONLY:
            return _cpu_only(now)
        case Status.UNSUPPORTED:
            return _unsupported(now)
        case Status.UNKNOWN:
            return _unknown(now)


def _distinct(messages: Iterable[Message]) -> tuple[Message, ...]:
    kept: list[Message] = []
    for one in messages:
        if one not in kept:
            kept.append(one)
    return tuple(kept)


# ---------------------------------------------------------------- sentences


def _ready(now: Situation) -> Message:
    best = now.offered[0]
    card = card_names(best.served)
    args = {"card": card, "framework": now.framework.name, "label": best.build.label}
    exact = args | {"package": now.framework.build_package, "version": best.build.version}
    if _left_to_others(now):
        return message("select-ready-split", **args, other=card_names(_left_to_others(now)))
    better = next((build for card in best.served if (build := now.better_after_update(card))), None)
    if better is not None:
        return message("select-ready-update", **exact, better=better.label)
    if last := [card for card in best.served if _is_last(best.build, card)]:
        return message("select-ready-last", **exact, last=card_names(last))
    return message("select-ready", **args)


def _driver_needed(now: Situation, facts: CardFacts) -> Message:
    card = _held_back(now)[0]
    state = driver_state(now.report)
    if state is DriverState.WORKING:
        have = (now.report.driver.version if now.report.driver else None) or "?"
        return message(
            "select-driver-old", card=card.name, have=have, need=_least(now, card, facts) or _goal(now, card)
        )
    if state is DriverState.NO_DEVICES and card.last_branch and _dropped(now, card):
        return message("select-driver-dropped", card=card.name, branch=card.last_branch.branch)
    return message(f"select-driver-{state.value.replace('_', '-')}", card=card.name)


def _cpu_only(now: Situation) -> Message:
    if not now.cards:
        return message("select-cpu-no-card", framework=now.framework.name)
    card = next((card for card in now.cards if not card.integrated), now.cards[0])
    return message("select-cpu-card", framework=now.framework.name, card=card.name)


def _unsupported(now: Situation) -> Message:
    if now.cpu is None:
        return message("select-unsupported-system", framework=now.framework.name, system=_system(now))
    card = next((card for card in now.cards if card.vendor in ("nvidia", "amd") and not card.integrated), now.cards[0])
    return message("select-unsupported-card", framework=now.framework.name, card=card.name)


def _unknown(now: Situation) -> Message:
    if now.waiting():
        return message("select-unknown-driver", card=now.waiting()[0].name)
    kinds = [(card, problem.kind) for fit in now.fits for card, problem in fit.obstacles]
    card = next(card for card, kind in kinds if kind is Kind.CARD_UNKNOWN)
    return message("select-unknown-card", card=card.name, framework=now.framework.name)


# ---------------------------------------------------------------- reasons


def _card_reasons(now: Situation) -> list[Message]:
    reasons = []
    for card in now.cards:
        if card.vendor == "nvidia" and card.assumed:
            reasons.append(message("select-reason-card-assumed", card=card.name, capability=card.capability_text))
        elif card.vendor == "nvidia" and card.capability:
            reasons.append(message("select-reason-card", card=card.name, capability=card.capability_text))
        elif card.vendor == "amd" and card.gfx:
            reasons.append(message("select-reason-gfx", card=card.name, gfx=card.gfx))
        else:
            reasons.append(message("select-reason-card-plain", card=card.name))
    return reasons or [message("select-reason-no-card")]


def _driver_reasons(now: Situation, status: Status, facts: CardFacts) -> list[Message]:
    driver = now.report.driver
    if driver is None or driver.version is None:
        return []
    reasons = []
    nvidia = [card for card in now.cards if card.vendor == "nvidia"]
    if not nvidia:
        return [message("select-reason-driver-no-card", have=driver.version)]
    if now.here.os == "wsl":
        reasons.append(message("select-reason-wsl-driver", have=driver.version))
    else:
        reasons.append(message("select-reason-driver", have=driver.version))
    for card in _held_back(now) if status is Status.DRIVER_NEEDED else now.waiting():
        least = _least(now, card, facts)
        if least is not None and not at_least(driver.version, least):
            reasons.append(message("select-reason-driver-least", card=card.name, need=least))
    for card in nvidia:
        if card.last_branch and _dropped(now, card):
            reasons.append(message("select-reason-driver-dropped", card=card.name, branch=card.last_branch.branch))
    return reasons


def _choice_reasons(now: Situation, status: Status) -> list[Message]:
    reasons = []
    offered = now.offered
    if status is Status.READY:
        build = offered[0].build
        id_ = "select-reason-build" if build.device == "nvidia" else "select-reason-build-plain"
        reasons.append(message(id_, label=build.label, framework=now.framework.name))
        if any(_is_last(build, card) for card in offered[0].served):
            reasons.append(message("select-reason-last", package=now.framework.build_package, version=build.version))
    if others := _left_to_others(now):
        reasons.append(
            message(
                "select-reason-split",
                first=card_names(offered[0].served),
                second=card_names(others),
            )
        )
    hopeful = {card.place for card in (*now.waiting(), *(card for fit in offered for card in fit.served))}
    discrete = any(not card.integrated for card in now.cards)
    for fit in now.fits:
        for card, problem in fit.obstacles:
            for_good = problem.kind in (Kind.PLATFORM, Kind.SYSTEM, Kind.CARD, Kind.CARD_UNKNOWN)
            if card.place in hopeful or (card.integrated and discrete):
                continue
            if fit.build.role == "first" and for_good:
                reasons.append(problem.reason)
    if now.cpu is None:
        reasons.append(message("select-reason-no-build", framework=now.framework.name, system=_system(now)))
    return reasons


def _system(now: Situation) -> str:
    """System and processor: the second may be what no build is made for."""
    return f"{now.report.system.name}, {now.here.machine}"


def _left_to_others(now: Situation) -> list[Card]:
    """NVIDIA cards that the best option does not serve and another one does."""
    offered = now.offered
    if not offered:
        return []
    first = {card.place for card in offered[0].served}
    rest = {card.place: card for fit in offered[1:] for card in fit.served if card.place not in first}
    return [card for card in rest.values() if card.vendor == "nvidia"]


def _is_last(build: Build, card: Card) -> bool:
    below = build.last_for_below
    return below is not None and card.capability is not None and card.capability < numbers(below)


# ---------------------------------------------------------------- what to do


def next_steps(now: Situation, status: Status, facts: CardFacts) -> tuple[Message, ...]:
    """What to do outside the program, in order; the program cannot do any of it."""
    steps: list[Message] = []
    if status is Status.DRIVER_NEEDED or (status is Status.UNKNOWN and now.waiting()):
        steps += _driver_steps(now, _held_back(now)[0], facts)
    elif status is Status.READY:
        for card in now.cards:
            better = now.better_after_update(card)
            if better is not None:
                steps.append(_driver_step(now, card, better.driver[now.here.driver_os], facts))
            elif card.last_branch and card.vendor == "nvidia":
                steps.append(message("select-next-stay-on-branch", card=card.name, branch=card.last_branch.branch))
    elif status is Status.UNKNOWN:
        steps.append(message("select-next-tell-capability"))
    if any(reason.id == "select-reason-hidden" for reason in hidden_cards(now)):
        steps.append(message("select-next-unhide"))
    return _distinct(steps)


def _driver_steps(now: Situation, card: Card, facts: CardFacts) -> list[Message]:
    state = driver_state(now.report)
    os = now.here.os if now.here.os in ("windows", "linux", "wsl") else "linux"
    install = _driver_step(now, card, _goal(now, card), facts)
    again = message("select-next-check-again")
    if state in (DriverState.WORKING, DriverState.MISSING) or _dropped(now, card):
        return [install, message("select-next-restart"), again]
    if state is DriverState.MISMATCH:
        return [message("select-next-restart"), again]
    if state is DriverState.INACCESSIBLE:
        where = "container" if now.report.system.container else os
        return [message(f"select-next-inaccessible-{where}"), again]
    if state is DriverState.NOT_LOADED:
        extra = [message("select-next-secure-boot")] if now.report.system.secure_boot and os == "linux" else []
        return [message("select-next-restart"), *extra, install, again]
    return [message("select-next-restart"), install, again]


def _driver_step(now: Situation, card: Card, need: str, facts: CardFacts) -> Message:
    os = now.here.os if now.here.os in ("windows", "linux", "wsl") else "linux"
    # one driver serves all cards, so the oldest of them sets the limit
    limits = [(one.last_branch.branch, one.name) for one in now.cards if one.last_branch]
    limit, name = min(limits, default=(0, ""))
    if limit >= (branch(need) or 0):
        args: dict[str, Argument] = {"card": name, "branch": limit}
        return message(f"select-next-driver-branch-{os}", **args, need=need, page=facts.driver_page)
    return message(f"select-next-driver-{os}", card=card.name, need=need, page=facts.driver_page)


def _dropped(now: Situation, card: Card) -> bool:
    """True where the installed driver is of a branch that no longer runs the card."""
    driver = now.report.driver
    have = branch(driver.version) if driver and driver.version else None
    return bool(card.last_branch and have and have > card.last_branch.newest)


def _goal(now: Situation, card: Card) -> str:
    """The driver that opens the best build for the card."""
    fits = [fit for fit in now.fits if fit.kind_for(card) in (Kind.DRIVER_OLD, Kind.DRIVER_SILENT)]
    first = [fit for fit in fits if fit.build.role == "first"] or fits
    return first[0].build.driver[now.here.driver_os]


def _held_back(now: Situation) -> tuple[Card, ...]:
    """The cards that wait for a driver, or for a newer one than an outdated build would need."""
    return now.waiting() or tuple(card for fit in now.offered for card in fit.served if card.vendor == "nvidia")


def _least(now: Situation, card: Card, facts: CardFacts) -> str | None:
    """The lowest driver with which a build that is not outdated runs on the card."""
    builds = [
        fit.build
        for fit in now.fits
        if fit.build.device == "nvidia"
        and now.here.platform in fit.build.platforms
        and holds_code(now.framework, fit.build, now.here.platform, card, facts)
    ]
    current = [build for build in builds if not build.outdated] or builds
    return min((build.driver[now.here.driver_os] for build in current), key=numbers, default=None)


def toolkit_notes(report: SystemReport) -> tuple[Message, ...]:
    """The other way, a CUDA Toolkit for the whole system: who needs it, and that nobody else does."""
    notes = [message("select-toolkit-bundled"), message("select-toolkit-who")]
    if any(tool.name == "cuda_toolkit" for tool in report.tools):
        notes.append(message("select-toolkit-no-harm"))
    return tuple(notes)
