"""The page that reads a script: findings, marked lines, the file that changes under it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QDropEvent, QGuiApplication
from pytestqt.qtbot import QtBot

from gpu_assistant.check.rows import check_rows
from gpu_assistant.gui import language
from gpu_assistant.gui.training.check_page import CheckPage
from gpu_assistant.gui.training.tab import TrainingTab

BAD = check_rows()["loss-kept"].bad[0]
GOOD = check_rows()["loss-kept"].good[0]


def _rules(page: CheckPage) -> list[str]:
    return [card.finding.rule for card in page.cards]


@pytest.fixture
def page(qtbot: QtBot) -> CheckPage:
    page = CheckPage()
    qtbot.addWidget(page)
    page.resize(1366, 700)
    page.show()
    return page


def test_findings_are_shown_with_their_lines(qtbot: QtBot, page: CheckPage, tmp_path: Path) -> None:
    path = tmp_path / "обучение.py"
    path.write_text(BAD, "utf-8")
    assert page.ideas.isVisible()
    assert not page.source.isVisible()
    page.open_file(path)
    qtbot.waitUntil(lambda: bool(page.cards))
    assert _rules(page) == ["loss-kept"]
    card = page.cards[0]
    assert not page.ideas.isVisible()
    assert page.name.text() == "обучение.py"
    marked = [one.cursor.blockNumber() + 1 for one in page.source.extraSelections()]
    assert marked == [card.finding.line]
    qtbot.mouseClick(card.line_button, Qt.MouseButton.LeftButton)
    assert page.source.textCursor().block().text().endswith("total += loss  # <-")


def test_a_saved_file_is_read_again_by_itself(qtbot: QtBot, page: CheckPage, tmp_path: Path) -> None:
    path = tmp_path / "train.py"
    path.write_text(BAD, "utf-8")
    page.open_file(path)
    qtbot.waitUntil(lambda: bool(page.cards))
    other = tmp_path / "new"
    other.write_text(GOOD.replace("loss.detach()", "loss.detach() "), "utf-8")
    other.replace(path)  # as editors save
    qtbot.waitUntil(lambda: not page.cards)
    path.write_text(BAD, "utf-8")
    qtbot.waitUntil(lambda: bool(page.cards))
    path.unlink()
    page.check_again()
    qtbot.waitUntil(lambda: not page.cards)
    assert page.verdict.accessibleName()


def test_trouble_is_said(qtbot: QtBot, page: CheckPage, tmp_path: Path) -> None:
    path = tmp_path / "old.py"
    path.write_text("print 'loss'\n", "utf-8")
    page.open_file(path)
    qtbot.waitUntil(lambda: "Python 2" in page.verdict.accessibleName())
    assert not page.cards


def test_the_language_changes_what_is_shown(
    qtbot: QtBot, page: CheckPage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "train.py"
    path.write_text(BAD, "utf-8")
    page.open_file(path)
    qtbot.waitUntil(lambda: bool(page.cards))
    assert page.cards[0].accessibleName().startswith("Video memory grows")
    monkeypatch.setattr(language, "_language", "ru")
    page.retranslate()
    assert page.cards[0].accessibleName().startswith("Видеопамять растёт")


def test_a_dropped_notebook_is_read(qtbot: QtBot, tmp_path: Path) -> None:
    tab = TrainingTab()
    qtbot.addWidget(tab)
    tab.show()
    path = tmp_path / "lesson.ipynb"
    path.write_text(json.dumps({"cells": [{"cell_type": "code", "source": BAD}]}), "utf-8")
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    buttons, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    tab.dropEvent(QDropEvent(QPoint(5, 5), Qt.DropAction.CopyAction, data, buttons, none))
    qtbot.waitUntil(lambda: bool(tab.check.cards))
    assert tab.pages.currentWidget() is tab.check
    assert tab.check.cards[0].finding.cell == 1
    assert "1:2 │" in tab.check.source.toPlainText()
    tab.shut_down()


def test_the_suggestion_is_copied(qtbot: QtBot, page: CheckPage, tmp_path: Path) -> None:
    from gpu_assistant.gui.troubleshoot.line_view import CommandLine

    path = tmp_path / "train.py"
    path.write_text(BAD, "utf-8")
    page.open_file(path)
    qtbot.waitUntil(lambda: bool(page.cards))
    box = page.cards[0].findChild(CommandLine)
    assert box is not None
    qtbot.mouseClick(box.copy_button, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == "loss.detach()"
