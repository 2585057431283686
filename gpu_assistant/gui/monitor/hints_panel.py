"""What the curves mean: a sentence each, what to try first, and a click that shows where it is seen."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from gpu_assistant.gui.language import language
from gpu_assistant.gui.monitor.time_view import Span
from gpu_assistant.gui.theme import SPACE, Tone
from gpu_assistant.gui.widgets.base import Card, Label, Symbol, Worded, column, row
from gpu_assistant.gui.widgets.boxes import button, name_button
from gpu_assistant.monitor.hints import Hint


class HintCard(Card):
    """One hint."""

    def __init__(self, hint: Hint, card: str, show: str) -> None:
        tone: Tone = "warning" if hint.severity == "warning" else "info"
        super().__init__(tone, padding=SPACE + 2)
        self.hint = hint
        title = Label(hint.sentence(language()), bold=True, selectable=True)
        advice = Label(hint.advice(language()), selectable=True)
        self.show_button = button("search")
        name_button(self.show_button, show)
        self.show_button.setVisible(bool(hint.evidence))
        name = Label(card, tone="muted", size=0.9)
        name.setVisible(bool(card))
        symbol = Symbol("warning" if tone == "warning" else "info", 18, tone)
        content = column(name, title, advice, row(self.show_button, 1), spacing=SPACE // 2)
        line = row(symbol, content)
        line.setAlignment(symbol, Qt.AlignmentFlag.AlignTop)
        self.body.addLayout(line)
        self.setAccessibleName(title.text())
        self.setAccessibleDescription(advice.text())


class HintsPanel(Worded):
    """The hints that hold now."""

    pointed_out = Signal(object)  # Span: somebody wants to see where

    def __init__(self) -> None:
        super().__init__()
        self._hints: tuple[Hint, ...] = ()
        self._names: dict[str, str] = {}
        self.cards: list[HintCard] = []
        self._title = Label(bold=True)
        self._empty = Label(tone="muted")
        inside = QWidget()
        self._list = QVBoxLayout(inside)
        self._list.setContentsMargins(0, 0, SPACE // 2, 0)
        self._list.setSpacing(SPACE)
        self._list.addWidget(self._empty)
        self._list.addStretch(1)
        scroll = QScrollArea()
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setWidget(inside)
        self.setLayout(column(self._title, scroll, spacing=SPACE // 2))
        self.retranslate()

    def retranslate(self) -> None:
        self._title.setText(self.tr("What this means"))
        self._empty.setText(
            self.tr("Nothing stands out. When something slows the card down, it is said here, with what to try first.")
        )
        self._build()

    def show_hints(self, hints: Sequence[Hint], names: dict[str, str]) -> None:
        """Shows these; `names` are the cards' names by uuid, empty for the only card there is."""
        said = [(hint.id, hint.gpu, hint.sentence(language())) for hint in hints]
        same = said == [(hint.id, hint.gpu, hint.sentence(language())) for hint in self._hints]
        self._hints, self._names = tuple(hints), dict(names)
        if same:  # only its numbers' times moved: the cards stay, so that a click never misses
            for card, hint in zip(self.cards, hints, strict=True):
                card.hint = hint
            return
        self._build()

    def _build(self) -> None:
        for card in self.cards:
            card.hide()
            card.deleteLater()
        self.cards = []
        for place, hint in enumerate(self._hints):
            card = HintCard(hint, self._names.get(hint.gpu, ""), self.tr("Show on the chart"))
            card.show_button.clicked.connect(lambda _=False, card=card: self._point(card.hint))
            self._list.insertWidget(place, card)
            self.cards.append(card)
        self._empty.setVisible(not self._hints)

    def _point(self, hint: Hint) -> None:
        series = tuple((one.owner, one.metric) for one in hint.evidence)
        self.pointed_out.emit(Span(hint.start, hint.end, series))
