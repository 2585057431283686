"""The sampling process: one `Sample` as a JSON line per interval on stdout, until stdin closes.

The cards are asked on a thread of their own. While a driver hangs, the computer's own values go on, with
`trouble="not_responding"`; only the parent can end the hanging call, by ending this process.
"""

from __future__ import annotations

import argparse
import os
import sys
import threading
import time
from collections.abc import Callable

from gpu_assistant.base.model import to_json
from gpu_assistant.monitor.gpus import Fragile, Gpus
from gpu_assistant.monitor.host import Host
from gpu_assistant.monitor.model import GpuSample, Sample, Trouble
from gpu_assistant.monitor.nvml import Nvml

MODULE = "gpu_assistant.monitor.sampling_child"
GpuAnswer = tuple[tuple[GpuSample, ...], Trouble | None]


class GpuThread(threading.Thread):
    """Asks the cards whenever it is told to, and never lets anybody wait for them."""

    def __init__(self, sample: Callable[[], GpuAnswer], patience: float) -> None:
        """`patience`: seconds that one pass over the cards may take before we say so."""
        super().__init__(daemon=True, name="gpus")
        self._sample = sample
        self._patience = patience
        self._wanted = threading.Semaphore(0)
        self._done = threading.Event()
        self._busy = False
        self._since = 0.0  # when the question was put that is being answered
        self._answer: GpuAnswer = ((), None)
        self._last: GpuAnswer = ((), None)

    def run(self) -> None:
        """Answers until the process ends."""
        while True:
            self._wanted.acquire()
            self._answer = self._sample()
            self._done.set()

    def answer(self, timeout: float) -> GpuAnswer:
        """The cards now; what they said last if they are merely slow; "not_responding" if they keep silent."""
        if not self._busy:
            self._busy, self._since = True, time.monotonic()
            self._wanted.release()
        if self._done.wait(timeout):
            self._done.clear()
            self._busy = False
            self._last = self._answer
            return self._last
        if time.monotonic() - self._since > self._patience:
            self._last = ((), "not_responding")
        return self._last


class Clock:
    """Notices that the computer slept or that its clock was set."""

    def __init__(self, interval: float) -> None:
        self._interval = interval
        self._wall: float | None = None
        self._steady = 0.0

    def jumped(self, wall: float, steady: float) -> bool:
        """Whether more time passed since the last call than sampling explains."""
        before, passed = self._wall, steady - self._steady
        self._wall, self._steady = wall, steady
        if before is None:
            return False
        return abs(wall - before - passed) > 2.0 or passed > max(4 * self._interval, 5.0)


def all_gpus() -> Gpus:
    """NVML, and what this system can tell beside it."""
    if sys.platform == "win32":
        from gpu_assistant.monitor.windows_counters import WindowsCounters
        from gpu_assistant.monitor.windows_power import power_states

        gpus = Gpus(Nvml(), (Fragile(WindowsCounters),), power=power_states)
    else:
        from gpu_assistant.monitor.linux_sysfs import SysfsCards

        gpus = Gpus(Nvml(), (Fragile(SysfsCards),))  # finds nothing where there is no sysfs
    return gpus


def run(interval: float, patience: float, stop: threading.Event, write: Callable[[bytes], object]) -> None:
    """Samples until `stop`."""
    host, clock, gpus = Host(), Clock(interval), all_gpus()
    cards = GpuThread(gpus.sample, patience)
    cards.start()
    due = time.monotonic()
    wait = patience  # opening the driver takes longer than asking it, and who asks once wants the cards
    while not stop.is_set():
        wall, steady = time.time(), time.monotonic()
        if gap := clock.jumped(wall, steady):
            host.forget()
            due = steady
        found, trouble = cards.answer(wait)
        wait = 0.7 * interval
        sample = Sample(time=wall, gpus=found, host=host.sample(), trouble=trouble, after_gap=gap)
        write(to_json(sample) + b"\n")
        due = max(due + interval, time.monotonic() - interval)
        stop.wait(max(due - time.monotonic(), 0.02))


def main() -> int:
    """The child's entry point."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--interval", type=float, default=1.0)
    parser.add_argument("--patience", type=float, default=3.0)
    args = parser.parse_args()
    stop = threading.Event()
    threading.Thread(target=_wait_for_end, args=(stop,), daemon=True).start()
    out = sys.stdout.buffer

    def write(line: bytes) -> None:
        out.write(line)
        out.flush()

    try:
        run(args.interval, args.patience, stop, write)
    except (BrokenPipeError, OSError):
        return 1
    return 0


def _wait_for_end(stop: threading.Event) -> None:
    # not sys.stdin: its lock would be held while the interpreter ends
    while os.read(0, 1024):
        pass
    stop.set()


if __name__ == "__main__":
    sys.exit(main())
