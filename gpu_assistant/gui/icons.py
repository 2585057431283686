"""The program's icons: SVG drawings in one colour, which is the palette's, sharp at every scale."""

from __future__ import annotations

import functools

from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from gpu_assistant.base.resources import resource_root
from gpu_assistant.gui import theme

SIZES = (16, 24, 32, 48)


@functools.cache
def _source(name: str) -> bytes:
    return (resource_root() / "icons" / f"{name}.svg").read_bytes()


@functools.lru_cache(maxsize=256)
def _renderer(name: str, colour: str) -> QSvgRenderer:
    return QSvgRenderer(QByteArray(_source(name).replace(b"currentColor", colour.encode())))


def paint_icon(painter: QPainter, name: str, rect: QRectF, colour: QColor) -> None:
    """Draws the icon into the rectangle."""
    _renderer(name, colour.name()).render(painter, rect)


def pixmap(name: str, size: int, colour: QColor, ratio: float = 1.0) -> QPixmap:
    """The icon as a picture of `size` logical pixels."""
    picture = QPixmap(QSize(round(size * ratio), round(size * ratio)))
    picture.setDevicePixelRatio(ratio)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    paint_icon(painter, name, QRectF(0, 0, size, size), colour)
    painter.end()
    return picture


def icon(name: str, colour: QColor | None = None) -> QIcon:
    """The icon for buttons and menus, in the palette's text colour."""
    return _icon(name, (colour or theme.foreground("neutral")).name())


@functools.lru_cache(maxsize=256)
def _icon(name: str, colour: str) -> QIcon:
    made = QIcon()
    for size in SIZES:
        made.addPixmap(pixmap(name, size, QColor(colour)))
    return made


def app_icon() -> QIcon:
    """The program's own icon."""
    return _icon("app", "#000000")
