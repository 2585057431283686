"""The report as text to paste into a letter: stable order, one fact a line, nothing private."""

from __future__ import annotations

import getpass
import platform

from gpu_assistant import __version__
from gpu_assistant.base.redact import redact
from gpu_assistant.detect.report import SystemReport
from gpu_assistant.gui.facts import Fact, FactWriter
from gpu_assistant.gui.language import say
from gpu_assistant.select.plan import Verdict


def report_text(report: SystemReport, verdict: Verdict | None) -> str:
    """Everything that the pages show, in the language that is shown now."""
    writer = FactWriter()
    parts = [f"GPU Assistant {__version__} · {report.made_at}"]
    if verdict is not None:
        parts += ["", say(verdict.sentence), *(f"- {say(reason)}" for reason in verdict.reasons)]
    for gpu in report.gpus:
        parts += ["", gpu.name, *_lines(writer.of_gpu(gpu))]
    if report.driver is not None:
        parts += ["", *_lines(writer.of_driver(report.driver))]
    parts += ["", *_lines(writer.of_computer(report))]
    if report.findings:
        parts += ["", *(f"- {say(finding.message)}" for finding in report.findings)]
    parts += ["", *(f"{note.source}: {note.outcome.value} {note.detail}".rstrip() for note in report.notes)]
    return redact("\n".join(parts), private_words())


def private_words() -> tuple[str, ...]:
    """The user's and the computer's name."""
    try:
        user = getpass.getuser()
    except (OSError, KeyError, ImportError):
        user = ""
    return tuple(word for word in (user, platform.node()) if word)


def _lines(facts: list[Fact]) -> list[str]:
    return [f"  {fact.label}: {fact.value}" for fact in facts]
