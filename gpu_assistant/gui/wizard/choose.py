"""What to install: the best way first, closed ways with their reason, the way out where a driver is needed."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QComboBox, QVBoxLayout

from gpu_assistant.base.message import message
from gpu_assistant.base.settings import Settings
from gpu_assistant.detect.report import PythonEnvironment
from gpu_assistant.gui.language import say
from gpu_assistant.gui.services import Offer
from gpu_assistant.gui.theme import SPACE, ToneName
from gpu_assistant.gui.troubleshoot.line_view import CommandLine
from gpu_assistant.gui.verdict import verdict_tone
from gpu_assistant.gui.widgets.base import Card, Label, clear, column, row
from gpu_assistant.gui.widgets.boxes import Banner, ChoiceCard, Details, Tick, TickList, button, name_button
from gpu_assistant.gui.wizard.page import Page, say_all
from gpu_assistant.gui.wizard.target import TargetRow
from gpu_assistant.select.catalogue import frameworks
from gpu_assistant.select.existing import Condition, EnvironmentCheck, check_environment
from gpu_assistant.select.plan import Verdict
from gpu_assistant.select.wsl_road import wsl_road
from gpu_assistant.session.state import SessionState, driver_blocks

NAME_LENGTH = 28  # letters of a framework's name that always fit
NVIDIA_DRIVERS = "https://www.nvidia.com/Download/index.aspx"


class EnvironmentRow(Card):
    """An existing environment that holds the framework, with what can be done to it."""

    check_wanted = Signal(str)
    repair_wanted = Signal(str, str)  # interpreter, option

    def __init__(self, python: PythonEnvironment, check: EnvironmentCheck) -> None:
        super().__init__(padding=SPACE + SPACE // 2)
        self._executable = python.executable
        self._check = check
        name = f"{check.installed.name} {check.installed.version}" if check.installed is not None else ""
        self._sentence = Label(tone="good" if check.condition is Condition.FITS else "warning")
        self.check_button = button("play")
        self.repair_button = button("refresh")
        self.repair_button.setVisible(check.option is not None)
        self.check_button.clicked.connect(lambda: self.check_wanted.emit(self._executable))
        self.repair_button.clicked.connect(lambda: self.repair_wanted.emit(self._executable, check.option or ""))
        lines = (Label(name, bold=True), Label(python.executable, tone="muted", selectable=True), self._sentence)
        self.body.addLayout(column(*lines, row(self.check_button, self.repair_button, 1), spacing=SPACE // 2))
        self.retranslate()

    def retranslate(self) -> None:
        path = self._executable
        obstacle = self._check.obstacle
        self._sentence.setText("\n".join(say(one) for one in (self._check.sentence, obstacle) if one is not None))
        name_button(
            self.check_button, self.tr("Check it"), self.tr("Trains a small network in {path}").format(path=path)
        )
        words = self.tr("Shows how to put the right build into {path}").format(path=path)
        name_button(self.repair_button, self.tr("Repair it…"), words)


ROAD_ICONS: dict[str, tuple[str, ToneName]] = {
    "done": ("check-circle", "good"),
    "todo": ("arrow-right", "info"),
    "blocked": ("error", "problem"),
    "unknown": ("question", "muted"),
}


class ChoosePage(Page):
    """The one decision of the road. Nothing is installed here."""

    option_chosen = Signal(str)
    framework_chosen = Signal(str)
    root_change_wanted = Signal()
    again_wanted = Signal()
    driver_site_wanted = Signal(str)
    check_wanted = Signal(str)
    repair_wanted = Signal(str, str)

    def __init__(self, offered: Sequence[Offer]) -> None:
        super().__init__()
        self._offered = offered
        self.framework = QComboBox()
        # a long name of one framework must not make the whole window wide
        self.framework.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.framework.setMinimumContentsLength(NAME_LENGTH)
        for offer in offered:
            self.framework.addItem(offer.name, offer.id)
        self.framework.activated.connect(lambda: self.framework_chosen.emit(self.framework.currentData()))
        self._framework_label = Label(wrap=False)
        self._framework_label.setBuddy(self.framework)
        self.verdict = Banner("info", big=True)
        self.driver = Card("warning")
        self._driver_title = Label(bold=True, size=1.1)
        self._driver_steps = TickList()
        self.site_button = button("external")
        self.again_button = button("refresh")
        self.site_button.clicked.connect(lambda: self.driver_site_wanted.emit(NVIDIA_DRIVERS))
        self.again_button.clicked.connect(self.again_wanted)
        for item in (self._driver_title, self._driver_steps):
            self.driver.body.addWidget(item)
        self._driver_after = Label(tone="muted")
        self.driver.body.addLayout(row(self.site_button, self.again_button, 1))
        self.driver.body.addWidget(self._driver_after)
        self._options = QVBoxLayout()
        self._options.setSpacing(SPACE)
        self.group = QButtonGroup(self)
        self.cards: list[ChoiceCard] = []
        self.target = TargetRow()
        self.target.change_wanted.connect(self.root_change_wanted)
        self.blocked = Details()
        self._blocked_ticks = TickList()
        self.blocked.body.addWidget(self._blocked_ticks)
        self.road = Details()
        self.existing = Details()
        self._shown: Verdict | None = None
        self._environments: tuple[PythonEnvironment, ...] | None = None
        self.content.addLayout(row(self._framework_label, self.framework, 1))
        self.content.addWidget(self.verdict)
        self.content.addWidget(self.driver)
        self.content.addLayout(self._options)
        self.content.addWidget(self.target)
        self.content.addWidget(self.road)
        self.content.addWidget(self.blocked)
        self.content.addWidget(self.existing)
        self._hint = Label(tone="muted")
        self.extra_buttons.addWidget(self._hint)
        self.retranslate()

    def words(self) -> None:
        self.title.setText(self.tr("Choose what to install"))
        self.intro.setText(
            self.tr("The best way for your card stands first. You see the exact commands before anything runs.")
        )
        self._framework_label.setText(self.tr("&Framework:"))
        self.framework.setAccessibleName(self.tr("Framework"))
        for place, offer in enumerate(self._offered):
            install_only = self.tr("{name} – install only, no training test yet").format(name=offer.name)
            self.framework.setItemText(place, offer.name if offer.has_test else install_only)
        self._driver_title.setText(self.tr("What to do now"))
        name_button(self.site_button, self.tr("Open the &driver page of NVIDIA"), NVIDIA_DRIVERS)
        name_button(self.again_button, self.tr("Check &again"), self.tr("Looks whether the driver answers now"))
        self._driver_after.setText(
            self.tr("If the computer has to restart, just open this program again: it goes on here.")
        )
        self.blocked.set_title(self.tr("What does not fit here, and why"))
        self.road.set_title(say(message("wsl-road-title")))
        self.existing.set_title(self.tr("Use an environment that is already here"))
        name_button(self.next_button, self.tr("&Next: review"))
        self._hint.setText(self.tr("Choose a way to go on"))
        self._shown = None
        self._environments = None

    def draw(self, state: SessionState) -> None:
        verdict = state.verdict
        self.framework.setCurrentIndex(max(0, self.framework.findData(state.framework)))
        for widget in (self.framework, self._framework_label):
            widget.setVisible(self.framework.count() > 1)
        self.verdict.setVisible(verdict is not None)
        self.driver.setVisible(driver_blocks(state))
        self.again_button.setEnabled(not state.busy)
        self.next_button.setEnabled(state.option is not None and not state.busy)
        self._hint.setVisible(state.option is None and verdict is not None and bool(verdict.options))
        self.target.setVisible(verdict is not None and bool(verdict.options))
        self.target.show_target(state)
        if verdict is not self._shown:
            self._shown = verdict
            self._draw_verdict(verdict)
            self._draw_road(state)
        for card in self.cards:
            card.set_chosen(card.key == state.option)
        pythons = state.report.pythons if state.report is not None else ()
        if pythons is not self._environments:
            self._environments = pythons
            self._draw_environments(state)

    def _draw_verdict(self, verdict: Verdict | None) -> None:
        for card in self.cards:
            self.group.removeButton(card.radio)
        clear(self._options)
        self.cards = []
        if verdict is None:
            return
        tone = verdict_tone(verdict.status)
        self.verdict.show_text(tone, say(verdict.sentence), say_all(verdict.reasons))
        self._driver_steps.show_ticks([Tick("arrow-right", "warning", text) for text in say_all(verdict.next_steps)])
        for option in verdict.options:
            card = ChoiceCard(option.id, self.group)
            badge = self.tr("Recommended") if option.recommended else ""
            card.show_choice(say(option.title), say_all(option.reasons), badge, chosen=False)
            card.chosen.connect(self.option_chosen)
            self._options.addWidget(card)
            self.cards.append(card)
        self.blocked.setVisible(bool(verdict.blocked))
        self._blocked_ticks.show_ticks(
            [Tick("skip", "muted", say(one.title), say(one.reason)) for one in verdict.blocked]
        )

    def _draw_road(self, state: SessionState) -> None:
        """The steps through WSL2, where the card is served only there."""
        clear(self.road.body)
        known = state.report is not None and state.verdict is not None
        steps = wsl_road(state.report, frameworks()[state.framework], Settings()) if known and state.report else ()
        self.road.setVisible(bool(steps))
        if not steps:
            return
        self.road.body.addWidget(Label(say(message("wsl-road-intro")), tone="muted"))
        for step in steps:
            icon, tone = ROAD_ICONS[step.state]
            ticks = TickList()
            ticks.show_ticks([Tick(icon, tone, say(step.text))])
            self.road.body.addWidget(ticks)
            if step.commands:
                self.road.body.addWidget(CommandLine("\n".join(step.commands)))

    def _draw_environments(self, state: SessionState) -> None:
        clear(self.existing.body)
        framework = frameworks()[state.framework]
        found = 0
        for python in state.report.pythons if state.report is not None else ():
            check = check_environment(python, state.report, framework) if state.report is not None else None
            if check is None or check.installed is None:
                continue
            found += 1
            line = EnvironmentRow(python, check)
            line.check_wanted.connect(self.check_wanted)
            line.repair_wanted.connect(self.repair_wanted)
            self.existing.body.addWidget(line)
        self.existing.setVisible(found > 0)
