"""What will happen, before anything does."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout

from gpu_assistant.gui.theme import SPACE
from gpu_assistant.gui.widgets.base import Card, Label, Symbol, column
from gpu_assistant.gui.widgets.boxes import Banner, button, name_button
from gpu_assistant.gui.wizard.page import Page
from gpu_assistant.session.state import SessionState, furthest_page


class WelcomePage(Page):
    """The first page. One button."""

    resume_wanted = Signal()

    def __init__(self) -> None:
        super().__init__(next_icon="search")
        self.back_button.hide()
        self.resume = Banner("info")
        self.resume_button = button("play")
        self.resume_button.clicked.connect(self.resume_wanted)
        self.resume.buttons.addWidget(self.resume_button)
        self.resume.buttons.addStretch(1)
        self.content.addWidget(self.resume)
        card = Card(padding=3 * SPACE)
        grid = QGridLayout()
        grid.setHorizontalSpacing(2 * SPACE)
        grid.setVerticalSpacing(2 * SPACE)
        grid.setColumnStretch(1, 1)
        self._lines: list[tuple[Label, Label]] = []
        for place, icon in enumerate(("search", "choose", "download", "picture")):
            title, text = Label(bold=True, size=1.1), Label(tone="muted")
            grid.addWidget(Symbol(icon, 32, "accent"), place, 0)
            grid.addLayout(column(title, text, spacing=2), place, 1)
            self._lines.append((title, text))
        card.body.addLayout(grid)
        self.content.addWidget(card)
        self.promise = Label(tone="muted")
        self.content.addWidget(self.promise)
        self.retranslate()

    def words(self) -> None:
        self.title.setText(self.tr("Let's get your graphics card to train a network"))
        self.intro.setText(self.tr("Four steps, usually 10 to 30 minutes, most of it downloading."))
        texts = (
            (self.tr("Look"), self.tr("We look at your card, its driver and your computer. Nothing is changed.")),
            (
                self.tr("Choose"),
                self.tr("You see what fits your card and why, and what it will cost in space and time."),
            ),
            (self.tr("Install"), self.tr("Everything goes into one folder of its own and can be removed again.")),
            (self.tr("Train"), self.tr("A small network learns a picture while you watch, as a proof that it works.")),
        )
        for (title, text), (title_words, text_words) in zip(self._lines, texts, strict=True):
            title.setText(title_words)
            text.setText(text_words)
        self.promise.setText(
            self.tr("No administrator rights, no account. Nothing about you or your computer is sent anywhere.")
        )
        name_button(self.next_button, self.tr("&Look at my computer"))
        name_button(self.resume_button, self.tr("&Go on where I was"))

    def draw(self, state: SessionState) -> None:
        unfinished = furthest_page(state) != "welcome"
        self.resume.setVisible(unfinished)
        if unfinished:
            self.resume.show_text(
                "info",
                self.tr("Welcome back"),
                [self.tr("You have been here before. Go on where you were, or look at the computer afresh.")],
                "clock",
            )
