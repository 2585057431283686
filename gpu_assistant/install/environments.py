"""Our environments: what stands, what lies around, how big it is, and how it goes away again."""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
from pathlib import Path
from typing import Literal

from gpu_assistant.base.files import long_path
from gpu_assistant.base.job import JobContext
from gpu_assistant.base.model import Value
from gpu_assistant.base.paths import RootLayout
from gpu_assistant.install.journal import Journal, is_alive, new_id
from gpu_assistant.install.kernel import unregister_kernel
from gpu_assistant.install.marker import Marker, environment_python, read_marker, remove_marker
from gpu_assistant.install.place import rename

LeftoverKind = Literal["broken", "old", "partial", "deleting"]


class Environment(Value, frozen=True, kw_only=True):
    """A finished environment of ours."""

    name: str
    folder: str
    python: str
    marker: Marker


class Leftover(Value, frozen=True, kw_only=True):
    """A folder of ours that is no environment: unfinished, replaced, or half deleted."""

    folder: str
    kind: LeftoverKind


class Sizes(Value, frozen=True, kw_only=True):
    """What undoing would give back, in bytes. Files that an environment shares with the cache count in both."""

    environments: dict[str, int]
    leftovers: dict[str, int]
    cache: int
    pythons: int


def downloads_folder(cache: Path) -> Path:
    """Where fetched wheels lie, so that a second install and a broken one need not fetch them again."""
    return cache / "downloads"


def folder_bytes(folder: Path) -> int:
    """Size of a folder's files; a file of several names counts once. What cannot be read counts nothing."""
    total = 0
    seen: set[tuple[int, int]] = set()
    todo = [str(long_path(folder))]
    while todo:
        with contextlib.suppress(OSError), os.scandir(todo.pop()) as entries:
            for entry in entries:
                with contextlib.suppress(OSError):
                    if entry.is_dir(follow_symlinks=False):
                        todo.append(entry.path)
                        continue
                    status = entry.stat(follow_symlinks=False)
                    key = (status.st_dev, status.st_ino)
                    if status.st_ino == 0 or key not in seen:
                        seen.add(key)
                        total += status.st_size
    return total


def list_environments(layout: RootLayout) -> tuple[Environment, ...]:
    """Every usable environment: under the root, and where else we put one. Newest first."""
    folders = {Path(record.target) for record in Journal(layout).records() if record.phase == "done"}
    with contextlib.suppress(OSError):
        folders |= {folder for folder in layout.environments.iterdir() if folder.is_dir()}
    found = []
    for folder in folders:
        marker = None if _leftover_kind(folder) else read_marker(folder)
        if marker is not None:
            python = str(environment_python(folder))
            found.append(Environment(name=folder.name, folder=str(folder), python=python, marker=marker))
    return tuple(sorted(found, key=lambda environment: (-environment.marker.finished, environment.name)))


def list_leftovers(layout: RootLayout) -> tuple[Leftover, ...]:
    """Folders that failed, cancelled, replaced or half-deleted environments left. Not those being built right now."""
    records = Journal(layout).records()
    busy = {record.build for record in records if record.phase != "done" and is_alive(record.owner)}
    parents = {layout.environments, *(Path(record.target).parent for record in records)}
    found = []
    for parent in parents:
        with contextlib.suppress(OSError):
            for folder in parent.iterdir():
                kind = _leftover_kind(folder)
                if kind is not None and folder.is_dir() and str(folder) not in busy:
                    found.append(Leftover(folder=str(folder), kind=kind))
    return tuple(sorted(found, key=lambda leftover: leftover.folder))


def sizes(layout: RootLayout) -> Sizes:
    """Sizes of everything of ours. Takes a while with many files."""
    return Sizes(
        environments={env.folder: folder_bytes(Path(env.folder)) for env in list_environments(layout)},
        leftovers={left.folder: folder_bytes(Path(left.folder)) for left in list_leftovers(layout)},
        cache=folder_bytes(layout.cache),
        pythons=folder_bytes(layout.pythons),
    )


def remove_folder(folder: Path) -> None:
    """Deletes one of our folders; torn off in the middle, what is left has a name that says so. Raises `OSError`."""
    if not folder.exists():
        return
    if _leftover_kind(folder) != "deleting":
        doomed = folder.with_name(f"{folder.name}.deleting-{new_id()}")
        rename(folder, doomed)
        folder = doomed
    if sys.version_info >= (3, 12):
        shutil.rmtree(long_path(folder), onexc=_make_writable)
    else:
        shutil.rmtree(long_path(folder), onerror=_make_writable)


def remove_environment(layout: RootLayout, folder: Path) -> None:
    """Removes an environment of ours and what is written about it. Raises `OSError`, `ValueError` if it is not ours."""
    if read_marker(folder) is None and _leftover_kind(folder) is None:
        raise ValueError(f"{folder} is no environment of ours")
    with contextlib.suppress(OSError):
        unregister_kernel(folder)
    remove_marker(folder)
    remove_folder(folder)
    journal = Journal(layout)
    for record in journal.records():
        if Path(record.target) == folder and record.phase == "done":
            journal.forget(record)


class UndoJob:
    """Undoes everything that was chosen: environments, leftovers, the cache, the Pythons."""

    def __init__(
        self,
        layout: RootLayout,
        *,
        environments: tuple[str, ...] = (),
        leftovers: bool = True,
        cache: bool = False,
        pythons: bool = False,
    ) -> None:
        self._layout = layout
        self._environments = environments
        self._leftovers = leftovers
        self._cache = cache
        self._pythons = pythons

    def run(self, ctx: JobContext) -> tuple[str, ...]:
        """Removes one folder after the other; emits each folder's name. Returns what could not be removed."""
        stuck: list[str] = []
        for folder in self.folders():
            ctx.check()
            ctx.emit(folder)
            try:
                if folder in self._environments:
                    remove_environment(self._layout, Path(folder))
                else:
                    remove_folder(Path(folder))
            except (OSError, ValueError):
                stuck.append(folder)
        return tuple(stuck)

    def folders(self) -> list[str]:
        """What will be deleted, in order."""
        folders = [*self._environments]
        if self._leftovers:
            folders += [leftover.folder for leftover in list_leftovers(self._layout)]
        if self._cache:
            folders.append(str(self._layout.cache))
        if self._pythons and not self._remaining():
            folders.append(str(self._layout.pythons))
        return folders

    def _remaining(self) -> bool:
        """Whether an environment stays that may need a Python of ours."""
        return any(environment.folder not in self._environments for environment in list_environments(self._layout))


def _leftover_kind(folder: Path) -> LeftoverKind | None:
    kinds: tuple[LeftoverKind, ...] = ("deleting", "broken", "old", "partial")
    return next((kind for kind in kinds if f".{kind}-2" in folder.name), None)


def _make_writable(function: object, path: str, error: object) -> None:
    """Windows refuses to delete read-only files."""
    os.chmod(path, 0o700)  # noqa: PTH101
    if callable(function):
        function(path)
