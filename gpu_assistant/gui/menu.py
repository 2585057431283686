"""The menu: every action of the program, each with a shortcut."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace
from PySide6.QtCore import QObject, QUrl
from PySide6.QtGui import QAction, QActionGroup, QDesktopServices, QGuiApplication, QKeySequence
from PySide6.QtWidgets import QMenu

from gpu_assistant.gui import icons
from gpu_assistant.session.state import PAGES, SessionState, can_open

if TYPE_CHECKING:
    from gpu_assistant.gui.main_window import MainWindow


class Menu(QObject):
    """Builds the menu bar of the window and keeps it true to the state."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._icons: dict[QAction, str] = {}
        bar = window.menuBar()
        self.file, self.road, self.view, self.help = (bar.addMenu("") for _ in range(4))
        for menu in (self.file, self.road, self.view, self.help):
            menu.aboutToShow.connect(partial(self._draw_icons, menu))
        road = window.road
        self.copy = self._add(self.file, "copy", QKeySequence.StandardKey.Copy, self.copy_report)
        self.export = self._add(self.file, "save", "Ctrl+S", self._export)
        self.settings = self._add(self.file, "settings", "Ctrl+,", self._settings)
        self.file.addSeparator()
        self.quit = self._add(self.file, "", "Ctrl+Q", window.close)
        self.look = self._add(self.road, "refresh", "F5", self._look)
        self.back = self._add(self.road, "arrow-left", "Alt+Left", road.back)
        self.next = self._add(self.road, "arrow-right", "Alt+Right", window.wizard.click_next)
        self.stop = self._add(self.road, "stop", "Esc", window.wizard.stop)
        self.road.addSeparator()
        self.pages = [
            self._add(self.road, "", f"Alt+{place + 1}", partial(self._go, page)) for place, page in enumerate(PAGES)
        ]
        self.tabs = [
            self._add(self.view, name, f"Ctrl+{place + 1}", partial(window.tabs.setCurrentIndex, place))
            for place, name in enumerate(("list", "chart", "help"))
        ]
        self.view.addSeparator()
        self.languages, self.language_menu = self._choices("language", ("system", "en", "ru"))
        self.themes, self.theme_menu = self._choices("theme", ("system", "light", "dark"))
        self.words_action = self._add(self.help, "book", "F1", self._words)
        self.logs = self._add(self.help, "folder", "Ctrl+L", self._open_logs)
        self.diagnostics = self._add(self.help, "copy", "Ctrl+D", self._diagnostics)
        self.help.addSeparator()
        self.about = self._add(self.help, "info", "Shift+F1", self._about)
        self.retranslate()

    def retranslate(self) -> None:
        """Sets every word."""
        for menu, name in (
            (self.file, self.tr("&File")),
            (self.road, self.tr("&Steps")),
            (self.view, self.tr("&View")),
            (self.help, self.tr("&Help")),
            (self.language_menu, self.tr("&Language")),
            (self.theme_menu, self.tr("&Colours")),
        ):
            menu.setTitle(name)
        for action, text in (
            (self.copy, self.tr("&Copy the report")),
            (self.export, self.tr("Save the &training run…")),
            (self.settings, self.tr("&Settings…")),
            (self.quit, self.tr("&Quit")),
            (self.look, self.tr("&Look at the computer again")),
            (self.back, self.tr("&Back")),
            (self.next, self.tr("&Next")),
            (self.stop, self.tr("&Stop what is running")),
            (self.words_action, self.tr("&Words explained")),
            (self.logs, self.tr("Open the &logs")),
            (self.diagnostics, self.tr("Copy &diagnostics…")),
            (self.about, self.tr("&About GPU Assistant")),
        ):
            action.setText(text)
        tabs = (self.tr("&Setup"), self.tr("&Monitor"), self.tr("&Troubleshooting"))
        for action, text in zip(self.tabs, tabs, strict=True):
            action.setText(text)
        for action, text in zip(self.pages, self._window.wizard.step_names(), strict=True):
            action.setText(text)
        for group in (self.languages, self.themes):
            group.actions()[0].setText(self.tr("Like the system"))
        self.languages.actions()[1].setText("English")
        self.languages.actions()[2].setText("Русский")
        self.themes.actions()[1].setText(self.tr("Light"))
        self.themes.actions()[2].setText(self.tr("Dark"))

    def _draw_icons(self, menu: QMenu) -> None:
        """Just before a menu opens: at start nobody sees them, and the colours may have changed since."""
        for action in menu.actions():
            if action in self._icons:
                action.setIcon(icons.icon(self._icons[action]))

    def show_state(self, state: SessionState) -> None:
        """What is possible now."""
        idle = not state.busy
        self.copy.setEnabled(state.report is not None)
        self.look.setEnabled(idle)
        self.back.setEnabled(idle and state.page != "welcome")
        self.stop.setEnabled(not idle and not state.cancelling)
        self.export.setEnabled(state.smoke is not None)
        for action, page in zip(self.pages, PAGES, strict=True):
            action.setEnabled(can_open(state, page))

    def copy_report(self) -> None:
        """The report as text, to the clipboard."""
        state = self._window.road.state
        if state.report is not None:
            from gpu_assistant.gui.report_text import report_text

            QGuiApplication.clipboard().setText(report_text(state.report, state.verdict))
            self._window.wizard.say(self.tr("The report is copied. Your name and your folders are not in it."))

    def _add(
        self, menu: QMenu, icon: str, shortcut: str | QKeySequence.StandardKey, action: Callable[[], object]
    ) -> QAction:
        made = QAction(self._window)
        made.setShortcut(QKeySequence(shortcut))
        made.triggered.connect(lambda _=False: action())
        if icon:
            self._icons[made] = icon
        menu.addAction(made)
        return made

    def _choices(self, field: str, values: tuple[str, ...]) -> tuple[QActionGroup, QMenu]:
        menu = self.view.addMenu("")
        group = QActionGroup(self)
        menu.aboutToShow.connect(lambda: self._mark(group, field))
        for value in values:
            action = QAction(self._window)
            action.setCheckable(True)
            action.setData(value)
            action.triggered.connect(lambda _=False, value=value: self._choose(field, value))
            group.addAction(action)
            menu.addAction(action)
        return group, menu

    def _mark(self, group: QActionGroup, field: str) -> None:
        for action in group.actions():
            action.setChecked(action.data() == getattr(self._window.settings, field))

    def _choose(self, field: str, value: str) -> None:
        self._window.use_settings(replace(self._window.settings, **{field: value}))

    def _look(self) -> None:
        self._window.tabs.setCurrentIndex(0)
        self._window.road.detect()

    def _go(self, page: str) -> None:
        self._window.tabs.setCurrentIndex(0)
        self._window.road.go(page)  # type: ignore[arg-type]

    def _export(self) -> None:
        self._window.wizard.export_run()

    def _open_logs(self) -> None:
        folder = self._window.paths.logs
        folder.mkdir(parents=True, exist_ok=True)
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))

    def _settings(self) -> None:
        from gpu_assistant.gui.settings_dialog import SettingsDialog

        dialog = SettingsDialog(self._window.settings, self._window.services, self._window.road.state, self._window)
        dialog.accepted_settings.connect(self._window.use_settings)
        dialog.open()

    def _words(self) -> None:
        from gpu_assistant.gui.text_dialogs import HelpDialog

        HelpDialog(self._window).open()

    def _diagnostics(self) -> None:
        from gpu_assistant.gui.text_dialogs import DiagnosticsDialog

        DiagnosticsDialog(self._window.road.state, self._window).open()

    def _about(self) -> None:
        from gpu_assistant.gui.text_dialogs import AboutDialog

        AboutDialog(self._window).open()
