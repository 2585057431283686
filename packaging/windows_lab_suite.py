"""The project's tests on Windows in the lab, beside the same tests here: one table, and every reason for a skip."""

from __future__ import annotations

import os
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from windows_lab import HERE, PROJECT, SEEN, Lab, standins

WORDS = ("-m", "pytest", "-q", "-p", "no:cacheprovider", "--timeout", "180")
PRETENDED = ("-m", "not real_install")
REAL = ("gui/test_real_road.py", "smoke_test/test_real_torch.py")  # with PyTorch itself; slow, and there only
PATIENCE = 1800  # seconds for one package
WINDOW = "gui"  # the package that is tested with both of Qt's plugins


@dataclass
class Outcome:
    """What one run of pytest told. `trouble`: its last words, where it wrote no report."""

    passed: int = 0
    failed: list[str] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0
    trouble: str = ""

    def __str__(self) -> str:
        if self.trouble:
            return "no report"
        failed = f", {len(self.failed)} FAILED" if self.failed else ""
        return f"{self.passed} passed, {self.skipped.total()} skipped{failed}, {self.seconds:.0f} s"


def packages() -> list[str]:
    """The folders of tests/ that hold tests."""
    return sorted(
        {path.parent.relative_to(PROJECT / "tests").parts[0] for path in PROJECT.glob("tests/*/**/test_*.py")}
    )


def check_tests(lab: Lab) -> None:
    """Every package of the tests on both systems; the window's with Qt's real plugin for Windows too."""
    print(f"{'tests':34}{'Linux':34}Windows")
    here: Counter[str] = Counter()
    there: Counter[str] = Counter()
    for package in packages():
        linux = run_here(package)
        windows = run_there(lab, package, "offscreen", PRETENDED)
        tell(lab, package, linux, windows)
        here += linux.skipped
        there += windows.skipped
    tell(lab, f"{WINDOW} (real plugin)", None, run_there(lab, WINDOW, "windows", PRETENDED))
    for file in REAL:
        tell(lab, file, None, run_there(lab, file, "windows", PIP_FIND_LINKS=f"{SEEN}\\wheels"))
    print_reasons("Skipped on Linux, because", here)
    print_reasons("Skipped on Windows, because", there)


def run_here(package: str) -> Outcome:
    """One package on this computer."""
    report = HERE / f"{package}-linux.xml"
    report.unlink(missing_ok=True)
    began = time.monotonic()
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run(
        [sys.executable, *WORDS, *PRETENDED, f"--junitxml={report}", f"tests/{package}"],
        cwd=PROJECT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=PATIENCE, check=False,
    )  # fmt: skip
    return read_report(report, done.stdout.decode("utf-8", "replace"), time.monotonic() - began)


def run_there(lab: Lab, tests: str, plugin: str, chosen: tuple[str, ...] = (), **variables: str) -> Outcome:
    """One package, or one file, in the lab."""
    report = HERE / f"{tests.replace('/', '-')}-{plugin}.xml"
    report.unlink(missing_ok=True)
    began = time.monotonic()
    words = (*WORDS, *chosen, f"--junitxml={SEEN}\\{report.name}", "Z:/project/tests/" + tests)
    _, output = lab.python(*words, timeout=PATIENCE, GPU_ASSISTANT_TEST_PLATFORM=plugin, **standins(), **variables)
    return read_report(report, output, time.monotonic() - began)


def read_report(report: Path, output: str, seconds: float) -> Outcome:
    """The report that pytest wrote."""
    if not report.exists():
        return Outcome(trouble=" | ".join(output.strip().split("\n")[-3:]), seconds=seconds)
    outcome = Outcome(seconds=seconds)
    for case in ElementTree.parse(report).iter("testcase"):
        skip = case.find("skipped")
        if case.find("failure") is not None or case.find("error") is not None:
            outcome.failed.append(f"{case.get('classname')}::{case.get('name')}")
        elif skip is not None:
            outcome.skipped[skip.get("message", "")] += 1
        else:
            outcome.passed += 1
    return outcome


def tell(lab: Lab, name: str, linux: Outcome | None, windows: Outcome) -> None:
    """A row of the table, and the failures under it."""
    print(f"{name:34}{linux or ''!s:34}{windows}", flush=True)
    for system, outcome in (("Linux", linux), ("Windows", windows)):
        if outcome is None:
            continue
        for failure in (*outcome.failed, *filter(None, [outcome.trouble])):
            lab.tell(f"  {system}: tests/{name}", "FAILED", failure)
    lab.rows.append((name, "ok", str(windows)))


def print_reasons(title: str, reasons: Counter[str]) -> None:
    """Why tests were skipped, the most frequent reason first."""
    print(f"\n{title}:")
    for reason, count in reasons.most_common():
        print(f"{count:5}  {reason}")
