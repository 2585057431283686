"""What Linux' sysfs tells about AMD's and Intel's cards (drivers amdgpu, i915, xe)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Literal

from gpu_assistant.monitor.model import GpuSample

DRM = Path("/sys/class/drm")
Vendor = Literal["amd", "intel"]
_VENDORS: dict[str, Vendor] = {"0x1002": "amd", "0x8086": "intel"}
_NAMES = {"amd": "AMD Radeon", "intel": "Intel Graphics"}


class SysfsCards:
    """Adds AMD's and Intel's cards to those of NVML; a card that sleeps is not woken."""

    def __init__(self, root: Path = DRM) -> None:
        self._root = root
        self._cards: tuple[_Card, ...] | None = None

    def add_to(self, gpus: tuple[GpuSample, ...]) -> tuple[GpuSample, ...]:
        """The same cards and, behind them, those of sysfs."""
        if self._cards is None:
            self._cards = tuple(_find(self._root))
        first = 1 + max((gpu.index for gpu in gpus), default=-1)
        return gpus + tuple(card.sample(first + place) for place, card in enumerate(self._cards))


class _Card:
    """One card's folder in sysfs."""

    def __init__(self, device: Path, vendor: Vendor) -> None:
        self._device = device
        self._vendor = vendor
        self._address = device.resolve().name
        self._name = _text(device / "product_name") or f"{_NAMES[vendor]} ({self._address})"
        self._hwmon = next(iter(sorted(device.glob("hwmon/hwmon*"))), None)

    def sample(self, index: int) -> GpuSample:
        asleep = _text(self._device / "power/runtime_status") == "suspended"
        return GpuSample(
            uuid=self._address,
            index=index,
            name=self._name,
            vendor=self._vendor,
            values={} if asleep else self._values(),
            asleep=asleep,
            pci_address=self._address,
        )

    def _values(self) -> dict[str, float]:
        asked = {id_: read(self._device) for id_, read in _FILES.items()}
        if self._hwmon is not None:
            asked |= _sensors(self._hwmon)
        return {id_: value for id_, value in asked.items() if value is not None}


def _find(root: Path) -> list[_Card]:
    found = []
    try:
        folders = sorted(root.glob("card[0-9]*"))
    except OSError:
        return []
    for folder in folders:
        vendor = _VENDORS.get(_text(folder / "device/vendor"))
        if "-" not in folder.name and vendor is not None:
            found.append(_Card(folder / "device", vendor))
    return found


def _text(path: Path) -> str:
    try:
        return path.read_text(errors="replace").strip()
    except OSError:
        return ""


def _number(path: Path, factor: float = 1.0) -> float | None:
    try:
        return float(_text(path)) * factor
    except ValueError:
        return None


def _file(name: str, factor: float = 1.0) -> Callable[[Path], float | None]:
    return lambda device: _number(device / name, factor)


def _current_clock(name: str) -> Callable[[Path], float | None]:
    """amdgpu lists its clock levels, the current one starred: "1: 1200Mhz *"."""

    def read(device: Path) -> float | None:
        for line in _text(device / name).splitlines():
            if line.rstrip().endswith("*"):
                digits = "".join(filter(str.isdigit, line.split(":")[-1]))
                return float(digits) if digits else None
        return None

    return read


def _highest_clock(name: str) -> Callable[[Path], float | None]:
    def read(device: Path) -> float | None:
        levels = ["".join(filter(str.isdigit, line.split(":")[-1])) for line in _text(device / name).splitlines()]
        return max((float(level) for level in levels if level), default=None)

    return read


_GENERATIONS = {"2.5": 1.0, "5.0": 2.0, "8.0": 3.0, "16.0": 4.0, "32.0": 5.0, "64.0": 6.0}


def _generation(name: str) -> Callable[[Path], float | None]:
    """The kernel tells the speed: "16.0 GT/s PCIe"."""
    return lambda device: _GENERATIONS.get(_text(device / name).split(" ")[0])


def _intel_clock(which: str) -> Callable[[Path], float | None]:
    """i915 keeps it beside the device, xe in a folder per tile and engine group."""

    def read(device: Path) -> float | None:
        old = {"act": "gt_act_freq_mhz", "max": "gt_max_freq_mhz"}[which]
        for card in device.glob("drm/card*"):
            if (value := _number(card / old)) is not None:
                return value
        return _number(device / f"tile0/gt0/freq0/{which}_freq")

    return read


def _first(*reads: Callable[[Path], float | None]) -> Callable[[Path], float | None]:
    return lambda device: next((value for read in reads if (value := read(device)) is not None), None)


_FILES: dict[str, Callable[[Path], float | None]] = {
    "utilization": _file("gpu_busy_percent"),
    "memory_controller": _file("mem_busy_percent"),
    "vram_used": _file("mem_info_vram_used"),
    "vram_total": _file("mem_info_vram_total"),
    "vram_shared": _file("mem_info_gtt_used"),
    "sm_clock": _first(_current_clock("pp_dpm_sclk"), _intel_clock("act")),
    "sm_clock_max": _first(_highest_clock("pp_dpm_sclk"), _intel_clock("max")),
    "memory_clock": _current_clock("pp_dpm_mclk"),
    "memory_clock_max": _highest_clock("pp_dpm_mclk"),
    "pcie_generation": _generation("current_link_speed"),
    "pcie_generation_max": _generation("max_link_speed"),
    "pcie_width": _file("current_link_width"),
    "pcie_width_max": _file("max_link_width"),
}

_LABELS = {
    "edge": "temperature",
    "pkg": "temperature",
    "junction": "hotspot_temperature",
    "mem": "memory_temperature",
    "vram": "memory_temperature",
}


def _sensors(hwmon: Path) -> dict[str, float | None]:
    """Temperatures by their labels; power in microwatts; fan in turns and of 255."""
    values: dict[str, float | None] = {
        "power": _first(_file("power1_average", 1e-6), _file("power1_input", 1e-6))(hwmon),
        "power_limit": _first(_file("power1_cap", 1e-6), _file("power1_max", 1e-6))(hwmon),
        "fan_speed": _number(hwmon / "fan1_input"),
        "fan": _number(hwmon / "pwm1", 100 / 255),
    }
    for place in range(1, 5):
        if (id_ := _LABELS.get(_text(hwmon / f"temp{place}_label"))) is not None:
            values[id_] = _number(hwmon / f"temp{place}_input", 0.001)
            if id_ == "temperature":
                values["temperature_slowdown"] = _number(hwmon / f"temp{place}_crit", 0.001)
                values["temperature_shutdown"] = _number(hwmon / f"temp{place}_emergency", 0.001)
    return values
