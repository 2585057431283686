"""What stands between one card and one build: asked in the order card, then driver."""

from __future__ import annotations

import enum
import re

from gpu_assistant.base.message import Message, message
from gpu_assistant.base.model import Value
from gpu_assistant.detect.report import Driver, DriverState
from gpu_assistant.select.cards import Card, Here, holds_code
from gpu_assistant.select.catalogue import Build, CardFacts, Framework
from gpu_assistant.select.versions import at_least


class Kind(enum.StrEnum):
    """Why a build is closed, from what nothing helps against to what a restart may cure."""

    VENDOR = "vendor"  # no such card here
    PLATFORM = "platform"  # no such build for this system
    SYSTEM = "system"  # the system is too old
    CARD = "card"  # the build has no code for the card
    CARD_UNKNOWN = "card_unknown"  # nobody knows whether it has
    DRIVER_SILENT = "driver_silent"  # the driver does not answer
    DRIVER_OLD = "driver_old"  # the driver is below the build's lowest


class Obstacle(Value, frozen=True, kw_only=True):
    """One closed way and its reason."""

    kind: Kind
    reason: Message


def obstacle(
    framework: Framework, build: Build, card: Card, here: Here, driver: Driver | None, facts: CardFacts
) -> Obstacle | None:
    """The first thing that keeps the build from running on the card; None where nothing does."""
    if build.device != card.vendor:
        return Obstacle(kind=Kind.VENDOR, reason=message(f"select-blocked-no-{build.device}"))
    closed = place_obstacle(build, here) or _code(framework, build, card, here, facts)
    if build.device != "nvidia" or (closed is not None and closed.kind is not Kind.CARD_UNKNOWN):
        return closed
    problem = _driver(build, here, driver)
    if closed is not None and problem is not None and problem.kind is Kind.DRIVER_SILENT:
        return problem  # a driver that answers will also tell what the unknown card is
    return closed or problem


def place_obstacle(build: Build, here: Here) -> Obstacle | None:
    """What keeps the build from this system, whatever card is in it."""
    if here.platform not in build.platforms:
        elsewhere = build.elsewhere.get(here.platform)
        reason = message(elsewhere) if elsewhere else message("select-blocked-platform", label=build.label)
        return Obstacle(kind=Kind.PLATFORM, reason=reason)
    floor = build.system_floor.get(here.os)
    have = str(here.windows_build) if here.os == "windows" and here.windows_build else here.version
    if floor and have and (here.os != "windows" or here.windows_build) and not at_least(have, floor):
        return Obstacle(kind=Kind.SYSTEM, reason=message(f"select-blocked-old-{here.os}", need=floor, have=have))
    return None


def _code(framework: Framework, build: Build, card: Card, here: Here, facts: CardFacts) -> Obstacle | None:
    if build.device == "nvidia":
        holds = holds_code(framework, build, here.platform, card, facts)
        if holds is None:
            return Obstacle(kind=Kind.CARD_UNKNOWN, reason=message("select-blocked-card-unknown", card=card.name))
        if not holds:
            reason = message("select-blocked-card", card=card.name, capability=card.capability_text, label=build.label)
            return Obstacle(kind=Kind.CARD, reason=reason)
    if build.gfx and card.gfx is None and not card.integrated:
        return Obstacle(kind=Kind.CARD_UNKNOWN, reason=message("select-blocked-gfx-unknown", card=card.name))
    if build.gfx and card.gfx not in build.gfx:
        reason = message("select-blocked-gfx", card=card.name, gfx=card.gfx or "?", label=build.label)
        return Obstacle(kind=Kind.CARD, reason=reason)
    if build.names and not any(re.search(name, card.name, re.IGNORECASE) for name in build.names):
        return Obstacle(kind=Kind.CARD, reason=message("select-blocked-name", card=card.name, label=build.label))
    return None


def _driver(build: Build, here: Here, driver: Driver | None) -> Obstacle | None:
    state = driver.state if driver else DriverState.MISSING
    if driver is None or state is not DriverState.WORKING:
        return Obstacle(
            kind=Kind.DRIVER_SILENT, reason=message(f"select-blocked-driver-{state.value.replace('_', '-')}")
        )
    need = build.driver[here.driver_os]
    if driver.version is None:
        return Obstacle(kind=Kind.DRIVER_SILENT, reason=message("select-blocked-driver-unknown"))
    if not at_least(driver.version, need):
        reason = message("select-blocked-driver-old", label=build.label, have=driver.version, need=need)
        return Obstacle(kind=Kind.DRIVER_OLD, reason=reason)
    return None
