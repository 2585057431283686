"""Every GPU build of a framework against every card of a computer: what the verdict is drawn from."""

from __future__ import annotations

import msgspec

from gpu_assistant.base.message import Message, message
from gpu_assistant.base.model import Value
from gpu_assistant.detect.report import DriverState, SystemReport
from gpu_assistant.select.cards import Card, Here, cards, here
from gpu_assistant.select.catalogue import Build, CardFacts, Framework, frameworks
from gpu_assistant.select.obstacles import Kind, Obstacle, obstacle, place_obstacle

_DEVICES = ("nvidia", "amd", "intel", "apple")  # whose card is asked first where a computer has several


class Fit(Value, frozen=True, kw_only=True):
    """One GPU build: the cards it runs on now, and what keeps it from the others."""

    build: Build
    served: tuple[Card, ...]
    obstacles: tuple[tuple[Card, Obstacle], ...]

    def kind_for(self, card: Card) -> Kind | None:
        """What keeps the build from that card."""
        return next((problem.kind for other, problem in self.obstacles if other.place == card.place), None)


class Situation(Value, frozen=True, kw_only=True):
    """Everything that the sentences of a verdict are made of."""

    framework: Framework
    report: SystemReport
    here: Here
    cards: tuple[Card, ...]
    fits: tuple[Fit, ...]  # in the catalogue's order
    cpu: Build | None  # the build that needs no card

    @property
    def offered(self) -> tuple[Fit, ...]:
        """GPU builds that run now, best first; a fallback only where nothing better serves one of its cards."""
        served = {card.place for fit in self.fits if fit.build.role != "fallback" for card in fit.served}
        kept = [
            fit
            for fit in self.fits
            if (fit.served and fit.build.role != "fallback") or any(card.place not in served for card in fit.served)
        ]
        return tuple(sorted(kept, key=_rank))

    def waiting(self) -> tuple[Card, ...]:
        """NVIDIA cards that only the driver keeps from every build they could use."""
        return tuple(
            card
            for card in self.cards
            if card.vendor == "nvidia"
            and not any(card.place == other.place for fit in self.offered for other in fit.served)
            and any(fit.kind_for(card) in (Kind.DRIVER_OLD, Kind.DRIVER_SILENT) for fit in self.fits)
        )

    def better_after_update(self, card: Card) -> Build | None:
        """The best build that a newer driver would open for the card, if a driver that new still runs it."""
        for fit in self.fits:
            if card.place in {other.place for other in fit.served} and fit.build.role == "first":
                return None
            if fit.build.role == "first" and fit.kind_for(card) is Kind.DRIVER_OLD:
                return fit.build
        return None


def _rank(fit: Fit) -> tuple[int, int, tuple[int, ...]]:
    """Most cards first, then the newest card; among equals the catalogue's order stays."""
    newest = max((card.capability or () for card in fit.served), default=())
    return _DEVICES.index(fit.build.device), -len(fit.served), tuple(-number for number in newest)


def resolve(framework: Framework) -> Framework:
    """The framework with the builds of the one it is put on top of."""
    if framework.on is None:
        return framework
    base = resolve(frameworks()[framework.on])
    return msgspec.structs.replace(
        framework,
        build=tuple(_narrowed(build, framework) for build in base.build),
        release=base.release,
        code=base.code,
        index=base.index,
        index_hosts=base.index_hosts,
        build_package=base.build_package,
        wheel_folder_extra=base.wheel_folder_extra,
        small_bytes=base.small_bytes,
        plain_install_is_cpu_on=base.plain_install_is_cpu_on,
    )


def _narrowed(build: Build, framework: Framework) -> Build:
    """The build where what is put on top of it runs too."""
    if not framework.platforms:
        return build
    return msgspec.structs.replace(
        build,
        platforms=tuple(platform for platform in build.platforms if platform in framework.platforms),
        elsewhere=build.elsewhere | framework.elsewhere,
    )


def survey(report: SystemReport, framework: Framework, facts: CardFacts) -> Situation:
    """Asks every build of the framework about every card."""
    framework = resolve(framework)
    place = here(report)
    known = cards(report, facts)
    fits = []
    for build in framework.build:
        if build.device == "cpu":
            continue
        found = [(card, obstacle(framework, build, card, place, report.driver, facts)) for card in known]
        fits.append(
            Fit(
                build=build,
                served=tuple(card for card, problem in found if problem is None),
                obstacles=tuple((card, problem) for card, problem in found if problem is not None),
            )
        )
    cpu = next((row for row in framework.build if row.device == "cpu" and place_obstacle(row, place) is None), None)
    return Situation(framework=framework, report=report, here=place, cards=known, fits=tuple(fits), cpu=cpu)


def driver_state(report: SystemReport) -> DriverState:
    """What the NVIDIA driver says; one that works but does not tell its number counts as unknown."""
    if report.driver is None:
        return DriverState.MISSING
    if report.driver.state is DriverState.WORKING and report.driver.version is None:
        return DriverState.UNKNOWN
    return report.driver.state


def hidden_cards(now: Situation) -> list[Message]:
    """What the variable that hides NVIDIA cards from programs does here; empty where it is not set."""
    value = now.report.environment.get("CUDA_VISIBLE_DEVICES")
    if value is None or not any(card.vendor == "nvidia" for card in now.cards):
        return []
    hides_all = value.strip().strip("\"'") in ("", "-1", "NoDevFiles")
    return [message("select-reason-hidden" if hides_all else "select-reason-some-hidden", value=value)]
