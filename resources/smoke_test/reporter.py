"""The child's side of a smoke test, for any framework. Runs in the user's interpreter: Python 3.9, nothing installed.

A script does `reporter = Reporter()` before it imports anything heavy, then `reporter.run(main)`. What is printed by
anybody lands on stderr; stdout carries one JSON object a line. When stdin closes, the process ends.
"""

import argparse
import base64
import json
import math
import os
import platform
import sys
import threading
import time
import traceback
from importlib import metadata

STOPPED = 3  # exit code of a child that was told to stop
REPORTING_SHARE = 0.01  # of the time may go into reports: training must not be slower for being watched


class Reporter:
    """Writes events. Safe to use from several threads."""

    def __init__(self):
        # from here on descriptor 1 is stderr, for Python and for every library alike
        self._descriptor = os.dup(1)
        os.dup2(2, 1)
        self._lock = threading.Lock()
        self._start = time.monotonic()
        self._finished = False
        self.failed = []
        threading.Thread(target=_stop_when_stdin_closes, name="stdin watcher", daemon=True).start()

    def run(self, main):
        """Calls `main()`; an exception becomes the error event, and so does a main that gave no result."""
        try:
            main()
            if not self._finished:
                self.error("NoResult", "the script ended without a result", "")
        except BaseException as error:
            if isinstance(error, SystemExit) and self._finished:
                raise
            self.error(type(error).__name__, str(error), traceback.format_exc())
            sys.exit(1)

    def begin(self, package, import_budget):
        """The first words, before the package is imported, so that a crash in there is told with its version."""
        try:
            version = metadata.version(package)
        except metadata.PackageNotFoundError:
            version = None
        self.hello(package, version)
        self.stage("import", import_budget)

    def hello(self, framework, version=None, build=None):
        python = platform.python_version()
        self._send("hello", python=python, framework=framework, version=version, build=build, pid=os.getpid())

    def stage(self, name, budget):
        """A new stage, and how many seconds it may take at most."""
        self._send("stage", name=name, budget=float(budget))

    def device(self, kind, name, **more):
        """`more`: index, vram_total, compute_capability, uuid, pci_address."""
        known = {key: value for key, value in more.items() if value is not None}
        self._send("device", kind=kind, name=name, **known)

    def metric(self, name, step, total, value):
        """One number; what is not finite cannot be drawn and is told as a note."""
        if math.isfinite(value):
            self._send("metric", name=name, step=step, total=total, value=float(value))
        else:
            self.note(f"{name} is {value} at step {step}")

    def picture(self, name, step, width, height, rgb, labels=(), columns=0):
        """`rgb`: width * height * 3 bytes, row by row."""
        text = base64.b64encode(rgb).decode("ascii")
        self._send(
            "picture", name=name, step=step, width=width, height=height, rgb=text, labels=list(labels), columns=columns
        )

    def proof(self, name, passed, /, **values):
        """`passed` is True, False or None (skipped); says whether it passed."""
        outcome = "skipped" if passed is None else "passed" if passed else "failed"
        if outcome == "failed":
            self.failed.append(name)
        self._send("proof", id=name, outcome=outcome, values={key: _plain(value) for key, value in values.items()})
        return outcome == "passed"

    def note(self, text):
        self._send("note", text=str(text))

    def result(self, **summary):
        """The last word: passed when no proof failed."""
        summary = {key: _plain(value) for key, value in summary.items() if value is not None}
        self._last("result", passed=not self.failed, summary=summary)

    def error(self, kind, text, trace):
        """The last word of a child that could not go on."""
        self._last("error", kind=kind, text=text, traceback=trace)

    def _last(self, event, **fields):
        with self._lock:
            if self._finished:
                return
            self._finished = True
        self._send(event, **fields)

    def _send(self, event, **fields):
        fields = {"event": event, "time": round(time.monotonic() - self._start, 3), **fields}
        line = json.dumps(fields, ensure_ascii=True, allow_nan=False).encode("ascii") + b"\n"
        with self._lock:
            while line:
                try:
                    line = line[os.write(self._descriptor, line) :]
                except OSError:
                    os._exit(STOPPED)  # nobody listens any more


class Throttle:
    """Says when it is time to report again: not too often, and never for more than a small share of the time."""

    def __init__(self, seconds, share=REPORTING_SHARE):
        self._seconds = seconds
        self._share = share
        self._next = 0.0
        self._began = 0.0

    def due(self):
        return time.perf_counter() >= self._next

    def __enter__(self):
        """Enter with an idle device: waiting for its work is training, not reporting."""
        self._began = time.perf_counter()

    def __exit__(self, *_):
        now = time.perf_counter()
        self._next = now + max(self._seconds, (now - self._began) / self._share)


def hand_over(words, environment, budget=300):
    """Runs a launcher that starts programs which report in our place; returns its exit code. Call before any Reporter.

    `words` follow the interpreter's name; `budget` is the launcher's time. What it starts has our stdin too, so that
    it stops when that closes.
    """
    import subprocess

    line = {"event": "stage", "time": 0.0, "name": "launch", "budget": float(budget)}
    os.write(1, json.dumps(line).encode("ascii") + b"\n")
    return subprocess.call([sys.executable, "-X", "utf8", *words], env={**os.environ, **environment})


class Silent:
    """A reporter that tells nobody: for all processes of a training but the first."""

    def run(self, main):
        """Calls `main()`. The others learn of our trouble when we are gone."""
        main()

    def proof(self, name, passed, /, **values):
        return bool(passed)

    def __getattr__(self, name):
        return lambda *args, **values: None


def arguments(seconds):
    """What the parent asks for; `seconds` of training if it does not say."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--expect", default="any", help="any | gpu | cuda | rocm | xpu | mps | cpu")
    parser.add_argument("--device-index", type=int, default=None)
    parser.add_argument("--seconds", type=float, default=seconds)
    parser.add_argument("--steps", type=int, default=None)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--batch-scale", type=float, default=1.0)
    return parser.parse_args()


def _plain(value):
    """A value as the protocol carries it: text, a whole number or a finite one."""
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value if isinstance(value, (int, float)) else str(value)


def _stop_when_stdin_closes():
    wait = _windows_stdin_closed if sys.platform == "win32" else _posix_stdin_closed
    try:
        wait()
    except (OSError, ValueError):
        return  # there is no stdin to watch: started by hand
    os._exit(STOPPED)


def _posix_stdin_closed():
    import select

    while True:
        select.select([0], [], [])
        if not os.read(0, 4096):
            return


def _windows_stdin_closed():
    # Never a blocking read: while one waits, loading a DLL that looks at stdin waits too, and so the whole import.
    import ctypes
    import msvcrt

    peek = ctypes.windll.kernel32.PeekNamedPipe
    handle = ctypes.c_void_p(msvcrt.get_osfhandle(0))
    while peek(handle, None, 0, None, None, None):
        time.sleep(0.2)
    if ctypes.windll.kernel32.GetFileType(handle) != 3:  # FILE_TYPE_PIPE
        raise OSError("stdin is no pipe")
