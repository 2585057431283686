"""What is installed beside Python, and the environment variables that matter."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from gpu_assistant.detect.gateways import VARIABLES, Gateways, matching
from gpu_assistant.detect.paths import MachinePaths
from gpu_assistant.detect.report import Outcome, Tool

_TOOLKIT_FOLDER = "C:\\Program Files\\NVIDIA GPU Computing Toolkit\\CUDA"
_VC_RUNTIME = "HKLM\\SOFTWARE\\Microsoft\\VisualStudio\\14.0\\VC\\Runtimes\\X64"
_LXSS = "HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Lxss"
_SECONDS = 3.0
_VERSION = re.compile(r"\d+(?:\.\d+)+")

# read to find things, and no news to anybody
_UNREPORTED = ("PATH", "LANG", "LOCALAPPDATA", "APPDATA", "PROGRAMDATA", "PROGRAMFILES", "SYSTEMROOT", "XDG_*")
_UNREPORTED_TOO = (
    "SSH_CONNECTION",
    "CONDA_PROMPT_MODIFIER",
    "CONDA_SHLVL",
    "CONDA_PYTHON_EXE",
    "WSL_INTEROP",
    "SESSIONNAME",
)


def reported_variables(io: Gateways) -> dict[str, str]:
    """The variables that change what an install or a training does; logins in proxy addresses are hidden."""
    variables = io.environment()
    hidden = set(matching(tuple(variables), (*_UNREPORTED, *_UNREPORTED_TOO)))
    return {
        name: re.sub(r"(://)[^/@\s]+@", r"\1<login>@", variables[name])
        for name in matching(tuple(variables), VARIABLES)
        if name not in hidden
    }


def find_tools(io: Gateways) -> tuple[Tool, ...]:
    """Every tool that is there."""
    paths = MachinePaths(io)
    finders: tuple[Callable[[MachinePaths], Iterator[Tool]], ...] = (
        _toolkits,
        _cudnn,
        _containers,
        _conda,
        _uv,
        _wsl,
        _vc_runtime,
    )
    return tuple(tool for finder in finders for tool in finder(paths))


def _toolkits(paths: MachinePaths) -> Iterator[Tool]:
    io = paths.io
    roots: dict[str, str] = {}
    if paths.windows:
        for name in io.names(_TOOLKIT_FOLDER, "v[0-9]*") or ():
            roots.setdefault(paths.join(_TOOLKIT_FOLDER, name), "folder")
    else:
        for name in io.names("/usr/local", "cuda", "cuda-[0-9]*") or ():
            roots.setdefault(io.resolve(f"/usr/local/{name}") or f"/usr/local/{name}", "folder")
    for variable in ("CUDA_PATH", "CUDA_HOME"):
        if (root := paths.variable(variable).rstrip("/\\")) and io.resolve(root) is not None:
            roots.setdefault(root if paths.windows else io.resolve(root) or root, variable)
    for root, source in roots.items():
        version = parse_toolkit_version(io.read(paths.join(root, "version.json")).text)
        version = version or parse_toolkit_version(io.read(paths.join(root, "version.txt")).text)
        named = re.search(r"(?:v|cuda-)(\d+\.\d+)$", root, re.IGNORECASE)
        version = version or (named[1] if named else None)
        if version:
            yield Tool(name="cuda_toolkit", version=version, path=root, source=source)
    nvcc = paths.command("nvcc")
    # a toolkit of the distribution has no folder of its own
    if nvcc and not any(_inside(io.resolve(nvcc) or nvcc, root) for root in roots):
        found = re.search(r"release (\d+\.\d+)", _output(io, nvcc, "--version") or "")
        yield Tool(name="cuda_toolkit", version=found[1] if found else None, path=nvcc, source="nvcc --version")


def parse_toolkit_version(text: str) -> str | None:
    """The toolkit's `version.json` (from 11.1 on), or its older `version.txt`."""
    match = re.search(r'"cuda"\s*:\s*\{[^{}]*"version"\s*:\s*"([\d.]+)"', text) or re.match(
        r"CUDA Version ([\d.]+)", text
    )
    return match[1] if match else None


def _cudnn(paths: MachinePaths) -> Iterator[Tool]:
    io = paths.io
    if paths.windows:
        root = "C:\\Program Files\\NVIDIA\\CUDNN"
        for name in io.names(root, "v[0-9]*") or ():
            yield Tool(name="cudnn", version=name.lstrip("vV"), path=paths.join(root, name), source="folder")
        headers = [paths.join(paths.variable("CUDA_PATH"), "include", "cudnn_version.h")]
    else:
        headers = [
            "/usr/include/cudnn_version.h",
            "/usr/include/x86_64-linux-gnu/cudnn_version.h",
            "/usr/local/cuda/include/cudnn_version.h",
        ]
    for header in headers:
        if version := parse_cudnn_version(io.read(header).text):
            yield Tool(name="cudnn", version=version, path=header, source="cudnn_version.h")
            return


def parse_cudnn_version(text: str) -> str | None:
    """The three numbers of the header `cudnn_version.h`."""
    numbers = [re.search(rf"#define CUDNN_{part}\s+(\d+)", text) for part in ("MAJOR", "MINOR", "PATCHLEVEL")]
    return ".".join(match[1] for match in numbers if match) if all(numbers) else None


def _containers(paths: MachinePaths) -> Iterator[Tool]:
    desktop = "C:\\Program Files\\Docker\\Docker\\resources\\bin"
    for name, program in (("docker", "docker"), ("nvidia_container_toolkit", "nvidia-ctk")):
        if path := paths.command(program, (desktop,) if paths.windows else ()):
            yield Tool(
                name=name,
                version=_number(_output(paths.io, path, "--version")),
                path=path,
                source=f"{program} --version",
            )


def _conda(paths: MachinePaths) -> Iterator[Tool]:
    executable = paths.variable("CONDA_EXE") or paths.command("conda") or ""
    if not executable or paths.io.resolve(executable) is None:
        return
    root = paths.parent(paths.parent(executable))
    names = paths.io.names(paths.join(root, "conda-meta"), "conda-[0-9]*.json") or ()
    yield Tool(name="conda", version=_number(names[0] if names else None), path=executable, source="conda-meta")


def _uv(paths: MachinePaths) -> Iterator[Tool]:
    if path := paths.command("uv", (paths.join(paths.home, ".local", "bin"), paths.join(paths.home, ".cargo", "bin"))):
        yield Tool(name="uv", version=_number(_output(paths.io, path, "--version")), path=path, source="uv --version")


def _wsl(paths: MachinePaths) -> Iterator[Tool]:
    distributions = paths.io.registry(_LXSS) if paths.windows else None
    if distributions is None:
        return
    names = []
    for subkey in distributions.subkeys:
        found = paths.io.registry(f"{_LXSS}\\{subkey}")
        if found and (name := found.values.get("DistributionName")):
            names.append(f"{name} (WSL {found.values.get('Version', 2)})")
    yield Tool(
        name="wsl",
        path=paths.join(paths.system_folder(), "wsl.exe"),
        detail=", ".join(names) or None,
        source="registry",
    )


def _vc_runtime(paths: MachinePaths) -> Iterator[Tool]:
    key = paths.io.registry(_VC_RUNTIME) if paths.windows else None
    if key and key.values.get("Installed") == 1:
        yield Tool(name="vc_redist", version=_number(str(key.values.get("Version", ""))), source="registry")


def _inside(path: str, root: str) -> bool:
    return path.casefold().startswith(root.casefold())


def _number(text: str | None) -> str | None:
    match = _VERSION.search(text or "")
    return match[0] if match else None


def _output(io: Gateways, *argv: str) -> str | None:
    answer = io.run(argv, _SECONDS)
    return answer.text if answer.outcome is Outcome.OK else None
