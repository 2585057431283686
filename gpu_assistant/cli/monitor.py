"""`gpu-assistant monitor`: the card as it is now, as text; `--csv` and `--json` give streams for other programs."""

from __future__ import annotations

import argparse
import contextlib
import queue
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

from gpu_assistant.base.message import message
from gpu_assistant.base.model import to_json
from gpu_assistant.base.texts import say
from gpu_assistant.monitor import csv_table
from gpu_assistant.monitor.comparison import compare
from gpu_assistant.monitor.hints import find_hints
from gpu_assistant.monitor.marks import MarkFinder
from gpu_assistant.monitor.model import Sample
from gpu_assistant.monitor.recording import NotARecording, Recorder, Recording, export_csv, open_recording
from gpu_assistant.monitor.sampler import Sampler
from gpu_assistant.monitor.store import SeriesStore
from gpu_assistant.monitor.text_view import TextView

_HOME_AND_CLEAR = "\x1b[H\x1b[J"

Output = Callable[[Sample], None]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's own options."""
    parser.add_argument("--csv", metavar="FILE", help="write a table into FILE; - is the standard output")
    parser.add_argument("--json", action="store_true", help="print each sample as one line of JSON")
    parser.add_argument(
        "--interval", type=_seconds, metavar="S", help="seconds between samples (default: the settings)"
    )
    parser.add_argument("--count", type=int, metavar="N", help="end after N samples")
    parser.add_argument("--record", type=Path, metavar="FILE", help="record into a new file")
    parser.add_argument("--open", type=Path, metavar="FILE", help="tell about an old recording instead of watching")
    parser.add_argument("--compare", type=Path, metavar="FILE", help="with --open: compare it to this later recording")


def _seconds(text: str) -> float:
    seconds = float(text)
    if not 0.1 <= seconds <= 3600:
        raise argparse.ArgumentTypeError("between 0.1 and 3600")
    return seconds


def run(args: argparse.Namespace) -> int:
    """Watches until it is interrupted or has its count; 1 if no card was ever seen, 2 for a file that is no good."""
    try:
        path = args.open or args.replay
        return _tell(path, args) if path is not None else _watch(args)
    except NotARecording as error:
        print(say(message("monitor-cli-not-a-recording", file=str(error)), args.lang), file=sys.stderr)
    except OSError as error:
        if isinstance(error, BrokenPipeError):
            raise
        print(say(message("monitor-cli-file", detail=str(error)), args.lang), file=sys.stderr)
    return 2


def _watch(args: argparse.Namespace) -> int:
    interval = args.interval or args.settings.monitor_seconds
    seen = False
    with contextlib.ExitStack() as stack:
        outputs = _outputs(args, interval, stack)
        for sample in stack.enter_context(_samples(interval, args.count)):
            seen = seen or bool(sample.gpus)
            for output in outputs:
                output(sample)
    return 0 if seen else 1


@contextlib.contextmanager
def _samples(interval: float, count: int | None) -> Iterator[Iterator[Sample]]:
    arrived: queue.SimpleQueue[Sample] = queue.SimpleQueue()
    sampler = Sampler(arrived.put, interval=interval)

    def some() -> Iterator[Sample]:
        number = 0
        while count is None or number < count:
            # a wait without an end could not be interrupted on Windows
            with contextlib.suppress(queue.Empty):
                yield arrived.get(timeout=0.5)
                number += 1

    sampler.start()
    try:
        yield some()
    finally:
        sampler.stop()


def _outputs(args: argparse.Namespace, interval: float, stack: contextlib.ExitStack) -> list[Output]:
    outputs: list[Output] = []
    if args.record is not None:
        outputs.append(_recorder(stack.enter_context(Recorder(args.record, interval=interval))))
    if args.csv is not None:
        outputs.append(_csv(_csv_file(args.csv, stack)))
    if args.json:
        outputs.append(lambda sample: print(to_json(sample).decode(), flush=True))
    elif args.csv != "-":
        outputs.append(_view(args, interval))
    return outputs


def _csv_file(name: str, stack: contextlib.ExitStack) -> IO[str]:
    # Excel reads UTF-8 only behind a byte order mark
    return sys.stdout if name == "-" else stack.enter_context(Path(name).open("w", encoding="utf-8-sig", newline=""))


def _csv(file: IO[str]) -> Output:
    file.write(csv_table.header())

    def write(sample: Sample) -> None:
        file.write(csv_table.lines(sample))
        file.flush()

    return write


def _recorder(recorder: Recorder) -> Output:
    finder = MarkFinder()

    def write(sample: Sample) -> None:
        recorder.write(sample)
        for mark in finder.look(sample):
            recorder.mark(mark)

    return write


def _view(args: argparse.Namespace, interval: float) -> Output:
    if not (sys.stdout.isatty() and _understands_ansi()):
        view = TextView(args.lang)
        return lambda sample: print(*view.line(sample), sep="\n", flush=True)
    store = SeriesStore(seconds=1200, interval=interval)

    def draw(sample: Sample) -> None:
        store.add(sample)
        columns, rows = shutil.get_terminal_size()
        lines = TextView(args.lang, columns - 1).picture(sample, find_hints(store))
        print(_HOME_AND_CLEAR + "\n".join(lines[: rows - 1]), flush=True)

    return draw


def _understands_ansi() -> bool:
    understands = True
    if sys.platform == "win32":
        import ctypes

        kernel32, mode = ctypes.windll.kernel32, ctypes.c_uint32()
        handle = kernel32.GetStdHandle(-11)
        enable = 0x0004  # ENABLE_VIRTUAL_TERMINAL_PROCESSING
        understands = bool(
            kernel32.GetConsoleMode(handle, ctypes.byref(mode)) and kernel32.SetConsoleMode(handle, mode.value | enable)
        )
    return understands


def _tell(path: Path, args: argparse.Namespace) -> int:
    recording = open_recording(path)
    if args.csv is not None:
        with contextlib.ExitStack() as stack:
            export_csv(recording, _csv_file(args.csv, stack))
    if args.json:
        for sample in recording.samples():
            print(to_json(sample).decode())
    elif args.csv != "-":
        for line in _told(recording, args):
            print(line)
    return 0


def _told(recording: Recording, args: argparse.Namespace) -> list[str]:
    view, store = TextView(args.lang), recording.store()
    if args.compare is not None:
        comparison = compare(store, open_recording(args.compare).store())
        return view.comparison(comparison) if comparison else [say(message("monitor-compare-unknown"), args.lang)]
    lines = view.summary(store)
    for hint in find_hints(store):
        lines += ["", *view.hint(hint)]
    if recording.truncated:
        lines += ["", say(message("monitor-cli-truncated"), args.lang)]
    return lines
