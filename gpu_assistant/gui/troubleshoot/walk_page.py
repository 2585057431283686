"""Guided walks: a question at a time, each with its reason, until there is something to do."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from gpu_assistant.gui.language import language
from gpu_assistant.gui.theme import SPACE
from gpu_assistant.gui.troubleshoot.diagnosis_card import DiagnosisCard
from gpu_assistant.gui.troubleshoot.error_page import CONTENT_WIDTH, scrolling
from gpu_assistant.gui.troubleshoot.line_view import CommandLine
from gpu_assistant.gui.widgets.base import Card, Label, Worded, clear, column, row
from gpu_assistant.gui.widgets.boxes import Button, button, name_button
from gpu_assistant.gui.widgets.page_button import page_button
from gpu_assistant.troubleshoot import walks
from gpu_assistant.troubleshoot.diagnosis import Diagnosis
from gpu_assistant.troubleshoot.facts import Facts
from gpu_assistant.troubleshoot.walks import Node, Walk, WalkState


class WalkPage(Worded):
    """Draws where somebody is on a walk and announces the answers."""

    walk_chosen = Signal(str)
    answered = Signal(int)
    back_wanted = Signal()
    left = Signal()
    fix_wanted = Signal(object, object)
    page_wanted = Signal(str)
    action_wanted = Signal(object)  # FixAction
    help_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._walks: dict[str, Walk] = {}
        self._state: WalkState | None = None
        self._facts = Facts()
        self._ending: Diagnosis | None = None
        self.answer_buttons: list[Button] = []
        self.card: DiagnosisCard | None = None
        self.title = Label(size=1.7, bold=True)
        self.intro = Label(tone="muted", size=1.05)
        self._content = QVBoxLayout()
        self._content.setSpacing(SPACE + SPACE // 2)
        self.back_button = button("arrow-left")
        self.leave_button = button("list")
        self.back_button.clicked.connect(self.back_wanted)
        self.leave_button.clicked.connect(self.left)
        inside = QWidget()
        inside.setMaximumWidth(CONTENT_WIDTH)
        foot = row(self.back_button, self.leave_button, 1)
        whole = column(column(self.title, self.intro, spacing=4), self._content, foot, 1, spacing=2 * SPACE)
        whole.setContentsMargins(4 * SPACE, 2 * SPACE, 4 * SPACE, 3 * SPACE)
        inside.setLayout(whole)
        self.setLayout(column(scrolling(inside)))
        self.retranslate()

    def retranslate(self) -> None:
        name_button(self.back_button, self.tr("&Back"))
        name_button(self.leave_button, self.tr("&All walks"))
        self._draw()

    def show_walks(self, found: dict[str, Walk]) -> None:
        """The walks to choose from."""
        self._walks, self._state = dict(found), None
        self._draw()

    def show_state(self, state: WalkState | None, facts: Facts, ending: Diagnosis | None = None) -> None:
        """Where somebody is; `ending` is the card that the end names. None: the list of walks."""
        self._state, self._facts, self._ending = state, facts, ending
        self._draw()

    def _draw(self) -> None:
        clear(self._content)
        self.answer_buttons, self.card = [], None
        walking = self._state is not None
        self.back_button.setVisible(walking)
        self.leave_button.setVisible(walking)
        if self._state is None:
            self._draw_list()
        else:
            self._draw_node(self._walks[self._state.walk], self._state)

    def _draw_list(self) -> None:
        self.title.setText(self.tr("Step by step"))
        self.intro.setText(self.tr("No error text at hand? Answer a few questions. Each one says why it is asked."))
        self.intro.show()  # the end of a walk has none
        for walk in self._walks.values():
            choice = self._choice(walk.title.say(language()))
            choice.clicked.connect(lambda _=False, id_=walk.id: self.walk_chosen.emit(id_))

    def _draw_node(self, walk: Walk, state: WalkState) -> None:
        node, spoken = walks.current(walk, state), language()
        self.title.setText(walk.title.say(spoken))
        self.intro.setText(self.tr("Question {number}").format(number=len(state.path) + 1) if node.answers else "")
        self.intro.setVisible(bool(node.answers))
        for name, choice in state.path:
            asked = walk.nodes[name]
            given = asked.answers[choice]
            words = given.ru if spoken == "ru" else given.en
            self._content.addWidget(Label(f"{asked.text.say(spoken)}  —  {words}", tone="muted"))
        self._draw_question(node)
        for number, one in enumerate(node.answers):
            choice_button = self._choice(one.ru if spoken == "ru" else one.en)
            choice_button.clicked.connect(lambda _=False, number=number: self.answered.emit(number))
        suggestion = walks.suggested(node, self._facts)
        if suggestion is not None:
            self.answer_buttons[suggestion].set_primary(True)
            told = self.tr("The highlighted answer is what your computer itself says.")
            self._content.addWidget(Label(told, tone="info"))
        if not node.answers:
            self._draw_end(node)

    def _draw_question(self, node: Node) -> None:
        box = Card()
        box.body.addWidget(Label(node.text.say(language()), size=1.25, bold=True, selectable=True))
        box.body.addWidget(Label(node.reason.say(language()), tone="muted", selectable=True))
        if node.measure:
            box.body.addWidget(Label(self.tr("To find out, type this into a terminal:")))
            box.body.addWidget(CommandLine(node.measure))
        if (opens := page_button(node.page, self.page_wanted.emit)) is not None:
            box.body.addLayout(row(opens, 1))
        self._content.addWidget(box)

    def _draw_end(self, node: Node) -> None:
        if node.action is not None:
            act = button("play", primary=True)
            name_button(act, self.tr("&Do it for me…"), self.tr("First shows exactly what will change"))
            act.clicked.connect(lambda: self.action_wanted.emit(node.action))
            self._content.addLayout(row(act, 1))
        if self._ending is not None:
            self.card = DiagnosisCard(self._ending, known=True)
            self.card.fix_wanted.connect(self.fix_wanted)
            self.card.page_wanted.connect(self.page_wanted)
            self._content.addWidget(self.card)
        if node.report:
            ask = button("copy", primary=True)
            name_button(ask, self.tr("&Make the help report…"))
            ask.clicked.connect(self.help_wanted)
            self._content.addLayout(row(ask, 1))

    def _choice(self, text: str) -> Button:
        made = button("arrow-right")
        name_button(made, text.replace("&", "&&"))
        made.setAccessibleName(text)
        made.setMinimumHeight(made.fontMetrics().height() * 2)
        made.setMinimumWidth(320)
        self._content.addLayout(row(made, 1))
        self.answer_buttons.append(made)
        return made
