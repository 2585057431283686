""" "Why is it slow?": starts a program of the user's under our eyes, and shows what holds it back."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path

import psutil
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QFileDialog, QInputDialog, QLineEdit, QWidget

from gpu_assistant.base.files import write_atomic
from gpu_assistant.base.model import to_json
from gpu_assistant.detect.report import SystemReport
from gpu_assistant.gui.language import is_windows, language, say
from gpu_assistant.gui.monitor.monitoring import MakeSampler, real_sampler
from gpu_assistant.gui.theme import SPACE
from gpu_assistant.gui.training.saved_runs import SavedRunsDialog
from gpu_assistant.gui.training.two_panes import TwoPanes
from gpu_assistant.gui.training.watch_view import WatchView
from gpu_assistant.gui.training.watching import Watching
from gpu_assistant.gui.widgets.base import Label, Worded, column, row
from gpu_assistant.gui.widgets.boxes import Banner, CheckBox, button, name_button
from gpu_assistant.gui.widgets.log_view import LogView
from gpu_assistant.monitor.recording import NotARecording
from gpu_assistant.session.state import SessionState, python_to_test
from gpu_assistant.troubleshoot.evidence import Evidence
from gpu_assistant.watch.comparison import compare_runs
from gpu_assistant.watch.observation import Observation
from gpu_assistant.watch.page import to_html
from gpu_assistant.watch.spec import WatchSpec
from gpu_assistant.watch.store import SavedRun, list_runs, load_run
from gpu_assistant.watch.summary import summarise

LEFT = 380  # pixels


class WatchPage(Worded):
    """The form on the left, the program's own words under it, what we see on the right."""

    help_wanted = Signal(object)  # Evidence
    spoke = Signal(str)

    def __init__(self, make_sampler: MakeSampler = real_sampler, folder: Path | None = None) -> None:
        super().__init__()
        self._folder = folder
        self._report: SystemReport | None = None
        self._shown: Observation | None = None
        self.dialog: SavedRunsDialog | None = None
        self.watching = Watching(make_sampler, folder)
        self.title, self.intro = Label(size=1.4, bold=True), Label(tone="muted")
        self.script, self.arguments = QLineEdit(), QLineEdit()
        self.python = QComboBox()
        self.python.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.profile = CheckBox()
        self._names = {key: Label(bold=True) for key in ("script", "python", "arguments")}
        self.start_button, self.stop_button = button("play", primary=True), button("stop")
        self.choose_button, self.attach_button, self.earlier_button = (
            button("folder"),
            button("search"),
            button("clock"),
        )
        self.save_button, self.help_button = button("save"), button("help", primary=True)
        self.trouble = Banner("problem")
        self.log = LogView()
        self.seen = WatchView()
        self._build()
        self._wire()
        self._draw()
        self.retranslate()

    def retranslate(self) -> None:
        self.title.setText(self.tr("Why is my training slow?"))
        self.intro.setText(
            self.tr(
                "Choose your script and start it here. It runs as always; we watch where its time goes, and say what "
                "holds it back."
            )
        )
        self._names["script"].setText(self.tr("Script"))
        self._names["python"].setText(self.tr("Runs with"))
        self._names["arguments"].setText(self.tr("Its arguments"))
        self.script.setPlaceholderText(self.tr("train.py – or drop the file here"))
        for field, key in ((self.script, "script"), (self.python, "python"), (self.arguments, "arguments")):
            field.setAccessibleName(self._names[key].text())
        self.profile.setText(self.tr("Look at ten steps with PyTorch's &profiler"))
        name_button(self.choose_button, self.tr("&Choose…"))
        name_button(self.start_button, self.tr("&Start and watch"))
        name_button(self.stop_button, self.tr("S&top"))
        name_button(self.attach_button, self.tr("It &runs already…"), self.tr("Looks at a program from outside"))
        name_button(self.earlier_button, self.tr("&Earlier runs…"))
        name_button(self.save_button, self.tr("Save the pa&ge…"), self.tr("One file that any browser shows"))
        name_button(self.help_button, self.tr("What does this error &mean?"))
        self.log.setAccessibleName(self.tr("What the program prints"))
        self.log.setPlaceholderText(self.tr("What the program prints appears here."))

    @property
    def works(self) -> bool:
        """Whether a program of the user's runs that would end with us."""
        return self.watching.works and self.watching.observation.run.attached is None

    def show_state(self, state: SessionState) -> None:
        """The interpreters to choose from: the one of the wizard first, then those that hold a framework."""
        self._report = state.report
        found = {python: python for python in [python_to_test(state)] if python}
        for one in state.report.pythons if state.report is not None else ():
            kinds = ", ".join(f"{package.name} {package.version}" for package in one.packages)
            if one.packages or one.executable in found:
                found[one.executable] = f"{one.prefix or one.executable}  ({kinds or one.version})"
        chosen = self.python.currentData()
        if [self.python.itemData(place) for place in range(self.python.count())] != list(found):
            self.python.clear()
            for executable, words in found.items():
                self.python.addItem(words, executable)
            self.python.setCurrentIndex(max(0, self.python.findData(chosen)))
        self._draw()

    def open_file(self, path: Path) -> None:
        """A script to start; it is not started yet."""
        if not self.watching.works:
            self.script.setText(str(path))

    def shut_down(self) -> None:
        """Nothing comes afterwards."""
        self.watching.stop()
        self.watching.shut_down()

    # wishes

    def start(self) -> None:
        """Runs the chosen script."""
        script = Path(self.script.text().strip().strip('"'))
        if not script.is_file():
            self._complain(self.tr("There is no such file: {file}").format(file=script))
            return
        try:
            arguments = shlex.split(self.arguments.text(), posix=not is_windows())
        except ValueError as error:
            self._complain(self.tr("The arguments cannot be read: {detail}").format(detail=error))
            return
        spec = WatchSpec(
            python=self.python.currentData(),
            script=str(script),
            arguments=tuple(arguments),
            profile=self.profile.isChecked(),
        )
        self._begin(lambda: self.watching.start(spec))

    def ask_for_process(self) -> None:
        """Which process, by its number as the Monitor tells it."""
        dialog = QInputDialog(self)
        dialog.setWindowTitle(self.tr("It runs already"))
        dialog.setLabelText(self.tr("Number of the process (PID), as in the Monitor's list of programs:"))
        dialog.setInputMode(QInputDialog.InputMode.IntInput)
        dialog.setIntRange(1, 2**31 - 1)
        dialog.intValueSelected.connect(self.attach)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def attach(self, pid: int) -> None:
        """Looks at a process from outside."""
        self._begin(lambda: self.watching.attach(pid))

    def _begin(self, begin: Callable[[], None]) -> None:
        self.trouble.hide()
        self.log.clear_lines()
        try:
            begin()
        except (OSError, psutil.Error) as error:
            self._complain(str(error))
        self._draw()

    def _complain(self, text: str) -> None:
        self.trouble.show_text("problem", text)
        self.trouble.show()

    def _show(self, seen: Observation) -> None:
        self._shown = seen
        self.seen.show_observation(seen)
        self.seen.show()
        self._draw()

    def _ended(self, seen: Observation) -> None:
        self._show(seen)
        self.spoke.emit(summarise(seen.run, seen.store, seen.seen.values(), language()).sentence)

    def _ask_for_help(self) -> None:
        if self._shown is None:
            return
        run = self._shown.run
        code = getattr(run.ending, "code", None)
        self.help_wanted.emit(
            Evidence(
                text="\n".join(run.lines),
                exit_code=code,
                stage="train",
                source="watched",
                report=self._report,
                environment=run.spec.python if run.spec is not None else None,
                command=run.command,
            )
        )

    # earlier runs

    def show_earlier(self) -> None:
        """The saved runs, to open or to compare."""
        self.dialog = SavedRunsDialog(list_runs(self._folder), self)
        self.dialog.opened.connect(self.open_saved)
        self.dialog.compared.connect(self.compare_saved)
        self.dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.dialog.open()

    def open_saved(self, saved: SavedRun) -> None:
        """Shows a saved run as it was at its end."""
        if (seen := self._loaded(saved)) is not None:
            self.log.clear_lines()
            self.log.add_lines(seen.run.lines)
            self._show(seen)

    def compare_saved(self, before: SavedRun, after: SavedRun) -> None:
        """Shows two saved runs over each other."""
        first, second = self._loaded(before), self._loaded(after)
        if first is None or second is None:
            return
        pages = [summarise(one.run, one.store, one.seen.values(), language()) for one in (first, second)]
        names = (self.tr("before"), self.tr("after"))
        self._shown = None
        self.seen.show_comparison(
            [(name, one.store) for name, one in zip(names, (first, second), strict=True)],
            [say(sentence) for sentence in compare_runs(*pages)],
        )
        self.seen.show()
        self._draw()

    def _loaded(self, saved: SavedRun) -> Observation | None:
        try:
            run, store, hints = load_run(saved.folder)
        except (OSError, NotARecording) as error:
            self._complain(self.tr("This run cannot be read: {detail}").format(detail=error))
            return None
        return Observation.of(run, store, hints)

    # the page

    def _ask_where(self) -> None:
        dialog = QFileDialog(self, self.tr("Save the page"))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setNameFilters([self.tr("Page (*.html)"), self.tr("For programs (*.json)")])
        dialog.setDefaultSuffix("html")
        dialog.selectFile("training.html")
        dialog.fileSelected.connect(lambda name: self.save(Path(name)))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def save(self, path: Path) -> None:
        """The shown run as HTML, or as JSON where the name ends so."""
        if self._shown is None:
            return
        seen = self._shown
        summary = summarise(seen.run, seen.store, seen.seen.values(), language())
        plain = path.suffix == ".json"
        data = to_json(summary, indent=2) if plain else to_html(summary, seen.store, language()).encode()
        try:
            write_atomic(path, data)
        except OSError as error:
            self._complain(str(error))
        else:
            self.spoke.emit(self.tr("Saved: {file}").format(file=path))

    # drawing

    def _draw(self) -> None:
        works, attached = self.watching.works, self.watching.observation.run.attached is not None
        self.start_button.setVisible(not works)
        self.start_button.setEnabled(self.python.count() > 0 and bool(self.script.text().strip()))
        self.stop_button.setVisible(works)
        name_button(self.stop_button, self.tr("&Look away") if attached else self.tr("S&top"))
        for field in (self.script, self.python, self.arguments, self.profile, self.choose_button, self.attach_button):
            field.setEnabled(not works)
        self.earlier_button.setEnabled(not works)
        ended = self._shown is not None and not works
        self.save_button.setVisible(ended)
        self.help_button.setVisible(ended and self._shown is not None and self._shown.run.verdict == "failed")

    def _build(self) -> None:
        self.trouble.hide()
        self.seen.hide()
        form = column(
            self.title,
            self.intro,
            self._names["script"],
            row(self.script, self.choose_button),
            self._names["python"],
            self.python,
            self._names["arguments"],
            self.arguments,
            self.profile,
            row(self.start_button, self.stop_button, self.attach_button, 1),
            self.trouble,
            row(self.help_button, 1),
            self.log,
            row(self.earlier_button, self.save_button, 1),
        )
        self.log.setMinimumHeight(140)
        self.seen.setMinimumHeight(320)
        left, right = QWidget(), QWidget()
        left.setLayout(form)
        right.setLayout(column(self.seen))
        whole = column(TwoPanes(left, right, width=LEFT))
        whole.setContentsMargins(2 * SPACE, SPACE, 2 * SPACE, SPACE)
        self.setLayout(whole)

    def _wire(self) -> None:
        self.choose_button.clicked.connect(self._ask_for_script)
        self.start_button.clicked.connect(self.start)
        self.script.returnPressed.connect(self.start_button.click)
        self.script.textChanged.connect(self._draw)
        self.stop_button.clicked.connect(self.watching.stop)
        self.attach_button.clicked.connect(self.ask_for_process)
        self.earlier_button.clicked.connect(self.show_earlier)
        self.save_button.clicked.connect(self._ask_where)
        self.help_button.clicked.connect(self._ask_for_help)
        self.watching.changed.connect(self._show)
        self.watching.printed.connect(self.log.add_lines)
        self.watching.ended.connect(self._ended)
        self.watching.failed.connect(lambda error: self._complain(str(error)))

    def _ask_for_script(self) -> None:
        dialog = QFileDialog(self, self.tr("Which script?"), self.script.text(), self.tr("Python (*.py)"))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(self.script.setText)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()
