"""Everything that can happen on the road. The set is closed: `reduce` knows each."""

from __future__ import annotations

from gpu_assistant.base.message import Message
from gpu_assistant.base.model import Value
from gpu_assistant.detect.report import SystemReport
from gpu_assistant.install.run import InstallRun
from gpu_assistant.select.plan import InstallPlan, Verdict
from gpu_assistant.session.state import PageName, Work
from gpu_assistant.smoke_test.run import SmokeRun


class PageOpened(Value, frozen=True, kw_only=True):
    """The user wants to see a page. Refused where it lacks what it shows."""

    page: PageName


class WorkStarted(Value, frozen=True, kw_only=True):
    """A job began; its page is shown."""

    work: Work


class WorkCancelled(Value, frozen=True, kw_only=True):
    """The user asked the job to stop; its end follows."""


class WorkFailed(Value, frozen=True, kw_only=True):
    """A job ended with trouble that its own run does not tell."""

    trouble: Message


class WorkEnded(Value, frozen=True, kw_only=True):
    """A job ended; `done` says what it did, if its own run does not."""

    done: Message | None = None


class Detected(Value, frozen=True, kw_only=True):
    """The computer was looked at."""

    report: SystemReport
    verdict: Verdict
    default_root: str


class FrameworkChosen(Value, frozen=True, kw_only=True):
    """Another framework; its verdict comes with it."""

    framework: str
    verdict: Verdict


class OptionChosen(Value, frozen=True, kw_only=True):
    """One of the verdict's options, by id."""

    option: str


class RootChosen(Value, frozen=True, kw_only=True):
    """The folder for everything big; empty: the default one."""

    root: str


class EnvironmentChosen(Value, frozen=True, kw_only=True):
    """An existing environment by its interpreter; None: a new one."""

    executable: str | None
    repair: bool = False
    option: str | None = None  # what a repair puts in


class Planned(Value, frozen=True, kw_only=True):
    """The plan for the chosen option."""

    plan: InstallPlan


class PlanOffered(Value, frozen=True, kw_only=True):
    """A fix that is a plan: it is reviewed like any other."""

    plan: InstallPlan


class BatchScaled(Value, frozen=True, kw_only=True):
    """The smoke test shall take a batch of another size."""

    factor: float


class PlanAccepted(Value, frozen=True, kw_only=True):
    """The user agreed to the plan with this id."""

    plan_id: str


class InstallMoved(Value, frozen=True, kw_only=True):
    """The install got on, or ended."""

    run: InstallRun


class TestChosen(Value, frozen=True, kw_only=True):
    """Which smoke test to run next."""

    test: str


class SmokeMoved(Value, frozen=True, kw_only=True):
    """The smoke test got on, ended, or an old one was opened."""

    run: SmokeRun


class DriverAwaited(Value, frozen=True, kw_only=True):
    """The user goes to install a driver, perhaps restarts the computer."""


class EnvironmentRemoved(Value, frozen=True, kw_only=True):
    """What was installed is gone."""

    done: Message


class StartedOver(Value, frozen=True, kw_only=True):
    """From the beginning, with nothing known."""


Action = (
    PageOpened
    | WorkStarted
    | WorkCancelled
    | WorkFailed
    | WorkEnded
    | Detected
    | FrameworkChosen
    | OptionChosen
    | RootChosen
    | EnvironmentChosen
    | Planned
    | PlanOffered
    | BatchScaled
    | PlanAccepted
    | InstallMoved
    | TestChosen
    | SmokeMoved
    | DriverAwaited
    | EnvironmentRemoved
    | StartedOver
)
