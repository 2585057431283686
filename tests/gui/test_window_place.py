"""The window comes back where it was, and never where no mouse can reach it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QRect, QSize
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from gpu_assistant.base.paths import app_paths
from gpu_assistant.base.settings import Settings
from gpu_assistant.gui.main_window import MainWindow, Start
from gpu_assistant.gui.window_place import FILE_NAME, GRIP, TITLE_HEIGHT, WindowPlace, fitting

MAIN = QRect(0, 0, 1366, 728)
RIGHT = QRect(1366, -200, 1280, 984)  # at 150 %: its pixels are counted by its own scale
OpenWindow = Callable[..., MainWindow]
SMALLEST = QSize(640, 420)


def place(x: int, y: int, width: int = 1000, height: int = 600) -> WindowPlace:
    return WindowPlace(x=x, y=y, width=width, height=height)


def test_on_screens_as_before_it_stands_as_before() -> None:
    assert fitting(place(100, 80), [MAIN], SMALLEST) == QRect(100, 80, 1000, 600)
    assert fitting(place(1500, -100), [MAIN, RIGHT], SMALLEST) == QRect(1500, -100, 1000, 600)


def test_from_a_screen_that_is_gone_it_comes_to_the_main_one() -> None:
    found = fitting(place(1500, -100), [MAIN], SMALLEST)
    assert MAIN.contains(found)
    assert found.size() == QSize(1000, 600)


def test_on_a_smaller_screen_it_shrinks() -> None:
    small = QRect(0, 0, 800, 552)  # 1600 x 1152 at 200 %
    assert small.contains(fitting(place(300, 300, 1120, 720), [small], SMALLEST))


@given(
    st.integers(-5000, 5000),
    st.integers(-5000, 5000),
    st.integers(1, 5000),
    st.integers(1, 5000),
    st.sampled_from([[MAIN], [MAIN, RIGHT], [RIGHT, MAIN], [QRect(0, 0, 640, 452)]]),
)
def test_its_title_can_always_be_reached(x: int, y: int, width: int, height: int, screens: list[QRect]) -> None:
    found = fitting(place(x, y, width, height), screens, SMALLEST)
    title = QRect(found.x(), found.y() - TITLE_HEIGHT, found.width(), TITLE_HEIGHT)
    assert any(
        screen.intersected(title).width() >= GRIP.width() and screen.intersected(title).height() >= GRIP.height()
        for screen in screens
    )
    assert any(screen.contains(found) for screen in screens)


@pytest.mark.parametrize("kept", [b"", b"{", b'{"x": 1}', b'{"x": 9999, "y": 9999, "width": 900, "height": 500}'])
def test_nonsense_does_no_harm(kept: bytes, own_home: Path) -> None:
    (own_home / "data").mkdir()
    (own_home / "data" / FILE_NAME).write_bytes(kept)
    window = MainWindow(Start(settings=Settings(), paths=app_paths()))
    window.close()
    assert QGuiApplication.primaryScreen().availableGeometry().contains(window.geometry())


def test_a_closed_window_opens_where_it_was(open_window: OpenWindow, qapp: QApplication) -> None:
    first = open_window()
    first.setGeometry(QRect(20, 60, 700, 480))
    qapp.processEvents()
    kept = first.geometry()
    assert first.close()
    again = MainWindow(Start(settings=first.settings, paths=first.paths))
    assert again.geometry() == kept
    again.close()
