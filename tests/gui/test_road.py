"""The whole road by clicks, and every way off it: stop, fail, close, go back, come again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QFileDialog, QMessageBox, QPushButton

from gpu_assistant.base.message import message
from gpu_assistant.gui import jobs
from gpu_assistant.gui.main_window import MainWindow
from gpu_assistant.session.state import PageName, undoable
from gpu_assistant.session.states import (
    cancelled_events,
    downloading_events,
    failed_events,
    named_state,
    no_card,
    no_driver,
    reviewed,
)
from gpu_assistant.session.store import FILE_NAME, load_session, save_session
from gpu_assistant.troubleshoot.actions import Prepared
from tests.gui.fakes import FakeServices

OpenWindow = Callable[..., MainWindow]


class Driver:
    """Clicks like a person and waits for the page that follows."""

    def __init__(self, qtbot: Any, window: MainWindow) -> None:
        self.qtbot, self.window = qtbot, window

    @property
    def page(self) -> Any:
        return self.window.wizard.page

    @property
    def state(self) -> Any:
        return self.window.road.state

    def click(self, button: QPushButton) -> None:
        self.qtbot.waitUntil(lambda: button.isEnabled() and button.isVisible() and button.height() > 0)
        self.qtbot.mouseClick(button, Qt.MouseButton.LeftButton)

    def next(self, page: PageName) -> None:
        self.click(self.page.next_button)
        self.qtbot.waitUntil(lambda: self.state.page == page and not self.state.busy)

    def to_install(self) -> None:
        for page in ("detect", "choose", "review"):
            self.next(page)  # type: ignore[arg-type]
        self.click(self.page.next_button)

    def ended(self) -> None:
        self.qtbot.waitUntil(lambda: not self.state.busy)

    def answer(self, text: str) -> None:
        box = next(box for box in self.window.findChildren(QMessageBox) if box.isVisible())
        button = next(one for one in box.buttons() if one.text() == text)
        self.qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


@pytest.fixture
def services() -> FakeServices:
    return FakeServices()


@pytest.fixture
def drive(qtbot: Any, open_window: OpenWindow, services: FakeServices) -> Driver:
    return Driver(qtbot, open_window(services=services))


def test_from_nothing_to_a_trained_network(drive: Driver, services: FakeServices) -> None:
    drive.to_install()
    drive.ended()
    assert drive.state.install.ending == "succeeded"
    drive.next("smoke_test")
    drive.click(drive.page.start_button)
    drive.qtbot.waitUntil(lambda: drive.state.smoke is not None and not drive.state.busy)
    assert drive.state.smoke.passed
    drive.next("finish")
    for key in ("terminal", "folder"):
        drive.click(drive.page.deeds[key].button)
        drive.ended()
    assert [deed for deed, _ in services.deeds] == ["terminal", "folder"]


def test_the_kernel_is_added_after_its_command_was_shown(qtbot: Any, open_window: OpenWindow) -> None:
    services = FakeServices()
    drive = Driver(qtbot, open_window("finished", services=services))
    drive.click(drive.page.deeds["kernel"].button)
    box = next(box for box in drive.window.findChildren(QMessageBox) if box.isVisible())
    assert "ipykernel" in box.informativeText()
    assert not services.deeds
    drive.answer("&Add the kernel")
    drive.ended()
    assert services.deeds == [("kernel", "")]


def test_a_recording_is_looked_at_and_never_installed(qtbot: Any, open_window: OpenWindow) -> None:
    services = FakeServices()
    drive = Driver(qtbot, open_window(services=services, replay=Path("recording")))
    for page in ("detect", "choose", "review"):
        drive.next(page)  # type: ignore[arg-type]
    assert not drive.page.next_button.isEnabled()
    assert drive.page.replayed.isVisible()
    drive.window.road.accept(drive.state.plan.id)
    assert (drive.state.busy, drive.state.page, drive.state.install) == ("", "review", None)
    assert not jobs.jobs_running()
    drive.window.road.start_over()
    assert drive.state.replayed


def test_a_framework_without_a_training_test_says_so_and_goes_on(qtbot: Any, open_window: OpenWindow) -> None:
    services = FakeServices()
    services.tests = ()
    drive = Driver(qtbot, open_window("install-succeeded", services=services))
    drive.next("smoke_test")
    assert drive.page.untested.isVisible()
    assert not drive.page.start_button.isVisible()
    drive.next("finish")
    assert "no training test" in drive.page.outcome.accessibleName()
    page = drive.window.wizard._open("choose")
    assert {page.framework.itemText(place) for place in range(page.framework.count())} >= {
        "JAX – install only, no training test yet"
    }


def test_the_processor_must_be_chosen(drive: Driver, services: FakeServices) -> None:
    services.report = no_card()
    drive.next("detect")
    drive.next("choose")
    assert not drive.page.next_button.isEnabled()
    card = next(card for card in drive.page.cards if card.key == "cpu")
    drive.qtbot.mouseClick(card, Qt.MouseButton.LeftButton)
    drive.next("review")
    assert drive.state.plan.build == "cpu"


def test_a_missing_driver_closes_the_road_until_it_answers(drive: Driver, services: FakeServices) -> None:
    ready, services.report = services.report, no_driver()
    drive.next("detect")
    drive.next("choose")
    assert [card.key for card in drive.page.cards] == ["cpu"]
    assert drive.page.driver.isVisible()
    services.report = ready
    drive.click(drive.page.again_button)
    drive.qtbot.waitUntil(lambda: drive.state.page == "detect" and not drive.state.busy)
    drive.next("choose")
    assert not drive.page.driver.isVisible()
    assert drive.state.option != "cpu"


def test_a_failed_install_offers_three_ways(drive: Driver, services: FakeServices) -> None:
    services.install_events = failed_events
    drive.to_install()
    drive.ended()
    page = drive.page
    assert all(one.isVisible() for one in (page.again_button, page.change_button, page.help_button))
    assert not page.next_button.isEnabled()
    assert services.install_evidence(drive.state).stage == "resolve"
    services.install_events = FakeServices().install_events
    drive.click(page.again_button)
    drive.qtbot.waitUntil(lambda: not drive.state.busy and drive.state.install.ending == "succeeded")


def test_stopping_an_install_asks_and_stops(drive: Driver, services: FakeServices) -> None:
    services.install_events, services.hold = downloading_events, True
    drive.to_install()
    drive.qtbot.waitUntil(lambda: drive.state.install is not None)
    drive.window.wizard.stop()
    drive.answer("No")
    assert drive.state.busy == "install"
    drive.window.wizard.stop()
    drive.answer("Yes")
    drive.ended()
    assert not jobs.jobs_running()


def test_a_cancelled_install_can_be_started_again(drive: Driver, services: FakeServices) -> None:
    services.install_events = cancelled_events
    drive.to_install()
    drive.ended()
    assert drive.page.again_button.isVisible()
    assert not drive.page.help_button.isVisible()


def test_closing_during_an_install_asks_once_and_then_ends_it(drive: Driver, services: FakeServices) -> None:
    services.install_events, services.hold = downloading_events, True
    drive.to_install()
    drive.qtbot.waitUntil(lambda: drive.state.install is not None)
    drive.window.close()
    drive.window.close()
    assert drive.window.isVisible()
    drive.answer("Go on")
    assert drive.state.busy == "install"
    drive.window.close()
    drive.answer("Stop and close")
    drive.qtbot.waitUntil(lambda: not drive.window.isVisible())
    assert not jobs.jobs_running()


def test_closing_at_rest_keeps_the_place(drive: Driver) -> None:
    drive.next("detect")
    drive.next("choose")
    drive.next("review")
    drive.window.close()
    state, trouble = load_session(drive.window.paths.data)
    assert (state, trouble) == (drive.state, None)


def test_every_page_leads_back(drive: Driver) -> None:
    drive.to_install()
    drive.ended()
    drive.next("smoke_test")
    seen = []
    while drive.state.page != "welcome":
        seen.append(drive.state.page)
        drive.window.road.back()
    assert seen == ["smoke_test", "install", "review", "choose", "detect"]
    drive.click(drive.page.resume_button)
    assert drive.state.page == "smoke_test"


def test_an_existing_environment_is_checked_without_an_install(drive: Driver, services: FakeServices) -> None:
    drive.next("detect")
    drive.next("choose")
    drive.page.existing.set_open(True)
    executable = services.report.pythons[0].executable
    drive.page.check_wanted.emit(executable)
    assert drive.state.page == "smoke_test"
    drive.click(drive.page.start_button)
    drive.qtbot.waitUntil(lambda: drive.state.smoke is not None and not drive.state.busy)
    assert drive.state.smoke.spec.python == executable
    drive.window.road.back()
    assert drive.state.page in ("review", "choose")


def test_a_repair_shows_its_plan_first(drive: Driver, services: FakeServices) -> None:
    drive.next("detect")
    drive.next("choose")
    drive.page.repair_wanted.emit(services.report.pythons[0].executable, drive.state.option)
    drive.qtbot.waitUntil(lambda: drive.state.page == "review")
    assert drive.state.accepted is None
    assert drive.state.plan.target == services.report.pythons[0].prefix


def test_undo_asks_first(drive: Driver, services: FakeServices) -> None:
    drive.to_install()
    drive.ended()
    drive.next("smoke_test")
    drive.click(drive.page.start_button)
    drive.qtbot.waitUntil(lambda: drive.state.smoke is not None and not drive.state.busy)
    drive.next("finish")
    drive.page.undo.set_open(True)
    drive.click(drive.page.undo_button)
    drive.answer("No")
    assert services.undone == 0
    drive.click(drive.page.undo_button)
    drive.answer("Yes")
    drive.qtbot.waitUntil(lambda: drive.state.page == "choose" and not drive.state.busy)
    assert services.undone == 1


def test_another_folder_changes_the_plan(drive: Driver, monkeypatch: Any) -> None:
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", staticmethod(lambda *args: "E:\\Big"))
    drive.next("detect")
    drive.next("choose")
    drive.click(drive.page.target.button)
    drive.next("review")
    assert drive.state.plan.target.startswith("E:\\Big")


def test_a_job_that_cannot_even_start_is_told(drive: Driver, services: FakeServices, monkeypatch: Any) -> None:
    def broken(state: object) -> None:
        raise OSError("no such device")

    monkeypatch.setattr(services, "plan_job", broken)
    drive.next("detect")
    drive.next("choose")
    drive.click(drive.page.next_button)
    assert not drive.state.busy
    assert "no such device" in drive.page.notice.accessibleName()


def test_the_report_is_copied_by_keyboard(drive: Driver, qapp: QApplication) -> None:
    drive.next("detect")
    drive.window.menu.copy.trigger()
    assert "RTX 4060" in qapp.clipboard().text()


RECORDINGS = sorted((Path(__file__).parents[1] / "recordings").glob("*/machine.toml"))


@pytest.mark.parametrize("folder", [path.parent for path in RECORDINGS], ids=lambda path: path.name)
def test_a_recording_goes_through_the_window_to_its_plan(folder: Path, qtbot: Any, open_window: OpenWindow) -> None:
    drive = Driver(qtbot, open_window(replay=folder))
    drive.click(drive.page.next_button)
    qtbot.waitUntil(lambda: drive.state.verdict is not None and not drive.state.busy, timeout=20_000)
    assert drive.page.verdict.accessibleName()
    assert drive.window.status.text
    drive.next("choose")
    options = drive.state.verdict.options
    assert [card.key for card in drive.page.cards] == [option.id for option in options]
    if not options:
        assert not drive.page.next_button.isEnabled()
        return
    if drive.state.option is None:
        qtbot.mouseClick(drive.page.cards[-1], Qt.MouseButton.LeftButton)
    drive.next("review")
    assert drive.state.plan.option == drive.state.option


def test_a_fix_that_is_a_plan_is_reviewed_like_any_other(drive: Driver) -> None:
    drive.next("detect")
    plan = reviewed(drive.state.report).plan
    fix = Prepared(kind="reset_environment", changes=message("x"), undo=message("x"), plan=plan)
    drive.window._carry_out(fix)
    assert (drive.state.page, drive.state.plan, drive.state.accepted) == ("review", plan, None)


def test_a_smaller_batch_is_kept_for_the_next_training(drive: Driver) -> None:
    fix = Prepared(kind="lower_batch", changes=message("x"), undo=message("x"), batch_factor=0.5)
    drive.window._carry_out(fix)
    assert drive.state.batch_scale == 0.5


def test_help_hands_the_failure_to_troubleshooting(drive: Driver, services: FakeServices) -> None:
    services.install_events = failed_events
    drive.to_install()
    drive.ended()
    drive.click(drive.page.help_button)
    assert drive.window.tabs.currentIndex() == 2
    tab = drive.window._troubleshooting
    drive.qtbot.waitUntil(lambda: not jobs.jobs_running())
    assert tab._case.evidence.stage == "resolve"
    tab.check_again_wanted.emit(tab._case.evidence)
    drive.qtbot.waitUntil(lambda: drive.state.page == "install" and not drive.state.busy)


def test_a_repaired_environment_is_never_offered_for_removal() -> None:
    state = named_state("finished")
    repaired = [step for step in state.plan.steps if step.id != "environment"]
    assert undoable(state)
    assert not undoable(structs.replace(state, plan=structs.replace(state.plan, steps=tuple(repaired))))


def test_an_install_that_was_torn_off_can_be_started_again(qtbot: Any, open_window: OpenWindow, tmp_path: Path) -> None:
    save_session(tmp_path, named_state("installing"))  # what a power cut leaves behind
    drive = Driver(qtbot, open_window(str(tmp_path / FILE_NAME), services=FakeServices()))
    assert (drive.state.page, drive.state.install) == ("install", None)
    assert "not finished" in drive.page.outcome.accessibleName()
    drive.click(drive.page.again_button)
    drive.ended()
    assert drive.state.install.ending == "succeeded"
