"""What uv really makes of the commands: against two made-up indexes on this machine, and once for real."""

from __future__ import annotations

import functools
import http.server
import os
import sys
import threading
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
import uv

from gpu_assistant.base.child import child_environment, run_child
from gpu_assistant.base.job import JobContext
from gpu_assistant.base.settings import Settings
from gpu_assistant.detect.report import Driver, DriverState
from gpu_assistant.select.plan import InstallPlan
from gpu_assistant.select.planning import make_plan
from gpu_assistant.select.resolution import dry_run, read_resolution
from gpu_assistant.select.wheels import list_wheels
from tests.select.machines import machine, pytorch

PYTHON = f"{sys.version_info.major}.{sys.version_info.minor}"
pytestmark = pytest.mark.skipif(sys.platform != "linux" or os.uname().machine != "x86_64", reason="plans for Linux")


def wheel(folder: Path, name: str, version: str, *needs: str) -> None:
    """An empty wheel."""
    folder.mkdir(parents=True, exist_ok=True)
    info = f"{name}-{version}.dist-info"
    lines = ["Metadata-Version: 2.1", f"Name: {name}", f"Version: {version}"]
    lines += [f"Requires-Dist: {need}" for need in needs]
    with zipfile.ZipFile(folder / f"{name}-{version}-py3-none-any.whl", "w") as file:
        file.writestr(f"{info}/METADATA", "\n".join(lines) + "\n")
        file.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nGenerator: t\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        file.writestr(f"{info}/RECORD", f"{info}/METADATA,,\n{info}/WHEEL,,\n{info}/RECORD,,\n")


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, template: str, *args: object) -> None:
        pass


@pytest.fixture(scope="module")
def indexes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """PyTorch's index of CUDA 12.6, and a default index with a newer torch that has no CUDA in it."""
    root = tmp_path_factory.mktemp("indexes")
    wheel(root / "whl/cu126/torch", "torch", "2.14.1+cu126", "filelock")
    wheel(root / "whl/cu126/torch", "torch", "2.13.0+cu126", "filelock")
    wheel(root / "whl/cu126/torchvision", "torchvision", "0.29.1+cu126", "torch>=2.14.0", "numpy")
    wheel(root / "simple/torch", "torch", "2.14.1", "filelock")
    wheel(root / "simple/torch", "torch", "2.15.0", "filelock")
    wheel(root / "simple/torchvision", "torchvision", "0.29.1", "torch>=2.14.0", "numpy")
    wheel(root / "simple/filelock", "filelock", "4.3.1")
    wheel(root / "simple/numpy", "numpy", "2.4.6")
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(root)))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()


def run(argv: tuple[str, ...], variables: dict[str, str]) -> list[str]:
    own = child_environment(variables)
    own = {name: value for name, value in own.items() if not name.startswith(("PIP_", "UV_")) or name in variables}
    own |= {"NO_PROXY": "127.0.0.1", "no_proxy": "127.0.0.1"}
    done = run_child([uv.find_uv_bin(), *argv[1:]], JobContext(), environment=own, timeout=120)
    lines = [*done.out, *done.err]
    assert done.exit_code == 0, "\n".join(lines)
    return lines


def resolve(plan: InstallPlan) -> list[str]:
    """An empty environment, and what the install step would put into it."""
    step = plan.steps[1]
    run(("uv", "venv", "--no-project", "--python", sys.executable, plan.target), step.environment)
    argv = dry_run(plan)
    assert argv is not None
    return run(argv, step.environment)


def plan(root: Path, **settings: object) -> InstallPlan:
    driver = Driver(state=DriverState.WORKING, version="580.95.05")
    report = machine("linux", "GTX 1080", driver=driver, python=PYTHON)
    chosen = Settings(root_folder=str(root), **settings)  # type: ignore[arg-type]
    return make_plan("cu126", report, pytorch(), chosen)


def test_the_family_comes_from_its_index_and_the_rest_from_the_default_one(tmp_path: Path, indexes: str) -> None:
    made = plan(tmp_path / "r t", pytorch_index=f"{indexes}/whl", package_index=f"{indexes}/simple")
    lines = resolve(made)
    assert read_resolution(made, lines) is None
    text = "\n".join(lines)
    for package in ("torch==2.14.1+cu126", "torchvision==0.29.1+cu126", "filelock==4.3.1", "numpy==2.4.6"):
        assert package in text


def test_an_index_that_lost_the_build_is_caught(tmp_path: Path, indexes: str) -> None:
    # the folder is not there, so uv goes on to the default index and finds a build without CUDA
    made = plan(tmp_path, pytorch_index=f"{indexes}/gone", package_index=f"{indexes}/simple")
    problem = read_resolution(made, resolve(made))
    assert problem is not None
    assert problem.id == "select-resolved-untagged"


@pytest.mark.real_install
def test_a_folder_of_wheels_really_installs(tmp_path: Path) -> None:
    folder = os.environ.get("PIP_FIND_LINKS", "")
    names = [
        name for name in list_wheels(folder) if name.startswith("torch-") and f"cp{PYTHON.replace('.', '')}" in name
    ]
    if not names:
        pytest.skip("no folder of wheels with a torch for this Python")
    chosen = Settings(root_folder=str(tmp_path), wheel_folder=folder)
    made = make_plan("cpu", machine("linux", python=PYTHON), pytorch(), chosen, wheels=names)
    for step in made.steps:
        run(step.argv, step.environment)
    python = Path(made.target, "bin", "python")
    code = "import torch; print(torch.__version__)"
    done = run_child([str(python), "-c", code], JobContext(), timeout=120)
    assert done.out[0].endswith("+cpu")
    assert made.packages[0] == f"torch=={done.out[0]}"
