"""Writing files so that a crash leaves the old content or the new, never half."""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
import time
from pathlib import Path


def write_atomic(path: Path, data: bytes) -> None:
    """Replaces a file's content in one step; makes its folder if needed. Raises `OSError`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        _replace(Path(name), path)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise


def _replace(source: Path, target: Path) -> None:
    # on Windows a virus scanner or an indexer may hold the target for a moment
    for pause in (0.02, 0.1, 0.5):
        try:
            source.replace(target)
            return
        except PermissionError:
            time.sleep(pause)
    source.replace(target)


def long_path(path: Path) -> Path:
    """The same path in a form for which Windows has no limit of 260 letters; packages make longer ones."""
    if sys.platform == "win32" and not str(path).startswith("\\\\?\\"):
        text = str(path.absolute())
        return Path("\\\\?\\UNC\\" + text[2:] if text.startswith("\\\\") else "\\\\?\\" + text)
    return path


def put_aside(path: Path) -> Path:
    """Renames a file or folder that cannot be used, keeping it beside its place. Returns the new name."""
    stamp = time.strftime("%Y%m%d-%H%M%S")
    for number in range(1000):
        aside = path.with_name(f"{path.name}.broken-{stamp}" + (f"-{number}" if number else ""))
        if not aside.exists():
            path.rename(aside)
            return aside
    raise FileExistsError(path)
