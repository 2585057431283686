"""The time axis and its ticks."""

from __future__ import annotations

import itertools
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpu_assistant.gui.monitor.plot import runs
from gpu_assistant.gui.monitor.summary import merged, trend
from gpu_assistant.gui.monitor.ticks import time_label, time_ticks, value_range, value_ticks
from gpu_assistant.gui.monitor.time_view import LONGEST, SHORTEST, Span, TimeView
from gpu_assistant.monitor.metrics import metrics
from gpu_assistant.monitor.store import Stats


def test_view_follows_until_paused_and_again_at_the_present() -> None:
    view = TimeView(60.0)
    view.advance(1000.0)
    assert (view.start, view.end, view.following) == (940.0, 1000.0, True)
    view.pause()
    view.advance(1010.0)
    assert (view.end, view.following) == (1000.0, False)
    view.pan(25.0)
    assert (view.end, view.following) == (1010.0, True)


def test_zoom_keeps_the_moment_under_the_mouse() -> None:
    view = TimeView(100.0)
    view.advance(1000.0)
    view.zoom(0.5, 950.0)
    assert view.span == 50.0
    assert (950.0 - view.start) / view.span == pytest.approx(0.5)


def test_zoom_at_the_right_edge_keeps_following() -> None:
    view = TimeView(100.0)
    view.advance(1000.0)
    view.zoom(2.0, 998.0)
    assert view.following
    assert view.span == 200.0


def test_a_span_out_of_sight_is_brought_into_sight() -> None:
    view = TimeView(60.0)
    view.advance(10_000.0)
    view.point_out(Span(100.0, 200.0))
    assert view.start <= 100.0
    assert view.end >= 200.0


@given(st.lists(st.tuples(st.floats(0.01, 50), st.floats(0, 1)), max_size=20))
def test_zoom_never_leaves_its_limits(steps: list[tuple[float, float]]) -> None:
    view = TimeView()
    view.advance(1e9)
    for factor, share in steps:
        view.zoom(factor, view.start + share * view.span)
        assert SHORTEST <= view.span <= LONGEST


@given(st.floats(1.7e9, 2e9), st.floats(10, 7 * 86400), st.integers(1, 20))
def test_time_ticks_are_few_inside_and_evenly_spaced(start: float, span: float, most: int) -> None:
    ticks = time_ticks(start, start + span, most)
    assert len(ticks) <= most + 1
    assert all(start <= tick.value <= start + span for tick in ticks)
    assert len({round(b.value - a.value, 3) for a, b in itertools.pairwise(ticks)}) <= 1


def test_a_view_before_the_first_sample_has_labels_where_the_system_knows_no_negative_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    real = time.localtime

    def as_on_windows(moment: float) -> time.struct_time:
        if moment < 0:
            raise OSError(22, "Invalid argument")
        return real(moment)

    monkeypatch.setattr(time, "localtime", as_on_windows)
    assert time_ticks(-300.0, 0.0, 5)


def test_relative_time_counts_from_zero() -> None:
    assert [tick.label for tick in time_ticks(0, 300, 5, relative=True)] == [
        "0:00",
        "1:00",
        "2:00",
        "3:00",
        "4:00",
        "5:00",
    ]
    assert time_label(3725, 60, relative=True) == "1:02:05"


@pytest.mark.parametrize("id_", ["utilization", "vram_used", "performance_state", "loss"])
@given(st.floats(0, 1e12), st.floats(0.01, 10))
def test_value_ticks_are_few_and_inside(id_: str, low: float, share: float) -> None:
    high = low + share * max(low, 0.1)
    ticks = value_ticks(low, high, 5, metrics()[id_], "en")
    step = (high - low) * 0.01
    assert len(ticks) <= 7
    assert all(low - step <= tick.value <= high + step for tick in ticks)


def test_bytes_have_round_binary_steps() -> None:
    labels = [tick.label for tick in value_ticks(0, 8 * 2**30, 4, metrics()["vram_used"], "ru")]
    assert labels == ["0 байт", "2,0 ГиБ", "4,0 ГиБ", "6,0 ГиБ", "8,0 ГиБ"]


def test_axis_reaches_the_border_and_what_lies_beyond_it() -> None:
    power = metrics()["power"]
    assert value_range(power, 20, 100, 160.0) == (0, 160)
    assert value_range(power, 20, 200, 160.0) == (0, 200)
    assert value_range(power, None, None, None) == (0, 1)


def test_runs_are_what_lies_between_gaps() -> None:
    nan = np.nan
    assert list(runs(np.array([nan, 1, 2, nan, nan, 3, nan]))) == [(1, 3), (5, 6)]
    assert list(runs(np.array([nan, nan]))) == []


def test_trend_in_words() -> None:
    assert trend(np.linspace(0, 50, 30), 100) == "rising"
    assert trend(np.linspace(50, 0, 30), 100) == "falling"
    assert trend([50, 51, 50, 49, 50, 51], 100) == "steady"
    assert trend([np.nan] * 30, 100) == "steady"


def test_merged_range_weighs_the_means() -> None:
    one = Stats(minimum=0, mean=10, maximum=20, last=5, samples=1)
    two = Stats(minimum=5, mean=40, maximum=90, last=6, samples=3)
    both = merged([one, None, two])
    assert both is not None
    assert (both.minimum, both.mean, both.maximum) == (0, 32.5, 90)
    assert merged([None]) is None
