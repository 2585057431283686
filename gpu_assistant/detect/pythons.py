"""Python interpreters and the training packages in them, read from their files. No interpreter is started."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from gpu_assistant.base.model import Value
from gpu_assistant.detect.gateways import Gateways
from gpu_assistant.detect.packages import read_packages
from gpu_assistant.detect.paths import MachinePaths
from gpu_assistant.detect.report import PythonEnvironment

Kind = Literal["system", "venv", "conda", "uv", "store", "pyenv", "ours", "other"]

_MAX = 200  # a folder full of environments must not make us slow
_VERSION = re.compile(r"(\d+\.\d+(?:\.\d+)?)")
_PEP514 = (
    "HKCU\\Software\\Python",
    "HKLM\\SOFTWARE\\Python",
    "HKLM\\SOFTWARE\\WOW6432Node\\Python",
)
_CONDA_FOLDERS = ("miniconda3", "anaconda3", "miniforge3", "mambaforge", "micromamba")
# folders of environments that people and tools use, under the home folder
_VENV_PARENTS = (".virtualenvs", "venvs", "envs", "virtualenvs")
_VENVS = ("venv", ".venv", "env", "ComfyUI/venv", "ComfyUI/.venv", "stable-diffusion-webui/venv", "kohya_ss/venv")


class Candidate(Value, frozen=True, kw_only=True):
    """A place where an interpreter may be."""

    prefix: str = ""  # the folder of the installation or environment
    executable: str = ""
    kind: Kind = "other"
    version: str | None = None
    bits: int | None = None
    source: str = ""


def find_pythons(io: Gateways, environment_folders: tuple[str, ...] = ()) -> tuple[PythonEnvironment, ...]:
    """Every interpreter, each once. `environment_folders` hold environments that belong to this program."""
    paths = MachinePaths(io)
    seen: set[str] = set()
    found: list[PythonEnvironment] = []
    for candidate in _candidates(paths, environment_folders):
        environment = _look(paths, candidate)
        if environment is None:
            continue
        key = (environment.prefix or environment.executable).casefold()
        if environment.kind == "system" and not paths.windows:
            key += environment.version or ""
        if key not in seen:
            seen.add(key)
            found.append(environment)
        if len(found) >= _MAX:
            break
    return tuple(found)


def _candidates(paths: MachinePaths, environment_folders: tuple[str, ...]) -> Iterator[Candidate]:
    for folder in environment_folders:
        yield from _children(paths, folder, "ours", "our folder")
    if active := paths.variable("VIRTUAL_ENV"):
        yield Candidate(prefix=active, kind="venv", source="VIRTUAL_ENV")
    if paths.windows:
        yield from _registered(paths)
    yield from _conda(paths)
    yield from _children(paths, _uv_folder(paths), "uv", "uv")
    yield from _pyenv(paths)
    yield from _on_path(paths)
    for name in _VENV_PARENTS:
        yield from _children(paths, paths.join(paths.home, name), "venv", "~/" + name)
    for name in _VENVS:
        yield Candidate(prefix=paths.join(paths.home, *name.split("/")), kind="venv", source="~/" + name)


def _children(paths: MachinePaths, folder: str, kind: Kind, source: str) -> Iterator[Candidate]:
    for name in paths.io.names(folder) or () if folder else ():
        if "." not in name[:1] and ".broken-" not in name:
            yield Candidate(prefix=paths.join(folder, name), kind=kind, source=source)


def _registered(paths: MachinePaths) -> Iterator[Candidate]:
    """PEP 514: what installers of Python write into the registry, and the py launcher reads."""
    for root in _PEP514:
        for company in _subkeys(paths.io, root):
            if company.lower() == "pylauncher":
                continue
            for tag in _subkeys(paths.io, f"{root}\\{company}"):
                yield from _registered_tag(paths.io, f"{root}\\{company}\\{tag}", company)


def _registered_tag(io: Gateways, key: str, company: str) -> Iterator[Candidate]:
    about, place = io.registry(key), io.registry(f"{key}\\InstallPath")
    if place is None:
        return
    values = about.values if about else {}
    bits = re.match(r"(32|64)bit", str(values.get("SysArchitecture", "")))
    version = _VERSION.match(str(values.get("Version") or values.get("SysVersion") or ""))
    kind: Kind = "conda" if "anaconda" in company.lower() or company == "ContinuumAnalytics" else "system"
    yield Candidate(
        prefix=str(place.values.get("", "")).rstrip("\\"),
        executable=str(place.values.get("ExecutablePath", "")),
        kind="uv" if company.lower() == "astral" else kind,
        version=version[1] if version else None,
        bits=int(bits[1]) if bits else None,
        source="registry (py launcher)",
    )


def _subkeys(io: Gateways, key: str) -> tuple[str, ...]:
    found = io.registry(key)
    return found.subkeys if found else ()


def _conda(paths: MachinePaths) -> Iterator[Candidate]:
    listed = paths.io.read(paths.join(paths.home, ".conda", "environments.txt")).text.splitlines()
    roots = [text.strip() for text in listed if text.strip()]
    roots += [paths.join(paths.home, name) for name in _CONDA_FOLDERS]
    if paths.windows:
        roots += [paths.join(paths.variable("PROGRAMDATA") or "C:\\ProgramData", name) for name in _CONDA_FOLDERS]
        roots += [paths.join(paths.variable("LOCALAPPDATA"), name) for name in _CONDA_FOLDERS]
    else:
        roots += [paths.join("/opt", name) for name in ("conda", *_CONDA_FOLDERS)]
    if prefix := paths.variable("CONDA_PREFIX"):
        roots.insert(0, prefix)
    for root in dict.fromkeys(roots):
        yield Candidate(prefix=root, kind="conda", source="conda")
        yield from _children(paths, paths.join(root, "envs"), "conda", "conda")


def _uv_folder(paths: MachinePaths) -> str:
    if chosen := paths.variable("UV_PYTHON_INSTALL_DIR"):
        return chosen
    if paths.windows:
        return paths.join(paths.variable("APPDATA") or paths.join(paths.home, "AppData", "Roaming"), "uv", "python")
    return paths.join(paths.variable("XDG_DATA_HOME") or paths.join(paths.home, ".local", "share"), "uv", "python")


def _pyenv(paths: MachinePaths) -> Iterator[Candidate]:
    root = paths.variable("PYENV_ROOT") or paths.join(paths.home, ".pyenv", *(("pyenv-win",) if paths.windows else ()))
    yield from _children(paths, paths.join(root, "versions"), "pyenv", "pyenv")


def _on_path(paths: MachinePaths) -> Iterator[Candidate]:
    folders = paths.search_path()
    if not paths.windows:
        folders = tuple(dict.fromkeys((*folders, "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin")))
    for folder in folders:
        if paths.windows:
            if "\\microsoft\\windowsapps" in folder.lower():
                yield from _store(paths, folder)
                continue
            patterns, prefix = ["python.exe"], folder
        else:
            patterns, prefix = ["python3", "python3.[0-9]*"], paths.parent(folder)
        for name in paths.io.names(folder, *patterns) or ():
            if re.fullmatch(r"python(3(\.\d+)?)?(\.exe)?", name):
                executable = paths.join(folder, name)
                yield Candidate(prefix=prefix, executable=executable, kind="system", source="PATH")


def _store(paths: MachinePaths, folder: str) -> Iterator[Candidate]:
    """The Microsoft Store's Python. Without its own folder, `python.exe` is only an invitation to the shop."""
    for name in paths.io.names(folder, "PythonSoftwareFoundation.Python.3.*") or ():
        version = re.search(r"Python\.(3\.\d+)", name)
        yield Candidate(
            prefix=paths.join(folder, name),
            executable=paths.join(folder, name, "python.exe"),
            kind="store",
            version=version[1] if version else None,
            source="Microsoft Store",
        )


def _look(paths: MachinePaths, candidate: Candidate) -> PythonEnvironment | None:
    """What the files of a place tell; None where there is no interpreter."""
    io = paths.io
    executable = candidate.executable or next(paths.existing(_executables(paths, candidate.prefix)), "")
    target = io.resolve(executable) if executable else None
    if target is None:
        return None
    prefix = candidate.prefix or paths.parent(executable)
    config = parse_pyvenv(io.read(paths.join(prefix, "pyvenv.cfg")).text)
    kind = _kind(paths, candidate, prefix, config)
    if kind == "system" and not paths.windows:
        # /usr/bin/python3 is a link to python3.11, and may lead into another installation
        if paths.parent(target) != paths.parent(executable) and paths.name(paths.parent(target)) == "bin":
            prefix = paths.parent(paths.parent(target))
        executable = target
        kind = _kind(paths, candidate, prefix, config)
    version = (
        config.get("version") or config.get("version_info") or candidate.version or _version(paths, prefix, target)
    )
    match = _VERSION.match(version or "")
    version = match[1] if match else None
    library = _library(paths, prefix, version)
    return PythonEnvironment(
        executable=executable,
        version=version,
        kind=kind,
        bits=candidate.bits,
        prefix=prefix,
        externally_managed=bool(io.names(library, "EXTERNALLY-MANAGED")) if io.names(library) is not None else None,
        packages=read_packages(io, tuple(_site_packages(paths, prefix, library))),
        source=candidate.source,
    )


def _executables(paths: MachinePaths, prefix: str) -> tuple[str, ...]:
    if paths.windows:
        return paths.join(prefix, "Scripts", "python.exe"), paths.join(prefix, "python.exe")
    return paths.join(prefix, "bin", "python"), paths.join(prefix, "bin", "python3")


def _kind(paths: MachinePaths, candidate: Candidate, prefix: str, config: dict[str, str]) -> Kind:
    if candidate.kind in ("ours", "store"):
        return candidate.kind
    if config:
        return "venv"
    if paths.io.names(paths.join(prefix, "conda-meta")) is not None:
        return "conda"
    where = prefix.replace("\\", "/").lower()
    if "/uv/python/" in where:
        return "uv"
    if "/.pyenv/" in where:
        return "pyenv"
    return "system" if candidate.kind == "venv" else candidate.kind


def parse_pyvenv(text: str) -> dict[str, str]:
    """`pyvenv.cfg`, names in lower case."""
    pairs = (line.split("=", 1) for line in text.splitlines() if "=" in line)
    return {name.strip().lower(): value.strip() for name, value in pairs}


def _version(paths: MachinePaths, prefix: str, target: str) -> str | None:
    """The version without asking: from names and one header file."""
    io = paths.io
    for name in io.names(paths.join(prefix, "conda-meta"), "python-[0-9]*.json") or ():
        return name.removeprefix("python-")
    if match := re.match(r"(?:cpython-)?(\d+\.\d+\.\d+)", paths.name(prefix)):
        return match[1]
    short = re.search(r"python(3\.\d+)", paths.name(target))
    folders = ("include", "Include") if paths.windows else (f"include/python{short[1]}",) if short else ()
    for folder in folders:
        header = io.read(paths.join(prefix, *folder.split("/"), "patchlevel.h")).text
        if match := re.search(r'#define\s+PY_VERSION\s+"([\d.]+)', header):
            return match[1]
    if short:
        return short[1]
    for name in io.names(prefix, "python3[0-9]*.dll") or ():
        if match := re.fullmatch(r"python3(\d+)\.dll", name.lower()):
            return f"3.{match[1]}"
    return None


def _library(paths: MachinePaths, prefix: str, version: str | None) -> str:
    """The folder of the standard library."""
    if paths.windows:
        return paths.join(prefix, "Lib")
    short = ".".join((version or "").split(".")[:2])
    return paths.join(prefix, "lib", f"python{short}")


def _site_packages(paths: MachinePaths, prefix: str, library: str) -> Iterator[str]:
    yield paths.join(library, "site-packages")
    if not paths.windows:
        yield paths.join(library, "dist-packages")
        yield paths.join(prefix, "lib", "python3", "dist-packages")
        if prefix == "/usr":
            yield f"/usr/local/lib/{paths.name(library)}/dist-packages"
