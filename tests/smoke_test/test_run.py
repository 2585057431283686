"""Lines to events to a run: whatever comes, nothing breaks."""

from __future__ import annotations

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from gpu_assistant.base.model import from_json, to_json
from gpu_assistant.detect.report import Driver, DriverState, SystemReport
from gpu_assistant.detect.report import System as ReportSystem
from gpu_assistant.smoke_test.events import (
    Began,
    CancelledByUser,
    Device,
    Error,
    Exited,
    Hello,
    Interrupted,
    Log,
    Metric,
    Note,
    NotStarted,
    Picture,
    Proof,
    Result,
    SmokeEvent,
    Stage,
    TimedOut,
)
from gpu_assistant.smoke_test.parse import parse_line, read_saved
from gpu_assistant.smoke_test.run import KEPT_LINES, KEPT_POINTS, SmokeRun, fold
from gpu_assistant.smoke_test.spec import SmokeSpec, expectation, read_device

text = st.text(max_size=20)
number = st.floats(allow_nan=False, allow_infinity=False)
values = st.dictionaries(text, text | number | st.integers(-(2**53), 2**53), max_size=3)
step = st.integers(0, 10**6)
SPEC = SmokeSpec(framework="pytorch", test="picture", python="python")

child_events = st.one_of(
    st.builds(Hello, python=text, framework=text, version=st.none() | text, build=st.none() | text),
    st.builds(Stage, name=text, budget=number),
    st.builds(Device, kind=text, name=text, index=st.none() | step),
    st.builds(Metric, name=st.sampled_from(["loss", "accuracy"]), step=step, total=step, value=number),
    st.builds(Picture, name=text, step=step, width=step, height=step, rgb=text, labels=st.just(("1",)), columns=step),
    st.builds(Proof, id=text, outcome=st.sampled_from(["passed", "failed", "skipped"]), values=values),
    st.builds(Note, text=text),
    st.builds(Result, passed=st.booleans(), summary=values),
    st.builds(Error, kind=text, text=text, traceback=text),
)
endings = st.one_of(
    st.builds(Exited, code=st.integers(-64, 255)),
    st.builds(TimedOut, stage=text),
    st.just(CancelledByUser()),
    st.builds(NotStarted, reason=text),
    st.just(Interrupted()),
)
log_lines = st.builds(Log, text=text, stream=st.sampled_from(["out", "err"]))
any_event = st.one_of(child_events, log_lines, st.builds(Began, spec=st.just(SPEC), started=number), endings)


@given(child_events)
def test_an_event_survives_its_line(event: SmokeEvent) -> None:
    line = to_json(event).decode()
    assert parse_line(line, "out") == event
    assert parse_line(line, "err") == Log(text=line, stream="err")


@given(st.text(max_size=300))
def test_any_line_becomes_an_event(line: str) -> None:
    event = parse_line(line, "out")
    assert isinstance(event, Log)
    assert event.text == line


@given(st.dictionaries(text, values | text | number, max_size=4))
def test_foreign_json_is_a_log_line(anything: dict[str, object]) -> None:
    line = msgspec.json.encode(anything).decode()
    assert isinstance(parse_line(line, "out"), Log)


def test_the_parents_own_events_cannot_be_forged() -> None:
    for event in (Exited(code=0), CancelledByUser(), Interrupted(), Began(spec=SPEC, started=1.0)):
        assert isinstance(parse_line(to_json(event).decode(), "out"), Log)


def test_deep_nesting_is_a_log_line() -> None:
    line = '{"event":' + "[" * 100_000
    assert isinstance(parse_line(line, "out"), Log)


@given(st.lists(any_event, max_size=30))
def test_any_order_of_events_makes_a_run_that_survives_json(events: list[SmokeEvent]) -> None:
    run = fold(events)
    assert from_json(to_json(run), SmokeRun) == run
    assert fold([read_saved(to_json(event)) for event in events]) == run
    assert run.verdict in ("waiting", "running") or run.ending is not None
    assert not run.passed or (run.result is not None and run.result.passed and not run.failed_proofs)


@given(
    st.lists(child_events | log_lines, max_size=20).filter(
        lambda es: not any(isinstance(e, Result | Error) for e in es)
    )
)
def test_without_a_last_word_no_exit_code_means_success(events: list[SmokeEvent]) -> None:
    run = fold([Began(spec=SPEC, started=0.0), *events, Exited(code=0)])
    assert run.verdict == "crashed"


@given(st.lists(any_event, max_size=20))
def test_a_new_beginning_forgets_everything(events: list[SmokeEvent]) -> None:
    began = Began(spec=SPEC, started=5.0, run_id="x")
    assert fold([*events, began]) == fold([began])


def test_verdicts() -> None:
    def verdict(*events: SmokeEvent) -> str:
        return fold([Began(spec=SPEC, started=0.0), *events]).verdict

    good, bad = Result(passed=True), Result(passed=False)
    failed = Proof(id="card_seen", outcome="failed")
    assert SmokeRun().verdict == "waiting"
    assert verdict() == "running"
    assert verdict(good) == "running"
    assert verdict(good, Exited(code=0)) == "passed"
    assert verdict(good, Exited(code=-6)) == "passed"
    assert verdict(good, TimedOut(stage="exit")) == "passed"
    assert verdict(bad, Exited(code=0)) == "failed"
    assert verdict(failed, good, Exited(code=0)) == "failed"
    assert verdict(good, CancelledByUser()) == "cancelled"
    assert verdict(TimedOut(stage="train")) == "timed_out"
    assert verdict(NotStarted(reason="no file")) == "not_started"
    assert verdict(Error(kind="E", text="", traceback=""), Exited(code=1)) == "failed"
    assert verdict(Interrupted()) == "interrupted"


def test_memory_of_a_long_run_is_bounded() -> None:
    events: list[SmokeEvent] = [Metric(name="loss", step=n, total=9000, value=float(n)) for n in range(9000)]
    run = fold([*events, *(Log(text=str(n)) for n in range(1000))])
    points = run.curve("loss")
    assert len(points) <= KEPT_POINTS
    assert points[0] == (0, 0.0)
    assert points[-1] == (8999, 8999.0)
    assert list(points) == sorted(points)
    assert run.lines == tuple(str(n) for n in range(1000 - KEPT_LINES, 1000))


def test_where_training_must_run() -> None:
    working = SystemReport(
        made_at="", program="", system=ReportSystem(os="windows", name=""), driver=Driver(state=DriverState.WORKING)
    )
    expected = {"cu130": "cuda", "rocm7.2": "rocm", "xpu": "xpu", "mps": "mps", "cpu": "cpu"}
    for build, kind in expected.items():
        assert expectation(build, working) == kind
    assert expectation(None, working) == "gpu"
    assert expectation(None, msgspec.structs.replace(working, driver=None)) == "any"
    assert expectation(None) == "any"


def test_devices_as_people_write_them() -> None:
    assert read_device("auto") == (None, None)
    assert read_device("cuda:1") == ("cuda", 1)
    assert read_device("cpu") == ("cpu", None)
    for wrong in ("cuda:", "cuda:x", "cuda:-1", "cpu:0", "gpus", "", "auto:1"):
        if wrong == "cuda:":
            assert read_device(wrong) == ("cuda", None)
            continue
        try:
            read_device(wrong)
        except ValueError:
            continue
        raise AssertionError(wrong)
