"""A small picture, shown big and smooth; a grid of guesses has each guess written under its picture."""

from __future__ import annotations

import base64

from PySide6.QtCore import QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from gpu_assistant.gui import icons, theme
from gpu_assistant.smoke_test.events import Picture

WRONG = "!="  # in a label: guessed != true
CAPTION = 0.85  # of the widget's font
GAP = 2.0


class PictureView(QWidget):
    """Keeps the picture's proportions; a quiet placeholder until there is one."""

    def __init__(self) -> None:
        super().__init__()
        self._image = QImage()
        self._shown: Picture | None = None
        self.setMinimumSize(160, 160)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def sizeHint(self) -> QSize:
        return QSize(300, 300)

    def show_picture(self, picture: Picture) -> None:
        """Shows it; one whose bytes do not fit its size is not shown."""
        if picture == self._shown:
            return
        self._shown = picture
        width, height = picture.width, picture.height
        data = base64.b64decode(picture.rgb)
        if len(data) == width * height * 3:
            # copy: the picture must own its bytes
            self._image = QImage(data, width, height, width * 3, QImage.Format.Format_RGB888).copy()
            self.update()

    def clear_picture(self) -> None:
        """Back to the placeholder."""
        self._shown, self._image = None, QImage()
        self.update()

    @property
    def image(self) -> QImage:
        """What is shown; null when nothing is."""
        return self._image

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        if self._image.isNull():
            self._paint_placeholder(painter)
        elif self._shown is not None and self._shown.labels and self._shown.columns > 0:
            self._paint_guesses(painter, self._shown.labels, self._shown.columns)
        else:
            self._paint_whole(painter)

    def _paint_whole(self, painter: QPainter) -> None:
        place = self._centred(QSizeF(self._image.size()))
        _clip(painter, place, 8)
        painter.drawImage(place, self._image)

    def _paint_guesses(self, painter: QPainter, labels: tuple[str, ...], columns: int) -> None:
        rows = -(-len(labels) // columns)
        painter.setFont(theme.sized(self.font(), CAPTION))
        height = painter.fontMetrics().height()
        side = min(self.width() / columns, self.height() / rows - height) - GAP
        source = QSizeF(self._image.width() / columns, self._image.height() / rows)
        step = QSizeF(self.width() / columns, side + GAP + height)
        top = (self.height() - rows * step.height()) / 2
        for place, label in enumerate(labels):
            line, column = divmod(place, columns)
            left, y = column * step.width(), top + line * step.height()
            cell = QRectF(left + (step.width() - side) / 2, y, side, side)
            painter.drawImage(
                cell,
                self._image,
                QRectF(column * source.width(), line * source.height(), source.width(), source.height()),
            )
            tone, text = caption(label)
            painter.setPen(theme.foreground(tone))
            painter.drawText(QRectF(left, y + side, step.width(), height), Qt.AlignmentFlag.AlignCenter, text)

    def _paint_placeholder(self, painter: QPainter) -> None:
        place = self._centred(QSizeF(1, 1))
        _clip(painter, place, 8)
        painter.fillRect(place, QColor(theme.colours().alternate))
        mark = min(48.0, place.width() / 3)
        centre = place.center()
        icons.paint_icon(
            painter,
            "picture",
            QRectF(centre.x() - mark / 2, centre.y() - mark / 2, mark, mark),
            QColor(theme.colours().border),
        )

    def _centred(self, size: QSizeF) -> QRectF:
        size = size.scaled(QSizeF(self.size()), Qt.AspectRatioMode.KeepAspectRatio)
        place = QRectF(0, 0, size.width(), size.height())
        place.moveCenter(QRectF(self.rect()).center())
        return place


def _clip(painter: QPainter, place: QRectF, radius: float) -> None:
    shape = QPainterPath()
    shape.addRoundedRect(place, radius, radius)
    painter.setClipPath(shape)


def caption(label: str) -> tuple[theme.Tone, str]:
    """What stands under one guess: its mark, and where it is wrong what is right."""
    if WRONG not in label:
        return "good", f"{label} ✓"
    guess, _, truth = label.partition(WRONG)
    return "problem", f"{guess} ≠ {truth}"
