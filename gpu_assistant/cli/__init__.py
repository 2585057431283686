"""The road without a window: every command works on a machine that has no Qt."""

from __future__ import annotations

import argparse
import importlib
import locale
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol, cast

from gpu_assistant import __version__
from gpu_assistant.base.paths import app_paths
from gpu_assistant.base.settings import load_settings
from gpu_assistant.base.texts import Language, say

# Loaded when it is asked for, so that `report` never waits for what `train` needs.
COMMANDS = {
    "report": "what this computer is",
    "plan": "which install fits it, and why",
    "install": "carry a plan out",
    "train": "train something small and prove where it ran",
    "monitor": "watch the card",
    "fit": "whether a network fits the card's memory, and what to change",
    "watch": "run a training under our eyes and say what holds it back",
    "check": "what keeps a training script from using the card",
    "diagnose": "from an error text to its cause and fix",
    "folders": "what the program keeps on this computer, how big it is, and its removal",
    "record": "write this computer's raw answers into a folder, redacted",
}


class Command(Protocol):
    """A module of this package. `run` returns the exit code: 0 done, 1 failed or not ready, 2 wrong use."""

    def add_arguments(self, parser: argparse.ArgumentParser) -> None: ...

    def run(self, args: argparse.Namespace) -> int: ...


def system_language() -> Language:
    """Russian where the system speaks it, else English."""
    names = [locale.getlocale()[0] or ""]
    if sys.platform == "win32":
        import ctypes

        names.insert(0, locale.windows_locale.get(ctypes.windll.kernel32.GetUserDefaultUILanguage(), ""))
    return "ru" if any(name.lower().startswith(("ru", "russian", "be_by", "kk_kz")) for name in names) else "en"


def _parser(argv: Sequence[str]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="gpu-assistant", description="From a graphics card to a network in training.")
    parser.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    wanted = next((word for word in argv if not word.startswith("-")), None)
    for name, summary in COMMANDS.items():
        sub = commands.add_parser(name, help=summary, description=summary)
        sub.add_argument(
            "--lang", choices=("en", "ru"), help="language of the output (default: the settings, the system)"
        )
        sub.add_argument("--replay", type=Path, metavar="FOLDER", help="run on a recording instead of this computer")
        if name == wanted:
            _module(name).add_arguments(sub)
    return parser


def _module(name: str) -> Command:
    return cast(Command, importlib.import_module(f"gpu_assistant.cli.{name}"))


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command; returns the exit code."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="replace")
    words = list(sys.argv[1:] if argv is None else argv)
    args = _parser(words).parse_args(words)
    settings, trouble = load_settings(app_paths().config / "settings.toml")
    args.settings = settings
    args.lang = args.lang or (settings.language if settings.language != "system" else system_language())
    if trouble is not None:
        print(say(trouble, args.lang), file=sys.stderr)
    try:
        return _module(args.command).run(args)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        return 0
