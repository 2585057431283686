""" "Is my script right?": a script goes in, what keeps it from using the card comes out. It is read, never run."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QFileSystemWatcher, Qt, QTimer, Signal
from PySide6.QtWidgets import QFileDialog, QFrame, QScrollArea, QSplitter, QVBoxLayout, QWidget

from gpu_assistant.base.job import Failed, Succeeded
from gpu_assistant.base.message import message
from gpu_assistant.check.engine import CheckResult, check_file
from gpu_assistant.gui.jobs import JobRunner
from gpu_assistant.gui.language import say
from gpu_assistant.gui.services import CallJob
from gpu_assistant.gui.theme import SPACE
from gpu_assistant.gui.training.finding_card import FindingCard
from gpu_assistant.gui.training.source_view import TONES, SourceView
from gpu_assistant.gui.widgets.base import Card, Label, Worded, clear, column, row
from gpu_assistant.gui.widgets.boxes import Banner, Tick, TickList, button, name_button

SETTLED_MS = 300  # an editor saves in several small steps
LEFT = 560  # pixels


class CheckPage(Worded):
    """Findings on the left, the script with its marked lines on the right."""

    spoke = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._path: Path | None = None
        self._result: CheckResult | None = None
        self._trouble = ""
        self._runner: JobRunner | None = None
        self.title, self.intro = Label(size=1.4, bold=True), Label(tone="muted")
        self.open_button, self.again_button = button("folder", primary=True), button("refresh")
        self.name = Label(tone="muted", selectable=True)
        self.ideas = TickList()
        self.drop, self.drop_title = Card(), Label(size=1.2, bold=True)
        self.verdict = Banner("info")
        self.cards: list[FindingCard] = []
        self._list = QVBoxLayout()
        self._list.setSpacing(2 * SPACE)
        self.source = SourceView()
        self._files = QFileSystemWatcher(self)
        self._settle = QTimer(self)
        self._settle.setSingleShot(True)
        self._settle.setInterval(SETTLED_MS)
        self._build()
        self.open_button.clicked.connect(self._choose)
        self.again_button.clicked.connect(self.check_again)
        self._files.fileChanged.connect(lambda _: self._settle.start())
        self._settle.timeout.connect(self.check_again)
        self.retranslate()

    def retranslate(self) -> None:
        self.title.setText(self.tr("Is my script right?"))
        self.intro.setText(
            self.tr("Drop your training script or notebook here. It is read, never run, and stays on this computer.")
        )
        name_button(self.open_button, self.tr("&Open a script…"))
        name_button(self.again_button, self.tr("Check &again"), self.tr("Happens by itself when you save the file"))
        self.source.setAccessibleName(self.tr("The script"))
        self.drop_title.setText(self.tr("Drop a .py or .ipynb file here"))
        self.ideas.show_ticks(
            [
                Tick("gpu", "muted", self.tr("Is everything on the card: the model, the batches, the optimizer?")),
                Tick("clock", "muted", self.tr("What slows each step: waiting, copying, printing, a slow loader?")),
                Tick("memory", "muted", self.tr("What makes video memory grow?")),
                Tick("code", "muted", self.tr("PyTorch, TensorFlow, Keras and JAX; .py and .ipynb")),
            ]
        )
        self._draw()

    def open_file(self, path: Path) -> None:
        """A script or notebook to read, now and whenever it is saved."""
        for old in self._files.files():
            self._files.removePath(old)
        self._path = path
        self.check_again()

    def check_again(self) -> None:
        """Reads the file anew."""
        path = self._path
        if path is None:
            return
        if self._runner is not None:
            self._runner.cancel()
        runner = JobRunner(CallJob(lambda _: check_file(path.name, path.read_bytes())))
        runner.ended.connect(lambda ending: self._checked(runner, path, ending))
        self._runner = runner
        runner.start()

    def shut_down(self) -> None:
        """Forgets a check that still runs."""
        self._settle.stop()
        if self._runner is not None:
            self._runner.cancel()

    def show_result(self, result: CheckResult | None, path: Path | None, trouble: str = "") -> None:
        """What was found in a file; None: the empty page. `trouble`: why it cannot be read."""
        self._result, self._path, self._trouble = result, path, trouble
        self._draw()

    def _checked(self, runner: JobRunner, path: Path, ending: object) -> None:
        if runner is not self._runner:
            return  # a newer one has taken its place
        self._runner = None
        # an editor that replaces the file takes it out of the watcher
        if str(path) not in self._files.files() and path.exists():
            self._files.addPath(str(path))
        if isinstance(ending, Succeeded):
            self.show_result(ending.result, path)
        elif isinstance(ending, Failed) and isinstance(ending.error, OSError):
            detail = ending.error.strerror or str(ending.error)
            self.show_result(None, path, say(message("check-unreadable", detail=detail)))
        elif isinstance(ending, Failed):
            raise ending.error

    def _choose(self) -> None:
        folder = str(self._path.parent) if self._path is not None else ""
        kinds = self.tr("Scripts and notebooks (*.py *.pyw *.ipynb)")
        name, _ = QFileDialog.getOpenFileName(self, self.tr("Open a script"), folder, kinds)
        if name:
            self.open_file(Path(name))

    # drawing

    def _draw(self) -> None:
        result, empty = self._result, self._path is None
        self.drop.setVisible(empty)
        self.verdict.setVisible(not empty)
        self.again_button.setVisible(not empty)
        self.name.setText(self._path.name if self._path is not None else "")
        self.name.setToolTip(str(self._path) if self._path is not None else "")
        self._draw_verdict(result)
        clear(self._list)
        self.cards = [FindingCard(finding) for finding in result.findings] if result is not None else []
        for card in self.cards:
            card.line_wanted.connect(self.source.show_line)
            self._list.addWidget(card)
        shown = result is not None and bool(result.source.text)
        self.source.setVisible(shown)
        if result is not None and shown:
            marks = {finding.line: finding.level for finding in reversed(result.findings)}
            self.source.show_source(result.source, marks)

    def _draw_verdict(self, result: CheckResult | None) -> None:
        if result is None:
            self.verdict.show_text("problem", self._trouble)
            return
        notes = [say(note) for note in result.notes]
        if result.trouble is not None:
            self.verdict.show_text("problem", say(result.trouble), notes)
        elif result.findings:
            count = say(message("check-counted", count=len(result.findings)))
            self.verdict.show_text(TONES[result.findings[0].level], count, notes)
        elif not notes:
            self.verdict.show_text("good", say(message("check-clean")))
        else:
            self.verdict.show_text("info", notes[0], notes[1:])

    def _build(self) -> None:
        inside = QWidget()
        self.drop.body.addWidget(self.drop_title)
        self.drop.body.addWidget(self.ideas)
        answers = column(self.verdict, self.drop, self._list, 1, spacing=2 * SPACE)
        answers.setContentsMargins(0, 0, SPACE, 0)
        inside.setLayout(answers)
        scroll = QScrollArea()
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidget(inside)
        split = QSplitter(Qt.Orientation.Horizontal)
        split.setChildrenCollapsible(False)
        split.addWidget(scroll)
        split.addWidget(self.source)
        split.setSizes([LEFT, LEFT])
        head = row(self.open_button, self.again_button, self.name)
        layout = column(self.title, self.intro, head, split, spacing=SPACE + SPACE // 2)
        layout.setStretch(3, 1)
        layout.setContentsMargins(4 * SPACE, 2 * SPACE, 4 * SPACE, 2 * SPACE)
        self.setLayout(layout)
