"""From an option to a plan: pinned packages, the index, a Python, the steps, the sizes, and every known trap."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import PurePath
from urllib.parse import urlsplit

from gpu_assistant.base.message import Message, message
from gpu_assistant.base.settings import Settings
from gpu_assistant.detect.report import SystemReport
from gpu_assistant.select import tool_commands
from gpu_assistant.select.catalogue import Build, CardFacts, Framework, card_facts
from gpu_assistant.select.choice import Choice, choose
from gpu_assistant.select.place import default_root, default_target, disk_of, place_warnings, pure_path
from gpu_assistant.select.plan import InstallPlan, Step, Verdict
from gpu_assistant.select.shell import shell_text
from gpu_assistant.select.situation import Situation, survey
from gpu_assistant.select.tool_commands import Stage, environment_python
from gpu_assistant.select.traps import plan_warnings
from gpu_assistant.select.versions import numbers

PYTORCH_INDEX = "https://download.pytorch.org/whl"  # what the setting `pytorch_index` takes the place of
PYTHON_HOSTS = ("releases.astral.sh", "github.com", "release-assets.githubusercontent.com")
PYTHON_BYTES = 35_000_000  # a stand-alone Python, downloaded
BASE_DISK_BYTES = 250_000_000  # Python and pip, unpacked


def make_plan(
    option: str,
    report: SystemReport,
    framework: Framework,
    settings: Settings,
    *,
    target: str | None = None,
    wheels: Sequence[str] = (),
    facts: CardFacts | None = None,
) -> InstallPlan:
    """The plan that carries an option out in a fresh environment.

    `wheels` are the file names in `settings.wheel_folder`. Raises `ClosedOption`.
    """
    facts = facts or card_facts()
    now = survey(report, framework, facts)
    choice = choose(option, now, settings, wheels, facts)
    folder = pure_path(report, target) if target else default_target(report, settings, f"{framework.id}-{option}")
    root = _root(report, settings, folder)
    stages = stages_of(now.framework, choice, settings)
    variables = uv_variables(report, settings, folder, root)
    venv = tool_commands.uv_venv(folder, choice.interpreter or choice.python, folder.name, settings)
    steps = [_step("environment", venv, variables, python=choice.python)]
    steps += install_steps(str(environment_python(folder)), stages, now, choice, settings, variables)
    verify = now.framework.verify_code
    download, disk = sizes_of(now, choice, settings)
    return InstallPlan(
        framework=framework.id,
        option=option,
        build=choice.build.tag or option,
        packages=packages_of(stages),
        index_url=stages[0].index_url,
        python=choice.python,
        target=str(folder),
        steps=tuple(steps),
        commands={
            "uv": tool_commands.uv_texts([step.argv for step in steps], settings),
            "pip": tool_commands.pip_texts(folder, choice.python, stages, settings, verify),
            "conda": tool_commands.conda_texts(folder, choice.python, stages, settings, verify),
        },
        download_bytes=download,
        disk_bytes=disk,
        warnings=(
            *place_warnings(report, folder, disk),
            *plan_warnings(now, choice, settings),
        ),
        hosts=hosts_of(now.framework, stages, choice, settings),
        verify_imports=verify_imports(now.framework, choice),
        build_package=now.framework.build_package if choice.build.tag else "",
        companion=choice.build.companion or "",
    )


def planned_option(verdict: Verdict) -> str | None:
    """The option that is planned unless the user picks another; None where nothing should be installed now."""
    return next((option.id for option in verdict.options if option.recommended), None)


def stages_of(framework: Framework, choice: Choice, settings: Settings) -> tuple[Stage, ...]:
    """What is installed from where, in order."""
    build, local = choice.build, choice.local
    extra = tuple(
        package
        for row in build.extra
        if any(card.capability and card.capability < numbers(row.below) for card in choice.served)
        for package in row.packages
    )
    if local is not None:
        more = framework.wheel_folder_extra if local.missing and not settings.offline else ()
        first = Stage(id="install", packages=(*local.packages, *extra, *more))
    else:
        first = Stage(id="install", packages=(*build.packages, *extra), index_url=index_url(framework, build, settings))
    if not framework.packages:
        return (first,)
    # the build package is named again, so that nothing on top of it can replace it
    return (first, Stage(id="packages", packages=(*framework.packages, first.packages[0])))


def packages_of(stages: Iterable[Stage]) -> tuple[str, ...]:
    """Every requirement of a plan, once."""
    return tuple(dict.fromkeys(package for stage in stages for package in stage.packages))


def index_url(framework: Framework, build: Build, settings: Settings) -> str | None:
    """The index of a build, at the mirror if one is set; None: the default index."""
    if build.path is None or framework.index is None:
        return None
    base = framework.index
    if base == PYTORCH_INDEX and settings.pytorch_index:
        base = settings.pytorch_index.rstrip("/")
    return f"{base}/{build.path}"


def install_steps(
    python: str,
    stages: Sequence[Stage],
    now: Situation,
    choice: Choice,
    settings: Settings,
    variables: dict[str, str],
) -> list[Step]:
    """The steps that put the stages into an environment."""
    framework = now.framework
    return [
        _step(
            stage.id,
            tool_commands.uv_install(
                python,
                stage,
                settings,
                wheels_only=framework.wheels_only or (framework.on is not None and stage is stages[0]),
            ),
            variables,
            framework=framework.name,
            label=choice.build.label,
        )
        for stage in stages
    ]


def _step(id_: str, argv: tuple[str, ...], variables: dict[str, str], **args: str) -> Step:
    purpose: Message = message(f"select-step-{id_}", **args)
    return Step(id=id_, purpose=purpose, argv=argv, environment=variables, shell=shell_text(argv))


def uninstall_step(python: str, packages: Sequence[str], variables: dict[str, str]) -> Step:
    """The step that takes packages out of an environment."""
    argv = tool_commands.uv_uninstall(python, packages)
    return _step("uninstall", argv, variables, packages=", ".join(packages))


def uv_variables(report: SystemReport, settings: Settings, folder: PurePath, root: PurePath) -> dict[str, str]:
    """The environment of the steps. Where the drive knows no hard links, files are copied from the cache."""
    disk = disk_of(report, folder)
    plain = disk is not None and (disk.filesystem or "").lower() in ("exfat", "fat32", "vfat")
    return tool_commands.uv_environment(root, settings, copy=plain)


def _root(report: SystemReport, settings: Settings, folder: PurePath) -> PurePath:
    """The root that holds the cache: on the drive of the environment, so that files are linked and not copied."""
    root = default_root(report, settings)
    if root in folder.parents or settings.root_folder:
        return root
    if folder.parent.name == "envs":
        return folder.parent.parent
    return folder.parent / root.name


def hosts_of(framework: Framework, stages: Sequence[Stage], choice: Choice, settings: Settings) -> tuple[str, ...]:
    """The hosts that the steps reach, but for the installer's default index."""
    if settings.offline:
        return ()
    hosts: list[str] = []
    for stage in stages:
        if stage.index_url is not None:
            own = framework.index is not None and stage.index_url.startswith(framework.index)
            hosts += framework.index_hosts if own else [_host(stage.index_url)]
    if settings.package_index:
        hosts.append(_host(settings.package_index))  # the default index is the installer's own: resolving reaches it
    if not choice.python_is_here:
        hosts += [_host(settings.python_mirror)] if settings.python_mirror else PYTHON_HOSTS
    return tuple(dict.fromkeys(host for host in hosts if host))


def _host(url: str) -> str:
    return urlsplit(url).hostname or ""


def sizes_of(now: Situation, choice: Choice, settings: Settings) -> tuple[int | None, int | None]:
    """Bytes to download and bytes on the disk afterwards; estimates from the catalogue, None where it has none."""
    framework, build = now.framework, choice.build
    full = build.download_bytes.get(now.here.size_os)
    if full is None:
        return None, None
    full += framework.download_bytes
    disk = round(full * (build.unpack_factor or framework.unpack_factor)) + BASE_DISK_BYTES
    if settings.offline:
        return 0, disk
    download = framework.small_bytes + framework.download_bytes if choice.local else full
    return download + (0 if choice.python_is_here else PYTHON_BYTES), disk


def verify_imports(framework: Framework, choice: Choice) -> tuple[str, ...]:
    """The modules that must import afterwards; without what a folder of wheels lacked."""
    missing = choice.local.missing if choice.local else ()
    return tuple(name for name in framework.verify_imports if name not in missing)
