"""What is worth saying about the facts, as a plain function of them. The sentences are in `texts/detect.toml`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Literal

from gpu_assistant.base.message import Argument, message
from gpu_assistant.detect.evidence import DriverEvidence
from gpu_assistant.detect.report import Driver, DriverState, Finding, Gpu, Memory, PythonEnvironment, System

_MISLEADING = ("PYTHONHOME", "PYTHONPATH")
_NO_MEMORY = Memory()
_ENOUGH = 32 << 30  # bytes that Windows can promise: the libraries for a card ask for several GiB in every process
_MAX_ENVIRONMENTS = 3  # the same sentence ten times is noise


def find(
    system: System,
    gpus: tuple[Gpu, ...],
    driver: Driver | None,
    evidence: tuple[DriverEvidence, ...],
    pythons: tuple[PythonEnvironment, ...],
    environment: Mapping[str, str],
    memory: Memory = _NO_MEMORY,
) -> tuple[Finding, ...]:
    """Every finding, the gravest first."""
    nvidia = tuple(gpu for gpu in gpus if gpu.vendor == "nvidia")
    found = [
        *_driver(driver, system, nvidia),
        *_disagreements(driver, evidence, nvidia),
        *_hidden(environment, nvidia),
        *_cards(gpus, nvidia, system, driver),
        *_place(system, nvidia, driver),
        *_pagefile(memory),
        *_pythons(pythons, environment, nvidia),
    ]
    order = {"problem": 0, "warning": 1, "info": 2}
    return tuple(sorted(found, key=lambda finding: order[finding.severity]))


def _say(
    severity: Literal["info", "warning", "problem"], id_: str, /, page: str | None = None, **args: Argument
) -> Finding:
    return Finding(message=message(f"detect-{id_}", **args), severity=severity, page=page)


def _pagefile(memory: Memory) -> Iterator[Finding]:
    limit = memory.pagefile_limit
    if limit is not None and (memory.ram_total or 0) + limit < _ENOUGH:
        yield _say("warning", "pagefile-small" if limit else "pagefile-off", page="page-file", size=limit)


def _driver(driver: Driver | None, system: System, nvidia: tuple[Gpu, ...]) -> Iterator[Finding]:
    if driver is None or driver.state is DriverState.WORKING:
        return
    card = nvidia[0].name if nvidia else message("detect-the-card")
    if driver.state is DriverState.MISSING:
        yield _say("problem", "driver-missing", card=card)
    elif driver.state is DriverState.MISMATCH:
        known = {"kernel": driver.kernel_version or "?", "library": driver.library_version or "?"}
        yield (
            _say("problem", "driver-mismatch", **known) if driver.kernel_version else _say("problem", "driver-restart")
        )
    elif driver.state is DriverState.NOT_LOADED:
        if system.os == "windows":
            yield _say("problem", "driver-disabled", page="device-manager", card=card)
        else:
            yield _say("problem", "driver-not-loaded", card=card)
        if system.os == "linux" and system.secure_boot:
            yield _say("warning", "secure-boot")
    elif driver.state is DriverState.NOT_RESPONDING:
        yield _say("problem", "driver-not-responding", card=card)
    elif driver.state is DriverState.NO_DEVICES:
        yield _say("problem", "driver-no-devices")
    elif driver.state is DriverState.INACCESSIBLE:
        yield _inaccessible(driver, system)
    else:
        yield _say("problem", "driver-silent", version=driver.version or "?")


def _inaccessible(driver: Driver, system: System) -> Finding:
    if system.os == "wsl" and system.wsl_version == 1:
        return _say("problem", "wsl-1")
    if system.container is not None:
        return _say("problem", "container-without-gpu", container=system.container)
    if system.os == "wsl":
        return _say("problem", "wsl-without-library")
    return _say("problem", "driver-no-permission", version=driver.version or "?")


def _disagreements(
    driver: Driver | None, evidence: tuple[DriverEvidence, ...], nvidia: tuple[Gpu, ...]
) -> Iterator[Finding]:
    if driver is None or driver.state is not DriverState.WORKING:
        return
    installed = next((row.version for row in evidence if row.source == "registry" and row.version), None)
    if installed and driver.version and installed != driver.version:
        yield _say("warning", "driver-updated", running=driver.version, installed=installed)
    if any(gpu.index is not None for gpu in nvidia):
        for gpu in nvidia:
            if gpu.index is None:
                yield _say("warning", "card-not-in-driver", card=gpu.name, version=driver.version or "?")


def _hidden(environment: Mapping[str, str], nvidia: tuple[Gpu, ...]) -> Iterator[Finding]:
    value = environment.get("CUDA_VISIBLE_DEVICES")
    if value is None or not nvidia:
        return
    shown = value if value.strip() else '""'
    if re.search(r"[\"']", value):
        yield _say("warning", "visible-devices-quoted", value=shown)
    elif not value.strip() or value.strip().startswith("-1") or value.strip().lower() in ("none", "nodevfiles"):
        yield _say("warning", "visible-devices-none", value=shown)
    elif not re.fullmatch(r"\s*(?:\d+|(?:GPU|MIG)-\S+)(?:\s*,\s*(?:\d+|(?:GPU|MIG)-\S+))*\s*", value):
        yield _say("warning", "visible-devices-nonsense", value=shown)
    elif numbers := [int(part) for part in value.split(",") if part.strip().isdigit()]:
        if numbers[0] >= len(nvidia):
            yield _say("warning", "visible-devices-none", value=shown)
        elif len(numbers) < len(nvidia):
            yield _say("info", "visible-devices-some", value=shown, count=len(nvidia))


def _cards(gpus: tuple[Gpu, ...], nvidia: tuple[Gpu, ...], system: System, driver: Driver | None) -> Iterator[Finding]:
    # "other" is a server's or a virtual machine's bare screen; a driver without a card is told by itself
    if driver is None and all(gpu.vendor == "other" for gpu in gpus):
        yield _say("info", "no-card")
    chip = next((gpu for gpu in gpus if gpu.integrated and gpu.vendor != "nvidia"), None)
    card = next((gpu for gpu in gpus if gpu.integrated is False), None)
    if chip and card and not card.external:
        yield _say("info", "hybrid" if system.laptop else "two-graphics", chip=chip.name, card=card.name)
    names = tuple(dict.fromkeys(gpu.name for gpu in nvidia))
    if len(names) > 1:
        yield _say("info", "different-cards", first=names[0], second=names[1])
    for gpu in gpus:
        if gpu.external:
            yield _say("info", "external-card", card=gpu.name)
        if gpu.mig_enabled:
            yield _say("info", "mig", card=gpu.name, count=len(gpu.mig_instances))
        if gpu.asleep and gpu.index is None and gpu.vendor == "nvidia":
            yield _say("info", "asleep", card=gpu.name)


def _place(system: System, nvidia: tuple[Gpu, ...], driver: Driver | None) -> Iterator[Finding]:
    if system.nouveau_loaded and nvidia:
        yield _say("warning", "nouveau")
    if system.remote_session and system.os == "windows":
        yield _say("info", "remote-session")
    if system.virtual_machine and not nvidia:
        yield _say("info", "virtual-machine")
    if system.container and nvidia and driver and driver.state is DriverState.WORKING:
        yield _say("info", "container", container=system.container)


def _pythons(
    pythons: tuple[PythonEnvironment, ...], environment: Mapping[str, str], nvidia: tuple[Gpu, ...]
) -> Iterator[Finding]:
    cpu_only = [
        python
        for python in pythons
        if any(package.name == "torch" and package.build == "cpu" for package in python.packages)
    ]
    for python in cpu_only[:_MAX_ENVIRONMENTS]:
        yield _say("warning" if nvidia else "info", "cpu-only-torch", where=python.prefix or python.executable)
    for python in [python for python in pythons if python.bits == 32][:_MAX_ENVIRONMENTS]:
        yield _say("warning", "python-32-bit", where=python.executable)
    for name in _MISLEADING:
        if environment.get(name):
            yield _say("warning", "misleading-variable", name=name)
