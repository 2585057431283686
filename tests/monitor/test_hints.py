"""Every hint proves itself by its own examples; what cannot be measured is silence."""

from __future__ import annotations

from pathlib import Path

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpu_assistant.base.resources import BadData
from gpu_assistant.base.texts import LANGUAGES
from gpu_assistant.monitor.hint_rows import Example, hint_rows, load_hints
from gpu_assistant.monitor.hints import Facts, Hint, facts_about, find_hints, judge, owner_of
from gpu_assistant.monitor.measures import measure
from gpu_assistant.monitor.metrics import metrics
from gpu_assistant.monitor.model import GpuSample, HostSample, ProcessSample, Sample
from gpu_assistant.monitor.store import SeriesStore
from tests.monitor.series import GPU, store_of

FIRES = [(id_, example) for id_, row in hint_rows().items() for example in row.fires]
SILENT = [(id_, example) for id_, row in hint_rows().items() for example in row.silent]


def _judged(id_: str, example: Example) -> Hint | None:
    row = hint_rows()[id_]
    store = store_of(example, row.seconds)
    facts = Facts(
        training=bool(example.get("training", 0)),
        other_vram=float(example.get("other_vram", 0)),  # type: ignore[arg-type]
        other_name="python.exe",
    )
    assert store.last_time is not None
    return judge(id_, row, store, GPU, facts, store.last_time)


@pytest.mark.parametrize(("id_", "example"), FIRES)
def test_fires_on_its_examples_and_shows_evidence(id_: str, example: Example) -> None:
    hint = _judged(id_, example)
    assert hint is not None
    assert hint.end - hint.start == hint_rows()[id_].seconds
    assert hint.evidence
    for evidence in hint.evidence:
        assert evidence.metric in example
        assert evidence.owner == owner_of(evidence.metric, GPU)
    for language in LANGUAGES:
        for text in (hint.sentence(language), hint.advice(language)):
            assert "{" not in text
            assert text[-1] in ".;:"


@pytest.mark.parametrize(("id_", "example"), SILENT)
def test_is_silent_on_its_counterexamples(id_: str, example: Example) -> None:
    assert _judged(id_, example) is None


@pytest.mark.parametrize(("id_", "example"), FIRES)
def test_is_silent_without_any_one_of_its_measured_metrics(id_: str, example: Example) -> None:
    row = hint_rows()[id_]
    needed = {metric for condition in row.when for metric in (condition.metric, condition.of) if metric}
    for metric in needed:
        assert _judged(id_, {key: shape for key, shape in example.items() if key != metric}) is None


@pytest.mark.parametrize(("id_", "example"), FIRES)
def test_is_silent_until_it_has_seen_enough(id_: str, example: Example) -> None:
    row = hint_rows()[id_]
    store = store_of(example, row.seconds / 2)
    facts = Facts(training=True, other_vram=float(example.get("other_vram", 0)))  # type: ignore[arg-type]
    assert store.last_time is not None
    assert judge(id_, row, store, GPU, facts, store.last_time) is None


def test_is_silent_when_the_window_is_mostly_a_gap() -> None:
    row = hint_rows()["too-hot"]
    store = SeriesStore()
    for second in range(61):
        values = {"held_back_heat": 100.0, "temperature": 90.0} if second % 3 == 0 else {}
        store.add(Sample(time=1e9 + second, gpus=(GpuSample(uuid=GPU, index=0, name="GPU", values=values),)))
    assert judge("too-hot", row, store, GPU, Facts(), 1e9 + 60) is None


def test_says_what_else_changed_when_the_speed_dropped() -> None:
    hot = _judged("slower-than-before", {"steps_per_second": "20|8", "held_back_heat": "0|100"})
    alone = _judged("slower-than-before", {"steps_per_second": "20|8", "utilization": 90})
    assert hot is not None
    assert alone is not None
    assert "braked" in hot.sentence("en") or "brake" in hot.sentence("en")
    assert [evidence.metric for evidence in hot.evidence] == ["steps_per_second", "held_back_heat"]
    assert "Nothing else" in alone.sentence("en")
    assert "40 %" in alone.sentence("ru")


def test_speaks_about_the_right_card_and_warns_first() -> None:
    store = SeriesStore()
    hot = {"held_back_heat": 100.0, "temperature": 91.0, "utilization": 97.0}
    slow = {"utilization": 97.0, "pcie_width": 4.0, "pcie_width_max": 16.0}
    for second in range(130):
        gpus = tuple(
            GpuSample(uuid=uuid, index=index, name="GPU", values=values)
            for index, (uuid, values) in enumerate([("A", slow), ("B", hot)])
        )
        store.add(Sample(time=1e9 + second, gpus=gpus, host=HostSample(values={"cpu": 20.0})))
    assert [(hint.id, hint.gpu) for hint in find_hints(store)] == [("too-hot", "B"), ("narrow-link", "A")]
    assert find_hints(SeriesStore()) == ()


def test_facts_name_the_largest_foreign_computing_program() -> None:
    gpu = GpuSample(
        uuid=GPU,
        index=0,
        name="GPU",
        processes=(
            ProcessSample(pid=1, name="dwm.exe", vram_bytes=9 << 30, kind="graphics"),
            ProcessSample(pid=2, name="python.exe", vram_bytes=4 << 30, kind="compute"),
            ProcessSample(pid=3, name="ollama.exe", vram_bytes=2 << 30, kind="compute"),
            ProcessSample(pid=4, name=None, vram_bytes=None, kind="compute"),
        ),
    )
    assert facts_about(gpu, {2}, training=True) == Facts(
        training=True, other_vram=float(2 << 30), other_name="ollama.exe"
    )
    assert facts_about(GpuSample(uuid=GPU, index=0, name="GPU"), set(), training=False) == Facts()


@given(st.lists(st.floats(0, 1e12), min_size=8, max_size=200))
def test_measures_stay_within_what_they_measure(values: list[float]) -> None:
    points = np.array(values)
    slack = 1e-6 * (abs(points).max() + 1)
    low, high = points.min() - slack, points.max() + slack
    for how in ("mean", "minimum", "maximum", "last"):
        assert low <= measure(points, how) <= high
    assert 0 <= measure(points, "share", 5.0) <= 100
    assert 0 <= measure(points, "steadiness") <= 100 + 1e-9
    assert abs(measure(points, "growth")) <= high - low
    assert measure(points, "spread") <= (high - low) / 2 + slack


def test_a_bad_row_is_told_with_everything_wrong_about_it(tmp_path: Path) -> None:
    path = tmp_path / "hints.toml"
    path.write_text(
        """
[bad]
seconds = 10
when = [{ metric = "utilisation", above = 1 }, { fact = "weather", above = 1 }, { metric = "cpu" }]
sentence.en = "{cpu:.0f} and {nothing}"
sentence.ru = "{cpu:.0f}"
first.en = "x"
first.ru = "x"
fires = []
silent = []
""",
        "utf-8",
    )
    with pytest.raises(BadData) as failure:
        load_hints(path)
    problems = str(failure.value)
    for word in ("utilisation", "weather", "neither above nor below", "nothing", "no proof", "one language only"):
        assert word in problems


def test_every_measured_metric_of_a_row_is_explained_to_people() -> None:
    for row in hint_rows().values():
        for condition in row.when:
            if condition.metric:
                assert metrics()[condition.metric].explain.ru


def test_hints_survive_json() -> None:
    hint = _judged("too-hot", {"held_back_heat": 100.0, "temperature": 91.0})
    assert hint is not None
    assert msgspec.json.decode(msgspec.json.encode(hint), type=Hint).sentence("ru") == hint.sentence("ru")
