"""Where things are: every folder of ours, how big it is, and a button that opens it."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QGridLayout, QVBoxLayout

from gpu_assistant.base.job import JobContext, Succeeded
from gpu_assistant.gui.jobs import Ending, JobRunner
from gpu_assistant.gui.language import format_bytes
from gpu_assistant.gui.services import Services
from gpu_assistant.gui.theme import SPACE
from gpu_assistant.gui.widgets.base import Label, Worded, column
from gpu_assistant.gui.widgets.boxes import button, name_button
from gpu_assistant.session.state import SessionState


class MeasureJob:
    """Sizes of folders, one event each. It may take long, so it is a job."""

    def __init__(self, services: Services, folders: dict[str, Path]) -> None:
        self._services = services
        self._folders = folders

    def run(self, ctx: JobContext) -> dict[str, int]:
        """Bytes by key."""
        sizes = {}
        for key, folder in self._folders.items():
            ctx.check()
            sizes[key] = self._services.folder_bytes(folder)
        return sizes


class PlacesPage(Worded):
    """Measures when it is first shown."""

    def __init__(self, services: Services, state: SessionState) -> None:
        super().__init__()
        self._services = services
        self._folders = services.folders(state)
        self._sizes: dict[str, int] | None = None
        self._runner: JobRunner | None = None
        grid = QGridLayout()
        grid.setHorizontalSpacing(2 * SPACE)
        grid.setVerticalSpacing(SPACE + SPACE // 2)
        grid.setColumnStretch(0, 1)
        self._rows = {}
        for place, (key, folder) in enumerate(self._folders.items()):
            title, path = Label(bold=True), Label(str(folder), tone="muted", selectable=True)
            size, show = Label(tone="muted", wrap=False), button("folder")
            show.clicked.connect(lambda _=False, folder=folder: _open(folder))
            grid.addLayout(column(title, path, spacing=0), place, 0)
            grid.addWidget(size, place, 1)
            grid.addWidget(show, place, 2)
            self._rows[key] = (title, size, show)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2 * SPACE, 2 * SPACE, 2 * SPACE, 2 * SPACE)
        layout.addLayout(grid)
        layout.addStretch(1)
        self.retranslate()

    def retranslate(self) -> None:
        titles = {
            "environments": self.tr("Environments"),
            "cache": self.tr("Downloads kept for the next install"),
            "pythons": self.tr("Pythons"),
            "settings": self.tr("Settings"),
            "data": self.tr("Your place in the wizard, saved runs"),
            "logs": self.tr("Logs"),
        }
        for key, (title, size, show) in self._rows.items():
            title.setText(titles[key])
            if self._sizes is None:
                size.setText(self.tr("measuring…") if self._runner is not None else "")
            else:
                size.setText(format_bytes(self._sizes.get(key, 0)))
            name_button(show, self.tr("Open"), titles[key])

    def measure(self) -> None:
        """Starts to measure, once."""
        if self._runner is None and self._sizes is None:
            self._runner = JobRunner(MeasureJob(self._services, self._folders))
            self._runner.ended.connect(self._measured)
            self._runner.start()
            self.retranslate()

    def stop(self) -> None:
        """Nobody looks any more."""
        if self._runner is not None:
            self._runner.ended.disconnect(self._measured)
            self._runner.cancel()
            self._runner = None

    def _measured(self, ending: Ending) -> None:
        self._runner = None
        if isinstance(ending, Succeeded):
            self._sizes = ending.result
        self.retranslate()


def _open(folder: Path) -> None:
    existing = next((place for place in (folder, *folder.parents) if place.is_dir()), folder)
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(existing)))
