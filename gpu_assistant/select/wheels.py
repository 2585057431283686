"""A folder of wheels that is looked at first: a USB stick for a computer without a network, or a download kept."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import InvalidWheelFilename, canonicalize_name, parse_wheel_filename
from packaging.version import Version

from gpu_assistant.base.model import Value
from gpu_assistant.select.cards import Card, Here, holds_code
from gpu_assistant.select.catalogue import Build, CardFacts, Framework
from gpu_assistant.select.versions import numbers

_SYSTEM_TAGS = {
    "windows-x86_64": ("win_amd64",),
    "windows-aarch64": ("win_arm64",),
    "linux-x86_64": ("linux", "x86_64"),
    "wsl-x86_64": ("linux", "x86_64"),
    "linux-aarch64": ("linux", "aarch64"),
    "macos-aarch64": ("macosx", "arm64"),
    "macos-x86_64": ("macosx", "x86_64"),
}


class Wheel(Value, frozen=True, kw_only=True):
    """What a wheel's file name says."""

    file: str
    name: str
    version: str
    pythons: tuple[str, ...]  # "3.11"; empty: any


def list_wheels(folder: str) -> tuple[str, ...]:
    """The names of the wheels in a folder, for `make_plan`; none where it is not set or cannot be read."""
    if not folder:
        return ()
    try:
        return tuple(sorted(path.name for path in Path(folder).glob("*.whl")))
    except OSError:
        return ()


def wheels_for(files: Iterable[str], place: Here) -> tuple[Wheel, ...]:
    """The wheels among the file names that fit this system; anything else is passed over."""
    found = []
    for file in files:
        try:
            name, version, _, tags = parse_wheel_filename(file)
        except (InvalidWheelFilename, ValueError):
            continue
        wanted = _SYSTEM_TAGS.get(place.platform, ())
        if not any(tag.platform == "any" or all(part in tag.platform for part in wanted) for tag in tags):
            continue
        pythons = {_python(tag.interpreter) for tag in tags}
        found.append(
            Wheel(
                file=file,
                name=canonicalize_name(name),
                version=str(version),
                pythons=() if None in pythons else tuple(sorted(text for text in pythons if text)),
            )
        )
    return tuple(found)


def _python(interpreter: str) -> str | None:
    digits = interpreter[2:]
    if not interpreter.startswith("cp") or len(digits) < 2:
        return None
    return f"{digits[0]}.{digits[1:]}"


class LocalBuild(Value, frozen=True, kw_only=True):
    """A build package in the folder, and what else of its family lies beside it."""

    packages: tuple[str, ...]
    python: str | None  # None: any Python of the build
    version: str
    missing: tuple[str, ...]  # packages of the plan that the folder lacks and that must fit exactly


def local_build(
    framework: Framework,
    build: Build,
    wheels: Sequence[Wheel],
    place: Here,
    served: Sequence[Card],
    facts: CardFacts,
    preferred: str,
) -> LocalBuild | None:
    """The newest wheel of the build in the folder that runs on every card the option serves."""
    fitting = [
        wheel
        for wheel in wheels
        if wheel.name == framework.build_package
        and _is_of(build, wheel, framework, place)
        and all(holds_code(framework, build, place.platform, card, facts, wheel.version) for card in served)
    ]
    if not fitting:
        return None
    best = max(fitting, key=lambda wheel: (Version(wheel.version), preferred in wheel.pythons))
    python = _choose(best.pythons, preferred)
    release = framework.release_of(best.version)
    packages, missing = [f"{best.name}=={best.version}"], []
    for name in _names(build.packages):
        if name == framework.build_package:
            continue
        versions = release.companions.get(name, ()) if release else ()
        mate = next((w for w in wheels if w.name == name and _fits(w, build, python, versions)), None)
        if mate is None:
            missing.append(name)
        else:
            packages.append(f"{mate.name}=={mate.version}")
    return LocalBuild(packages=tuple(packages), python=python, version=best.version, missing=tuple(missing))


def _is_of(build: Build, wheel: Wheel, framework: Framework, place: Here) -> bool:
    """Whether a wheel is that build. The default index's wheel carries no tag, and on some systems is the CPU build."""
    tag = Version(wheel.version).local
    if build.tag is None or tag == build.tag:
        return True
    return tag is None and build.device == "cpu" and place.os in framework.plain_install_is_cpu_on


def _choose(pythons: Sequence[str], preferred: str) -> str | None:
    if not pythons or preferred in pythons:
        return preferred if pythons else None
    return max(pythons, key=numbers)


def _fits(wheel: Wheel, build: Build, python: str | None, versions: Sequence[str]) -> bool:
    version = Version(wheel.version)
    return (
        (not versions or version.public in versions)
        and (build.tag is None or version.local in (None, build.tag))
        and (not wheel.pythons or python is None or python in wheel.pythons)
    )


def _names(requirements: Iterable[str]) -> list[str]:
    return [canonicalize_name(Requirement(text).name) for text in requirements]
