"""Made-up samples, and a sampler that sends what a test tells it."""

from __future__ import annotations

from collections.abc import Callable

from gpu_assistant.monitor.model import GpuSample, HostSample, ProcessSample, Sample, Trouble

START = 1_790_000_000.0
GIB = 2.0**30

TRAINING = ProcessSample(
    pid=4242, name="python.exe", user="anna", command="python train.py", vram_bytes=int(5 * GIB), started=START - 700
)
DESKTOP = ProcessSample(pid=900, name="dwm.exe", vram_bytes=None, kind="graphics")


def card(index: int = 0, load: float = 74.0, **changes: object) -> GpuSample:
    values = {
        "utilization": load,
        "vram_used": 5 * GIB,
        "vram_total": 8 * GIB,
        "power": 115.0,
        "power_limit": 160.0,
        "temperature": 61.0,
        "temperature_slowdown": 83.0,
        "temperature_shutdown": 95.0,
    }
    fields: dict[str, object] = {
        "uuid": f"GPU-{index}",
        "index": index,
        "name": "NVIDIA GeForce RTX 4060",
        "values": values,
    }
    return GpuSample(**(fields | changes))  # type: ignore[arg-type]


def sample(second: float, *cards: GpuSample, trouble: Trouble | None = None, after_gap: bool = False) -> Sample:
    host = HostSample(values={"cpu": 30.0, "ram_used": 8 * GIB, "ram_total": 32 * GIB}, cores=(20.0, 40.0))
    return Sample(time=START + second, gpus=cards, host=host, trouble=trouble, after_gap=after_gap)


class FakeSampler:
    """Remembers what it was told."""

    def __init__(self, send: Callable[[Sample], None], interval: float) -> None:
        self.send = send
        self.interval = interval
        self.calls: list[str] = []

    def start(self) -> None:
        self.calls.append("start")

    def stop(self, timeout: float = 5.0) -> None:
        self.calls.append("stop")

    def pause(self) -> None:
        self.calls.append("pause")

    def resume(self) -> None:
        self.calls.append("resume")

    def set_interval(self, seconds: float) -> None:
        self.interval = seconds
