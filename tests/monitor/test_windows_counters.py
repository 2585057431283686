"""Windows' counters, as a real Windows writes them, joined with NVML's cards."""

from __future__ import annotations

import sys

import pytest

from gpu_assistant.monitor.model import GpuSample, ProcessSample
from gpu_assistant.monitor.windows_counters import (
    ADAPTER_DEDICATED,
    ADAPTER_SHARED,
    ENGINE,
    PROCESS_DEDICATED,
    PROCESS_SHARED,
    Adapter,
    add_counters,
    read_use,
)

NVIDIA = "0x00000000_0x0000d1a3"
INTEL = "0x00000000_0x0000c0de"
ADAPTERS = (
    Adapter(luid=INTEL, name="Intel(R) UHD Graphics", vendor_id=0x8086, dedicated_bytes=128 << 20),
    Adapter(
        luid=NVIDIA,
        name="NVIDIA GeForce RTX 4060 Laptop GPU",
        vendor_id=0x10DE,
        dedicated_bytes=8 << 30,
        pci_address="0000:01:00.0",
    ),
    Adapter(luid="0x00000000_0x0000beef", name="Microsoft Basic Render Driver", vendor_id=0x1414, dedicated_bytes=0),
)
ON_NVIDIA, ON_INTEL = "luid_0x00000000_0x0000D1A3_phys_0", "luid_0x00000000_0x0000C0DE_phys_0"
ANSWERS = {
    ENGINE: [
        (f"pid_4242_{ON_NVIDIA}_eng_0_engtype_3D", 1.5),
        (f"pid_4242_{ON_NVIDIA}_eng_9_engtype_Cuda", 88.0),
        (f"pid_900_{ON_NVIDIA}_eng_0_engtype_3D", 4.0),
        (f"pid_900_{ON_INTEL}_eng_0_engtype_3D", 12.0),
        (f"pid_901_{ON_INTEL}_eng_0_engtype_3D", 8.0),
        (f"pid_901_{ON_INTEL}_eng_2_engtype_VideoDecode", 5.0),
    ],
    PROCESS_DEDICATED: [(f"pid_4242_{ON_NVIDIA}", 7.5e9), (f"pid_900_{ON_NVIDIA}", 2e8), (f"pid_900_{ON_INTEL}", 1e8)],
    PROCESS_SHARED: [(f"pid_4242_{ON_NVIDIA}", 3e9), (f"pid_900_{ON_INTEL}", 5e7)],
    ADAPTER_DEDICATED: [(ON_NVIDIA, 7.9e9), (ON_INTEL, 1.1e8)],
    ADAPTER_SHARED: [(ON_NVIDIA, 3.1e9), (ON_INTEL, 6e7)],
}


def _nvml(**changes: object) -> GpuSample:
    values: dict[str, object] = {
        "uuid": "GPU-1",
        "index": 0,
        "name": "NVIDIA GeForce RTX 4060 Laptop GPU",
        "pci_address": "0000:01:00.0",
        "values": {"utilization": 97.0, "vram_used": 7.8e9},
        "processes": (
            ProcessSample(pid=4242, kind="compute"),
            ProcessSample(pid=900, kind="both", vram_bytes=123, gpu_percent=3.0),
            ProcessSample(pid=7, kind="graphics"),
        ),
    }
    return GpuSample(**(values | changes))  # type: ignore[arg-type]


def test_memory_that_nvml_hides_comes_from_windows() -> None:
    card = add_counters((_nvml(),), ADAPTERS, ANSWERS)[0]
    training, desktop, other = card.processes
    assert (training.vram_bytes, training.shared_bytes, training.gpu_percent) == (7_500_000_000, 3_000_000_000, 88.0)
    assert (desktop.vram_bytes, desktop.gpu_percent) == (123, 3.0), "what NVML tells stays"
    assert (other.vram_bytes, other.gpu_percent) == (None, None)
    assert card.values == {"utilization": 97.0, "vram_used": 7.8e9, "vram_shared": 3.1e9}


def test_other_makers_cards_come_from_windows_alone() -> None:
    _, intel = add_counters((_nvml(),), ADAPTERS, ANSWERS)
    assert (intel.name, intel.vendor, intel.index) == ("Intel(R) UHD Graphics", "intel", 1)
    assert intel.values == {
        "utilization": 20.0,  # the busiest engine, as the Task Manager counts
        "vram_used": 1.1e8,
        "vram_total": float(128 << 20),
        "vram_shared": 6e7,
    }
    assert [(process.pid, process.vram_bytes, process.gpu_percent) for process in intel.processes] == [
        (900, 10**8, 12.0)
    ]


def test_without_addresses_the_name_decides_and_twins_are_not_mixed_up() -> None:
    nameless = tuple(
        Adapter(luid=luid, name="RTX", vendor_id=0x10DE, dedicated_bytes=1) for luid in (NVIDIA, "0x0_0x1")
    )
    twins = tuple(_nvml(uuid=uuid, index=i, name="RTX", pci_address=None) for i, uuid in enumerate("ab"))
    first, second = add_counters(twins, nameless, ANSWERS)
    assert first.values["vram_shared"] == 3.1e9
    assert "vram_shared" not in second.values


@pytest.mark.parametrize("answers", [{}, {ENGINE: []}, {ENGINE: [("_Total", 5.0), ("nonsense", 1.0)]}])
def test_counters_that_say_nothing_change_nothing(answers: dict[str, list[tuple[str, float]]]) -> None:
    assert add_counters((_nvml(),), ADAPTERS, answers) == (_nvml(),)
    assert add_counters((), (), ANSWERS) == ()
    assert read_use(answers) == ({}, {})


@pytest.mark.skipif(sys.platform != "win32", reason="asks the real Windows")
def test_the_real_windows_answers_or_keeps_silent() -> None:
    from gpu_assistant.monitor.windows_counters import WindowsCounters

    counters = WindowsCounters()
    for _ in range(2):
        cards = counters.add_to(())
        assert all(card.values for card in cards)
