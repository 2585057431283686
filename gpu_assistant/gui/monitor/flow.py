"""A grid of equal boxes that takes as many columns as fit."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QGridLayout, QWidget


class Flow(QObject):
    """Arranges the children of one widget, again whenever that gets wider or narrower."""

    def __init__(self, box: QWidget, spacing: int) -> None:
        super().__init__(box)
        self._box = box
        self._grid = QGridLayout(box)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(spacing)
        self._items: list[QWidget] = []
        self._columns = 0
        box.installEventFilter(self)

    def add(self, item: QWidget) -> None:
        """Takes one more, at the end."""
        self._items.append(item)
        self._columns = 0
        self._arrange()

    def remove(self, item: QWidget) -> None:
        """Lets one go, for good."""
        self._items.remove(item)
        self._grid.removeWidget(item)
        item.hide()
        item.deleteLater()
        self._columns = 0
        self._arrange()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._arrange()
        return False

    def _arrange(self) -> None:
        if not self._items:
            return
        room = self._box.width() + self._grid.spacing()
        wanted = self._items[0].sizeHint().width() + self._grid.spacing()
        columns = max(1, min(room // wanted, len(self._items)))
        if columns == self._columns:
            return
        self._columns = columns
        for item in self._items:
            self._grid.removeWidget(item)
        for number, item in enumerate(self._items):
            self._grid.addWidget(item, *divmod(number, columns))
