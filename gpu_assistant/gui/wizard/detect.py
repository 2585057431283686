"""What this computer is: the cards first, the verdict, what is worth knowing, and on demand how we know."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QProgressBar, QVBoxLayout

from gpu_assistant.detect.report import Gpu, SystemReport
from gpu_assistant.gui.facts import Fact, FactWriter
from gpu_assistant.gui.language import say
from gpu_assistant.gui.theme import SPACE, ToneName
from gpu_assistant.gui.verdict import verdict_tone
from gpu_assistant.gui.widgets.base import Card, Label, Symbol, clear, column, row
from gpu_assistant.gui.widgets.boxes import Banner, CheckBox, Details, Tick, TickList, button, name_button
from gpu_assistant.gui.widgets.fact_table import FactTable
from gpu_assistant.gui.widgets.page_button import page_button
from gpu_assistant.gui.wizard.page import Page
from gpu_assistant.session.state import SessionState

SEVERITIES: dict[str, tuple[str, ToneName]] = {
    "info": ("info", "info"),
    "warning": ("warning", "warning"),
    "problem": ("error", "problem"),
}
SHOWN_GPUS = 8


class GpuCard(Card):
    """One card of the computer."""

    def __init__(self) -> None:
        super().__init__()
        self._symbol = Symbol("gpu", 44, "accent")
        self._name = Label(size=1.3, bold=True, selectable=True)
        self._brief = Label(tone="muted")
        self.table = FactTable()
        head = row(self._symbol, column(self._name, self._brief, spacing=2), spacing=2 * SPACE)
        head.setAlignment(self._symbol, Qt.AlignmentFlag.AlignTop)
        self.body.addLayout(head)
        self.body.addWidget(self.table)

    def show_gpu(self, name: str, brief: str, facts: list[Fact], icon: str) -> None:
        """Shows a card, or the processor where there is none."""
        self._symbol.show_symbol(icon, "accent")
        self._name.setText(name)
        self._brief.setText(brief)
        self._brief.setVisible(bool(brief))
        self.table.show_facts(facts)
        self.setAccessibleName(name)


class DetectPage(Page):
    """Fills in while the probes answer; never fails."""

    again_wanted = Signal()
    copy_wanted = Signal()
    page_wanted = Signal(str)  # id of a page of Windows

    def __init__(self) -> None:
        super().__init__()
        self._writer = FactWriter(self)
        self._shown: SystemReport | None = None
        self.busy = Card()
        self._busy_text = Label()
        bar = QProgressBar()
        bar.setRange(0, 0)
        bar.setTextVisible(False)
        self._bar = bar
        self.busy.body.addWidget(self._busy_text)
        self.busy.body.addWidget(bar)
        self.verdict = Banner("info", big=True)
        self._cards = QVBoxLayout()
        self._cards.setSpacing(SPACE)
        self.findings = Card(padding=SPACE + SPACE // 2)
        self._finding_ticks = TickList()
        self.findings.body.addWidget(self._finding_ticks)
        self._pages = row()
        self.findings.body.addLayout(self._pages)
        self.sources = CheckBox()
        self.sources.toggled.connect(self._show_sources)
        self.computer = Details()
        self._table = FactTable()
        self.computer.body.addWidget(self._table)
        self.notes = Details()
        self._notes_text = Label(tone="muted", selectable=True)
        self.notes.body.addWidget(self._notes_text)
        for widget in (self.busy, self.verdict):
            self.content.addWidget(widget)
        self.content.addLayout(self._cards)
        self.content.addWidget(self.findings)
        self.content.addLayout(row(self.computer))
        self.content.addWidget(self.sources)
        self.content.addWidget(self.notes)
        self.copy_button = button("copy")
        self.again_button = button("refresh")
        self.copy_button.clicked.connect(self.copy_wanted)
        self.again_button.clicked.connect(self.again_wanted)
        self.extra_buttons.addWidget(self.copy_button)
        self.extra_buttons.addWidget(self.again_button)
        self.retranslate()

    def words(self) -> None:
        self.title.setText(self.tr("Your computer"))
        self.intro.setText(self.tr("We only look, so that the choice that follows fits exactly this card."))
        self._busy_text.setText(self.tr("Looking at the card, the driver and the disks. This takes a second or two."))
        self._bar.setAccessibleName(self.tr("Looking at the computer"))
        self.computer.set_title(self.tr("Everything about this computer"))
        self.notes.set_title(self.tr("Whom we asked and how they answered"))
        self.sources.setText(self.tr("&How do we know? Show the source of each value"))
        self.sources.setAccessibleName(self.tr("Show the source of each value"))
        name_button(self.copy_button, self.tr("&Copy report"), self.tr("Copies everything as text, without your name"))
        name_button(self.again_button, self.tr("Look &again"), "F5")
        name_button(self.next_button, self.tr("&Next: choose"))
        self._shown = None

    def draw(self, state: SessionState) -> None:
        looking = state.busy == "detect"
        self.busy.setVisible(looking)
        self.again_button.setEnabled(not state.busy)
        self.next_button.setEnabled(state.verdict is not None and not looking)
        self.copy_button.setEnabled(state.report is not None)
        self.verdict.setVisible(state.verdict is not None)
        if state.verdict is not None:
            lines = [say(reason) for reason in state.verdict.reasons]
            self.verdict.show_text(verdict_tone(state.verdict.status), say(state.verdict.sentence), lines)
        self.findings.setVisible(state.report is not None and bool(state.report.findings))
        for widget in (self.computer, self.sources, self.notes):
            widget.setVisible(state.report is not None)
        if state.report is not self._shown:
            self._shown = state.report
            self._draw_report(state.report)

    def _draw_report(self, report: SystemReport | None) -> None:
        clear(self._cards)
        if report is None:
            return
        for gpu in report.gpus[:SHOWN_GPUS]:
            self._add_card(gpu, report)
        if not report.gpus:
            card = GpuCard()
            brief = self.tr("No graphics card was found, so the processor does the work.")
            card.show_gpu(report.cpu.name or self.tr("Processor"), brief, [], "cpu")
            self._cards.addWidget(card)
        self._finding_ticks.show_ticks([Tick(*SEVERITIES[one.severity], say(one.message)) for one in report.findings])
        self._show_pages(report)
        self._table.show_facts(self._writer.of_computer(report))
        self._notes_text.setText("\n".join(_note_line(report)))
        self._show_sources(self.sources.isChecked())

    def _show_pages(self, report: SystemReport) -> None:
        clear(self._pages)
        for page in dict.fromkeys(one.page for one in report.findings):
            if (opens := page_button(page, self.page_wanted.emit)) is not None:
                self._pages.addWidget(opens)
        self._pages.addStretch(1)

    def _add_card(self, gpu: Gpu, report: SystemReport) -> None:
        card = GpuCard()
        facts = self._writer.of_gpu(gpu)
        if gpu.vendor == "nvidia" and report.driver is not None:
            facts[1:1] = self._writer.of_driver(report.driver)
        card.show_gpu(gpu.name, self._writer.of_gpu_briefly(gpu), facts, "cpu" if gpu.integrated else "gpu")
        self._cards.addWidget(card)

    def _show_sources(self, shown: bool) -> None:
        for table in self.findChildren(FactTable):
            table.show_sources(shown)


def _note_line(report: SystemReport) -> list[str]:
    return [
        " · ".join(part for part in (note.source, note.outcome.value, note.detail, f"{note.seconds:.2f} s") if part)
        for note in report.notes
    ]
