"""The Setup tab: the rail of steps, the pages, and the few questions that need a dialog."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Qt, QTimer, QUrl, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QDesktopServices, QGuiApplication, QResizeEvent
from PySide6.QtWidgets import QStackedWidget

from gpu_assistant.base.system_pages import open_system_page
from gpu_assistant.gui.language import is_windows, say
from gpu_assistant.gui.theme import SPACE
from gpu_assistant.gui.widgets.base import Worded, column, row
from gpu_assistant.gui.widgets.boxes import Banner
from gpu_assistant.gui.widgets.step_rail import StepRail
from gpu_assistant.gui.wizard.page import Page
from gpu_assistant.gui.wizard.road import Road
from gpu_assistant.gui.wizard.welcome import WelcomePage
from gpu_assistant.monitor.model import Sample
from gpu_assistant.session.state import PAGES, PageName, SessionState, root_folder

SPOKEN_MS = 12_000
PREPARE_MS = 60
NARROW = 860  # pixels: below that the rail would take the page's room


class Wizard(Worded):
    """Makes each page when it is first shown, connects its wishes to the road."""

    help_wanted = Signal(object)  # Evidence
    monitor_wanted = Signal()
    root_chosen = Signal(str)

    def __init__(self, road: Road) -> None:
        super().__init__()
        self.road = road
        self.pages: dict[PageName, Page] = {}
        self.rail = StepRail(len(PAGES))
        self.stack = QStackedWidget()
        self.spoken = Banner("info")
        self.spoken.hide()
        self._spoken_timer = QTimer(self)
        self._spoken_timer.setSingleShot(True)
        self._spoken_timer.setInterval(SPOKEN_MS)
        self._spoken_timer.timeout.connect(self.spoken.hide)
        strip = column(self.spoken)
        strip.setContentsMargins(SPACE, SPACE, SPACE, 0)
        right = column(strip, self.stack, spacing=0)
        right.setStretch(1, 1)
        whole = row(self.rail, right, spacing=0)
        whole.setStretch(1, 1)
        self.setLayout(whole)
        road.changed.connect(self._draw)
        self.retranslate()

    def retranslate(self) -> None:
        self.rail.setAccessibleName(self.tr("Steps"))
        self._draw(self.road.state)

    def step_names(self) -> tuple[str, ...]:
        """The names of the pages, in order."""
        return (
            self.tr("Welcome"),
            self.tr("Your computer"),
            self.tr("Choose"),
            self.tr("Review"),
            self.tr("Install"),
            self.tr("Training test"),
            self.tr("Ready"),
        )

    def prepare_pages(self) -> None:
        """Makes the pages that are still missing, one in each idle moment."""
        missing = next((name for name in PAGES if name not in self.pages), None)
        if missing is not None:
            self._open(missing)
            QTimer.singleShot(PREPARE_MS, self, self.prepare_pages)

    @property
    def page(self) -> Page:
        """The page that is shown."""
        return self.pages[self.road.state.page]

    def say(self, text: str) -> None:
        """Says something that needs no answer."""
        self.spoken.show_text("info", text)
        self.spoken.show()
        self._spoken_timer.start()
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self.spoken, text))

    def show_sample(self, sample: Sample) -> None:
        """Live numbers of the cards, for the page of the training test."""
        page = self.pages.get("smoke_test")
        degrees = sample.gpus[0].values.get("temperature") if sample.gpus else None
        if page is not None:
            page.show_temperature(degrees)  # type: ignore[attr-defined]

    def click_next(self) -> None:
        """The page's main button, from the menu."""
        if self.page.next_button.isEnabled() and self.page.next_button.isVisible():
            self.page.next_button.click()

    def stop(self) -> None:
        """Stops what runs; an install is asked about first, because it may have run for long."""
        if self.road.state.busy != "install":
            self.road.cancel()
            return
        self._ask(self.tr("Stop the install? What is downloaded so far is kept for the next try."), self.road.cancel)

    def export_run(self) -> None:
        """Saves the training run as a picture or as data."""
        page = self.pages.get("smoke_test")
        run = self.road.state.smoke
        if run is None or page is None:
            return
        from PySide6.QtWidgets import QFileDialog

        from gpu_assistant.gui.wizard.export import export_run

        name, _ = QFileDialog.getSaveFileName(
            self, self.tr("Save the training run"), "training.png", self.tr("Picture (*.png);;Data (*.json)")
        )
        if name:
            self.say(export_run(name, run, page))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.rail.setVisible(self.width() >= NARROW)

    def _draw(self, state: SessionState) -> None:
        page = self._open(state.page)
        page.show_state(state)
        here = PAGES.index(state.page)
        done = [place < here for place in range(len(PAGES))]
        self.rail.show_steps(self.step_names(), here, done)
        if self.stack.currentWidget() is not page:
            self.stack.setCurrentWidget(page)
            page.area.verticalScrollBar().setValue(0)
            page.main_button.setFocus()
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(page, page.title.text()))

    def _open(self, name: PageName) -> Page:
        if name not in self.pages:
            page = self._make(name)
            page.back_wanted.connect(self.road.back)
            self.pages[name] = page
            self.stack.addWidget(page)
        return self.pages[name]

    def _make(self, name: PageName) -> Page:
        make = {
            "welcome": self._make_welcome,
            "detect": self._make_detect,
            "choose": self._make_choose,
            "review": self._make_review,
            "install": self._make_install,
            "smoke_test": self._make_smoke_test,
            "finish": self._make_finish,
        }
        return make[name]()

    def _make_welcome(self) -> Page:
        page = WelcomePage()
        page.next_wanted.connect(self.road.detect)
        page.resume_wanted.connect(self.road.resume)
        return page

    def _make_detect(self) -> Page:
        from gpu_assistant.gui.wizard.detect import DetectPage

        page = DetectPage()
        page.again_wanted.connect(self.road.detect)
        page.copy_wanted.connect(self._copy_report)
        page.page_wanted.connect(self._open_system_page)
        page.next_wanted.connect(partial(self.road.go, "choose"))
        return page

    def _make_choose(self) -> Page:
        from gpu_assistant.gui.wizard.choose import ChoosePage

        page = ChoosePage(self.road.services.frameworks())
        page.option_chosen.connect(self.road.choose_option)
        page.framework_chosen.connect(self.road.choose_framework)
        page.root_change_wanted.connect(self._choose_root)
        page.again_wanted.connect(self.road.detect)
        page.driver_site_wanted.connect(self._open_driver_site)
        page.check_wanted.connect(self.road.check_environment)
        page.repair_wanted.connect(self.road.repair_environment)
        page.next_wanted.connect(self.road.plan)
        return page

    def _make_review(self) -> Page:
        from gpu_assistant.gui.wizard.review import ReviewPage

        page = ReviewPage()
        page.accepted.connect(self.road.accept)
        return page

    def _make_install(self) -> Page:
        from gpu_assistant.gui.wizard.install import InstallPage

        page = InstallPage()
        page.cancel_wanted.connect(self.road.cancel)
        page.again_wanted.connect(self.road.install)
        page.change_wanted.connect(partial(self.road.go, "choose"))
        page.help_wanted.connect(self._help_with_install)
        page.log_folder_wanted.connect(self._open_logs)
        page.next_wanted.connect(partial(self.road.go, "smoke_test"))
        self.road.install_began.connect(page.clear_log)
        self.road.install_lines.connect(page.add_log)
        return page

    def _make_smoke_test(self) -> Page:
        from gpu_assistant.gui.wizard.smoke_test import SmokeTestPage

        page = SmokeTestPage(self.road.services.smoke_tests)
        page.start_wanted.connect(self.road.smoke_test)
        page.cancel_wanted.connect(self.road.cancel)
        page.change_wanted.connect(partial(self.road.go, "choose"))
        page.help_wanted.connect(self._help_with_smoke_test)
        page.export_wanted.connect(self.export_run)
        page.saved_runs_wanted.connect(self._show_saved_runs)
        page.next_wanted.connect(partial(self.road.go, "finish"))
        self.road.smoke_began.connect(page.clear_run)
        self.road.smoke_lines.connect(page.add_log)
        return page

    def _show_saved_runs(self) -> None:
        from PySide6.QtWidgets import QMenu

        page = self.page
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for words, run_id in self.road.services.saved_runs(self.road.state.framework):
            menu.addAction(words, partial(self.road.open_saved_run, run_id))
        if menu.isEmpty():
            menu.addAction(self.tr("No earlier runs")).setEnabled(False)
        opener = getattr(page, "open_button", page)
        menu.popup(opener.mapToGlobal(opener.rect().bottomLeft()))

    def _make_finish(self) -> Page:
        from gpu_assistant.gui.wizard.finish import FinishPage

        page = FinishPage(self.road.services.smoke_tests)
        page.deed_wanted.connect(self._deed)
        page.undo_wanted.connect(self._undo)
        page.start_over_wanted.connect(self.road.start_over)
        return page

    # what needs more than the road

    def _copy_report(self) -> None:
        state = self.road.state
        if state.report is not None:
            from gpu_assistant.gui.report_text import report_text

            QGuiApplication.clipboard().setText(report_text(state.report, state.verdict))
            self.say(self.tr("The report is copied. Your name and your folders are not in it."))

    def _choose_root(self) -> None:
        from PySide6.QtWidgets import QFileDialog

        folder = QFileDialog.getExistingDirectory(
            self, self.tr("Folder for environments and downloads"), root_folder(self.road.state)
        )
        if folder:
            self.root_chosen.emit(folder)

    def _open_driver_site(self, address: str) -> None:
        self.road.await_driver()
        QDesktopServices.openUrl(QUrl(address))

    def _open_system_page(self, page: str) -> None:
        if (trouble := open_system_page(page)) is not None:
            self.say(say(trouble))

    def _open_logs(self) -> None:
        folder = self.road.services.paths.logs
        folder.mkdir(parents=True, exist_ok=True)
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))

    def _help_with_install(self) -> None:
        self.help_wanted.emit(self.road.services.install_evidence(self.road.state))

    def _help_with_smoke_test(self) -> None:
        self.help_wanted.emit(self.road.services.smoke_evidence(self.road.state))

    def _deed(self, key: str) -> None:
        if key == "monitor":
            self.monitor_wanted.emit()
        elif key == "project":
            self._create_project()
        elif key == "kernel":
            self._add_kernel()
        else:
            self.road.deed(key)

    def _create_project(self) -> None:
        from PySide6.QtWidgets import QFileDialog

        folder = QFileDialog.getExistingDirectory(self, self.tr("Where shall the new project folder go?"))
        if folder:
            self.road.deed("project", folder)

    def _add_kernel(self) -> None:
        from gpu_assistant.gui.ask import ask

        shell = self.road.services.kernel_step(self.road.state).shell
        ask(
            self,
            self.tr("Jupyter needs the package ipykernel in this environment. If it is missing, this command adds it:"),
            (self.tr("&Add the kernel"), partial(self.road.deed, "kernel")),
            self.tr("Not now"),
            details=shell.powershell if is_windows() else shell.bash,
        )

    def _undo(self) -> None:
        install = self.road.state.install
        folder = install.folder if install is not None else ""
        question = self.tr("Delete the environment in {folder}? This cannot be undone.").format(folder=folder)
        self._ask(question, self.road.undo)

    def _ask(self, question: str, yes: Callable[[], None]) -> None:
        from gpu_assistant.gui.ask import ask

        ask(self, question, (self.tr("Yes"), yes), self.tr("No"))
