"""How to start one of our own modules as a child process."""

from __future__ import annotations

import sys

RUN_MODULE = "--run-module"  # hidden argument of the shipped program, where sys.executable is the program itself


def self_command(module: str, *arguments: str) -> list[str]:
    """The argv that runs `python -m module arguments`, also inside the shipped (frozen) program."""
    if getattr(sys, "frozen", False):
        return [sys.executable, RUN_MODULE, module, *arguments]
    return [sys.executable, "-m", module, *arguments]
