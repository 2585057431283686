"""Marks that the samples themselves tell: throttling began, a card or the driver was lost or came back."""

from __future__ import annotations

from gpu_assistant.monitor.model import GpuSample, Mark, Sample

_DRIVER = ("driver_lost", "not_responding")
_HELD_BACK = ("held_back_heat", "held_back_power")


class MarkFinder:
    """Feed it every sample in turn; it remembers what was already marked."""

    def __init__(self, *, quiet: float = 60.0) -> None:
        """`quiet`: seconds without throttling until another beginning is worth a mark."""
        self._quiet = quiet
        self._driver_away = False
        self._lost: set[str] = set()
        self._held_back_at: dict[tuple[str, str], float] = {}

    def look(self, sample: Sample) -> tuple[Mark, ...]:
        """The marks that this sample sets. Kinds: driver_lost, driver_back, gpu_lost, gpu_back, throttling."""
        found: list[Mark] = []
        away = sample.trouble in _DRIVER
        if away != self._driver_away:
            self._driver_away = away
            found.append(Mark(time=sample.time, kind="driver_lost" if away else "driver_back"))
        for gpu in sample.gpus:
            found += self._look_at(gpu, sample.time)
        return tuple(found)

    def _look_at(self, gpu: GpuSample, time: float) -> list[Mark]:
        found = []
        if gpu.lost != (gpu.uuid in self._lost):
            self._lost ^= {gpu.uuid}
            found.append(Mark(time=time, kind="gpu_lost" if gpu.lost else "gpu_back", text=gpu.name))
        for metric in _HELD_BACK:
            if gpu.values.get(metric, 0.0) > 0:
                before = self._held_back_at.get((gpu.uuid, metric))
                if before is None or time - before > self._quiet:
                    found.append(Mark(time=time, kind="throttling", text=metric))
                self._held_back_at[gpu.uuid, metric] = time
        return found
