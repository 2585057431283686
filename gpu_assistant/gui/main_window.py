"""The window: four tabs, a menu with everything, a status line. It wires; what it shows lives in the tabs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace
from PySide6.QtCore import QEvent, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QPaintEvent
from PySide6.QtWidgets import QApplication, QMainWindow, QTabWidget, QVBoxLayout, QWidget

from gpu_assistant.base.message import Message
from gpu_assistant.base.model import Value
from gpu_assistant.base.paths import AppPaths
from gpu_assistant.base.settings import Settings, save_settings
from gpu_assistant.gui import icons, jobs, language, theme, window_place
from gpu_assistant.gui.jobs import JobRunner
from gpu_assistant.gui.language import say
from gpu_assistant.gui.live import Live
from gpu_assistant.gui.menu import Menu
from gpu_assistant.gui.services import Services
from gpu_assistant.gui.status_line import StatusLine
from gpu_assistant.gui.taskbar import Taskbar
from gpu_assistant.gui.training_marks import TrainingMarks
from gpu_assistant.gui.wizard.road import Road
from gpu_assistant.gui.wizard.wizard import Wizard
from gpu_assistant.session.state import SessionState
from gpu_assistant.session.store import load_session

if TYPE_CHECKING:
    from gpu_assistant.gui.training.tab import TrainingTab
    from gpu_assistant.gui.troubleshoot.tab import TroubleshootTab
    from gpu_assistant.troubleshoot.actions import Prepared
    from gpu_assistant.troubleshoot.evidence import Evidence

SIZE = QSize(1120, 720)
SMALLEST = QSize(640, 420)
CLOSE_POLL_MS = 30
IDLE_MS = 1000
SETUP, MONITOR, TROUBLESHOOTING, TRAINING = range(4)
TAB_ICONS = ("list", "chart", "help", "code")
SCRIPT = ".py"


class Start(Value, frozen=True, kw_only=True):
    """With what the window starts."""

    settings: Settings
    paths: AppPaths
    trouble: Message | None = None
    replay: Path | None = None
    state: str | None = None  # a named or saved state: a picture, not a session; nothing is saved then


class MainWindow(QMainWindow):
    """Owns the road, the settings and the tabs."""

    painted = Signal()
    _first_paint = True

    def __init__(self, start: Start, services: Services | None = None) -> None:
        super().__init__()
        self.settings = start.settings
        self.paths = start.paths
        self._start = start
        self._closing = False
        self._question: QWidget | None = None
        self.services = services or Services(start.settings, start.paths, start.replay)
        state, trouble = self._first_state()
        self._own_folder = None if start.state is not None or start.replay is not None else start.paths.data
        self.road = Road(self.services, state, self._own_folder)
        self.wizard = Wizard(self.road)
        self.status = StatusLine()
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        self.tabs.tabBar().setDrawBase(False)  # Fusion draws it white on dark
        self.tabs.setIconSize(QSize(18, 18))
        self._later: dict[int, QWidget] = {}
        self._troubleshooting: TroubleshootTab | None = None
        self._scripts: TrainingTab | None = None
        self._repeated: Evidence | None = None
        self._holders: dict[int, QVBoxLayout] = {}
        self.tabs.addTab(self.wizard, "")
        for place in (MONITOR, TROUBLESHOOTING, TRAINING):
            holder = QWidget()  # filled when the tab is first shown
            self._holders[place] = QVBoxLayout(holder)
            self._holders[place].setContentsMargins(0, 0, 0, 0)
            self.tabs.addTab(holder, "")
        self.tabs.currentChanged.connect(self._ensure_tab)
        self.setCentralWidget(self.tabs)
        self.statusBar().addWidget(self.status, 1)
        self.statusBar().setSizeGripEnabled(False)
        self.menu = Menu(self)
        self.setMinimumSize(SMALLEST.boundedTo(_screen_room(self)))  # a small screen at 200 % has less
        self.resize(SIZE.boundedTo(_screen_room(self)))
        if self._own_folder is not None:
            window_place.restore(self, self._own_folder)
        self.road.changed.connect(self._draw)
        self.road.spoke.connect(self.speak)
        self.road.repeated.connect(self._tell_outcome)
        self.training = TrainingMarks()
        self.taskbar = Taskbar(self)
        self.live = Live(self.services.sampler)
        self.live.sampled.connect(self.status.show_sample)
        self.live.sampled.connect(self.wizard.show_sample)
        self.wizard.help_wanted.connect(self.show_help_for)
        self.wizard.root_chosen.connect(self._choose_root)
        self.wizard.monitor_wanted.connect(lambda: self.tabs.setCurrentIndex(MONITOR))
        self.retranslate()
        self._draw(state)
        for message in (start.trouble, trouble):
            if message is not None:
                self.speak(message)

    def begin(self) -> None:
        """What waits until the window stands: says how the last start ended, resumes a road that waits for a driver."""
        for message in self.services.recover(self.road.state):
            self.speak(message)
        runner = JobRunner(self.services.warm_up_job())
        runner.ended.connect(self._warmed_up)
        runner.start()
        if self.road.state.driver_awaited:
            self.road.detect()

    def _warmed_up(self) -> None:
        self.wizard.prepare_pages()
        # before a training needs it, and because the tray icon lives there
        QTimer.singleShot(IDLE_MS, self, lambda: self._ensure_tab(MONITOR))

    def retranslate(self) -> None:
        """Sets every word."""
        self.setWindowTitle("GPU Assistant")
        names = (self.tr("Setup"), self.tr("Monitor"), self.tr("Troubleshooting"), self.tr("My training"))
        for place, name in enumerate(names):
            self.tabs.setTabText(place, name)
            self.tabs.setTabIcon(place, icons.icon(TAB_ICONS[place]))
        self.tabs.setAccessibleName(self.tr("Parts of the program"))

    def speak(self, message: Message) -> None:
        """Says something that needs no answer: in the wizard's strip, and to screen readers."""
        self.wizard.say(say(message))

    def come_to_front(self) -> None:
        """Shows the window above others."""
        self.setWindowState((self.windowState() & ~Qt.WindowState.WindowMinimized) | Qt.WindowState.WindowActive)
        self.show()
        self.raise_()
        self.activateWindow()

    def use_settings(self, settings: Settings) -> None:
        """New settings: kept, and applied at once."""
        old, self.settings = self.settings, settings
        self.services.settings = settings
        if self._start.state is None and self._start.replay is None:
            try:
                save_settings(self.paths.config / "settings.toml", settings)
            except OSError as error:
                self.wizard.say(str(error))
        if settings.theme != old.theme:
            theme.apply_theme(settings.theme)
        if settings.language != old.language:
            language.set_language(language.wanted_language(settings))
        if settings.root_folder != old.root_folder:
            self.road.choose_root(settings.root_folder)
        for tab in self._later.values():
            if hasattr(tab, "use_settings"):
                tab.use_settings(settings)

    def open_file(self, path: Path) -> None:
        """A file that the program was started with: a script to watch, or an error to explain."""
        if path.suffix == SCRIPT:
            self.tabs.setCurrentIndex(TRAINING)
            if self._scripts is not None:
                self._scripts.open_file(path)
            return
        self.tabs.setCurrentIndex(TROUBLESHOOTING)
        if self._troubleshooting is not None:
            self._troubleshooting.diagnose_file(path)

    def started_again(self, file: Path | None) -> None:
        """Somebody started the program a second time, perhaps with a file."""
        self.come_to_front()
        if file is not None:
            self.open_file(file)

    def show_help_for(self, evidence: Evidence) -> None:
        """Hands evidence of a failure to the Troubleshooting tab."""
        self.tabs.setCurrentIndex(TROUBLESHOOTING)
        if self._troubleshooting is not None:
            self._troubleshooting.show_evidence(evidence)

    # events

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange and hasattr(self, "menu"):
            self.retranslate()
            self.menu.retranslate()
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "menu"):
            self.retranslate()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._first_paint:
            self._first_paint = False
            self.painted.emit()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Asks once while a job runs; then the job is cancelled and its process tree is gone before we are."""
        if (self.road.works or self._program_runs) and not self._closing:
            event.ignore()
            self._ask_to_close()
            return
        jobs.cancel_all_jobs()
        if jobs.jobs_running():
            event.ignore()
            self._closing = True
            QTimer.singleShot(CLOSE_POLL_MS, self.close)
            return
        for tab in self._later.values():
            if hasattr(tab, "shut_down"):
                tab.shut_down()
        self.live.shut_down()
        self.road.shut_down()
        if self._own_folder is not None:
            window_place.save(self, self._own_folder)
        event.accept()

    @property
    def _program_runs(self) -> bool:
        return self._scripts is not None and self._scripts.works

    def _ask_to_close(self) -> None:
        if self._question is not None:
            return
        texts = {
            "install": self.tr("The install is still running. Stop it and close? Your computer stays as it was."),
            "smoke_test": self.tr("The training test is still running. Stop it and close?"),
        }
        text = texts.get(self.road.state.busy, self.tr("Something is still running. Stop it and close?"))
        from gpu_assistant.gui.ask import ask

        self._question = ask(self, text, (self.tr("Stop and close"), self._stop_and_close), self.tr("Go on"))
        self._question.finished.connect(self._question_answered)

    def _stop_and_close(self) -> None:
        self._closing = True
        self.road.cancel()
        self.close()

    def _question_answered(self) -> None:
        self._question = None

    def _first_state(self) -> tuple[SessionState, Message | None]:
        if self._start.state is not None:
            from gpu_assistant.session.states import open_state

            return open_state(self._start.state), None
        if self._start.replay is not None:
            return SessionState(root=self.settings.root_folder, replayed=True), None
        state, trouble = load_session(self.paths.data)
        return state, trouble

    def _draw(self, state: SessionState) -> None:
        self.status.show_report(state.report)
        if state.busy == "smoke_test":
            self._ensure_tab(MONITOR)  # its charts are to show this training, whoever looks first
        self.live.run(state.busy == "smoke_test" and _has_nvidia(state))
        self.training.follow(state)
        if self._troubleshooting is not None:
            self._troubleshooting.show_report(state.report, state.framework)
        if self._scripts is not None:
            self._scripts.show_state(state)
        self.menu.show_state(state)
        self.taskbar.show_state(state)

    def _choose_root(self, folder: str) -> None:
        self.use_settings(replace(self.settings, root_folder=folder))

    def _ensure_tab(self, place: int) -> None:
        if place == SETUP or place in self._later:
            return
        tab = self._make_tab(place)
        self._later[place] = tab
        holder = self._holders[place]
        holder.addWidget(tab)
        tab.show()

    def _make_tab(self, place: int) -> QWidget:
        makers = {
            MONITOR: self._make_monitor,
            TROUBLESHOOTING: self._make_troubleshooting,
            TRAINING: self._make_training,
        }
        return makers[place]()

    def _make_training(self) -> QWidget:
        from gpu_assistant.gui.training.tab import TrainingTab

        tab = TrainingTab()
        tab.show_state(self.road.state)
        tab.help_wanted.connect(self.show_help_for)
        tab.spoke.connect(self.wizard.say)
        self._scripts = tab
        return tab

    def _make_monitor(self) -> QWidget:
        from gpu_assistant.gui.monitor.tab import MonitorTab

        tab = MonitorTab(self.settings)
        tab.settings_changed.connect(self.use_settings)
        tab.window_wanted.connect(self.come_to_front)
        tab.spoke.connect(self.wizard.say)
        self.training.process_changed.connect(tab.set_training)
        self.training.values_wanted.connect(tab.add_training)
        return tab

    def _make_troubleshooting(self) -> QWidget:
        from gpu_assistant.gui.troubleshoot.tab import TroubleshootTab

        tab = TroubleshootTab(self.settings, record=self.services.record_job)
        tab.show_report(self.road.state.report, self.road.state.framework)
        tab.fix_accepted.connect(self._carry_out)
        tab.check_again_wanted.connect(self._repeat)
        tab.monitor_wanted.connect(lambda: self.tabs.setCurrentIndex(MONITOR))
        tab.spoke.connect(self.wizard.say)
        self._troubleshooting = tab
        return tab

    def _carry_out(self, prepared: Prepared) -> None:
        self.tabs.setCurrentIndex(SETUP)
        self.road.carry_out(prepared)

    def _repeat(self, evidence: Evidence) -> None:
        self.tabs.setCurrentIndex(SETUP)
        self._repeated = evidence
        self.road.repeat(evidence)

    def _tell_outcome(self, passed: bool) -> None:
        """It works: the tab remembers what helped. It does not: the tab shows what else can be done."""
        if passed and self._troubleshooting is not None:
            self._troubleshooting.confirm_help()
        elif not passed and self._repeated is not None:
            services, state = self.road.services, self.road.state
            installs = self._repeated.source == "install"
            self.show_help_for(services.install_evidence(state) if installs else services.smoke_evidence(state))


def _has_nvidia(state: SessionState) -> bool:
    return state.report is not None and any(gpu.vendor == "nvidia" for gpu in state.report.gpus)


def _screen_room(window: QWidget) -> QSize:
    screen = QApplication.primaryScreen()
    return screen.availableSize() - QSize(24, 64) if screen is not None else SIZE
