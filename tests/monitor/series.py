"""Synthetic series for the tests: a few words per metric become a store."""

from __future__ import annotations

from gpu_assistant.monitor.metrics import metrics
from gpu_assistant.monitor.model import GpuSample, HostSample, Sample
from gpu_assistant.monitor.store import SeriesStore

GPU = "GPU-1"
Shape = float | list[float] | str


def value_at(shape: Shape, part: float, step: int) -> float:
    """The value at a part (0 to 1) of the window: 5 stays, [1, 9] goes straight, "1/9" alternates, "1|9" jumps."""
    if isinstance(shape, int | float):
        return float(shape)
    if isinstance(shape, list):
        first, last = shape
        return first + (last - first) * part
    if "/" in shape:
        return float(shape.split("/")[step % 2])
    return float(shape.split("|")[part >= 0.5])


def store_of(shapes: dict[str, Shape], seconds: float, *, interval: float = 1.0, start: float = 1e9) -> SeriesStore:
    """A store whose newest `seconds` follow the shapes; names that are no metric are left out."""
    store = SeriesStore(interval=interval)
    steps = int(seconds / interval)
    for step in range(steps + 1):
        now: dict[str, dict[str, float]] = {"gpu": {}, "host": {}, "training": {}}
        for id_, shape in shapes.items():
            if id_ in metrics():
                now[metrics()[id_].scope][id_] = value_at(shape, step / steps, step)
        time = start + step * interval
        gpu = GpuSample(uuid=GPU, index=0, name="GPU", values=now["gpu"])
        store.add(Sample(time=time, gpus=(gpu,), host=HostSample(values=now["host"])))
        if now["training"]:
            store.add_training(time, now["training"])
    return store
