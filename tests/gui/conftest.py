"""The window's own guards: a Qt warning, an unexpected modal dialog or a running job fails the test that caused it."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QtMsgType, qInstallMessageHandler
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog

from gpu_assistant.base.paths import app_paths
from gpu_assistant.base.settings import Settings
from gpu_assistant.gui import jobs, language, theme
from gpu_assistant.gui.application import make_application
from gpu_assistant.gui.main_window import MainWindow, Start
from gpu_assistant.gui.services import Services

if sys.platform == "win32":
    # the offscreen platform does not ask Windows for its fonts
    os.environ.setdefault("QT_QPA_FONTDIR", os.path.expandvars("%WINDIR%\\Fonts"))

# What the offscreen platform says about itself, whoever asks.
HARMLESS = ("This plugin does not support",)


@pytest.fixture(scope="session")
def qapp_cls() -> Callable[[list[str]], QApplication]:
    return lambda arguments: make_application()


@pytest.fixture(autouse=True)
def no_qt_warnings() -> Iterator[None]:
    said: list[str] = []

    def listen(kind: QtMsgType, context: object, text: str) -> None:
        if kind != QtMsgType.QtDebugMsg and not text.startswith(HARMLESS):
            said.append(text)

    before = qInstallMessageHandler(listen)
    yield
    qInstallMessageHandler(before)
    assert not said, f"Qt warned: {said}"


@pytest.fixture(autouse=True)
def no_modal_dialogs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nested event loops of dialogs would hang a test; a test that expects a question uses `answer`."""

    def refuse(*args: object, **kwargs: object) -> None:
        raise AssertionError("a modal dialog was executed")

    monkeypatch.setattr(QDialog, "exec", refuse)
    for name in ("getExistingDirectory", "getSaveFileName", "getOpenFileName"):
        monkeypatch.setattr(QFileDialog, name, staticmethod(refuse))


@pytest.fixture(autouse=True)
def english(qapp: QApplication) -> Iterator[None]:
    language.set_language("en")
    theme.apply_theme("light")
    yield
    jobs.end_all_jobs()
    qapp.processEvents()
    assert not jobs.jobs_running(), "a job was left running"


@pytest.fixture
def open_window(qtbot: object, request: pytest.FixtureRequest) -> Callable[..., MainWindow]:
    """Opens the window with a named state, a recording, or from the start, and closes it in the end."""

    def open_(
        state: str | None = None,
        *,
        services: Services | None = None,
        replay: Path | None = None,
        settings: Settings | None = None,
        size: tuple[int, int] = (1120, 720),
    ) -> MainWindow:
        start = Start(settings=settings or Settings(), paths=app_paths(), state=state, replay=replay)
        if services is not None:
            services.settings, services.paths = start.settings, start.paths
        window = MainWindow(start, services)
        qtbot.addWidget(window)  # type: ignore[attr-defined]
        window.resize(*size)
        window.show()
        return window

    return open_
