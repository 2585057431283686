"""How to start one of our own modules as a child process."""

from __future__ import annotations

import sys
from pathlib import Path

CONSOLE_PROGRAM = "gpu-assistant"
RUN_MODULE = "--run-module"  # hidden argument of the shipped program, where sys.executable is the program itself


def self_command(module: str, *arguments: str) -> list[str]:
    """The argv that runs `python -m module arguments`, also inside the shipped (frozen) program."""
    if getattr(sys, "frozen", False):
        return [_console_twin(), RUN_MODULE, module, *arguments]
    return [sys.executable, "-m", module, *arguments]


def _console_twin() -> str:
    """The shipped program with standard streams; a windowed one may have none."""
    program = Path(sys.executable)
    twin = program.with_name(CONSOLE_PROGRAM + program.suffix)
    return str(twin if twin.is_file() else program)
