from __future__ import annotations

import os
from pathlib import Path

import pytest

from gpu_assistant.base.job import JobContext
from gpu_assistant.base.paths import RootLayout
from gpu_assistant.base.settings import Settings
from gpu_assistant.detect.collect import collect
from gpu_assistant.detect.recording import open_gateways
from gpu_assistant.install.engine import InstallJob
from gpu_assistant.select.catalogue import frameworks
from gpu_assistant.select.planning import make_plan
from gpu_assistant.select.wheels import list_wheels
from tests.install.wheels import write_wheel


@pytest.fixture
def layout(tmp_path: Path) -> RootLayout:
    return RootLayout(tmp_path / "root")


@pytest.fixture(scope="session")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A family of tiny packages: torch in two builds, one that cannot be imported, one that lies about its build."""
    folder = tmp_path_factory.mktemp("wheels")
    write_wheel(folder, "torch", "9.1.0+cpu", requires=("tinydep",), padding=2_000_000)
    write_wheel(folder, "torch", "9.2.0+cu130", requires=("tinydep",))
    write_wheel(folder, "torch", "9.3.0+cpu", code="raise OSError('[WinError 126] c10.dll')")
    write_wheel(folder, "torch", "9.4.0+cu130", code="__version__ = '9.4.0+cpu'")
    write_wheel(folder, "tinydep", "1.0")
    return folder


@pytest.fixture(scope="session")
def real_environment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A real environment with torch for the CPU, made by the engine from a plan of `select`."""
    folder = os.environ.get("PIP_FIND_LINKS", "")
    if not list(Path(folder).glob("torch-*.whl")):
        pytest.skip("PIP_FIND_LINKS names no folder with a torch wheel")
    layout = RootLayout(tmp_path_factory.mktemp("real"))
    settings = Settings(wheel_folder=folder, root_folder=str(layout.root))
    report = collect(open_gateways(None), JobContext())
    plan = make_plan("cpu", report, frameworks()["pytorch"], settings, wheels=list_wheels(folder))
    run = InstallJob(plan, accepted=plan.id, layout=layout).run(JobContext())
    assert run.ending == "succeeded", run.failure
    assert run.verified is not None
    assert run.verified.build == "cpu"
    return Path(plan.target)
