"""The marker inside an environment: written last, after the proof. Without it an environment does not count."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path

import msgspec

from gpu_assistant.base.files import write_atomic
from gpu_assistant.base.model import Value, from_json, to_json

MARKER_NAME = "gpu-assistant.json"


class Marker(Value, frozen=True, kw_only=True):
    """What a finished environment says about itself."""

    schema: int = 1
    plan_id: str
    framework: str
    option: str
    build: str
    packages: tuple[str, ...]  # the requirements of the plan
    versions: dict[str, str]  # what was found by the proof
    python: str
    finished: float  # Unix time
    bytes: int = 0


def environment_python(folder: Path) -> Path:
    """The interpreter of an environment (it need not exist)."""
    return folder / "Scripts" / "python.exe" if sys.platform == "win32" else folder / "bin" / "python"


def read_marker(folder: Path) -> Marker | None:
    """The marker of a usable environment; None if the environment is unfinished, foreign or damaged."""
    try:
        marker = from_json((folder / MARKER_NAME).read_bytes(), Marker)
    except (OSError, msgspec.DecodeError):
        return None
    return marker if environment_python(folder).exists() else None


def write_marker(folder: Path, marker: Marker) -> None:
    """Makes everything durable first, then says that the environment is usable. Raises `OSError`."""
    flush_to_disk(folder)
    write_atomic(folder / MARKER_NAME, to_json(marker, indent=2))
    sync_folder(folder)


def remove_marker(folder: Path) -> None:
    """Says that the environment is no longer usable, before anything in it changes. Raises `OSError`."""
    (folder / MARKER_NAME).unlink(missing_ok=True)
    sync_folder(folder)


def flush_to_disk(folder: Path) -> None:
    """Waits until the folder's files survive a power cut."""
    if os.name == "posix":
        os.sync()
        return
    for path in folder.rglob("*"):
        # what is read-only or in use, the system writes in its own time
        with contextlib.suppress(OSError), path.open("rb+") as file:
            os.fsync(file.fileno())


def sync_folder(folder: Path) -> None:
    """Makes renames and new names in a folder durable; Windows' file systems do that by themselves."""
    if os.name != "posix":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
