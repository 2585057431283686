"""What the monitor samples. A value that could not be read is a missing key: a gap, never a zero."""

from __future__ import annotations

from typing import Literal

from gpu_assistant.base.model import Value


class ProcessSample(Value, frozen=True, kw_only=True):
    """A process on a card at one moment."""

    pid: int
    name: str | None = None
    user: str | None = None
    command: str | None = None
    vram_bytes: int | None = None
    shared_bytes: int | None = None  # spilled into shared memory (Windows)
    gpu_percent: float | None = None
    started: float | None = None  # Unix time
    kind: Literal["compute", "graphics", "both"] | None = None


class GpuSample(Value, frozen=True, kw_only=True):
    """One card at one moment. Keys of `values` are metric ids of `resources/metrics.toml`, in the units told there."""

    uuid: str  # the driver's, or a stable stand-in such as the PCI address
    index: int
    name: str
    values: dict[str, float] = {}
    throttle: tuple[str, ...] = ()  # reason ids: "power_cap", "thermal_slowdown", ...
    processes: tuple[ProcessSample, ...] = ()
    lost: bool = False
    vendor: Literal["nvidia", "amd", "intel", "other"] = "nvidia"
    asleep: bool = False  # switched off by the system to save power; nobody woke it to ask
    pci_address: str | None = None  # "0000:01:00.0"
    trouble: str | None = None  # why a card answers nothing: "gpu_lost", "reset_required", "no_permission"


class HostSample(Value, frozen=True, kw_only=True):
    """The computer around the cards at one moment."""

    values: dict[str, float] = {}
    cores: tuple[float, ...] = ()  # load of each core in percent


Trouble = Literal[
    "no_nvml",  # no NVIDIA driver library here
    "driver_not_loaded",  # library there, kernel module not
    "driver_mismatch",  # updated, not restarted
    "no_permission",
    "no_devices",
    "driver_lost",  # it answered before and fails now
    "not_responding",  # asked, no answer within the time limit
    "sampler_broken",  # our own sampling process cannot be started or keeps ending
]


class Sample(Value, frozen=True, kw_only=True):
    """Everything at one moment."""

    time: float  # Unix time, seconds
    gpus: tuple[GpuSample, ...] = ()
    host: HostSample = HostSample()
    trouble: Trouble | None = None  # what the driver answers instead
    after_gap: bool = False  # the computer slept, or the clock jumped, since the sample before


class Mark(Value, frozen=True, kw_only=True):
    """A moment worth a line on the time axis: "training_started", "training_ended", "oom", "throttling", ..."""

    time: float
    kind: str
    text: str = ""
