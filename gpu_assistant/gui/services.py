"""What the window asks of the core, in one place, so that a test can answer instead."""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from msgspec.structs import replace

from gpu_assistant.base.job import Job, JobContext
from gpu_assistant.base.message import Message, message
from gpu_assistant.base.paths import AppPaths, RootLayout
from gpu_assistant.base.settings import Settings
from gpu_assistant.detect.report import SystemReport
from gpu_assistant.select.plan import InstallPlan, Step, Verdict
from gpu_assistant.session.state import SessionState, environment_folder, python_to_test, root_folder

if TYPE_CHECKING:
    from gpu_assistant.monitor.model import Sample
    from gpu_assistant.monitor.sampler import Sampler
    from gpu_assistant.select.catalogue import Framework
    from gpu_assistant.smoke_test.catalogue import SmokeTest
    from gpu_assistant.smoke_test.run import SmokeRun
    from gpu_assistant.troubleshoot.evidence import Evidence

T = TypeVar("T")

SHOWN_RUNS = 15
WARM = (
    "gpu_assistant.detect.collect",
    "gpu_assistant.gui.wizard.detect",
    "gpu_assistant.gui.wizard.choose",
    "gpu_assistant.select.planning",
    "gpu_assistant.gui.wizard.review",
    "gpu_assistant.gui.wizard.install",
    "gpu_assistant.install.engine",
    "gpu_assistant.gui.wizard.smoke_test",
    "gpu_assistant.smoke_test.job",
    "gpu_assistant.gui.wizard.finish",
    "gpu_assistant.gui.monitor.tab",
)


class FixFailed(Exception):
    """A command of a fix failed; `reason` says why."""

    def __init__(self, reason: Message) -> None:
        super().__init__(reason.id)
        self.reason = reason


class CallJob(Generic[T]):
    """A job out of a function."""

    def __init__(self, work: Callable[[JobContext], T]) -> None:
        self._work = work

    def run(self, ctx: JobContext) -> T:
        """Calls it."""
        return self._work(ctx)


class Offer(NamedTuple):
    """A framework that can be chosen."""

    id: str
    name: str
    has_test: bool  # False: it can be installed, and that is all


class Services:
    """The real ones. Modules are loaded when they are needed: the window opens without them."""

    def __init__(self, settings: Settings, paths: AppPaths, replay: Path | None = None) -> None:
        self.settings = settings
        self.paths = paths
        self._replay = replay

    def warm_up_job(self) -> Job[None]:
        """Loads what the pages will need, so that no page waits for it later."""
        return CallJob(_warm_up)

    # detect and select

    def detect_job(self) -> Job[SystemReport]:
        """Looks at the computer, or at the recording of one."""
        return CallJob(self._detect)

    def _detect(self, ctx: JobContext) -> SystemReport:
        from gpu_assistant.detect.collect import collect
        from gpu_assistant.detect.recording import open_gateways

        return collect(open_gateways(self._replay), ctx)

    def record_job(self) -> Job[dict[str, bytes]]:
        """The computer's raw answers, redacted, for somebody who helps."""
        return CallJob(self._record)

    def _record(self, ctx: JobContext) -> dict[str, bytes]:
        from gpu_assistant.detect.recorder import record
        from gpu_assistant.detect.recording import open_gateways

        return record(open_gateways(self._replay), ctx)

    def frameworks(self) -> tuple[Offer, ...]:
        """The frameworks to choose from, those with a training test first."""
        from gpu_assistant.select.catalogue import frameworks

        offers = [Offer(one.id, one.name, bool(self.smoke_tests(one.id))) for one in frameworks().values()]
        return tuple(sorted(offers, key=lambda offer: not offer.has_test))

    def judge(self, report: SystemReport, framework: str) -> Verdict:
        """What the computer can do with the framework."""
        from gpu_assistant.select.catalogue import frameworks
        from gpu_assistant.select.judge import judge

        return judge(report, frameworks()[framework])

    def default_root(self, report: SystemReport) -> str:
        """The folder for everything big."""
        from gpu_assistant.select.place import default_root

        return str(default_root(report, self.settings))

    def plan_job(self, state: SessionState) -> Job[InstallPlan]:
        """The plan for what is chosen."""
        return CallJob(lambda ctx: self._plan(state))

    def _plan(self, state: SessionState) -> InstallPlan:
        from gpu_assistant.select.catalogue import frameworks
        from gpu_assistant.select.planning import make_plan

        if state.report is None or state.option is None:
            raise ValueError("nothing is chosen")
        settings = replace(self.settings, root_folder=root_folder(state))
        framework = frameworks()[state.framework]
        if state.environment is not None and state.repair:
            return self._repair_plan(state, framework, settings)
        return make_plan(state.option, state.report, framework, settings, wheels=self._wheels())

    def _repair_plan(self, state: SessionState, framework: Framework, settings: Settings) -> InstallPlan:
        from gpu_assistant.select.existing import plan_for_existing

        report = state.report
        python = next((one for one in report.pythons if one.executable == state.environment), None) if report else None
        if report is None or python is None or state.option is None:
            raise ValueError("the environment is not in the report")
        return plan_for_existing(python, state.option, report, framework, settings, wheels=self._wheels())

    def _wheels(self) -> tuple[str, ...]:
        if not self.settings.wheel_folder:
            return ()
        return tuple(sorted(path.name for path in Path(self.settings.wheel_folder).glob("*.whl")))

    # install

    def layout(self, state: SessionState) -> RootLayout:
        """What lies where under the root folder."""
        return RootLayout(Path(root_folder(state)))

    def install_job(self, state: SessionState) -> Job[Any]:
        """Carries the accepted plan out."""
        from gpu_assistant.install.engine import InstallJob

        if state.plan is None or state.accepted is None:
            raise ValueError("no plan was accepted")
        log = self.paths.logs / f"install-{time.strftime('%Y%m%d-%H%M%S')}.jsonl"
        return InstallJob(state.plan, accepted=state.accepted, layout=self.layout(state), log=log)

    def recover(self, state: SessionState) -> tuple[Message, ...]:
        """Ends what a crash or a power cut tore off, and says what happened."""
        if not root_folder(state):
            return ()
        from gpu_assistant.install.place import recover

        return recover(self.layout(state))

    def folders(self, state: SessionState) -> dict[str, Path]:
        """Every folder of ours."""
        folders = {"settings": self.paths.config, "data": self.paths.data, "logs": self.paths.logs}
        if not root_folder(state):
            return folders
        layout = self.layout(state)
        return {"environments": layout.environments, "cache": layout.cache, "pythons": layout.pythons} | folders

    def folder_bytes(self, folder: Path) -> int:
        """A folder's size."""
        from gpu_assistant.install.environments import folder_bytes

        return folder_bytes(folder)

    def undo_job(self, state: SessionState) -> Job[Message]:
        """Removes the environment that was installed."""
        return CallJob(lambda ctx: self._undo(state, ctx))

    def _undo(self, state: SessionState, ctx: JobContext) -> Message:
        from gpu_assistant.install.environments import UndoJob

        folder = state.install.folder if state.install is not None else None
        if folder is None:
            raise ValueError("nothing was installed")
        stuck = UndoJob(self.layout(state), environments=(folder,)).run(ctx)
        return (
            message("window-undo-stuck", folder=", ".join(stuck)) if stuck else message("window-undone", folder=folder)
        )

    # smoke test

    def smoke_tests(self, framework: str) -> Sequence[SmokeTest]:
        """The tests of a framework, the default one first."""
        from gpu_assistant.smoke_test.catalogue import list_tests

        return list_tests(framework)

    def smoke_job(self, state: SessionState, python: str, test: str) -> Job[Any]:
        """Trains something small with that interpreter."""
        from gpu_assistant.smoke_test.job import SmokeTestJob
        from gpu_assistant.smoke_test.spec import SmokeSpec, expectation

        expect = expectation(_build_of(state, python), state.report)
        spec = SmokeSpec(
            framework=state.framework, test=test, python=python, expect=expect, batch_scale=state.batch_scale
        )
        return SmokeTestJob(spec)

    def saved_runs(self, framework: str) -> Sequence[tuple[str, str]]:
        """The latest runs in words, each with its id."""
        from gpu_assistant.gui.wizard.smoke_view import saved_run_words
        from gpu_assistant.smoke_test.store import list_runs

        runs, _ = list_runs()
        return [(saved_run_words(run.meta), run.meta.id) for run in runs if run.meta.spec.framework == framework][
            :SHOWN_RUNS
        ]

    def load_run(self, run_id: str) -> SmokeRun:
        """A saved run. Raises `BrokenRun`, `FileNotFoundError`."""
        from gpu_assistant.smoke_test.store import load_run

        return load_run(run_id)

    def sampler(self, on_sample: Callable[[Sample], None]) -> Sampler | None:
        """Live numbers of the cards; None on a replayed computer, whose cards are not here."""
        if self._replay is not None:
            return None
        from gpu_assistant.monitor.sampler import Sampler

        return Sampler(on_sample, interval=self.settings.monitor_seconds)

    # what comes after

    def deed_job(self, state: SessionState, key: str, folder: str) -> Job[Message | None]:
        """One of the things on the last page."""
        return CallJob(lambda ctx: self._deed(state, key, folder, ctx))

    def _deed(self, state: SessionState, key: str, folder: str, ctx: JobContext) -> Message | None:
        environment = Path(environment_folder(state) or "")
        match key:
            case "terminal":
                from gpu_assistant.install.terminal import open_terminal

                return open_terminal(environment)
            case "folder":
                from gpu_assistant.install.terminal import open_folder

                return open_folder(environment)
            case "project":
                from gpu_assistant.gui.language import language
                from gpu_assistant.install.starter import create_starter

                return message(
                    "window-project-created", folder=str(create_starter(Path(folder), environment, language()))
                )
            case "kernel":
                return self._register_kernel(state, environment, ctx)
        raise ValueError(key)

    def kernel_step(self, state: SessionState) -> Step:
        """The command that adds what Jupyter needs to the environment; shown before it runs."""
        from gpu_assistant.install.kernel import kernel_step

        return kernel_step(Path(environment_folder(state) or ""), self.layout(state), self.settings)

    def _register_kernel(self, state: SessionState, environment: Path, ctx: JobContext) -> Message:
        from gpu_assistant.install.kernel import RegisterKernelJob

        step = self.kernel_step(state)
        return RegisterKernelJob(environment, step, self.layout(state), environment.name).run(ctx)

    def fix_job(self, state: SessionState, steps: Sequence[Step]) -> Job[Message | None]:
        """Runs the commands of a fix that is no plan."""
        return CallJob(lambda ctx: self._fix(state, steps, ctx))

    def _fix(self, state: SessionState, steps: Sequence[Step], ctx: JobContext) -> Message | None:
        from gpu_assistant.base.child import run_child
        from gpu_assistant.install.steps import meaning
        from gpu_assistant.install.uv_tool import find_uv, step_environment

        for step in steps:
            argv = [find_uv() if step.argv[0] == "uv" else step.argv[0], *step.argv[1:]]
            done = run_child(argv, ctx, environment=step_environment(step.environment, self.layout(state)))
            if done.exit_code != 0:
                raise FixFailed(meaning(done.err + done.out, done.exit_code, step.purpose))
        return message("window-fix-done")

    def install_evidence(self, state: SessionState) -> Evidence:
        """What troubleshooting gets of a failed install."""
        from gpu_assistant.troubleshoot.failures import install_failure

        return install_failure(state.install, report=state.report, plan=state.plan, environment=state.environment)

    def smoke_evidence(self, state: SessionState) -> Evidence:
        """What troubleshooting gets of a failed smoke test."""
        from gpu_assistant.troubleshoot.failures import smoke_failure

        python = python_to_test(state)
        return smoke_failure(state.smoke, report=state.report, plan=state.plan, environment=python)


def _warm_up(ctx: JobContext) -> None:
    for name in WARM:
        ctx.check()
        importlib.import_module(name)


def _build_of(state: SessionState, python: str) -> str | None:
    """The build that the environment holds, as far as it is known without asking it."""
    if state.environment is not None and not state.repair and state.report is not None:
        found = next((one for one in state.report.pythons if one.executable == python), None)
        return next((package.build for package in found.packages if package.build), None) if found else None
    return state.plan.build if state.plan is not None else None
