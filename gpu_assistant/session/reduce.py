"""The one place where the session changes: state and action in, state out. No clock, no files, no jobs."""

from __future__ import annotations

from typing import assert_never

from msgspec.structs import replace

from gpu_assistant.select.plan import InstallPlan, Status, Verdict
from gpu_assistant.session.actions import (
    Action,
    BatchScaled,
    Detected,
    DriverAwaited,
    EnvironmentChosen,
    EnvironmentRemoved,
    FrameworkChosen,
    InstallMoved,
    OptionChosen,
    PageOpened,
    PlanAccepted,
    Planned,
    PlanOffered,
    RootChosen,
    SmokeMoved,
    StartedOver,
    TestChosen,
    WorkCancelled,
    WorkEnded,
    WorkFailed,
    WorkStarted,
)
from gpu_assistant.session.state import PageName, SessionState, Work, can_open, chosen_option, on_open_page

WORK_PAGES: dict[Work, PageName] = {"detect": "detect", "install": "install", "smoke_test": "smoke_test"}
CHANGING: tuple[Work, ...] = ("install", "smoke_test", "finish")  # work that touches this computer


def reduce(state: SessionState, action: Action) -> SessionState:
    """The session after one action; an action that does not fit leaves it as it is."""
    return on_open_page(_reduced(state, action))


def _reduced(state: SessionState, action: Action) -> SessionState:
    match action:
        case PageOpened():
            return replace(state, page=action.page, trouble=None, done=None) if can_open(state, action.page) else state
        case WorkStarted():
            return _started(state, action.work)
        case WorkCancelled():
            return replace(state, cancelling=True) if state.busy else state
        case WorkFailed():
            return replace(_ended(state), trouble=action.trouble)
        case WorkEnded():
            return replace(_ended(state), done=action.done)
        case Detected():
            return _detected(state, action)
        case FrameworkChosen():
            return _judged(replace(state, framework=action.framework, option=None, test=""), action.verdict)
        case OptionChosen():
            return _with_option(state, action.option)
        case RootChosen():
            return _without_plan(replace(state, root=action.root))
        case EnvironmentChosen():
            return _with_environment(state, action)
        case Planned():
            return _planned(state, action.plan)
        case PlanOffered():
            return _offered_plan(state, action.plan)
        case BatchScaled():
            return replace(state, batch_scale=state.batch_scale * action.factor)
        case PlanAccepted():
            fits = state.plan is not None and state.plan.id == action.plan_id
            return replace(state, accepted=action.plan_id) if fits else state
        case InstallMoved():
            return replace(state, install=action.run)
        case TestChosen():
            return replace(state, test=action.test)
        case SmokeMoved():
            return replace(state, smoke=action.run)
        case DriverAwaited():
            return replace(state, driver_awaited=True)
        case EnvironmentRemoved():
            gone = replace(_ended(state), install=None, smoke=None, accepted=None, done=action.done)
            return replace(gone, page="choose")
        case StartedOver():
            return SessionState(root=state.root, replayed=state.replayed)
        case _:
            assert_never(action)


def _started(state: SessionState, work: Work) -> SessionState:
    if state.busy or (state.replayed and work in CHANGING):
        return state
    page = WORK_PAGES.get(work, state.page)
    state = replace(state, busy=work, cancelling=False, trouble=None, page=page)
    if work == "install":
        return replace(state, install=None, smoke=None)
    return replace(state, smoke=None) if work == "smoke_test" else state


def _ended(state: SessionState) -> SessionState:
    return replace(state, busy="", cancelling=False, done=None)


def _detected(state: SessionState, action: Detected) -> SessionState:
    state = replace(_ended(state), report=action.report, default_root=action.default_root, driver_awaited=False)
    return _judged(state, action.verdict)


def _judged(state: SessionState, verdict: Verdict) -> SessionState:
    """A new verdict keeps the choice it still offers; what it no longer offers takes the plan with it."""
    state = replace(state, verdict=verdict)
    if chosen_option(state) is None:
        state = _without_plan(replace(state, option=_offered(verdict)))
    return state


def _offered(verdict: Verdict) -> str | None:
    """The recommended option is chosen beforehand, except where the card would be left out: that is asked."""
    if verdict.status is not Status.READY:
        return None
    return next((option.id for option in verdict.options if option.recommended), None)


def _planned(state: SessionState, plan: InstallPlan) -> SessionState:
    """Shows the plan, unless the user has chosen something else while it was made."""
    state = _ended(state)
    return replace(state, plan=plan, accepted=None, page="review") if plan.option == state.option else state


def _offered_plan(state: SessionState, plan: InstallPlan) -> SessionState:
    if state.busy:
        return state
    fresh = replace(state, environment=None, repair=False, option=plan.option)
    return replace(fresh, plan=plan, accepted=None, page="review", trouble=None, done=None)


def _with_option(state: SessionState, option: str) -> SessionState:
    chosen = replace(state, option=option)
    if chosen_option(chosen) is None or (option == state.option and state.environment is None):
        return state
    return _without_plan(replace(chosen, environment=None, repair=False))


def _with_environment(state: SessionState, action: EnvironmentChosen) -> SessionState:
    option = action.option or state.option
    state = replace(state, environment=action.executable, repair=action.repair, option=option, smoke=None)
    return _without_plan(state)


def _without_plan(state: SessionState) -> SessionState:
    return replace(state, plan=None, accepted=None)
