"""An error of our own: written to a file, shown in words, sent nowhere."""

from __future__ import annotations

import sys
import threading
import time
import traceback
from pathlib import Path
from types import TracebackType

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QApplication, QDialog, QPlainTextEdit, QVBoxLayout

from gpu_assistant import __version__
from gpu_assistant.base.redact import redact
from gpu_assistant.gui.theme import SPACE
from gpu_assistant.gui.widgets.base import Label, fixed_font, row
from gpu_assistant.gui.widgets.boxes import Banner, button, name_button

KEPT_REPORTS = 20


class _Bridge(QObject):
    """Brings a crash of any thread to the GUI thread."""

    crashed = Signal(str, str)


_bridge: _Bridge | None = None
_dialog: CrashDialog | None = None


def install(folder: Path) -> None:
    """From now on an unhandled exception of any thread is written into the folder and shown."""
    global _bridge
    _bridge = _Bridge()
    _bridge.crashed.connect(_show, Qt.ConnectionType.QueuedConnection)

    def handle(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            QApplication.quit()
            return
        text = report_text(kind, error, trace)
        path = _write(folder, text)
        if sys.stderr is not None:
            print(text, file=sys.stderr)
        if _bridge is not None:
            _bridge.crashed.emit(text, path)

    sys.excepthook = handle
    threading.excepthook = lambda args: handle(args.exc_type, args.exc_value or args.exc_type(), args.exc_traceback)


def report_text(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> str:
    """The report: versions and traceback, without private parts."""
    import platform

    head = f"GPU Assistant {__version__}, Python {platform.python_version()}, {platform.platform()}\n"
    return redact(head + "".join(traceback.format_exception(kind, error, trace)))


def _write(folder: Path, text: str) -> str:
    path = folder / f"crash-{time.strftime('%Y%m%d-%H%M%S')}.txt"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        for old in sorted(folder.glob("crash-*.txt"))[:-KEPT_REPORTS]:
            old.unlink()
    except OSError:
        return ""
    return str(path)


def _show(text: str, path: str) -> None:
    global _dialog
    if _dialog is not None:  # one is enough; the folder has all reports
        return
    _dialog = CrashDialog(text, path)
    _dialog.finished.connect(_closed)
    _dialog.open()


def _closed() -> None:
    global _dialog
    if _dialog is not None:
        _dialog.deleteLater()
    _dialog = None


class CrashDialog(QDialog):
    """Says that the fault is ours, what is safe, and what can be done with the report."""

    def __init__(self, text: str, path: str) -> None:
        super().__init__(QApplication.activeWindow())
        self.setWindowTitle(self.tr("Something went wrong in GPU Assistant"))
        self.setMinimumSize(640, 420)
        said = Banner("problem")
        said.show_text(
            "problem",
            self.tr("This is our mistake, not yours."),
            [self.tr("Your environments and files are safe. You can go on; if anything looks wrong, start again.")],
        )
        self.report = QPlainTextEdit(text)
        self.report.setReadOnly(True)
        self.report.setFont(fixed_font(self, 0.95))
        self.report.setTabChangesFocus(True)
        self.report.setAccessibleName(self.tr("Report"))
        where = Label(tone="muted", selectable=True)
        where.setText(self.tr("Nothing was sent. The report lies here: {path}").format(path=path))
        copy = button("copy")
        name_button(copy, self.tr("&Copy report"))
        copy.clicked.connect(lambda: QApplication.clipboard().setText(text))
        close = button(primary=True)
        name_button(close, self.tr("&Go on"))
        close.clicked.connect(self.accept)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2 * SPACE, 2 * SPACE, 2 * SPACE, 2 * SPACE)
        layout.setSpacing(SPACE + SPACE // 2)
        for widget in (said, self.report, where):
            layout.addWidget(widget)
        layout.addLayout(row(1, copy, close))
