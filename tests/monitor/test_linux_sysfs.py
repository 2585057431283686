"""AMD's and Intel's cards from sysfs trees as real machines have them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from gpu_assistant.monitor.linux_sysfs import SysfsCards
from gpu_assistant.monitor.model import GpuSample

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="its file names hold colons")

# Radeon RX 7900 XTX under amdgpu
AMD = {
    "vendor": "0x1002\n",
    "gpu_busy_percent": "73\n",
    "mem_busy_percent": "21\n",
    "mem_info_vram_used": "8589934592\n",
    "mem_info_vram_total": "25753026560\n",
    "mem_info_gtt_used": "55836672\n",
    "pp_dpm_sclk": "0: 500Mhz\n1: 2304Mhz *\n2: 2526Mhz\n",
    "pp_dpm_mclk": "0: 96Mhz\n1: 456Mhz\n2: 1249Mhz *\n",
    "current_link_speed": "16.0 GT/s PCIe\n",
    "max_link_speed": "16.0 GT/s PCIe\n",
    "current_link_width": "16\n",
    "max_link_width": "16\n",
    "power/runtime_status": "active\n",
    "hwmon/hwmon3/name": "amdgpu\n",
    "hwmon/hwmon3/power1_average": "289000000\n",
    "hwmon/hwmon3/power1_cap": "339000000\n",
    "hwmon/hwmon3/fan1_input": "1432\n",
    "hwmon/hwmon3/pwm1": "102\n",
    "hwmon/hwmon3/temp1_label": "edge\n",
    "hwmon/hwmon3/temp1_input": "61000\n",
    "hwmon/hwmon3/temp1_crit": "100000\n",
    "hwmon/hwmon3/temp1_emergency": "105000\n",
    "hwmon/hwmon3/temp2_label": "junction\n",
    "hwmon/hwmon3/temp2_input": "82000\n",
    "hwmon/hwmon3/temp3_label": "mem\n",
    "hwmon/hwmon3/temp3_input": "78000\n",
}

# Arc A770 under i915
INTEL = {
    "vendor": "0x8086\n",
    "power/runtime_status": "active\n",
    "drm/card1/gt_act_freq_mhz": "2050\n",
    "drm/card1/gt_max_freq_mhz": "2400\n",
    "current_link_speed": "2.5 GT/s PCIe\n",
    "hwmon/hwmon4/name": "i915\n",
    "hwmon/hwmon4/power1_max": "190000000\n",
    "hwmon/hwmon4/fan1_input": "980\n",
}

# Arc B580 under xe
XE = {
    "vendor": "0x8086\n",
    "tile0/gt0/freq0/act_freq": "1150\n",
    "tile0/gt0/freq0/max_freq": "2850\n",
    "hwmon/hwmon5/temp2_label": "pkg\n",
    "hwmon/hwmon5/temp2_input": "44000\n",
    "hwmon/hwmon5/temp3_label": "vram\n",
    "hwmon/hwmon5/temp3_input": "50000\n",
}


def _tree(root: Path, cards: dict[str, tuple[str, dict[str, str]]]) -> Path:
    drm = root / "class/drm"
    drm.mkdir(parents=True)
    for card, (address, files) in cards.items():
        device = root / "devices" / address
        for name, content in files.items():
            (device / name).parent.mkdir(parents=True, exist_ok=True)
            (device / name).write_text(content)
        (drm / card).mkdir()
        (drm / card / "device").symlink_to(device)
        (drm / f"{card}-DP-1").mkdir()
    return drm


def test_an_amd_card(tmp_path: Path) -> None:
    drm = _tree(tmp_path, {"card0": ("0000:03:00.0", AMD)})
    (card,) = SysfsCards(drm).add_to(())
    assert (card.vendor, card.uuid, card.index, card.pci_address) == ("amd", "0000:03:00.0", 0, "0000:03:00.0")
    assert card.values == {
        "utilization": 73.0,
        "memory_controller": 21.0,
        "vram_used": 8589934592.0,
        "vram_total": 25753026560.0,
        "vram_shared": 55836672.0,
        "sm_clock": 2304.0,
        "sm_clock_max": 2526.0,
        "memory_clock": 1249.0,
        "memory_clock_max": 1249.0,
        "pcie_generation": 4.0,
        "pcie_generation_max": 4.0,
        "pcie_width": 16.0,
        "pcie_width_max": 16.0,
        "power": 289.0,
        "power_limit": 339.0,
        "fan_speed": 1432.0,
        "fan": pytest.approx(40.0),
        "temperature": 61.0,
        "temperature_slowdown": 100.0,
        "temperature_shutdown": 105.0,
        "hotspot_temperature": 82.0,
        "memory_temperature": 78.0,
    }


def test_intel_cards_of_both_drivers_behind_those_of_nvml(tmp_path: Path) -> None:
    drm = _tree(tmp_path, {"card1": ("0000:04:00.0", INTEL), "card2": ("0000:05:00.0", XE)})
    nvidia = GpuSample(uuid="GPU-1", index=0, name="RTX")
    first, i915, xe = SysfsCards(drm).add_to((nvidia,))
    assert first == nvidia
    assert (i915.index, i915.vendor) == (1, "intel")
    assert i915.values == {
        "sm_clock": 2050.0,
        "sm_clock_max": 2400.0,
        "pcie_generation": 1.0,
        "power_limit": 190.0,
        "fan_speed": 980.0,
    }
    assert xe.values == {
        "sm_clock": 1150.0,
        "sm_clock_max": 2850.0,
        "temperature": 44.0,
        "memory_temperature": 50.0,
    }


def test_a_sleeping_card_is_not_touched(tmp_path: Path) -> None:
    drm = _tree(tmp_path, {"card0": ("0000:03:00.0", AMD | {"power/runtime_status": "suspended\n"})})
    (card,) = SysfsCards(drm).add_to(())
    assert card.asleep
    assert card.values == {}


def test_nvidia_nonsense_and_nothing_are_left_alone(tmp_path: Path) -> None:
    drm = _tree(
        tmp_path,
        {"card0": ("0000:01:00.0", {"vendor": "0x10de\n"}), "card1": ("0000:02:00.0", AMD | {"gpu_busy_percent": "?"})},
    )
    (card,) = SysfsCards(drm).add_to(())
    assert "utilization" not in card.values
    assert SysfsCards(tmp_path / "missing").add_to(()) == ()
