"""What is settled before a plan is written: the build behind an option, wheels that are at hand, and the Python."""

from __future__ import annotations

from collections.abc import Sequence

from gpu_assistant.base.model import Value
from gpu_assistant.base.settings import Settings
from gpu_assistant.detect.report import PythonEnvironment, SystemReport
from gpu_assistant.select.cards import Card
from gpu_assistant.select.catalogue import Build, CardFacts, Framework
from gpu_assistant.select.place import pure_path
from gpu_assistant.select.situation import Situation
from gpu_assistant.select.versions import PythonRange, numbers
from gpu_assistant.select.wheels import LocalBuild, local_build, wheels_for

# Kinds that can be the base of an environment, best first. The Store's Python hides its files from other programs, one
# of conda loses its libraries outside conda, and an environment may go away with its project.
_BASES = ("ours", "uv", "system", "pyenv", "other")


class ClosedOption(ValueError):
    """The option is not open on this computer, or unknown."""


class Choice(Value, frozen=True, kw_only=True):
    """The build behind an option, with what was settled about it."""

    build: Build
    served: tuple[Card, ...]
    local: LocalBuild | None
    python: str  # "3.12"
    python_is_here: bool  # nothing has to be downloaded for it
    interpreter: str | None = None  # path of the Python that is here


def choose(option: str, now: Situation, settings: Settings, wheels: Sequence[str], facts: CardFacts) -> Choice:
    """The build behind an option and its Python. Raises `ClosedOption`."""
    build, served = _build(option, now)
    framework = now.framework
    files = wheels_for(wheels, now.here)
    local = local_build(framework, build, files, now.here, served, facts, framework.preferred_python)
    bases = _bases(now.report)
    if local is not None and local.python is not None:
        python = local.python
    else:
        python = _python(build, framework, bases, offline=settings.offline)
    base = next((base for base in bases if _minor(base) == python), None)
    absolute = base is not None and pure_path(now.report, base.executable).is_absolute()
    return Choice(
        build=build,
        served=served,
        local=local,
        python=python,
        python_is_here=base is not None,
        interpreter=base.executable if base is not None and absolute else None,
    )


def _build(option: str, now: Situation) -> tuple[Build, tuple[Card, ...]]:
    for fit in now.offered:
        if fit.build.id == option:
            return fit.build, fit.served
    if now.cpu is not None and now.cpu.id == option:
        return now.cpu, ()
    raise ClosedOption(option)


def _bases(report: SystemReport) -> list[PythonEnvironment]:
    """The Pythons that an environment can be made of; not those under a name that packages stumble over."""
    fitting = [
        one
        for one in report.pythons
        if one.version and one.bits != 32 and one.kind in _BASES and one.executable.isascii()
    ]
    return sorted(fitting, key=lambda one: _BASES.index(one.kind))


def _minor(environment: PythonEnvironment) -> str:
    return ".".join(map(str, numbers(environment.version or "0")[:2]))


def python_range(build: Build, framework: Framework) -> PythonRange:
    """The Pythons that fit the build and what is put on top of it."""
    own, top = build.pythons, PythonRange(framework.python) if framework.python else build.pythons
    low, high = max(own.low, top.low), min(own.high, top.high)
    return PythonRange(f"{'.'.join(map(str, low))}-{'.'.join(map(str, high))}")


def _python(build: Build, framework: Framework, bases: Sequence[PythonEnvironment], *, offline: bool) -> str:
    fitting = python_range(build, framework)
    preferred = fitting.choose(framework.preferred_python)
    here = {_minor(base) for base in bases if base.version in fitting}
    if not offline or preferred in here or not here:
        return preferred
    return max(here, key=numbers)
