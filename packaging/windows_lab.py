"""A Windows CPython on this Linux machine (Wine): how it is prepared, how programs run in it, what they answered."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

PROJECT = Path(__file__).parents[1]
HERE = PROJECT / "build" / "windows-lab"
SEEN = "Z:\\project\\build\\windows-lab"  # the same folder, as the lab sees it
HOME = "C:\\users\\Иван Петров\\app"
ROOT = "C:\\users\\Иван Петров\\gpu"

# of the newest line of PyTorch and NumPy that were seen to run on Wine
WHEELS = (
    "torch==2.9.1", "torchvision==0.24.1", "numpy==2.1.3", "pillow", "setuptools", "filelock", "typing_extensions",
    "sympy==1.14.0", "mpmath==1.3.0", "networkx==3.5", "jinja2", "markupsafe", "fsspec",
)  # fmt: skip


# Runs in the lab's own Python: an editable install, a registered Python (PEP 514), the settings of the road.
PREPARE = """
import pathlib, sys, sysconfig, winreg
home, root, wheels = sys.argv[1:]
pathlib.Path(sysconfig.get_path("purelib"), "gpu-assistant-lab.pth").write_text("Z:\\\\project\\n")
key = "Software\\\\Python\\\\PythonCore\\\\%d.%d" % sys.version_info[:2]
with winreg.CreateKey(winreg.HKEY_CURRENT_USER, key) as about:
    winreg.SetValueEx(about, "Version", 0, winreg.REG_SZ, "%d.%d.%d" % sys.version_info[:3])
    winreg.SetValueEx(about, "SysArchitecture", 0, winreg.REG_SZ, "64bit")
with winreg.CreateKey(winreg.HKEY_CURRENT_USER, key + "\\\\InstallPath") as place:
    winreg.SetValueEx(place, "", 0, winreg.REG_SZ, sys.prefix)
    winreg.SetValueEx(place, "ExecutablePath", 0, winreg.REG_SZ, sys.executable)
config = pathlib.Path(home, "config")
config.mkdir(parents=True, exist_ok=True)
text = "root_folder = '%s'\\nwheel_folder = '%s'\\noffline = true\\n" % (root, wheels)
(config / "settings.toml").write_text(text, encoding="utf-8")
"""


class Lab:
    """The lab, and the table of what was found in it."""

    def __init__(self, run: Path) -> None:
        self._run = run
        self.rows: list[tuple[str, str, str]] = []

    def python(self, *words: str, timeout: float = 900, **variables: str) -> tuple[int, str]:
        """Runs the lab's Python; gives its exit code (124: no end in time) and all its output."""
        # what a Linux host sets for its own Python and package tools misleads those of the lab
        ours = {k: v for k, v in os.environ.items() if not k.startswith(("PIP_", "UV_", "SSL_", "PYTHON", "QT_"))}
        try:
            done = subprocess.run(
                [str(self._run), "python", *words],
                cwd=PROJECT,
                env={**ours, "GPU_ASSISTANT_HOME": HOME, **variables},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                timeout=timeout,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            return 124, (error.stdout or b"").decode("utf-8", "replace")
        return done.returncode, done.stdout.decode("utf-8", "replace")

    def program(self, *words: str, timeout: float = 900, **variables: str) -> tuple[int, str]:
        """Runs our program in the lab."""
        return self.python("-m", "gpu_assistant", *words, timeout=timeout, **variables)

    def tell(self, what: str, outcome: str, detail: str = "") -> None:
        """A row of the table, printed at once."""
        self.rows.append((what, outcome, detail))
        print(f"{what:34}{outcome:8}{detail}", flush=True)

    def check(self, what: str, good: bool, output: str) -> None:
        """A row that is ok or shows the last lines of the output."""
        self.tell(what, "ok" if good else "FAILED", "" if good else " | ".join(output.split("\n")[-4:]).strip())


def standins() -> dict[str, str]:
    """Variables that name the cross-compiled stand-ins; none where the compiler is not installed."""
    if shutil.which("x86_64-w64-mingw32-gcc") is None:
        return {}
    sys.path.insert(0, str(PROJECT))
    from tests.standin_nvml.build import build, build_smi

    places = {
        "STANDIN_NVML_WINDOWS": (build("windows"), "nvml"),
        "STANDIN_NVML_WINDOWS_OLD": (build("windows-old"), "nvml-old"),
        "STANDIN_SMI_WINDOWS": (build_smi("windows"), "smi"),
    }
    for folder, name in places.values():
        shutil.copytree(folder, HERE / name, dirs_exist_ok=True)
    return {variable: f"{SEEN}\\{name}" for variable, (_, name) in places.items()}


def json_of(output: str) -> dict:
    """The JSON object in mixed output; empty where there is none."""
    for start in _braces(output):
        try:
            return json.JSONDecoder().raw_decode(output[start:])[0]
        except ValueError:
            continue
    return {}


def _braces(output: str) -> Iterator[int]:
    at = output.find("{")
    while at >= 0:
        yield at
        at = output.find("{", at + 1)


def prepare(lab: Lab, wheels: Path | None) -> None:
    """The folder that both sides see, the wheels in it, and the lab's own Python."""
    folder = HERE / "wheels"
    folder.mkdir(parents=True, exist_ok=True)
    for wheel in wheels.glob("*.whl") if wheels else ():
        if not (folder / wheel.name).exists():
            shutil.copy(wheel, folder)
    if not list(folder.glob("torch-*.whl")):
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:"]
        place = ["--platform", "win_amd64", "--python-version", "3.13", "--dest", str(folder)]
        subprocess.run([*pip, *place, *WHEELS], check=True)
    code, output = lab.python("-c", PREPARE, HOME, ROOT, f"{SEEN}\\wheels")
    if code:
        raise SystemExit(f"the lab does not start:\n{output}")
