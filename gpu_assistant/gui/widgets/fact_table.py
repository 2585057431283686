"""Lines of label and value; the source of each appears on demand."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QWidget

from gpu_assistant.gui.facts import Fact
from gpu_assistant.gui.theme import SPACE
from gpu_assistant.gui.widgets.base import Label, clear


class FactTable(QWidget):
    """A quiet two-column table, or three columns with the sources."""

    def __init__(self) -> None:
        super().__init__()
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(2 * SPACE)
        self._grid.setVerticalSpacing(SPACE // 2)
        self._grid.setColumnStretch(1, 3)
        self._grid.setColumnStretch(2, 2)
        self._facts: list[Fact] = []
        self._sources: list[Label] = []
        self._with_sources = False

    def show_facts(self, facts: Sequence[Fact]) -> None:
        """Shows these lines."""
        if list(facts) == self._facts:
            return
        self._facts = list(facts)
        clear(self._grid)
        self._sources = []
        for place, fact in enumerate(facts):
            label = Label(fact.label, tone="muted", wrap=False)
            value = Label(fact.value, selectable=True)
            source = Label(fact.source, tone="muted", size=0.9)
            source.setVisible(self._with_sources)
            self._sources.append(source)
            for column, widget in enumerate((label, value, source)):
                self._grid.addWidget(widget, place, column, Qt.AlignmentFlag.AlignTop)

    def show_sources(self, shown: bool) -> None:
        """Shows or hides where each value comes from."""
        self._with_sources = shown
        for source in self._sources:
            source.setVisible(shown)
