"""Every framework for real: installed by our installer for the processor, then trained by each of its tests.

`python -m tests.nightly [FRAMEWORK ...]` prints a table. It downloads some gigabytes; PyTorch comes from the folder of
wheels that PIP_FIND_LINKS names, if there is one. The exit code is the number of lines that failed.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from pathlib import Path

from gpu_assistant.base.job import JobContext
from gpu_assistant.base.paths import RootLayout
from gpu_assistant.base.settings import Settings
from gpu_assistant.detect.collect import collect
from gpu_assistant.detect.recording import open_gateways
from gpu_assistant.detect.report import SystemReport
from gpu_assistant.install.engine import InstallJob
from gpu_assistant.select.catalogue import Framework, frameworks
from gpu_assistant.select.choice import ClosedOption
from gpu_assistant.select.planning import make_plan
from gpu_assistant.select.wheels import list_wheels
from gpu_assistant.smoke_test.catalogue import list_tests
from gpu_assistant.smoke_test.job import SmokeTestJob
from gpu_assistant.smoke_test.spec import SmokeSpec

SECONDS = 5.0  # of training


def main() -> int:
    """Prints a line for each install and each test; returns how many failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("frameworks", nargs="*", default=list(frameworks()))
    wanted = parser.parse_args().frameworks
    report = collect(open_gateways(None), JobContext())
    failures = 0
    with tempfile.TemporaryDirectory() as root:
        settings = Settings(wheel_folder=os.environ.get("PIP_FIND_LINKS", ""), root_folder=root)
        for id_ in wanted:
            failures += _row(frameworks()[id_], report, settings, Path(root))
    return failures


def _row(framework: Framework, report: SystemReport, settings: Settings, root: Path) -> int:
    began = time.monotonic()
    try:
        plan = make_plan("cpu", report, framework, settings, wheels=list_wheels(settings.wheel_folder))
    except ClosedOption as error:
        return _tell(framework.id, "plan", str(error), began, failed=True)
    run = InstallJob(plan, accepted=plan.id, layout=RootLayout(root)).run(JobContext())
    installed = run.ending == "succeeded" and run.python is not None
    versions = ", ".join(f"{name} {version}" for name, version in run.verified.versions.items()) if run.verified else ""
    failures = _tell(framework.id, "install", versions or str(run.failure), began, failed=not installed)
    for test in list_tests(framework.id) if installed else ():
        began = time.monotonic()
        spec = SmokeSpec(framework=framework.id, test=test.id, python=str(run.python), expect="cpu", seconds=SECONDS)
        trained = SmokeTestJob(spec, save=False).run(JobContext())
        said = f"{trained.step} steps" if trained.passed else str(trained.error or trained.failed_proofs)
        failures += _tell(framework.id, test.id, said, began, failed=not trained.passed)
    return failures


def _tell(framework: str, what: str, said: str, began: float, *, failed: bool) -> int:
    mark = "FAILED" if failed else "ok"
    print(f"{framework:14}{what:12}{mark:8}{time.monotonic() - began:6.0f} s  {said[:300]}", flush=True)
    return int(failed)


if __name__ == "__main__":
    raise SystemExit(main())
