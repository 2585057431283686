"""What `gpu-assistant train` shows while it trains: one moving line and a small picture where the terminal can."""

from __future__ import annotations

import base64
import os
import sys
import time
from typing import TextIO

from gpu_assistant.base.message import message
from gpu_assistant.base.texts import Language, say
from gpu_assistant.smoke_test.catalogue import SmokeTest
from gpu_assistant.smoke_test.events import Picture, SmokeEvent, Stage
from gpu_assistant.smoke_test.run import SmokeRun
from gpu_assistant.smoke_test.words import stage_message, verdict_message

MARKS = {"passed": "✓", "failed": "✗", "skipped": "–"}
PREVIEW = 36  # columns of the small picture
QUIET = 2.0  # seconds between lines where nothing can be redrawn


def proof_lines(test: SmokeTest, run: SmokeRun, language: Language) -> list[str]:
    """Every proof of the test with its mark and sentence; what was not reached has a dot."""
    lines = []
    for shown in test.proofs:
        proof = run.proof(shown.id)
        if proof is None:
            lines.append(f"  · {test.proof_title(shown.id, language)}")
        else:
            lines.append(f"  {MARKS[proof.outcome]} {test.proof_sentence(proof, language)}")
    return lines


class Screen:
    """Follows a run on a terminal or into a file."""

    def __init__(self, test: SmokeTest, language: Language, out: TextIO) -> None:
        self._test = test
        self._language = language
        self._out = out
        self._run = SmokeRun()
        self._redraws = can_redraw(out)
        self._drawn = 0  # lines on the terminal that the next drawing replaces
        self._last = 0.0

    def see(self, event: SmokeEvent) -> None:
        """One more event."""
        self._run = self._run.apply(event)
        if isinstance(event, Stage):
            stage = stage_message(event.name)
            self._clear()
            self._print(f"  {say(stage, self._language) if stage else event.name} …")
            self._last = 0.0
        if self._run.curves and (self._run.stage is None or self._run.stage.name == "train"):
            self._draw()

    def end(self, run: SmokeRun) -> None:
        """The proofs, the verdict, and where the run is kept."""
        self._clear()
        if self._redraws and run.picture is not None:
            for line in preview(run.picture):
                self._print(line)
        if run.curves:
            self._print(f"  {figures(run)}")
        self._print("")
        for line in proof_lines(self._test, run, self._language):
            self._print(line)
        self._print("")
        self._print(say(verdict_message(run), self._language))
        if run.verdict not in ("passed", "cancelled"):
            for line in run.lines[-15:]:
                self._print(f"  | {line}")
        if run.id:
            self._print(say(message("smoke-saved-as", run=run.id), self._language))

    def _draw(self) -> None:
        pause = 0.2 if self._redraws else QUIET
        if time.monotonic() - self._last < pause:
            return
        self._last = time.monotonic()
        lines = [f"  {figures(self._run)}"]
        if self._redraws:
            if self._run.picture is not None:
                lines = preview(self._run.picture) + lines
            self._clear()
            self._drawn = len(lines)
        for line in lines:
            self._print(line)

    def _clear(self) -> None:
        if self._drawn:
            self._out.write(f"\x1b[{self._drawn}F\x1b[J")
            self._drawn = 0

    def _print(self, line: str) -> None:
        print(line, file=self._out, flush=True)


def can_redraw(out: TextIO) -> bool:
    """Whether colours and a moving cursor work there."""
    if not out.isatty() or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return sys.platform != "win32" or "WT_SESSION" in os.environ


def figures(run: SmokeRun) -> str:
    """The run's numbers in one line."""
    parts = [f"{run.step}/{run.total}"]
    for name, pattern in (
        ("loss", "loss {:.4f}"),
        ("accuracy", "accuracy {:.1%}"),
        ("steps_per_second", "{:.1f} steps/s"),
    ):
        value = run.latest(name)
        if value is not None:
            parts.append(pattern.format(value))
    return "   ".join(parts)


def preview(picture: Picture) -> list[str]:
    """A picture as coloured half blocks, two points a letter; a grid of guesses as its labels."""
    if picture.labels and picture.columns:
        starts = range(0, len(picture.labels), picture.columns)
        return ["  " + "".join(f"{label:^6}" for label in picture.labels[at : at + picture.columns]) for at in starts]
    rgb = base64.b64decode(picture.rgb)
    if len(rgb) != picture.width * picture.height * 3:
        return []
    columns = min(PREVIEW, picture.width)
    rows = max(2, columns * picture.height // picture.width // 2 * 2)

    def colour(column: int, row: int) -> str:
        place = (row * picture.height // rows * picture.width + column * picture.width // columns) * 3
        return ";".join(str(part) for part in rgb[place : place + 3])

    return [
        "  " + "".join(f"\x1b[38;2;{colour(x, y)};48;2;{colour(x, y + 1)}m▀" for x in range(columns)) + "\x1b[0m"
        for y in range(0, rows, 2)
    ]
