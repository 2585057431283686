"""The tab with everything wired, over made-up samples."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QHelpEvent, QImage, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QApplication, QMessageBox, QPushButton, QToolTip
from pytestqt.qtbot import QtBot

from gpu_assistant.base.settings import Settings
from gpu_assistant.base.texts import placeholders
from gpu_assistant.gui import language, theme
from gpu_assistant.gui.monitor.chart import Chart
from gpu_assistant.gui.monitor.time_view import Span
from gpu_assistant.gui.monitor.tracks import pen
from gpu_assistant.monitor.hint_rows import hint_rows
from gpu_assistant.monitor.hints import Evidence, Hint
from gpu_assistant.monitor.model import Mark, ProcessSample, Sample
from tests.gui.monitor.conftest import Played
from tests.gui.monitor.samples import DESKTOP, START, TRAINING, card, sample

Open = Callable[..., Played]


def minute(
    *, cards: int = 1, step: int = 1, load: Callable[[int], float] = lambda second: float(second)
) -> list[Sample]:
    return [sample(second, *(card(index, load(second)) for index in range(cards))) for second in range(0, 61, step)]


def chart_of(played: Played, metric: str) -> Chart:
    return next(chart for chart in played.tab.panel.charts.charts if chart.subject.id == metric)


@pytest.mark.parametrize("wanted", ["en", "ru"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(
    "samples",
    [
        pytest.param([], id="nothing-yet"),
        pytest.param(minute(step=4), id="one"),
        pytest.param(minute(cards=2, step=4), id="two"),
        pytest.param(minute(cards=8, step=4), id="eight"),
        pytest.param([sample(0, trouble="no_nvml")], id="no-card"),
        pytest.param([*minute(step=4), sample(61, trouble="driver_lost")], id="driver-lost"),
        pytest.param([*minute(step=4), sample(70, trouble="not_responding")], id="not-responding"),
        pytest.param([*minute(step=4), sample(61, card(lost=True, values={}))], id="card-lost"),
        pytest.param([sample(0, card(asleep=True, values={}))], id="asleep"),
        pytest.param([*minute(step=4), sample(4000, card(), after_gap=True)], id="slept"),
        pytest.param([sample(0, card(throttle=("thermal_slowdown", "power_cap")))], id="throttled"),
    ],
)
def test_states_are_drawn(open_tab: Open, samples: list[Sample], scheme: str, wanted: str) -> None:
    theme.apply_theme(scheme)  # type: ignore[arg-type]
    language.set_language(wanted)  # type: ignore[arg-type]
    played = open_tab()
    played.play(*samples)
    assert not played.tab.grab().isNull()


@pytest.mark.parametrize("size", [(640, 380), (1366, 700), (2560, 1300)])
def test_nothing_is_wider_than_the_window(open_tab: Open, size: tuple[int, int]) -> None:
    played = open_tab(size=size)
    played.play(*minute(cards=8, step=4))
    assert played.tab.minimumSizeHint().width() <= 640
    assert all(one.width() <= size[0] for one in played.tab.panel.charts.charts)


def test_cards_say_what_the_sample_says(open_tab: Open) -> None:
    played = open_tab()
    played.play(sample(0, card(throttle=("power_cap",))))
    glance = played.tab.panel.cards[0].glance
    assert (glance.load, glance.memory, glance.share) == ("74 %", "5.0 GiB of 8.0 GiB", 0.625)
    assert "61 °C" in glance.line
    assert glance.note
    assert glance.tone == "warning"
    assert "74 %" in played.tab.panel.cards[0].accessibleName()


def test_a_card_that_only_rests_is_not_reproached(open_tab: Open) -> None:
    played = open_tab()
    played.play(sample(0, card(throttle=("idle",))))
    assert played.tab.panel.cards[0].glance.note == ""


def test_computer_alone_says_so_and_has_its_charts(open_tab: Open) -> None:
    played = open_tab()
    played.play(sample(0, trouble="no_nvml"))
    assert played.tab.panel.banner.isVisible()
    assert {chart.subject.scope for chart in played.tab.panel.charts.charts} == {"host"}


def test_driver_comes_back(open_tab: Open) -> None:
    played = open_tab()
    played.play(*minute(), sample(62, trouble="driver_lost"))
    assert played.tab.panel.banner.isVisible()
    played.play(sample(64, card()))
    assert not played.tab.panel.banner.isVisible()
    assert [mark.kind for mark in played.tab.monitoring.store.marks()] == ["driver_lost", "driver_back"]


def test_gap_is_no_line(open_tab: Open) -> None:
    played = open_tab()
    played.play(sample(0, card(load=100.0)), sample(1, card(load=100.0)), sample(200, card(load=100.0)))
    played.play(sample(201, card(load=100.0)))
    chart = chart_of(played, "utilization")
    chart.repaint()
    played.tab.panel.view.set_cursor(START + 100)
    assert chart.read_out == "–"
    played.tab.panel.view.set_cursor(START + 1)
    assert chart.read_out == "100 %"


def test_one_cursor_over_all_charts(open_tab: Open) -> None:
    played = open_tab()
    played.play(*minute())
    played.tab.panel.view.set_span(60.0)
    chart = chart_of(played, "utilization")
    QApplication.processEvents()
    chart.mouseMoveEvent(_move(chart, chart.width() // 2))
    cursor = played.tab.panel.view.cursor
    assert cursor is not None
    assert chart.read_out == f"{round(cursor - START)} %"
    assert chart_of(played, "temperature").read_out == "61 °C"
    assert not chart.grab().isNull()
    QApplication.sendEvent(chart, QEvent(QEvent.Type.Leave))
    assert played.tab.panel.view.cursor is None


def _move(chart: Chart, x: float) -> QMouseEvent:
    return QMouseEvent(
        QEvent.Type.MouseMove,
        QPointF(x, 60),
        chart.mapToGlobal(QPointF(x, 60)),
        Qt.MouseButton.NoButton,
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
    )


def test_wheel_with_ctrl_zooms_alone_scrolls(open_tab: Open) -> None:
    played = open_tab()
    played.play(*minute())
    chart = chart_of(played, "utilization")
    QApplication.processEvents()
    before = played.tab.panel.view.span
    for modifier, changes in ((Qt.KeyboardModifier.NoModifier, False), (Qt.KeyboardModifier.ControlModifier, True)):
        place = QPointF(200, 60)
        wheel = QWheelEvent(
            place,
            chart.mapToGlobal(place),
            QPoint(),
            QPoint(0, 120),
            Qt.MouseButton.NoButton,
            modifier,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        QApplication.sendEvent(chart, wheel)
        assert (played.tab.panel.view.span < before) == changes


def test_keyboard_moves_cursor_and_zooms(open_tab: Open, qtbot: QtBot) -> None:
    played = open_tab()
    played.play(*minute())
    chart, view = chart_of(played, "utilization"), played.tab.panel.view
    QApplication.processEvents()
    chart.setFocus()
    qtbot.keyClick(chart, Qt.Key.Key_Left)
    assert view.cursor == pytest.approx(view.end - view.span / 100)
    span = view.span
    qtbot.keyClick(chart, Qt.Key.Key_Plus)
    assert view.span < span
    qtbot.keyClick(chart, Qt.Key.Key_Escape)
    assert view.cursor is None


def test_ranges_and_pause(open_tab: Open, qtbot: QtBot) -> None:
    played = open_tab()
    played.play(*minute())
    bar, view = played.tab.panel.bar, played.tab.panel.view
    bar.ranges.button(900).click()
    assert view.span == 900
    qtbot.mouseClick(bar.pause, Qt.MouseButton.LeftButton)
    end = view.end
    played.play(sample(70, card()))
    assert view.end == end
    qtbot.mouseClick(bar.pause, Qt.MouseButton.LeftButton)
    assert view.end == START + 70


def test_chart_speaks(open_tab: Open) -> None:
    played = open_tab()
    played.play(*minute())
    chart = chart_of(played, "utilization")
    chart.repaint()
    for _ in range(10):
        chart._redraw()
    assert "60 %, rising; from 0 % to 60 %" in chart.accessibleName()


def test_lines_of_eight_cards_differ_in_more_than_colour() -> None:
    looks = [(pen(place).color().name(), pen(place).style()) for place in range(16)]
    assert len(set(looks)) == 16
    assert all(looks[place][1] != looks[place + 1][1] for place in range(7))


def test_cards_can_be_taken_off_the_charts(open_tab: Open) -> None:
    played = open_tab()
    played.play(*minute(cards=8, step=4))
    assert len(chart_of(played, "utilization").tracks) == 8
    played.tab.panel.bar.cards_chosen.emit(("GPU-1", "GPU-5"))
    assert [track.owner for track in chart_of(played, "utilization").tracks] == ["GPU-1", "GPU-5"]


def test_chosen_charts_are_announced_and_kept(open_tab: Open, qtbot: QtBot) -> None:
    played = open_tab(Settings(monitor_metrics=("utilization", "cpu")))
    played.play(*minute())
    assert [chart.subject.id for chart in played.tab.panel.charts.charts] == ["utilization", "cpu"]
    with qtbot.waitSignal(played.tab.settings_changed) as told:
        played.tab.panel.bar._choose_metric("power", True)
    assert told.args[0].monitor_metrics == ("utilization", "power", "cpu")
    assert [chart.subject.id for chart in played.tab.panel.charts.charts] == ["utilization", "power", "cpu"]


def test_marks_and_training(open_tab: Open) -> None:
    played = open_tab()
    played.play(*minute())
    played.tab.add_mark(Mark(time=START + 30, kind="oom"))
    played.tab.set_training(4242)
    played.tab.add_training(START + 31, {"loss": 1.5})
    played.play(sample(61, card()))
    played.tab.panel.show_metrics(("loss",))
    assert chart_of(played, "loss").tracks[0].stats("loss", START, START + 60).last == 1.5
    assert [mark.kind for mark in played.tab.monitoring.store.marks()] == ["oom", "training_started"]
    assert not played.tab.grab().isNull()


def test_hint_points_at_the_chart(open_tab: Open, qtbot: QtBot) -> None:
    played = open_tab()
    played.play(*minute())
    id_, row = next(iter(hint_rows().items()))
    args = dict.fromkeys(placeholders(row.sentence.en) | placeholders(row.first.en), 1.0)
    seen = (Evidence(owner="GPU-0", metric="power"),)
    played.tab.panel.show_hints((Hint(id=id_, gpu="GPU-0", start=START, end=START + 60, args=args, evidence=seen),))
    qtbot.mouseClick(played.tab.panel.hints.cards[0].show_button, Qt.MouseButton.LeftButton)
    assert played.tab.panel.view.pointed == Span(START, START + 60, (("GPU-0", "power"),))
    assert not played.tab.grab().isNull()


def test_processes_ours_marked_and_ended_only_after_a_question(
    open_tab: Open, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended: list[tuple[int, float | None]] = []
    monkeypatch.setattr("gpu_assistant.gui.monitor.tab.end_process", lambda pid, started: ended.append((pid, started)))
    played = open_tab()
    played.tab.monitoring.own_pids = frozenset({4242})
    played.play(sample(0, card(processes=(TRAINING, DESKTOP))))
    table = played.tab.panel.processes
    assert {row.process.pid: row.ours for row in table.rows} == {4242: True, 900: False}
    assert not table.end_button.isEnabled()
    table.table.selectRow(0)
    assert table.chosen() == TRAINING
    qtbot.mouseClick(table.end_button, Qt.MouseButton.LeftButton)
    question = played.tab._question
    assert question is not None
    assert "python.exe" in question.text()
    assert "4242" in question.text()
    _click(question, "Let it run")
    qtbot.wait(20)
    assert ended == []
    played.tab.ask_to_end(TRAINING)
    assert played.tab._question is not None
    with qtbot.waitSignal(played.tab.spoke):
        _click(played.tab._question, "End it")
    assert ended == [(4242, START - 700)]


def _click(box: QMessageBox, text: str) -> None:
    next(one for one in box.findChildren(QPushButton) if one.text().replace("&", "") == text).click()


def test_selection_survives_new_samples(open_tab: Open) -> None:
    played = open_tab()
    played.play(sample(0, card(processes=(TRAINING, DESKTOP))))
    table = played.tab.panel.processes
    table.table.selectRow(0)
    played.play(sample(1, card(processes=(TRAINING, DESKTOP))))
    assert table.chosen() == TRAINING


def test_a_process_without_a_start_time_cannot_be_ended(open_tab: Open) -> None:
    played = open_tab()
    played.play(sample(0, card(processes=(ProcessSample(pid=5, name="x"),))))
    played.tab.panel.processes.table.selectRow(0)
    assert not played.tab.panel.processes.end_button.isEnabled()


def test_sampling_ends_when_nobody_looks(open_tab: Open) -> None:
    played = open_tab()
    assert played.sampler.calls == ["start"]
    played.tab.hide()
    assert played.tab.monitoring._linger.isActive()
    played.tab.monitoring._rest()
    assert played.sampler.calls[-1] == "pause"
    played.tab.show()
    assert played.sampler.calls[-1] == "resume"


@pytest.mark.parametrize("need", ["strip", "training", "recording", "tray"])
def test_sampling_goes_on_while_it_is_needed(open_tab: Open, need: str) -> None:
    played = open_tab(Settings(tray=need == "tray"))
    if need == "strip":
        played.tab.show_strip(True)
    elif need == "training":
        played.tab.set_training(4242)
    elif need == "recording":
        played.tab.panel.bar.record.click()
    played.tab.hide()
    played.tab.monitoring._rest()
    assert "pause" not in played.sampler.calls


def test_strip_shows_the_cards(open_tab: Open) -> None:
    played = open_tab()
    played.play(sample(0, card(0, 10.0), card(1, 20.0)))
    played.tab.show_strip(True)
    assert "10 %" in played.tab.strip.accessibleName()
    assert "20 %" in played.tab.strip.accessibleName()
    assert not played.tab.strip.grab().isNull()


def test_alerts_are_told_once(open_tab: Open) -> None:
    played = open_tab()
    told: list[str] = []
    played.tab.tray.notified.connect(told.append)
    hot = card(values={"temperature": 90.0, "temperature_slowdown": 83.0})
    played.play(sample(0, hot), sample(1, hot), sample(2, hot))
    assert len(told) == 1
    assert "RTX 4060" in told[0]


def test_record_open_export_compare(open_tab: Open, qtbot: QtBot, tmp_path: Path) -> None:
    played = open_tab()
    tab = played.tab
    tab.panel.bar.record.click()
    played.play(*minute())
    with qtbot.waitSignal(tab.monitoring.recorded) as told:
        tab.panel.bar.record.click()
    path = told.args[0]
    with qtbot.waitSignal(tab.recordings.opened):
        tab.recordings.open(path)
    assert not tab._live
    assert tab.panel.bar.live.isVisible()
    assert tab.panel.view.start <= START
    assert [track.owner for track in chart_of(played, "utilization").tracks] == ["GPU-0"]
    with qtbot.waitSignal(tab.recordings.exported):
        tab.recordings.export(path, tmp_path / "out.csv")
    assert len((tmp_path / "out.csv").read_text("utf-8-sig").splitlines()) == 62
    with qtbot.waitSignal(tab.recordings.compared):
        tab.recordings.compare([path, path])
    assert len(chart_of(played, "utilization").tracks) == 2
    assert tab.panel.view.relative
    assert not tab.grab().isNull()
    tab.panel.bar.live.click()
    assert tab._live
    assert tab.panel.view.following


def test_other_files_are_refused_in_words(open_tab: Open, qtbot: QtBot, tmp_path: Path) -> None:
    played = open_tab()
    (tmp_path / "x.gpurec").write_text("nothing", "utf-8")
    with qtbot.waitSignal(played.tab.spoke) as told:
        played.tab.recordings.open(tmp_path / "x.gpurec")
    assert "x.gpurec" in told.args[0]


def test_picture_is_saved(open_tab: Open, tmp_path: Path) -> None:
    played = open_tab()
    played.play(*minute())
    played.tab.save_picture(tmp_path / "charts.png")
    picture = QImage(str(tmp_path / "charts.png"))
    colours = {picture.pixelColor(x, y).name() for x in range(0, picture.width(), 7) for y in range(picture.height())}
    assert len(colours) > 5


def test_language_changes_while_it_runs(open_tab: Open) -> None:
    played = open_tab()
    played.play(*minute())
    language.set_language("ru")
    QApplication.processEvents()
    assert played.tab.panel.cards[0].glance.memory.endswith("ГиБ")


def test_a_training_is_sampled_before_anybody_looks(open_tab: Open) -> None:
    played = open_tab()
    played.tab.hide()
    played.tab.monitoring._rest()
    assert played.sampler.calls[-1] == "pause"
    played.tab.add_mark(Mark(time=START, kind="training_started"))
    assert played.sampler.calls[-1] == "resume"
    played.tab.monitoring._rest()
    assert played.sampler.calls[-1] == "resume"
    played.tab.add_mark(Mark(time=START + 9, kind="training_ended"))
    assert played.tab.monitoring._linger.isActive()
    played.tab.monitoring._rest()
    assert played.sampler.calls[-1] == "pause"


def test_an_idle_card_during_a_training_is_told(open_tab: Open) -> None:
    played = open_tab(Settings(notify_idle_minutes=1))
    told: list[str] = []
    played.tab.tray.notified.connect(told.append)
    played.tab.add_mark(Mark(time=START, kind="training_started"))
    played.play(*(sample(second, card(load=0.0)) for second in range(0, 70, 5)))
    assert len(told) == 1


def test_the_explanation_does_not_hide_the_curves(open_tab: Open) -> None:
    played = open_tab()
    played.play(*minute(step=4))
    chart = chart_of(played, "utilization")
    for y, shown in ((8, True), (80, False)):
        place = QPoint(60, y)
        QApplication.sendEvent(chart, QHelpEvent(QEvent.Type.ToolTip, place, chart.mapToGlobal(place)))
        assert QToolTip.isVisible() == shown
        QToolTip.hideText()
        QApplication.processEvents()


def test_a_day_of_eight_cards_is_redrawn_in_turns(open_tab: Open, qtbot: QtBot) -> None:
    played = open_tab()
    played.play(*minute(cards=8, step=4))
    charts = played.tab.panel.charts.charts
    qtbot.waitUntil(lambda: all(chart._scale is not None for chart in charts))
    assert [chart.turn for chart in charts] == list(range(len(charts)))
    played.tab.panel.bar.ranges.button(86400).click()
    seen = [chart for chart in charts if not chart.visibleRegion().isEmpty()]
    assert seen
    qtbot.waitUntil(lambda: all(_seconds(chart) == 86400 for chart in seen))


def _seconds(chart: Chart) -> float:
    return chart._scale.end - chart._scale.start if chart._scale is not None else 0.0
