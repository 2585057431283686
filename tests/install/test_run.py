from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpu_assistant.base.message import message
from gpu_assistant.base.model import from_json, to_json
from gpu_assistant.install.events import (
    Began,
    CancelledByUser,
    Failed,
    FileKnown,
    FilesKnown,
    Log,
    Note,
    PlannedStep,
    Progress,
    StepEnded,
    StepStarted,
    Succeeded,
    Verified,
    Waiting,
)
from gpu_assistant.install.run import KEPT_LINES, InstallRun, RunLog, fold, load_run, read_log

WORDS = message("install-step-check")


def began(*ids: str) -> Began:
    return Began(
        plan_id="p",
        framework="pytorch",
        option="cu130",
        build="cu130",
        target="/envs/x",
        started=1.0,
        steps=tuple(PlannedStep(id=id_, purpose=WORDS) for id_ in ids),
    )


def test_steps_files_and_the_good_end():
    run = fold(
        [
            began("check", "download"),
            StepStarted(id="check", time=0.1),
            StepEnded(id="check", outcome="done", time=0.2),
            StepStarted(id="download", argv=("uv",), time=0.3),
            FilesKnown(files=(FileKnown(name="a", size=100, have=40), FileKnown(name="b"))),
            Progress(file="a", done=60, time=1.0),
        ]
    )
    assert [step.state for step in run.steps] == ["done", "running"]
    assert run.step.id == "download"
    assert (run.done_bytes, run.total_bytes, run.seconds_left) == (60, None, None)
    run = run.apply(Progress(file="b", done=50, total=50, time=2.0))
    assert (run.done_bytes, run.total_bytes) == (110, 150)
    assert run.speed == 50.0
    assert run.seconds_left == pytest.approx(0.8)
    run = run.apply(Verified(versions={"torch": "1"}, build="cu130")).apply(
        Succeeded(folder="/envs/x", python="/envs/x/bin/python", bytes=7, time=3.0)
    )
    assert (run.ending, run.folder, run.disk_bytes, run.seconds) == ("succeeded", "/envs/x", 7, 3.0)


def test_bytes_of_an_earlier_try_are_progress_and_not_speed():
    run = fold([began(), FilesKnown(files=(FileKnown(name="a", size=1000, have=900),)), Progress(file="a", done=900)])
    run = run.apply(Progress(file="a", done=910, time=1.0))
    assert run.done_bytes == 910
    assert run.speed == 10.0


def test_a_file_that_starts_over_never_makes_a_negative_speed():
    run = fold([began(), FilesKnown(files=(FileKnown(name="a", size=10),)), Progress(file="a", done=10, time=1.0)])
    run = run.apply(Progress(file="a", done=0, time=2.0))
    assert run.speed == 0.0
    assert run.seconds_left is None


def test_only_the_last_lines_are_kept_and_a_failure_takes_them():
    run = fold([began("install"), *(Log(text=str(number)) for number in range(500))])
    assert run.lines == tuple(str(number) for number in range(500 - KEPT_LINES, 500))
    run = run.apply(Failed(reason=WORDS, step="install", exit_code=2, aside="/envs/x.broken-1"))
    assert run.failure.last_lines[-1] == "499"
    assert (run.failure.exit_code, run.aside, run.ending) == (2, "/envs/x.broken-1", "failed")


def test_waiting_ends_with_the_next_event():
    run = fold([began(), Waiting(seconds=300, message=WORDS)])
    assert run.waiting is not None
    assert run.apply(Log(text="x")).waiting is None


def test_a_torn_log_is_read_up_to_the_tear(tmp_path):
    path = tmp_path / "run.jsonl"
    events = [began("check"), Log(text="one", time=1.0), Log(text="two", time=2.0)]
    log = RunLog(path)
    for event in events:
        log.write(event)
    log.close()
    path.write_bytes(path.read_bytes()[:-10])
    assert read_log(path) == tuple(events[:2])
    assert load_run(path) == fold(events[:2])


def test_a_run_is_itself_a_value():
    run = fold([began("check"), StepStarted(id="check"), Note(message=WORDS, severity="warning")])
    assert from_json(to_json(run), InstallRun) == run


times = st.floats(0, 1e6)
some_events = st.one_of(
    st.builds(StepStarted, id=st.sampled_from("ab"), time=times),
    st.builds(StepEnded, id=st.sampled_from("abc"), outcome=st.sampled_from(["done", "failed"]), time=times),
    st.builds(
        FilesKnown,
        files=st.lists(
            st.builds(
                FileKnown, name=st.sampled_from("xyz"), size=st.none() | st.integers(0, 9), have=st.integers(0, 9)
            ),
            max_size=3,
        ).map(tuple),
    ),
    st.builds(
        Progress, file=st.sampled_from("xyz"), done=st.integers(0, 99), total=st.none() | st.integers(0, 99), time=times
    ),
    st.builds(Log, text=st.text(max_size=5), time=times),
    st.just(CancelledByUser(step="a")),
)


@given(st.lists(some_events, max_size=30))
def test_any_stream_folds_and_survives_its_own_log(tmp_path_factory, stream):
    path = tmp_path_factory.mktemp("log") / "run.jsonl"
    log = RunLog(path)
    for event in stream:
        log.write(event)
    log.close()
    run = fold(stream)
    assert load_run(path) == run
    assert run.speed is None or run.speed >= 0
    assert run.seconds_left is None or run.seconds_left >= 0
