"""Watched runs on the disk: a folder each, with the events, the samples around them, and what came out."""

from __future__ import annotations

import contextlib
import re
import secrets
import shutil
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import msgspec

from gpu_assistant.base.files import write_atomic
from gpu_assistant.base.model import Value, from_json, to_json
from gpu_assistant.base.paths import app_paths
from gpu_assistant.monitor.hints import Hint
from gpu_assistant.monitor.model import Mark, Sample
from gpu_assistant.monitor.recording import NotARecording, Recorder, open_recording
from gpu_assistant.monitor.store import SeriesStore
from gpu_assistant.watch.events import WatchEvent
from gpu_assistant.watch.run import WatchRun, fold

EVENTS, SAMPLES, META, TOLD = "events.jsonl", "samples.gpurec", "run.json", "inside.jsonl"
KEPT = 30  # runs; the oldest go

_decoder: msgspec.json.Decoder[WatchEvent] = msgspec.json.Decoder(WatchEvent)


class Meta(Value, frozen=True, kw_only=True):
    """What a list of runs shows, without reading the events."""

    id: str
    began: float  # Unix time
    seconds: float
    command: tuple[str, ...]
    verdict: str
    steps: int = 0
    hints: tuple[Hint, ...] = ()  # all that were seen


class RunFolder:
    """One run while it is written. A full disk must not end the program: from the first trouble on it is silent."""

    def __init__(self, parent: Path, name: str) -> None:
        """Makes the folder. Raises `OSError`."""
        plain = re.sub(r"[^\w-]+", "-", name)[:40]
        self.id = f"{time.strftime('%Y%m%d-%H%M%S')}-{plain}-{secrets.token_hex(2)}"
        self.path = parent / self.id
        self.path.mkdir(parents=True)
        self.told = self.path / TOLD
        self.trouble: OSError | None = None
        self._events = (self.path / EVENTS).open("ab")
        self._samples = Recorder(self.path / SAMPLES, started=time.time(), title=name)

    def write(self, event: WatchEvent) -> None:
        """Keeps one event."""
        self._quietly(lambda: self._events.write(to_json(event) + b"\n"))

    def sample(self, sample: Sample) -> None:
        """Keeps one sample."""
        self._quietly(lambda: self._samples.write(sample))

    def training(self, at: float, values: dict[str, float]) -> None:
        """Keeps what the training told, beside the samples."""
        self._quietly(lambda: self._samples.training(at, values))

    def mark(self, mark: Mark) -> None:
        """Keeps a mark of the time axis."""
        self._quietly(lambda: self._samples.mark(mark))

    def close(self, run: WatchRun, hints: Iterable[Hint]) -> None:
        """The end of the run."""
        self._quietly(self._events.close)
        self._quietly(self._samples.close)
        self._quietly(lambda: write_atomic(self.path / META, to_json(_meta(self.id, run, hints), indent=2)))
        with contextlib.suppress(OSError):
            self.told.unlink(missing_ok=True)  # all of it is among the events
        for old in sorted(self.path.parent.iterdir())[:-KEPT]:
            shutil.rmtree(old, ignore_errors=True)

    def _quietly(self, work: Callable[[], object]) -> None:
        try:
            if self.trouble is None:
                work()
        except OSError as error:
            self.trouble = error


class SavedRun(Value, frozen=True, kw_only=True):
    """One saved run."""

    folder: Path
    meta: Meta


def watched_folder() -> Path:
    """Where this user's watched runs are."""
    return app_paths().data / "watched"


def list_runs(folder: Path | None = None) -> tuple[SavedRun, ...]:
    """Saved runs, newest first; what cannot be read, or has no end, is left out."""
    found = []
    for path in sorted((folder or watched_folder()).glob(f"*/{META}"), reverse=True):
        with contextlib.suppress(OSError, msgspec.DecodeError):
            found.append(SavedRun(folder=path.parent, meta=from_json(path.read_bytes(), Meta)))
    return tuple(found)


def load_run(folder: Path) -> tuple[WatchRun, SeriesStore, tuple[Hint, ...]]:
    """A saved run, its series, and the hints that were seen. Raises `OSError`, `NotARecording`."""
    try:
        meta = from_json((folder / META).read_bytes(), Meta)
    except msgspec.DecodeError as error:
        raise NotARecording(f"{META}: {error}") from error
    return fold(_read(folder / EVENTS)), open_recording(folder / SAMPLES).store(), meta.hints


def _read(path: Path) -> Iterator[WatchEvent]:
    for line in path.read_bytes().splitlines():
        try:
            yield _decoder.decode(line)
        except msgspec.DecodeError as error:
            raise NotARecording(f"{path.name}: {error}") from error


def _meta(id_: str, run: WatchRun, hints: Iterable[Hint]) -> Meta:
    began = run.began or 0.0
    return Meta(
        id=id_,
        began=began,
        seconds=round((run.ended or began) - began, 1),
        command=run.command,
        verdict=run.verdict,
        steps=run.steps,
        hints=tuple(hints),
    )
