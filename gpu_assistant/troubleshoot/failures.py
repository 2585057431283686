"""What our own jobs tell when they fail, as evidence: their lines, and what they know that no line says."""

from __future__ import annotations

from gpu_assistant.base.texts import say
from gpu_assistant.detect.report import PackageBuild, SystemReport
from gpu_assistant.install.run import Failure, InstallRun
from gpu_assistant.select.plan import InstallPlan
from gpu_assistant.smoke_test.events import Hello, NotStarted, Proof
from gpu_assistant.smoke_test.run import SmokeRun
from gpu_assistant.troubleshoot.evidence import Evidence


def install_failure(
    run: InstallRun | None,
    *,
    report: SystemReport | None = None,
    plan: InstallPlan | None = None,
    environment: str | None = None,
) -> Evidence:
    """A failed install. What was found at the proof (the wrong build, an import that fails) stands in no log line."""
    failure = run.failure if run is not None else None
    return Evidence(
        text="\n".join((*failure.last_lines, _reason(failure))) if failure is not None else "",
        exit_code=failure.exit_code if failure is not None else None,
        stage=failure.step if failure is not None else None,
        source="install",
        report=report,
        plan=plan,
        environment=environment,
    )


def smoke_failure(
    run: SmokeRun | None,
    *,
    report: SystemReport | None = None,
    plan: InstallPlan | None = None,
    environment: str | None = None,
) -> Evidence:
    """A failed smoke test. Its error comes last: it is what ended the test."""
    if run is None:
        return Evidence(source="smoke_test", report=report, plan=plan, environment=environment)
    last = [run.error.traceback or f"{run.error.kind}: {run.error.text}"] if run.error is not None else []
    if isinstance(run.ending, NotStarted):
        last.append(run.ending.reason)
    return Evidence(
        text="\n".join((*run.lines, *map(_disproof, run.failed_proofs), *last)),
        exit_code=run.exit_code,
        stage=run.stage.name if run.stage is not None else None,
        timed_out=run.verdict == "timed_out",
        source="smoke_test",
        report=report,
        plan=plan,
        environment=environment,
        python=run.hello.python if run.hello is not None else None,
        packages=_said(run.hello),
    )


def _said(hello: Hello | None) -> tuple[PackageBuild, ...]:
    if hello is None or not hello.framework or hello.version is None:
        return ()
    return (PackageBuild(name=hello.framework, version=hello.version, build=hello.build),)


def _reason(failure: Failure) -> str:
    """The id, which the rules know, and the English sentence."""
    return f"{failure.reason.id}: {say(failure.reason, 'en')}"


def _disproof(proof: Proof) -> str:
    """`card_seen failed: reason=cpu_build build=cpu`."""
    return f"{proof.id} failed: " + " ".join(f"{name}={value}" for name, value in proof.values.items())
