"""A child process that cannot outlive us, and whose whole tree can be ended.

POSIX: the child leads a session of its own; a tiny `sh` watches a pipe that only we hold and kills the child's group
when we are gone, even by SIGKILL. Windows: the child is put into a job object; the system kills the job when our last
handle to it closes. On both the child's first instruction waits until its guard stands, so that no moment is left in
which our death would leave it alone.
"""

from __future__ import annotations

import contextlib
import errno
import os
import queue
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Literal

import psutil

from gpu_assistant.base.job import JobContext
from gpu_assistant.base.lines import LineSplitter
from gpu_assistant.base.model import Value

if sys.platform == "win32":
    from gpu_assistant.base import windows_job

    _NEW_CONSOLE = subprocess.CREATE_NEW_CONSOLE
    _NO_STREAM = None  # given any stream, a shell would not use its new console
else:
    _NEW_CONSOLE = 0
    _NO_STREAM = subprocess.DEVNULL

StreamName = Literal["out", "err"]

LINGER = 1.0  # seconds that what a child left behind may still hold its pipes

# `kill -KILL -- -1` is an "Illegal number" to dash: only `-s` takes a group
_WATCHDOG = "while read -r _; do :; done; kill -s KILL -- -$1; sleep 1; kill -s KILL -- -$1"
_GATE = 'read -r _ || exit 126; exec "$@"'
_GATE_NO_INPUT = 'read -r _ || exit 126; exec "$@" </dev/null'

# What would lead a child's Python astray, or is ours alone.
_MISLEADING = ("PYTHONHOME", "PYTHONPATH", "PYTHONSTARTUP", "VIRTUAL_ENV", "CONDA_PREFIX", "__PYVENV_LAUNCHER__")


class Line(Value, frozen=True, kw_only=True):
    """One line that the child printed."""

    stream: StreamName
    text: str


class ChildError(Exception):
    """The child could not be started."""


def child_environment(extra: Mapping[str, str | None] | None = None) -> dict[str, str]:
    """Our environment without what misleads a child's Python, with UTF-8 forced; `None` in `extra` removes a name."""
    environment = {name: value for name, value in os.environ.items() if name.upper() not in _MISLEADING}
    environment |= {"PYTHONUTF8": "1", "PYTHONIOENCODING": "utf-8", "PYTHONUNBUFFERED": "1", "PYTHONNOUSERSITE": "1"}
    for name, value in (extra or {}).items():
        if value is None:
            environment.pop(name, None)
        else:
            environment[name] = value
    return environment


class Child:
    """A running child with its output as lines. Use as a context manager: leaving it ends the tree."""

    def __init__(
        self,
        argv: Sequence[str],
        *,
        environment: Mapping[str, str] | None = None,
        folder: Path | None = None,
        keep_stdin: bool = False,
    ) -> None:
        """Starts it. `keep_stdin` leaves its input open until `close_stdin`. Raises `ChildError`."""
        self.argv = tuple(argv)
        self._queue: queue.SimpleQueue[Line | None] = queue.SimpleQueue()
        try:
            self._process, self._guard = _start(
                self.argv, dict(environment) if environment is not None else child_environment(), folder, keep_stdin
            )
        except (OSError, ValueError) as error:
            raise ChildError(f"{argv[0]}: {error}") from error
        self._readers = [
            threading.Thread(target=self._read, args=(stream, name), daemon=True)
            for stream, name in ((self._process.stdout, "out"), (self._process.stderr, "err"))
        ]
        for reader in self._readers:
            reader.start()

    def __enter__(self) -> Child:
        return self

    def __exit__(self, *exc: object) -> None:
        self.end()

    @property
    def pid(self) -> int:
        """The child's process id."""
        return self._process.pid

    @property
    def exit_code(self) -> int | None:
        """None while it runs; on POSIX a negative signal number if one ended it."""
        return self._process.poll()

    def lines(self, ctx: JobContext, *, poll: float = 0.1, idle: float | None = None) -> Iterator[Line | None]:
        """Yields lines until both streams end; `None` every `idle` seconds without a line.

        Raises `Cancelled` (and leaves the child to `end`) as soon as the context is cancelled.
        """
        open_streams = len(self._readers)
        last = time.monotonic()
        ended: float | None = None
        while open_streams:
            ctx.check()
            now = time.monotonic()
            if ended is None and self.exit_code is not None:
                ended = now
            if ended is not None and now - ended > LINGER:
                # the child is gone, and a process that it left behind may hold the pipes open for ever
                yield from self._rest(ctx)
                return
            try:
                item = self._queue.get(timeout=poll)
            except queue.Empty:
                if idle is not None and time.monotonic() - last >= idle:
                    last = time.monotonic()
                    yield None
                continue
            last = time.monotonic()
            if item is None:
                open_streams -= 1
            else:
                yield item

    def _rest(self, ctx: JobContext) -> Iterator[Line]:
        """What was printed until now."""
        for reader in self._readers:
            reader.join(0.2)
        for _ in range(self._queue.qsize()):
            ctx.check()
            if (item := self._queue.get()) is not None:
                yield item

    def close_stdin(self) -> None:
        """Tells a child that reads its input to stop."""
        if self._process.stdin is not None:
            with contextlib.suppress(OSError):
                self._process.stdin.close()

    def wait(self, ctx: JobContext, timeout: float | None = None) -> int:
        """Waits for the exit code; raises `Cancelled`, and `TimeoutError` after `timeout` seconds."""
        end = None if timeout is None else time.monotonic() + timeout
        while (code := self._process.poll()) is None:
            if end is not None and time.monotonic() > end:
                raise TimeoutError(f"{self.argv[0]}: no end after {timeout} s")
            ctx.wait(0.02)
        return code

    def end(self, grace: float = 0.8) -> int | None:
        """Ends the whole tree: politely, then after `grace` seconds by force. Returns the exit code."""
        self.close_stdin()
        tree = self._tree()
        if tree:
            self._guard.terminate(self._process)
            self._wait_gone(tree, grace)
            self._guard.kill(self._process)
            for process in tree:
                with contextlib.suppress(psutil.Error):
                    process.kill()
            self._wait_gone(tree, 1.0)
        self._guard.release()
        for reader in self._readers:
            reader.join(0.5)
        return self._process.poll()

    def _tree(self) -> list[psutil.Process]:
        if self._process.poll() is not None:
            return self._guard.left_behind()
        with contextlib.suppress(psutil.Error):
            process = psutil.Process(self.pid)
            return [process, *process.children(recursive=True)]
        return self._guard.left_behind()

    def _wait_gone(self, tree: list[psutil.Process], seconds: float) -> None:
        end = time.monotonic() + seconds
        while (self._process.poll() is None or any(map(_runs, tree))) and time.monotonic() < end:
            time.sleep(0.01)

    def _read(self, stream: IO[bytes], name: StreamName) -> None:
        splitter = LineSplitter()
        descriptor = stream.fileno()
        with contextlib.suppress(OSError, ValueError):
            while chunk := os.read(descriptor, 1 << 16):
                for text in splitter.feed(chunk):
                    self._queue.put(Line(stream=name, text=text))
        for text in splitter.close():
            self._queue.put(Line(stream=name, text=text))
        with contextlib.suppress(OSError):
            stream.close()
        self._queue.put(None)


def _runs(process: psutil.Process) -> bool:
    # a zombie whose new parent does not collect it is dead all the same
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False


if sys.platform == "win32":

    def _start(
        argv: Sequence[str], environment: dict[str, str], folder: Path | None, keep_stdin: bool
    ) -> tuple[subprocess.Popen[bytes], _Guard]:
        """Starts it suspended, and lets it run when it is in its job. Raises `OSError`, `ValueError`."""
        process = subprocess.Popen(
            list(argv),
            stdin=subprocess.PIPE if keep_stdin else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment,
            cwd=folder,
            creationflags=subprocess.CREATE_NO_WINDOW | windows_job.CREATE_SUSPENDED,
        )
        try:
            guard = _Guard(process)
            windows_job.resume(int(process._handle))  # type: ignore[attr-defined]
        except BaseException:
            process.kill()
            raise
        return process, guard

    class _Guard:
        """A job object that closes, and kills, with us."""

        def __init__(self, process: subprocess.Popen[bytes]) -> None:
            self._job = windows_job.Job()
            self._job.take(int(process._handle))  # type: ignore[attr-defined]

        def terminate(self, process: subprocess.Popen[bytes]) -> None:
            """Windows has no polite signal for a process without a console: closing its input was the polite part."""

        def kill(self, process: subprocess.Popen[bytes]) -> None:
            self._job.kill()

        def left_behind(self) -> list[psutil.Process]:
            """Nothing to wait for: closing the job ends what is left in it."""
            return []

        def release(self) -> None:
            self._job.close()

else:

    def _start(
        argv: Sequence[str], environment: dict[str, str], folder: Path | None, keep_stdin: bool
    ) -> tuple[subprocess.Popen[bytes], _Guard]:
        """Starts it behind a gate, and opens that when the watchdog stands. Raises `OSError`, `ValueError`."""
        program = _executable(argv[0], environment, folder)
        process = subprocess.Popen(
            ["/bin/sh", "-c", _GATE if keep_stdin else _GATE_NO_INPUT, "sh", program, *argv[1:]],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment,
            cwd=folder,
            start_new_session=True,
        )
        try:
            guard = _Guard(process)
        except BaseException:
            process.kill()
            raise
        if process.stdin is not None:
            with contextlib.suppress(OSError):
                process.stdin.write(b"\n")
                process.stdin.flush()
                if not keep_stdin:
                    process.stdin.close()
        return process, guard

    def _executable(name: str, environment: Mapping[str, str], folder: Path | None) -> str:
        """The file that will run; asked before, because behind the gate a missing one would only be an exit code."""
        if "/" in name:
            path = (folder or Path()) / name
            if not path.is_file():
                raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), name)
            if not os.access(path, os.X_OK):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), name)
            return name
        if (found := shutil.which(name, path=environment.get("PATH"))) is None:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), name)
        return found

    class _Guard:
        """A `sh` in a session of its own that outlives our SIGKILL by the time it takes to kill the child's group."""

        def __init__(self, process: subprocess.Popen[bytes]) -> None:
            self._group = process.pid
            self._watchdog = subprocess.Popen(
                ["/bin/sh", "-c", _WATCHDOG, "sh", str(process.pid)],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )

        def terminate(self, process: subprocess.Popen[bytes]) -> None:
            self._signal(signal.SIGTERM)

        def kill(self, process: subprocess.Popen[bytes]) -> None:
            self._signal(signal.SIGKILL)

        def left_behind(self) -> list[psutil.Process]:
            """What the ended child started and left in its group."""
            try:
                os.killpg(self._group, 0)
            except (ProcessLookupError, PermissionError):
                return []
            return [process for process in psutil.process_iter() if _runs(process) and self._leads(process.pid)]

        def _leads(self, pid: int) -> bool:
            try:
                return os.getpgid(pid) == self._group
            except OSError:
                return False

        def release(self) -> None:
            # first the watchdog, then the pipe: a group number that is free again must not be killed
            self._watchdog.kill()
            self._watchdog.wait()
            if self._watchdog.stdin is not None:
                self._watchdog.stdin.close()

        def _signal(self, number: int) -> None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._group, number)


class Finished(Value, frozen=True, kw_only=True):
    """What a short child said."""

    exit_code: int
    out: tuple[str, ...]
    err: tuple[str, ...]


def run_child(
    argv: Sequence[str],
    ctx: JobContext,
    *,
    environment: Mapping[str, str] | None = None,
    folder: Path | None = None,
    timeout: float | None = None,
) -> Finished:
    """Runs a child to its end. Raises `ChildError`, `TimeoutError` (the tree is ended then) and `Cancelled`."""
    end = None if timeout is None else time.monotonic() + timeout
    streams: dict[StreamName, list[str]] = {"out": [], "err": []}
    with Child(argv, environment=environment, folder=folder) as child:
        for line in child.lines(ctx, idle=0.1):
            if line is not None:
                streams[line.stream].append(line.text)
            if end is not None and time.monotonic() > end:
                raise TimeoutError(f"{argv[0]}: no end after {timeout} s")
        code = child.wait(ctx, None if end is None else max(0.0, end - time.monotonic()))
    return Finished(exit_code=code, out=tuple(streams["out"]), err=tuple(streams["err"]))


def launch(argv: Sequence[str], *, environment: Mapping[str, str] | None = None, folder: Path | None = None) -> None:
    """Starts a program of the user's (a terminal, a file manager) that lives on without us. Raises `ChildError`."""
    try:
        process = subprocess.Popen(
            list(argv),
            stdin=_NO_STREAM,
            stdout=_NO_STREAM,
            stderr=_NO_STREAM,
            env=dict(environment) if environment is not None else None,
            cwd=folder,
            start_new_session=sys.platform != "win32",
            creationflags=_NEW_CONSOLE,
        )
    except (OSError, ValueError) as error:
        raise ChildError(f"{argv[0]}: {error}") from error
    # nobody waits for it, but it must not become a zombie while we live
    threading.Thread(target=process.wait, daemon=True).start()
