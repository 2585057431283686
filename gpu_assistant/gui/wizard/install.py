"""The install while it runs: steps, bytes, speed, time left, the log on demand, and a way to stop at any moment."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QProgressBar

from gpu_assistant.gui.language import format_bytes, format_duration, say
from gpu_assistant.gui.theme import SPACE, ToneName
from gpu_assistant.gui.widgets.base import Card, Label, clear
from gpu_assistant.gui.widgets.boxes import Banner, Details, Tick, TickList, button, name_button
from gpu_assistant.gui.widgets.log_view import LogView
from gpu_assistant.gui.wizard.page import Page
from gpu_assistant.gui.wizard.progress import show_part
from gpu_assistant.install.run import FileState, InstallRun, StepState
from gpu_assistant.session.state import SessionState

STEP_SYMBOLS: dict[str, tuple[str, ToneName]] = {
    "waiting": ("todo", "muted"),
    "running": ("current", "accent"),
    "done": ("check-circle", "good"),
    "failed": ("error", "problem"),
    "cancelled": ("skip", "muted"),
}
NOTE_ICONS: dict[str, tuple[str, ToneName]] = {
    "info": ("info", "info"),
    "warning": ("warning", "warning"),
    "problem": ("error", "problem"),
}
NAME_WIDTH = 26 * SPACE  # pixels: what a small window has for the long name of a wheel
SHOWN_FILES = 6


class FileBars(Card):
    """The biggest files that are on their way, each with its bar."""

    def __init__(self) -> None:
        super().__init__()
        self._title = Label(bold=True)
        self.body.addWidget(self._title)
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(2 * SPACE)
        self._grid.setColumnStretch(1, 1)
        self.body.addLayout(self._grid)
        self._rows: list[tuple[Label, QProgressBar, Label]] = []
        self._files: tuple[FileState, ...] = ()
        self.retranslate()

    def retranslate(self) -> None:
        self.show_files(self._files)

    def show_files(self, files: tuple[FileState, ...]) -> None:
        """Shows what still moves, the biggest first; finished files only count."""
        self._files = files
        done = sum(file.total is not None and file.done >= file.total for file in files)
        self._title.setText(self.tr("{done} of %n file(s) here", "", len(files)).format(done=done))
        moving = [file for file in files if file.done and (file.total is None or file.done < file.total)]
        moving.sort(key=lambda file: -(file.total or 0))
        self._fit(min(len(moving), SHOWN_FILES))
        for file, (name, bar, text) in zip(moving, self._rows, strict=False):
            name.setText(name.fontMetrics().elidedText(file.name, Qt.TextElideMode.ElideMiddle, NAME_WIDTH))
            name.setToolTip(file.name)
            bar.setAccessibleName(file.name)
            show_part(bar, file.done, file.total)
            text.setText(_of(file.done, file.total))

    def _fit(self, count: int) -> None:
        if count == len(self._rows):
            return
        clear(self._grid)
        self._rows = []
        for place in range(count):
            line = Label(wrap=False), QProgressBar(), Label(tone="muted", wrap=False)
            line[1].setTextVisible(False)
            line[1].setMinimumWidth(8 * SPACE)  # the style of Windows 11 would not let a small window have it narrower
            for column, widget in enumerate(line):
                self._grid.addWidget(widget, place, column)
            self._rows.append(line)


class InstallPage(Page):
    """Draws an `InstallRun`, whatever its age: live, ended, reloaded."""

    cancel_wanted = Signal()
    again_wanted = Signal()
    change_wanted = Signal()
    help_wanted = Signal()
    log_folder_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.outcome = Banner("info", big=True)
        self.again_button = button("refresh")
        self.change_button = button("choose")
        self.help_button = button("help")
        self.again_button.clicked.connect(self.again_wanted)
        self.change_button.clicked.connect(self.change_wanted)
        self.help_button.clicked.connect(self.help_wanted)
        for one in (self.again_button, self.change_button, self.help_button):
            self.outcome.buttons.addWidget(one)
        self.outcome.buttons.addStretch(1)
        self.total = QProgressBar()
        self.total.setTextVisible(False)
        self.total.setMinimumHeight(14)
        self._figures = Label(size=1.05)
        self._awaited = Label(tone="muted")
        self.steps = TickList()
        self.files = FileBars()
        self.notes = TickList()
        self.log = LogView()
        self.log.setMinimumHeight(220)
        self.log_details = Details()
        self.log_details.body.addWidget(self.log)
        for widget in (self.outcome, self.total, self._figures, self._awaited, self.steps, self.files, self.notes):
            self.content.addWidget(widget)
        self.content.addWidget(self.log_details)
        self.cancel_button = button("stop")
        self.cancel_button.clicked.connect(self.cancel_wanted)
        self.log_button = button("folder")
        self.log_button.clicked.connect(self.log_folder_wanted)
        self.extra_buttons.addWidget(self.log_button)
        self.extra_buttons.addWidget(self.cancel_button)
        self.retranslate()

    def words(self) -> None:
        self.title.setText(self.tr("Install"))
        self.intro.setText(
            self.tr("Downloading takes longest. You can go on working; stopping leaves your computer as it was.")
        )
        self.log_details.set_title(self.tr("What the installer prints"))
        self.log.setAccessibleName(self.tr("Log of the installer"))
        self.total.setAccessibleName(self.tr("Progress of the install"))
        name_button(self.again_button, self.tr("&Try again"))
        name_button(self.change_button, self.tr("&Change the choice"))
        name_button(self.help_button, self.tr("&Help me"), self.tr("Opens Troubleshooting with everything we know"))
        name_button(self.log_button, self.tr("Open &logs"), self.tr("Opens the folder with the whole log"))
        name_button(self.next_button, self.tr("&Next: test it"))

    def add_log(self, lines: Sequence[str]) -> None:
        """New lines of the installer."""
        self.log.add_lines(lines)

    def clear_log(self) -> None:
        """Before a new run."""
        self.log.clear_lines()

    def draw(self, state: SessionState) -> None:
        run = state.install or InstallRun()
        running = state.busy == "install"
        self.cancel_button.setVisible(running)
        self.cancel_button.setEnabled(not state.cancelling)
        name_button(self.cancel_button, self.tr("Stopping…") if state.cancelling else self.tr("&Stop"))
        self.back_button.setEnabled(not running)
        self.next_button.setEnabled(run.ending == "succeeded" and not running)
        self.outcome.setVisible(not running)
        for one in (self.again_button, self.change_button, self.help_button):
            one.setVisible(run.ending != "succeeded")
        self.help_button.setVisible(run.ending == "failed")
        self._draw_progress(run, running)
        self.steps.show_ticks([self._tick(step) for step in run.steps])
        self.files.setVisible(running and bool(run.files))
        self.files.show_files(run.files)
        self.notes.show_ticks([Tick(*NOTE_ICONS[note.severity], say(note.message)) for note in run.notes])
        self._draw_outcome(run)

    def _draw_progress(self, run: InstallRun, running: bool) -> None:
        self.total.setVisible(running)
        self._figures.setVisible(running)
        show_part(self.total, run.done_bytes, run.total_bytes if run.files else None)
        parts = [_of(run.done_bytes, run.total_bytes)] if run.files else []
        if run.speed:
            parts.append(self.tr("{size} per second").format(size=format_bytes(run.speed)))
        if run.seconds_left:
            parts.append(self.tr("about {time} left").format(time=format_duration(run.seconds_left)))
        begun = [step for step in run.steps if step.began is not None]
        if begun:
            words = self.tr("Step {number} of {total}").format(number=len(begun), total=len(run.steps))
            parts.insert(0, words)
        self._figures.setText(" · ".join(parts) if parts else self.tr("Getting ready"))
        self.total.setAccessibleDescription(self._figures.text())
        self._awaited.setVisible(running and run.waiting is not None)
        if run.waiting is not None:
            self._awaited.setText(say(run.waiting.message))

    def _tick(self, step: StepState) -> Tick:
        icon, tone = STEP_SYMBOLS[step.state]
        words = say(step.purpose).rstrip(".")
        if step.began is not None and step.ended is not None and step.ended - step.began >= 1:
            words += f" · {format_duration(step.ended - step.began)}"
        return Tick(icon, tone, words)

    def _draw_outcome(self, run: InstallRun) -> None:
        aside = [self.tr("The unfinished folder was put aside: {folder}").format(folder=run.aside)] if run.aside else []
        if run.ending == "succeeded":
            versions = run.verified.versions if run.verified is not None else {}
            lines = [", ".join(f"{name} {version}" for name, version in versions.items()), run.folder or ""]
            words = self.tr("Installed and checked: it imports, and it is the right build.")
            self.outcome.show_text("good", words, [line for line in lines if line])
        elif run.ending == "failed" and run.failure is not None:
            self.outcome.show_text("problem", say(run.failure.reason), aside)
        elif run.ending == "cancelled":
            self.outcome.show_text("info", self.tr("Stopped. Your computer is as it was before."), aside)
        else:  # the program ended before the install did
            self.outcome.show_text("warning", self.tr("This install was not finished. You can start it again."))


def _of(done: int, total: int | None) -> str:
    return format_bytes(done) if total is None else f"{format_bytes(done)} / {format_bytes(total)}"
