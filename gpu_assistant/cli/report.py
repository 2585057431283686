"""`gpu-assistant report`: what this computer is. `--json` prints a `detect.report.SystemReport`."""

from __future__ import annotations

import argparse
import sys

from gpu_assistant.base.job import JobContext
from gpu_assistant.base.model import to_json
from gpu_assistant.base.texts import say
from gpu_assistant.detect.collect import collect
from gpu_assistant.detect.describe import describe
from gpu_assistant.detect.recording import NotARecording, open_gateways


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's own options."""
    parser.add_argument("--json", action="store_true", help="print the whole report as JSON")
    parser.add_argument("--sources", action="store_true", help="say for every fact where it comes from")


def run(args: argparse.Namespace) -> int:
    """Prints the report; 2 where the folder of `--replay` is no recording."""
    try:
        io = open_gateways(args.replay)
    except NotARecording as error:
        print(say(error.message, args.lang), file=sys.stderr)
        return 2
    report = collect(io, JobContext())
    if args.json:
        print(to_json(report, indent=2).decode())
        return 0
    for line in describe(report, sources=args.sources):
        print(line.text(args.lang))
    return 0
