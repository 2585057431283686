"""From a failed training to a repaired environment, by clicks: real uv, real wheels of a few lines, real children."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gpu_assistant.base.job import Job, JobContext
from gpu_assistant.base.paths import RootLayout, app_paths
from gpu_assistant.base.settings import Settings
from gpu_assistant.detect import report as facts
from gpu_assistant.detect.report import DriverState, Gpu, PackageBuild, PythonEnvironment, System, SystemReport
from gpu_assistant.gui import jobs
from gpu_assistant.gui.main_window import MainWindow
from gpu_assistant.gui.services import CallJob, Services
from gpu_assistant.install.engine import InstallJob
from gpu_assistant.install.marker import environment_python
from gpu_assistant.select.catalogue import frameworks
from gpu_assistant.session.state import SessionState
from gpu_assistant.smoke_test.job import SmokeTestJob
from gpu_assistant.smoke_test.run import SmokeRun
from gpu_assistant.smoke_test.spec import SmokeSpec
from gpu_assistant.troubleshoot.actions import prepare
from gpu_assistant.troubleshoot.diagnosis import FixAction
from tests.gui.test_road import Driver
from tests.install.plans import PYTHON, make_plan
from tests.install.wheels import serving, write_wheel
from tests.smoke_test.scripts import fake_test

pytestmark = pytest.mark.timeout(240)


class RepairServices(Services):
    """The real ones on a computer with a card; the training only asks torch which build it is."""

    script = "asks_build.py"

    def __init__(self, settings: Settings, report: SystemReport) -> None:
        super().__init__(settings, app_paths())
        self.report = report

    def detect_job(self) -> Job[SystemReport]:
        return CallJob(lambda ctx: self.report)

    def sampler(self, on_sample: object) -> None:
        return None

    def smoke_job(self, state: SessionState, python: str, test: str) -> Job[Any]:
        spec = SmokeSpec(framework="fake", test="fake", python=python, expect="gpu", batch_scale=state.batch_scale)
        return SmokeTestJob(spec, test=fake_test(self.script))


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    """An environment of the user's own with a torch for the processor only."""
    wheels = tmp_path / "cpu-wheels"
    write_wheel(wheels, "torch", "2.14.1+cpu")
    layout = RootLayout(tmp_path / "mine")
    with serving(wheels) as index:
        plan = make_plan(layout, index.url, packages=("torch==2.14.1",), target=str(tmp_path / "my project" / "venv"))
        run = InstallJob(plan, accepted=plan.id, layout=layout).run(JobContext())
    assert run.ending == "succeeded", run.failure
    return Path(plan.target)


def computer(environment: Path) -> SystemReport:
    return SystemReport(
        made_at="2026-12-01T00:00:00Z",
        program="test",
        system=System(os="windows" if sys.platform == "win32" else "linux", name="Test"),
        gpus=(Gpu(vendor="nvidia", name="NVIDIA GeForce RTX 4070", compute_capability="8.9", vram_total=12 << 30),),
        driver=facts.Driver(state=DriverState.WORKING, version="580.95.05", cuda_version="13.0"),
        pythons=(
            PythonEnvironment(
                executable=str(environment_python(environment)),
                version=f"{PYTHON}.7",
                prefix=str(environment),
                packages=(PackageBuild(name="torch", version="2.14.1+cpu", build="cpu"),),
            ),
        ),
    )


@pytest.fixture
def services(tmp_path: Path, broken: Path) -> RepairServices:
    folder = tmp_path / "wheels"
    write_wheel(folder, "torch", "2.14.1+cu130")
    settings = Settings(wheel_folder=str(folder), offline=True, root_folder=str(tmp_path / "root"))
    return RepairServices(settings, computer(broken))


@pytest.fixture
def drive(qtbot: Any, open_window: Callable[..., MainWindow], services: RepairServices, broken: Path) -> Driver:
    drive = Driver(qtbot, open_window(services=services, settings=services.settings))
    drive.next("detect")
    drive.next("choose")
    drive.page.check_wanted.emit(str(environment_python(broken)))
    return drive


def trained(drive: Driver, button: Any) -> SmokeRun:
    drive.click(button)
    drive.qtbot.waitUntil(lambda: drive.state.smoke is not None and not drive.state.busy, timeout=60_000)
    return drive.state.smoke


def diagnosed(drive: Driver) -> Any:
    tab = drive.window._troubleshooting
    drive.qtbot.waitUntil(lambda: bool(tab.error.cards) and not jobs.jobs_running(), timeout=20_000)
    return tab


def act(drive: Driver, tab: Any, kind: str) -> None:
    card = tab.error.cards[0]
    fix = next(fix for fix in card.diagnosis.fixes if fix.action is not None and fix.action.kind == kind)
    drive.click(card.action_buttons[fix.id])
    drive.click(tab.dialog.do_button)


def test_a_cpu_build_is_found_replaced_and_proven(drive: Driver, broken: Path) -> None:
    assert trained(drive, drive.page.start_button).verdict == "failed"
    drive.click(drive.page.help_button)
    tab = diagnosed(drive)
    assert tab.error.cards[0].diagnosis.cause == "torch_cpu_only_build"
    act(drive, tab, "replace_cpu_build")
    assert (drive.state.page, drive.state.accepted) == ("review", None)
    assert drive.state.plan.target == str(broken)
    assert [entry.helped for entry in tab._memory.read().tried] == [None]
    drive.click(drive.page.next_button)
    drive.qtbot.waitUntil(lambda: drive.state.page == "install" and not drive.state.busy, timeout=120_000)
    assert drive.state.install.ending == "succeeded", drive.state.install.failure
    assert drive.state.install.verified.build == "cu130"
    drive.window.tabs.setCurrentIndex(2)
    assert trained(drive, tab.error.again_button).passed
    assert [entry.helped for entry in tab._memory.read().tried] == [True]


@pytest.mark.parametrize(
    ("behaviour", "cause"),
    [
        ("out_of_memory", "cuda_out_of_memory"),
        ("wrong_device", "tensor_device_mismatch"),
        ("misses_a_dll", "dll_missing_dependency"),
        ("misses_a_library", "cudnn_library_missing"),
        ("raises", "gpu_arch_not_in_build"),
    ],
)
def test_help_opens_the_right_card_first(
    drive: Driver, services: RepairServices, monkeypatch: pytest.MonkeyPatch, behaviour: str, cause: str
) -> None:
    services.script = "script.py"
    monkeypatch.setenv("FAKE_SCRIPT", behaviour)
    trained(drive, drive.page.start_button)
    drive.click(drive.page.help_button)
    assert drive.window.tabs.currentIndex() == 2
    assert diagnosed(drive).error.cards[0].diagnosis.cause == cause


def test_a_fix_that_did_not_help_brings_back_what_else_can_be_done(
    drive: Driver, services: RepairServices, monkeypatch: pytest.MonkeyPatch
) -> None:
    services.script = "script.py"
    monkeypatch.setenv("FAKE_SCRIPT", "out_of_memory")
    trained(drive, drive.page.start_button)
    drive.click(drive.page.help_button)
    tab = diagnosed(drive)
    act(drive, tab, "lower_batch")
    assert drive.state.page == "smoke_test"
    first = drive.state.smoke
    drive.window.tabs.setCurrentIndex(2)
    drive.click(tab.error.again_button)
    drive.qtbot.waitUntil(lambda: drive.state.smoke not in (None, first) and not drive.state.busy, timeout=60_000)
    assert drive.state.smoke.spec.batch_scale == 0.5
    drive.qtbot.waitUntil(lambda: drive.window.tabs.currentIndex() == 2)
    card = diagnosed(drive).error.cards[0]
    assert card.diagnosis.cause == "cuda_out_of_memory"
    assert card.diagnosis.fixes[-1].action.kind == "lower_batch"


def test_a_package_outside_the_family_is_reinstalled_in_its_place(broken: Path, tmp_path: Path) -> None:
    folder = tmp_path / "more"
    write_wheel(folder, "numpy", "1.26.4")
    settings = Settings(wheel_folder=str(folder), offline=True, root_folder=str(tmp_path / "root"))
    report = computer(broken)
    action = FixAction(kind="reinstall_packages", args={"packages": "numpy<2"})
    prepared = prepare(action, report, frameworks()["pytorch"], settings, report.pythons[0])
    assert prepared.plan is not None
    layout = RootLayout(Path(settings.root_folder))
    run = InstallJob(prepared.plan, accepted=prepared.plan.id, layout=layout).run(JobContext())
    assert run.ending == "succeeded", run.failure
    assert list(broken.rglob("numpy-1.26.4.dist-info"))
    assert list(broken.rglob("torch-2.14.1+cpu.dist-info"))
