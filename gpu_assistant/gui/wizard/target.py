"""The folder for everything big, and how much room there is."""

from __future__ import annotations

from pathlib import PurePosixPath, PureWindowsPath

from PySide6.QtCore import Signal

from gpu_assistant.detect.report import Disk, SystemReport
from gpu_assistant.gui.language import format_bytes
from gpu_assistant.gui.theme import SPACE
from gpu_assistant.gui.widgets.base import Card, Label, Symbol, column, row
from gpu_assistant.gui.widgets.boxes import button, name_button
from gpu_assistant.session.state import SessionState, root_folder


class TargetRow(Card):
    """Shows the folder and lets it be changed."""

    change_wanted = Signal()

    def __init__(self) -> None:
        super().__init__(padding=SPACE + SPACE // 2)
        self._path = Label(bold=True, selectable=True)
        self._room = Label(tone="muted")
        self.button = button()
        self.button.clicked.connect(self.change_wanted)
        self.body.addLayout(
            row(
                Symbol("folder", 28, "accent"),
                column(self._path, self._room, spacing=2),
                self.button,
                spacing=2 * SPACE,
            )
        )
        self._state = SessionState()
        self.retranslate()

    def retranslate(self) -> None:
        name_button(self.button, self.tr("&Folder…"), self.tr("Choose another folder for environments and downloads"))
        self.show_target(self._state)

    def show_target(self, state: SessionState) -> None:
        """Shows the folder of this state."""
        self._state = state
        root = root_folder(state)
        self._path.setText(root)
        free = free_space(state.report, root) if state.report is not None else None
        if free is None:
            self._room.setText(self.tr("Everything big goes in here: the environment, its Python, the downloads."))
        else:
            self._room.setText(
                self.tr("Everything big goes in here. {size} free on this drive.").format(size=format_bytes(free))
            )


def free_space(report: SystemReport, folder: str) -> int | None:
    """Free bytes of the drive that holds the folder, as the report knows it."""
    pure = PureWindowsPath if report.system.os == "windows" else PurePosixPath
    place = pure(folder)
    holders = [disk for disk in report.disks if _holds(pure(disk.path), place)]
    best: Disk | None = max(holders, key=lambda disk: len(disk.path), default=None)
    return best.free if best is not None else None


def _holds(drive: PureWindowsPath | PurePosixPath, place: PureWindowsPath | PurePosixPath) -> bool:
    return drive == place or drive in place.parents
