"""From a file's content to findings, worst first."""

from __future__ import annotations

from pathlib import PurePath
from typing import Literal

from gpu_assistant.base.message import Message, message
from gpu_assistant.base.model import Value
from gpu_assistant.check.api import api
from gpu_assistant.check.detectors import DETECTORS
from gpu_assistant.check.detectors.base import Spot
from gpu_assistant.check.rows import Row, check_rows
from gpu_assistant.check.script import Script
from gpu_assistant.check.source import Source, read_source
from gpu_assistant.check.syntax import parse
from gpu_assistant.check.tree import line_of
from gpu_assistant.troubleshoot.diagnosis import Bilingual

Level = Literal["wrong", "slow", "chance"]

SUFFIXES = (".py", ".pyw", ".ipynb")
SILENCED = "gpu-assistant: ok"  # a comment in a line that is meant as it is
_FRAMEWORKS = {"torch", "tensorflow", "keras", "jax"}


class Finding(Value, frozen=True, kw_only=True):
    """One place in a script, and what to do about it."""

    rule: str  # id of its row
    rank: int
    line: int  # in the text that `CheckResult.source` holds, from 1
    cell: int | None  # of a notebook, counted over code cells from 1
    cell_line: int  # in the cell, or in the script
    text: str  # the line itself
    title: Bilingual
    why: Bilingual
    code: str = ""  # to write instead
    sources: tuple[str, ...] = ()

    @property
    def level(self) -> Level:
        """The rank as a word."""
        return "wrong" if self.rank >= 75 else "slow" if self.rank >= 45 else "chance"


class CheckResult(Value, frozen=True, kw_only=True):
    """What was found in one file. With `trouble` it could not be analysed."""

    source: Source = Source()
    findings: tuple[Finding, ...] = ()
    frameworks: tuple[str, ...] = ()
    trouble: Message | None = None
    notes: tuple[Message, ...] = ()


def check_file(name: str, data: bytes) -> CheckResult:
    """What is to be said about a file of this name and content. Runs nothing; never raises."""
    notebook = PurePath(name).suffix.lower() == ".ipynb"
    tree, source = parse(read_source(data, notebook=notebook))
    if tree is None:
        return CheckResult(source=source, trouble=source.trouble)
    script = Script(tree, source.text, api(), notebook=bool(source.cells))
    frameworks = tuple(sorted(script.frameworks & _FRAMEWORKS))
    note = message("check-no-framework") if not frameworks else message("check-is-test") if script.is_test else None
    if note is not None:
        return CheckResult(source=source, frameworks=frameworks, notes=(*source.notes, note))
    return CheckResult(source=source, findings=_findings(script, source), frameworks=frameworks, notes=source.notes)


def _findings(script: Script, source: Source) -> tuple[Finding, ...]:
    lines = source.lines
    rows = check_rows()
    found: dict[tuple[str, int], Finding] = {}
    for id_, detector in DETECTORS.items():
        for spot in detector(script):
            finding = _finding(id_, rows[id_], spot, source, lines)
            if SILENCED not in finding.text:
                found.setdefault((id_, finding.line), finding)
    return tuple(sorted(found.values(), key=lambda one: (-one.rank, one.line)))


def _finding(id_: str, row: Row, spot: Spot, source: Source, lines: list[str]) -> Finding:
    line = line_of(spot.node)
    cell, cell_line = source.place(line)
    return Finding(
        rule=id_,
        rank=row.rank,
        line=line,
        cell=cell,
        cell_line=cell_line,
        text=lines[line - 1].strip() if line <= len(lines) else "",
        title=_filled(row.title, spot.words),
        why=_filled(row.why, spot.words),
        code=row.code.format(**spot.words).strip("\n"),
        sources=row.sources,
    )


def _filled(text: Bilingual, words: dict[str, str]) -> Bilingual:
    return Bilingual(en=text.en.format(**words), ru=text.ru.format(**words))
