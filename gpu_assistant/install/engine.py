"""Carries an accepted plan out: checks, environment, resolution, download, install, proof, move to its place."""

from __future__ import annotations

import time
from pathlib import Path

from gpu_assistant.base.awake import keep_awake
from gpu_assistant.base.job import Cancelled, JobContext
from gpu_assistant.base.message import Message, message
from gpu_assistant.base.paths import RootLayout
from gpu_assistant.install.checks import cache_folder, check_hosts, check_room, check_target, check_write
from gpu_assistant.install.download import fetch
from gpu_assistant.install.environments import downloads_folder, folder_bytes
from gpu_assistant.install.events import Began, CancelledByUser, Failed, Log, Note, PlannedStep, Succeeded, Verified
from gpu_assistant.install.journal import Journal
from gpu_assistant.install.lock import Locked, read_lock
from gpu_assistant.install.marker import Marker, environment_python
from gpu_assistant.install.place import Manner, Place, recover
from gpu_assistant.install.reporter import Reporter, StepFailed
from gpu_assistant.install.run import InstallRun, RunLog
from gpu_assistant.install.steps import StepRunner, is_uv_install
from gpu_assistant.install.uv_tool import lock_argv, step_environment
from gpu_assistant.install.verify import (
    Found,
    build_tag,
    judge_found,
    probe_argv,
    read_found,
    requirement_names,
)
from gpu_assistant.select.plan import InstallPlan, Step
from gpu_assistant.select.resolution import read_resolution, resolved_packages

SILENCE = 300.0  # seconds without a line before the user is told what is awaited


class PlanNotAccepted(Exception):
    """The plan is not the one that the user said yes to."""


class InstallJob:
    """One install in the shape of `base.job`: events through the context, the folded run as the result."""

    def __init__(
        self,
        plan: InstallPlan,
        *,
        accepted: str,
        layout: RootLayout,
        log: Path | None = None,
        silence: float = SILENCE,
    ) -> None:
        """`accepted` is the id of the plan that was agreed to; raises `PlanNotAccepted` for any other plan."""
        if plan.id != accepted:
            raise PlanNotAccepted(f"accepted {accepted}, got {plan.id}")
        self._plan = plan
        self._layout = layout
        self._log = log
        self._silence = silence

    def run(self, ctx: JobContext) -> InstallRun:
        """Runs to the one ending, which the result tells: succeeded, failed or cancelled."""
        log = RunLog(self._log) if self._log is not None else None
        try:
            with keep_awake():
                return _Installation(self._plan, self._layout, Reporter(ctx, log, self._silence)).run()
        finally:
            if log is not None:
                log.close()


class _Installation:
    """The state of one run."""

    def __init__(self, plan: InstallPlan, layout: RootLayout, reporter: Reporter) -> None:
        self._plan = plan
        self._layout = layout
        self._reporter = reporter
        self._target = Path(plan.target)
        self._place: Place | None = None
        self._resolution: list[str] = []  # of all stages so far: a later one may take the GPU part away again
        self._cache = cache_folder(plan, layout)

    def run(self) -> InstallRun:
        reporter = self._reporter
        reporter.tell(_began(self._plan))
        try:
            self._carry_out()
        except Cancelled:
            reporter.tell(CancelledByUser(step=reporter.step_id, aside=self._give_up()))
        except (StepFailed, OSError) as error:
            failed = error if isinstance(error, StepFailed) else StepFailed(_disk_trouble(error, self._target))
            aside = self._give_up()
            reporter.tell(Failed(reason=failed.reason, step=reporter.step_id, exit_code=failed.exit_code, aside=aside))
        return reporter.run

    def _carry_out(self) -> None:
        plan, reporter = self._plan, self._reporter
        with reporter.step("check"):
            self._check()
            self._place = place = Place(
                self._layout, plan_id=plan.id, framework=plan.framework, target=self._target, manner=_manner(plan)
            )
        runner = StepRunner(plan, self._layout, place.build, reporter)
        number = 0
        for step in plan.steps:
            if is_uv_install(step):
                number += 1
                extra = self._resolve_and_fetch(step, runner, place, _suffix(number))
            else:
                extra = ()
            runner.run(step.id, (*runner.argv(step), *extra), runner.environment(step), step.purpose)
        with reporter.step("prove"):
            found = self._prove(runner, place)
        with reporter.step("place"):
            marker = self._marker(found, place)
            try:
                place.finish(marker)
            except OSError as error:
                raise StepFailed(message("install-failed-place", folder=plan.target, detail=str(error))) from error
        self._place = None
        python = str(environment_python(self._target))
        reporter.tell(Succeeded(folder=plan.target, python=python, bytes=marker.bytes))

    def _check(self) -> None:
        for said in recover(self._layout, self._target):
            self._reporter.tell(Note(message=said))
        if Journal(self._layout).busy_with(self._target):
            raise StepFailed(message("install-check-busy", folder=str(self._target)))
        troubles = (
            check_target(self._target, creates=_manner(self._plan) != "repair"),
            check_write(self._target.parent),
            check_write(self._cache),
            check_write(self._layout.journal),
            *check_room(self._plan, self._cache),
        )
        for trouble in filter(None, troubles):
            raise StepFailed(trouble)
        settings = self._plan.steps[0].environment if self._plan.steps else {}
        for note in check_hosts(self._plan, self._reporter.ctx, step_environment(settings, self._layout)):
            self._reporter.tell(note)

    def _resolve_and_fetch(self, step: Step, runner: StepRunner, place: Place, suffix: str) -> tuple[str, ...]:
        """Reads the resolution before anything is downloaded, then fetches. Returns what binds the install to it."""
        bounds = place.work / f"constraints{suffix}.txt"
        environment = runner.environment(step)
        argv = runner.argv(step)
        dry_run = (*argv, "--dry-run")
        with self._reporter.step(f"resolve{suffix}", dry_run):
            pins = self._resolve(dry_run, environment, runner)
            bounds.write_text("".join(f"{name}=={version}\n" for name, version in pins.items()), encoding="utf-8")
            locked = self._lock(argv, bounds, environment, runner) if pins else Locked(artifacts=())
        downloads = downloads_folder(self._cache)
        with self._reporter.step(f"download{suffix}"):
            fetch(locked.artifacts, downloads, place.work, environment, self._reporter)
        downloads.mkdir(parents=True, exist_ok=True)
        return ("--constraints", str(bounds), "--find-links", str(downloads))

    def _resolve(self, argv: tuple[str, ...], environment: dict[str, str], runner: StepRunner) -> dict[str, str]:
        """What the shown command would change: package names and versions."""
        out, err = runner.talk_or_fail(argv, environment, message("install-step-resolve"))
        lines = out + err
        self._resolution += lines
        trouble = read_resolution(self._plan, self._resolution)
        if trouble is not None:
            raise StepFailed(trouble)
        return resolved_packages(lines)

    def _lock(self, argv: tuple[str, ...], pins: Path, environment: dict[str, str], runner: StepRunner) -> Locked:
        """The files behind the pins, with sizes and hashes; none where uv cannot tell, then it fetches them itself.

        From an index without hashes uv reads every file to make them, so such files come twice.
        """
        question = tuple(lock_argv(argv, self._plan.packages, pins))
        out, _, code = runner.talk(question, environment, message("install-step-resolve"), show_out=False)
        try:
            if code == 0:
                return read_lock("\n".join(out))
        except ValueError as error:
            self._reporter.tell(Log(text=str(error)))
        self._reporter.tell(Note(message=message("install-no-progress")))
        return Locked(artifacts=())

    def _prove(self, runner: StepRunner, place: Place) -> Found:
        plan = self._plan
        names = requirement_names(plan.packages)
        argv = tuple(probe_argv(environment_python(place.build), plan.verify_imports, names))
        settings = plan.steps[-1].environment if plan.steps else {}
        purpose = message("install-step-prove")
        out, _, code = runner.talk(argv, step_environment(settings, self._layout), purpose, show_out=False)
        found = read_found(out)
        if found is None:
            raise StepFailed(message("install-verify-crashed", code=code), code)
        trouble = judge_found(found, build=plan.build, build_package=plan.build_package, packages=plan.packages)
        if trouble is not None:
            raise StepFailed(trouble, code)
        self._reporter.tell(Verified(versions=found.versions, build=build_tag(found, plan.build_package)))
        return found

    def _marker(self, found: Found, place: Place) -> Marker:
        plan = self._plan
        return Marker(
            plan_id=plan.id,
            framework=plan.framework,
            option=plan.option,
            build=plan.build,
            packages=plan.packages,
            versions=found.versions,
            python=found.python,
            finished=time.time(),
            bytes=folder_bytes(place.build),
        )

    def _give_up(self) -> str | None:
        """Puts the unfinished environment aside, unless it is complete and only waits for its place."""
        if self._place is None:
            return None
        try:
            aside = self._place.give_up()
        except OSError:
            return None  # its record stays: the next start ends it
        return str(aside) if aside is not None else None


def _manner(plan: InstallPlan) -> Manner:
    if not any(step.id == "environment" for step in plan.steps):
        return "repair"
    return "beside" if plan.tool == "uv" else "straight"


def _suffix(number: int) -> str:
    return "" if number == 1 else f"-{number}"


def _began(plan: InstallPlan) -> Began:
    steps = [PlannedStep(id="check", purpose=message("install-step-check"))]
    number = 0
    for step in plan.steps:
        if is_uv_install(step):
            number += 1
            steps += [
                PlannedStep(id=f"{id_}{_suffix(number)}", purpose=message(f"install-step-{id_}"))
                for id_ in ("resolve", "download")
            ]
        steps.append(PlannedStep(id=step.id, purpose=step.purpose))
    steps += [PlannedStep(id=id_, purpose=message(f"install-step-{id_}")) for id_ in ("prove", "place")]
    return Began(
        plan_id=plan.id,
        framework=plan.framework,
        option=plan.option,
        build=plan.build,
        target=plan.target,
        started=time.time(),
        steps=tuple(steps),
    )


def _disk_trouble(error: OSError, target: Path) -> Message:
    return message("install-failed-disk", folder=str(error.filename or target), detail=str(error))
