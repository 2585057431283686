"""Saved runs: one folder each, with the events, the log to read, and what it was."""

from __future__ import annotations

import contextlib
import secrets
import time
from collections.abc import Iterable
from pathlib import Path

import msgspec

from gpu_assistant import __version__
from gpu_assistant.base.files import put_aside, write_atomic
from gpu_assistant.base.message import Message, message
from gpu_assistant.base.model import Value, from_json, to_json
from gpu_assistant.base.paths import app_paths
from gpu_assistant.base.redact import redact
from gpu_assistant.smoke_test.events import Began, Ending, Interrupted, Log, SmokeEvent
from gpu_assistant.smoke_test.parse import read_saved
from gpu_assistant.smoke_test.run import SmokeRun, Verdict, fold
from gpu_assistant.smoke_test.spec import SmokeSpec

EVENTS, LOG, META = "events.jsonl", "log.txt", "meta.json"
EXPORT_SCHEMA = 1


class Meta(Value, frozen=True, kw_only=True):
    """What a list of saved runs shows, without reading the events."""

    schema: int = 1
    id: str
    started: float  # Unix time
    program: str  # version of GPU Assistant
    spec: SmokeSpec
    verdict: Verdict = "running"
    seconds: float = 0.0
    device: str | None = None
    versions: dict[str, str] = {}  # python, the framework and its build, what else the child told


class SavedRun(Value, frozen=True, kw_only=True):
    """One saved run."""

    folder: Path
    meta: Meta


class BrokenRun(Exception):
    """A saved run that cannot be read. `reason` says it; the folder was put aside."""

    def __init__(self, reason: Message) -> None:
        super().__init__(reason.id)
        self.reason = reason


def runs_folder() -> Path:
    """Where the runs of this user are saved."""
    return app_paths().data / "runs"


def new_run_id(test: str) -> str:
    """A name that sorts by time: "20261201-143000-picture-3f9a"."""
    return f"{time.strftime('%Y%m%d-%H%M%S')}-{test}-{secrets.token_hex(2)}"


class RunWriter:
    """Writes a run while it goes on. A full disk must not end the training: from the first error on it is silent."""

    def __init__(self, folder: Path, began: Began) -> None:
        self.folder = folder / began.run_id
        self.trouble: OSError | None = None
        self._began = began
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            self._events = (self.folder / EVENTS).open("ab")
            self._log = (self.folder / LOG).open("a", encoding="utf-8", errors="replace")
        except OSError as error:
            self.trouble = error
        else:
            self._write_meta(SmokeRun().apply(began))

    def write(self, event: SmokeEvent) -> None:
        """Adds one event."""
        if self.trouble is not None:
            return
        try:
            self._events.write(to_json(event) + b"\n")
            self._events.flush()
            if isinstance(event, Log):
                self._log.write(event.text + "\n")
                self._log.flush()
        except OSError as error:
            self.trouble = error

    def close(self, run: SmokeRun) -> None:
        """Ends it: the meta data tell how."""
        with contextlib.suppress(OSError, AttributeError):
            self._events.close()
            self._log.close()
        if self.trouble is None:
            self._write_meta(run)

    def _write_meta(self, run: SmokeRun) -> None:
        try:
            write_atomic(self.folder / META, to_json(_meta(run), indent=2))
        except OSError as error:
            self.trouble = error


def list_runs(folder: Path | None = None) -> tuple[tuple[SavedRun, ...], tuple[Message, ...]]:
    """Saved runs, newest first, and what could not be read: that is put aside and said."""
    found, said = [], []
    for path in _folders(folder or runs_folder()):
        try:
            found.append(SavedRun(folder=path, meta=from_json((path / META).read_bytes(), Meta)))
        except FileNotFoundError:
            continue
        except (OSError, msgspec.DecodeError) as error:
            said.append(_put_aside(path, error))
    return tuple(sorted(found, key=lambda run: (run.meta.started, run.meta.id), reverse=True)), tuple(said)


def load_run(run_id: str, folder: Path | None = None) -> SmokeRun:
    """A saved run as the object it was at its end. Raises `BrokenRun`; `FileNotFoundError` for an unknown one."""
    path = (folder or runs_folder()) / run_id
    if run_id in ("", "..") or Path(run_id).name != run_id or not path.is_dir():
        raise FileNotFoundError(run_id)
    try:
        events = _read_events((path / EVENTS).read_bytes())
    except (OSError, msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BrokenRun(_put_aside(path, error)) from error
    if not any(isinstance(event, Ending) for event in events):
        events.append(Interrupted())
    return fold(events)


def export_json(run: SmokeRun) -> bytes:
    """A run to give to others: `schema`, `program`, `verdict`, `run`; home folders' names and secrets are taken out."""
    told = {"schema": EXPORT_SCHEMA, "program": __version__, "verdict": run.verdict, "run": run}
    return redact(to_json(told, indent=2).decode()).encode()


def versions(run: SmokeRun) -> dict[str, str]:
    """What ran: Python, the framework, its build, and what else the child told."""
    told: dict[str, str | None] = {}
    if run.hello is not None:
        told = {"python": run.hello.python, run.hello.framework: run.hello.version, "build": run.hello.build}
    if run.result is not None:
        told |= {name: value for name, value in run.result.summary.items() if isinstance(value, str)}
    return {name: value for name, value in told.items() if value}


def _folders(folder: Path) -> Iterable[Path]:
    try:
        return [path for path in folder.iterdir() if path.is_dir() and ".broken-" not in path.name]
    except OSError:
        return []


def _read_events(data: bytes) -> list[SmokeEvent]:
    lines = data.splitlines(keepends=True)
    if lines and not lines[-1].endswith(b"\n"):
        lines.pop()  # torn off while it was written
    events = [read_saved(line) for line in lines]
    if not events or not isinstance(events[0], Began):
        raise msgspec.DecodeError("the beginning is missing")
    return events


def _put_aside(path: Path, error: Exception) -> Message:
    try:
        aside = put_aside(path)
    except OSError:
        aside = path
    return message("smoke-run-broken", file=str(aside), detail=str(error))


def _meta(run: SmokeRun) -> Meta:
    assert run.spec is not None, "a run is written from its beginning on"
    return Meta(
        id=run.id,
        started=run.started,
        program=__version__,
        spec=run.spec,
        verdict=run.verdict,
        seconds=run.seconds,
        device=run.device.name if run.device is not None else None,
        versions=versions(run),
    )
