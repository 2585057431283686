"""A smoke test put into words and points: everything that its page shows."""

from __future__ import annotations

from dataclasses import dataclass, field

from PySide6.QtCore import QDateTime, QLocale, QObject

from gpu_assistant.gui.language import format_bytes, format_number, language, say
from gpu_assistant.gui.theme import Tone, ToneName
from gpu_assistant.gui.widgets.boxes import Tick
from gpu_assistant.smoke_test.catalogue import SmokeTest, find_test
from gpu_assistant.smoke_test.events import Picture, Proof
from gpu_assistant.smoke_test.run import SmokeRun
from gpu_assistant.smoke_test.store import Meta
from gpu_assistant.smoke_test.words import stage_message, verdict_message

WRITTEN = 9  # lines
OUTCOMES: dict[str, tuple[str, ToneName]] = {
    "passed": ("check-circle", "good"),
    "failed": ("error", "problem"),
    "skipped": ("skip", "muted"),
}


@dataclass
class SmokeView:
    """What the page shows of a run; empty before there is one."""

    stage: str = ""
    step: int = 0
    total: int = 0
    loss: tuple[tuple[int, float], ...] = ()
    picture: Picture | None = None
    written: tuple[str, ...] = ()  # what a network that learns words has written, where there is no picture
    figures: dict[str, str] = field(default_factory=dict)
    ticks: list[Tick] = field(default_factory=list)
    passed: bool = False
    tone: Tone = "info"
    title: str = ""  # empty while it runs
    lines: list[str] = field(default_factory=list)


class SmokeViewer(QObject):
    """Makes the view. A QObject because of `tr`."""

    def view(self, run: SmokeRun, test: SmokeTest | None) -> SmokeView:
        """The view of a run in the language that is shown now."""
        view = SmokeView(
            stage=self._stage(run),
            step=run.step,
            total=run.total,
            loss=run.curve("loss"),
            picture=run.picture,
            written=run.notes[-WRITTEN:] if run.picture is None and not run.failed_proofs else (),
            figures=self._figures(run),
            ticks=self._ticks(run, test),
            passed=run.passed,
        )
        if run.ending is not None:
            view.tone, view.title = TONES.get(run.verdict, "problem"), say(verdict_message(run))
            view.lines = [test.proof_sentence(proof, language()) for proof in run.failed_proofs] if test else []
        return view

    def _stage(self, run: SmokeRun) -> str:
        if run.stage is None:
            return ""
        name = stage_message(run.stage.name)
        words = say(name) if name is not None else run.stage.name
        return words[:1].upper() + words[1:]

    def _figures(self, run: SmokeRun) -> dict[str, str]:
        figures = {}
        if run.device is not None:
            figures["device"] = self.tr("processor") if run.device.kind == "cpu" else run.device.name
        speed = run.latest("steps_per_second")
        if speed is not None:
            figures["speed"] = format_number(speed, 0 if speed >= 20 else 1)
        memory = run.latest("vram_allocated")
        if memory is not None:
            figures["memory"] = format_bytes(memory)
        return figures

    def _ticks(self, run: SmokeRun, test: SmokeTest | None) -> list[Tick]:
        if test is None:
            return [Tick(*OUTCOMES[proof.outcome], proof.id) for proof in run.proofs]
        ticks = []
        for shown in test.proofs:
            proof = run.proof(shown.id)
            ticks.append(self._tick(test, shown.id, proof))
        return ticks

    def _tick(self, test: SmokeTest, id_: str, proof: Proof | None) -> Tick:
        if proof is None:
            return Tick("todo", "muted", test.proof_title(id_, language()))
        return Tick(*OUTCOMES[proof.outcome], test.proof_sentence(proof, language()))


TONES: dict[str, Tone] = {"passed": "good", "cancelled": "info", "interrupted": "warning"}


def saved_run_words(meta: Meta) -> str:
    """A saved run in one line of a menu."""
    when = QLocale().toString(QDateTime.fromSecsSinceEpoch(round(meta.started)), QLocale.FormatType.ShortFormat)
    try:
        name = find_test(meta.spec.framework, meta.spec.test).title(language())
    except KeyError:
        name = meta.spec.test
    outcome = "✓" if meta.verdict == "passed" else "✗"
    return " · ".join(part for part in (when, name, meta.device or "", outcome) if part)
