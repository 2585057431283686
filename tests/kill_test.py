"""Kills the program, the installer or the training at random moments and looks at what is left.

    python -m tests.kill_test --rounds 200 [--seed N] [--train PYTHON]

After each kill: no process of the round is left; every environment that carries its marker proves itself; what the
next start says fits what happened. `--train` takes the interpreter of a real environment with torch and kills
`gpu-assistant train` in it; without it a stand-in trains. Exit code 0: nothing bad in all rounds.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import psutil

from gpu_assistant.base.child import Child
from gpu_assistant.base.job import JobContext
from gpu_assistant.base.paths import RootLayout
from gpu_assistant.install.engine import InstallJob
from gpu_assistant.install.environments import list_environments, list_leftovers, remove_folder
from gpu_assistant.install.journal import Journal
from gpu_assistant.install.marker import environment_python, read_marker
from gpu_assistant.install.place import recover
from tests.install.plans import make_plan
from tests.install.wheels import Manners, serving, write_wheel

MARK = "GPU_ASSISTANT_KILL_TEST"
ROOT = Path(__file__).parents[1]
GONE_WITHIN = 5.0  # seconds: how long a watchdog may take on a busy machine

# A training that starts workers of its own and never ends by itself.
STAND_IN = """
import subprocess, sys, time
worker = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
for step in range(100000):
    print("step", step, flush=True)
    time.sleep(0.005)
"""


# The victims: the program in a process of its own


def victim_install(root: Path, url: str, version: str) -> int:
    layout = RootLayout(root)
    for said in recover(layout):
        print(json.dumps(said.id), flush=True)
    plan = make_plan(layout, url, packages=(f"torch=={version}",))
    run = InstallJob(plan, accepted=plan.id, layout=layout).run(JobContext())
    return 0 if run.ending == "succeeded" else 1


def victim_training() -> int:
    with Child([sys.executable, "-c", STAND_IN]) as child:
        for _ in child.lines(JobContext()):
            pass
    return 1


def victim_recover(root: Path) -> int:
    print(json.dumps([said.id for said in recover(RootLayout(root))]))
    return 0


# One round


class Round:
    """One victim, one kill, one look."""

    def __init__(self, root: Path, url: str, number: int, chance: random.Random, train: str | None) -> None:
        self.root = root
        self.layout = RootLayout(root)
        self.url = url
        self.mark = f"{os.getpid()}-{number}"
        self.chance = chance
        self.train = train
        self.what = chance.choice(("program", "program", "installer", "training", "trained program"))
        self.problems: list[str] = []
        self.interrupted = False
        self.said: list[str] = []

    def play(self) -> None:
        victim = subprocess.Popen(
            self._argv(),
            cwd=ROOT,
            env={**os.environ, MARK: self.mark, "GPU_ASSISTANT_HOME": str(self.root / "home")},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            time.sleep(self._moment())
            if self.what in ("program", "trained program"):
                victim.kill()  # on POSIX a SIGKILL
            else:
                self._kill_descendant(victim)
        finally:
            self._wait_for_end(victim)
        self._look_for_orphans()
        if self.what in ("program", "installer"):
            self._look_at_environments()
            self._start_again()
            self._look_at_environments()

    def _argv(self) -> list[str]:
        if self.what in ("program", "installer"):
            version = self.chance.choice(("9.1.0", "9.1.1", "9.1.2"))
            return [sys.executable, "-m", "tests.kill_test", "--victim", "install", str(self.root), self.url, version]
        if self.train:
            return [sys.executable, "-m", "gpu_assistant", "train", "--python", self.train]
        return [sys.executable, "-m", "tests.kill_test", "--victim", "training"]

    def _moment(self) -> float:
        # anywhere between the first line of Python and a little after the usual end
        return self.chance.uniform(0.05, 8.0 if self.train and "train" in self.what else 2.0)

    def _kill_descendant(self, victim: subprocess.Popen[bytes]) -> None:
        """One of the program's children at random; for a training its leader, as soon as there is one."""
        children = self._children(victim)
        while self.what == "training" and not children and victim.poll() is None:
            time.sleep(0.01)
            children = self._children(victim)
        if children:
            with contextlib.suppress(psutil.Error, OSError):
                (children[0] if self.what == "training" else self.chance.choice(children)).kill()

    def _children(self, victim: subprocess.Popen[bytes]) -> list[psutil.Process]:
        """The victim's own children and theirs, without the watchdogs."""
        with contextlib.suppress(psutil.Error):
            family = psutil.Process(victim.pid).children(recursive=True)
            if sys.platform == "win32":
                return family  # there are no watchdogs, and nobody may read the words of a child that waits for its job
            return [child for child in family if "while read" not in " ".join(child.cmdline())]
        return []

    def _wait_for_end(self, victim: subprocess.Popen[bytes]) -> None:
        try:
            victim.wait(30)
        except subprocess.TimeoutExpired:
            self.problems.append("the program did not end after its child was killed")
            victim.kill()
            victim.wait()

    def _look_for_orphans(self) -> None:
        end = time.monotonic() + GONE_WITHIN
        while (left := self._orphans()) and time.monotonic() < end:
            time.sleep(0.05)
        for process in left:
            self.problems.append(f"orphan {process}")
            process.kill()

    def _orphans(self) -> list[psutil.Process]:
        found = []
        for process in psutil.process_iter():
            try:
                ours = process.environ().get(MARK) == self.mark
                if ours and process.status() != psutil.STATUS_ZOMBIE:
                    found.append(process)
            except (psutil.Error, OSError):  # Wine refuses with a bare OSError
                continue
        return found

    def _look_at_environments(self) -> None:
        for folder in self.layout.environments.glob("*"):
            if read_marker(folder) is None:
                continue
            if ".broken-" in folder.name:
                self.problems.append(f"{folder.name} carries a marker")
            if not proves_itself(folder):
                self.problems.append(f"{folder.name} looks usable and is not")

    def _start_again(self) -> None:
        records = Journal(self.layout).records()
        self.interrupted = any(record.phase != "done" for record in records)
        started = subprocess.run(
            [sys.executable, "-m", "tests.kill_test", "--victim", "recover", str(self.root)],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        )
        self.said = json.loads(started.stdout)
        if bool(self.said) != self.interrupted:
            self.problems.append(f"interrupted: {self.interrupted}, but the next start says {self.said}")
        if any(record.phase != "done" for record in Journal(self.layout).records()):
            self.problems.append("the journal is still open")
        for folder in self.layout.environments.glob("*"):
            known = read_marker(folder) is not None or any(f".{k}-" in folder.name for k in ("broken", "old"))
            if not known:
                self.problems.append(f"{folder.name} has no marker and no name that says so")


def proves_itself(folder: Path) -> bool:
    """Whether an environment does what its marker says."""
    marker = read_marker(folder)
    code = "import importlib.metadata as m, torch, tinydep; print(m.version('torch'), len(torch.data()))"
    answer = subprocess.run(
        [str(environment_python(folder)), "-I", "-c", code], capture_output=True, text=True, check=False
    )
    return marker is not None and answer.stdout.split() == [marker.versions["torch"], str(SIZE)]


SIZE = 1_500_000
CODE = "import pathlib\ndef data(): return (pathlib.Path(__file__).parent / 'padding.bin').read_bytes()\n"


def play(rounds: int, seed: int, train: str | None = None) -> list[str]:
    """Plays the rounds; returns the problems."""
    chance = random.Random(seed)
    problems: list[str] = []
    counts: Counter[str] = Counter()
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="kill-test-") as folder:
        wheels, root = Path(folder, "wheels"), Path(folder, "root")
        for version in ("9.1.0", "9.1.1", "9.1.2"):
            write_wheel(wheels, "torch", f"{version}+cpu", requires=("tinydep",), padding=SIZE, code=CODE)
        write_wheel(wheels, "tinydep", "1.0")
        with serving(wheels, Manners(rate=6_000_000)) as index:
            for number in range(rounds):
                played = Round(root, index.url, number, chance, train)
                played.play()
                problems += [f"round {number} ({played.what}): {problem}" for problem in played.problems]
                counts[played.what] += 1
                counts["interrupted installs"] += played.interrupted
                counts.update(said for said in played.said)
                _tidy(RootLayout(root), number)
        counts["usable at the end"] = len(list_environments(RootLayout(root)))
    summary = ", ".join(f"{count} {name}" for name, count in sorted(counts.items()))
    print(f"kill test: {rounds} rounds in {time.monotonic() - began:.0f} s, seed {seed}: {summary}")
    print(f"kill test: {len(problems)} problems" + "".join(f"\n  {problem}" for problem in problems))
    return problems


def _tidy(layout: RootLayout, number: int) -> None:
    """Keeps the disk small and the downloads fresh, so that every phase stays long enough to be hit."""
    for leftover in list_leftovers(layout):
        remove_folder(Path(leftover.folder))
    if number % 3 == 0:
        remove_folder(layout.cache)


def main() -> int:
    if sys.argv[1:2] == ["--victim"]:
        kind, *rest = sys.argv[2:]
        if kind == "install":
            return victim_install(Path(rest[0]), rest[1], rest[2])
        return victim_recover(Path(rest[0])) if kind == "recover" else victim_training()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--train", metavar="PYTHON", help="interpreter of an environment with torch")
    args = parser.parse_args()
    return 1 if play(args.rounds, args.seed, args.train) else 0


if __name__ == "__main__":
    sys.exit(main())
