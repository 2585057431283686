"""The training test to watch: the picture sharpens, the loss falls, and line by line it is proven where it ran."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QGridLayout, QProgressBar, QWidget

from gpu_assistant.gui.language import format_number, language
from gpu_assistant.gui.theme import SPACE
from gpu_assistant.gui.widgets.base import Card, Label, Symbol, column, row
from gpu_assistant.gui.widgets.boxes import Banner, Button, Details, TickList, button, name_button
from gpu_assistant.gui.widgets.curve import Curve
from gpu_assistant.gui.widgets.log_view import LogView
from gpu_assistant.gui.widgets.picture_view import PictureView
from gpu_assistant.gui.wizard.page import Page
from gpu_assistant.gui.wizard.progress import show_part
from gpu_assistant.gui.wizard.smoke_view import SmokeView, SmokeViewer
from gpu_assistant.session.state import SessionState
from gpu_assistant.smoke_test.catalogue import SmokeTest

SHOW_HEIGHT = 250
FIGURES = {"device": "gpu", "speed": "clock", "memory": "memory", "temperature": "thermometer"}


class Figure(QWidget):
    """One number with its name under it."""

    def __init__(self, icon: str, *, wrap: bool = False) -> None:
        super().__init__()
        self._value = Label("–", size=1.15, bold=True, wrap=wrap)
        self._name = Label(tone="muted", size=0.92, wrap=False)
        line = row(Symbol(icon, 20, "muted"), column(self._value, self._name, spacing=0))
        line.addStretch(1)
        self.setLayout(line)

    def show_figure(self, value: str, name: str) -> None:
        """Sets both."""
        self._value.setText(value or "–")
        self._name.setText(name)
        self._value.setAccessibleName(f"{name}: {value}")


class SmokeTestPage(Page):
    """Draws a `SmokeRun`, whatever its age: live, ended, opened again."""

    start_wanted = Signal(str)
    cancel_wanted = Signal()
    change_wanted = Signal()
    help_wanted = Signal()
    export_wanted = Signal()
    saved_runs_wanted = Signal()

    def __init__(self, tests_of: Callable[[str], Sequence[SmokeTest]]) -> None:
        """`tests_of` gives the tests of a framework."""
        super().__init__()
        self._tests_of = tests_of
        self._viewer = SmokeViewer(self)
        self._tests: tuple[SmokeTest, ...] = ()
        self._chosen = ""
        self._temperature: float | None = None
        self.test = QComboBox()
        self.test.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.test.currentIndexChanged.connect(self._describe)
        self._test_label = Label(wrap=False)
        self._test_label.setBuddy(self.test)
        self._test_text = Label(tone="muted")
        self.start_button = button("play", primary=True)
        self.start_button.clicked.connect(lambda: self.start_wanted.emit(self.test.currentData() or ""))
        self.open_button = button("clock")
        self.open_button.clicked.connect(self.saved_runs_wanted)
        self.untested = Banner("info")
        self.outcome = Banner("info", big=True)
        self.change_button = button("choose")
        self.help_button = button("help")
        self.change_button.clicked.connect(self.change_wanted)
        self.help_button.clicked.connect(self.help_wanted)
        for one in (self.change_button, self.help_button):
            self.outcome.buttons.addWidget(one)
        self.outcome.buttons.addStretch(1)
        self.stage = Label(bold=True)
        self.progress = QProgressBar()
        self.progress.setTextVisible(False)
        self.picture = PictureView()
        self.written = Label(size=1.1, selectable=True)  # by a network that learns words
        self.curve = Curve()
        self._picture_title, self._curve_title = Label(bold=True), Label(bold=True)
        self.figures = {key: Figure(icon, wrap=key == "device") for key, icon in FIGURES.items()}
        self.ticks = TickList()
        self._ticks_title = Label(bold=True, size=1.1)
        self.log = LogView()
        self.log.setMinimumHeight(180)
        self.log_details = Details()
        self.log_details.body.addWidget(self.log)
        self.cancel_button = button("stop")
        self.cancel_button.clicked.connect(self.cancel_wanted)
        self.export_button = button("save")
        self.export_button.clicked.connect(self.export_wanted)
        self._arrange()
        self.retranslate()

    def words(self) -> None:
        self.title.setText(self.tr("Training test"))
        self.intro.setText(self.tr("A small network learns while you watch. If it does, bigger ones will too."))
        self.untested.show_text(
            "info",
            self.tr("There is no training test for this framework yet."),
            [self.tr("The install itself was checked: it imports, and it is the right build. You can go on.")],
        )
        self._test_label.setText(self.tr("&What to train:"))
        self.test.setAccessibleName(self.tr("What to train"))
        name_button(self.start_button, self.tr("&Start"))
        name_button(self.open_button, self.tr("&Earlier runs…"))
        name_button(self.change_button, self.tr("&Change the choice"))
        name_button(self.help_button, self.tr("&Help me"), self.tr("Opens Troubleshooting with everything we know"))
        name_button(self.export_button, self.tr("Sa&ve…"), self.tr("Saves this run as a picture or as data"))
        name_button(self.next_button, self.tr("&Next: finish"))
        self._picture_title.setText(self.tr("What it has learnt"))
        self._curve_title.setText(self.tr("How wrong it still is (loss)"))
        self._ticks_title.setText(self.tr("Proven so far"))
        self.log_details.set_title(self.tr("What the training prints"))
        self.log.setAccessibleName(self.tr("Log of the training"))
        self.progress.setAccessibleName(self.tr("Progress of the training"))
        self._tests = ()

    @property
    def main_button(self) -> Button:
        return self.next_button if self.next_button.isEnabled() else self.start_button

    def show_temperature(self, degrees: float | None) -> None:
        """The card's temperature now, from whoever measures it."""
        self._temperature = degrees
        self.show_state(self._state)

    def add_log(self, lines: Sequence[str]) -> None:
        """New lines of the training."""
        self.log.add_lines(lines)

    def clear_run(self) -> None:
        """Before a new run."""
        self.log.clear_lines()
        self.picture.clear_picture()

    def draw(self, state: SessionState) -> None:
        running = state.busy == "smoke_test"
        self._show_tests(tuple(self._tests_of(state.framework)), state.test)
        view = SmokeView()
        if state.smoke is not None:
            test = next((one for one in self._tests if state.smoke.spec and one.id == state.smoke.spec.test), None)
            view = self._viewer.view(state.smoke, test)
        if self._temperature is not None and running:
            view.figures["temperature"] = self.tr("{degrees} °C").format(degrees=format_number(self._temperature))
        for widget in (self._test_label, self.test, self.start_button, self._test_text, self.open_button):
            widget.setVisible(not running and bool(self._tests))
        self.back_button.setEnabled(not running)
        self.cancel_button.setVisible(running)
        self.cancel_button.setEnabled(not state.cancelling)
        name_button(self.cancel_button, self.tr("Stopping…") if state.cancelling else self.tr("S&top"))
        name_button(self.start_button, self.tr("&Start") if state.smoke is None else self.tr("&Start again"))
        self.start_button.set_primary(state.smoke is None or not view.passed)
        self.export_button.setVisible(state.smoke is not None and not running)
        self.next_button.setEnabled((state.smoke is not None or not self._tests) and not running)
        self.untested.setVisible(not self._tests)
        self._draw_run(view, running)
        self._draw_outcome(view, running)

    def _show_tests(self, tests: tuple[SmokeTest, ...], chosen: str) -> None:
        if tests != self._tests:
            self._tests, self._chosen = tests, ""
            self.test.clear()
            for one in tests:
                self.test.addItem(one.title(language()), one.id)
            self._describe()
        if chosen != self._chosen:
            self._chosen = chosen
            self.test.setCurrentIndex(max(0, self.test.findData(chosen)))

    def _draw_run(self, view: SmokeView, running: bool) -> None:
        self.stage.setVisible(running)
        self.progress.setVisible(running)
        self.stage.setText(view.stage or self.tr("Starting the environment's Python…"))
        show_part(self.progress, view.step, view.total or None)
        if view.picture is not None:
            self.picture.show_picture(view.picture)
            guesses = "  ".join(view.picture.labels).replace("!=", " ≠ ")
            self.picture.setToolTip(guesses)
            self.picture.setAccessibleDescription(guesses)
        else:
            self.picture.clear_picture()
        self.written.setText("\n".join(view.written))
        self.written.setVisible(bool(view.written) and view.picture is None)
        self.picture.setVisible(not self.written.isVisibleTo(self))
        self.curve.show_points(view.loss, view.total)
        self.curve.setAccessibleName(self._curve_words(view))
        picture_words = self.tr("Picture of what the network has learnt, step {step}").format(step=view.step)
        self.picture.setAccessibleName(picture_words)
        names = {
            "device": self.tr("runs on"),
            "speed": self.tr("steps per second"),
            "memory": self.tr("video memory"),
            "temperature": self.tr("temperature"),
        }
        for key, figure in self.figures.items():
            figure.show_figure(view.figures.get(key, ""), names[key])
            figure.setVisible(key in view.figures or (running and key in ("device", "speed")))
        self.ticks.show_ticks(view.ticks)
        for widget in (self._show_area, self._figure_area):
            widget.setVisible(running or self._state.smoke is not None)
        self._ticks_title.setVisible(bool(view.ticks))
        self.log_details.setVisible(running or self._state.smoke is not None)

    def _draw_outcome(self, view: SmokeView, running: bool) -> None:
        shown = bool(view.title) and not running
        self.outcome.setVisible(shown)
        for one in (self.change_button, self.help_button):
            one.setVisible(shown and not view.passed)
        if shown:
            self.outcome.show_text(view.tone, view.title, view.lines)

    def _curve_words(self, view: SmokeView) -> str:
        if len(view.loss) < 2:
            return self.tr("Loss curve, empty so far")
        words = self.tr("Loss curve: from {first} to {last} in {steps} steps")
        first, last = view.loss[0], view.loss[-1]
        return words.format(
            first=format_number(first[1], 3), last=format_number(last[1], 3), steps=format_number(last[0])
        )

    def _describe(self) -> None:
        chosen = next((one for one in self._tests if one.id == self.test.currentData()), None)
        self._test_text.setText(chosen.about(language()) if chosen is not None else "")

    def _arrange(self) -> None:
        chooser = row(self._test_label, self.test, self.start_button, self.open_button, 1)
        self._show_area = QWidget()
        grid = QGridLayout(self._show_area)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(SPACE)
        grid.setRowStretch(0, 1)
        for place, (title, widget) in enumerate(((self._picture_title, self.picture), (self._curve_title, self.curve))):
            card = Card(padding=SPACE + SPACE // 2)
            card.body.addWidget(title)
            card.body.addWidget(widget, 1)
            if widget is self.picture:
                card.body.addWidget(self.written, 1)
            grid.addWidget(card, 0, place)
            grid.setColumnStretch(place, 1 + place)
        self._show_area.setFixedHeight(SHOW_HEIGHT)
        self._figure_area = Card(padding=SPACE + SPACE // 2)
        self._figure_area.body.addLayout(row(*self.figures.values(), spacing=2 * SPACE))
        self.content.addLayout(chooser)
        for widget in (
            self.untested,
            self._test_text,
            self.outcome,
            self.stage,
            self.progress,
            self._show_area,
            self._figure_area,
        ):
            self.content.addWidget(widget)
        self.content.addLayout(column(self._ticks_title, self.ticks))
        self.content.addWidget(self.log_details)
        self.extra_buttons.addWidget(self.export_button)
        self.extra_buttons.addWidget(self.cancel_button)
