"""What the monitor samples. A value that could not be read is a missing key: a gap, never a zero."""

from __future__ import annotations

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


class GpuSample(Value, frozen=True, kw_only=True):
    """One card at one moment. Keys of `values` are metric ids of `resources/metrics.toml`, in the units told there."""

    uuid: str  # the driver's, or a stable stand-in such as the PCI address
    index: int
    name: str
    values: dict[str, float] = {}
    throttle: tuple[str, ...] = ()  # reason ids: "power_cap", "thermal_slowdown", ...
    processes: tuple[ProcessSample, ...] = ()
    lost: bool = False


class HostSample(Value, frozen=True, kw_only=True):
    """The computer around the cards at one moment."""

    values: dict[str, float] = {}
    cores: tuple[float, ...] = ()  # load of each core in percent


class Sample(Value, frozen=True, kw_only=True):
    """Everything at one moment."""

    time: float  # Unix time, seconds
    gpus: tuple[GpuSample, ...] = ()
    host: HostSample = HostSample()
    trouble: str | None = None  # id of what the driver answers instead: "driver_lost", "no_nvml", "not_responding", ...


class Mark(Value, frozen=True, kw_only=True):
    """A moment worth a line on the time axis: "training_started", "training_ended", "oom", "throttling", ..."""

    time: float
    kind: str
    text: str = ""
