"""Six prepared slow scripts are named rightly while they run, and a good one gets no hint.

The trainings are real, on the processor; the stand-in NVML library plays the card.
"""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from msgspec.structs import replace

from gpu_assistant.base.job import JobContext
from gpu_assistant.monitor.hint_rows import hint_rows
from gpu_assistant.monitor.model import Sample
from gpu_assistant.monitor.sampler import Sampler
from gpu_assistant.watch.job import WatchJob
from gpu_assistant.watch.observation import Observation
from gpu_assistant.watch.page import to_html
from gpu_assistant.watch.spec import WatchSpec
from gpu_assistant.watch.store import RunFolder, list_runs, load_run
from gpu_assistant.watch.summary import summarise
from tests.monitor.conftest import put_library
from tests.real_torch import real_torch_environment

pytestmark = [pytest.mark.real_install, pytest.mark.timeout(300), pytest.mark.allow_network]

SCRIPTS = Path(__file__).parent / "scripts"
LONGEST = 6.0  # seconds that a hint needs here, so that a test need not train for minutes

CARD = """system driver 580.88
0 name NVIDIA GeForce RTX 4060
0 total 8G
0 used 2G
0 temperature 60
0 utilization {load}
"""
BUSY, BURSTS, RESTING, HALF = "95~3", "40~40", "1~1", "25~5"


class Seen:
    """What a watched script showed."""

    def __init__(self, folder: RunFolder) -> None:
        self.folder = folder
        rows = {id_: replace(row, seconds=min(row.seconds, LONGEST)) for id_, row in hint_rows().items()}
        self.look = Observation(folder, interval=0.2, rows=rows)
        self.hints: set[str] = set()
        self._lock = threading.Lock()

    def take(self, item: object) -> None:
        with self._lock:
            if isinstance(item, Sample):
                self.look.sample(item)
                self.hints |= {hint.id for hint in self.look.hints}
            else:
                self.look.see(item)  # type: ignore[arg-type]


@pytest.fixture
def watched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    python = str(real_torch_environment())

    def run(script: str, load: str, seconds: float, *, profile: bool = False) -> Seen:
        scenario = tmp_path / "scenario.txt"
        scenario.write_text(CARD.format(load=load))
        put_library("linux", tmp_path / "library", monkeypatch)
        monkeypatch.setenv("STANDIN_NVML_SCENARIO", str(scenario))
        seen = Seen(RunFolder(tmp_path / "watched", script))
        sampler = Sampler(seen.take, interval=0.2)
        sampler.start()
        spec = WatchSpec(
            python=python, script=str(SCRIPTS / f"{script}.py"), arguments=(str(seconds),), profile=profile
        )
        try:
            ended = WatchJob(spec, seen.folder).run(JobContext(seen.take))
        finally:
            sampler.stop()
            seen.folder.close(seen.look.run, seen.look.seen.values())
        assert ended.verdict == "finished", ended.lines[-20:]
        assert ended == seen.look.run
        return seen

    return run


# a busy test machine slows a training down for real, and a processor at its limit is one that trains
TRUE_HERE = {"slower-than-before", "training-on-cpu"}


@pytest.mark.parametrize(
    ("script", "load", "seconds", "expected"),
    [
        ("slow_loader", BURSTS, 9, "waits-for-data"),
        ("cpu_by_mistake", RESTING, 9, "network-on-processor"),
        ("tiny_batch", HALF, 9, "tiny-batches"),
        ("logging_each_step", BUSY, 9, "side-work"),
        ("growing_memory", BUSY, 9, "program-grows"),
        ("sudden_slowdown", BUSY, 12, "slower-than-before"),
        ("good", BUSY, 9, None),
    ],
)
def test_a_slow_script_is_named_while_it_runs(watched, script, load, seconds, expected) -> None:
    seen = watched(script, load, seconds)
    assert seen.look.run.steps > 20
    wanted = {expected} if expected else set()
    assert seen.hints - (TRUE_HERE - wanted) == wanted, seen.look.run.shares
    summary = summarise(seen.look.run, seen.look.store, seen.look.seen.values(), "ru")
    assert expected is None or expected in {advice.id for advice in summary.advice}


def test_the_profiler_tells_where_ten_steps_went(watched) -> None:
    seen = watched("slow_loader", BURSTS, 4, profile=True)
    profile = seen.look.run.profile
    assert profile is not None
    assert profile.steps == 10
    assert profile.parts["data"] / profile.seconds > 0.5
    assert sum(profile.parts.values()) == pytest.approx(profile.seconds, rel=0.2)
    assert any(place.text.startswith("time.sleep") for place in seen.look.run.places[:2])


def test_a_saved_run_opens_as_it_was(watched) -> None:
    seen = watched("slow_loader", BURSTS, 6)
    (saved,) = list_runs(seen.folder.path.parent)
    run, store, hints = load_run(saved.folder)
    assert run == seen.look.run
    assert {hint.id for hint in hints} == {"waits-for-data"}
    page = to_html(summarise(run, store, hints, "en"), store, "en")
    assert "<svg" in page
    assert "waits for its next batch" in page
