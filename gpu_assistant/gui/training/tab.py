"""The tab "My training": pages about the user's own scripts and models, one beside the other."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QEvent, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QStackedWidget, QTabBar, QWidget

from gpu_assistant.check.engine import SUFFIXES
from gpu_assistant.gui import icons
from gpu_assistant.gui.theme import SPACE
from gpu_assistant.gui.training.check_page import CheckPage
from gpu_assistant.gui.training.fit_page import FILES, FitPage
from gpu_assistant.gui.training.watch_page import WatchPage
from gpu_assistant.gui.troubleshoot.paste_box import local_file
from gpu_assistant.gui.widgets.base import Worded, column, row
from gpu_assistant.session.state import SessionState


class TrainingTab(Worded):
    """Holds the pages. Each is a widget that may have `show_state`, `open_file`, `shut_down` and `works`."""

    help_wanted = Signal(object)  # Evidence of a program that failed
    spoke = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.fit = FitPage()
        self.watch = WatchPage()
        self.check = CheckPage()
        self._pages: tuple[tuple[QWidget, str], ...] = (
            (self.fit, "memory"),
            (self.check, "code"),
            (self.watch, "clock"),
        )
        self.pages = QStackedWidget()
        self.ways = QTabBar()
        self.ways.setExpanding(False)
        self.ways.setDrawBase(False)
        for page, _ in self._pages:
            self.ways.addTab("")
            self.pages.addWidget(page)
        head = row(self.ways, 1)
        head.setContentsMargins(4 * SPACE, SPACE + SPACE // 2, 2 * SPACE, 0)
        self.setLayout(column(head, self.pages, spacing=SPACE // 2))
        self.setAcceptDrops(True)
        self.ways.currentChanged.connect(self.pages.setCurrentIndex)
        self.watch.help_wanted.connect(self.help_wanted)
        self.watch.spoke.connect(self.spoke)
        self.retranslate()

    def retranslate(self) -> None:
        names = (self.tr("Will it f&it?"), self.tr("Is my script r&ight?"), self.tr("Why is it &slow?"))
        for place, (name, (_, icon)) in enumerate(zip(names, self._pages, strict=True)):
            self.ways.setTabText(place, name)
            self.ways.setTabIcon(place, icons.icon(icon))
        self.ways.setAccessibleName(self.tr("Questions about your training"))

    @property
    def works(self) -> bool:
        """Whether a program of the user's runs that would end with the window."""
        return self.watch.works

    def show_state(self, state: SessionState) -> None:
        """What is known about the computer and its environments."""
        self.fit.show_state(state)
        self.watch.show_state(state)

    def open_file(self, path: Path) -> None:
        """What was dropped or handed over: a network, a notebook to read, a script for the page that is shown."""
        page: FitPage | CheckPage | WatchPage = self.watch
        if path.suffix.lower() in FILES:
            page = self.fit
        elif self.pages.currentWidget() is self.check or path.suffix == ".ipynb":
            page = self.check
        self.pages.setCurrentWidget(page)
        self.ways.setCurrentIndex(self.pages.currentIndex())
        page.open_file(path)

    def shut_down(self) -> None:
        """Ends what runs."""
        self.fit.shut_down()
        self.watch.shut_down()
        self.check.shut_down()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self.retranslate()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        path = local_file(event.mimeData())
        if path is not None and path.suffix.lower() in (*SUFFIXES, *FILES):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        if (path := local_file(event.mimeData())) is not None:
            event.acceptProposedAction()
            self.open_file(path)
