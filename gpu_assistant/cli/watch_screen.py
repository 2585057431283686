"""A watched run in a console: the program's own lines, ours between them, and the page at the end."""

from __future__ import annotations

import argparse
import queue
import signal
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

from gpu_assistant.base.files import write_atomic
from gpu_assistant.base.job import Failed, Job, JobContext, run_to_ending
from gpu_assistant.base.message import message
from gpu_assistant.base.model import to_json
from gpu_assistant.base.texts import say
from gpu_assistant.monitor.comparison import busiest_card
from gpu_assistant.monitor.hints import Hint
from gpu_assistant.monitor.model import Sample
from gpu_assistant.monitor.sampler import Sampler
from gpu_assistant.monitor.store import SeriesStore
from gpu_assistant.watch.events import CancelledByUser, Ended, NotStarted, Output, Usage, WatchEvent
from gpu_assistant.watch.observation import Observation
from gpu_assistant.watch.page import profile_words, to_html
from gpu_assistant.watch.run import WatchRun
from gpu_assistant.watch.store import RunFolder
from gpu_assistant.watch.summary import WatchSummary, summarise

EVERY = 5.0  # seconds between two lines about the progress


class WatchScreen:
    """The job on one thread, the sampler on another; this one looks at what both send."""

    def __init__(self, job: Job[WatchRun], folder: RunFolder, args: argparse.Namespace) -> None:
        self._args = args
        self._job, self._folder = job, folder
        self._arrived: queue.SimpleQueue[WatchEvent | Sample | Failed | None] = queue.SimpleQueue()
        self._ctx = JobContext(self._arrived.put)  # type: ignore[arg-type]
        self._look = Observation(self._folder)
        self._sampler = Sampler(self._arrived.put, interval=1.0)
        self._thread = threading.Thread(target=self._work, name="watch")
        self._told: set[str] = set()
        self._said = 0.0

    def __enter__(self) -> WatchScreen:
        self._before = signal.signal(signal.SIGINT, lambda number, frame: self._ctx.cancel())
        self._sampler.start()
        self._thread.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._ctx.cancel()
        self._thread.join()
        self._sampler.stop()
        self._folder.close(self._look.run, self._look.seen.values())
        signal.signal(signal.SIGINT, self._before)

    def _work(self) -> None:
        ending = run_to_ending(self._job, self._ctx)
        self._arrived.put(ending if isinstance(ending, Failed) else None)

    def _items(self) -> Iterator[WatchEvent | Sample | Failed]:
        while True:
            try:
                item = self._arrived.get(timeout=0.5)  # a wait without an end could not be interrupted on Windows
            except queue.Empty:
                continue
            if item is None:
                return
            yield item

    def follow(self) -> int:
        """To the end of the program; returns the exit code."""
        for item in self._items():
            if isinstance(item, Failed):
                raise item.error
            if isinstance(item, Sample):
                self._look.sample(item)
                self._tell_hints()
            else:
                self._look.see(item)
                self._tell(item)
        return self._end()

    def _tell(self, event: WatchEvent) -> None:
        if self._args.json:
            print_json(event)
        elif isinstance(event, Output):
            print(event.text, flush=True)
        elif isinstance(event, Usage) and self._look.run.steps and event.time - self._said >= EVERY:
            self._said = event.time
            _print_aside(_progress(self._look, self._args))

    def _tell_hints(self) -> None:
        for hint in self._look.hints:
            if hint.id in self._told:
                continue
            self._told.add(hint.id)
            if self._args.json:
                words = {"sentence": hint.sentence(self._args.lang), "first": hint.advice(self._args.lang)}
                print_json({"event": "hint", "time": hint.end, "id": hint.id, **words})
            else:
                _print_hint(hint, self._args)

    def _end(self) -> int:
        look, args = self._look, self._args
        summary = summarise(look.run, look.store, look.seen.values(), args.lang)
        give(summary, look.store, args, sys.stderr)
        match look.run.ending:
            case Ended(code=code):
                return code or 0
            case CancelledByUser():
                return 0 if args.attach is not None else 130
            case NotStarted():
                return 2
        return 1


def give(summary: WatchSummary, store: SeriesStore, args: argparse.Namespace, stream: TextIO) -> None:
    """Prints the page and, if it is wanted, writes it into a file. Raises `OSError`."""
    if args.json:
        print_json({"event": "summary", **_plain(summary)})
    else:
        print("\n".join(_page(summary, args)), file=stream)
    if args.html is not None:
        write_atomic(args.html, to_html(summary, store, args.lang).encode())
        if not args.json:
            print(say(message("watch-cli-written", file=str(args.html)), args.lang), file=sys.stderr)


def _plain(summary: WatchSummary) -> dict[str, object]:
    return {name: getattr(summary, name) for name in summary.__struct_fields__}


def print_json(value: object) -> None:
    print(to_json(value).decode(), flush=True)


def _print_aside(text: str) -> None:
    print(f"[GPU Assistant] {text}", file=sys.stderr, flush=True)


def _print_hint(hint: Hint, args: argparse.Namespace) -> None:
    _print_aside(hint.sentence(args.lang))
    print(f"    {hint.advice(args.lang)}", file=sys.stderr, flush=True)


def _progress(look: Observation, args: argparse.Namespace) -> str:
    card, run = busiest_card(look.store), look.run
    load = look.store.stats(card, "utilization") if card is not None else None
    words = message(
        "watch-cli-progress" if load is not None else "watch-cli-progress-no-card",
        seconds=(look.store.last_time or 0.0) - (run.began or 0.0),
        steps=run.steps,
        speed=run.rhythm.per_second or 0.0,
        **({"load": load.last} if load is not None else {}),
    )
    return say(words, args.lang)


def _page(summary: WatchSummary, args: argparse.Namespace) -> list[str]:
    """The page in a console."""
    lines = ["", summary.sentence]
    for advice in summary.advice:
        lines += [f"* {advice.sentence}", f"  {advice.first}"]
    if summary.shares:
        lines += ["", say(message("watch-page-time"), args.lang)]
        lines += [
            f"  {share:4.0%}  {say(message(f'watch-kind-{kind}'), args.lang)}" for kind, share in summary.shares.items()
        ]
    if summary.places:
        lines += ["", say(message("watch-page-places"), args.lang)]
        lines += [
            f"  {place.share:4.0%}  {Path(place.file).name}:{place.line}  {place.text}" for place in summary.places
        ]
    if summary.profile is not None:
        lines += ["", say(message("watch-page-profile"), args.lang)]
        lines += [f"  {share:4.0%}  {words}" for words, share in profile_words(summary.profile, args.lang)]
    if summary.memory is not None:
        lines += ["", summary.memory]
    return lines
