"""Where the window stood when it was closed, and where it may stand now: a screen may be gone or have another scale."""

from __future__ import annotations

import contextlib
from pathlib import Path

import msgspec
from PySide6.QtCore import QRect, QSize
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from gpu_assistant.base.files import write_atomic
from gpu_assistant.base.model import Value, from_json, to_json

FILE_NAME = "window.json"
TITLE_HEIGHT = 32  # pixels above the window that its title takes
GRIP = QSize(120, 16)  # of the title must be on a screen, so that the mouse can take it


class WindowPlace(Value, frozen=True, kw_only=True):
    """The place of the window when it is not maximized, in pixels that do not depend on a screen's scale."""

    x: int
    y: int
    width: int
    height: int
    maximized: bool = False


def fitting(place: WindowPlace, screens: list[QRect], smallest: QSize) -> QRect:
    """The place on the screens of now (the usable parts, the main one first): shrunk and moved as little as needed."""
    wanted = QRect(place.x, place.y, place.width, place.height)
    title = QRect(place.x, place.y - TITLE_HEIGHT, place.width, TITLE_HEIGHT)
    seen = [title.intersected(screen) for screen in screens]
    best = max(range(len(screens)), key=lambda number: seen[number].width() * seen[number].height())
    reachable = seen[best].width() >= GRIP.width() and seen[best].height() >= GRIP.height()
    screen = screens[best if reachable else 0].adjusted(0, TITLE_HEIGHT, 0, 0)
    size = wanted.size().expandedTo(smallest).boundedTo(screen.size())
    fit = QRect(wanted.topLeft(), size)
    if not reachable:
        fit.moveCenter(screen.center())
    fit.moveRight(min(fit.right(), screen.right()))
    fit.moveBottom(min(fit.bottom(), screen.bottom()))
    fit.moveLeft(max(fit.left(), screen.left()))
    fit.moveTop(max(fit.top(), screen.top()))
    return fit


def restore(window: QWidget, folder: Path) -> None:
    """Puts the window where it was; leaves it as it is where nothing, or nonsense, was kept."""
    try:
        place = from_json((folder / FILE_NAME).read_bytes(), WindowPlace)
    except (OSError, msgspec.DecodeError):
        return
    main = QGuiApplication.primaryScreen()
    screens = sorted(QGuiApplication.screens(), key=lambda screen: screen is not main)
    window.setGeometry(fitting(place, [screen.availableGeometry() for screen in screens], window.minimumSize()))
    if place.maximized:
        window.showMaximized()


def save(window: QWidget, folder: Path) -> None:
    """Keeps the place for the next start; it is not worth an error."""
    normal = window.normalGeometry()
    place = WindowPlace(
        x=normal.x(), y=normal.y(), width=normal.width(), height=normal.height(), maximized=window.isMaximized()
    )
    with contextlib.suppress(OSError):
        write_atomic(folder / FILE_NAME, to_json(place))
