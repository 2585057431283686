"""Saves a training run as a picture (what the page shows) or as data."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QWidget

from gpu_assistant.base.files import write_atomic
from gpu_assistant.smoke_test.run import SmokeRun
from gpu_assistant.smoke_test.store import export_json


def export_run(name: str, run: SmokeRun, page: QWidget) -> str:
    """Writes the file; returns a sentence that says how it went."""
    path = Path(name)
    try:
        if path.suffix.lower() == ".json":
            write_atomic(path, export_json(run))
        elif not page.grab().save(str(path), "PNG"):
            raise OSError(str(path))
    except OSError as error:
        failed = QCoreApplication.translate("Export", "Could not save: {detail}")
        return failed.format(detail=error)
    return QCoreApplication.translate("Export", "Saved: {path}").format(path=path)
