"""Jobs on threads: batches, one ending, and a window that stays alive."""

from __future__ import annotations

import gc
from typing import Any

import pytest
from PySide6.QtCore import QObject, Signal

from gpu_assistant.base.job import Failed, JobContext, Succeeded, WasCancelled
from gpu_assistant.gui import jobs
from gpu_assistant.gui.jobs import JobRunner
from gpu_assistant.gui.widgets.log_view import MAX_LINES, LogView


class Counting:
    def __init__(self, count: int) -> None:
        self.count = count

    def run(self, ctx: JobContext) -> int:
        for number in range(self.count):
            ctx.emit(number)
        return self.count


class Waiting:
    def run(self, ctx: JobContext) -> None:
        ctx.wait(60)


class Failing:
    def run(self, ctx: JobContext) -> None:
        ctx.emit("last words")
        raise ValueError("no")


def endings_of(qtbot: Any, runner: JobRunner) -> tuple[list[object], list[object]]:
    events: list[object] = []
    endings: list[object] = []
    runner.events.connect(events.extend)
    runner.ended.connect(endings.append)
    runner.start()
    qtbot.waitUntil(lambda: bool(endings), timeout=20_000)
    return events, endings


def test_events_arrive_in_order_and_before_the_one_ending(qtbot: Any) -> None:
    events, endings = endings_of(qtbot, JobRunner(Counting(20_000)))
    assert events == list(range(20_000))
    assert len(endings) == 1
    assert isinstance(endings[0], Succeeded)


def test_a_flood_comes_in_slices(qtbot: Any) -> None:
    sizes: list[int] = []
    runner = JobRunner(Counting(5_000))
    runner.events.connect(lambda batch: sizes.append(len(batch)))
    endings_of(qtbot, runner)
    assert max(sizes) <= jobs.SLICE


def test_a_failure_is_an_ending(qtbot: Any) -> None:
    events, endings = endings_of(qtbot, JobRunner(Failing()))
    assert events == ["last words"]
    assert isinstance(endings[0], Failed)
    assert str(endings[0].error) == "no"


def test_cancel_ends_once(qtbot: Any) -> None:
    runner = JobRunner(Waiting())
    endings: list[object] = []
    runner.ended.connect(endings.append)
    runner.start()
    runner.cancel()
    runner.cancel()
    qtbot.waitUntil(lambda: bool(endings))
    qtbot.wait(50)
    assert [type(ending) for ending in endings] == [WasCancelled]


def test_a_runner_that_nobody_holds_goes_on(qtbot: Any) -> None:
    endings: list[object] = []
    runner = JobRunner(Counting(10))
    runner.ended.connect(endings.append)
    runner.start()
    del runner
    gc.collect()
    qtbot.waitUntil(lambda: bool(endings))


def test_the_very_end_waits_for_threads(qtbot: Any) -> None:
    JobRunner(Waiting()).start()
    assert jobs.jobs_running()
    assert jobs.end_all_jobs()
    qtbot.waitUntil(lambda: not jobs.jobs_running())


class _Bell(QObject):
    rang = Signal(object)


def test_a_signal_survives_20_000_emits(qtbot: Any) -> None:
    """PySide6 6.12.0 aborts here under Python 3.11 and 3.10."""
    heard: list[object] = []
    bell = _Bell()
    bell.rang.connect(heard.append)
    for _ in range(20_000):
        bell.rang.emit(None)
    assert len(heard) == 20_000


@pytest.mark.parametrize("count", [3, MAX_LINES + 500])
def test_a_log_keeps_its_last_lines(qtbot: Any, count: int) -> None:
    log = LogView()
    qtbot.addWidget(log)
    log.add_lines(f"line {number}" for number in range(count))
    qtbot.waitUntil(lambda: log.toPlainText().endswith(f"line {count - 1}"), timeout=20_000)
    assert log.document().blockCount() == min(count, MAX_LINES)
    log.clear_lines()
    assert log.toPlainText() == ""


def test_1_500_repaints_of_a_moving_page(qtbot: Any) -> None:
    from gpu_assistant.gui.widgets.curve import Curve

    curve = Curve()
    qtbot.addWidget(curve)
    curve.show()
    for step in range(1_500):
        curve.show_points([(place, 1 / (place + 1)) for place in range(step % 60 + 2)], 60)
        curve.repaint()
    assert curve.isVisible()
