"""Checks the program on Windows in a lab on Linux (Wine with a Windows CPython), and prints a table of what it found.

    python packaging/windows_lab_check.py LAB/run [--only tests road cards window] [--wheels FOLDER]

`LAB/run` starts a Windows program that sees this checkout as `Z:\\project` (a fault ends with a code other than 0).
tests: every package of tests/, one after the other. road: report, plan, install, train, a cancelled training, an
install cut off in the middle, removal, under a path with a space and Cyrillic letters. cards: the stand-in NVML
library and `nvidia-smi`, cross-compiled by mingw-w64. window: the window's first paint by Qt's real plugin.
The road installs from `--wheels`; what is missing there is downloaded once (about 160 MB). Exit code 0: no failure.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Iterator
from pathlib import Path

PROJECT = Path(__file__).parents[1]
HERE = PROJECT / "build" / "windows-lab"
SEEN = "Z:\\project\\build\\windows-lab"  # the same folder, as the lab sees it
HOME = "C:\\users\\Иван Петров\\app"
ROOT = "C:\\users\\Иван Петров\\gpu"
ASCII_TARGET = "C:\\gpu\\envs\\latin"

PACKAGES = ("base", "detect", "select", "install", "smoke_test", "monitor", "troubleshoot", "session", "gui")
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

# Starts the program, kills it when a word appears in its output, and counts what is left of its tree.
KILL = """
import json, subprocess, sys, threading, time, psutil
word, *arguments = sys.argv[1:]
program = subprocess.Popen([sys.executable, "-m", "gpu_assistant", *arguments], stdout=subprocess.PIPE,
                           stderr=subprocess.STDOUT)
for line in program.stdout:
    if word.encode() in line:
        break
time.sleep(3)
tree = [one for one in psutil.process_iter() if one.ppid() == program.pid]
tree += [grandchild for one in tree for grandchild in one.children(recursive=True)]
ran = program.poll() is None
program.kill()
program.wait()
end = time.monotonic() + 10
while any(one.is_running() for one in tree) and time.monotonic() < end:
    time.sleep(0.1)
print(json.dumps({"ran": ran, "children": len(tree), "left": sum(one.is_running() for one in tree)}))
"""

# The program with a folder in place of %WINDIR%, where pynvml looks for nvml.dll.
WITH_NVML = """
import os, runpy, sys
os.environ["WINDIR"] = sys.argv.pop(1)
runpy.run_module("gpu_assistant", run_name="__main__", alter_sys=True)
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


# Tests


def check_tests(lab: Lab) -> None:
    """Every package of the tests; the window's with both of Qt's plugins."""
    for package in PACKAGES:
        run_package(lab, package, "offscreen")
    run_package(lab, "gui", "windows")


def run_package(lab: Lab, package: str, plugin: str) -> None:
    """One package of tests, read from the report that pytest writes."""
    report = HERE / f"{package}-{plugin}.xml"
    report.unlink(missing_ok=True)
    began = time.monotonic()
    words = ("-q", "-p", "no:cacheprovider", "--timeout", "180", f"--junitxml={SEEN}\\{report.name}")
    _, output = lab.python(
        "-m", "pytest", *words, f"Z:\\project\\tests\\{package}", QT_QPA_PLATFORM=plugin, **standins()
    )
    name = f"tests/{package}" + (" (real plugin)" if plugin == "windows" else "")
    if not report.exists():
        lab.tell(name, "FAILED", " | ".join(output.strip().split("\n")[-3:]))
        return
    counts = dict.fromkeys(("tests", "failures", "errors", "skipped"), 0)
    for suite in ElementTree.parse(report).iter("testsuite"):
        for key in counts:
            counts[key] += int(suite.get(key, "0"))
    bad = counts["failures"] + counts["errors"]
    passed = counts["tests"] - bad - counts["skipped"]
    seconds = time.monotonic() - began
    lab.tell(
        name, "FAILED" if bad else "ok", f"{passed} passed, {counts['skipped']} skipped, {bad} failed, {seconds:.0f} s"
    )
    for case in ElementTree.parse(report).iter("testcase"):
        if case.find("failure") is not None or case.find("error") is not None:
            lab.tell(f"  {case.get('name')}"[:33], "FAILED", str(case.get("classname")))


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


# The road


def check_road(lab: Lab) -> None:
    """From the report to a trained network and back."""
    code, output = lab.program("report", "--lang", "ru")
    lab.check("report", code == 0 and "Windows" in output, output)
    code, output = lab.program("plan", "--json")
    lab.check("plan", code == 0 and json_of(output).get("option") == "cpu", output)
    code, output = lab.program("install", "--yes", "--json")
    good = code == 0 and json_of(output).get("ending") == "succeeded"
    lab.check("install, Cyrillic path", good, output)
    if good:
        for test in ("picture", "digits"):
            code, output = lab.program("train", "--test", test, "--seconds", "5", "--json")
            lab.check(f"train {test}", code == 0 and '"verdict":"passed"' in output.replace(" ", ""), output)
        kill(lab, "program killed while it trains", '"metric"', "train", "--json", "--seconds", "120")
    check_cut(lab)
    code, output = lab.program("install", "--yes", "--json", "--target", ASCII_TARGET)
    lab.check("install, Latin path", code == 0 and json_of(output).get("ending") == "succeeded", output)
    code, output = lab.program("install", "--remove", "pytorch-cpu", "--yes")
    names = [one["name"] for one in json_of(lab.program("install", "--list", "--json")[1]).get("environments", [])]
    lab.check("remove one", code == 0 and "pytorch-cpu" not in names, output)
    code, output = lab.program("install", "--undo", "--yes")
    left = json_of(lab.program("install", "--list", "--json")[1])
    lab.check("undo all", code == 0 and left.get("environments") == [] and left.get("leftovers") == [], output)


def check_cut(lab: Lab) -> None:
    """An install that is killed in its middle is told and put aside at the next start."""
    kill(lab, "program killed while it installs", "[5/7]", "install", "--yes", "--target", f"{ROOT}\\envs\\cut")
    _, output = lab.program("install", "--list", "--lang", "en")
    lab.check("the next start tells it", "interrupted" in output and "cut.broken-" in output, output)


def kill(lab: Lab, what: str, word: str, *arguments: str) -> None:
    """Kills the program when the word was printed; nothing of its tree may stay."""
    _, output = lab.python("-c", KILL, word, *arguments)
    found = json_of(output)
    lab.check(what, bool(found.get("ran") and found.get("children")) and found.get("left") == 0, output)


# Cards


def check_cards(lab: Lab) -> None:
    """A card made of text, through the real pynvml."""
    built = standins()
    if not built:
        lab.tell("cards", "skipped", "needs mingw-w64")
        return
    system = HERE / "windows" / "System32"
    system.mkdir(parents=True, exist_ok=True)
    shutil.copy(HERE / "nvml" / "nvml.dll", system)
    scenario = {"STANDIN_NVML_SCENARIO": "Z:\\project\\tests\\standin_nvml\\scenarios\\training.txt"}
    code, output = lab.python("-c", WITH_NVML, f"{SEEN}\\windows", "report", "--json", **scenario)
    names = [card.get("name") for card in json_of(output).get("gpus", [])]
    lab.check("report through nvml.dll", code == 0 and any("RTX 4060" in str(name) for name in names), output)
    words = ("monitor", "--count", "3", "--interval", "0.5", "--json")
    code, output = lab.python("-c", WITH_NVML, f"{SEEN}\\windows", *words, **scenario)
    lab.check("monitor through nvml.dll", code == 0 and output.count("temperature") >= 2, output)


# The window


def check_window(lab: Lab) -> None:
    """The window is drawn once by the real plugin, in both languages and schemes, and ends well."""
    for language in ("ru", "en"):
        for theme in ("light", "dark"):
            words = ("--lang", language, "--theme", theme, "--exit-after-first-paint")
            code, output = lab.program(*words, timeout=180, QT_QPA_PLATFORM="windows")
            lab.check(f"window {language} {theme}", code == 0 and "Traceback" not in output, output)


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


PARTS: dict[str, Callable[[Lab], None]] = {
    "cards": check_cards,
    "window": check_window,
    "road": check_road,
    "tests": check_tests,
}


def main() -> int:
    """Runs the wanted parts; 1 where something failed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", type=Path, help="the lab's program that runs a Windows program")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS), help="only these parts")
    parser.add_argument("--wheels", type=Path, metavar="FOLDER", help="wheels that need no download")
    args = parser.parse_args()
    lab = Lab(args.run.resolve())
    prepare(lab, args.wheels)
    for part in args.only:
        PARTS[part](lab)
    failed = sum(outcome == "FAILED" for _, outcome, _ in lab.rows)
    print(f"{len(lab.rows)} checks, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
