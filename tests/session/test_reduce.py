"""The session's rules, one action at a time and in any order."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from gpu_assistant.base.message import Message, message
from gpu_assistant.select.plan import Status
from gpu_assistant.session import actions
from gpu_assistant.session.reduce import reduce
from gpu_assistant.session.state import PAGES, SessionState, can_open, furthest_page, python_to_test
from gpu_assistant.session.states import STATES, detected, laptop, named_state, no_card, no_driver, open_state, reviewed
from gpu_assistant.session.store import FILE_NAME, SessionWriter, load_session, save_session


def test_a_ready_card_gets_its_recommended_option_beforehand() -> None:
    state = detected(laptop())
    assert state.verdict is not None
    assert state.verdict.status is Status.READY
    assert state.option == next(option.id for option in state.verdict.options if option.recommended)


@pytest.mark.parametrize("report", [no_card(), no_driver()])
def test_the_processor_is_never_chosen_for_the_user(report: object) -> None:
    assert detected(report).option is None  # type: ignore[arg-type]


def test_another_option_takes_the_plan_with_it() -> None:
    state = reviewed(laptop())
    assert state.plan is not None
    other = next(option.id for option in state.verdict.options if option.id != state.option)  # type: ignore[union-attr]
    assert reduce(state, actions.OptionChosen(option=other)).plan is None


def test_an_unknown_option_changes_nothing() -> None:
    state = reviewed(laptop())
    assert reduce(state, actions.OptionChosen(option="cu999")) == state


def test_only_the_plan_that_was_shown_can_be_accepted() -> None:
    state = reviewed(laptop())
    assert reduce(state, actions.PlanAccepted(plan_id="another")).accepted is None
    assert not can_open(state, "install")
    accepted = reduce(state, actions.PlanAccepted(plan_id=state.plan.id))  # type: ignore[union-attr]
    assert can_open(accepted, "install")


def test_a_second_look_keeps_a_choice_that_is_still_offered() -> None:
    state = reviewed(laptop())
    again = reduce(
        state,
        actions.Detected(report=laptop(), verdict=state.verdict, default_root="C:\\X"),  # type: ignore[arg-type]
    )
    assert again.option == state.option
    assert again.plan == state.plan


def test_a_lost_card_takes_choice_and_plan_with_it() -> None:
    state = reviewed(laptop())
    lost = detected(no_driver())
    assert lost.verdict is not None
    again = reduce(state, actions.Detected(report=no_driver(), verdict=lost.verdict, default_root=""))
    assert (again.option, again.plan) == (None, None)


def test_a_running_install_holds_its_page() -> None:
    state = named_state("installing")
    assert all(reduce(state, actions.PageOpened(page=page)) == state for page in PAGES)


def test_only_one_job_at_a_time() -> None:
    state = named_state("installing")
    assert reduce(state, actions.WorkStarted(work="smoke_test")) == state


def test_an_existing_environment_can_be_tested_at_once_but_a_repair_waits() -> None:
    state = detected(laptop())
    python = laptop().pythons[0].executable
    assert python_to_test(reduce(state, actions.EnvironmentChosen(executable=python))) == python
    repair = actions.EnvironmentChosen(executable=python, repair=True, option="cu130")
    assert python_to_test(reduce(state, repair)) is None


def test_the_session_comes_back_as_it_was(tmp_path: Path) -> None:
    state = named_state("install-succeeded")
    assert save_session(tmp_path, state) is None
    assert load_session(tmp_path) == (state, None)


def test_a_torn_off_install_is_not_resumed_as_if_it_ran(tmp_path: Path) -> None:
    save_session(tmp_path, named_state("installing"))
    state, _ = load_session(tmp_path)
    assert (state.busy, state.install) == ("", None)
    assert can_open(state, state.page)


def test_a_driver_road_resumes_after_a_restart(tmp_path: Path) -> None:
    waiting = reduce(named_state("choose-no-driver"), actions.DriverAwaited())
    save_session(tmp_path, waiting)
    state, _ = load_session(tmp_path)
    assert (state.page, state.driver_awaited) == ("choose", True)


def test_a_broken_session_is_put_aside_and_told(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_text("{", "utf-8")
    state, trouble = load_session(tmp_path)
    assert state == SessionState()
    assert trouble is not None
    assert trouble.id == "session-broken"
    assert [path.name for path in tmp_path.iterdir()] != [FILE_NAME]


def test_a_state_opens_from_a_file(tmp_path: Path) -> None:
    save_session(tmp_path, named_state("review"))
    assert open_state(str(tmp_path / FILE_NAME)) == named_state("review")


WISHES = [
    *(actions.PageOpened(page=page) for page in PAGES),
    *(actions.WorkStarted(work=work) for work in ("detect", "plan", "install", "smoke_test", "finish")),
    actions.WorkEnded(),
    actions.WorkCancelled(),
    actions.WorkFailed(trouble=message("window-job-failed", detail="x")),
    actions.OptionChosen(option="cpu"),
    actions.OptionChosen(option="cu126"),
    actions.RootChosen(root="D:\\Big"),
    actions.EnvironmentChosen(executable=laptop().pythons[0].executable),
    actions.EnvironmentChosen(executable=None),
    actions.DriverAwaited(),
    actions.StartedOver(),
]


@given(st.sampled_from(sorted(STATES)), st.lists(st.sampled_from(WISHES), max_size=12))
@settings(max_examples=60, deadline=None)
def test_no_order_of_wishes_leads_to_a_page_that_lacks_what_it_shows(name: str, wishes: list[actions.Action]) -> None:
    state = replace(named_state(name), busy="")
    state = replace(state, page=furthest_page(state))
    for wish in wishes:
        state = reduce(state, wish)
        assert can_open(state, state.page) or state.busy


def test_the_writer_keeps_the_latest_session_and_tells_what_goes_wrong(tmp_path: Path) -> None:
    told: list[Message] = []
    writer = SessionWriter(tmp_path, told.append)
    for name in ("welcome", "detected-laptop", "finished"):
        writer.write(named_state(name))
    writer.finish()
    assert load_session(tmp_path) == (named_state("finished"), None)
    blocked = tmp_path / "file"
    blocked.write_bytes(b"")
    writer = SessionWriter(blocked / "inside", told.append)
    writer.write(named_state("welcome"))
    writer.finish()
    assert [message.id for message in told] == ["session-not-saved"]


def test_a_recording_starts_no_work_that_touches_this_computer() -> None:
    state = replace(named_state("before-training"), replayed=True)
    for work in ("install", "smoke_test", "finish"):
        assert reduce(state, actions.WorkStarted(work=work)) == state
    assert reduce(state, actions.WorkStarted(work="detect")).busy == "detect"
    assert reduce(state, actions.StartedOver()).replayed


def test_a_resumed_road_does_not_pass_over_the_training_test() -> None:
    assert furthest_page(named_state("install-succeeded")) == "smoke_test"
    assert furthest_page(named_state("trained")) == "finish"
