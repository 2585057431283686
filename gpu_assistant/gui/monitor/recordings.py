"""Recordings behind the charts: opened, compared and exported on threads of their own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from gpu_assistant.base.job import Failed, JobContext, Succeeded
from gpu_assistant.gui.jobs import JobRunner
from gpu_assistant.gui.monitor.monitoring import cannot_read
from gpu_assistant.gui.services import CallJob
from gpu_assistant.monitor.comparison import Comparison, compare
from gpu_assistant.monitor.recording import SUFFIX, Recording, export_csv, open_recording
from gpu_assistant.monitor.store import SeriesStore


class Opened(NamedTuple):
    """A recording in memory."""

    path: Path
    store: SeriesStore
    truncated: bool


class Recordings(QObject):
    """Asks for files and reads them. One job at a time; a new one takes the old one's place."""

    opened = Signal(object)  # Opened
    compared = Signal(tuple, object)  # (Opened, Opened), Comparison | None
    exported = Signal(object)  # Path
    failed = Signal(object)  # Message
    two_wanted = Signal()  # another number of files was chosen

    def __init__(self, window: QWidget, folder: Path) -> None:
        super().__init__(window)
        self._window = window
        self._folder = folder
        self.current: Path | None = None  # the recording that is shown, or was written last

    def ask_to_open(self) -> None:
        """One file."""
        self._ask(self.tr("Open a recording"), lambda paths: self.open(paths[0]))

    def ask_to_compare(self) -> None:
        """Two files in one dialog."""
        self._ask(self.tr("Choose two recordings"), self.compare, many=True)

    def ask_to_export(self) -> None:
        """Where the table goes; of which recording, if none is at hand."""
        if self.current is None:
            self._ask(self.tr("Which recording becomes a table?"), lambda paths: self._ask_target(paths[0]))
        else:
            self._ask_target(self.current)

    def open(self, path: Path) -> None:
        """Reads one recording; `opened` or `failed` follows."""
        self._run(lambda ctx: _read(path), path, self._opened)

    def compare(self, paths: list[Path]) -> None:
        """Reads two recordings; `compared` or `failed` follows."""
        if len(paths) != 2:
            self.two_wanted.emit()
            return
        self._run(lambda ctx: _read_two(paths[0], paths[1]), paths[0], lambda result: self.compared.emit(*result))

    def export(self, source: Path, target: Path) -> None:
        """Writes a recording as a table; `exported` or `failed` follows."""
        self._run(lambda ctx: _export(source, target), target, self.exported.emit)

    def _opened(self, opened: Opened) -> None:
        self.current = opened.path
        self.opened.emit(opened)

    def _run(self, work: Callable[[JobContext], Any], path: Path, done: Callable[[Any], object]) -> None:
        runner = JobRunner(CallJob(work))

        def ended(ending: object) -> None:
            if isinstance(ending, Succeeded):
                done(ending.result)
            elif isinstance(ending, Failed) and isinstance(ending.error, (OSError, ValueError)):
                self.failed.emit(cannot_read(path, ending.error))
            elif isinstance(ending, Failed):
                raise ending.error

        runner.ended.connect(ended)
        runner.start()

    def _ask(self, title: str, then: Callable[[list[Path]], object], *, many: bool = False) -> None:
        dialog = self._dialog(title, self.tr("Recordings (*{suffix})").format(suffix=SUFFIX))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles if many else QFileDialog.FileMode.ExistingFile)
        dialog.filesSelected.connect(lambda names: then([Path(name) for name in names]))
        dialog.open()

    def _ask_target(self, source: Path) -> None:
        dialog = self._dialog(self.tr("Export as a table"), self.tr("Tables (*.csv)"))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix("csv")
        dialog.selectFile(source.with_suffix(".csv").name)
        dialog.fileSelected.connect(lambda name: self.export(source, Path(name)))
        dialog.open()

    def _dialog(self, title: str, kinds: str) -> QFileDialog:
        dialog = QFileDialog(self._window, title, str(self._folder) if self._folder.is_dir() else "", kinds)
        dialog.finished.connect(dialog.deleteLater)
        return dialog


def _read(path: Path) -> Opened:
    recording: Recording = open_recording(path)
    store = recording.store()
    return Opened(path, store, recording.truncated)


def _read_two(first: Path, second: Path) -> tuple[tuple[Opened, Opened], Comparison | None]:
    opened = _read(first), _read(second)
    return opened, compare(opened[0].store, opened[1].store)


def _export(source: Path, target: Path) -> Path:
    # spreadsheets on Windows read UTF-8 only with a mark at its beginning
    with target.open("w", encoding="utf-8-sig", newline="") as out:
        export_csv(open_recording(source), out)
    return target
