"""The table of metrics is complete in both languages and holds together."""

from __future__ import annotations

import typing
from pathlib import Path

import pytest

from gpu_assistant.base.message import message
from gpu_assistant.base.resources import BadData
from gpu_assistant.base.texts import LANGUAGES, texts
from gpu_assistant.monitor import hints, nvml_readers
from gpu_assistant.monitor.metrics import Unit, charted, format_value, load_metrics, metrics
from gpu_assistant.monitor.model import Trouble


def test_every_metric_has_a_group_and_a_unit_that_can_be_said() -> None:
    for row in metrics().values():
        assert f"metric-group-{row.group}" in texts()
        for language in LANGUAGES:
            assert row.title(language)
            assert row.explanation(language).endswith((".", "»."))
            assert format_value(12.0, row.unit, language)


@pytest.mark.parametrize("unit", typing.get_args(Unit))
def test_every_unit_is_said_in_both_languages(unit: Unit) -> None:
    assert all(format_value(value, unit, language) for value in (0.0, 3.0, 1e10) for language in LANGUAGES)


def test_values_are_said_as_people_read_them() -> None:
    assert format_value(2.5 * 2**30, "bytes", "ru") == "2,5 ГиБ"
    assert format_value(61.4, "celsius", "en") == "61 °C"
    assert format_value(2.0, "state", "en") == "P2"
    assert format_value(12.3456, "per_second", "ru") == "12,3/с"


def test_the_charts_shown_from_the_start_and_chosen_ones() -> None:
    assert [row.id for row in charted("gpu")] == ["utilization", "vram_used", "power", "temperature"]
    assert [row.id for row in charted("gpu", chosen=("fan", "power", "cpu", "vram_total"))] == ["power", "fan"]
    assert [row.id for row in charted("host", chosen=("cpu",))] == ["cpu"]


def test_every_reason_and_trouble_and_change_has_its_words() -> None:
    ids = [f"throttle-{reason}" for reason in nvml_readers._REASONS.values()]
    ids += [f"monitor-trouble-{trouble}" for trouble in (*typing.get_args(Trouble), "gpu_lost", "reset_required")]
    ids += [f"monitor-changed-{metric}" for metric, _ in hints._WATCHED] + ["monitor-changed-nothing"]
    for id_ in ids:
        assert all(texts().say(message(id_), language) for language in LANGUAGES)
    assert all(metric in metrics() for metric, _ in hints._WATCHED)


def test_throttle_bits_become_words_most_telling_first() -> None:
    assert nvml_readers.throttle_reasons(0x44) == ("hw_thermal_slowdown", "power_cap")
    assert nvml_readers.throttle_reasons(0x1) == ("idle",)
    assert nvml_readers.throttle_reasons(0) == nvml_readers.throttle_reasons(None) == ()


def test_a_bad_table_is_told_with_everything_wrong_about_it(tmp_path: Path) -> None:
    path = tmp_path / "metrics.toml"
    row = 'name.en = "a"\nname.ru = "б"\nexplain.en = "a"\nexplain.ru = "б"\ngroup = "load"\n'
    path.write_text(
        f'[a]\nscope = "gpu"\nunit = "percent"\nthresholds = ["b", "c"]\n{row}\n'
        f'[b]\nscope = "host"\nunit = "percent"\nlimit = true\nshown = true\n{row}\n'
        f'[d]\nscope = "gpu"\nunit = "parsec"\n{row}',
        "utf-8",
    )
    with pytest.raises(BadData) as failure:
        load_metrics(path)
    problems = str(failure.value)
    for word in ("no such metric", "another scope", "no chart of its own", "parsec"):
        assert word in problems
