"""The store: what is kept, what is drawn, and that a gap stays a gap."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpu_assistant.monitor.model import GpuSample, HostSample, Mark, Sample
from gpu_assistant.monitor.ring import Ring
from gpu_assistant.monitor.store import HOST, TRAINING, SeriesStore

START = 1_000_000.0


def _sample(time: float, *, gap: bool = False, host: dict[str, float] | None = None, **gpus: float) -> Sample:
    cards = tuple(
        GpuSample(uuid=uuid, index=index, name=uuid.upper(), values={"utilization": value})
        for index, (uuid, value) in enumerate(gpus.items())
    )
    return Sample(time=time, gpus=cards, host=HostSample(values=host or {}), after_gap=gap)


def _filled(values: list[float], **how: float) -> SeriesStore:
    store = SeriesStore(**how)
    for second, value in enumerate(values):
        store.add(_sample(START + second, a=value))
    return store


def test_a_window_holds_the_points_between_its_ends() -> None:
    store = _filled([float(i) for i in range(100)])
    series = store.window("a", "utilization", START + 10, START + 20)
    assert series.values.tolist() == [float(i) for i in range(10, 21)]
    assert series.times.tolist() == [START + i for i in range(10, 21)]
    assert len(store.window("a", "utilization").times) == 100
    assert np.isnan(store.window("nobody", "utilization").values).all()


def test_the_oldest_is_forgotten_and_the_buffers_stop_growing() -> None:
    store = _filled([float(i) for i in range(300)], seconds=100)
    size = store.nbytes
    for second in range(300, 3000):
        store.add(_sample(START + second, a=float(second)))
    assert store.nbytes == size
    assert store.first_time == START + 2900
    assert store.window("a", "utilization").values.tolist() == [float(i) for i in range(2900, 3000)]


@given(
    st.integers(1, 40),
    st.lists(st.dictionaries(st.sampled_from("abc"), st.floats(-1e6, 1e6, width=32)), max_size=200),
)
def test_a_ring_remembers_exactly_the_newest_rows(capacity: int, rows: list[dict[str, float]]) -> None:
    ring: Ring[str] = Ring(capacity)
    for time, row in enumerate(rows):
        ring.append(float(time), row)
    kept = rows[-capacity:]
    assert ring.times.tolist() == [float(time) for time in range(len(rows))][-capacity:]
    for key in "abc":
        expected = [row.get(key, float("nan")) for row in kept]
        assert np.array_equal(ring.column(key), np.array(expected, np.float32), equal_nan=True)


def test_a_silence_is_a_gap_and_a_value_that_is_missing_too() -> None:
    store = SeriesStore()
    for time in (0, 1, 2, 60, 61):
        store.add(_sample(START + time, a=50.0))
    store.add(_sample(START + 62))
    values = store.window("a", "utilization").values
    assert np.isnan(values).tolist() == [False, False, False, True, False, False, True]
    assert store.at("a", "utilization", START + 30) is None
    assert store.at("a", "utilization", START + 61.2) == 50.0


def test_a_pause_that_the_sampler_tells_is_a_gap_however_short() -> None:
    store = SeriesStore()
    store.add(_sample(START, a=1.0))
    store.add(_sample(START + 1.5, gap=True, a=2.0))
    assert np.isnan(store.window("a", "utilization").values).tolist() == [False, True, False]


def test_a_clock_set_back_never_bends_the_axis() -> None:
    store = SeriesStore()
    for time in (0, 1, 2, -3600, -3599, 3, 4):
        store.add(_sample(START + time, a=float(time)))
    times = store.window("a", "utilization").times
    assert (np.diff(times) > 0).all()
    assert times[-1] == START + 4


def test_drawing_keeps_every_extreme_and_every_gap() -> None:
    random = np.random.default_rng(7)
    values = random.uniform(0, 100, 5000)
    values[3210], values[1234] = 1000.0, -1000.0
    store = SeriesStore()
    for second, value in enumerate(values):
        if not 2000 <= second < 2600:
            store.add(_sample(START + second, a=float(value)))
    drawn = store.decimated("a", "utilization", START, START + 5000, 200)
    assert len(drawn.times) <= 2 * 202
    assert np.nanmax(drawn.values) == 1000.0
    assert np.nanmin(drawn.values) == -1000.0
    inside = (drawn.times > START + 2030) & (drawn.times < START + 2570)
    assert inside.any()
    assert np.isnan(drawn.values[inside]).all()
    assert (np.diff(drawn.times) >= 0).all()


def test_a_few_points_are_drawn_as_they_are() -> None:
    store = _filled([1.0, 5.0, 3.0])
    assert store.decimated("a", "utilization", START, START + 3, 400).values.tolist() == [1.0, 5.0, 3.0]
    assert len(store.decimated("a", "utilization", START + 50, START + 60, 400).values) == 0
    assert len(SeriesStore().decimated("a", "utilization", 0, 1, 10).values) == 0


def test_scrolling_does_not_move_the_columns() -> None:
    store = _filled([float(i % 97) for i in range(4000)])
    first = store.decimated("a", "utilization", START, START + 3000, 100)
    later = store.decimated("a", "utilization", START + 40, START + 3040, 100)
    assert set(first.times[4:-4]) & set(later.times[4:-4])
    common = np.intersect1d(first.times[4:-4], later.times[4:-4])
    assert len(common) > 90
    for series in (first, later):
        assert np.isin(common, series.times).all()


@given(st.lists(st.floats(0, 1e9, width=32), min_size=30, max_size=300), st.integers(1, 20))
def test_drawing_never_invents_values(values: list[float], columns: int) -> None:
    store = _filled(values)
    drawn = store.decimated("a", "utilization", START, START + len(values), columns).values
    known = drawn[~np.isnan(drawn)]
    assert set(known.tolist()) <= set(np.array(values, np.float32).tolist())
    assert known.max() == np.float32(max(values))
    assert known.min() == np.float32(min(values))


def test_stats_tell_what_is_visible_and_skip_gaps() -> None:
    store = SeriesStore()
    for second, value in enumerate([10.0, 20.0, None, 60.0]):
        store.add(_sample(START + second, **({} if value is None else {"a": value})))
    stats = store.stats("a", "utilization")
    assert stats is not None
    assert (stats.minimum, stats.mean, stats.maximum, stats.last, stats.samples) == (10.0, 30.0, 60.0, 60.0, 3)
    assert store.stats("a", "utilization", START + 1.5, START + 2.5) is None
    assert store.stats("a", "power") is None


def test_cards_come_and_go_and_keep_their_order() -> None:
    store = SeriesStore()
    store.add(_sample(START, a=1.0, b=2.0))
    store.add(_sample(START + 1, a=1.0))
    store.add(_sample(START + 2, a=1.0, b=4.0))
    assert [(gpu.uuid, gpu.index, gpu.name) for gpu in store.gpus()] == [("a", 0, "A"), ("b", 1, "B")]
    assert np.isnan(store.window("b", "utilization").values).tolist() == [False, True, False]
    assert store.metrics("a") == ("utilization",)
    assert store.metrics("nobody") == ()
    assert store.last is not None
    assert store.last.time == START + 2


def test_the_computer_and_the_training_have_series_of_their_own() -> None:
    store = SeriesStore()
    store.add(_sample(START, host={"cpu": 30.0}, a=1.0))
    store.add_training(START + 0.25, {"steps_per_second": 12.0})
    store.add_training(START + 0.5, {"steps_per_second": 14.0, "loss": 0.5})
    assert store.window(HOST, "cpu").values.tolist() == [30.0]
    assert store.window(TRAINING, "steps_per_second").times.tolist() == [START + 0.25, START + 0.5]
    assert np.isnan(store.window(TRAINING, "loss").values).tolist() == [True, False]
    assert set(store.metrics(TRAINING)) == {"steps_per_second", "loss"}


def test_marks_are_found_by_time_in_whatever_order_they_came() -> None:
    store = SeriesStore()
    for time in (30, 10, 20):
        store.add_mark(Mark(time=START + time, kind="oom"))
    assert [mark.time - START for mark in store.marks()] == [10, 20, 30]
    assert [mark.time - START for mark in store.marks(START + 15, START + 30)] == [20, 30]


@pytest.mark.parametrize("metric_count", [12])
def test_a_day_of_eight_cards_fits(metric_count: int) -> None:
    ring: Ring[tuple[int, int]] = Ring(86400)
    row = {(card, metric): 1.0 for card in range(8) for metric in range(metric_count)}
    ring.append(0.0, row)
    # the buffers end at an eighth over the capacity, four bytes a value
    most = (86400 + 10800) * (len(row) * 4 + 8)
    assert most < 250e6
    assert ring.nbytes < most


def test_from_far_away_extremes_and_gaps_are_kept_too() -> None:
    random = np.random.default_rng(3)
    values = random.uniform(0, 100, 20_000).astype(np.float32)
    values[777], values[19_990] = 500.0, -500.0
    store = SeriesStore()
    for second, value in enumerate(values):
        if not 8000 <= second < 12_000:
            store.add(_sample(START + second, a=float(value)))
    end = START + 20_000
    for columns in (20, 100, 200):
        drawn = store.decimated("a", "utilization", START, end, columns)
        assert len(drawn.times) == len(drawn.values) <= 6 * columns + 12
        assert np.nanmax(drawn.values) == 500.0
        assert np.nanmin(drawn.values) == -500.0, "the newest rows are not forgotten"
        width = 20_000 / columns
        inside = (drawn.times > START + 8000 + width) & (drawn.times < START + 12_000 - width)
        assert np.isnan(drawn.values[inside]).all()
        gap = (drawn.times > START + 8000 - width) & (drawn.times < START + 12_000)
        assert np.isnan(drawn.values[gap]).any(), "no line leads across the gap"
        outside = (drawn.times < START + 8000 - width) | (drawn.times > START + 12_000 + width)
        assert not np.isnan(drawn.values[outside]).any()


def test_near_and_far_agree() -> None:
    store = _filled([float(abs(i % 1000 - 500)) for i in range(10_000)])
    far = store.decimated("a", "utilization", START, START + 10_000, 50)
    assert len(far.values) > 90
    for time, low, high in zip(far.times[2:-2:2], far.values[2:-2:2], far.values[3:-2:2], strict=True):
        near = store.window("a", "utilization", float(time) - 100, float(time) + 100).values
        # a block of 32 rows counts where it begins
        assert abs(near.min() - low) <= 32
        assert abs(near.max() - high) <= 32
