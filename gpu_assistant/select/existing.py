"""Environments that are already there: what is in them, and the plan that repairs one after consent."""

from __future__ import annotations

import enum
from collections.abc import Sequence

from packaging.utils import canonicalize_name

from gpu_assistant.base.message import Message, message
from gpu_assistant.base.model import Value
from gpu_assistant.base.settings import Settings
from gpu_assistant.detect.report import PackageBuild, PythonEnvironment, SystemReport
from gpu_assistant.select import planning, tool_commands
from gpu_assistant.select.cards import holds_code
from gpu_assistant.select.catalogue import CardFacts, Framework, card_facts
from gpu_assistant.select.choice import choose, python_range
from gpu_assistant.select.place import default_root, pure_path
from gpu_assistant.select.plan import InstallPlan, ShellText
from gpu_assistant.select.shell import shell_text
from gpu_assistant.select.situation import Situation, survey
from gpu_assistant.select.tool_commands import Stage
from gpu_assistant.select.traps import plan_warnings


class Condition(enum.StrEnum):
    """The state of a framework in an environment."""

    FITS = "fits"
    ABSENT = "absent"
    CPU_ONLY = "cpu_only"  # a CPU build where a card could be used
    NO_CODE = "no_code"  # built without code for the card
    DRIVER = "driver"  # the build needs a newer driver than there is
    UNSURE = "unsure"  # the build is not known


class EnvironmentCheck(Value, frozen=True, kw_only=True):
    """What a look into an environment's metadata says, without importing anything."""

    condition: Condition
    sentence: Message
    installed: PackageBuild | None = None
    option: str | None = None  # the option that a repair would carry out; None: nothing to repair, or it cannot be
    obstacle: Message | None = None  # why it cannot be repaired


class CannotRepair(Exception):
    """The environment must not or cannot be changed; `reason` says why."""

    def __init__(self, reason: Message) -> None:
        super().__init__(reason.id)
        self.reason = reason


def check_environment(
    environment: PythonEnvironment, report: SystemReport, framework: Framework, facts: CardFacts | None = None
) -> EnvironmentCheck:
    """Whether an environment's build fits this computer, and which option would repair it."""
    facts = facts or card_facts()
    now = survey(report, framework, facts)
    package = now.framework.build_package
    installed = next((found for found in environment.packages if canonicalize_name(found.name) == package), None)
    best = now.offered[0].build.id if now.offered else None
    condition = _condition(now, installed, facts)
    option = best if condition not in (Condition.FITS, Condition.UNSURE, Condition.DRIVER) else None
    if condition is Condition.ABSENT and option is None and now.cpu is not None:
        option = now.cpu.id
    obstacle = _obstacle(environment, now, option) if option else None
    return EnvironmentCheck(
        condition=condition,
        sentence=message(
            f"select-environment-{condition.value.replace('_', '-')}",
            python=environment.executable,
            package=f"{installed.name} {installed.version}" if installed else package,
        ),
        installed=installed,
        option=None if obstacle else option,
        obstacle=obstacle,
    )


def _condition(now: Situation, installed: PackageBuild | None, facts: CardFacts) -> Condition:
    if installed is None:
        return Condition.ABSENT
    if installed.build == "cpu":
        return Condition.CPU_ONLY if now.offered or now.waiting() else Condition.FITS
    builds = [fit for fit in now.fits if installed.build is not None and fit.build.tag == installed.build]
    if not builds:
        return Condition.UNSURE
    build = builds[0].build
    cards = [card for card in now.cards if card.vendor == build.device]
    if build.device == "nvidia":
        version = installed.version
        holds = [holds_code(now.framework, build, now.here.platform, card, facts, version) for card in cards]
        if cards and not any(known is not False for known in holds):
            return Condition.NO_CODE
    if builds[0].served:
        return Condition.FITS
    waiting = {card.place for card in now.waiting()}
    return Condition.DRIVER if any(card.place in waiting for card in cards) else Condition.UNSURE


def _obstacle(environment: PythonEnvironment, now: Situation, option: str) -> Message | None:
    if environment.externally_managed:
        return message("select-repair-managed", python=environment.executable)
    if environment.bits == 32:
        return message("select-repair-bits", python=environment.executable)
    rows = [fit.build for fit in now.offered if fit.build.id == option] or ([now.cpu] if now.cpu else [])
    if environment.version is not None and rows:
        fitting = python_range(rows[0], now.framework)
        if environment.version not in fitting:
            return message("select-repair-python", have=environment.version, fits=str(fitting))
    return None


def plan_for_existing(
    environment: PythonEnvironment,
    option: str,
    report: SystemReport,
    framework: Framework,
    settings: Settings,
    *,
    wheels: Sequence[str] = (),
    facts: CardFacts | None = None,
) -> InstallPlan:
    """The plan that replaces the framework's packages in an environment of the user's own.

    Only to be run after the user agreed to exactly this plan. Raises `ClosedOption` and `CannotRepair`.
    """
    facts = facts or card_facts()
    now = survey(report, framework, facts)
    choice = choose(option, now, settings, wheels, facts)
    problem = _obstacle(environment, now, option)
    only = choice.local.python if choice.local else None
    if problem is None and only and environment.version and not environment.version.startswith(f"{only}."):
        problem = message("select-repair-python", have=environment.version, fits=only)
    if problem is not None:
        raise CannotRepair(problem)
    folder = pure_path(report, environment.prefix or environment.executable)
    variables = planning.uv_variables(report, settings, folder, default_root(report, settings))
    stages = planning.stages_of(now.framework, choice, settings)
    family = {canonicalize_name(name) for name in now.framework.family}
    present = [found.name for found in environment.packages if canonicalize_name(found.name) in family]
    # a build of the same version counts as "already satisfied", so the old one goes first
    steps = [planning.uninstall_step(environment.executable, present, variables)] if present else []
    steps += planning.install_steps(environment.executable, stages, now, choice, settings, variables)
    download, disk = planning.sizes_of(now, choice, settings)
    python = ".".join((environment.version or choice.python).split(".")[:2])
    return InstallPlan(
        framework=framework.id,
        option=option,
        build=choice.build.tag or option,
        packages=planning.packages_of(stages),
        index_url=stages[0].index_url,
        python=python,
        target=str(folder),
        steps=tuple(steps),
        commands={
            "uv": tool_commands.uv_texts([step.argv for step in steps], settings),
            "pip": _pip_repair(environment.executable, present, stages, settings, now.framework.verify_code),
        },
        download_bytes=download,
        disk_bytes=disk,
        warnings=(
            message("select-warn-changes-environment", python=environment.executable),
            *plan_warnings(now, choice, settings, existing=True),
        ),
        hosts=planning.hosts_of(now.framework, stages, choice, settings),
        verify_imports=planning.verify_imports(now.framework, choice),
        build_package=now.framework.build_package if choice.build.tag else "",
        companion=choice.build.companion or "",
    )


def _pip_repair(
    python: str, present: Sequence[str], stages: Sequence[Stage], settings: Settings, verify: str
) -> tuple[ShellText, ...]:
    commands = [[python, "-m", "pip", "uninstall", "--yes", *present]] if present else []
    commands += [tool_commands.pip_install(python, stage, settings) for stage in stages]
    return tuple(map(shell_text, [*commands, [python, "-c", verify]]))
