"""The catalogue: one folder of `resources/frameworks` per framework, read strictly.

A framework offers builds (rows in order of preference) and knows facts (releases, and for which chips a build holds
code). What a build asks of a computer stands in its row, so that another build or framework is another entry.
"""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Literal

from packaging.requirements import InvalidRequirement, Requirement
from packaging.version import Version

from gpu_assistant.base.model import Value
from gpu_assistant.base.resources import BadData, Complaint, read_toml, resource_root
from gpu_assistant.base.texts import Sentence
from gpu_assistant.select.versions import PythonRange

Device = Literal["nvidia", "amd", "intel", "apple", "cpu"]
Role = Literal["first", "alternative", "fallback"]


class ExtraPackages(Value, frozen=True, kw_only=True):
    """Packages that only cards below a compute capability need."""

    below: str
    packages: tuple[str, ...]


class Build(Value, frozen=True, kw_only=True):
    """One way to install a framework, and what it asks of the computer."""

    id: str
    device: Device
    label: str  # "CUDA 13.0"
    path: str | None = None  # folder of the framework's index; None: the default package index
    tag: str | None = None  # local version that the build package carries; None: it carries none
    version: str  # newest version of the build package that is known here
    packages: tuple[str, ...]
    python: str  # "3.10-3.14"
    platforms: tuple[str, ...]  # "windows-x86_64", "wsl-x86_64", ...
    driver: dict[str, str] = {}  # lowest NVIDIA driver for "windows" (WSL too) and "linux"
    lowest_capability: str | None = None  # where the build's own list of chips is not known
    gfx: tuple[str, ...] = ()  # AMD chips
    names: tuple[str, ...] = ()  # patterns, one of which a card's name must hold
    system_floor: dict[str, str] = {}  # lowest Windows build or macOS version
    role: Role = "first"  # alternative: offered, never recommended; fallback: only where nothing else serves the card
    outdated: bool = False  # works, but a newer driver for a newer build comes first
    last_for_below: str | None = None  # no later release serves cards below this compute capability
    extra: tuple[ExtraPackages, ...] = ()
    companion: str | None = None  # package that only the GPU variant brings; its absence means the GPU part is lost
    elsewhere: dict[str, str] = {}  # platform -> text that says where this device is served instead
    download_bytes: dict[str, int] = {}  # by operating system
    unpack_factor: float | None = None  # unpacked size over download, where it differs from the framework's

    @property
    def pythons(self) -> PythonRange:
        """The Pythons that have wheels."""
        return PythonRange(self.python)

    @property
    def code_key(self) -> str:
        """Under which `path` the [[code]] rows tell the chips of this build."""
        return self.path or self.id


class Release(Value, frozen=True, kw_only=True):
    """A version of the build package, its Pythons and the versions of the packages that belong to it."""

    version: str
    released: str | None = None
    python: str
    companions: dict[str, tuple[str, ...]] = {}


class Code(Value, frozen=True, kw_only=True):
    """The compute capabilities inside the builds of one index, from one version to another."""

    path: str
    platforms: tuple[str, ...]
    first: str
    last: str
    sm: tuple[str, ...]
    ptx: tuple[str, ...] = ()
    certainty: str = "verified"
    note: str = ""


class Framework(Value, frozen=True, kw_only=True):
    """One framework: its offers and its facts."""

    id: str
    name: str
    as_of: str  # the day on which the facts were true
    about: Sentence
    index: str | None = None  # the framework's own package index, before a build's `path`
    index_hosts: tuple[str, ...] = ()
    build_package: str
    family: tuple[str, ...]  # packages that are replaced together
    verify_imports: tuple[str, ...]
    verify_code: str
    preferred_python: str
    on: str | None = None  # another framework whose builds this one is put on top of
    packages: tuple[str, ...] = ()  # from the default index, after the build
    python: str | None = None  # the range of these packages
    platforms: tuple[str, ...] = ()  # where these packages run; empty: wherever the builds do
    elsewhere: dict[str, str] = {}  # platform -> text that says which road leads to it from there
    download_bytes: int = 0  # of these packages
    wheels_only: bool = True
    wheel_folder_extra: tuple[str, ...] = ()
    unpack_factor: float = 2.2  # unpacked size over download; an estimate
    small_bytes: int = 0  # what a build needs beside the build package, downloaded
    plain_install_is_cpu_on: tuple[str, ...] = ()
    build: tuple[Build, ...] = ()
    release: tuple[Release, ...] = ()
    code: tuple[Code, ...] = ()

    def code_for(self, path: str, platform: str, version: str) -> Code | None:
        """For which chips that build holds code; None: not established."""
        for row in self.code:
            if row.path == path and platform in row.platforms and _between(version, row.first, row.last):
                return row
        return None

    def release_of(self, version: str) -> Release | None:
        """The facts of one release."""
        return next((row for row in self.release if Version(row.version) == Version(Version(version).public)), None)


def _between(version: str, first: str, last: str) -> bool:
    return Version(first) <= Version(Version(version).public) <= Version(last)


class LastBranch(Value, frozen=True, kw_only=True):
    """The last driver branch for cards below a compute capability."""

    below: str
    branch: int
    newest: int  # the first number of the branch's newest drivers


class UnknownCard(Value, frozen=True, kw_only=True):
    """What may be said of a card nobody knows: a driver of this branch runs only cards of this capability and up."""

    driver_branch: int
    capability: str


class NamedChip(Value, frozen=True, kw_only=True):
    """An AMD product (a pattern over its name) and its chip."""

    name: str
    gfx: str


class NamedCapability(Value, frozen=True, kw_only=True):
    """A family of products (a pattern over their names) and its compute capability."""

    name: str
    capability: str


class CardFacts(Value, frozen=True, kw_only=True):
    """Facts about cards and drivers that no single framework owns."""

    as_of: str
    embedded: tuple[str, ...]
    unknown_card: UnknownCard
    driver_page: str
    last_branch: tuple[LastBranch, ...]
    capability: tuple[NamedCapability, ...] = ()
    amd: tuple[NamedChip, ...] = ()


@functools.cache
def card_facts() -> CardFacts:
    """The shipped facts about cards."""
    return read_toml(resource_root() / "compat" / "cards.toml", CardFacts)


@functools.cache
def frameworks() -> dict[str, Framework]:
    """Every framework by id: PyTorch first, then those that stand alone, then those on top of another."""
    return load_frameworks(resource_root() / "frameworks")


def load_frameworks(folder: Path) -> dict[str, Framework]:
    """Reads every `*/framework.toml`. Raises `BadData` with all complaints at once."""
    raw: dict[str, Framework] = {}
    complaints: list[Complaint] = []
    for path in sorted(folder.glob("*/framework.toml")):
        try:
            framework = read_toml(path, Framework)
        except BadData as error:
            complaints += error.complaints
            continue
        complaints += check_framework(f"{path.parent.name}/framework.toml", path.parent.name, framework)
        raw[framework.id] = framework
    complaints += [
        Complaint(f"{row.id}/framework.toml", "", "on", f'unknown framework "{row.on}"')
        for row in raw.values()
        if row.on is not None and row.on not in raw
    ]
    if complaints:
        raise BadData(complaints)
    return {id_: raw[id_] for id_ in sorted(raw, key=lambda id_: (raw[id_].on is not None, id_ != "pytorch", id_))}


def check_framework(file: str, folder: str, framework: Framework) -> list[Complaint]:
    """What is wrong with one framework beyond the types: requirements, ranges, twins, missing facts."""
    complaints = []
    if framework.id != folder:
        complaints.append(Complaint(file, "", "id", f'must be the folder\'s name, "{folder}"'))
    seen: set[tuple[str, str]] = set()
    for build in framework.build:
        for platform in build.platforms:
            if (build.id, platform) in seen:
                complaints.append(Complaint(file, build.id, "platforms", f"{platform} is there twice"))
            seen.add((build.id, platform))
        complaints += _check_requirements(file, build.id, build.packages)
        complaints += _check_build(file, framework, build)
    complaints += _check_requirements(file, "", framework.packages)
    if bool(framework.on) == bool(framework.build):
        complaints.append(Complaint(file, "", "build", "either rows of its own, or `on` another framework"))
    return complaints


def _check_build(file: str, framework: Framework, build: Build) -> list[Complaint]:
    complaints = []
    try:
        if framework.preferred_python not in build.pythons and build.device == "cpu":
            complaints.append(Complaint(file, build.id, "python", "the CPU build must have the preferred Python"))
    except ValueError as error:
        complaints.append(Complaint(file, build.id, "python", str(error)))
    if build.path is not None and framework.index is None:
        complaints.append(Complaint(file, build.id, "path", "the framework names no index"))
    if build.device != "nvidia":
        return complaints
    for platform in build.platforms:
        driver_os = "linux" if platform.startswith("linux") else "windows"
        if driver_os not in build.driver:
            complaints.append(Complaint(file, build.id, "driver", f"no lowest driver for {driver_os}"))
        if build.lowest_capability is None and framework.code_for(build.code_key, platform, build.version) is None:
            complaints.append(
                Complaint(file, build.id, "version", f"no [[code]] row for {build.version} on {platform}")
            )
    return complaints


def _check_requirements(file: str, entry: str, packages: tuple[str, ...]) -> list[Complaint]:
    complaints = []
    for text in packages:
        try:
            Requirement(text)
        except InvalidRequirement as error:
            complaints.append(Complaint(file, entry, "packages", f"{text}: {error}"))
    return complaints
