"""The page that watches a program of the user's: real children, a sampler that plays a card."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QMessageBox
from pytestqt.qtbot import QtBot

from gpu_assistant.detect.report import PackageBuild, PythonEnvironment, System, SystemReport
from gpu_assistant.gui import jobs, language, theme
from gpu_assistant.gui.main_window import TRAINING, TROUBLESHOOTING, MainWindow
from gpu_assistant.gui.training.watch_page import WatchPage
from gpu_assistant.monitor.model import GpuSample, HostSample, Sample
from gpu_assistant.session.state import SessionState
from gpu_assistant.watch.store import list_runs

OpenWindow = Callable[..., MainWindow]

LOOP = """
import sys, time
from gpu_assistant_watch import step
for number in range(int(sys.argv[1])):
    time.sleep(0.02)
    print("step", number)
    step(loss=1 / (number + 1))
"""
REPORT = SystemReport(
    made_at="2026-12-01T00:00:00Z",
    program="test",
    system=System(os="linux", name="Linux"),
    pythons=(
        PythonEnvironment(
            executable=sys.executable, version="3.12", packages=(PackageBuild(name="torch", version="2.14.1"),)
        ),
    ),
)


class PlayedCard:
    """A sampler whose card is half busy."""

    def __init__(self, on_sample: Callable[[Sample], None], interval: float) -> None:
        self._on_sample = on_sample
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run)

    def start(self) -> None:
        self._thread.start()

    def stop(self, timeout: float = 5.0) -> None:
        self._over.set()
        self._thread.join(timeout)

    def _run(self) -> None:
        while not self._over.wait(0.05):
            gpu = GpuSample(uuid="GPU-1", index=0, name="RTX 4060", values={"utilization": 50.0, "vram_used": 2e9})
            self._on_sample(Sample(time=time.time(), gpus=(gpu,), host=HostSample(values={"cpu": 30.0})))


@pytest.fixture
def page(qtbot: QtBot, tmp_path: Path) -> Iterator[WatchPage]:
    made = WatchPage(PlayedCard, tmp_path / "watched")
    qtbot.addWidget(made)
    made.resize(1366, 700)
    made.show()
    made.show_state(SessionState(report=REPORT))
    yield made
    made.shut_down()


def script(folder: Path, text: str = LOOP) -> Path:
    path = folder / "train.py"
    path.write_text(text, "utf-8")
    return path


def run(page: WatchPage, qtbot: QtBot, path: Path, arguments: str = "") -> None:
    page.open_file(path)
    page.arguments.setText(arguments)
    with qtbot.waitSignal(page.watching.ended, timeout=60_000):
        page.start_button.click()
    qtbot.waitUntil(lambda: not jobs.jobs_running())


def test_a_script_runs_and_its_steps_are_seen(page: WatchPage, qtbot: QtBot, tmp_path: Path) -> None:
    run(page, qtbot, script(tmp_path), "80")
    seen = page.watching.observation
    assert seen.run.verdict == "finished"
    assert seen.run.told
    assert seen.run.steps == 80
    qtbot.waitUntil(lambda: "step 79" in page.log.toPlainText())
    assert page.seen.isVisible()
    assert page.seen.places.text().splitlines()[0].endswith("time.sleep(0.02)")
    page.save(tmp_path / "page.html")
    assert "train.py:5" in (tmp_path / "page.html").read_text("utf-8")
    page.save(tmp_path / "page.json")
    assert '"verdict": "finished"' in (tmp_path / "page.json").read_text("utf-8")


def test_an_error_is_handed_over_with_its_facts(page: WatchPage, qtbot: QtBot, tmp_path: Path) -> None:
    failing = "raise RuntimeError('CUDA error: no kernel image is available for execution on the device')"
    run(page, qtbot, script(tmp_path, failing))
    assert page.help_button.isVisible()
    with qtbot.waitSignal(page.help_wanted) as handed:
        page.help_button.click()
    evidence = handed.args[0]
    assert (evidence.exit_code, evidence.environment, evidence.source) == (1, sys.executable, "watched")
    assert "no kernel image" in evidence.text


def test_stopping_ends_the_program(page: WatchPage, qtbot: QtBot, tmp_path: Path) -> None:
    page.open_file(script(tmp_path))
    page.arguments.setText("100000")
    page.start_button.click()
    qtbot.waitUntil(lambda: page.watching.observation.run.steps > 0, timeout=30_000)
    assert page.works
    assert not page.start_button.isVisible()
    page.stop_button.click()
    qtbot.waitUntil(lambda: not page.watching.works, timeout=10_000)
    assert page.watching.observation.run.verdict == "cancelled"


def test_two_runs_are_compared(page: WatchPage, qtbot: QtBot, tmp_path: Path) -> None:
    slow = LOOP.replace("0.02", "0.06")
    run(page, qtbot, script(tmp_path, slow), "40")
    run(page, qtbot, script(tmp_path), "120")
    after, before = list_runs(tmp_path / "watched")
    page.show_earlier()
    assert page.dialog is not None
    page.dialog.list.selectAll()
    assert page.dialog.compare_button.isEnabled()
    page.dialog.compare_button.click()
    assert "times as fast" in page.seen.banner.accessibleName()
    page.open_saved(before)
    assert page.watching.observation is not page._shown
    assert page._shown is not None
    assert page._shown.run.spec == page._loaded(before).run.spec  # type: ignore[union-attr]
    assert after.meta.began > before.meta.began


def test_what_cannot_be_started_is_said(page: WatchPage, qtbot: QtBot, tmp_path: Path) -> None:
    page.script.setText(str(tmp_path / "nothing.py"))
    page.start_button.click()
    assert page.trouble.isVisible()
    assert not page.watching.works
    page.attach(2**31 - 1)
    assert page.trouble.isVisible()
    assert not page.watching.works


@pytest.mark.parametrize("wanted", ["en", "ru"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_is_drawn(page: WatchPage, qtbot: QtBot, tmp_path: Path, wanted: str, scheme: str) -> None:
    theme.apply_theme(scheme)  # type: ignore[arg-type]
    language.set_language(wanted)  # type: ignore[arg-type]
    run(page, qtbot, script(tmp_path), "20")
    assert not page.grab().isNull()


def test_closing_asks_while_a_program_runs(
    qtbot: QtBot, open_window: Callable[..., MainWindow], tmp_path: Path
) -> None:
    window = open_window("finished")
    window.open_file(script(tmp_path))
    assert window.tabs.currentIndex() == TRAINING
    page = window._scripts.watch  # type: ignore[union-attr]
    page.watching._make_sampler = PlayedCard
    page.python.addItem("this one", sys.executable)
    page.python.setCurrentIndex(page.python.count() - 1)
    page.arguments.setText("100000")
    page.start_button.click()
    window.close()
    assert window.isVisible()
    box = next(box for box in window.findChildren(QMessageBox) if box.isVisible())
    next(one for one in box.buttons() if one.text() == "Stop and close").click()
    qtbot.waitUntil(lambda: not window.isVisible(), timeout=10_000)
    assert not jobs.jobs_running()


def test_a_failed_program_opens_troubleshooting(qtbot: QtBot, open_window: OpenWindow, tmp_path: Path) -> None:
    window = open_window("finished")
    window.open_file(script(tmp_path, "import torch_that_is_not_there"))
    page = window._scripts.watch  # type: ignore[union-attr]
    page.watching._make_sampler = PlayedCard
    page.python.addItem("this one", sys.executable)
    page.python.setCurrentIndex(page.python.count() - 1)
    with qtbot.waitSignal(page.watching.ended, timeout=60_000):
        page.start_button.click()
    page.help_button.click()
    assert window.tabs.currentIndex() == TROUBLESHOOTING
    tab = window._troubleshooting
    qtbot.waitUntil(lambda: bool(tab.error.cards) and not jobs.jobs_running(), timeout=20_000)  # type: ignore[union-attr]
