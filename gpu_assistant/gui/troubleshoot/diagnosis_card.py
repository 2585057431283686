"""A possible cause as a card: what it is, how sure, what we saw, what it means, what to do in order."""

from __future__ import annotations

from collections.abc import Collection

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from gpu_assistant.gui.language import language
from gpu_assistant.gui.theme import SPACE, Tone, ToneName
from gpu_assistant.gui.troubleshoot.line_view import CommandLine, FixedText, numbered
from gpu_assistant.gui.widgets.base import Card, Label, Symbol, column, row
from gpu_assistant.gui.widgets.boxes import Details, button, name_button
from gpu_assistant.gui.widgets.page_button import page_button
from gpu_assistant.troubleshoot.diagnosis import Diagnosis, Fix

UNKNOWN = "unknown"  # the cause of a text that does not tell its cause
TONES: dict[str, tuple[Tone, str]] = {
    "sure": ("good", "check-circle"),
    "likely": ("info", "check"),
    "possible": ("warning", "question"),
}


class DiagnosisCard(Card):
    """One cause. `known` cards come from the base, without an error at hand: they claim nothing about it."""

    fix_wanted = Signal(object, object)  # Fix, Diagnosis: show what it would do
    page_wanted = Signal(str)  # id of a page of Windows
    told = Signal(object, object, bool)  # Fix, Diagnosis, whether it helped

    def __init__(self, diagnosis: Diagnosis, *, known: bool = False, helped: Collection[str] = ()) -> None:
        super().__init__(padding=2 * SPACE)
        self.diagnosis = diagnosis
        self._known = known
        self._helped = helped
        self.action_buttons: dict[str, QWidget] = {}
        self.page_buttons: dict[str, QWidget] = {}
        self.helped_buttons: dict[str, QWidget] = {}
        self.failed_buttons: dict[str, QWidget] = {}
        self._build()

    def _build(self) -> None:
        diagnosis, spoken = self.diagnosis, language()
        title = Label(diagnosis.title.say(spoken), size=1.3, bold=True, selectable=True)
        self.body.addWidget(title)
        if not self._known and (diagnosis.lines or not self._open_ended):
            self.body.addWidget(self._certainty())
        if diagnosis.lines:
            self._section(self.tr("What we saw"))
            seen = FixedText(numbered(diagnosis.lines))
            seen.setAccessibleName(self.tr("The lines that speak for it"))
            self.body.addWidget(seen)
        self._section(self.tr("What it means"))
        self._text(diagnosis.what.say(spoken))
        self._text(diagnosis.why.say(spoken))
        for fact in diagnosis.facts:
            self._line("info", "info", fact.say(spoken))
        if diagnosis.fixes:
            self._section(self.tr("What to do, in this order"))
            for number, fix in enumerate(diagnosis.fixes, 1):
                self.body.addLayout(self._fix(number, fix))
        self._section(self.tr("How to see that it helped"))
        self._text(diagnosis.check.say(spoken))
        self._section(self.tr("When to stop and ask"))
        self._text(diagnosis.stop.say(spoken))
        self._add_sources()
        self.setAccessibleName(title.text())
        self.setAccessibleDescription(diagnosis.what.say(spoken))

    @property
    def _open_ended(self) -> bool:
        return self.diagnosis.cause == UNKNOWN

    def _certainty(self) -> QWidget:
        words = {
            "sure": self.tr("We are sure"),
            "likely": self.tr("Very likely"),
            "possible": self.tr("Possible, but we cannot be sure"),
        }
        certainty = self.diagnosis.certainty
        tone, icon = TONES[certainty]
        said = words[certainty]
        if self._open_ended:
            tone, icon, said = "info", "info", self.tr("No cause is known yet, and we do not guess")
        return _line(Symbol(icon, 18, tone), Label(said, tone=tone, bold=True))

    def _fix(self, number: int, fix: Fix) -> QHBoxLayout:
        tone: ToneName = "muted" if fix.tried else "neutral"
        count = Label(f"{number}.", bold=True, wrap=False, tone=tone)
        parts: list[QWidget] = [Label(fix.text.say(language()), selectable=True, tone=tone)]
        if fix.tried:
            parts.append(Label(self.tr("You tried this already, and the same problem came back."), tone="warning"))
        if fix.command:
            parts.append(CommandLine(fix.command))
        if fix.id in self._helped:
            said = Label(self.tr("It helped. This computer remembers it."), tone="good", bold=True)
            parts.append(_line(Symbol("check-circle", 18, "good"), said))
        line = row(count, column(*parts, self._buttons(fix), spacing=SPACE // 2), spacing=SPACE)
        line.setAlignment(count, Qt.AlignmentFlag.AlignTop)
        return line

    def _buttons(self, fix: Fix) -> QWidget:
        holder = QWidget()
        line = row(spacing=SPACE)
        if fix.action is not None:
            act = button("play")
            name_button(act, self.tr("Do it for me…"), self.tr("First shows what will change and how it is undone"))
            act.clicked.connect(lambda: self.fix_wanted.emit(fix, self.diagnosis))
            line.addWidget(act)
            self.action_buttons[fix.id] = act
        if (opens := page_button(fix.page, self.page_wanted.emit)) is not None:
            line.addWidget(opens)
            self.page_buttons[fix.id] = opens
        if self._asks_about(fix):
            name_button(helped := button("check"), self.tr("It helped"), self.tr("Remembers what solved it"))
            name_button(failed := button(), self.tr("It did not help"), self.tr("Puts the next step first from now on"))
            for word, one in ((True, helped), (False, failed)):
                one.setFlat(True)
                one.clicked.connect(lambda _=False, word=word: self.told.emit(fix, self.diagnosis, word))
                line.addWidget(one)
            self.helped_buttons[fix.id], self.failed_buttons[fix.id] = helped, failed
        line.addStretch(1)
        holder.setLayout(line)
        if line.count() == 1:  # only the stretch; never shown here: without a parent it would be a window
            holder.hide()
        return holder

    def _asks_about(self, fix: Fix) -> bool:
        # "collect more" is a step, but not one that helps or does not
        return not (self._known or self._open_ended or self._helped or fix.tried)

    def _add_sources(self) -> None:
        diagnosis = self.diagnosis
        if not diagnosis.sources and not diagnosis.as_of:
            return
        details = Details()
        details.set_title(self.tr("Where this comes from"))
        if diagnosis.as_of:
            details.body.addWidget(Label(self.tr("Checked: {date}").format(date=diagnosis.as_of), tone="muted"))
        for source in diagnosis.sources:
            details.body.addWidget(Label(source, tone="muted", selectable=True))
        details.body.addWidget(Label(f"{diagnosis.cause} · {diagnosis.rule}", tone="muted", selectable=True))
        self.body.addWidget(details)

    def _section(self, text: str) -> None:
        label = Label(text, bold=True)
        label.setContentsMargins(0, SPACE, 0, 0)
        self.body.addWidget(label)

    def _text(self, text: str) -> None:
        self.body.addWidget(Label(text, selectable=True))

    def _line(self, icon: str, tone: Tone, text: str) -> None:
        symbol = Symbol(icon, 18, tone)
        line = row(symbol, Label(text, selectable=True))
        line.setAlignment(symbol, Qt.AlignmentFlag.AlignTop)
        self.body.addLayout(line)


def _line(*widgets: QWidget) -> QWidget:
    holder = QWidget()
    holder.setLayout(row(*widgets, spacing=6))
    return holder
