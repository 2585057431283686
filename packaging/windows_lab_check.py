"""Checks the program on Windows in a lab on Linux (Wine with a Windows CPython), and prints a table of what it found.

    python packaging/windows_lab_check.py LAB/run [--only road window tests] [--wheels FOLDER]

`LAB/run` starts a Windows program that sees this checkout as `Z:\\project` (a fault ends with a code other than 0).
tests: every package of tests/ here and there, with what was skipped and why. road: a card made of text, report, plan,
install, train, watch, a cancelled training, an install cut off in the middle, removal, under a path with a space and
Cyrillic letters. window: its first paint by Qt's real plugin. The road installs from `--wheels`; what is missing there
is downloaded once (about 160 MB). Exit code 0: no failure.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

from windows_lab import HERE, ROOT, SEEN, Lab, json_of, prepare, standins
from windows_lab_suite import check_tests

ASCII_TARGET = "C:\\gpu\\envs\\latin"

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

# The program on a computer with a card made of text: %WINDIR%, where pynvml looks for nvml.dll, and PATH are replaced.
WITH_CARD = """
import os, runpy, sys
os.environ["WINDIR"], smi = sys.argv.pop(1), sys.argv.pop(1)
os.environ["PATH"] = smi + os.pathsep + os.environ["PATH"]
runpy.run_module("gpu_assistant", run_name="__main__", alter_sys=True)
"""
CARD = "NVIDIA GeForce RTX 4060 Laptop GPU"
CARD_VARIABLES = {
    "STANDIN_NVML_SCENARIO": "Z:\\project\\tests\\standin_nvml\\scenarios\\training.txt",
    "STANDIN_SMI_OUTPUT": "Z:\\project\\tests\\recordings\\win11-rtx4060-laptop\\raw\\nvidia-smi-q-x.txt",
}


# The road


def check_road(lab: Lab) -> None:
    """From a card made of text to a trained network and back."""
    if not standins():
        lab.tell("the card", "skipped", "needs mingw-w64")
    else:
        check_card(lab)
    code, output = lab.program("plan", "--json")
    lab.check("plan without a card", code == 0 and json_of(output).get("option") == "cpu", output)
    code, output = lab.program("install", "--yes", "--json")
    good = code == 0 and json_of(output).get("ending") == "succeeded"
    lab.check("install, Cyrillic path", good, output)
    if good:
        for test in ("picture", "digits"):
            code, output = lab.program("train", "--test", test, "--seconds", "5", "--json")
            lab.check(f"train {test}", code == 0 and '"verdict":"passed"' in output.replace(" ", ""), output)
        kill(lab, "program killed while it trains", '"metric"', "train", "--json", "--seconds", "120")
    check_cut(lab)
    check_undo(lab)


def check_card(lab: Lab) -> None:
    """Found by nvml.dll, found by nvidia-smi.exe alone, planned for, watched."""
    system = HERE / "windows" / "System32"
    system.mkdir(parents=True, exist_ok=True)
    shutil.copy(HERE / "nvml" / "nvml.dll", system)
    for source, folder in (("nvml.dll", "windows"), ("nvidia-smi.exe", "empty")):
        code, output = with_card(lab, folder, "report", "--json")
        names = [card.get("name") for card in json_of(output).get("gpus", [])]
        lab.check(f"report through {source}", code == 0 and names == [CARD], output)
    code, output = with_card(lab, "windows", "plan", "--json")
    lab.check("plan for the card", code == 0 and str(json_of(output).get("option")).startswith("cu"), output)
    code, output = with_card(lab, "windows", "monitor", "--count", "3", "--interval", "0.5", "--json")
    lab.check("watch", code == 0 and output.count('"temperature"') >= 2, output)


def with_card(lab: Lab, windows: str, *words: str) -> tuple[int, str]:
    """Runs the program where `windows` is the folder with, or without, System32\\nvml.dll."""
    return lab.python("-c", WITH_CARD, f"{SEEN}\\{windows}", f"{SEEN}\\smi", *words, **CARD_VARIABLES)


def check_cut(lab: Lab) -> None:
    """An install that is killed in its middle is told and put aside at the next start."""
    kill(lab, "program killed while it installs", "[5/7]", "install", "--yes", "--target", f"{ROOT}\\envs\\cut")
    _, output = lab.program("install", "--list", "--lang", "en")
    lab.check("the next start tells it", "interrupted" in output and "cut.broken-" in output, output)


def check_undo(lab: Lab) -> None:
    """One environment is removed, then everything."""
    code, output = lab.program("install", "--yes", "--json", "--target", ASCII_TARGET)
    lab.check("install, Latin path", code == 0 and json_of(output).get("ending") == "succeeded", output)
    code, output = lab.program("install", "--remove", "pytorch-cpu", "--yes")
    names = [one["name"] for one in json_of(lab.program("install", "--list", "--json")[1]).get("environments", [])]
    lab.check("remove one", code == 0 and "pytorch-cpu" not in names, output)
    code, output = lab.program("install", "--undo", "--yes")
    left = json_of(lab.program("install", "--list", "--json")[1])
    lab.check("undo all", code == 0 and left.get("environments") == [] and left.get("leftovers") == [], output)


def kill(lab: Lab, what: str, word: str, *arguments: str) -> None:
    """Kills the program when the word was printed; nothing of its tree may stay."""
    _, output = lab.python("-c", KILL, word, *arguments)
    found = json_of(output)
    lab.check(what, bool(found.get("ran") and found.get("children")) and found.get("left") == 0, output)


# The window


def check_window(lab: Lab) -> None:
    """Drawn once by the real plugin, in both languages and schemes. Its road by clicks is one of the tests."""
    for language in ("ru", "en"):
        for theme in ("light", "dark"):
            words = ("--lang", language, "--theme", theme, "--exit-after-first-paint")
            code, output = lab.program(*words, timeout=180)
            lab.check(f"window {language} {theme}", code == 0 and "Traceback" not in output, output)


PARTS: dict[str, Callable[[Lab], None]] = {
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
