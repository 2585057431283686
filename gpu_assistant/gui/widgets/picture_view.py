"""A small picture, shown big and smooth."""

from __future__ import annotations

import base64

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from gpu_assistant.gui import icons, theme


class PictureView(QWidget):
    """Keeps the picture's proportions; a quiet placeholder until there is one."""

    def __init__(self) -> None:
        super().__init__()
        self._image = QImage()
        self._rgb = ""
        self.setMinimumSize(160, 160)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def sizeHint(self) -> QSize:
        return QSize(300, 300)

    def show_rgb(self, rgb: str, width: int, height: int) -> None:
        """Shows base64 RGB rows; what does not fit its size is not shown."""
        if rgb == self._rgb:
            return
        self._rgb = rgb
        data = base64.b64decode(rgb)
        if len(data) == width * height * 3:
            # copy: the picture must own its bytes
            self._image = QImage(data, width, height, width * 3, QImage.Format.Format_RGB888).copy()
            self.update()

    def clear_picture(self) -> None:
        """Back to the placeholder."""
        self._rgb, self._image = "", QImage()
        self.update()

    @property
    def image(self) -> QImage:
        """What is shown; null when nothing is."""
        return self._image

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        size = self._image.size() if not self._image.isNull() else QSize(1, 1)
        fitted = size.scaled(self.size(), Qt.AspectRatioMode.KeepAspectRatio)
        place = QRectF(
            (self.width() - fitted.width()) / 2, (self.height() - fitted.height()) / 2, fitted.width(), fitted.height()
        )
        shape = QPainterPath()
        shape.addRoundedRect(place, 8, 8)
        painter.setClipPath(shape)
        if not self._image.isNull():
            painter.drawImage(place, self._image)
            return
        painter.fillRect(place, QColor(theme.colours().alternate))
        mark = min(48.0, place.width() / 3)
        centre = place.center()
        icons.paint_icon(
            painter,
            "picture",
            QRectF(centre.x() - mark / 2, centre.y() - mark / 2, mark, mark),
            QColor(theme.colours().border),
        )
