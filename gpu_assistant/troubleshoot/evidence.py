"""What troubleshooting is given: a text, and the facts around it that are known."""

from __future__ import annotations

from typing import Literal

from gpu_assistant.base.model import Value
from gpu_assistant.detect.report import PackageBuild, SystemReport
from gpu_assistant.select.plan import InstallPlan

Source = Literal["pasted", "file", "install", "smoke_test", "watched"]


class Evidence(Value, frozen=True, kw_only=True):
    """One failure, or what somebody takes for one. Everything but the text is optional."""

    text: str = ""
    exit_code: int | None = None  # as the system tells it; negative: ended by that signal
    stage: str | None = None  # install step or smoke-test stage that failed: "install", "import", "train", ...
    timed_out: bool = False  # the stage was ended because it took too long
    source: Source = "pasted"
    report: SystemReport | None = None
    plan: InstallPlan | None = None  # the plan that failed, or that made the environment
    environment: str | None = None  # Python executable (or prefix) that the failure happened in
    python: str | None = None  # version of that interpreter, as it said itself
    packages: tuple[PackageBuild, ...] = ()  # what it said is in there; counts more than the report
    command: tuple[str, ...] = ()  # what was run
