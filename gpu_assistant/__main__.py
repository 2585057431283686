"""The program's front door: a command word opens the command line; a file, or nothing, opens the window."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from gpu_assistant import __version__
from gpu_assistant.base.self_command import RUN_MODULE

OWN_PACKAGE = "gpu_assistant."
NO_WINDOW = 2  # exit code: this computer cannot show a window


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the program; returns the exit code."""
    words = list(sys.argv[1:] if argv is None else argv)
    if words[:1] == [RUN_MODULE]:
        return _run_module(words[1:])
    if words and not words[0].startswith("-"):
        from gpu_assistant import cli

        if words[0] in cli.COMMANDS or not Path(words[0]).is_file():
            return cli.main(words)
    options = _parser().parse_args(words)
    _print_even_without_console()
    from gpu_assistant.gui.preflight import obstacle

    trouble = obstacle(options.lang)
    if trouble is not None:
        print(trouble, file=sys.stderr)
        return NO_WINDOW
    from gpu_assistant.gui.application import run_window

    return run_window(options)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="gpu-assistant-gui",
        description="Opens the window. For the same road without a window: gpu-assistant --help.",
    )
    parser.add_argument("file", nargs="?", type=Path, metavar="FILE", help="a log or an error text to explain")
    parser.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    parser.add_argument(
        "--lang", choices=("en", "ru"), help="language of this start (default: the settings, the system)"
    )
    parser.add_argument("--theme", choices=("light", "dark"), help="colours of this start (default: the settings)")
    parser.add_argument("--replay", type=Path, metavar="FOLDER", help="run on a recording instead of this computer")
    parser.add_argument("--state", metavar="NAME|FILE", help="open with a named or saved state; nothing is saved then")
    parser.add_argument("--exit-after-first-paint", action="store_true", help="open, draw once, end")
    return parser


def _print_even_without_console() -> None:
    # a windowed program on Windows starts without these
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115


def _run_module(words: list[str]) -> int:
    """Runs one of our own modules, as `python -m` would: the shipped program has no other interpreter."""
    if not words or not words[0].startswith(OWN_PACKAGE):
        print(f"{RUN_MODULE} takes a module of {OWN_PACKAGE}*", file=sys.stderr)
        return 2
    import runpy

    sys.argv = list(words)
    try:
        runpy.run_module(words[0], run_name="__main__", alter_sys=True)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    return 0


if __name__ == "__main__":
    sys.exit(main())
