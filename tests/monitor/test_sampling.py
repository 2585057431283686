"""What cards and drivers do, good and bad: the real pynvml over the stand-in library, in the real sampling child."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from gpu_assistant.monitor.metrics import metrics
from gpu_assistant.monitor.model import Sample
from tests.monitor.conftest import Play

SCENARIOS = Path(__file__).parents[1] / "standin_nvml" / "scenarios"

CARD = """
0 name NVIDIA GeForce RTX 4060
0 total 8G
0 used 2G
0 reserved 256M
0 utilization 40
0 temperature 61
"""

FULL = (
    CARD
    + """
0 memory_utilization 22
0 power 80.5
0 power_limit 115
0 hotspot_temperature 74
0 memory_temperature 78
0 slowdown 87
0 shutdown 92
0 fan 45
0 fan_rpm 1800
0 sm_clock 2100
0 sm_clock_max 2370
0 memory_clock 8000
0 memory_clock_max 8001
0 pstate 2
0 pcie_gen 4
0 pcie_gen_max 4
0 pcie_width 8
0 pcie_width_max 8
0 rx 300M
0 tx 20M
0 encoder 3
0 decoder 4
0 throttle 68
0 ecc_corrected 5
0 ecc_uncorrected 1
"""
)


def _healthy(sample: Sample) -> bool:
    return sample.trouble is None and bool(sample.gpus) and not any(gpu.lost for gpu in sample.gpus)


def test_every_value_of_a_card_that_supports_everything(play: Play) -> None:
    card = play(FULL).card()
    assert card.values == {
        "utilization": 40.0,
        "memory_controller": 22.0,
        "vram_used": 2.0 * 2**30,
        "vram_total": 8.0 * 2**30,
        "vram_reserved": 256.0 * 2**20,
        "power": 80.5,
        "power_limit": 115.0,
        "temperature": 61.0,
        "hotspot_temperature": 74.0,
        "memory_temperature": 78.0,
        "temperature_slowdown": 87.0,
        "temperature_shutdown": 92.0,
        "fan": 45.0,
        "fan_speed": 1800.0,
        "sm_clock": 2100.0,
        "sm_clock_max": 2370.0,
        "memory_clock": 8000.0,
        "memory_clock_max": 8001.0,
        "performance_state": 2.0,
        "held_back_power": 100.0,
        "held_back_heat": 100.0,
        "pcie_generation": 4.0,
        "pcie_generation_max": 4.0,
        "pcie_width": 8.0,
        "pcie_width_max": 8.0,
        "pcie_rx": 300.0 * 2**20,
        "pcie_tx": 20.0 * 2**20,
        "encoder": 3.0,
        "decoder": 4.0,
        "ecc_corrected": 5.0,
        "ecc_uncorrected": 1.0,
        "process_count": 0.0,
    }
    assert card.throttle == ("hw_thermal_slowdown", "power_cap")
    assert card.pci_address == "0000:01:00.0"
    assert set(card.values) <= {id_ for id_, row in metrics().items() if row.scope == "gpu"}


def test_the_computer_is_sampled_beside_the_card(play: Play) -> None:
    watch = play(CARD)
    sample = watch.until(lambda sample: "disk_read" in sample.host.values or "network_sent" in sample.host.values)
    host = sample.host
    assert len(host.cores) == os.cpu_count()
    assert 0 <= host.values["cpu"] <= host.values["cpu_busiest_core"] <= 100
    assert 0 < host.values["ram_used"] < host.values["ram_total"]
    assert all(id_ in metrics() and metrics()[id_].scope == "host" for id_ in host.values)


def test_what_a_card_does_not_support_is_missing_and_never_zero(play: Play) -> None:
    card = play("0 name Old Card\n0 total 2G\n0 used 1G\n").card()
    assert set(card.values) == {"vram_used", "vram_total", "vram_reserved", "process_count"}
    assert card.trouble is None


def test_unified_memory_has_no_memory_of_its_own(play: Play) -> None:
    card = play("0 name NVIDIA GB10\n0 utilization 80\n0 power 60\n").card()
    assert not {"vram_used", "vram_total"} & set(card.values)
    assert card.values["utilization"] == 80


def test_an_old_driver_without_the_newer_functions(play: Play) -> None:
    watch = play(FULL + f"0 process.{os.getpid()}.vram 1G\n", variant="linux-old")
    card = watch.until(lambda sample: bool(sample.gpus) and bool(sample.gpus[0].processes)).gpus[0]
    # the old call counts the driver's own part as used and does not tell it apart
    assert card.values["vram_used"] == 2.25 * 2**30
    assert not {"vram_reserved", "hotspot_temperature", "fan_speed"} & set(card.values)
    assert card.throttle == ("hw_thermal_slowdown", "power_cap")
    assert card.processes[0].vram_bytes == 2**30


@pytest.mark.parametrize("count", [1, 2, 8, 16])
def test_as_many_cards_as_there_are(play: Play, count: int) -> None:
    scenario = "* total 24G\n* used 1G\n" + "".join(f"{i} name Card {i}\n{i} utilization {i}\n" for i in range(count))
    sample = play(scenario).until(_healthy)
    assert [(gpu.index, gpu.name, gpu.values["utilization"]) for gpu in sample.gpus] == [
        (i, f"Card {i}", float(i)) for i in range(count)
    ]
    assert len({gpu.uuid for gpu in sample.gpus}) == count


def test_a_name_that_is_not_utf8_is_shown_as_well_as_can_be(play: Play) -> None:
    sample = play("0 name Card \\xff\\xcf\n0 utilization 5\n1 name Карта\n1 utilization 6\n").until(_healthy)
    assert sample.gpus[0].name.startswith("Card ")
    assert [gpu.values["utilization"] for gpu in sample.gpus] == [5.0, 6.0]
    assert sample.gpus[1].name == "Карта"


def test_mig_instances_are_cards_of_their_own(play: Play) -> None:
    parts = "0.0 total 5G\n0.0 used 1G\n0.1 total 5G\n0.1 used 2G\n"
    watch = play("0 name NVIDIA A100\n0 total 40G\n0 used 10G\n0 power 200\n0 mig 2\n" + parts)
    gpus = watch.until(_healthy).gpus
    assert [gpu.values["vram_used"] / 2**30 for gpu in gpus] == [10, 1, 2]
    assert [gpu.uuid[:3] for gpu in gpus] == ["GPU", "MIG", "MIG"]
    assert all("utilization" not in gpu.values for gpu in gpus)


def test_processes_are_joined_with_what_the_system_knows(play: Play) -> None:
    own = os.getpid()
    watch = play(
        CARD
        + f"0 process.{own}.vram 1G\n0 process.{own}.utilization 33\n"
        + "0 process.999999.vram na\n0 process.999999.kind graphics\n"
    )
    card = watch.until(lambda sample: bool(sample.gpus) and len(sample.gpus[0].processes) == 2).gpus[0]
    ours, unknown = sorted(card.processes, key=lambda process: process.pid)
    assert ours.pid == own
    assert ours.vram_bytes == 2**30
    assert ours.gpu_percent == 33
    assert ours.kind == "compute"
    assert "python" in (ours.name or "")
    assert "pytest" in (ours.command or "")
    assert ours.user
    assert ours.started is not None
    assert 0 < time.time() - ours.started < 7200
    assert (unknown.vram_bytes, unknown.name, unknown.kind) == (None, None, "graphics")
    assert card.values["process_count"] == 1


def test_values_that_jump_are_told_as_they_are(play: Play) -> None:
    watch = play("0 name Card\n0 utilization 0=3 1=99 2=3\n0 total 8G\n0 used 0=1G 1=na 2=7G\n")
    watch.until(lambda sample: bool(sample.gpus) and sample.gpus[0].values.get("utilization") == 99)
    gap = watch.until(lambda sample: bool(sample.gpus) and "vram_used" not in sample.gpus[0].values)
    assert gap.trouble is None


def test_no_permission_for_single_values_and_for_all(play: Play) -> None:
    watch = play(
        FULL
        + "0 error.nvmlDeviceGetPowerUsage no_permission\n1 name Closed\n1 error.* no_permission\n"
        + "1 error.nvmlDeviceGetHandleByIndex_v2 ok\n"
    )
    sample = watch.until(lambda sample: len(sample.gpus) == 2)
    assert "power" not in sample.gpus[0].values
    assert sample.gpus[0].values["power_limit"] == 115
    assert sample.gpus[0].trouble is None
    assert sample.gpus[1].values == {}
    assert sample.gpus[1].trouble == "no_permission"


def test_a_card_nobody_may_open(play: Play) -> None:
    watch = play(CARD + "0 error.nvmlDeviceGetHandleByIndex_v2 no_permission\n")
    assert watch.until(lambda sample: sample.trouble is not None).trouble == "no_permission"


@pytest.mark.parametrize("error", ["gpu_lost", "reset_required"])
def test_a_lost_card_is_told_and_comes_back_while_the_other_goes_on(play: Play, error: str) -> None:
    watch = play(CARD + f"1 name Other\n1 utilization 70\n0 error.* 1={error} 2.5=ok\n")
    watch.until(_healthy)
    lost = watch.until(lambda sample: any(gpu.lost for gpu in sample.gpus))
    assert [(gpu.lost, gpu.trouble, gpu.values.get("utilization")) for gpu in lost.gpus] == [
        (True, error, None),
        (False, None, 70.0),
    ]
    back = watch.until(_healthy)
    assert back.gpus[0].values["utilization"] == 40


def test_a_card_that_vanishes_and_one_that_appears(play: Play) -> None:
    watch = play(CARD + "0 present 0=1 1=0\n1 name Late\n1 utilization 7\n1 present 0=0 2=1\n")
    assert [gpu.name for gpu in watch.until(_healthy).gpus] == ["NVIDIA GeForce RTX 4060"]
    assert watch.until(lambda sample: sample.trouble is not None).trouble in ("driver_lost", "no_devices")
    assert [gpu.name for gpu in watch.until(_healthy).gpus] == ["Late"]


@pytest.mark.parametrize(
    ("error", "trouble"),
    [
        ("driver_not_loaded", "driver_not_loaded"),
        ("mismatch", "driver_mismatch"),
        ("no_permission", "no_permission"),
        ("library_not_found", "no_nvml"),
        ("unknown", "driver_lost"),
    ],
)
def test_a_driver_that_cannot_be_opened_and_then_can(play: Play, error: str, trouble: str) -> None:
    watch = play(CARD + f"system error.nvmlInit 0={error} 1=ok\n")
    broken = watch.until(lambda sample: sample.trouble is not None)
    assert broken.trouble == trouble
    assert broken.gpus == ()
    assert broken.host.values["ram_total"] > 0
    assert watch.until(_healthy).gpus[0].values["utilization"] == 40


def test_no_devices(play: Play) -> None:
    assert play("system driver 580.88\n").until(lambda sample: sample.trouble is not None).trouble == "no_devices"


def test_a_driver_update_under_way(play: Play) -> None:
    watch = play(CARD + "system error.* 1=uninitialized 2=ok\nsystem error.nvmlInit 1=mismatch 2=ok\n")
    watch.until(_healthy)
    seen = {watch.until(lambda sample: sample.trouble is not None).trouble}
    seen.add(watch.until(lambda sample: sample.trouble not in seen).trouble)
    assert "driver_lost" in seen
    assert watch.until(_healthy).gpus


def test_slow_answers_are_neither_trouble_nor_holes(play: Play) -> None:
    watch = play(CARD + "* slow.nvmlDeviceGetTemperature 400\n")
    watch.until(_healthy)
    for _ in range(10):
        sample = watch.next()
        assert sample.trouble is None
        assert sample.gpus[0].values["temperature"] == 61


def test_a_hung_driver_is_told_while_the_computer_is_still_watched_and_recovers(play: Play) -> None:
    watch = play(CARD + "0 hang.nvmlDeviceGetTemperature 0.8=1 3=0\n", patience=0.3)
    watch.until(_healthy)
    hung = watch.until(lambda sample: sample.trouble is not None)
    assert hung.trouble == "not_responding"
    assert hung.host.values["ram_total"] > 0
    assert watch.until(_healthy).gpus[0].values["temperature"] == 61


def test_a_driver_that_hangs_for_ever_costs_the_child_and_never_us(play: Play) -> None:
    watch = play(CARD + "0 hang.* 0.5=1\n", patience=0.1)
    watch.until(lambda sample: sample.trouble == "not_responding")
    watch.until(lambda sample: sample.after_gap)  # another child, asking again
    began = time.monotonic()
    watch.sampler.pause()
    watch.sampler.set_interval(0.2)
    assert time.monotonic() - began < 1, "asking for something must not wait for the driver"


@pytest.mark.parametrize("path", sorted(SCENARIOS.glob("*.txt")), ids=lambda path: path.stem)
def test_the_scenarios_that_come_along_can_be_played(play: Play, path: Path) -> None:
    sample = play(path.read_text("utf-8")).until(_healthy)
    assert all({"utilization", "vram_used", "power", "temperature"} <= set(gpu.values) for gpu in sample.gpus)
