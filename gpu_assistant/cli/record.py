"""`gpu-assistant record FOLDER`: every raw answer of this computer, redacted, for a bug report or a test."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from gpu_assistant.base.job import JobContext
from gpu_assistant.base.message import message
from gpu_assistant.base.texts import say
from gpu_assistant.detect.recorder import record, write_recording
from gpu_assistant.detect.recording import NotARecording, open_gateways


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's own options."""
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="a new or empty folder")
    parser.add_argument("--title", default="", help="one line about the computer")


def run(args: argparse.Namespace) -> int:
    """Writes the recording; 1 where the folder cannot be written, 2 for wrong use."""
    if args.folder.exists() and (not args.folder.is_dir() or any(args.folder.iterdir())):
        print(say(message("detect-folder-not-empty", folder=str(args.folder)), args.lang), file=sys.stderr)
        return 2
    try:
        io = open_gateways(args.replay)
    except NotARecording as error:
        print(say(error.message, args.lang), file=sys.stderr)
        return 2
    try:
        write_recording(args.folder, record(io, JobContext(), args.title))
    except OSError as error:
        text = message("detect-folder-not-written", folder=str(args.folder), detail=str(error))
        print(say(text, args.lang), file=sys.stderr)
        return 1
    print(say(message("detect-recorded", folder=str(args.folder)), args.lang))
    return 0
