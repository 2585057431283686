"""The Troubleshooting tab: three ways in (an error, a walk, the base), and what connects them with the core."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from msgspec.structs import replace
from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QKeySequence, QShortcut, QShowEvent
from PySide6.QtWidgets import QDialog, QStackedWidget, QTabBar

from gpu_assistant import __version__
from gpu_assistant.base.job import Failed, Job, Succeeded
from gpu_assistant.base.paths import app_paths
from gpu_assistant.base.settings import Settings
from gpu_assistant.base.system_pages import open_system_page
from gpu_assistant.detect.report import SystemReport
from gpu_assistant.gui import icons
from gpu_assistant.gui.jobs import JobRunner
from gpu_assistant.gui.language import language, say
from gpu_assistant.gui.report_text import private_words
from gpu_assistant.gui.services import CallJob
from gpu_assistant.gui.theme import SPACE
from gpu_assistant.gui.troubleshoot.base_page import BasePage
from gpu_assistant.gui.troubleshoot.case import Case, DiagnoseJob
from gpu_assistant.gui.troubleshoot.dialogs import FixDialog
from gpu_assistant.gui.troubleshoot.error_page import ErrorPage
from gpu_assistant.gui.troubleshoot.help_report import HelpReportDialog, Recording
from gpu_assistant.gui.troubleshoot.memory import FixMemory
from gpu_assistant.gui.troubleshoot.paste_box import local_file
from gpu_assistant.gui.troubleshoot.walk_page import WalkPage
from gpu_assistant.gui.widgets.base import Worded, column, row
from gpu_assistant.troubleshoot import walks
from gpu_assistant.troubleshoot.actions import Prepared, prepare
from gpu_assistant.troubleshoot.bundle import make_bundle
from gpu_assistant.troubleshoot.diagnosis import Diagnosis, Fix, FixAction
from gpu_assistant.troubleshoot.evidence import Evidence
from gpu_assistant.troubleshoot.facts import facts_of
from gpu_assistant.troubleshoot.history import with_history
from gpu_assistant.troubleshoot.rules import rule_base
from gpu_assistant.troubleshoot.search import browse, card, search
from gpu_assistant.troubleshoot.walks import WalkState

ERROR, WALK, BASE = range(3)
WAY_ICONS = ("search", "list", "book")


class TroubleshootTab(Worded):
    """Owns the case at hand and the memory of what was tried. Carrying a fix out is the window's business."""

    fix_accepted = Signal(object)  # Prepared: a plan to review, variables, a smaller batch, steps
    check_again_wanted = Signal(object)  # Evidence: repeat exactly what failed
    monitor_wanted = Signal()
    spoke = Signal(str)

    def __init__(
        self,
        settings: Settings | None = None,
        folder: Path | None = None,
        record: Callable[[], Job[Recording]] | None = None,
    ) -> None:
        """`record` makes the job that collects the computer's raw answers for a help report."""
        super().__init__()
        self._record = record
        self._settings = settings or Settings()
        self._memory = FixMemory(folder or app_paths().data)
        self._report: SystemReport | None = None
        self._framework = "pytorch"
        self._case: Case | None = None
        self._walk: WalkState | None = None
        self._runner: JobRunner | None = None
        self._base_read = False
        self._reader: JobRunner | None = None
        self.dialog: QDialog | None = None
        self.error = ErrorPage()
        self.walk = WalkPage()
        self.base = BasePage()
        self.pages = QStackedWidget()
        self.ways = QTabBar()
        self.ways.setExpanding(False)
        self.ways.setDrawBase(False)
        for page in (self.error, self.walk, self.base):
            self.ways.addTab("")
            self.pages.addWidget(page)
        head = row(self.ways, 1)
        head.setContentsMargins(4 * SPACE, SPACE + SPACE // 2, 2 * SPACE, 0)
        self.setLayout(column(head, self.pages, spacing=SPACE // 2))
        self.setAcceptDrops(True)
        self._wire()
        self.show_page(ERROR)
        self.retranslate()

    def retranslate(self) -> None:
        names = (self.tr("I have an &error"), self.tr("Step b&y step"), self.tr("Look it &up"))
        for place, (name, icon) in enumerate(zip(names, WAY_ICONS, strict=True)):
            self.ways.setTabText(place, name)
            self.ways.setTabIcon(place, icons.icon(icon))
        self.ways.setAccessibleName(self.tr("Ways to a fix"))
        if self._base_read and self.base.search.text():
            self._search(self.base.search.text())

    # for the rest of the window

    def show_evidence(self, evidence: Evidence) -> None:
        """A failure with its facts: diagnosed at once."""
        self.show_page(ERROR)
        self._diagnose(self._with_report(evidence))

    def confirm_help(self) -> None:
        """What failed was repeated and works now: what was tried against it helped."""
        if self._case is not None:
            fixes: tuple[str, ...] = ()
            try:
                fixes = self._memory.helped(self._case.diagnoses)
            except OSError as error:
                self.spoke.emit(str(error))
            self._case = replace(self._case, helped=(*self._case.helped, *fixes))
            self.error.show_case(self._case)

    def show_report(self, report: SystemReport | None, framework: str = "pytorch") -> None:
        """What is known about the computer: it decides between look-alikes."""
        self._report = report
        self._framework = framework

    def use_settings(self, settings: Settings) -> None:
        """New settings."""
        self._settings = settings

    def shut_down(self) -> None:
        """Ends a search that still runs."""
        if self._runner is not None:
            self._runner.cancel()

    def show_page(self, place: int) -> None:
        """One of the three ways in."""
        self.ways.setCurrentIndex(place)
        self.pages.setCurrentIndex(place)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self.retranslate()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._read_base()
        if self.pages.currentIndex() == ERROR and self._case is None:
            self.error.box.setFocus(Qt.FocusReason.OtherFocusReason)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if local_file(event.mimeData()) is not None:
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        if (path := local_file(event.mimeData())) is not None:
            event.acceptProposedAction()
            self.diagnose_file(path)

    def _escape(self) -> None:
        place = self.pages.currentIndex()
        if place == WALK and self._walk is not None:
            self._step_back()
        elif place == BASE and self.base.search.text():
            self.base.search.clear()
        else:
            self.show_page(ERROR)
            self.error.step_back()

    # an error

    def diagnose_text(self, text: str) -> None:
        """Somebody pasted this. The facts of a failure handed over by the wizard stay, as long as its text does."""
        same = self._case is not None and self._case.evidence.text == text
        evidence = self._case.evidence if same and self._case is not None else Evidence(text=text)
        self._diagnose(self._with_report(evidence))

    def diagnose_file(self, path: Path) -> None:
        """Somebody dropped or opened this."""
        self.show_page(ERROR)
        self._diagnose(self._with_report(Evidence(source="file")), path)

    def _with_report(self, evidence: Evidence) -> Evidence:
        return evidence if evidence.report is not None else replace(evidence, report=self._report)

    def _diagnose(self, evidence: Evidence, path: Path | None = None) -> None:
        if self._runner is not None:
            self._runner.cancel()
        runner = JobRunner(DiagnoseJob(evidence, self._memory.read(), path))
        runner.ended.connect(lambda ending: self._diagnosed(runner, ending, path))
        self._runner = runner
        self.error.show_busy(True)
        runner.start()

    def _diagnosed(self, runner: JobRunner, ending: object, path: Path | None) -> None:
        if runner is not self._runner:
            return  # a newer search has taken its place
        self._runner = None
        self.error.show_busy(False)
        if isinstance(ending, Succeeded):
            self._case = ending.result
            self.error.show_case(self._case)
        elif isinstance(ending, Failed) and isinstance(ending.error, OSError):
            text = self.tr("The file cannot be read: {detail}").format(detail=ending.error.strerror or ending.error)
            self.error.show_trouble(text)
        elif isinstance(ending, Failed):
            raise ending.error

    def _take_word(self, fix: Fix, diagnosis: Diagnosis, helped: bool) -> None:
        if self._case is None:
            return
        environment = self._case.evidence.environment
        self._save(lambda: self._memory.tell(fix, diagnosis, environment, helped=helped))
        if helped:
            self._case = replace(self._case, helped=(*self._case.helped, fix.id))
        else:
            found = with_history(self._case.diagnoses, self._memory.read(), environment)
            self._case = replace(self._case, diagnoses=found)
        self.error.show_case(self._case)

    def _accept(self, fix: Fix, diagnosis: Diagnosis) -> None:
        environment = self._case.evidence.environment if self._case is not None else None
        self._save(lambda: self._memory.accepted(fix, diagnosis, environment))

    def _save(self, write: Callable[[], None]) -> None:
        try:
            write()
        except OSError as error:
            self.spoke.emit(str(error))

    def _check_again(self) -> None:
        if self._case is not None and self._case.evidence.source not in ("pasted", "file"):
            self.check_again_wanted.emit(self._case.evidence)

    def _start_over(self) -> None:
        self._case = None

    # fixes

    def _show_fix(self, fix: Fix, diagnosis: Diagnosis) -> None:
        if fix.action is not None:
            self.show_action(fix.action, lambda: self._accept(fix, diagnosis))

    def show_action(self, action: FixAction, agreed: Callable[[], object] | None = None) -> None:
        """What the program could do itself: shown first, done by the window if the user agrees."""
        from gpu_assistant.select.catalogue import frameworks
        from gpu_assistant.select.wheels import list_wheels
        from gpu_assistant.troubleshoot.environment import failed_environment

        report = self._case.evidence.report if self._case is not None else None
        report = report or self._report
        if report is None:
            self.error.show_trouble(self.tr("First let the program look at the computer: Setup, first step."))
            self.show_page(ERROR)
            return
        framework = frameworks()[self._framework]
        environment = failed_environment(self._case.evidence) if self._case is not None else None
        wheels = list_wheels(self._settings.wheel_folder)
        prepared = prepare(action, report, framework, self._settings, environment, wheels)
        dialog = FixDialog(prepared, self)
        if agreed is not None:
            dialog.agreed.connect(lambda _: agreed())
        self._open(dialog)

    def _open_page(self, page: str) -> None:
        if (trouble := open_system_page(page)) is not None:
            self.spoke.emit(say(trouble))

    def _open(self, dialog: FixDialog | HelpReportDialog) -> None:
        if isinstance(dialog, FixDialog):
            dialog.agreed.connect(self._agreed)
            dialog.monitor_wanted.connect(self.monitor_wanted)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.dialog = dialog
        dialog.open()

    def _agreed(self, prepared: Prepared) -> None:
        self.fix_accepted.emit(prepared)

    # asking people

    def show_help_report(self) -> None:
        """The report for a forum, to be looked through before it is copied."""
        case = self._case or Case(evidence=Evidence(report=self._report))
        bundle = make_bundle(
            case.evidence,
            case.diagnoses,
            self._memory.read(),
            language(),
            made_at=time.strftime("%Y-%m-%d %H:%M"),
            program=__version__,
            private_words=private_words(),
        )
        self._open(HelpReportDialog(bundle, self._record() if self._record else None, self))

    # walks and the base

    def _begin_walk(self, walk: str) -> None:
        self._walk = WalkState(walk=walk)
        self._draw_walk()

    def _answer(self, choice: int) -> None:
        if self._walk is not None:
            self._walk = walks.answer(walks.walks()[self._walk.walk], self._walk, choice)
            self._draw_walk()

    def _step_back(self) -> None:
        if self._walk is not None:
            self._walk = walks.back(self._walk) if self._walk.path else None
            self._draw_walk()

    def _leave_walk(self) -> None:
        self._walk = None
        self._draw_walk()

    def _draw_walk(self) -> None:
        facts = facts_of(Evidence(report=self._report))
        ending = None
        if self._walk is not None:
            node = walks.current(walks.walks()[self._walk.walk], self._walk)
            ending = card(rule_base(), node.fix) if node.fix is not None else None
        self.walk.show_state(self._walk, facts, ending)

    def _read_base(self) -> None:
        """Reads rules and walks once, beside the window: it takes a second."""
        if self._base_read or self._reader is not None:
            return
        self._reader = JobRunner(CallJob(lambda ctx: (rule_base(), walks.walks())))
        self._reader.ended.connect(self._show_base)
        self._reader.start()

    def _show_base(self, ending: object) -> None:
        self._reader = None
        if isinstance(ending, Failed):
            raise ending.error
        if isinstance(ending, Succeeded):
            self._base_read = True
            self.base.show_families(browse(rule_base()))
            self.walk.show_walks(walks.walks())

    def _search(self, words: str) -> None:
        self.base.show_hits(search(rule_base(), words, language()) if words.strip() else None)

    def _wire(self) -> None:
        for page in (self.error, self.walk, self.base):
            page.page_wanted.connect(self._open_page)
        back = QShortcut(QKeySequence(Qt.Key.Key_Escape), self, self._escape)
        back.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        self.ways.currentChanged.connect(self.show_page)
        self.error.diagnosis_wanted.connect(self.diagnose_text)
        self.error.file_chosen.connect(self.diagnose_file)
        self.error.cancelled.connect(self._cancel)
        self.error.fix_wanted.connect(self._show_fix)
        self.error.fix_told.connect(self._take_word)
        self.error.walks_wanted.connect(lambda: self.show_page(WALK))
        self.error.check_again_wanted.connect(self._check_again)
        self.error.started_over.connect(self._start_over)
        self.error.help_wanted.connect(self.show_help_report)
        self.walk.walk_chosen.connect(self._begin_walk)
        self.walk.answered.connect(self._answer)
        self.walk.back_wanted.connect(self._step_back)
        self.walk.left.connect(self._leave_walk)
        self.walk.fix_wanted.connect(self._show_fix)
        self.walk.action_wanted.connect(self.show_action)
        self.walk.help_wanted.connect(self.show_help_report)
        self.base.words_typed.connect(self._search)
        self.base.rule_chosen.connect(lambda rule: self.base.show_card(card(rule_base(), rule)))
        self.base.fix_wanted.connect(self._show_fix)

    def _cancel(self) -> None:
        if self._runner is not None:
            self._runner.cancel()
