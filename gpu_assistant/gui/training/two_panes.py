"""A form and its answer, side by side where there is room, else one above the other; what is too tall scrolls."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QScrollArea, QSizePolicy, QWidget

from gpu_assistant.gui.theme import SPACE

NARROW = 860  # pixels under which they stand one above the other


class TwoPanes(QScrollArea):
    """Never squashes what is in it."""

    def __init__(self, left: QWidget, right: QWidget, *, width: int) -> None:
        """`width`: pixels of the left one where there is room."""
        super().__init__()
        self._left, self._width = left, width
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        inside = QWidget()
        self._line = QBoxLayout(QBoxLayout.Direction.LeftToRight, inside)
        self._line.setContentsMargins(0, 0, 0, 0)
        self._line.setSpacing(2 * SPACE)
        self._line.addWidget(left)
        self._line.addWidget(right, 1)
        right.setMinimumWidth(0)
        right.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.setWidget(inside)
        self._arrange()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        narrow = self.width() < NARROW
        direction = QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight
        self._line.setDirection(direction)
        self._left.setFixedWidth(self.viewport().width() if narrow else self._width)
