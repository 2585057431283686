"""Proves an environment in a child of its own: packages import, versions and build tag are the planned ones."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec
from packaging.requirements import Requirement

from gpu_assistant.base.message import Message, message
from gpu_assistant.base.model import Value, from_json

# Runs in the user's interpreter, so it knows nothing of ours. Stray prints of a framework go to stderr.
PROBE = """\
import importlib, importlib.metadata, json, os, sys, traceback
answer = os.fdopen(os.dup(1), "w", encoding="utf-8")
os.dup2(2, 1)
modules, packages = json.loads(sys.argv[1]), json.loads(sys.argv[2])
found = {"python": sys.version.split()[0], "prefix": sys.prefix, "versions": {}, "modules": {}, "errors": {}}
for name in packages:
    try:
        found["versions"][name] = importlib.metadata.version(name)
    except Exception as error:
        found["errors"][name] = "{}: {}".format(type(error).__name__, error)
for name in modules:
    try:
        found["modules"][name] = str(getattr(importlib.import_module(name), "__version__", ""))
    except BaseException as error:
        traceback.print_exc()
        found["errors"][name] = "{}: {}".format(type(error).__name__, error)
answer.write(json.dumps(found) + "\\n")
answer.close()
"""


class Found(Value, frozen=True, kw_only=True):
    """The probe's answer. `versions` by package from the metadata, `modules` by module from `__version__`."""

    python: str
    prefix: str
    versions: dict[str, str] = {}
    modules: dict[str, str] = {}
    errors: dict[str, str] = {}


def probe_argv(python: Path, modules: tuple[str, ...], packages: tuple[str, ...]) -> list[str]:
    """The child that looks."""
    listed = [msgspec.json.encode(names).decode() for names in (modules, packages)]
    return [str(python), "-X", "utf8", "-I", "-c", PROBE, *listed]


def read_found(lines: Sequence[str]) -> Found | None:
    """The answer in the probe's output; None when it died before it could answer."""
    for line in reversed(lines):
        try:
            return from_json(line, Found)
        except msgspec.DecodeError:
            continue
    return None


def build_tag(found: Found, package: str) -> str | None:
    """The build that the installed package tells: the local part of its version, by itself or by its metadata."""
    for version in (found.modules.get(package), found.versions.get(package)):
        if version and "+" in version:
            return version.split("+", 1)[1]
    return None


def requirement_names(requirements: tuple[str, ...]) -> tuple[str, ...]:
    """The packages that requirements name: "transformers[torch]>=5" names "transformers"."""
    return tuple(Requirement(requirement).name for requirement in requirements)


def judge_found(found: Found, *, build: str, build_package: str, packages: tuple[str, ...]) -> Message | None:
    """What is wrong with an environment; None if it is what the plan wanted."""
    for name, error in found.errors.items():
        return message("install-verify-import", module=name, detail=error)
    for requirement in map(Requirement, packages):
        have = found.versions.get(requirement.name, "")
        if not requirement.specifier.contains(have, prereleases=True):
            return message(
                "install-verify-version", package=requirement.name, have=have, want=str(requirement.specifier)
            )
    tag = build_tag(found, build_package) if build_package else None
    if build_package and tag != build:
        return message("install-verify-build", package=build_package, have=tag or "-", want=build)
    return None
