"""What a beginner should know before saying yes: the traps of a plan that are not about its folder."""

from __future__ import annotations

from gpu_assistant.base.message import Message, message
from gpu_assistant.base.settings import Settings
from gpu_assistant.detect.report import Outcome
from gpu_assistant.select.catalogue import Build
from gpu_assistant.select.choice import Choice, python_range
from gpu_assistant.select.situation import Situation, hidden_cards
from gpu_assistant.select.versions import numbers
from gpu_assistant.select.wheels import LocalBuild


def plan_warnings(now: Situation, choice: Choice, settings: Settings, *, existing: bool = False) -> tuple[Message, ...]:
    """The warnings of a plan, the gravest first. `existing`: it changes an environment that has its Python."""
    build = choice.build
    gpu = build.device != "cpu"
    return (
        *(_card_warnings(now, build) if gpu else _cpu_warnings(now)),
        *_wheel_warnings(build, choice.local, settings),
        *(_existing_warnings(now) if gpu and not existing else ()),
        *(() if existing else _python_warnings(now, choice, settings)),
        *_system_warnings(now, build),
        message("select-warn-sizes-estimated"),
    )


def _card_warnings(now: Situation, build: Build) -> list[Message]:
    warnings = []
    package = now.framework.build_package
    served = [card for fit in now.offered if fit.build.id == build.id for card in fit.served]
    if build.outdated and any(now.better_after_update(card) for card in served):
        warnings.append(message("select-warn-outdated", package=package, version=build.version))
    for card in served:
        if card.last_branch is not None and card.vendor == "nvidia":
            warnings.append(message("select-warn-last", card=card.name, package=package, version=build.version))
            warnings.append(message("select-next-stay-on-branch", card=card.name, branch=card.last_branch.branch))
        if card.assumed:
            warnings.append(message("select-warn-assumed", card=card.name))
    if build.device == "nvidia":
        warnings += hidden_cards(now)
    if now.here.os in now.framework.plain_install_is_cpu_on:
        warnings.append(message("select-warn-plain-is-cpu", framework=now.framework.name))
    return warnings


def _cpu_warnings(now: Situation) -> list[Message]:
    if now.offered:
        return [message("select-warn-cpu-chosen", card=now.offered[0].served[0].name)]
    return [message("select-warn-cpu-slow")]


def _wheel_warnings(build: Build, local: LocalBuild | None, settings: Settings) -> list[Message]:
    if not settings.wheel_folder:
        return [message("select-warn-offline-no-folder")] if settings.offline else []
    if local is None:
        id_ = "select-warn-offline-no-wheel" if settings.offline else "select-warn-no-wheel"
        return [message(id_, folder=settings.wheel_folder, label=build.label)]
    warnings = [message("select-warn-wheel", folder=settings.wheel_folder, package=local.packages[0])]
    if local.missing:
        warnings.append(message("select-warn-wheel-missing", packages=", ".join(local.missing)))
    return warnings


def _existing_warnings(now: Situation) -> list[Message]:
    package = now.framework.build_package
    return [
        message("select-warn-existing-cpu", python=environment.executable, package=f"{found.name} {found.version}")
        for environment in now.report.pythons
        for found in environment.packages
        if found.name == package and found.build == "cpu"
    ]


def _python_warnings(now: Situation, choice: Choice, settings: Settings) -> list[Message]:
    if choice.python_is_here:
        return []
    if settings.offline:
        return [message("select-warn-offline-python", python=choice.python)]
    fits = python_range(choice.build, now.framework)
    versions = [environment.version for environment in now.report.pythons if environment.version]
    unfit = sorted({".".join(map(str, numbers(version)[:2])) for version in versions if version not in fits})
    if unfit and len(unfit) == len(versions):
        return [message("select-warn-python-unfit", have=", ".join(unfit), fits=str(fits), python=choice.python)]
    return [message("select-warn-python-brought", python=choice.python)]


def _system_warnings(now: Situation, build: Build) -> list[Message]:
    report = now.report
    warnings = []
    registry = any(note.source == "registry" and note.outcome is Outcome.OK for note in report.notes)
    if registry and report.system.os == "windows" and not any(tool.name == "vc_redist" for tool in report.tools):
        warnings.append(message("select-warn-vc-redist", framework=now.framework.name))
    if build.device == "nvidia" and any(tool.name == "cuda_toolkit" for tool in report.tools):
        warnings.append(message("select-warn-toolkit-unused", framework=now.framework.name))
    return warnings
