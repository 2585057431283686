"""`gpu-assistant watch SCRIPT [ARGUMENTS]`: runs a program under our eyes and says what holds it back.

`--json` prints one JSON object a line: every event (see gpu_assistant/watch/events.py), `{"event": "hint", ...}` when
a hint begins to hold, and at last `{"event": "summary", ...}` (gpu_assistant/watch/summary.py; while its `schema` is 1,
keys are only added). Exit code: the program's own; 130 cancelled; 2 wrong use.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import psutil

from gpu_assistant.base.job import Job
from gpu_assistant.base.message import Message, message
from gpu_assistant.base.paths import RootLayout
from gpu_assistant.base.texts import format_duration, say
from gpu_assistant.cli.train import root_folder
from gpu_assistant.cli.watch_screen import WatchScreen, give, print_json
from gpu_assistant.install.environments import list_environments
from gpu_assistant.monitor.recording import NotARecording
from gpu_assistant.monitor.store import SeriesStore
from gpu_assistant.watch.comparison import compare_runs
from gpu_assistant.watch.job import AttachJob, WatchJob, command_of
from gpu_assistant.watch.run import WatchRun
from gpu_assistant.watch.spec import WatchSpec
from gpu_assistant.watch.store import RunFolder, list_runs, load_run, watched_folder
from gpu_assistant.watch.summary import WatchSummary, summarise


class _Refused(Exception):
    def __init__(self, reason: Message) -> None:
        super().__init__(reason.id)
        self.reason = reason


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's own options."""
    parser.add_argument("--python", metavar="EXE", help="interpreter to run it with (default: our newest environment)")
    parser.add_argument("--profile", action="store_true", help="let PyTorch's profiler look at ten steps")
    parser.add_argument("--attach", type=int, metavar="PID", help="look at a process that runs already")
    parser.add_argument("--html", type=Path, metavar="FILE", help="write the page into FILE")
    parser.add_argument("--json", action="store_true", help="one JSON object a line (see gpu_assistant/cli/watch.py)")
    parser.add_argument("--list", action="store_true", help="list the saved runs")
    parser.add_argument("--show", metavar="RUN", help="the page of a saved run")
    parser.add_argument("--compare", nargs=2, metavar=("BEFORE", "AFTER"), help="compare two saved runs")
    parser.add_argument("script", nargs="?", metavar="SCRIPT", help="a Python file")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, metavar="ARGUMENTS", help="its own arguments")


def run(args: argparse.Namespace) -> int:
    """Watches, or tells about what was watched; returns the exit code."""
    try:
        if args.list:
            return _list(args)
        if args.compare:
            return _compare(args)
        if args.show:
            return _show(args)
        return _watch(args)
    except _Refused as refused:
        print(say(refused.reason, args.lang), file=sys.stderr)
    except (OSError, NotARecording) as error:
        if isinstance(error, BrokenPipeError):
            raise
        print(error, file=sys.stderr)
    return 2


def _watch(args: argparse.Namespace) -> int:
    with WatchScreen(*_job(args), args) as screen:
        return screen.follow()


def _job(args: argparse.Namespace) -> tuple[Job[WatchRun], RunFolder]:
    if args.attach is not None:
        try:
            command = command_of(args.attach)
        except psutil.Error as error:
            raise _Refused(message("watch-cli-no-process", pid=args.attach, detail=str(error))) from error
        folder = RunFolder(watched_folder(), f"pid-{args.attach}")
        return AttachJob(args.attach, command, folder), folder
    if args.script is None:
        raise _Refused(message("watch-cli-nothing-to-do"))
    if not Path(args.script).is_file():
        raise _Refused(message("watch-cli-no-script", file=args.script))
    spec = WatchSpec(
        python=args.python or _newest_python(args),
        script=args.script,
        arguments=tuple(args.arguments),
        folder=str(Path.cwd()),
        profile=args.profile,
    )
    folder = RunFolder(watched_folder(), Path(args.script).stem)
    return WatchJob(spec, folder), folder


def _newest_python(args: argparse.Namespace) -> str:
    environments = list_environments(RootLayout(root_folder(args)))
    if not environments:
        raise _Refused(message("watch-cli-no-environment"))
    return environments[0].python


def _list(args: argparse.Namespace) -> int:
    for saved in list_runs():
        meta = saved.meta
        if args.json:
            print_json(meta)
        else:
            lasted = format_duration(meta.seconds, args.lang)
            print(f"{meta.id:48} {meta.verdict:10} {lasted:>12}  {' '.join(meta.command[1:])}")
    return 0


def _opened(name: str, args: argparse.Namespace) -> tuple[WatchSummary, SeriesStore]:
    folder = next((saved.folder for saved in list_runs() if saved.meta.id == name), None)
    if folder is None:
        raise _Refused(message("watch-cli-no-run", run=name))
    run, store, hints = load_run(folder)
    return summarise(run, store, hints, args.lang), store


def _show(args: argparse.Namespace) -> int:
    summary, store = _opened(args.show, args)
    give(summary, store, args, sys.stdout)
    return 0


def _compare(args: argparse.Namespace) -> int:
    (before, _), (after, _) = (_opened(name, args) for name in args.compare)
    for sentence in compare_runs(before, after):
        print(say(sentence, args.lang))
    return 0
