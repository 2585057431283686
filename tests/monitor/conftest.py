"""Cards made of text: the stand-in NVML library under the real pynvml, in a real child."""

from __future__ import annotations

import os
import queue
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from gpu_assistant.monitor.model import GpuSample, Sample
from gpu_assistant.monitor.sampler import Sampler
from tests.standin_nvml.build import Variant, build, compiler

Play = Callable[..., "Watch"]


class Watch:
    """A running sampler; hands out its samples."""

    def __init__(self, interval: float, patience: float, command: list[str] | None = None) -> None:
        self.samples: list[Sample] = []
        self._arrived: queue.SimpleQueue[Sample] = queue.SimpleQueue()
        self.sampler = Sampler(self._arrived.put, interval=interval, patience=patience, command=command)
        self.sampler.start()

    def next(self, timeout: float = 30.0) -> Sample:
        """The next sample."""
        sample = self._arrived.get(timeout=timeout)
        self.samples.append(sample)
        return sample

    def until(self, wanted: Callable[[Sample], bool], most: int = 400) -> Sample:
        """The first sample to come that is as wanted."""
        for _ in range(most):
            if wanted(sample := self.next()):
                return sample
        raise AssertionError(f"never came; the last was {self.samples[-1]}")

    def card(self, index: int = 0) -> GpuSample:
        """The first whole sample's card at a place in the list of cards."""
        return self.until(lambda sample: len(sample.gpus) > index).gpus[index]

    def drain(self) -> None:
        """Throws away what has come so far."""
        while not self._arrived.empty():
            self._arrived.get()


def put_library(variant: Variant, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lays the stand-in library where pynvml looks for it; skips the test where there is none.

    Windows: nvml.dll, built elsewhere, lies in the folder that STANDIN_NVML_WINDOWS (or ..._OLD) names.
    """
    if sys.platform == "win32":
        built = os.environ.get("STANDIN_NVML_WINDOWS" + ("_OLD" if variant.endswith("old") else ""))
        if built is None:
            pytest.skip("STANDIN_NVML_WINDOWS names no folder with nvml.dll")
        place = folder / "System32"
        if not place.exists():
            place.mkdir(parents=True)
            shutil.copy(Path(built) / "nvml.dll", place)
        monkeypatch.setenv("WINDIR", str(folder))
    elif sys.platform == "linux" and compiler("linux") is not None:
        monkeypatch.setenv("LD_LIBRARY_PATH", str(build(variant)))
    else:
        pytest.skip("needs gcc on Linux")


@pytest.fixture
def play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Play]:
    """Call it with a scenario to watch it; every watch ends with the test."""
    watches: list[Watch] = []

    def start(scenario: str, *, variant: Variant = "linux", interval: float = 0.1, patience: float = 1.0) -> Watch:
        path = tmp_path / f"scenario-{len(watches)}.txt"
        path.write_bytes(scenario.encode("utf-8"))
        put_library(variant, tmp_path / variant, monkeypatch)
        monkeypatch.setenv("STANDIN_NVML_SCENARIO", str(path))
        watches.append(Watch(interval, patience))
        return watches[-1]

    yield start
    for watch in watches:
        watch.sampler.stop()
