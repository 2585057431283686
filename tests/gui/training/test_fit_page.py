"""The planner's page answers at every change, and carries its own advice out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from gpu_assistant.fit.trial import Trial
from gpu_assistant.fit.verdict import GIB
from gpu_assistant.gui import language, theme
from gpu_assistant.gui.training import fit_page
from gpu_assistant.gui.training.fit_page import FitPage
from gpu_assistant.session.state import SessionState
from gpu_assistant.session.states import laptop


@pytest.fixture
def page(qtbot: QtBot) -> FitPage:
    made = FitPage()
    qtbot.addWidget(made)
    made.resize(1366, 700)
    made.show()
    made.show_state(SessionState(report=laptop()))
    return made


def test_the_computers_own_card_is_chosen(page: FitPage) -> None:
    assert page.card.currentText().startswith("★ NVIDIA GeForce RTX 4060 Laptop GPU")
    assert page.answer.accessibleName().startswith("It fits")


def test_its_advice_makes_it_fit(page: FitPage) -> None:
    page.batch.setValue(64)
    assert page.answer.accessibleName().startswith("It does not fit")
    buttons = [one for one in page.findChildren(QPushButton) if one.text() == "&Do all of that"]
    buttons[-1].click()
    assert page.answer.accessibleName().startswith("It fits")
    assert page.batch.value() < 64


def test_a_file_of_the_users_own(page: FitPage, tmp_path: Path) -> None:
    path = tmp_path / "config.json"
    path.write_text(json.dumps({"hidden_size": 512, "num_hidden_layers": 4, "num_attention_heads": 8}), "utf-8")
    page.open_file(path)
    assert page.shape.layers == 4
    path.write_text("{}", "utf-8")
    page.open_file(path)
    assert page.trouble.isVisible()
    assert page.shape.layers == 4


def test_what_was_measured_counts(page: FitPage, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    trial = Trial(peak=30 * GIB, how="card", torch="2.14.1")
    monkeypatch.setattr(fit_page, "run_trial", lambda python, shape, wish, ctx: trial)
    page._python = "python"
    page.measure()
    qtbot.waitUntil(lambda: page.measured.isVisible())
    assert "30.0 GiB" in page.measured.text()
    assert page.answer.accessibleName().startswith("It does not fit")
    page.batch.setValue(page.batch.value() + 1)
    assert not page.measured.isVisible()


@pytest.mark.parametrize("wanted", ["en", "ru"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_is_drawn(page: FitPage, wanted: str, scheme: str) -> None:
    theme.apply_theme(scheme)  # type: ignore[arg-type]
    language.set_language(wanted)  # type: ignore[arg-type]
    page.model.setCurrentIndex(page.model.findData("llama-3-1-8b"))
    page.code_details.set_open(True)
    assert not page.grab().isNull()
