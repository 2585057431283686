"""Where an environment is built and how it comes to its place: the old state or a complete new one, at any moment.

beside: it is built under a name that says "unfinished" and moves by renames when it is verified. straight: a tool
whose environments cannot be moved (conda, python -m venv) builds at the place itself, the former environment waits
aside. repair: an environment that is changed where it stands loses its marker first and gets it back last.
"""

from __future__ import annotations

import contextlib
import shutil
import time
from pathlib import Path
from typing import Literal

from msgspec.structs import replace

from gpu_assistant.base.files import long_path
from gpu_assistant.base.message import Message, message
from gpu_assistant.base.paths import RootLayout
from gpu_assistant.install.journal import Journal, Record, is_alive, new_id, this_process
from gpu_assistant.install.marker import Marker, read_marker, remove_marker, sync_folder, write_marker

Manner = Literal["beside", "straight", "repair"]

_RENAME_PAUSES = (0.05, 0.1, 0.2, 0.4, 0.8)  # a virus scanner lets go after a moment


class Place:
    """One install's folder, from the journal's first word to its last."""

    def __init__(self, layout: RootLayout, *, plan_id: str, framework: str, target: Path, manner: Manner) -> None:
        """Writes the journal before anything is touched. Raises `OSError`."""
        self._journal = Journal(layout)
        id_ = new_id()
        build = target.with_name(f"{target.name}.partial-{id_}") if manner == "beside" else target
        self.record = Record(
            id=id_,
            phase="changing" if manner == "repair" else "building",
            plan_id=plan_id,
            framework=framework,
            target=str(target),
            build=str(build),
            old=str(target.with_name(f"{target.name}.old-{id_}")),
            began=time.time(),
            owner=this_process(),
        )
        self._journal.write(self.record)
        if manner == "repair":
            remove_marker(target)
        elif manner == "straight" and target.exists():
            rename(target, Path(self.record.old))

    @property
    def build(self) -> Path:
        """The folder to work in."""
        return Path(self.record.build)

    @property
    def work(self) -> Path:
        """A folder for the install's own small files; it goes with the record."""
        folder = self._journal.work(self.record)
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    def finish(self, marker: Marker) -> None:
        """Marks the verified environment and moves it to its place.

        Raises `OSError`; where the environment was complete by then, `recover` moves it later.
        """
        write_marker(self.build, marker)
        self._journal.write(replace(self.record, phase="swapping", owner=None))
        move_in(self.record)
        _conclude(self._journal, self.record)

    def give_up(self) -> Path | None:
        """Ends an install that did not succeed. Returns where the unfinished environment was put, if anywhere."""
        if self.record.phase == "changing":
            self._journal.forget(self.record)  # without its marker it does not count
            return None
        return _put_back(self._journal, self.record)


def move_in(record: Record) -> None:
    """Moves a complete environment to its place, the former one out of the way. Raises `OSError`."""
    build, target, old = Path(record.build), Path(record.target), Path(record.old)
    if build == target or not build.exists():
        return
    if target.exists():
        rename(target, old)
    try:
        rename(build, target)
    except OSError:
        if old.exists():
            old.rename(target)
        raise
    sync_folder(target.parent)


def rename(source: Path, target: Path) -> None:
    """Renames a folder, trying again while something holds it open. Raises `OSError`."""
    for pause in _RENAME_PAUSES:
        try:
            source.rename(target)
            return
        except PermissionError:
            time.sleep(pause)
    source.rename(target)


def _conclude(journal: Journal, record: Record) -> None:
    """From now on this record stands for the environment at its place."""
    for other in journal.records():
        if other.target == record.target and other.id != record.id and other.phase == "done":
            journal.forget(other)
    journal.write(replace(record, phase="done", owner=None))
    journal.clear_work(record)


def _put_back(journal: Journal, record: Record) -> Path | None:
    """Puts the unfinished environment aside and the former one back. The record stays if that is not possible yet."""
    aside = _put_aside(record)
    if aside is None and Path(record.build).exists():
        return None
    if record.build == record.target and Path(record.old).exists():
        rename(Path(record.old), Path(record.target))
    journal.forget(record)
    return aside


def _put_aside(record: Record) -> Path | None:
    """Renames an unfinished environment so that nobody takes it for a whole one. None if that did not happen.

    Only the newest of a place is kept: they hold nothing of the user's, and gigabytes.
    """
    build, target = Path(record.build), Path(record.target)
    if not build.exists():
        return None
    for older in target.parent.glob(f"{target.name}.broken-*"):
        shutil.rmtree(long_path(older), ignore_errors=True)
    aside = target.with_name(f"{target.name}.broken-{record.id}")
    try:
        rename(build, aside)
    except OSError:
        return None
    sync_folder(target.parent)
    return aside


def recover(layout: RootLayout, target: Path | None = None) -> tuple[Message, ...]:
    """Ends what a crash or a power cut tore off (at one place, or everywhere) and says what happened.

    Called at each start; never raises. What living programs are working on is left alone.
    """
    journal = Journal(layout)
    said: list[Message] = []
    for record in journal.records():
        if record.phase == "done" or is_alive(record.owner) or target not in (None, Path(record.target)):
            continue
        with contextlib.suppress(OSError):
            said.append(_recover_one(journal, record))
    return tuple(said)


def _recover_one(journal: Journal, record: Record) -> Message:
    target, build = Path(record.target), Path(record.build)
    if _is_complete(build, record) or _is_complete(target, record):
        move_in(record)
        _conclude(journal, record)
        return message("install-recovered-finished", folder=record.target)
    whole = read_marker(target) is not None
    if record.phase == "changing":
        journal.forget(record)
        return message("install-recovered-nothing-old" if whole else "install-recovered-repair", folder=record.target)
    if build == target and whole:  # it had not been moved out of the way yet
        journal.forget(record)
        return message("install-recovered-nothing-old", folder=record.target)
    aside = _put_back(journal, record)
    if aside is None and build.exists() and build != target:
        return message("install-recovered-busy", folder=record.build)  # its record stays for the next start
    kept = "-old" if read_marker(target) is not None else ""
    if aside is None:
        return message(f"install-recovered-nothing{kept}", folder=record.target)
    return message(f"install-recovered-aside{kept}", folder=record.target, aside=str(aside))


def _is_complete(folder: Path, record: Record) -> bool:
    """Whether this install, and not an earlier one, marked the environment as usable."""
    marker = read_marker(folder)
    return marker is not None and marker.finished >= record.began
