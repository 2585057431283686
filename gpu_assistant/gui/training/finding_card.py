"""One finding: where it is, what it means, what to write instead."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QMouseEvent

from gpu_assistant.base.message import message
from gpu_assistant.check.engine import Finding
from gpu_assistant.gui.language import language, say
from gpu_assistant.gui.theme import SPACE
from gpu_assistant.gui.training.source_view import TONES
from gpu_assistant.gui.troubleshoot.line_view import CommandLine, FixedText
from gpu_assistant.gui.widgets.base import Card, Label, Symbol, clear, row
from gpu_assistant.gui.widgets.boxes import TONE_ICONS, Details, button, name_button


class FindingCard(Card):
    """Draws a finding; a click wishes to see its line."""

    line_wanted = Signal(int)

    def __init__(self, finding: Finding) -> None:
        super().__init__()
        self.finding = finding
        self.retranslate()

    def retranslate(self) -> None:
        clear(self.body)
        finding = self.finding
        tone = TONES[finding.level]
        symbol = Symbol(TONE_ICONS[tone], 20, tone)
        title = Label(finding.title.say(language()), bold=True, selectable=True)
        head = row(symbol, title)
        head.setAlignment(symbol, Qt.AlignmentFlag.AlignTop)
        self.body.addLayout(head)
        level = say(message(f"check-level-{finding.level}"))
        self.line_button = button("code")
        self.line_button.setFlat(True)
        name_button(self.line_button, place(finding), self.tr("Shows the line in the script"))
        self.line_button.clicked.connect(lambda: self.line_wanted.emit(finding.line))
        self.body.addLayout(row(self.line_button, Label(level, tone=tone, wrap=False), 1))
        line = FixedText(finding.text)
        line.setAccessibleName(self.tr("The line"))
        self.body.addWidget(line)
        why = Label(finding.why.say(language()), selectable=True)
        why.setTextFormat(Qt.TextFormat.MarkdownText)  # names stand in backticks
        self.body.addWidget(why)
        if finding.code:
            self.body.addWidget(Label(self.tr("Better like this:"), bold=True))
            self.body.addWidget(CommandLine(finding.code))
        if finding.sources:
            more = Details()
            more.set_title(self.tr("Where this comes from"))
            for source in finding.sources:
                more.body.addWidget(Label(source, tone="muted", selectable=True))
            self.body.addWidget(more)
        self.setAccessibleName(f"{title.text()}. {place(finding)}, {level}")
        self.body.setSpacing(SPACE)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        self.line_wanted.emit(self.finding.line)


def place(finding: Finding) -> str:
    """Where it is, in words."""
    if finding.cell is None:
        return say(message("check-line", line=finding.cell_line))
    return say(message("check-cell-line", cell=finding.cell, line=finding.cell_line))
