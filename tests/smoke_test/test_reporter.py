"""The child's side alone, in the oldest Python that is around."""

from __future__ import annotations

import base64
import json
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from gpu_assistant.base.resources import resource_root

HELPERS = resource_root() / "smoke_test"


def pythons() -> list[str]:
    """Our own Python, and a 3.9 where one can be found: user's interpreters are older than ours."""
    places = [shutil.which("python3.9"), *map(str, Path.home().glob(".pyenv/versions/3.9.*/bin/python"))]
    old = [place for place in places if place and not subprocess.run([place, "-V"], capture_output=True).returncode]
    return [sys.executable, *old[:1]]


def run_script(python: str, body: str, stdin: int | None = subprocess.PIPE) -> subprocess.CompletedProcess[bytes]:
    code = f"import sys; sys.dont_write_bytecode = True; sys.path.insert(0, {str(HELPERS)!r})\n" + textwrap.dedent(body)
    with subprocess.Popen([python, "-c", code], stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        out, err = process.stdout.read(), process.stderr.read()
        code_ = process.wait(30)
    return subprocess.CompletedProcess([], code_, out, err)


def events(done: subprocess.CompletedProcess[bytes]) -> list[dict[str, object]]:
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.parametrize("python", pythons())
def test_only_events_reach_stdout(python: str) -> None:
    done = run_script(
        python,
        """
        import os
        from reporter import Reporter
        reporter = Reporter()
        def main():
            print("python's print"); os.write(1, b"a library's print\\n"); os.system("echo a print of a child")
            reporter.begin("pip", 5)
            reporter.note("по-русски")
            reporter.proof("x", True, name="N", passed_on=3, nan=float("nan"), flag=True, path=os)
            reporter.result(good=None)
        reporter.run(main)
        """,
    )
    told = events(done)
    assert [event["event"] for event in told] == ["hello", "stage", "note", "proof", "result"]
    assert told[2]["text"] == "по-русски"
    assert told[3]["values"] == {"name": "N", "passed_on": 3, "nan": "nan", "flag": 1} | {
        "path": told[3]["values"]["path"]  # type: ignore[index]
    }
    assert told[4]["summary"] == {}
    for stray in (b"python's print", b"a library's print", b"a print of a child"):
        assert stray in done.stderr
    assert done.returncode == 0


@pytest.mark.parametrize(
    ("body", "kind", "code"),
    [
        ("raise ValueError('no')", "ValueError", 1),
        ("raise KeyboardInterrupt", "KeyboardInterrupt", 1),
        ("import sys; sys.exit(5)", "SystemExit", 1),
        ("pass", "NoResult", 0),
    ],
)
def test_every_script_has_a_last_word(body: str, kind: str, code: int) -> None:
    done = run_script(
        sys.executable,
        f"""
        from reporter import Reporter
        reporter = Reporter()
        def main(): {body}
        reporter.run(main)
        """,
    )
    told = events(done)
    assert [event["event"] for event in told] == ["error"]
    assert told[0]["kind"] == kind
    assert done.returncode == code


@pytest.mark.parametrize("python", pythons())
def test_a_closed_stdin_ends_the_child(python: str) -> None:
    code = f"""import sys; sys.dont_write_bytecode = True; sys.path.insert(0, {str(HELPERS)!r})
from reporter import Reporter
import time
Reporter().note("ready")
time.sleep(600)"""
    with subprocess.Popen([python, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert b"ready" in process.stdout.readline()
        assert process.poll() is None
        process.stdin.close()
        assert process.wait(30) == 3


def test_a_listener_that_is_gone_ends_the_child() -> None:
    code = f"""import sys; sys.dont_write_bytecode = True; sys.path.insert(0, {str(HELPERS)!r})
from reporter import Reporter
reporter = Reporter()
while True: reporter.note("x" * 1000)"""
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.wait(30) == 3


def test_the_throttle_keeps_reports_to_their_share() -> None:
    done = run_script(
        sys.executable,
        """
        import reporter
        now = [0.0]
        reporter.time.perf_counter = lambda: now[0]
        quick, slow = reporter.Throttle(0.2), reporter.Throttle(0.2, share=0.01)
        assert quick.due() and slow.due()
        with quick: now[0] += 0.0001
        with slow: now[0] += 0.05
        now[0] += 0.1
        assert not quick.due() and not slow.due()
        now[0] += 0.2
        assert quick.due() and not slow.due()
        now[0] += 4.7
        assert slow.due()
        """,
    )
    assert done.returncode == 0, done.stderr.decode()


@pytest.mark.parametrize("python", pythons())
def test_picture_and_digits_need_nothing_installed(python: str) -> None:
    done = run_script(
        python,
        """
        from reporter import Reporter
        import digits, drawing
        reporter = Reporter()
        def main():
            rgb = drawing.draw(24)
            reporter.picture("target", 0, 24, 24, rgb)
            (train, answers), (test, truth) = digits.read()
            reporter.note([len(train), len(answers), len(test), len(truth), max(train), sorted(set(answers))])
            grid = digits.Grid(test, truth)
            guesses = list(truth[: grid.count]); guesses[3] = (guesses[3] + 1) % 10
            rgb, labels = grid.draw(guesses)
            reporter.picture("guesses", 1, grid.width, grid.height, rgb, labels, grid.columns)
            reporter.note([truth[3], guesses[3]])
            reporter.result()
        reporter.run(main)
        """,
    )
    told = events(done)
    assert [event["event"] for event in told] == ["picture", "note", "picture", "note", "result"]
    assert told[1]["text"] == str([1437 * 64, 1437, 360 * 64, 360, 16, list(range(10))])
    for picture in (told[0], told[2]):
        assert len(base64.b64decode(str(picture["rgb"]))) == picture["width"] * picture["height"] * 3  # type: ignore[operator]
    truth, guess = json.loads(str(told[3]["text"]))
    labels = told[2]["labels"]
    assert isinstance(labels, list)
    assert labels[3] == f"{guess}!={truth}"
    assert len(labels) == told[2]["columns"] * 5  # type: ignore[operator]
    assert sum("!=" in label for label in labels) == 1


def test_the_digits_name_their_source_and_licence() -> None:
    source = (HELPERS / "digits" / "SOURCE.txt").read_text("utf-8")
    assert "CC BY 4.0" in source
    assert "10.24432/C50P49" in source
