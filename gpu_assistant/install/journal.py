"""One record for each install under way, written before anything is touched, so that the next start can tell."""

from __future__ import annotations

import contextlib
import os
import shutil
import time
from pathlib import Path
from typing import Literal

import msgspec
import psutil

from gpu_assistant.base.files import long_path, write_atomic
from gpu_assistant.base.model import Value, from_json, to_json
from gpu_assistant.base.paths import RootLayout
from gpu_assistant.install.marker import sync_folder

Phase = Literal["building", "changing", "swapping", "done"]


class Owner(Value, frozen=True, kw_only=True):
    """The process that works on it; its start time tells it from a later process of the same number."""

    pid: int
    created: float


class Record(Value, frozen=True, kw_only=True):
    """Where an install stands.

    building: `build` is unfinished, `target` is as it was. swapping: `build` is complete and verified and moves to
    `target`. changing: `target` itself is being changed (a repair). done: `target` is complete; the record stays as
    the list of our environments, wherever they lie.
    """

    id: str
    phase: Phase
    plan_id: str
    framework: str
    target: str
    build: str
    old: str  # where a former environment of the same place is moved to
    began: float  # Unix time
    owner: Owner | None = None


def this_process() -> Owner:
    """Ourselves as an owner."""
    return Owner(pid=os.getpid(), created=psutil.Process().create_time())


def is_alive(owner: Owner | None) -> bool:
    """Whether that very process still runs."""
    if owner is None:
        return False
    try:
        return abs(psutil.Process(owner.pid).create_time() - owner.created) < 1.0
    except psutil.Error:
        return False


class Journal:
    """The records under one root folder."""

    def __init__(self, layout: RootLayout) -> None:
        self.folder = layout.journal

    def records(self) -> tuple[Record, ...]:
        """All readable records, oldest first."""
        found = []
        for path in self.folder.glob("*.json"):
            with contextlib.suppress(OSError, msgspec.DecodeError):
                found.append(from_json(path.read_bytes(), Record))
        return tuple(sorted(found, key=lambda record: record.began))

    def write(self, record: Record) -> None:
        """Writes or replaces a record, durably. Raises `OSError`."""
        write_atomic(self._path(record.id), to_json(record, indent=2))
        sync_folder(self.folder)

    def forget(self, record: Record) -> None:
        """Removes a record. Raises `OSError`."""
        self.clear_work(record)
        self._path(record.id).unlink(missing_ok=True)
        sync_folder(self.folder)

    def work(self, record: Record) -> Path:
        """The folder for an install's own small files."""
        return self.folder / record.id

    def clear_work(self, record: Record) -> None:
        """Removes those files."""
        shutil.rmtree(long_path(self.work(record)), ignore_errors=True)

    def busy_with(self, target: Path) -> bool:
        """Whether another living install works on that folder."""
        return any(
            Path(record.target) == target and record.phase != "done" and is_alive(record.owner)
            for record in self.records()
        )

    def _path(self, id_: str) -> Path:
        return self.folder / f"{id_}.json"


def new_id() -> str:
    """Short, sortable by time, different for two installs of one second."""
    return f"{time.strftime('%Y%m%d-%H%M%S')}-{os.urandom(2).hex()}"
