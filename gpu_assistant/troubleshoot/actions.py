"""From a fix to something that can be shown, accepted, carried out and undone. Nothing is run here."""

from __future__ import annotations

from collections.abc import Sequence

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from gpu_assistant.base.message import Message, message
from gpu_assistant.base.model import Value
from gpu_assistant.base.settings import Settings
from gpu_assistant.detect.report import GpuProcess, PackageBuild, PythonEnvironment, SystemReport
from gpu_assistant.select import planning, tool_commands
from gpu_assistant.select.catalogue import Framework
from gpu_assistant.select.choice import ClosedOption
from gpu_assistant.select.existing import CannotRepair, plan_for_existing
from gpu_assistant.select.judge import judge
from gpu_assistant.select.place import default_root, pure_path
from gpu_assistant.select.plan import InstallPlan, ShellText, Step
from gpu_assistant.select.shell import environment_texts, shell_text
from gpu_assistant.troubleshoot.diagnosis import FixAction

SMALLER_BATCH = 0.5


class Prepared(Value, frozen=True, kw_only=True):
    """What a fix would do. Exactly one of `plan`, `variables`, `batch_factor`, `steps` is set, or only text is.

    With `refused` the fix cannot be carried out here, and that says why.
    """

    kind: str
    changes: Message  # what it changes
    undo: Message  # how it is taken back
    plan: InstallPlan | None = None
    variables: dict[str, str] = {}  # for the next run
    batch_factor: float | None = None  # for the smoke test
    steps: tuple[Step, ...] = ()  # commands outside a plan
    commands: tuple[ShellText, ...] = ()  # the same, to type by hand
    processes: tuple[GpuProcess, ...] = ()  # who holds the card, biggest first
    refused: Message | None = None


def prepare(
    action: FixAction,
    report: SystemReport,
    framework: Framework,
    settings: Settings,
    environment: PythonEnvironment | None = None,
    wheels: Sequence[str] = (),
) -> Prepared:
    """What the action means on this computer. `environment` is the one that failed, where one is known.

    `wheels` are the names in the folder that the settings name.
    """
    return _PREPARE[action.kind](_Case(action, report, framework, settings, environment, wheels))


class _Case:
    def __init__(
        self,
        action: FixAction,
        report: SystemReport,
        framework: Framework,
        settings: Settings,
        environment: PythonEnvironment | None,
        wheels: Sequence[str],
    ) -> None:
        self.action = action
        self.report = report
        self.framework = framework
        self.settings = settings
        self.environment = environment
        self.wheels = wheels

    def refuse(self, reason: Message) -> Prepared:
        nothing = message("fix-changes-nothing")
        return Prepared(kind=self.action.kind, changes=nothing, undo=nothing, refused=reason)

    def option(self) -> str | None:
        """The option that this computer should have."""
        return planning.planned_option(judge(self.report, self.framework))


def _replace_build(case: _Case) -> Prepared:
    environment, option = case.environment, case.option()
    if environment is None:
        return case.refuse(message("fix-no-environment"))
    if option is None:
        return case.refuse(message("fix-no-option", framework=case.framework.name))
    try:
        plan = plan_for_existing(environment, option, case.report, case.framework, case.settings, wheels=case.wheels)
    except CannotRepair as error:
        return case.refuse(error.reason)
    except ClosedOption:
        return case.refuse(message("fix-no-option", framework=case.framework.name))
    before = ", ".join(f"{package.name}=={package.version}" for package in _family(case, environment))
    return Prepared(
        kind=case.action.kind,
        changes=message(
            "fix-changes-environment", environment=environment.executable, packages=", ".join(plan.packages)
        ),
        undo=message("fix-undo-packages", packages=before or "-"),
        plan=plan,
    )


def _family(case: _Case, environment: PythonEnvironment) -> list[PackageBuild]:
    names = {canonicalize_name(name) for name in case.framework.family}
    return [package for package in environment.packages if canonicalize_name(package.name) in names]


def _reinstall(case: _Case) -> Prepared:
    wanted = case.action.args.get("packages", "").split()
    family = {canonicalize_name(name) for name in case.framework.family}
    if not wanted or canonicalize_name(wanted[0]) in family:
        return _replace_build(case)
    environment = case.environment
    if environment is None:
        return case.refuse(message("fix-no-environment"))
    if environment.externally_managed:
        return case.refuse(message("select-repair-managed", python=environment.executable))
    folder = pure_path(case.report, environment.prefix or environment.executable)
    variables = planning.uv_variables(case.report, case.settings, folder, default_root(case.report, case.settings))
    stage = tool_commands.Stage(id="install", packages=tuple(wanted))
    argv = (*tool_commands.uv_install(environment.executable, stage, case.settings, wheels_only=True), *_again(wanted))
    step = Step(
        id="install",
        purpose=message("fix-step-reinstall", packages=", ".join(wanted)),
        argv=argv,
        environment=variables,
        shell=shell_text(argv),
    )
    present = {canonicalize_name(package.name): package.version for package in environment.packages}
    names = [canonicalize_name(Requirement(word).name) for word in wanted]
    before = ", ".join(f"{name}=={present[name]}" for name in names if name in present)
    return Prepared(
        kind=case.action.kind,
        changes=message("fix-changes-environment", environment=environment.executable, packages=", ".join(wanted)),
        undo=message("fix-undo-packages", packages=before or "-"),
        plan=InstallPlan(
            framework=case.framework.id,
            option=_build_in(environment),
            build="",
            packages=tuple(wanted),
            python=".".join((environment.version or "").split(".")[:2]),
            target=str(folder),
            steps=(step,),
            commands={"uv": tool_commands.uv_texts([argv], case.settings)},
            warnings=(message("select-warn-changes-environment", python=environment.executable),),
        ),
    )


def _build_in(environment: PythonEnvironment) -> str:
    """The build that is in the environment now, for a plan that leaves it as it is."""
    return next(
        (package.build for package in environment.packages if package.name == "torch" and package.build), "as-is"
    )


def _again(packages: list[str]) -> tuple[str, ...]:
    return tuple(word for package in packages for word in ("--reinstall-package", Requirement(package).name))


def _reset(case: _Case) -> Prepared:
    environment, option = case.environment, case.option()
    if environment is None or environment.kind != "ours":
        return case.refuse(message("fix-not-ours"))
    if option is None:
        return case.refuse(message("fix-no-option", framework=case.framework.name))
    folder = environment.prefix or environment.executable
    try:
        plan = planning.make_plan(option, case.report, case.framework, case.settings, target=folder, wheels=case.wheels)
    except ClosedOption:
        return case.refuse(message("fix-no-option", framework=case.framework.name))
    return Prepared(
        kind=case.action.kind,
        changes=message("fix-changes-reset", folder=folder),
        undo=message("fix-undo-reset", folder=folder),
        plan=plan,
    )


def _variable(case: _Case) -> Prepared:
    name, value = case.action.args["name"], case.action.args["value"]
    return Prepared(
        kind=case.action.kind,
        changes=message("fix-changes-variable", name=name, value=value),
        undo=message("fix-undo-variable", name=name),
        variables={name: value},
        commands=tuple(environment_texts({name: value})),
    )


def _lower_batch(case: _Case) -> Prepared:
    return Prepared(
        kind=case.action.kind,
        changes=message("fix-changes-batch"),
        undo=message("fix-undo-batch"),
        batch_factor=SMALLER_BATCH,
    )


def _free_gpu(case: _Case) -> Prepared:
    found = [process for gpu in case.report.gpus for process in gpu.processes or ()]
    found.sort(key=lambda process: -(process.vram_bytes or 0))
    return Prepared(
        kind=case.action.kind,
        changes=message("fix-changes-free-gpu" if found else "fix-changes-free-gpu-unknown"),
        undo=message("fix-undo-free-gpu"),
        processes=tuple(found),
        commands=(shell_text(("nvidia-smi",)),),
    )


def _clear_cache(case: _Case) -> Prepared:
    root = default_root(case.report, case.settings)
    argv = ("uv", "cache", "clean")
    variables = planning.uv_variables(case.report, case.settings, root, root)
    step = Step(
        id="clear-cache",
        purpose=message("fix-changes-cache", folder=str(root / "cache")),
        argv=argv,
        environment=variables,
        shell=shell_text(argv),
    )
    return Prepared(
        kind=case.action.kind,
        changes=message("fix-changes-cache", folder=str(root / "cache")),
        undo=message("fix-undo-cache"),
        steps=(step,),
        commands=(shell_text(argv), shell_text(("pip", "cache", "purge"))),
    )


_PREPARE = {
    "replace_cpu_build": _replace_build,
    "match_torchvision": _replace_build,
    "reinstall_packages": _reinstall,
    "reset_environment": _reset,
    "set_environment_variable": _variable,
    "lower_batch": _lower_batch,
    "free_gpu": _free_gpu,
    "clear_cache": _clear_cache,
}
