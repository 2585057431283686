"""A real environment with a real PyTorch for the processor, built once and shared by every test that asks.

Use the fixture `torch_python` of a `conftest.py`, or call `real_torch_environment()`; mark the test `real_install`.
"""

from __future__ import annotations

import contextlib
import getpass
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

VERSION = "2.13.0"
PYTHON = "3.11"
STALE = 900  # seconds after which somebody else's half-built environment is taken for dead
FINISHED = "finished"


ON_TOP = ("numpy", "lightning>=2.6.6,<3", "accelerate>=1.15,<2", "transformers>=5.24,<6")


def real_rows_environment() -> Path:
    """The same with the frameworks that stand on PyTorch; skips likewise."""
    return _environment(f"rows-{VERSION}-cpu-py{PYTHON.replace('.', '')}", ON_TOP)


def real_torch_environment() -> Path:
    """The interpreter of the environment; skips the test, with the reason, where no such PyTorch can be had.

    It lies under `GPU_ASSISTANT_TEST_ENVS`, else in the temp folder of this user. Safe to call from several
    processes: one builds, the others wait.
    """
    return _environment(f"torch-{VERSION}-cpu-py{PYTHON.replace('.', '')}")


def _environment(name: str, more: tuple[str, ...] = ()) -> Path:
    folder = _root() / name
    if not (folder / FINISHED).exists():
        with _alone(folder):
            if not (folder / FINISHED).exists():
                _build(folder, more)
    return folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")


def _root() -> Path:
    if named := os.environ.get("GPU_ASSISTANT_TEST_ENVS"):
        return Path(named)
    return Path(tempfile.gettempdir()) / f"gpu-assistant-test-envs-{getpass.getuser()}"


@contextlib.contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Holds a lock that outlives nobody for long: a folder, which only one process can make."""
    lock = folder.with_name(f"{folder.name}.lock")
    lock.parent.mkdir(parents=True, exist_ok=True)
    while True:
        try:
            lock.mkdir()
            break
        except FileExistsError:
            with contextlib.suppress(OSError):
                if time.time() - lock.stat().st_mtime > STALE:
                    lock.rmdir()
            time.sleep(0.2)
    try:
        yield
    finally:
        lock.rmdir()


def _build(folder: Path, more: tuple[str, ...]) -> None:
    wheels = os.environ.get("UV_FIND_LINKS") or os.environ.get("PIP_FIND_LINKS")
    if not wheels:
        pytest.skip("no PyTorch for the processor: neither PIP_FIND_LINKS nor UV_FIND_LINKS names a folder of wheels")
    shutil.rmtree(folder, ignore_errors=True)
    python = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    done = _uv("venv", "--python", PYTHON, str(folder))
    if done.returncode == 0:
        done = _uv("pip", "install", "--python", str(python), "--find-links", wheels, f"torch=={VERSION}+cpu", *more)
    if done.returncode:
        pytest.skip(f"PyTorch {VERSION} for the processor cannot be installed here: {done.stderr.strip()[-300:]}")
    (folder / FINISHED).touch()


def _uv(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "uv", "--quiet", *words], check=False, capture_output=True, text=True, timeout=600
    )
