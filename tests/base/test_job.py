from __future__ import annotations

import threading

import pytest

from gpu_assistant.base.job import Cancelled, Failed, JobContext, Succeeded, WasCancelled, run_to_ending


class Task:
    def __init__(self, work):
        self.run = work


def test_the_three_endings():
    def fail(ctx):
        raise ValueError("no")

    def stopped(ctx):
        ctx.cancel()
        ctx.check()

    done = run_to_ending(Task(lambda ctx: 7), JobContext())
    assert isinstance(done, Succeeded)
    assert done.result == 7
    failed = run_to_ending(Task(fail), JobContext())
    assert isinstance(failed, Failed)
    assert str(failed.error) == "no"
    assert isinstance(run_to_ending(Task(stopped), JobContext()), WasCancelled)


def test_a_wait_ends_the_moment_it_is_cancelled():
    ctx = JobContext()
    threading.Timer(0.05, ctx.cancel).start()
    with pytest.raises(Cancelled):
        ctx.wait(60)


def test_waiting_for_what_never_comes_says_so():
    assert not JobContext().wait_until(lambda: False, timeout=0.05)
    assert JobContext().wait_until(lambda: True, timeout=0)


def test_events_arrive_in_order():
    seen = []
    ctx = JobContext(seen.append)
    for number in range(100):
        ctx.emit(number)
    assert seen == list(range(100))
