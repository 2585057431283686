"""The CPU-only road for real, by clicks: detection, a real install from a folder of wheels, a real training."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt

from gpu_assistant.base.settings import Settings
from gpu_assistant.gui.main_window import MainWindow
from tests.gui.test_road import Driver

WHEELS = os.environ.get("PIP_FIND_LINKS", "")
WHOLE = bool(WHEELS) and any(Path(WHEELS).glob("sympy-*"))  # with what torch needs: no package index is asked
PATIENCE_MS = 1_200_000


@pytest.mark.real_install
@pytest.mark.allow_network
@pytest.mark.timeout(1500)
@pytest.mark.skipif(not WHEELS or not any(Path(WHEELS).glob("torch-*")), reason="no folder with torch wheels")
def test_the_processor_road_for_real(qtbot: Any, open_window: Callable[..., MainWindow], tmp_path: Path) -> None:
    settings = Settings(wheel_folder=WHEELS, root_folder=str(tmp_path / "root"), offline=WHOLE)
    drive = Driver(qtbot, open_window(settings=settings))
    drive.click(drive.page.next_button)
    qtbot.waitUntil(lambda: drive.state.verdict is not None and not drive.state.busy, timeout=60_000)
    drive.next("choose")
    card = next(card for card in drive.page.cards if card.key == "cpu")
    qtbot.mouseClick(card, Qt.MouseButton.LeftButton)
    drive.next("review")
    drive.click(drive.page.next_button)
    qtbot.waitUntil(lambda: drive.state.page == "install" and not drive.state.busy, timeout=PATIENCE_MS)
    assert drive.state.install.ending == "succeeded", drive.state.install.failure
    assert drive.state.install.verified.build == "cpu"
    drive.next("smoke_test")
    drive.click(drive.page.start_button)
    qtbot.waitUntil(lambda: drive.state.smoke is not None and not drive.state.busy, timeout=PATIENCE_MS)
    run = drive.state.smoke
    assert run.verdict == "passed", (run.error, run.failed_proofs, run.lines[-20:])
    assert run.device.kind == "cpu"
    assert len(run.curve("loss")) > 10
    assert not drive.page.picture.image.isNull()
    drive.next("finish")
    qtbot.mouseClick(drive.page.undo.button, Qt.MouseButton.LeftButton)
    drive.click(drive.page.undo_button)
    drive.answer("Yes")
    qtbot.waitUntil(lambda: drive.state.page == "choose" and not drive.state.busy, timeout=60_000)
    assert not list((tmp_path / "root" / "envs").iterdir())
