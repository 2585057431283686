"""A day of eight cards in memory: its size, the repaint of its full range, and that nothing grows.

python tests/benchmarks/monitor_day.py
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import threading
import time
from pathlib import Path

import psutil

sys.path.insert(0, str(Path(__file__).parents[2]))

from gpu_assistant.base.settings import Settings
from gpu_assistant.monitor.alerts import AlertState, watch
from gpu_assistant.monitor.hints import find_hints
from gpu_assistant.monitor.marks import MarkFinder
from gpu_assistant.monitor.metrics import metrics
from gpu_assistant.monitor.model import GpuSample, HostSample, Sample
from gpu_assistant.monitor.recording import Recorder
from gpu_assistant.monitor.store import SeriesStore

DAY = 86400
CARDS = [f"GPU-{number}" for number in range(8)]
METRICS = [id_ for id_, row in metrics().items() if row.scope == "gpu" and not row.limit][:12]
HOST_METRICS = [id_ for id_, row in metrics().items() if row.scope == "host"]
WIDTH = 1600  # pixels


def sample(second: int) -> Sample:
    """One moment; every value differs from the one before."""
    gpus = tuple(
        GpuSample(
            uuid=uuid,
            index=index,
            name="GPU",
            values={id_: float((second * 7 + index * 13 + place * 29) % 101) for place, id_ in enumerate(METRICS)},
        )
        for index, uuid in enumerate(CARDS)
    )
    host = HostSample(values={id_: float((second * 3 + place) % 97) for place, id_ in enumerate(HOST_METRICS)})
    return Sample(time=1.7e9 + second, gpus=gpus, host=host)


def repaint(store: SeriesStore) -> float:
    """Milliseconds to reduce every series of every card over the full range to what a chart draws."""
    assert store.first_time is not None
    assert store.last_time is not None
    began = time.perf_counter()
    for uuid in CARDS:
        for id_ in METRICS:
            store.decimated(uuid, id_, store.first_time, store.last_time, WIDTH)
    return (time.perf_counter() - began) * 1000


def main() -> None:
    process = psutil.Process()
    store, alerts, finder = SeriesStore(), AlertState(), MarkFinder()
    settings = Settings()
    before = process.memory_info().rss
    sizes: list[tuple[int, int, int]] = []
    with tempfile.TemporaryDirectory() as folder:
        recorder = Recorder(Path(folder) / "day.gpurec")
        began = time.perf_counter()
        for second in range(2 * DAY):
            now = sample(second)
            store.add(now)
            alerts, _ = watch(alerts, now, settings)
            for mark in finder.look(now):
                store.add_mark(mark)
            if second < 3600:
                recorder.write(now)
            if second % 3600 == 0:
                find_hints(store)
                sizes.append((process.memory_info().rss, process.num_fds(), threading.active_count()))
            if second == DAY:
                print(f"a day was simulated in {time.perf_counter() - began:.0f} s", flush=True)
                grown = (process.memory_info().rss - before) / 1e6
                print(f"  series: {store.nbytes / 1e6:.0f} MB; the process grew by {grown:.0f} MB (aim: under 250)")
                median = statistics.median(repaint(store) for _ in range(31))
                count = len(CARDS) * len(METRICS)
                print(f"  {count} series to {WIDTH} columns: median {median:.1f} ms (aim: under 16)", flush=True)
        recorder.close()
        print(f"  an hour of 8 cards in a file: {recorder.path.stat().st_size / 1e6:.1f} MB")
    full, end = sizes[26], sizes[-1]
    print(
        f"the day after: memory x{end[0] / full[0]:.2f}, handles {full[1]} to {end[1]}, threads {full[2]} to {end[2]}"
        " (aim: 1, no change)"
    )


if __name__ == "__main__":
    main()
