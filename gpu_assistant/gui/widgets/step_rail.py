"""The steps of the wizard at its left edge: done, here, to come."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QVBoxLayout

from gpu_assistant.gui import theme
from gpu_assistant.gui.theme import SPACE
from gpu_assistant.gui.widgets.base import Label, Symbol, row

WIDTH = 208


class StepRail(QFrame):
    """A list of step names. The current one is bold and marked, those before it ticked."""

    def __init__(self, count: int) -> None:
        super().__init__()
        self.setFixedWidth(WIDTH)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2 * SPACE, 3 * SPACE, SPACE, 2 * SPACE)
        layout.setSpacing(2 * SPACE)
        self._lines: list[tuple[Symbol, Label]] = []
        self._names: list[str] = [""] * count
        for _ in range(count):
            line = Symbol("todo", 20, "muted"), Label(wrap=True)
            inner = row(*line, spacing=SPACE + 2)
            inner.setAlignment(line[0], Qt.AlignmentFlag.AlignTop)
            layout.addLayout(inner)
            self._lines.append(line)
        layout.addStretch(1)
        self._plain = self.font()

    def show_steps(self, names: Sequence[str], current: int, done: Sequence[bool]) -> None:
        """Shows the names, where we are and what lies behind us."""
        for place, ((symbol, label), name) in enumerate(zip(self._lines, names, strict=True)):
            here = place == current
            if here:
                symbol.show_symbol("current", "accent")
            elif done[place]:
                symbol.show_symbol("check-circle", "good")
            else:
                symbol.show_symbol("todo", "muted")
            label.setText(name)
            label.set_tone("neutral" if here or done[place] else "muted")
            label.setFont(theme.sized(self._plain, 1.0, bold=here))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(theme.colours().alternate))
        painter.setPen(QColor(theme.colours().border))
        painter.drawLine(self.width() - 1, 0, self.width() - 1, self.height())
