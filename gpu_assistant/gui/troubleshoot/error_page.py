"""The first page: the error goes in at the top, its causes come out below."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QAccessible, QAccessibleEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QFileDialog, QFrame, QProgressBar, QScrollArea, QVBoxLayout, QWidget

from gpu_assistant.gui.language import language
from gpu_assistant.gui.theme import SPACE
from gpu_assistant.gui.troubleshoot.case import Case
from gpu_assistant.gui.troubleshoot.diagnosis_card import UNKNOWN, DiagnosisCard
from gpu_assistant.gui.troubleshoot.paste_box import PasteBox
from gpu_assistant.gui.widgets.base import Label, Worded, clear, column, row
from gpu_assistant.gui.widgets.boxes import Banner, Details, Tick, TickList, button, name_button

CONTENT_WIDTH = 980
FULL, SMALL = 240, 130  # heights of the box before and after the answer
SOON_MS = 50  # after a paste, so that the text is seen first


class ErrorPage(Worded):
    """Draws a case and announces wishes."""

    diagnosis_wanted = Signal(str)
    file_chosen = Signal(object)  # Path
    cancelled = Signal()
    fix_wanted = Signal(object, object)
    page_wanted = Signal(str)
    fix_told = Signal(object, object, bool)  # Fix, Diagnosis, whether it helped
    walks_wanted = Signal()
    check_again_wanted = Signal()
    help_wanted = Signal()
    started_over = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._case: Case | None = None
        self._busy = False
        self.title = Label(size=1.7, bold=True)
        self.intro = Label(tone="muted", size=1.05)
        self.origin = Banner("info")
        self.box = PasteBox()
        self.hidden_note = Label(tone="muted")
        self.find_button = button("search", primary=True)
        self.open_button = button("folder")
        self.clear_button = button("trash")
        self.cancel_button = button("stop")
        self.progress = QProgressBar()
        self.progress.setRange(0, 0)
        self.progress.setTextVisible(False)
        self.trouble = Banner("problem")
        self.ideas = TickList()
        self.cards: list[DiagnosisCard] = []
        self.others = Details()
        self._answers = QVBoxLayout()
        self._answers.setSpacing(2 * SPACE)
        self.again_button = button("refresh", primary=True)
        self.help_button = button("copy")
        self.walks_button = button("list")
        self._build()
        self._wire()
        self.retranslate()
        self.show_case(None)

    def retranslate(self) -> None:
        self.title.setText(self.tr("What went wrong?"))
        self.intro.setText(
            self.tr("Paste everything you have, from the first line to the last. Nothing leaves this computer.")
        )
        self.box.setPlaceholderText(self.tr("Paste the error here (Ctrl+V), or drop a log file on this box"))
        self.box.setAccessibleName(self.tr("The error text"))
        name_button(self.find_button, self.tr("F&ind the cause"), "Ctrl+Enter")
        name_button(self.open_button, self.tr("&Open a file…"))
        name_button(self.clear_button, self.tr("&New error"))
        name_button(self.cancel_button, self.tr("S&top"))
        name_button(
            self.help_button,
            self.tr("&Ask people for help…"),
            self.tr("Makes a report without private parts"),
        )
        name_button(
            self.walks_button,
            self.tr("Answer a few &questions instead"),
            self.tr("Step by step, without an error text"),
        )
        self.others.set_title(self.tr("Other possible causes"))
        self.progress.setAccessibleName(self.tr("Looking for the cause"))
        self.ideas.show_ticks(
            [
                Tick("code", "muted", self.tr("The red text of your program, with all the lines above it")),
                Tick("terminal", "muted", self.tr("What pip, uv or conda printed")),
                Tick("gpu", "muted", self.tr("The table that nvidia-smi shows")),
                Tick("folder", "muted", self.tr("A log file of up to 50 MB: drop it here")),
            ]
        )
        self.show_case(self._case)

    def show_case(self, case: Case | None) -> None:
        """The failure and what is known about it; None: the empty page."""
        self._case = case
        known = case is not None and bool(case.diagnoses)
        if case is not None and case.evidence.text != self.box.text:
            self.box.show_text(case.evidence.text)
        self._draw_origin(case)
        self._draw_answers(case if known else None)
        self.box.setFixedHeight(SMALL if known else FULL)
        self.clear_button.setVisible(case is not None)
        self.again_button.setVisible(known)
        self.help_button.setVisible(known)
        self.walks_button.setVisible(known and self.cards[0].diagnosis.cause == UNKNOWN)
        self.trouble.hide()
        self.ideas.setVisible(case is None)
        hidden = self.box.hidden_characters
        self.hidden_note.setVisible(hidden > 0)
        self.hidden_note.setText(self.tr("The text is very long. Its end is shown here; all of it is looked at."))
        pasted = case is None or case.evidence.source in ("pasted", "file")
        again = self.tr("I tried it: &paste what it says now") if pasted else self.tr("&Check again")
        name_button(self.again_button, again)
        self.find_button.set_primary(not known)

    def show_busy(self, busy: bool) -> None:
        """While the cause is looked for."""
        self._busy = busy
        self.progress.setVisible(busy)
        self.cancel_button.setVisible(busy)
        self.find_button.setEnabled(not busy)
        self.open_button.setEnabled(not busy)

    def show_trouble(self, text: str) -> None:
        """A file that cannot be read."""
        self.trouble.show_text("problem", text)
        self.trouble.show()

    def _draw_origin(self, case: Case | None) -> None:
        titles = {
            "install": self.tr("This comes from the install that failed."),
            "smoke_test": self.tr("This comes from the training test that failed."),
            "watched": self.tr("This comes from the script that was watched."),
        }
        title = titles.get(case.evidence.source, "") if case is not None else ""
        lines = []
        if case is not None and case.file:
            title = self.tr("From the file {name}").format(name=Path(case.file).name)
        if case is not None and case.cut:
            lines.append(self.tr("The file is very big: its last 50 MiB were read."))
        if case is not None and case.evidence.stage:
            lines.append(self.tr("Step: {name}").format(name=case.evidence.stage))
        if case is not None and case.evidence.exit_code is not None:
            lines.append(self.tr("Exit code: {code}").format(code=case.evidence.exit_code))
        self.origin.setVisible(bool(title))
        self.origin.show_text("info", title, lines)

    def _draw_answers(self, case: Case | None) -> None:
        clear(self._answers)
        clear(self.others.body)
        self.others.setVisible(case is not None and len(case.diagnoses) > 1)
        self.others.set_open(False)
        self.cards = []
        for number, diagnosis in enumerate(case.diagnoses if case is not None else ()):
            card = DiagnosisCard(diagnosis, helped=case.helped if case is not None else ())
            card.fix_wanted.connect(self.fix_wanted)
            card.page_wanted.connect(self.page_wanted)
            card.told.connect(self.fix_told)
            self.cards.append(card)
            if number == 0:
                self._answers.addWidget(card)
            else:
                folded = Details()
                folded.set_title(diagnosis.title.say(language()))
                folded.body.addWidget(card)
                self.others.body.addWidget(folded)
        if case is not None:
            self.box.mark_lines({line.number for line in case.diagnoses[0].lines})
            self.box.set_answered(True)
            self._announce(self.cards[0])

    def _announce(self, card: DiagnosisCard) -> None:
        QAccessible.updateAccessibility(QAccessibleEvent(card, QAccessible.Event.NameChanged))
        QTimer.singleShot(0, card, lambda: self.scroller.ensureWidgetVisible(card, 0, 200))

    def step_back(self) -> None:
        """Esc: ends a search, or leads from the answer back to the text."""
        if self._busy:
            self.cancelled.emit()
        else:
            self.box.setFocus()
            self.scroller.ensureWidgetVisible(self.title)

    def start_over(self) -> None:
        """An empty box that waits for a text."""
        self.box.show_text("")
        self.show_case(None)
        self.box.setFocus()
        self.started_over.emit()

    def _again(self) -> None:
        if self._case is not None and self._case.evidence.source in ("pasted", "file"):
            self.start_over()
        self.check_again_wanted.emit()

    def _find(self) -> None:
        if self.box.text.strip():
            self.diagnosis_wanted.emit(self.box.text)
        else:
            self.box.setFocus()

    def _open(self) -> None:
        dialog = QFileDialog(self, self.tr("Open a log file"))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(lambda name: self.file_chosen.emit(Path(name)))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _build(self) -> None:
        inside = QWidget()
        inside.setMaximumWidth(CONTENT_WIDTH)
        head = column(self.title, self.intro, spacing=SPACE // 2)
        tools = row(self.find_button, self.open_button, self.clear_button, 1, self.cancel_button)
        entry = column(self.box, self.hidden_note, tools, self.progress, spacing=SPACE)
        foot = row(self.again_button, self.walks_button, self.help_button, 1)
        whole = column(
            head, self.origin, entry, self.ideas, self.trouble, self._answers, self.others, foot, 1, spacing=2 * SPACE
        )
        whole.setContentsMargins(4 * SPACE, 2 * SPACE, 4 * SPACE, 3 * SPACE)
        inside.setLayout(whole)
        self.scroller = scrolling(inside)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.scroller)
        self.show_busy(False)

    def _wire(self) -> None:
        self.find_button.clicked.connect(self._find)
        # not the button's own shortcut: every new text of a button takes that away
        QShortcut(QKeySequence("Ctrl+Return"), self, self.find_button.click)
        paste = QShortcut(QKeySequence.StandardKey.Paste, self, self.box.paste_clipboard)
        paste.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        self.open_button.clicked.connect(self._open)
        self.clear_button.clicked.connect(self.start_over)
        self.cancel_button.clicked.connect(self.cancelled)
        self.again_button.clicked.connect(self._again)
        self.help_button.clicked.connect(self.help_wanted)
        self.walks_button.clicked.connect(self.walks_wanted)
        self.box.file_dropped.connect(self.file_chosen)
        self.box.pasted.connect(lambda: QTimer.singleShot(SOON_MS, self, self._find))

    def sizeHint(self) -> QSize:
        return QSize(CONTENT_WIDTH, 640)


def scrolling(inside: QWidget) -> QScrollArea:
    """A page that scrolls when it is too long."""
    scroll = QScrollArea()
    scroll.setFrameShape(QFrame.Shape.NoFrame)
    scroll.setWidgetResizable(True)
    scroll.setAlignment(Qt.AlignmentFlag.AlignLeft)
    scroll.setWidget(inside)
    return scroll
