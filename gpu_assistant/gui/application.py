"""Starts the window: style, language, one instance, the crash handler, the session."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import cast

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from gpu_assistant import __version__
from gpu_assistant.base.paths import app_paths
from gpu_assistant.base.settings import load_settings
from gpu_assistant.gui import crash, icons, language, theme
from gpu_assistant.gui.main_window import MainWindow, Start


def make_application() -> QApplication:
    """The one QApplication, with our style; gives back the running one if there is one."""
    app = cast(QApplication | None, QApplication.instance()) or QApplication(sys.argv[:1])
    app.setApplicationName("gpu-assistant")
    app.setApplicationDisplayName("GPU Assistant")
    app.setApplicationVersion(__version__)
    app.setDesktopFileName("gpu-assistant")
    theme.choose_style(app)
    return app


def run_window(options: argparse.Namespace) -> int:
    """Opens the window and runs until it is closed; returns the exit code."""
    app = make_application()
    paths = app_paths()
    settings, trouble = load_settings(paths.config / "settings.toml")
    theme.apply_theme(options.theme or settings.theme)
    app.styleHints().colorSchemeChanged.connect(theme.follow_scheme)
    language.set_language(options.lang or language.wanted_language(settings))
    app.setWindowIcon(icons.app_icon())
    crash.install(paths.logs)
    alone = options.exit_after_first_paint or options.state is not None or _first_instance(options.file)
    if not alone:
        return 0
    start = Start(settings=settings, paths=paths, trouble=trouble, replay=options.replay, state=options.state)
    window = MainWindow(start)
    if options.exit_after_first_paint:
        window.painted.connect(_end_after_paint)
    window.show()
    if not options.exit_after_first_paint:
        window.begin()
        if options.file is not None:
            window.open_file(options.file)
        _raise_on_second_start(window)
    code = app.exec()
    window.deleteLater()
    return code


def _end_after_paint() -> None:
    QTimer.singleShot(0, QApplication.quit)


def _first_instance(file: Path | None) -> bool:
    from gpu_assistant.gui import single_instance

    return single_instance.claim(app_paths().data, file)


def _raise_on_second_start(window: MainWindow) -> None:
    from gpu_assistant.gui import single_instance

    single_instance.on_second_start(window.started_again)
