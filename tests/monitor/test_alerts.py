"""Notifications come once, and again only after the trouble was over."""

from __future__ import annotations

from gpu_assistant.base.settings import Settings
from gpu_assistant.base.texts import LANGUAGES, say
from gpu_assistant.monitor.alerts import Alert, AlertState, watch
from gpu_assistant.monitor.model import GpuSample, Sample, Trouble

SETTINGS = Settings(notify_temperature_margin_c=5, notify_vram_percent=95, notify_idle_minutes=2)


class Story:
    """Feeds samples and collects what was told."""

    def __init__(self, *, training: bool = False) -> None:
        self.state = AlertState()
        self.training = ("a",) if training else ()
        self.time = 1e9
        self.told: list[Alert] = []

    def see(
        self, seconds: int = 1, *, lost: bool = False, trouble: Trouble | None = None, **values: float
    ) -> list[str]:
        """The kinds told during some seconds of the same."""
        before = len(self.told)
        for _ in range(seconds):
            self.time += 1
            gpus = (GpuSample(uuid="a", index=0, name="RTX 4060", values=values, lost=lost),)
            sample = Sample(time=self.time, gpus=() if trouble else gpus, trouble=trouble)
            self.state, alerts = watch(self.state, sample, SETTINGS, training=self.training)
            self.told += alerts
        return [alert.kind for alert in self.told[before:]]


def test_heat_is_told_once_until_it_was_over() -> None:
    story = Story()
    assert story.see(60, temperature=81.9, temperature_slowdown=87) == []
    assert story.see(60, temperature=83, temperature_slowdown=87) == ["hot"]
    assert story.see(60, temperature=81, temperature_slowdown=87) == []  # not yet clearly cooler
    assert story.see(60, temperature=84, temperature_slowdown=87) == []
    assert story.see(60, temperature=70, temperature_slowdown=87) == []
    assert story.see(60, temperature=84, temperature_slowdown=87) == ["hot"]


def test_a_card_that_brakes_is_hot_whatever_its_thermometer_says() -> None:
    assert Story().see(temperature=60, held_back_heat=100) == ["hot"]
    assert Story().see(temperature=88) == ["hot"]  # no threshold told: 90 is assumed
    assert Story().see(utilization=99) == []


def test_full_memory_counts_what_the_driver_keeps() -> None:
    story = Story()
    assert story.see(30, vram_used=7.5e9, vram_reserved=0.3e9, vram_total=8e9) == ["vram"]
    assert story.see(30, vram_used=3e9, vram_total=8e9) == []
    assert story.see(30, vram_used=7.9e9, vram_total=8e9) == ["vram"]
    assert Story().see(30, vram_used=7e9, vram_total=8e9) == []
    assert Story().see(30, vram_used=7e9, vram_total=0) == []


def test_an_idle_card_is_told_only_while_a_training_runs_and_only_once() -> None:
    assert Story().see(600, utilization=0) == []
    story = Story(training=True)
    assert story.see(100, utilization=0) == []
    assert story.see(1, utilization=80) == []
    assert story.see(119, utilization=0) == []
    assert story.see(300, utilization=0) == ["idle"]
    assert story.see(10, utilization=80) == []
    assert story.see(300, utilization=0) == []
    story.training = ()
    story.see(1, utilization=0)
    story.training = ("a",)
    assert story.see(300, utilization=0) == ["idle"]


def test_a_lost_card_is_told_once_and_its_return_too() -> None:
    story = Story()
    story.see(5, utilization=10)
    assert story.see(60, lost=True) == ["lost"]
    assert story.see(5, utilization=10) == ["back"]
    assert story.see(60, trouble="not_responding") == ["lost"]
    assert story.see(60, trouble="driver_lost") == []
    assert story.see(5, utilization=10) == ["back"]


def test_a_card_that_disappears_from_the_list_is_lost() -> None:
    state, _ = watch(AlertState(), _two(True), SETTINGS)
    state, alerts = watch(state, _two(False), SETTINGS)
    assert [(alert.kind, alert.gpu) for alert in alerts] == [("lost", "b")]


def _two(both: bool) -> Sample:
    cards = (GpuSample(uuid=uuid, index=0, name=uuid, values={"power": 1.0}) for uuid in ("ab" if both else "a"))
    return Sample(time=1e9, gpus=tuple(cards))


def test_a_sleeping_card_and_a_computer_without_a_driver_are_no_news() -> None:
    state, alerts = watch(
        AlertState(), Sample(time=1e9, gpus=(GpuSample(uuid="a", index=0, name="A", asleep=True),)), SETTINGS
    )
    assert alerts == ()
    assert watch(state, Sample(time=1e9, trouble="no_nvml"), SETTINGS)[1] == ()


def test_every_alert_is_said_in_both_languages() -> None:
    story = Story(training=True)
    story.see(1, temperature=95, temperature_slowdown=87, vram_used=8e9, vram_total=8e9, utilization=0)
    story.see(1, temperature=60, temperature_slowdown=87, utilization=0)
    story.see(200, temperature=84, temperature_slowdown=87, utilization=0)
    story.see(1, lost=True)
    story.see(1, utilization=50)
    assert {alert.kind for alert in story.told} == {"hot", "vram", "idle", "lost", "back"}
    for alert in story.told:
        for language in LANGUAGES:
            assert "RTX 4060" in say(alert.text, language)
