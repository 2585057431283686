"""A failed smoke test or install becomes evidence that leads to its cause."""

from __future__ import annotations

import sys

import pytest

from gpu_assistant.base.job import JobContext
from gpu_assistant.base.message import message
from gpu_assistant.install.engine import InstallJob
from gpu_assistant.install.run import Failure, InstallRun
from gpu_assistant.smoke_test.events import Began, Exited, NotStarted, Stage
from gpu_assistant.smoke_test.run import SmokeRun, fold
from gpu_assistant.troubleshoot.diagnosis import Diagnosis
from gpu_assistant.troubleshoot.engine import diagnose
from gpu_assistant.troubleshoot.evidence import Evidence
from gpu_assistant.troubleshoot.failures import install_failure, smoke_failure
from gpu_assistant.troubleshoot.rules import rule_base
from tests.install.conftest import layout, wheels  # noqa: F401
from tests.install.plans import make_plan
from tests.install.wheels import serving
from tests.smoke_test.scripts import FakeRun, spec
from tests.troubleshoot.test_engine import computer


def first(evidence: Evidence) -> Diagnosis:
    return diagnose(evidence, rule_base())[0]


@pytest.mark.parametrize(
    ("behaviour", "cause"),
    [
        ("out_of_memory", "cuda_out_of_memory"),
        ("wrong_device", "tensor_device_mismatch"),
        ("batches_elsewhere", "training_on_cpu"),
        ("misses_a_dll", "dll_missing_dependency"),
        ("misses_a_library", "cudnn_library_missing"),
        ("fails", "torch_cpu_only_build"),
        ("raises", "gpu_arch_not_in_build"),
    ],
)
def test_a_failed_smoke_test_names_its_cause(monkeypatch: pytest.MonkeyPatch, behaviour: str, cause: str) -> None:
    run = FakeRun(monkeypatch, behaviour).run()
    assert run.verdict == "failed"
    assert first(smoke_failure(run)).cause == cause


def test_a_hang_is_told_as_one(monkeypatch: pytest.MonkeyPatch) -> None:
    run = FakeRun(monkeypatch, "hangs", budget=2).run()
    evidence = smoke_failure(run)
    assert evidence.timed_out
    assert first(evidence).rule == "hang-in-stage"


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_an_abort_gives_a_careful_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    run = FakeRun(monkeypatch, "aborts").run()
    evidence = smoke_failure(run)
    assert evidence.exit_code == -6
    best = first(evidence)
    assert best.certainty == "possible"
    assert best.rule != "no-error-found"


@pytest.mark.parametrize("code", [0xC0000005, -1073741819])
def test_a_windows_crash_is_known_by_its_code(code: int) -> None:
    run = fold([Began(run_id="", spec=spec(), started=0), Stage(name="train", budget=60), Exited(code=code)])
    assert run.verdict == "crashed"
    best = first(smoke_failure(run))
    assert best.rule not in ("no-error-found", "nothing-given")
    assert best.certainty == "possible"


def test_the_report_says_which_cpu_build(monkeypatch: pytest.MonkeyPatch) -> None:
    report = computer(build="cpu")
    run = FakeRun(monkeypatch, "fails").run()
    best = first(smoke_failure(run, report=report, environment=report.pythons[0].executable))
    assert best.cause == "torch_cpu_only_build"
    assert best.fixes[0].action is not None
    assert best.fixes[0].action.kind == "replace_cpu_build"


def test_nothing_run_is_nothing_to_judge() -> None:
    assert first(smoke_failure(None)).rule == "nothing-given"
    assert first(install_failure(None)).rule == "nothing-given"
    gone = smoke_failure(SmokeRun(ending=NotStarted(reason="[WinError 2] no such file")))
    assert "WinError 2" in gone.text


@pytest.mark.parametrize(
    ("packages", "cause"),
    [
        (("torch==9.3.0",), "dll_missing_dependency"),  # cannot be imported
        (("torch==9.4.0",), "torch_cpu_only_build"),  # the CPU build in place of the one that was planned
        (("torch==7.0.0",), "pip_no_matching_distribution"),
    ],
)
def test_a_failed_install_names_its_cause(layout, wheels, packages, cause) -> None:  # noqa: F811
    with serving(wheels) as index:
        build = "cpu" if packages == ("torch==9.3.0",) else "cu130"
        plan = make_plan(layout, index.url, packages=packages, build=build)
        run = InstallJob(plan, accepted=plan.id, layout=layout).run(JobContext())
    assert run.ending == "failed"
    evidence = install_failure(run, plan=plan)
    assert first(evidence).cause == cause, evidence.text


@pytest.mark.parametrize(
    ("reason", "cause"),
    [
        (message("install-check-no-room", folder="D:\\ai", free=1 << 30, need=9 << 30), "disk_full"),
        (message("install-check-no-write", folder="D:\\ai", detail="denied"), "file_in_use_or_permission"),
        (message("install-check-host-certificate", host="a.example", detail="x"), "pip_ssl_certificate"),
        (message("install-check-host-proxy", host="a.example", detail="407"), "pip_proxy_misconfigured"),
        (message("install-check-host-timeout", host="a.example", detail="10 s"), "network_timeout"),
        (message("install-verify-build", package="torch", have="cpu", want="cu130"), "torch_cpu_only_build"),
    ],
)
def test_what_stands_in_no_log_line_is_evidence_too(reason, cause) -> None:
    run = InstallRun(ending="failed", failure=Failure(reason=reason, step="check"))
    assert first(install_failure(run)).cause == cause
