"""The environment that a failure happened in."""

from __future__ import annotations

from msgspec.structs import replace
from packaging.requirements import Requirement

from gpu_assistant.detect.report import PackageBuild, PythonEnvironment
from gpu_assistant.select.plan import InstallPlan
from gpu_assistant.troubleshoot.evidence import Evidence


def failed_environment(evidence: Evidence) -> PythonEnvironment | None:
    """The environment that the failure happened in. One that is younger than the report is known by its plan."""
    wanted, plan = evidence.environment, evidence.plan
    if not wanted:
        return None
    pythons = evidence.report.pythons if evidence.report is not None else ()
    known = next((one for one in pythons if wanted in (one.executable, one.prefix)), None)
    if known is None:
        made = plan is not None and _inside(wanted, plan.target)
        known = PythonEnvironment(
            executable=wanted,
            version=evidence.python,
            kind="ours" if made and plan is not None and _creates(plan) else "other",
            prefix=plan.target if made and plan is not None else None,
            packages=_planned(plan) if made and plan is not None else (),
        )
    said = {package.name for package in evidence.packages}
    packages = (*(package for package in known.packages if package.name not in said), *evidence.packages)
    return replace(known, packages=packages)


def _inside(executable: str, folder: str) -> bool:
    return executable.replace("\\", "/").startswith(folder.replace("\\", "/").rstrip("/") + "/")


def _creates(plan: InstallPlan) -> bool:
    return any(step.id == "environment" for step in plan.steps)


def _planned(plan: InstallPlan) -> tuple[PackageBuild, ...]:
    """What the plan asked for; the exact versions are the resolver's."""
    wanted = map(Requirement, plan.packages)
    return tuple(PackageBuild(name=one.name, version=str(one.specifier).lstrip("=<>~!")) for one in wanted)
