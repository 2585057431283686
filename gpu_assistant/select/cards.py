"""The cards of a report as selection sees them, and whether a build holds code for them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from gpu_assistant.base.model import Value
from gpu_assistant.detect.gpus import KnownGpu, find_gpu, gpu_table, plain_name
from gpu_assistant.detect.report import Gpu, SystemReport, Vendor
from gpu_assistant.select.catalogue import Build, CardFacts, Framework, LastBranch
from gpu_assistant.select.versions import Numbers, branch, numbers


class Here(Value, frozen=True, kw_only=True):
    """Where the framework is to run."""

    os: str  # windows | linux | wsl | macos | other
    machine: str  # x86_64 | aarch64
    windows_build: int | None = None
    version: str | None = None

    @property
    def platform(self) -> str:
        """The key of the catalogue: "windows-x86_64"."""
        return f"{self.os}-{self.machine}"

    @property
    def driver_os(self) -> str:
        """Whose driver numbers count: in WSL the Windows driver serves."""
        return "windows" if self.os == "wsl" else self.os

    @property
    def size_os(self) -> str:
        """Whose wheels are downloaded: WSL takes those of Linux."""
        return "linux" if self.os == "wsl" else self.os


_MACHINES = {"amd64": "x86_64", "x64": "x86_64", "arm64": "aarch64"}


def here(report: SystemReport) -> Here:
    """The place that a report describes."""
    system = report.system
    machine = system.machine.lower()
    return Here(
        os=system.os,
        machine=_MACHINES.get(machine, machine),
        windows_build=system.build,
        version=system.version,
    )


class Card(Value, frozen=True, kw_only=True):
    """One card with what the choice needs to know."""

    place: int  # in `SystemReport.gpus`
    vendor: Vendor
    name: str
    capability: Numbers | None = None  # NVIDIA
    assumed: bool = False  # the capability is a lower bound drawn from the driver
    gfx: str | None = None  # AMD
    integrated: bool = False
    last_branch: LastBranch | None = None  # the last drivers that still run the card; None: current ones do

    @property
    def capability_text(self) -> str:
        """ "8.9", or an empty text."""
        return ".".join(map(str, self.capability or ()))


def cards(report: SystemReport, facts: CardFacts) -> tuple[Card, ...]:
    """All cards of a report."""
    driver = report.driver.version if report.driver else None
    return tuple(_card(place, gpu, driver, facts) for place, gpu in enumerate(report.gpus))


def _card(place: int, gpu: Gpu, driver: str | None, facts: CardFacts) -> Card:
    if gpu.vendor != "nvidia":
        other = gpu_table().other_by_name(gpu.name)
        gfx = gpu.gfx or (other.gfx if other else None) or _gfx(gpu.name, facts)
        integrated = gpu.integrated if gpu.integrated is not None else bool(other and other.integrated)
        return Card(
            place=place,
            vendor=gpu.vendor,
            name=gpu.name,
            gfx=gfx if gpu.vendor == "amd" else None,
            integrated=integrated,
        )
    capability = gpu.compute_capability or known_capability(gpu.name, facts)
    assumed = False
    if capability is None and driver and (branch(driver) or 0) >= facts.unknown_card.driver_branch:
        capability, assumed = facts.unknown_card.capability, True
    known = numbers(capability) if capability else None
    return Card(
        place=place,
        vendor=gpu.vendor,
        name=gpu.name,
        capability=known,
        assumed=assumed,
        last_branch=last_branch(known, facts),
    )


def known_capability(name: str, facts: CardFacts) -> str | None:
    """The compute capability of a product name as people write it; None where the tables do not know it.

    "RTX 4060 Laptop" and "Tesla V100" are enough, as long as everything they may mean has one capability.
    """
    row = find_gpu(name)
    if row is not None and row.compute_capability is not None:
        return row.compute_capability
    wanted = _words(name)
    if any(re.search(r"\d", word) for word in wanted):
        for may_mean in (_starts, _ends):
            found = {row.compute_capability for row in gpu_table().known if may_mean(wanted, row)}
            if len(found) == 1 and None not in found:
                return found.pop()
    return next((row.capability for row in facts.capability if re.search(row.name, name, re.IGNORECASE)), None)


# What spellings of one product differ in.
_NOISE = {"gpu", "edition", "with", "design"}


def _words(name: str) -> list[str]:
    plain = re.sub(r"\b\d+ ?gb\b", " ", plain_name(name))
    return [word for word in plain.split() if word not in _NOISE]


def _starts(wanted: list[str], row: KnownGpu) -> bool:
    return any(_words(spelling)[: len(wanted)] == wanted for spelling in (row.name, *row.aliases))


def _ends(wanted: list[str], row: KnownGpu) -> bool:
    return any(_words(spelling)[-len(wanted) :] == wanted for spelling in (row.name, *row.aliases))


def _gfx(name: str, facts: CardFacts) -> str | None:
    return next((chip.gfx for chip in facts.amd if re.search(chip.name, name, re.IGNORECASE)), None)


def last_branch(capability: Numbers | None, facts: CardFacts) -> LastBranch | None:
    """The last driver branch for a compute capability; None where current branches serve it."""
    if capability is None:
        return None
    return next((row for row in facts.last_branch if capability < numbers(row.below)), None)


def runs_code(code: str, capability: Numbers, facts: CardFacts) -> bool:
    """True where native code built for one compute capability runs on another: same major, minor not above.

    Embedded chips run only code built for them, and nothing else runs theirs.
    """
    have = numbers(code)
    embedded = {numbers(text) for text in facts.embedded}
    if have in embedded or capability in embedded:
        return have == capability
    return have[0] == capability[0] and have[1] <= capability[1]


def holds_code(
    framework: Framework, build: Build, platform: str, card: Card, facts: CardFacts, version: str | None = None
) -> bool | None:
    """Whether the build runs on an NVIDIA card; None where that is not established."""
    if card.capability is None or (card.assumed and build.last_for_below is not None):
        return None
    row = framework.code_for(build.code_key, platform, version or build.version)
    if row is not None:
        return any(runs_code(code, card.capability, facts) for code in row.sm)
    if build.lowest_capability is not None:
        return card.capability >= numbers(build.lowest_capability)
    return None


def card_names(cards: Iterable[Card]) -> str:
    """The names of cards in one line: "2 × RTX 3090, GTX 1080"."""
    counted = Counter(card.name for card in cards)
    return ", ".join(name if count == 1 else f"{count} × {name}" for name, count in counted.items())
