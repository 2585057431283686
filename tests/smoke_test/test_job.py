"""Scripts that crash, hang, print nonsense or lie, driven by the real job."""

from __future__ import annotations

import sys
import threading
import time

import psutil
import pytest

from gpu_assistant.smoke_test import job as job_module
from gpu_assistant.smoke_test.events import CancelledByUser, Exited, Log, NotStarted, Stage, TimedOut
from gpu_assistant.smoke_test.run import SmokeRun, fold
from gpu_assistant.smoke_test.store import load_run
from tests.smoke_test.scripts import FakeRun

posix_only = pytest.mark.skipif(sys.platform == "win32", reason="signals that can be ignored exist on POSIX only")


def run_fake(monkeypatch: pytest.MonkeyPatch, behaviour: str, **changes: object) -> SmokeRun:
    fake = FakeRun(monkeypatch, behaviour, **changes)
    run = fake.run()
    assert fold(fake.events) == run, "what was told must make the same run"
    assert load_run(run.id) == run, "and so must what was saved"
    return run


def test_a_good_run_passes_and_keeps_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    run = run_fake(monkeypatch, "passes", seed=7, steps=3, device_index=1, expect="cuda", batch_scale=0.5)
    assert run.verdict == "passed"
    assert run.passed
    assert run.curve("loss") == ((1, 1.0), (2, 0.5))
    assert run.notes == ("loss is nan at step 2",)
    assert run.picture is not None
    assert run.picture.rgb == "AQID"
    assert [proof.id for proof in run.proofs] == ["loss_fell"]
    assert run.hello is not None
    assert run.hello.version is None
    assert run.result is not None
    words = str(run.result.summary["words"])
    for part in ("--expect cuda", "--seed 7", "--steps 3", "--device-index 1", "--batch-scale 0.5", "--seconds 1"):
        assert part in words
    assert run.exit_code == 0


def test_stray_prints_are_log_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    run = run_fake(monkeypatch, "passes")
    assert "stray words on stdout" in run.lines
    assert any(line.startswith('{"event":"result"') for line in run.lines)
    assert run.result is not None
    assert run.result.summary["steps"] == 2


def test_a_failed_proof_fails_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    run = run_fake(monkeypatch, "fails")
    assert run.verdict == "failed"
    assert [proof.id for proof in run.failed_proofs] == ["card_seen"]


@pytest.mark.parametrize("behaviour", ["aborts", "says_nothing", "exits_with_zero"])
def test_an_end_without_a_word_is_a_crash(monkeypatch: pytest.MonkeyPatch, behaviour: str) -> None:
    run = run_fake(monkeypatch, behaviour)
    assert run.verdict == "crashed"
    assert isinstance(run.ending, Exited)
    assert (run.exit_code == 0) == (behaviour != "aborts")
    assert run.stage is not None
    assert run.stage.name == "import"


@pytest.mark.parametrize(
    ("behaviour", "kind", "words"),
    [("raises", "RuntimeError", "no kernel image"), ("out_of_memory", "OutOfMemoryError", "20.00 GiB")],
)
def test_an_exception_is_told_with_its_traceback(
    monkeypatch: pytest.MonkeyPatch, behaviour: str, kind: str, words: str
) -> None:
    run = run_fake(monkeypatch, behaviour)
    assert run.verdict == "failed"
    assert run.error is not None
    assert run.error.kind == kind
    assert words in run.error.text
    assert f"in {behaviour}" in run.error.traceback


@pytest.mark.parametrize("behaviour", ["hangs", pytest.param("hangs_and_ignores", marks=posix_only)])
def test_a_stage_over_its_budget_is_ended(monkeypatch: pytest.MonkeyPatch, behaviour: str) -> None:
    run = run_fake(monkeypatch, behaviour, budget=1)
    assert run.verdict == "timed_out"
    assert run.ending == TimedOut(stage="import", time=run.ending.time if run.ending else 0)


def test_a_child_without_a_first_word_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(job_module, "START_BUDGET", 0.0)
    run = run_fake(monkeypatch, "hangs")
    assert isinstance(run.ending, TimedOut)
    assert run.ending.stage == "start"


def test_closed_pipes_do_not_hide_a_living_child(monkeypatch: pytest.MonkeyPatch) -> None:
    run = run_fake(monkeypatch, "closes_its_pipes", budget=1)
    assert run.verdict == "timed_out"


def test_a_child_that_does_not_end_after_its_result_keeps_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(job_module, "EXIT_BUDGET", 0.3)
    run = run_fake(monkeypatch, "hangs_after_result")
    assert isinstance(run.ending, TimedOut)
    assert run.ending.stage == "exit"
    assert run.verdict == "passed"


def test_the_first_last_word_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    run = run_fake(monkeypatch, "two_results")
    assert run.result is not None
    assert run.result.summary == {"first": 1}
    assert run.error is None


def test_garbage_is_kept_as_log_and_harms_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    run = run_fake(monkeypatch, "garbage")
    assert run.verdict == "passed"
    assert any("nonsense" in line for line in run.lines)
    assert max(len(line) for line in run.lines) < 10_000


def test_a_flood_of_lines_keeps_the_first_and_the_last(monkeypatch: pytest.MonkeyPatch) -> None:
    fake = FakeRun(monkeypatch, "floods")
    run = fake.run()
    lines = [event.text for event in fake.events if isinstance(event, Log)]
    assert lines[0] == "line 0"
    assert lines[-1] == "line 19999"
    assert len(lines) == job_module.PASSED_LINES + job_module.LAST_LINES + 1
    assert f"{20000 - job_module.PASSED_LINES - job_module.LAST_LINES} lines left out" in lines[job_module.PASSED_LINES]
    assert run.verdict == "crashed"
    assert load_run(run.id) == run


def test_an_interpreter_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    run = run_fake(monkeypatch, "passes", python="/nowhere/python")
    assert run.verdict == "not_started"
    assert isinstance(run.ending, NotStarted)
    assert "/nowhere/python" in run.ending.reason


@pytest.mark.parametrize("behaviour", ["hangs", pytest.param("hangs_and_ignores", marks=posix_only)])
def test_cancel_ends_the_child(monkeypatch: pytest.MonkeyPatch, behaviour: str) -> None:
    fake = FakeRun(monkeypatch, behaviour)
    others = psutil.Process().children(recursive=True)  # Wine's own desktop may be one
    runs: list[SmokeRun] = []
    thread = threading.Thread(target=lambda: runs.append(fake.run()))
    thread.start()
    with fake.seen:
        assert fake.seen.wait_for(lambda: any(isinstance(event, Stage) for event in fake.events), 30)
    children = [one for one in psutil.Process().children(recursive=True) if one not in others]
    fake.ctx.cancel()
    thread.join(30)
    assert runs[0].verdict == "cancelled"
    assert isinstance(runs[0].ending, CancelledByUser)
    _, alive = psutil.wait_procs(children, timeout=5)
    assert not alive
    assert load_run(runs[0].id) == runs[0]


def test_cancelled_before_it_began(monkeypatch: pytest.MonkeyPatch) -> None:
    fake = FakeRun(monkeypatch, "passes")
    fake.ctx.cancel()
    assert fake.run().verdict == "cancelled"


def test_nothing_is_written_when_it_shall_not_be_saved(monkeypatch: pytest.MonkeyPatch, own_home) -> None:  # type: ignore[no-untyped-def]
    fake = FakeRun(monkeypatch, "fails")
    fake.job._save = False
    assert fake.run().id == ""
    assert not (own_home / "data" / "runs").exists()


def test_time_moves_forward(monkeypatch: pytest.MonkeyPatch) -> None:
    fake = FakeRun(monkeypatch, "passes")
    began = time.time()
    run = fake.run()
    times = [event.time for event in fake.events]
    assert times == sorted(times)
    assert began - 1 <= run.started <= time.time()
    assert run.seconds == times[-1]
