"""An error of our own: written to a file, shown in words, sent nowhere."""

from __future__ import annotations

import sys
import threading
import time
import traceback
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, Qt, Signal

from gpu_assistant import __version__

if TYPE_CHECKING:
    from gpu_assistant.gui.crash_dialog import CrashDialog

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
            QCoreApplication.quit()
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

    from gpu_assistant.base.redact import redact

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
    from gpu_assistant.gui.crash_dialog import CrashDialog

    _dialog = CrashDialog(text, path)
    _dialog.finished.connect(_closed)
    _dialog.open()


def _closed() -> None:
    global _dialog
    if _dialog is not None:
        _dialog.deleteLater()
    _dialog = None
