"""Owns the session: takes wishes, starts jobs, and tells everybody the new state. Shows nothing."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer, Signal

from gpu_assistant.base.job import Failed, Job, Succeeded, WasCancelled
from gpu_assistant.base.message import Message, message
from gpu_assistant.detect.report import SystemReport
from gpu_assistant.gui.jobs import Ending, JobRunner
from gpu_assistant.gui.services import Services
from gpu_assistant.install.events import Log as InstallLog
from gpu_assistant.install.run import InstallRun
from gpu_assistant.session import actions
from gpu_assistant.session.actions import Action
from gpu_assistant.session.reduce import reduce
from gpu_assistant.session.state import PAGES, PageName, SessionState, Work, furthest_page, python_to_test, works_now
from gpu_assistant.session.store import SessionWriter
from gpu_assistant.smoke_test.events import Log as SmokeLog
from gpu_assistant.smoke_test.run import SmokeRun
from gpu_assistant.troubleshoot.evidence import Evidence

if TYPE_CHECKING:
    from gpu_assistant.troubleshoot.actions import Prepared

SAVE_MS = 400  # after the last change


class Road(QObject):
    """The one owner of `SessionState`."""

    changed = Signal(object)  # SessionState
    install_lines = Signal(list)
    install_began = Signal()
    smoke_began = Signal()
    smoke_lines = Signal(list)
    spoke = Signal(object)  # Message: worth a word in the status line
    repeated = Signal(bool)  # what had failed was done again: whether it works now

    def __init__(self, services: Services, state: SessionState, folder: Path | None) -> None:
        """`folder` is where the session is kept; None: nowhere."""
        super().__init__()
        self.services = services
        self._state = self._saved = state
        self._writer = SessionWriter(folder, self.spoke.emit) if folder is not None else None
        self._runner: JobRunner | None = None
        self._repeats: JobRunner | None = None
        self._save_timer = QTimer(self)
        self._save_timer.setSingleShot(True)
        self._save_timer.setInterval(SAVE_MS)
        self._save_timer.timeout.connect(self.save)

    @property
    def state(self) -> SessionState:
        """The session now."""
        return self._state

    @property
    def works(self) -> bool:
        """Whether a job runs that the user would miss."""
        return self._runner is not None and self._state.busy in ("install", "smoke_test", "finish")

    def dispatch(self, action: Action) -> None:
        """The only way the session changes."""
        new = reduce(self._state, action)
        if new == self._state:
            return
        self._state = new
        if not isinstance(action, (actions.InstallMoved, actions.SmokeMoved)):
            self._save_timer.start()
        self.changed.emit(new)

    def save(self) -> None:
        """Begins to write the session."""
        self._save_timer.stop()
        if self._writer is not None and self._state is not self._saved:
            self._saved = self._state
            self._writer.write(self._state)

    def shut_down(self) -> None:
        """Returns when the session is written."""
        self.save()
        if self._writer is not None:
            self._writer.finish()

    # wishes of the pages

    def go(self, page: PageName) -> None:
        """Shows a page, if it is open."""
        self.dispatch(actions.PageOpened(page=page))

    def back(self) -> None:
        """One open page back."""
        place = PAGES.index(self._state.page)
        for page in reversed(PAGES[:place]):
            if page == "install" and self._state.environment is not None and not self._state.repair:
                continue
            before = self._state
            self.dispatch(actions.PageOpened(page=page))
            if self._state is not before:
                return

    def resume(self) -> None:
        """To the last page that is open."""
        self.go(furthest_page(self._state))

    def detect(self) -> None:
        """Looks at the computer."""
        if self._begin("detect"):
            self._run(self.services.detect_job, self._detected)

    def choose_framework(self, framework: str) -> None:
        """Another framework, with its own verdict."""
        if self._state.report is not None and framework != self._state.framework:
            verdict = self.services.judge(self._state.report, framework)
            self.dispatch(actions.FrameworkChosen(framework=framework, verdict=verdict))

    def choose_option(self, option: str) -> None:
        """One of the offered ways."""
        self.dispatch(actions.OptionChosen(option=option))

    def choose_root(self, root: str) -> None:
        """Another folder for everything big."""
        self.dispatch(actions.RootChosen(root=root))

    def plan(self) -> None:
        """Makes the plan for what is chosen, and shows it."""
        if self._begin("plan"):
            self._run(
                lambda: self.services.plan_job(self._state), lambda plan: self.dispatch(actions.Planned(plan=plan))
            )

    def check_environment(self, executable: str) -> None:
        """Runs the smoke test in an environment that was here before us."""
        self.dispatch(actions.EnvironmentChosen(executable=executable))
        self.go("smoke_test")

    def repair_environment(self, executable: str, option: str) -> None:
        """Plans how to put the right build into an environment that was here before us."""
        self.dispatch(actions.EnvironmentChosen(executable=executable, repair=True, option=option))
        self.plan()

    def accept(self, plan_id: str) -> None:
        """The user agreed to exactly this plan: carry it out."""
        self.dispatch(actions.PlanAccepted(plan_id=plan_id))
        self.install()

    def install(self) -> None:
        """Carries the accepted plan out, from the start or again."""
        plan = self._state.plan
        if plan is None or plan.id != self._state.accepted or not self._begin("install"):
            return
        self.install_began.emit()
        self._run(lambda: self.services.install_job(self._state), self._installed, self._install_events)

    def smoke_test(self, test: str) -> None:
        """Trains something small in the environment."""
        python = python_to_test(self._state)
        if python is None:
            return
        self.dispatch(actions.TestChosen(test=test))
        if self._begin("smoke_test"):
            self.smoke_began.emit()
            self._run(lambda: self.services.smoke_job(self._state, python, test), self._tested, self._smoke_events)

    def open_saved_run(self, run_id: str) -> None:
        """Shows a run of an earlier day."""
        if not self._state.busy:
            try:
                run = self.services.load_run(run_id)
            except Exception as error:
                self.dispatch(actions.WorkFailed(trouble=self._trouble(error)))
                return
            self.smoke_began.emit()
            self.dispatch(actions.SmokeMoved(run=run))

    def deed(self, key: str, folder: str = "") -> None:
        """One of the things on the last page; `folder` is where a new project goes."""
        if self._begin("finish"):
            self._run(lambda: self.services.deed_job(self._state, key, folder), self._deed_done)

    def carry_out(self, prepared: Prepared) -> None:
        """A fix that the user agreed to in Troubleshooting."""
        if prepared.plan is not None:
            self.dispatch(actions.PlanOffered(plan=prepared.plan))
        elif prepared.batch_factor is not None:
            self.dispatch(actions.BatchScaled(factor=prepared.batch_factor))
            self.go("smoke_test")
        elif prepared.variables:
            # every child that we start from now on inherits them; the user's own settings stay as they are
            os.environ.update(prepared.variables)
            self.spoke.emit(message("window-variables-set", names=", ".join(prepared.variables)))
        elif prepared.steps and self._begin("finish"):
            self._run(lambda: self.services.fix_job(self._state, prepared.steps), self._fixed)

    def repeat(self, evidence: Evidence) -> None:
        """Does again what failed, and tells whether it works now."""
        before = self._runner
        if evidence.source == "install":
            self.install()
        elif evidence.source == "smoke_test":
            self.smoke_test(self._state.test)
        self._repeats = self._runner if self._runner is not before else None

    def _fixed(self, done: Message) -> None:
        self.dispatch(actions.WorkEnded())
        self.spoke.emit(done)

    def undo(self) -> None:
        """Removes what was installed. The user has confirmed it."""
        if self._begin("finish"):
            self._run(
                lambda: self.services.undo_job(self._state),
                lambda done: self.dispatch(actions.EnvironmentRemoved(done=done)),
            )

    def await_driver(self) -> None:
        """The user leaves for a driver; remember the place at once."""
        self.dispatch(actions.DriverAwaited())
        self.save()

    def start_over(self) -> None:
        """From the beginning."""
        self.dispatch(actions.StartedOver())

    def cancel(self) -> None:
        """Stops the running job."""
        if self._runner is not None:
            self.dispatch(actions.WorkCancelled())
            self._runner.cancel()

    # jobs

    def _begin(self, work: Work) -> bool:
        if self._state.busy:
            return False
        self.dispatch(actions.WorkStarted(work=work))
        if self._state.busy != work:
            self.spoke.emit(message("window-replayed"))
        return self._state.busy == work

    def _run(
        self,
        make: Callable[[], Job[Any]],
        succeeded: Callable[[Any], None],
        events: Callable[[list[Any]], None] | None = None,
    ) -> None:
        try:
            job = make()
        except Exception as error:  # a job that cannot even be made must not leave the page waiting for its end
            self.dispatch(actions.WorkFailed(trouble=self._trouble(error)))
            return
        self._runner = runner = JobRunner(job)
        if events is not None:
            runner.events.connect(events)
        runner.ended.connect(lambda ending: self._ended(ending, succeeded))
        runner.start()

    def _ended(self, ending: Ending, succeeded: Callable[[Any], None]) -> None:
        repeats = self._repeats is not None and self._repeats is self._runner
        self._runner = self._repeats = None
        if isinstance(ending, Succeeded):
            succeeded(ending.result)
        elif isinstance(ending, Failed):
            self.dispatch(actions.WorkFailed(trouble=self._trouble(ending.error)))
        elif isinstance(ending, WasCancelled):
            self.dispatch(actions.WorkEnded())
        self.save()
        if repeats and (passed := works_now(self._state)) is not None:
            self.spoke.emit(message("window-fix-helped" if passed else "window-fix-did-not-help"))
            self.repeated.emit(passed)

    def _trouble(self, error: BaseException) -> Message:
        told = getattr(error, "reason", None)
        if isinstance(told, Message):
            return told
        return message("window-job-failed", detail=f"{type(error).__name__}: {error}")

    def _detected(self, report: SystemReport) -> None:
        verdict = self.services.judge(report, self._state.framework)
        root = self.services.default_root(report)
        self.dispatch(actions.Detected(report=report, verdict=verdict, default_root=root))

    def _install_events(self, events: list[Any]) -> None:
        run = self._state.install or InstallRun()
        for event in events:
            run = run.apply(event)
        self.install_lines.emit([event.text for event in events if isinstance(event, InstallLog)])
        self.dispatch(actions.InstallMoved(run=run))

    def _installed(self, run: InstallRun) -> None:
        self.dispatch(actions.InstallMoved(run=run))
        self.dispatch(actions.WorkEnded())

    def _smoke_events(self, events: list[Any]) -> None:
        run = self._state.smoke or SmokeRun()
        for event in events:
            run = run.apply(event)
        self.smoke_lines.emit([event.text for event in events if isinstance(event, SmokeLog)])
        self.dispatch(actions.SmokeMoved(run=run))

    def _tested(self, run: SmokeRun) -> None:
        self.dispatch(actions.SmokeMoved(run=run))
        self.dispatch(actions.WorkEnded())

    def _deed_done(self, done: Message | None) -> None:
        self.dispatch(actions.WorkEnded(done=done))
