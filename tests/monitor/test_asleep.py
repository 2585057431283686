"""A laptop's card is left asleep, and is asked again when somebody uses it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from gpu_assistant.monitor.asleep import PowerState, SleepKeeper, power_states
from gpu_assistant.monitor.gpus import Fragile, Gpus
from gpu_assistant.monitor.model import GpuSample

AWAKE = (PowerState(address="0000:01:00.0", asleep=False, may_sleep=True),)
ASLEEP = (PowerState(address="0000:01:00.0", asleep=True, may_sleep=True),)
DESKTOP = (PowerState(address="0000:01:00.0", asleep=False, may_sleep=False),)


def test_a_desktop_card_is_always_asked() -> None:
    keeper = SleepKeeper()
    for now in range(1000):
        assert keeper.may_ask(DESKTOP, now)
        assert keeper.may_ask((), now)
        keeper.saw(busy=False, now=now)


def test_an_idle_card_is_left_alone_sleeps_and_is_asked_when_it_wakes() -> None:
    keeper = SleepKeeper(idle=30, patience=20)
    asked = []
    for now in range(100):
        states = AWAKE if now < 40 or now >= 80 else ASLEEP
        if keeper.may_ask(states, now):
            asked.append(now)
            keeper.saw(busy=False, now=now)
    assert asked == [*range(30), *range(80, 100)]


def test_a_card_that_does_not_fall_asleep_is_asked_again_for_long() -> None:
    keeper = SleepKeeper(idle=30, patience=20, insist=600)
    left_alone = []
    for now in range(1000):
        if keeper.may_ask(AWAKE, now):
            keeper.saw(busy=False, now=now)
        else:
            left_alone.append(now)
    assert left_alone == [*range(30, 51), *range(651, 672)]


def test_a_busy_card_is_never_left_alone() -> None:
    keeper = SleepKeeper(idle=30)
    for now in range(500):
        assert keeper.may_ask(AWAKE, now)
        keeper.saw(busy=now % 20 == 0, now=now)


@pytest.mark.skipif(sys.platform == "win32", reason="its file names hold colons")
def test_linux_tells_the_power_state_without_waking(tmp_path: Path) -> None:
    for address, vendor, kind, status, control in (
        ("0000:01:00.0", "0x10de", "0x030200", "suspended", "auto"),
        ("0000:01:00.1", "0x10de", "0x040300", "suspended", "auto"),  # its sound device
        ("0000:00:02.0", "0x8086", "0x030000", "active", "auto"),
    ):
        folder = tmp_path / address
        (folder / "power").mkdir(parents=True)
        for name, text in (
            ("vendor", vendor),
            ("class", kind),
            ("power/runtime_status", status),
            ("power/control", control),
        ):
            (folder / name).write_text(text + "\n")
    assert power_states(tmp_path) == ASLEEP
    assert power_states(tmp_path / "missing") == ()


class _Driver:
    """Counts how often it is disturbed."""

    def __init__(self) -> None:
        self.asked = 0
        self.is_open = False

    def sample(self) -> tuple[GpuSample, ...]:
        self.asked += 1
        self.is_open = True
        return (GpuSample(uuid="GPU-1", index=0, name="RTX 4060", values={"utilization": 0.0}),)

    def close(self) -> None:
        self.is_open = False


def test_the_sampler_lets_go_of_the_driver_and_still_shows_the_card() -> None:
    driver, now, states = _Driver(), [0.0], [ASLEEP]
    gpus = Gpus(driver, power=lambda: states[0], clock=lambda: now[0])  # type: ignore[arg-type]
    (unknown,) = gpus.sample()[0]
    assert (unknown.asleep, unknown.pci_address, driver.asked) == (True, "0000:01:00.0", 0)
    states[0] = AWAKE
    (awake,) = gpus.sample()[0]
    assert (awake.asleep, driver.is_open) == (False, True)
    for second in range(1, 40):
        now[0] = float(second)
        gpus.sample()
    states[0] = ASLEEP
    (known,) = gpus.sample()[0]
    assert (known.uuid, known.name, known.asleep, known.values) == ("GPU-1", "RTX 4060", True, {})
    assert not driver.is_open


class _Strange:
    """A source that fails as nobody foresaw."""

    def __init__(self) -> None:
        self.asked = 0

    def add_to(self, gpus: tuple[GpuSample, ...]) -> tuple[GpuSample, ...]:
        self.asked += 1
        raise ZeroDivisionError


@pytest.mark.allow_log
def test_a_source_that_fails_takes_nothing_along_and_is_asked_no_more() -> None:
    strange = _Strange()
    gpus = Gpus(_Driver(), (Fragile(lambda: strange),), power=lambda: ())  # type: ignore[arg-type]
    for _ in range(3):
        assert [gpu.name for gpu in gpus.sample()[0]] == ["RTX 4060"]
    assert strange.asked == 1


@pytest.mark.skipif(sys.platform != "win32", reason="asks the real Windows")
def test_the_real_windows_tells_power_states_or_keeps_silent() -> None:
    from gpu_assistant.monitor import windows_power

    assert all(state.address for state in windows_power.power_states())
