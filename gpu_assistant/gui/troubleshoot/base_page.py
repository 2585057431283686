"""Everything the program knows, to be read and searched without an error at hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QLineEdit, QSplitter, QTreeWidget, QTreeWidgetItem, QVBoxLayout, QWidget

from gpu_assistant.gui.language import language
from gpu_assistant.gui.theme import SPACE
from gpu_assistant.gui.troubleshoot.diagnosis_card import DiagnosisCard
from gpu_assistant.gui.troubleshoot.error_page import scrolling
from gpu_assistant.gui.widgets.base import Label, Worded, clear, column
from gpu_assistant.troubleshoot.diagnosis import Diagnosis
from gpu_assistant.troubleshoot.search import Hit

TYPED_MS = 150  # after the last key
RULE = Qt.ItemDataRole.UserRole


class BasePage(Worded):
    """A search line, a list, a card."""

    words_typed = Signal(str)
    rule_chosen = Signal(str)
    fix_wanted = Signal(object, object)
    page_wanted = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._families: dict[str, tuple[Hit, ...]] = {}
        self._hits: tuple[Hit, ...] | None = None
        self.card: DiagnosisCard | None = None
        self._shown: Diagnosis | None = None
        self.search = QLineEdit()
        self.search.setClearButtonEnabled(True)
        self.list = QTreeWidget()
        self.list.setHeaderHidden(True)
        self.list.setUniformRowHeights(False)
        self.list.setWordWrap(True)
        self.count = Label(tone="muted")
        self._typed = QTimer(self)
        self._typed.setSingleShot(True)
        self._typed.setInterval(TYPED_MS)
        self._typed.timeout.connect(lambda: self.words_typed.emit(self.search.text()))
        self.search.textChanged.connect(lambda _: self._typed.start())
        self.list.currentItemChanged.connect(self._choose)
        self._place = QVBoxLayout()
        inside = QWidget()
        holder = column(self._place, 1)
        holder.setContentsMargins(SPACE, 0, 2 * SPACE, 2 * SPACE)
        inside.setLayout(holder)
        left = QWidget()
        left.setLayout(column(self.search, self.count, self.list))
        split = QSplitter()
        split.addWidget(left)
        split.addWidget(scrolling(inside))
        split.setStretchFactor(0, 1)
        split.setStretchFactor(1, 2)
        split.setSizes([380, 760])
        split.setChildrenCollapsible(False)
        whole = column(split)
        whole.setContentsMargins(2 * SPACE, SPACE, SPACE, SPACE)
        self.setLayout(whole)
        self.retranslate()

    def retranslate(self) -> None:
        self.search.setPlaceholderText(self.tr("Search: words, an error code, a package"))
        self.search.setAccessibleName(self.tr("Search the causes"))
        self.list.setAccessibleName(self.tr("Causes"))
        self._draw_list()
        self.show_card(self._shown)

    def show_families(self, families: Mapping[str, tuple[Hit, ...]]) -> None:
        """The whole base."""
        self._families, self._hits = dict(families), None
        self._draw_list()

    def show_hits(self, hits: Sequence[Hit] | None) -> None:
        """What was found; None: everything, by family."""
        self._hits = None if hits is None else tuple(hits)
        self._draw_list()

    def show_card(self, diagnosis: Diagnosis | None) -> None:
        """One cause, to read."""
        self._shown = diagnosis
        clear(self._place)
        self.card = None
        if diagnosis is None:
            self._place.addWidget(Label(self.tr("Choose a cause at the left to read about it."), tone="muted"))
            return
        self.card = DiagnosisCard(diagnosis, known=True)
        self.card.fix_wanted.connect(self.fix_wanted)
        self.card.page_wanted.connect(self.page_wanted)
        self._place.addWidget(self.card)

    def _draw_list(self) -> None:
        self.list.blockSignals(True)
        self.list.clear()
        self.list.setRootIsDecorated(self._hits is None)
        if self._hits is None:
            for family, hits in self._families.items():
                top = QTreeWidgetItem([f"{self._family(family)} ({len(hits)})"])
                self.list.addTopLevelItem(top)
                top.addChildren([_item(hit) for hit in hits])
        else:
            self.list.addTopLevelItems([_item(hit) for hit in self._hits])
        self.list.blockSignals(False)
        number = sum(map(len, self._families.values())) if self._hits is None else len(self._hits)
        if number:
            self.count.setText(self.tr("%n cause(s)", "", number))
        else:
            self.count.setText(self.tr("Nothing found. Try one word, or the number of the error."))

    def _family(self, name: str) -> str:
        return {
            "memory": self.tr("Memory"),
            "driver": self.tr("Driver and card"),
            "build": self.tr("Builds and versions"),
            "runtime": self.tr("While training"),
            "install": self.tr("Installing packages"),
            "frameworks": self.tr("Frameworks and add-ons"),
            "ordinary": self.tr("Not about the card"),
        }.get(name, name)

    def _choose(self, item: QTreeWidgetItem | None) -> None:
        rule = item.data(0, RULE) if item is not None else None
        if rule:
            self.rule_chosen.emit(rule)


def _item(hit: Hit) -> QTreeWidgetItem:
    title = hit.title.say(language())
    item = QTreeWidgetItem([title])
    item.setData(0, RULE, hit.rule)
    item.setToolTip(0, title)
    return item
