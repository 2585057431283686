"""Done: what to do with the environment now, and how to be rid of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout

from gpu_assistant.gui.language import format_bytes, say
from gpu_assistant.gui.theme import SPACE
from gpu_assistant.gui.widgets.base import Card, Label, Symbol, column
from gpu_assistant.gui.widgets.boxes import Banner, Details, button, name_button
from gpu_assistant.gui.wizard.page import Page
from gpu_assistant.session.state import SessionState, python_to_test, undoable
from gpu_assistant.smoke_test.catalogue import SmokeTest

DEEDS = {
    "terminal": "terminal",
    "folder": "folder",
    "project": "code",
    "kernel": "book",
    "monitor": "chart",
}


class DeedCard(Card):
    """One thing to do next, with its button."""

    def __init__(self, icon: str) -> None:
        super().__init__()
        self._title = Label(bold=True, size=1.05)
        self._text = Label(tone="muted")
        self.button = button()
        grid = QGridLayout()
        grid.setHorizontalSpacing(2 * SPACE)
        grid.addWidget(Symbol(icon, 28, "accent"), 0, 0)
        grid.addLayout(column(self._title, self._text, spacing=2), 0, 1)
        grid.addWidget(self.button, 0, 2)
        grid.setColumnStretch(1, 1)
        self.body.addLayout(grid)

    def show_deed(self, title: str, text: str, button_text: str) -> None:
        """Sets its words."""
        self._title.setText(title)
        self._text.setText(text)
        name_button(self.button, button_text, title)


class FinishPage(Page):
    """The end of the road and the beginning of the user's own work."""

    deed_wanted = Signal(str)  # a key of DEEDS
    undo_wanted = Signal()
    start_over_wanted = Signal()

    def __init__(self, tests_of: Callable[[str], Sequence[SmokeTest]]) -> None:
        """`tests_of` gives the tests of a framework."""
        super().__init__(next_icon="home")
        self._tests_of = tests_of
        self.next_button.clicked.disconnect()
        self.next_button.clicked.connect(self.start_over_wanted)
        self.outcome = Banner("good", big=True)
        self.content.addWidget(self.outcome)
        self.deeds: dict[str, DeedCard] = {}
        for key, icon in DEEDS.items():
            card = DeedCard(icon)
            card.button.clicked.connect(lambda _=False, key=key: self.deed_wanted.emit(key))
            self.content.addWidget(card)
            self.deeds[key] = card
        self.done = Banner("good")
        self.content.addWidget(self.done)
        self.undo = Details()
        self._undo_text = Label()
        self.undo_button = button("trash")
        self.undo_button.clicked.connect(self.undo_wanted)
        self.undo.body.addWidget(self._undo_text)
        line = column(self.undo_button)
        self.undo.body.addLayout(line)
        self.content.addWidget(self.undo)
        self.retranslate()

    def words(self) -> None:
        self.title.setText(self.tr("Your environment is ready"))
        self.intro.setText(self.tr("Pick what you need now. All of it can be done again later."))
        self.deeds["terminal"].show_deed(
            self.tr("Work in a terminal"),
            self.tr("Opens a terminal with the environment switched on: python and pip are the right ones in it."),
            self.tr("Open &terminal"),
        )
        self.deeds["folder"].show_deed(
            self.tr("See the files"),
            self.tr("Opens the environment's folder. Point your editor at the Python in it."),
            self.tr("Open f&older"),
        )
        self.deeds["project"].show_deed(
            self.tr("Start a project"),
            self.tr(
                "Creates a small script that trains the right way: on the card, with mixed precision. Change it freely."
            ),
            self.tr("&Create…"),
        )
        self.deeds["kernel"].show_deed(
            self.tr("Use it in Jupyter"),
            self.tr("Adds the environment to the list of kernels in Jupyter and VS Code."),
            self.tr("Add &kernel"),
        )
        self.deeds["monitor"].show_deed(
            self.tr("Watch the card"),
            self.tr("Shows load, memory and temperature while anything runs."),
            self.tr("Open &Monitor"),
        )
        self.undo.set_title(self.tr("Remove everything again"))
        name_button(self.undo_button, self.tr("&Remove this environment…"))
        name_button(self.next_button, self.tr("&Start again"), self.tr("Back to the first page; nothing is removed"))

    def draw(self, state: SessionState) -> None:
        idle = not state.busy
        for card in self.deeds.values():
            card.button.setEnabled(idle)
        self.back_button.setEnabled(idle)
        self.next_button.setEnabled(idle)
        self._draw_outcome(state)
        can_undo = undoable(state)
        self.undo.setVisible(can_undo)
        self.undo_button.setEnabled(idle)
        if can_undo and state.install is not None:
            size = state.install.disk_bytes
            words = self.tr("Deletes the folder {folder} ({size}). Your own projects elsewhere are not touched.")
            self._undo_text.setText(
                words.format(folder=state.install.folder, size=format_bytes(size) if size else self.tr("size unknown"))
            )

    def _draw_outcome(self, state: SessionState) -> None:
        python = python_to_test(state) or ""
        passed = state.smoke is not None and state.smoke.passed
        if passed:
            self.outcome.show_text("good", self.tr("It trains. Well done!"), [python], "flag")
        elif not self._tests_of(state.framework):
            self.outcome.show_text(
                "info", self.tr("Installed and checked. There is no training test for it yet."), [python]
            )
        else:
            self.outcome.show_text(
                "warning",
                self.tr("Installed, but the training test has not passed yet."),
                [self.tr("Go back one page to run it again or to get help."), python],
            )
        self.done.setVisible(state.done is not None)
        if state.done is not None:
            self.done.show_text("good", say(state.done))
