"""One installation as commands of uv, pip and conda.

uv gets the framework's index by `--index`: it comes before the default index, and uv stops at the first index that has
a package, so the framework's family can only come from there, while everything that is not mirrored there (and every
mirror's gap) is filled from the default index. `--torch-backend` would name PyTorch's own host and so ignore a mirror;
pip merges all indexes and takes the highest version, so pip gets the framework's index alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path, PurePath, PurePosixPath

from gpu_assistant.base.model import Value
from gpu_assistant.base.paths import RootLayout
from gpu_assistant.base.settings import Settings
from gpu_assistant.select.plan import ShellText
from gpu_assistant.select.shell import environment_texts, shell_text

READ_TIMEOUT = 600  # seconds without one byte: a slow line is not an error
RETRIES = 10

_NAMES = RootLayout(Path())  # the names below a root, whatever flavour of path the root has


class Stage(Value, frozen=True, kw_only=True):
    """Packages that are installed by one command, from one place."""

    id: str
    packages: tuple[str, ...]
    index_url: str | None = None  # before the default index


def environment_python(target: PurePath) -> PurePath:
    """The interpreter of an environment that is still to be made."""
    return target / "bin" / "python" if isinstance(target, PurePosixPath) else target / "Scripts" / "python.exe"


def uv_environment(root: PurePath, settings: Settings, *, copy: bool) -> dict[str, str]:
    """The variables of every uv step: all files below one root, nothing global touched, patience with slow lines."""
    variables = {
        "UV_CACHE_DIR": str(root / _NAMES.cache),
        "UV_PYTHON_INSTALL_DIR": str(root / _NAMES.pythons),
        "UV_PYTHON_INSTALL_BIN": "0",
        "UV_PYTHON_INSTALL_REGISTRY": "0",
        "UV_PYTHON_PREFERENCE": "managed",
        "UV_PYTHON_DOWNLOADS": "never" if settings.offline else "automatic",
        "UV_NO_CONFIG": "1",
        "UV_INDEX_STRATEGY": "first-index",
        "UV_HTTP_TIMEOUT": str(READ_TIMEOUT),
        "UV_HTTP_RETRIES": str(RETRIES),
        "UV_SYSTEM_CERTS": "true" if settings.system_certificates else "false",
        "UV_LINK_MODE": "copy" if copy else "hardlink",
    }
    return variables | _network(settings)


def _network(settings: Settings) -> dict[str, str]:
    variables = {}
    if settings.python_mirror:
        variables["UV_PYTHON_INSTALL_MIRROR"] = settings.python_mirror
    if settings.proxy:
        variables |= {"HTTPS_PROXY": settings.proxy, "HTTP_PROXY": settings.proxy}
    return variables


def uv_venv(target: PurePath, python: str, prompt: str, settings: Settings) -> tuple[str, ...]:
    """Makes the environment; pip goes into it, so that a `pip install` typed there later lands there too."""
    argv = ["uv", "venv", "--no-project", "--python", python, "--prompt", prompt]
    if settings.offline:
        argv += ["--offline"]
    else:
        argv += ["--seed", *_default_index(settings)]
    return (*argv, str(target))


def uv_install(python: PurePath | str, stage: Stage, settings: Settings, *, wheels_only: bool) -> tuple[str, ...]:
    """Installs one stage into an environment."""
    argv = ["uv", "pip", "install", "--python", str(python)]
    if stage.index_url is not None:
        argv += ["--index", stage.index_url]
    argv += _default_index(settings)
    if settings.wheel_folder:
        argv += ["--find-links", settings.wheel_folder]
    if settings.offline:
        argv += ["--offline"]
    if wheels_only:
        argv += ["--no-build"]
    return (*argv, *stage.packages)


def uv_uninstall(python: str, packages: Sequence[str]) -> tuple[str, ...]:
    """Takes packages out of an environment."""
    return ("uv", "pip", "uninstall", "--python", python, *packages)


def _default_index(settings: Settings) -> list[str]:
    return ["--default-index", settings.package_index] if settings.package_index else []


def uv_texts(steps: Iterable[Sequence[str]], settings: Settings) -> tuple[ShellText, ...]:
    """The steps of uv to type by hand."""
    return (*environment_texts(_network(settings)), *map(shell_text, steps))


def pip_texts(
    target: PurePath, python: str, stages: Iterable[Stage], settings: Settings, verify: str
) -> tuple[ShellText, ...]:
    """The same plan with the tools that come with Python."""
    windows = not isinstance(target, PurePosixPath)
    maker = ["py", f"-{python}"] if windows else [f"python{python}"]
    own = str(environment_python(target))
    commands = [[*maker, "-m", "venv", str(target)]]
    commands += [pip_install(own, stage, settings) for stage in stages]
    return tuple(map(shell_text, [*commands, [own, "-c", verify]]))


def pip_install(python: str, stage: Stage, settings: Settings) -> list[str]:
    """Installs one stage with the environment's own pip."""
    return [python, "-m", "pip", "install", *_pip_options(stage, settings), *stage.packages]


def conda_texts(
    target: PurePath, python: str, stages: Iterable[Stage], settings: Settings, verify: str
) -> tuple[ShellText, ...]:
    """The same plan in an environment of conda; the packages come by pip, since PyTorch's own channel has ended."""
    run = ["conda", "run", "--no-capture-output", "--prefix", str(target), "python"]
    commands = [["conda", "create", "--yes", "--prefix", str(target), f"python={python}", "pip"]]
    commands += [[*run, "-m", "pip", "install", *_pip_options(stage, settings), *stage.packages] for stage in stages]
    return (*environment_texts(_proxy_only(settings)), *map(shell_text, [*commands, [*run, "-c", verify]]))


def _pip_options(stage: Stage, settings: Settings) -> list[str]:
    options = []
    if settings.offline:
        options += ["--no-index"]
    elif stage.index_url is not None:
        options += ["--index-url", stage.index_url]
    elif settings.package_index:
        options += ["--index-url", settings.package_index]
    if settings.wheel_folder:
        options += ["--find-links", settings.wheel_folder]
    if settings.proxy:
        options += ["--proxy", settings.proxy]
    return options


def _proxy_only(settings: Settings) -> dict[str, str]:
    return {"HTTPS_PROXY": settings.proxy, "HTTP_PROXY": settings.proxy} if settings.proxy else {}
