"""Everything that will happen, on one page, before it happens: commands, sizes, place, warnings, consent."""

from __future__ import annotations

import sys

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout

from gpu_assistant.gui.language import format_bytes, say
from gpu_assistant.gui.theme import SPACE
from gpu_assistant.gui.widgets.base import Card, Label, Symbol, column
from gpu_assistant.gui.widgets.boxes import Banner, Details, Tick, TickList, name_button
from gpu_assistant.gui.widgets.command_box import CommandBox
from gpu_assistant.gui.wizard.page import Page
from gpu_assistant.select.plan import InstallPlan
from gpu_assistant.session.state import SessionState


class _Number(Card):
    """One big figure with its name."""

    def __init__(self, icon: str) -> None:
        super().__init__(padding=SPACE + SPACE // 2)
        self._name = Label(tone="muted")
        self._value = Label(size=1.25, bold=True, selectable=True)
        grid = QGridLayout()
        grid.setHorizontalSpacing(SPACE + SPACE // 2)
        grid.addWidget(Symbol(icon, 28, "accent"), 0, 0)
        grid.addLayout(column(self._value, self._name, spacing=0), 0, 1)
        grid.setColumnStretch(1, 1)
        self.body.addLayout(grid)

    def show_number(self, value: str, name: str) -> None:
        self._value.setText(value)
        self._name.setText(name)


class ReviewPage(Page):
    """The user agrees to exactly the plan that is shown."""

    accepted = Signal(str)

    def __init__(self) -> None:
        super().__init__(next_icon="download")
        self.next_button.clicked.disconnect()
        self.next_button.clicked.connect(self._accept)
        self._download = _Number("download")
        self._disk = _Number("disk")
        self._python = _Number("code")
        numbers = QGridLayout()
        numbers.setHorizontalSpacing(SPACE)
        for place, number in enumerate((self._download, self._disk, self._python)):
            numbers.addWidget(number, 0, place)
            numbers.setColumnStretch(place, 1)
        self.replayed = Banner("info")
        self.place = Card(padding=SPACE + SPACE // 2)
        self._target = Label(bold=True, selectable=True)
        self._undo = Label(tone="muted")
        target = QGridLayout()
        target.setHorizontalSpacing(SPACE + SPACE // 2)
        target.addWidget(Symbol("folder", 28, "accent"), 0, 0)
        target.addLayout(column(self._target, self._undo, spacing=0), 0, 1)
        target.setColumnStretch(1, 1)
        self.place.body.addLayout(target)
        self.warnings = Card("warning", padding=SPACE + SPACE // 2)
        self._warnings_title = Label(bold=True)
        self._warning_ticks = TickList()
        self.warnings.body.addWidget(self._warnings_title)
        self.warnings.body.addWidget(self._warning_ticks)
        self._steps_title = Label(bold=True, size=1.1)
        self.steps = TickList()
        self.by_hand = Details()
        self._by_hand_text = Label(tone="muted")
        self.commands = CommandBox("powershell" if sys.platform == "win32" else "bash")
        self.by_hand.body.addWidget(self._by_hand_text)
        self.by_hand.body.addWidget(self.commands)
        self.network = Details()
        self._hosts = Label(selectable=True)
        self.network.body.addWidget(self._hosts)
        self.content.addWidget(self.replayed)
        self.content.addLayout(numbers)
        self.content.addWidget(self.place)
        self.content.addWidget(self.warnings)
        for widget in (self._steps_title, self.steps, self.by_hand, self.network):
            self.content.addWidget(widget)
        self._shown: InstallPlan | None = None
        self.retranslate()

    def words(self) -> None:
        self.title.setText(self.tr("Review before anything happens"))
        self.intro.setText(self.tr("Nothing has been changed so far. This is exactly what the button below will do."))
        replayed = self.tr("This plan is for the recorded computer, so it cannot be installed on this one.")
        self.replayed.show_text("info", replayed)
        self._warnings_title.setText(self.tr("Good to know"))
        self._steps_title.setText(self.tr("Step by step"))
        self.by_hand.set_title(self.tr("The exact commands, to read, copy or type yourself"))
        self._by_hand_text.setText(
            self.tr("The program runs the uv commands. With pip or conda you get the same packages.")
        )
        self.network.set_title(self.tr("Which servers are asked"))
        self._undo.setText(
            self.tr("A new folder of its own. To undo it, delete it: the last page has a button for that.")
        )
        self._shown = None

    def draw(self, state: SessionState) -> None:
        plan = state.plan
        self.next_button.setEnabled(plan is not None and not state.busy and not state.replayed)
        self.replayed.setVisible(state.replayed)
        self._label_button(plan)
        if plan is not None and plan is not self._shown:
            self._shown = plan
            self._draw_plan(plan, repair=state.repair)

    def _label_button(self, plan: InstallPlan | None) -> None:
        if plan is None or plan.download_bytes is None:
            name_button(self.next_button, self.tr("&Install"))
        else:
            words = self.tr("&Install ({size} to download)").format(size=format_bytes(plan.download_bytes))
            name_button(self.next_button, words)

    def _draw_plan(self, plan: InstallPlan, *, repair: bool) -> None:
        unknown = self.tr("not known")
        download = unknown if plan.download_bytes is None else format_bytes(plan.download_bytes)
        disk = unknown if plan.disk_bytes is None else format_bytes(plan.disk_bytes)
        self._download.show_number(download, self.tr("to download"))
        self._disk.show_number(disk, self.tr("on the disk afterwards"))
        self._python.show_number(f"Python {plan.python}", ", ".join(plan.packages))
        self._target.setText(plan.target)
        self._undo.setVisible(not repair)
        self.warnings.setVisible(bool(plan.warnings))
        self._warning_ticks.show_ticks([Tick("info", "warning", say(one)) for one in plan.warnings])
        self.steps.show_ticks([Tick("todo", "accent", say(step.purpose).rstrip(".")) for step in plan.steps])
        self.commands.show_commands(plan.commands or {plan.tool: tuple(step.shell for step in plan.steps)})
        self.network.setVisible(bool(plan.hosts))
        self._hosts.setText("\n".join(plan.hosts))

    def _accept(self) -> None:
        if self._state.plan is not None:
            self.accepted.emit(self._state.plan.id)
