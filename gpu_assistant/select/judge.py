"""From a report and a framework to a verdict: the card first, then driver and system, then the newest build."""

from __future__ import annotations

from gpu_assistant.base.message import Message, message
from gpu_assistant.detect.report import DriverState, SystemReport
from gpu_assistant.select.advice import explain, next_steps
from gpu_assistant.select.cards import card_names
from gpu_assistant.select.catalogue import Build, CardFacts, Framework, card_facts
from gpu_assistant.select.obstacles import Kind
from gpu_assistant.select.plan import BlockedOption, Option, Status, Verdict
from gpu_assistant.select.situation import Fit, Situation, driver_state, survey


def judge(report: SystemReport, framework: Framework, facts: CardFacts | None = None) -> Verdict:
    """What this computer can do with the framework now, why, and what would open more."""
    facts = facts or card_facts()
    now = survey(report, framework, facts)
    status = _status(now)
    sentence, reasons = explain(now, status, facts)
    return Verdict(
        status=status,
        framework=framework.id,
        sentence=sentence,
        reasons=reasons,
        options=_options(now, status),
        blocked=_blocked(now),
        next_steps=next_steps(now, status, facts),
    )


def _status(now: Situation) -> Status:
    offered = now.offered
    waiting = now.waiting()
    if waiting and not any(fit.build.device == "nvidia" for fit in offered):
        unknown = driver_state(now.report) is DriverState.UNKNOWN
        return Status.UNKNOWN if unknown else Status.DRIVER_NEEDED
    if offered:
        return Status.DRIVER_NEEDED if all(_only_for_now(now, fit) for fit in offered) else Status.READY
    if now.cpu is None:
        return Status.UNSUPPORTED
    kinds = {(problem.kind, card.vendor) for fit in now.fits for card, problem in fit.obstacles if not card.integrated}
    if any(kind is Kind.CARD_UNKNOWN for kind, _ in kinds):
        return Status.UNKNOWN
    too_old = any(kind is Kind.CARD and vendor in ("nvidia", "amd") for kind, vendor in kinds)
    return Status.UNSUPPORTED if too_old else Status.CPU_ONLY


def _only_for_now(now: Situation, fit: Fit) -> bool:
    """True for a build that works but that a newer driver should replace before anything is downloaded."""
    return fit.build.outdated and any(now.better_after_update(card) for card in fit.served)


def _options(now: Situation, status: Status) -> tuple[Option, ...]:
    options = []
    recommended = status is Status.READY
    for fit in now.offered:
        options.append(
            Option(
                id=fit.build.id,
                title=_title(fit.build),
                reasons=_option_reasons(now, fit),
                recommended=recommended and fit.build.role != "alternative",
                gpus=tuple(card.place for card in fit.served),
            )
        )
        recommended = recommended and not options[-1].recommended
    if now.cpu is not None:
        alone = status in (Status.CPU_ONLY, Status.UNSUPPORTED)
        reason = message("select-option-cpu-only" if alone else "select-option-cpu")
        options.append(Option(id=now.cpu.id, title=_title(now.cpu), reasons=(reason,), recommended=alone))
    return tuple(options)


def _option_reasons(now: Situation, fit: Fit) -> tuple[Message, ...]:
    build = fit.build
    reasons = [message("select-option-serves", cards=card_names(fit.served))]
    if build.role == "alternative":
        reasons.append(message("select-option-alternative"))
    if build.last_for_below is not None or build.role == "fallback":
        reasons.append(message("select-option-last", package=now.framework.build_package, version=build.version))
    if _only_for_now(now, fit):
        reasons.append(message("select-option-outdated"))
    return tuple(reasons)


def _title(build: Build) -> Message:
    return message(f"select-title-{build.device}", label=build.label)


def _blocked(now: Situation) -> tuple[BlockedOption, ...]:
    """The closed ways: all of a vendor whose card is here, the first one of a vendor whose card is not."""
    blocked: list[BlockedOption] = []
    absent: set[str] = set()
    for fit in now.fits:
        build = fit.build
        if fit.served or build.role == "fallback" or any(build.id == other.id for other in blocked):
            continue
        here = [problem for card, problem in fit.obstacles if card.vendor == build.device]
        if here:
            # of several cards the one that comes closest tells what would help
            reason = max(here, key=lambda problem: list(Kind).index(problem.kind)).reason
        elif build.device in absent:
            continue
        else:
            absent.add(build.device)
            reason = message(f"select-blocked-no-{build.device}")
        blocked.append(BlockedOption(id=build.id, title=_title(build), reason=reason))
    return tuple(blocked)
