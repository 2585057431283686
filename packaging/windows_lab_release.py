"""Builds the Windows program and its installer in a lab on Linux (Wine), installs it there, uses it, and removes it.

    python packaging/windows_lab_release.py LAB/run [--output FOLDER]

`LAB/run` is as for windows_lab_check.py; packaging/windows_lab_lay.sh lays such a lab, where it is `FOLDER/windows`.
This machine needs `makensis`. It takes about eight minutes and prints a table; exit code 0: no failure.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
from pathlib import Path

from windows_lab import HERE, PROJECT, Lab, json_of

# Lets the lab's Python know us as an installed package: the build asks for our version.
KNOW_US = """
import pathlib, sys, sysconfig
place = pathlib.Path(sysconfig.get_path("purelib"))
(place / "gpu-assistant-lab.pth").write_text("Z:\\\\project\\n")
info = place / f"gpu_assistant-{sys.argv[1]}.dist-info"
info.mkdir(exist_ok=True)
about = ("Metadata-Version: 2.1", "Name: gpu-assistant", f"Version: {sys.argv[1]}", "License: MIT", "")
(info / "METADATA").write_text("\\n".join(about))
(info / "RECORD").write_text(f"{info.name}/METADATA,,\\n")
"""

# Uses the installed program as a user would, and tells what it saw as JSON.
USE = r"""
import json, os, random, subprocess, sys, time, winreg
import psutil
setup = sys.argv[1]
home = os.path.expandvars("%LOCALAPPDATA%\\Programs\\GPU Assistant")
window, console = home + "\\gpu-assistant-gui.exe", home + "\\gpu-assistant.exe"
key = "Software\\Microsoft\\Windows\\CurrentVersion\\Uninstall\\GPU Assistant"
quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}

def run(*words):
    began = time.monotonic()
    done = subprocess.run(words, timeout=300, check=False, **quiet)
    return done.returncode, done.stdout.decode("utf-8", "replace"), time.monotonic() - began

def listed():
    try:
        with winreg.OpenKey(winreg.HKEY_CURRENT_USER, key) as found:
            return winreg.QueryValueEx(found, "DisplayVersion")[0]
    except FileNotFoundError:
        return None

def ours():
    names = ("gpu-assistant", "uv.exe")
    return [one for one in psutil.process_iter(["name"]) if (one.info["name"] or "").startswith(names)]

seen = {"setup": run(setup, "/S")[0], "listed": listed()}
code, out, _ = run(console, "report", "--json")
seen["report"] = code == 0 and "system" in json.loads(out)
first, _, _ = run(window, "--exit-after-first-paint")
code, _, seconds = run(window, "--exit-after-first-paint")
seen.update(paint=[first, code], start_seconds=round(seconds, 1))
seen["folders"] = sorted(json.loads(run(console, "folders", "--json")[1]))
running = subprocess.Popen([window], **quiet)
time.sleep(8)
seen["running_noticed"] = run(setup, "/S")[0] == 3
running.kill()
running.wait()
seen["left"] = []
for turn in range(6):
    program = subprocess.Popen([window] if turn % 2 else [console, "monitor"], **quiet)
    time.sleep(random.uniform(0.5, 6))
    children = len(ours())
    program.kill()
    program.wait()
    time.sleep(2)
    seen["left"].append([children, len(ours())])
seen["upgrade"] = run(setup, "/S")[0]
seen["uninstall"] = run(home + "\\uninstall.exe", "/S")[0]
end = time.monotonic() + 30
while os.path.exists(home) and time.monotonic() < end:
    time.sleep(0.5)
seen.update(gone=not os.path.exists(home), unlisted=listed() is None)
print(json.dumps(seen))
"""


def main() -> int:
    """Builds, installs, uses, removes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("run", type=Path)
    parser.add_argument("--output", type=Path, default=PROJECT / "build" / "release")
    args = parser.parse_args()
    lab = Lab(args.run)
    HERE.mkdir(parents=True, exist_ok=True)
    setup = build(lab, args.output.absolute())
    if setup is not None:
        use(lab, setup)
    return int(any(outcome == "FAILED" for _, outcome, _ in lab.rows))


def build(lab: Lab, output: Path) -> Path | None:
    """The program is frozen in the lab, packed here."""
    version = subprocess.run(
        [sys.executable, "-c", "import gpu_assistant; print(gpu_assistant.__version__)"],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    lab.python("-c", KNOW_US, version)
    code, said = lab.python("Z:\\project\\packaging\\build.py", timeout=1500, QT_QPA_PLATFORM="offscreen")
    lab.check("the program is built", code == 0, said)
    if code:
        return None
    program = HERE / "program"
    shutil.rmtree(program, ignore_errors=True)
    shutil.copytree(PROJECT / "build" / "dist" / "gpu-assistant", program)
    words = [
        sys.executable,
        str(PROJECT / "packaging" / "build.py"),
        "--program",
        str(program),
        "--output",
        str(output),
    ]
    packed = subprocess.run(words, capture_output=True, text=True, check=False)
    found = sorted(output.glob("*-setup.exe"))
    lab.check("the installer is made", packed.returncode == 0 and bool(found), packed.stdout + packed.stderr)
    for path in (*output.glob("*.zip"), *found):
        lab.tell(path.name, "", f"{path.stat().st_size / 1e6:.1f} MB")
    return found[0] if found else None


def use(lab: Lab, setup: Path) -> None:
    """Installs and uses it."""
    shutil.copy(setup, HERE / "setup.exe")
    code, said = lab.python("-c", USE, "Z:\\project\\build\\windows-lab\\setup.exe", timeout=600)
    seen = json_of(said)
    lab.check("it can be used at all", code == 0, said)
    lab.check("installs, is listed among the apps", seen.get("setup") == 0 and bool(seen.get("listed")), said)
    lab.check("report --json", seen.get("report") is True, said)
    lab.check("its window paints", seen.get("paint") == [0, 0], said)
    lab.tell("from start to end of the first paint", "", f"{seen.get('start_seconds')} s")
    lab.check("a running program is noticed", seen.get("running_noticed") is True, said)
    left = seen.get("left", [])
    lab.check("killed, it leaves no process", bool(left) and all(rest == 0 for _, rest in left), said)
    lab.check("upgrades in place", seen.get("upgrade") == 0, said)
    lab.check("uninstalls without a trace", seen.get("gone") is True and seen.get("unlisted") is True, said)


if __name__ == "__main__":
    raise SystemExit(main())
