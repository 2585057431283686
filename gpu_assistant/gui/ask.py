"""Questions before what cannot be undone. They do not block: the answer comes by a call."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox, QWidget


def ask(parent: QWidget, question: str, yes: tuple[str, Callable[[], None]], no: str, details: str = "") -> QMessageBox:
    """Asks; `yes` is the button's words and what it does, `details` stand under the question. Esc and Enter mean no."""
    box = QMessageBox(QMessageBox.Icon.Question, "GPU Assistant", question, parent=parent)
    box.setInformativeText(details)
    box.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    words, action = yes
    do = box.addButton(words, QMessageBox.ButtonRole.AcceptRole)
    do_not = box.addButton(no, QMessageBox.ButtonRole.RejectRole)
    box.setDefaultButton(do_not)
    box.setEscapeButton(do_not)
    box.finished.connect(lambda _: action() if box.clickedButton() is do else None)
    box.finished.connect(box.deleteLater)
    box.open()
    return box
