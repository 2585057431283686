"""Where the user is on the road: one frozen value, owned by one place, saved and reloaded."""

from __future__ import annotations

from typing import Literal

from msgspec.structs import replace

from gpu_assistant.base.message import Message
from gpu_assistant.base.model import Value
from gpu_assistant.detect.report import SystemReport
from gpu_assistant.install.run import InstallRun
from gpu_assistant.select.plan import InstallPlan, Option, Status, Verdict
from gpu_assistant.smoke_test.run import SmokeRun

PageName = Literal["welcome", "detect", "choose", "review", "install", "smoke_test", "finish"]
Work = Literal["", "detect", "plan", "install", "smoke_test", "finish"]

PAGES: tuple[PageName, ...] = ("welcome", "detect", "choose", "review", "install", "smoke_test", "finish")
DEFAULT_FRAMEWORK = "pytorch"


class SessionState(Value, frozen=True, kw_only=True):
    """Everything that the wizard shows. `busy` and `cancelling` live only as long as the program runs."""

    schema: int = 1
    page: PageName = "welcome"
    busy: Work = ""
    cancelling: bool = False
    replayed: bool = False  # a recording of another computer: look at everything, change nothing here
    framework: str = DEFAULT_FRAMEWORK
    report: SystemReport | None = None
    verdict: Verdict | None = None
    option: str | None = None  # id of the chosen option
    root: str = ""  # folder for everything big that the user chose; empty: the default one
    default_root: str = ""  # what fits this computer
    environment: str | None = None  # interpreter of an existing environment to use instead of a new one
    repair: bool = False  # put the right build into `environment`
    plan: InstallPlan | None = None
    accepted: str | None = None  # id of the plan that the user agreed to
    install: InstallRun | None = None
    test: str = ""  # id of the chosen smoke test; empty: the default one
    smoke: SmokeRun | None = None
    batch_scale: float = 1.0  # of the smoke test's batch; a fix for too little memory lowers it
    driver_awaited: bool = False  # the user went to install a driver; a restart of the computer may follow
    trouble: Message | None = None  # what went wrong last, to be said on the page
    done: Message | None = None  # what was done last on the finish page


def chosen_option(state: SessionState) -> Option | None:
    """The option that the user chose, if the verdict still offers it."""
    options = state.verdict.options if state.verdict is not None else ()
    return next((option for option in options if option.id == state.option), None)


def python_to_test(state: SessionState) -> str | None:
    """The interpreter that the smoke test runs in: the chosen environment's, else the one just installed."""
    if state.environment is not None and (not state.repair or _installed(state)):
        return state.environment
    return state.install.python if state.install is not None and _installed(state) else None


def environment_folder(state: SessionState) -> str | None:
    """The folder of the environment that the smoke test runs in."""
    if state.environment is None:
        return state.install.folder if state.install is not None else None
    pythons = state.report.pythons if state.report is not None else ()
    return next((one.prefix for one in pythons if one.executable == state.environment), None)


def can_open(state: SessionState, page: PageName) -> bool:
    """Whether the page has what it needs. While a job runs, only its own page is open."""
    if state.busy in ("install", "smoke_test", "finish"):
        return page == state.page
    match page:
        case "welcome" | "detect":
            return True
        case "choose":
            return state.verdict is not None
        case "review":
            return state.plan is not None
        case "install":
            return state.install is not None or _accepted(state)
        case "smoke_test":
            return python_to_test(state) is not None
        case "finish":
            return python_to_test(state) is not None


def on_open_page(state: SessionState) -> SessionState:
    """The state on its page if that is open, else on the nearest open one before it."""
    while not state.busy and not can_open(state, state.page):
        state = replace(state, page=PAGES[max(0, PAGES.index(state.page) - 1)])
    return state


def furthest_page(state: SessionState) -> PageName:
    """The last page of the road that is open; the training test is not passed over."""
    if state.report is None:
        return "welcome"
    pages = PAGES if state.smoke is not None else PAGES[:-1]
    return next(page for page in reversed(pages) if can_open(state, page))


def works_now(state: SessionState) -> bool | None:
    """Whether the latest work succeeded; None where it was stopped. A smoke test comes after its install."""
    if state.smoke is not None:
        return None if state.smoke.verdict == "cancelled" else state.smoke.passed
    ending = state.install.ending if state.install is not None else None
    return None if ending in (None, "cancelled") else ending == "succeeded"


def driver_blocks(state: SessionState) -> bool:
    """The card is there, its driver is not: the road to an install for the card is closed until it answers."""
    return state.verdict is not None and state.verdict.status is Status.DRIVER_NEEDED


def undoable(state: SessionState) -> bool:
    """Whether there is an environment that we made. One that was here before us is repaired, never removed."""
    made = state.plan is not None and any(step.id == "environment" for step in state.plan.steps)
    return _installed(state) and state.environment is None and made


def root_folder(state: SessionState) -> str:
    """The folder for everything big: the chosen one, else the default of this computer."""
    return state.root or state.default_root


def _installed(state: SessionState) -> bool:
    return state.install is not None and state.install.ending == "succeeded"


def _accepted(state: SessionState) -> bool:
    return state.plan is not None and state.plan.id == state.accepted
