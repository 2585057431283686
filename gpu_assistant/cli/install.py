"""`gpu-assistant install`: shows the plan, asks, carries it out; also lists and removes what was installed.

`--json` prints one object at the end: ending (succeeded | failed | cancelled), plan_id, folder, python, build,
versions, seconds, disk_bytes, log (the file with all events), reason ({id, text} or null), step, exit_code,
last_lines. `--list --json` prints environments [{name, folder, python, framework, build, versions, bytes}],
leftovers [{folder, kind, bytes}], cache_bytes, pythons_bytes.
Exit code: 0 done, 1 failed or not wanted, 2 wrong use, 130 cancelled.
"""

from __future__ import annotations

import argparse
import json
import signal
import sys
import time
from pathlib import Path
from types import FrameType
from typing import Any

from gpu_assistant.base.job import JobContext
from gpu_assistant.base.message import Message, message
from gpu_assistant.base.paths import RootLayout, app_paths
from gpu_assistant.base.texts import Language, format_bytes, format_duration, say
from gpu_assistant.detect.collect import collect
from gpu_assistant.detect.recording import NotARecording, open_gateways
from gpu_assistant.detect.report import SystemReport
from gpu_assistant.install.engine import InstallJob
from gpu_assistant.install.environments import UndoJob, list_environments, list_leftovers, sizes
from gpu_assistant.install.events import InstallEvent, Log, Note, Progress, StepStarted, Waiting
from gpu_assistant.install.place import recover
from gpu_assistant.install.run import InstallRun
from gpu_assistant.select.catalogue import frameworks
from gpu_assistant.select.choice import ClosedOption
from gpu_assistant.select.judge import judge
from gpu_assistant.select.place import default_root
from gpu_assistant.select.plan import InstallPlan
from gpu_assistant.select.planning import make_plan, planned_option
from gpu_assistant.select.wheels import list_wheels

REDRAW_SECONDS = 0.2


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `install`."""
    parser.add_argument("--framework", default="pytorch", metavar="ID", help="what to install (default: pytorch)")
    parser.add_argument("--option", metavar="ID", help="this option instead of the best one (see `plan`)")
    parser.add_argument("--target", metavar="FOLDER", help="folder of the new environment")
    parser.add_argument("--plan-id", metavar="ID", help="run only if the plan still has this id (see `plan --json`)")
    parser.add_argument("--yes", action="store_true", help="the plan is accepted without asking")
    parser.add_argument("--verbose", action="store_true", help="print every line of the installer")
    parser.add_argument(
        "--json", action="store_true", help="one JSON object at the end (see gpu_assistant/cli/install.py)"
    )
    others = parser.add_mutually_exclusive_group()
    others.add_argument("--list", action="store_true", help="list what was installed, with sizes")
    others.add_argument("--remove", metavar="NAME", help="remove an environment (name or folder)")
    others.add_argument("--undo", action="store_true", help="remove all environments, leftovers, cache and Pythons")


def run(args: argparse.Namespace) -> int:
    """Carries the command out; returns the exit code."""
    try:
        report = collect(open_gateways(args.replay), JobContext())
    except NotARecording as error:
        print(say(error.message, args.lang), file=sys.stderr)
        return 2
    layout = RootLayout(Path(default_root(report, args.settings)))
    for said in recover(layout):
        print(say(said, args.lang), file=sys.stderr)
    if args.list:
        return _list(layout, args)
    if args.remove or args.undo:
        return _remove(layout, args)
    return _install(report, layout, args)


# Install


def _install(report: SystemReport, layout: RootLayout, args: argparse.Namespace) -> int:
    language: Language = args.lang
    try:
        plan = _plan(report, args)
    except _Wrong as wrong:
        print(say(wrong.reason, language), file=sys.stderr)
        return wrong.code
    if args.plan_id is not None and plan.id != args.plan_id:
        print(say(message("install-cli-plan-changed", have=plan.id, want=args.plan_id), language), file=sys.stderr)
        return 2
    if not args.json:
        print("\n".join(plan_lines(plan, language)))
    if not args.yes and args.plan_id is None and not _agreed(message("install-cli-ask"), language):
        return 1
    log = app_paths().logs / f"install-{time.strftime('%Y%m%d-%H%M%S')}.jsonl"
    screen = Screen(language, live=sys.stderr.isatty(), verbose=args.verbose)
    ctx = JobContext(screen.show)
    with _Interrupt(ctx):
        result = InstallJob(plan, accepted=plan.id, layout=layout, log=log).run(ctx)
    screen.close()
    if args.json:
        print(json.dumps(run_answer(result, log, language), ensure_ascii=False, indent=2))
    else:
        print("\n".join(outcome_lines(result, log, language)))
    return {"succeeded": 0, "cancelled": 130}.get(result.ending or "", 1)


class _Wrong(Exception):
    def __init__(self, reason: Message, code: int) -> None:
        super().__init__(reason.id)
        self.reason = reason
        self.code = code


def _plan(report: SystemReport, args: argparse.Namespace) -> InstallPlan:
    framework = frameworks().get(args.framework)
    if framework is None:
        known = ", ".join(frameworks())
        raise _Wrong(message("select-error-framework", framework=args.framework, frameworks=known), 2)
    verdict = judge(report, framework)
    option = args.option or planned_option(verdict)
    if option is None:
        raise _Wrong(verdict.sentence, 1)
    try:
        wheels = list_wheels(args.settings.wheel_folder)
        return make_plan(option, report, framework, args.settings, target=args.target, wheels=wheels)
    except ClosedOption as error:
        options = ", ".join(open_.id for open_ in verdict.options) or "-"
        raise _Wrong(message("select-error-option", option=option, options=options), 2) from error


def plan_lines(plan: InstallPlan, language: Language) -> list[str]:
    """The plan as text: every command, sizes, warnings."""
    shell = "cmd" if "\\" in plan.target else "bash"
    lines = []
    for step in plan.steps:
        lines += [say(step.purpose, language), f"    {getattr(step.shell, shell)}"]
    if plan.download_bytes is not None and plan.disk_bytes is not None:
        size, disk = (format_bytes(value, language) for value in (plan.download_bytes, plan.disk_bytes))
        lines += ["", say(message("select-sizes", download=size, disk=disk), language)]
    return lines + [f"  ! {say(warning, language)}" for warning in plan.warnings]


def _agreed(question: Message, language: Language) -> bool:
    """Asks on the terminal; without one the answer is no."""
    if not sys.stdin.isatty():
        print(say(message("install-cli-needs-yes"), language), file=sys.stderr)
        return False
    return input(f"{say(question, language)} ").strip().lower() in ("y", "yes", "д", "да")


class _Interrupt:
    """Ctrl+C asks the job to stop, so that the install is put aside in good order."""

    def __init__(self, ctx: JobContext) -> None:
        self._ctx = ctx
        self._before: Any = None

    def __enter__(self) -> None:
        self._before = signal.signal(signal.SIGINT, self._stop)

    def __exit__(self, *exc: object) -> None:
        signal.signal(signal.SIGINT, self._before)

    def _stop(self, number: int, frame: FrameType | None) -> None:
        self._ctx.cancel()


class Screen:
    """The running install on stderr: a live line on a terminal, else a line per step and now and then the progress."""

    def __init__(self, language: Language, *, live: bool, verbose: bool) -> None:
        self._language = language
        self._live = live
        self._verbose = verbose
        self._run = InstallRun()
        self._drawn = 0.0
        self._width = 0

    def show(self, event: object) -> None:
        """Draws one event."""
        if not isinstance(event, InstallEvent):
            return
        self._run = self._run.apply(event)
        if isinstance(event, StepStarted):
            self._line(self._step_text(event.id))
        elif isinstance(event, Note):
            self._line(f"  ! {say(event.message, self._language)}")
        elif isinstance(event, Waiting):
            self._line(f"  … {say(event.message, self._language)}")
        elif isinstance(event, Log) and self._verbose:
            self._line(f"  {event.text}")
        elif isinstance(event, Progress):
            self._progress()

    def close(self) -> None:
        """Ends the live line."""
        self._line("")

    def _step_text(self, id_: str) -> str:
        place = next((n for n, step in enumerate(self._run.steps, 1) if step.id == id_), 0)
        step = self._run.step
        words = say(step.purpose, self._language) if step is not None else id_
        return f"[{place}/{len(self._run.steps)}] {words}"

    def _progress(self) -> None:
        now = time.monotonic()
        if now - self._drawn < (REDRAW_SECONDS if self._live else 10.0):
            return
        self._drawn = now
        text = progress_text(self._run, self._language)
        if not self._live:
            self._line(text)
            return
        print(f"\r{text.ljust(self._width)}", end="", file=sys.stderr, flush=True)
        self._width = len(text)

    def _line(self, text: str) -> None:
        if self._width:
            print(f"\r{' ' * self._width}\r", end="", file=sys.stderr)
            self._width = 0
        if text:
            print(text, file=sys.stderr, flush=True)


def progress_text(run: InstallRun, language: Language) -> str:
    """Bytes, speed and time left in one line."""
    done, total = run.done_bytes, run.total_bytes
    words = [format_bytes(done, language)]
    if total:
        words = [f"{done / total:4.0%}", f"{format_bytes(done, language)} / {format_bytes(total, language)}"]
    if run.speed is not None:
        words.append(say(message("install-cli-speed", speed=run.speed), language))
    if run.seconds_left is not None:
        words.append(say(message("install-cli-left", seconds=run.seconds_left), language))
    return "  ".join(words)


def outcome_lines(run: InstallRun, log: Path, language: Language) -> list[str]:
    """What came of it, as text."""
    if run.ending == "succeeded" and run.verified is not None:
        versions = ", ".join(f"{name} {version}" for name, version in run.verified.versions.items())
        seconds = format_duration(run.seconds, language)
        text = message("install-cli-succeeded", versions=versions, folder=run.folder or "", python=run.python or "")
        return [f"{say(text, language)} ({seconds})"]
    if run.failure is None:
        return [say(message("install-cli-cancelled"), language)]
    lines = [f"    {line}" for line in run.failure.last_lines[-12:]]
    return [*lines, say(run.failure.reason, language), say(message("install-cli-log", file=str(log)), language)]


def run_answer(run: InstallRun, log: Path, language: Language) -> dict[str, Any]:
    """The JSON object that the module's text describes."""
    failure = run.failure
    return {
        "ending": run.ending,
        "plan_id": run.plan_id,
        "folder": run.folder,
        "python": run.python,
        "build": run.verified.build if run.verified else None,
        "versions": run.verified.versions if run.verified else {},
        "seconds": run.seconds,
        "disk_bytes": run.disk_bytes,
        "log": str(log),
        "reason": {"id": failure.reason.id, "text": say(failure.reason, language)} if failure else None,
        "step": failure.step if failure else None,
        "exit_code": failure.exit_code if failure else None,
        "last_lines": list(failure.last_lines) if failure else [],
    }


# What is there, and how it goes away


def _list(layout: RootLayout, args: argparse.Namespace) -> int:
    answer = list_answer(layout)
    if args.json:
        print(json.dumps(answer, ensure_ascii=False, indent=2))
        return 0
    language: Language = args.lang
    for one in answer["environments"]:
        versions = ", ".join(f"{name} {version}" for name, version in one["versions"].items())
        print(f"{one['name']:24}{format_bytes(one['bytes'], language):>10}  {versions}\n    {one['folder']}")
    for left in answer["leftovers"]:
        kind = say(message(f"install-leftover-{left['kind']}"), language)
        print(f"{Path(left['folder']).name}  {format_bytes(left['bytes'], language)}  ({kind})")
    text = message("install-cli-shared", cache=answer["cache_bytes"], pythons=answer["pythons_bytes"])
    print(say(text, language))
    return 0


def list_answer(layout: RootLayout) -> dict[str, Any]:
    """Everything of ours with its size."""
    size = sizes(layout)
    return {
        "environments": [
            {
                "name": one.name,
                "folder": one.folder,
                "python": one.python,
                "framework": one.marker.framework,
                "build": one.marker.build,
                "versions": one.marker.versions,
                "bytes": size.environments.get(one.folder, 0),
            }
            for one in list_environments(layout)
        ],
        "leftovers": [
            {"folder": left.folder, "kind": left.kind, "bytes": size.leftovers.get(left.folder, 0)}
            for left in list_leftovers(layout)
        ],
        "cache_bytes": size.cache,
        "pythons_bytes": size.pythons,
    }


def _remove(layout: RootLayout, args: argparse.Namespace) -> int:
    language: Language = args.lang
    known = list_environments(layout)
    chosen = tuple(one.folder for one in known if args.undo or args.remove in (one.name, one.folder))
    if args.remove and not chosen:
        print(say(message("install-cli-unknown", name=args.remove), language), file=sys.stderr)
        return 2
    job = UndoJob(layout, environments=chosen, leftovers=args.undo, cache=args.undo, pythons=args.undo)
    for folder in job.folders():
        print(folder)
    if not args.yes and not _agreed(message("install-cli-ask-remove"), language):
        return 1
    stuck = job.run(JobContext())
    for folder in stuck:
        print(say(message("install-cli-stuck", folder=folder), language), file=sys.stderr)
    return 1 if stuck else 0
