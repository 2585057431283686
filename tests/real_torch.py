"""A real environment with a real PyTorch for the processor, built once and shared by every test that asks.

Use the fixture `torch_python` of a `conftest.py`, or call `real_torch_environment()`; mark the test `real_install`.
"""

from __future__ import annotations

import contextlib
import getpass
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

PYTORCH = "2.13.0+cpu"
PYTHON = "3.11"
STALE = 900  # seconds after which somebody else's half-built environment is taken for dead
FINISHED = "finished"


ON_TOP = ("numpy", "lightning>=2.6.6,<3", "accelerate>=1.15,<2", "transformers>=5.24,<6")


def real_rows_environment() -> Path:
    """The same with the frameworks that stand on PyTorch; skips likewise."""
    return _environment("rows", ON_TOP)


def real_torch_environment() -> Path:
    """The interpreter of the environment; skips the test, with the reason, where no such PyTorch can be had.

    It lies under `GPU_ASSISTANT_TEST_ENVS`, else in the temp folder of this user. Safe to call from several
    processes: one builds, the others wait.
    """
    return _environment("torch")


def _environment(name: str, more: tuple[str, ...] = ()) -> Path:
    version, python = offered_torch()
    folder = _root() / f"{name}-{version.replace('+', '-')}-py{python.replace('.', '')}"
    if not (folder / FINISHED).exists():
        with _alone(folder):
            if not (folder / FINISHED).exists():
                _build(folder, version, python, more)
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


def offered_torch() -> tuple[str, str]:
    """PyTorch and Python of the wheel for this system, if a folder of wheels is named that holds one."""
    for wheel in sorted(Path(_wheels()).glob("torch-*.whl")) if _wheels() else ():
        parts = re.fullmatch(r"torch-([^-]+)-cp3(\d+)-.*(win|linux).*\.whl", wheel.name)
        if parts is not None and sys.platform.startswith(parts[3]):
            return parts[1], f"3.{parts[2]}"
    return PYTORCH, PYTHON


def _wheels() -> str:
    return os.environ.get("UV_FIND_LINKS") or os.environ.get("PIP_FIND_LINKS") or ""


def _build(folder: Path, version: str, asked: str, more: tuple[str, ...]) -> None:
    wheels = _wheels()
    if not wheels:
        pytest.skip("no PyTorch for the processor: neither PIP_FIND_LINKS nor UV_FIND_LINKS names a folder of wheels")
    shutil.rmtree(folder, ignore_errors=True)
    python = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    done = _uv("venv", "--python", asked, str(folder))
    if done.returncode == 0:
        whole = ("--offline",) if any(Path(wheels).glob("sympy-*")) else ()  # no index is needed, or to be reached
        words = ("pip", "install", *whole, "--python", str(python), "--find-links", wheels)
        done = _uv(*words, f"torch=={version}", *more)
    if done.returncode:
        pytest.skip(f"PyTorch {version} for the processor cannot be installed here: {done.stderr.strip()[-300:]}")
    (folder / FINISHED).touch()


def _uv(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "uv", "--quiet", *words], check=False, capture_output=True, text=True, timeout=600
    )
