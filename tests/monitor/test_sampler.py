"""The sampler outlives every way its child can fail, and obeys at once."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator

import psutil
import pytest

from gpu_assistant.monitor.sampler import Sampler
from tests.monitor.conftest import Watch

HELLO = 'print(\'{"time": 5.0, "host": {"values": {"cpu": 1.0}}}\', flush=True)'

QUICK = 1.0 if sys.platform == "win32" else 0.1  # scales every time limit; a Python must start within them

Run = Callable[..., Watch]


@pytest.fixture
def run() -> Iterator[Run]:
    """Watches a child whose program is given."""
    watches: list[Watch] = []

    def start(code: str, *, patience: float = QUICK) -> Watch:
        watches.append(Watch(0.05, patience, [sys.executable, "-c", code]))
        return watches[-1]

    yield start
    for watch in watches:
        watch.sampler.stop()


def test_the_first_sample_follows_a_gap_and_the_next_does_not(run: Run) -> None:
    watch = run(f"import time\n{HELLO}\n{HELLO}\ntime.sleep(60)", patience=5)
    assert [watch.next().after_gap, watch.next().after_gap] == [True, False]


def test_a_child_that_falls_silent_is_told_and_replaced(run: Run) -> None:
    watch = run(f"import time\n{HELLO}\ntime.sleep(60)")
    watch.until(lambda sample: sample.host.values == {"cpu": 1.0})
    watch.until(lambda sample: sample.trouble == "not_responding")
    again = watch.until(lambda sample: sample.host.values == {"cpu": 1.0})
    assert again.after_gap


def test_a_child_whose_driver_hangs_is_replaced(run: Run) -> None:
    hung = 'print(\'{"time": 5.0, "trouble": "not_responding"}\', flush=True)'
    watch = run(f"import time\n{HELLO}\nwhile True:\n    {hung}\n    time.sleep({QUICK / 5})")
    watch.until(lambda sample: sample.trouble is None)
    watch.until(lambda sample: sample.trouble == "not_responding")
    assert watch.until(lambda sample: sample.trouble is None).after_gap


@pytest.mark.parametrize("code", ["raise SystemExit(3)", "import os; os.abort()", "print('no sample at all')"])
def test_a_child_that_cannot_work_is_told_and_tried_again(run: Run, code: str) -> None:
    watch = run(code)
    watch.until(lambda sample: sample.trouble == "sampler_broken")
    watch.until(lambda sample: sample.trouble == "sampler_broken")
    assert all(sample.trouble is not None for sample in watch.samples)


def test_a_program_that_is_not_there_is_told() -> None:
    watch = Watch(0.05, 0.05, ["/nowhere/python"])
    assert watch.next().trouble == "sampler_broken"
    watch.sampler.stop()


def test_noise_between_the_samples_is_skipped(run: Run) -> None:
    watch = run(
        f"import sys, time\nprint('{{'); print('warning: x', file=sys.stderr)\n{HELLO}\ntime.sleep(60)", patience=5
    )
    assert watch.next().host.values == {"cpu": 1.0}


def test_pause_ends_the_child_and_resume_brings_another(run: Run) -> None:
    watch = run(f"import time\nwhile True:\n    {HELLO}\n    time.sleep(0.02)", patience=1)
    watch.next()
    (child,) = _sampling_children()
    watch.sampler.pause()
    psutil.wait_procs([child], timeout=10)
    assert not child.is_running()
    watch.drain()
    time.sleep(0.2)
    watch.drain()  # the last line may have been on its way
    threading.Event().wait(0.2)
    assert watch._arrived.empty(), "nothing is sampled while paused"
    watch.sampler.resume()
    assert watch.next().after_gap


def test_stop_ends_everything_and_nothing_comes_afterwards(run: Run) -> None:
    watch = run(f"import time\nwhile True:\n    {HELLO}\n    time.sleep(0.02)", patience=1)
    watch.next()
    (child,) = _sampling_children()
    watch.sampler.stop()
    assert not child.is_running()
    watch.drain()
    time.sleep(0.1)
    assert watch._arrived.empty()
    watch.sampler.stop()


def test_it_can_be_stopped_from_its_own_callback_and_started_again() -> None:
    done = threading.Event()
    samplers: list[Sampler] = []

    def got(_: object) -> None:
        samplers[0].stop()
        done.set()

    samplers.append(Sampler(got, interval=0.05, command=[sys.executable, "-c", HELLO], patience=0.1))
    for _ in range(2):
        done.clear()
        samplers[0].start()
        assert done.wait(20)
    samplers[0].stop()


def _sampling_children() -> list[psutil.Process]:
    return [
        child
        for child in psutil.Process().children()
        if "-c" in child.cmdline() and "print" in " ".join(child.cmdline())
    ]


def test_no_handle_stays_behind_after_many_restarts(run: Run) -> None:
    watch = run(HELLO)
    for _ in range(3):
        watch.until(lambda sample: sample.after_gap and sample.trouble is None)
    before = psutil.Process().num_fds() if sys.platform != "win32" else psutil.Process().num_handles()
    for _ in range(12):
        watch.until(lambda sample: sample.after_gap and sample.trouble is None)
    after = psutil.Process().num_fds() if sys.platform != "win32" else psutil.Process().num_handles()
    assert after <= before + 6
