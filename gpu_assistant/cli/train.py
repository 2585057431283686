"""`gpu-assistant train`: trains something small in an environment and proves where it ran.

`--json` prints one JSON object a line: every event as it comes (`event` names its kind, `time` is seconds since the
start; see gpu_assistant/smoke_test/events.py), and at last one more. While its `schema` is 1, keys are only added:

    event       "summary"
    schema      1
    run         name of the saved run
    verdict     passed | failed | crashed | timed_out | cancelled | not_started | interrupted
    sentence    the verdict in the language of `--lang`
    framework, test, python, expect (what the device had to be: any | gpu | cuda | rocm | xpu | mps | cpu)
    device      null, or: kind (cuda | rocm | xpu | mps | cpu), name, index, vram_total (bytes), compute_capability,
                uuid, pci_address
    proofs      [{id, outcome: passed | failed | skipped, sentence, values}], in the order of the test
    metrics     {loss: {first, last}, accuracy: ..., steps_per_second: ..., vram_allocated: ..., vram_reserved: ...}
    steps, seconds (of everything), stage (the last one), exit_code (null unless it ended by itself)
    versions    python, the framework, its build and what it is built on
    error       null, or: kind, text, traceback

`--list` prints tests and saved runs, `--show RUN` one saved run ("last" is the newest); with `--json`, as
{tests: [{id, name, description}], runs: [{id, started, verdict, ...}]} and as the summary above.
Exit code: 0 passed, 1 anything else, 2 wrong use, 130 cancelled.
"""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

from gpu_assistant.base.job import JobContext
from gpu_assistant.base.message import Message, message
from gpu_assistant.base.model import to_json
from gpu_assistant.base.paths import RootLayout
from gpu_assistant.base.settings import Settings
from gpu_assistant.base.texts import say
from gpu_assistant.cli.train_screen import Screen, proof_lines
from gpu_assistant.detect.collect import collect
from gpu_assistant.detect.recording import NotARecording, open_gateways
from gpu_assistant.detect.report import SystemReport
from gpu_assistant.install.environments import list_environments
from gpu_assistant.install.marker import environment_python, read_marker
from gpu_assistant.select.place import default_root
from gpu_assistant.smoke_test.catalogue import find_test, list_tests
from gpu_assistant.smoke_test.job import SmokeTestJob
from gpu_assistant.smoke_test.run import SmokeRun
from gpu_assistant.smoke_test.spec import SmokeSpec, expectation, read_device
from gpu_assistant.smoke_test.store import BrokenRun, list_runs, load_run
from gpu_assistant.smoke_test.summary import summary
from gpu_assistant.smoke_test.words import verdict_message


class _Refused(Exception):
    """Nothing can be trained like that."""

    def __init__(self, reason: Message, code: int = 2) -> None:
        super().__init__(reason.id)
        self.reason = reason
        self.code = code


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's own options."""
    where = parser.add_mutually_exclusive_group()
    where.add_argument(
        "--env", type=Path, metavar="FOLDER", help="environment to train in (default: the newest of ours)"
    )
    where.add_argument("--python", type=Path, metavar="EXE", help="interpreter to train with")
    parser.add_argument("--framework", metavar="ID", help="framework of that environment (default: as installed)")
    parser.add_argument("--test", default="", metavar="ID", help="picture or digits (default: picture)")
    parser.add_argument("--device", default="auto", help="auto | gpu | cpu | cuda | rocm | xpu | mps, or like cuda:1")
    parser.add_argument("--seconds", type=float, help="how long to train")
    parser.add_argument("--steps", type=int, help="how many steps to train, instead of --seconds")
    parser.add_argument("--seed", type=int, default=0, help="start of the random numbers (default: 0)")
    parser.add_argument("--batch-scale", type=float, default=1.0, help="multiplies the batch size (default: 1)")
    parser.add_argument("--json", action="store_true", help="one JSON object a line (see gpu_assistant/cli/train.py)")
    parser.add_argument("--list", action="store_true", help="list the tests and the saved runs")
    parser.add_argument("--show", metavar="RUN", help='show a saved run; "last" is the newest')


def run(args: argparse.Namespace) -> int:
    """Trains, or shows what was trained; returns the exit code."""
    try:
        if args.list:
            return _list(args)
        if args.show:
            return _show(args)
        return _train(args, _spec(args))
    except _Refused as refused:
        print(say(refused.reason, args.lang), file=sys.stderr)
        return refused.code
    except NotARecording as error:
        print(say(error.message, args.lang), file=sys.stderr)
        return 2


def _train(args: argparse.Namespace, spec: SmokeSpec) -> int:
    test = find_test(spec.framework, spec.test)
    screen = Screen(test, args.lang, sys.stdout)
    listener: Callable[[Any], None] = _print_json if args.json else screen.see
    ctx = JobContext(listener)
    before = signal.signal(signal.SIGINT, _canceller(ctx))
    try:
        finished = SmokeTestJob(spec, test=test).run(ctx)
    finally:
        signal.signal(signal.SIGINT, before)
    if args.json:
        _print_json(summary(finished, args.lang))
    else:
        screen.end(finished)
    return _exit_code(finished)


def _canceller(ctx: JobContext) -> Callable[[int, FrameType | None], None]:
    return lambda number, frame: ctx.cancel()


def _exit_code(finished: SmokeRun) -> int:
    return {"passed": 0, "cancelled": 130}.get(finished.verdict, 1)


def _print_json(value: object) -> None:
    print(to_json(value).decode(), flush=True)


def _spec(args: argparse.Namespace) -> SmokeSpec:
    python, framework, build = _environment(args)
    framework = args.framework or framework
    known = {test.id for test in list_tests(framework)}
    if not known or (args.test and args.test not in known):
        raise _Refused(message("smoke-no-test", test=args.test or framework, known=", ".join(sorted(known)) or "-"))
    try:
        expect, index = read_device(args.device)
    except ValueError as error:
        raise _Refused(message("smoke-bad-device", device=args.device)) from error
    if expect is None:
        expect = expectation(build) if build else expectation(None, _report(args))
    return SmokeSpec(
        framework=framework,
        test=find_test(framework, args.test).id,
        python=str(python),
        expect=expect,
        device_index=index,
        seconds=args.seconds,
        steps=args.steps,
        seed=args.seed,
        batch_scale=args.batch_scale,
    )


def _environment(args: argparse.Namespace) -> tuple[Path, str, str | None]:
    """Interpreter, framework, and the installed build where we installed it ourselves."""
    if args.python is not None:
        return args.python, "pytorch", None
    if args.env is not None:
        folder = args.env.absolute()
        marker = read_marker(folder)
        python = next((path for path in (environment_python(folder), folder / "python.exe") if path.exists()), None)
        if python is None:
            raise _Refused(message("smoke-no-python-there", folder=str(args.env)))
        return (python, marker.framework, marker.build) if marker is not None else (python, "pytorch", None)
    environments = list_environments(RootLayout(root_folder(args)))
    wanted = [found for found in environments if args.framework in (None, found.marker.framework)]
    if not wanted:
        raise _Refused(message("smoke-no-environment"), code=1)
    return Path(wanted[0].python), wanted[0].marker.framework, wanted[0].marker.build


def root_folder(args: argparse.Namespace) -> Path:
    """The folder for everything big: the settings', else the one that we would choose here."""
    settings: Settings = args.settings
    return Path(settings.root_folder or str(default_root(_report(args), settings)))


def _report(args: argparse.Namespace) -> SystemReport:
    return collect(open_gateways(args.replay), JobContext())


def _list(args: argparse.Namespace) -> int:
    runs, said = list_runs()
    for trouble in said:
        print(say(trouble, args.lang), file=sys.stderr)
    tests = list_tests(args.framework or "pytorch")
    if args.json:
        named = [{"id": t.id, "name": t.title(args.lang), "description": t.about(args.lang)} for t in tests]
        _print_json({"tests": named, "runs": [saved.meta for saved in runs]})
        return 0
    for test in tests:
        print(f"{test.id:10} {test.title(args.lang)}. {test.about(args.lang)}")
    print()
    if not runs:
        print(say(message("smoke-runs-none"), args.lang))
    for saved in runs:
        meta = saved.meta
        print(f"{meta.id:40} {meta.verdict:12} {meta.device or '-'}, {meta.spec.framework} {_version(meta.versions)}")
    return 0


def _version(versions: dict[str, str]) -> str:
    return next((versions[name] for name in ("torch", "tensorflow", "jax") if name in versions), "")


def _show(args: argparse.Namespace) -> int:
    run_id = args.show
    if run_id == "last":
        runs, _ = list_runs()
        if not runs:
            raise _Refused(message("smoke-runs-none"), code=1)
        run_id = runs[0].meta.id
    try:
        shown = load_run(run_id)
    except FileNotFoundError:
        raise _Refused(message("smoke-run-unknown", run=run_id)) from None
    except BrokenRun as error:
        raise _Refused(error.reason, code=1) from error
    if args.json:
        _print_json(summary(shown, args.lang))
        return _exit_code(shown)
    if shown.spec is not None:
        for line in proof_lines(find_test(shown.spec.framework, shown.spec.test), shown, args.lang):
            print(line)
    print(say(verdict_message(shown), args.lang))
    return _exit_code(shown)
