"""The uv that travels with the program, the environment it runs in, and the argv of our own questions to it."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from gpu_assistant.base.child import child_environment
from gpu_assistant.base.paths import RootLayout

# Settings of the user's own uv or pip would change what the plan says; certificates are needed whoever set them.
_FOREIGN = ("UV_", "PIP_")
_KEPT = ("PIP_CERT",)
_INSTALL_ONLY = {"--reinstall": 0, "--reinstall-package": 1, "--link-mode": 1, "--compile-bytecode": 0, "--strict": 0}


def find_uv() -> str:
    """The path of uv: beside the shipped program, in our package, else on PATH. Raises `FileNotFoundError`."""
    name = "uv.exe" if sys.platform == "win32" else "uv"
    if getattr(sys, "frozen", False):
        for folder in (Path(sys.executable).parent, Path(getattr(sys, "_MEIPASS", sys.executable))):
            if (folder / name).is_file():
                return str(folder / name)
    else:
        import uv

        return str(uv.find_uv_bin())
    if found := shutil.which("uv"):
        return found
    raise FileNotFoundError(name)


def step_environment(step: Mapping[str, str], layout: RootLayout) -> dict[str, str]:
    """What a step's process gets: the user's environment without foreign settings, ours, the plan's own words last."""
    ours: dict[str, str | None] = {
        name: None for name in os.environ if name.upper().startswith(_FOREIGN) and name.upper() not in _KEPT
    }
    ours |= {
        "UV_CACHE_DIR": str(layout.cache),
        "UV_PYTHON_INSTALL_DIR": str(layout.pythons),
        "UV_PYTHON_INSTALL_BIN": "0",
        "UV_PYTHON_INSTALL_REGISTRY": "0",
        "UV_VENV_RELOCATABLE": "1",
        "UV_NO_CONFIG": "1",
        "UV_HTTP_TIMEOUT": "300",
        "UV_HTTP_RETRIES": "10",
    }
    return child_environment(ours | dict(step))


def lock_argv(install: Sequence[str], packages: Sequence[str], pins: Path) -> list[str]:
    """The argv that answers with files, sizes and hashes of pinned packages; `install` says from which indexes."""
    argv: list[str] = []
    skip = 0
    for word in install:
        name = word.partition("=")[0]
        if skip:
            skip -= 1
        elif name in _INSTALL_ONLY:
            skip = _INSTALL_ONLY[name] if word == name else 0
        elif word not in packages:
            argv.append("compile" if word == "install" else word)
    return [*argv, "--no-deps", "--format", "pylock.toml", "--no-header", "--quiet", str(pins)]


def moved(word: str, target: str, build: str) -> str:
    """A word of an argv with the folder of the finished environment replaced by the one it is built in."""
    start = word.find(target)
    rest = word[start + len(target) :] if start >= 0 else ""
    if start < 0 or (rest and rest[0] not in "/\\"):
        return word
    return word[:start] + build + rest
