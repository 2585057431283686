"""The stand-in library is faithful: other people's NVML programs run on it and read the same numbers."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.standin_nvml.build import Variant, build, compiler

SCENARIO = f"""
system driver 580.88
0 name NVIDIA GeForce RTX 4060
0 total 8G
0 used 2G
0 utilization 41
0 temperature 61
0 power 80
0 power_limit 115
0 fan 45
0 throttle 0
0 process.{os.getpid()}.vram 1G
1 name NVIDIA A100
1 total 40G
1 used 10G
1 mig 2
1.0 total 5G
1.0 used 1G
1.1 total 5G
1.1 used 1G
"""


def _program(name: str) -> str:
    """Looked for beside the interpreter, in the folder that NVML_PROGRAMS names, and on the path."""
    folders = [str(Path(sys.executable).parent), os.environ.get("NVML_PROGRAMS", ""), os.environ.get("PATH", "")]
    return shutil.which(name, path=os.pathsep.join(filter(None, folders))) or ""


def _environment(tmp_path: Path, variant: Variant) -> dict[str, str]:
    path = tmp_path / "scenario.txt"
    path.write_text(SCENARIO)
    return {
        **os.environ,
        "LD_LIBRARY_PATH": str(build(variant)),
        "STANDIN_NVML_SCENARIO": str(path),
        "LC_ALL": "C.UTF-8",
    }


needs_compiler = pytest.mark.skipif(sys.platform != "linux" or compiler("linux") is None, reason="needs gcc on Linux")


@needs_compiler
@pytest.mark.skipif(not _program("gpustat"), reason="gpustat is not installed")
@pytest.mark.parametrize("variant", ["linux", "linux-old"])
def test_gpustat_runs_on_it(tmp_path: Path, variant: Variant) -> None:
    out = subprocess.run(
        [_program("gpustat"), "--json"],
        env=_environment(tmp_path, variant),
        capture_output=True,
        check=True,
    ).stdout
    card = json.loads(out)["gpus"][0]
    assert (card["name"], card["utilization.gpu"], card["temperature.gpu"]) == ("NVIDIA GeForce RTX 4060", 41, 61)
    assert (card["memory.used"], card["memory.total"], card["power.draw"]) == (2048, 8192, 80)


@needs_compiler
@pytest.mark.skipif(not _program("nvitop"), reason="nvitop is not installed")
@pytest.mark.parametrize("variant", ["linux", "linux-old"])
def test_nvitop_runs_on_it(tmp_path: Path, variant: Variant) -> None:
    out = subprocess.run(
        [_program("nvitop"), "-1"],
        env=_environment(tmp_path, variant),
        capture_output=True,
        check=True,
        text=True,
    ).stdout
    assert "GeForce RTX 4060" in out
    assert "2048MiB / 8192MiB" in out
    assert "1024MiB /  5120MiB" in out, "MIG instances are listed"
    assert "580.88" in out


CALLS = """
import pynvml as n
n.nvmlInit()
print(n.nvmlSystemGetDriverVersion(), n.nvmlDeviceGetCount())
card = n.nvmlDeviceGetHandleByIndex(0)
print(n.nvmlDeviceGetName(card), n.nvmlDeviceGetUtilizationRates(card).gpu)
print(n.nvmlDeviceGetIndex(n.nvmlDeviceGetHandleByUUID(n.nvmlDeviceGetUUID(card))))
print(n.nvmlDeviceGetIndex(n.nvmlDeviceGetHandleByPciBusId(n.nvmlDeviceGetPciInfo(card).busId)))
for ask in (n.nvmlDeviceGetSerial, lambda c: n.nvmlDeviceGetMemoryInfo(c, version=n.nvmlMemory_v2).reserved):
    try:
        print(ask(card))
    except n.NVMLError as error:
        print(type(error).__name__)
n.nvmlShutdown()
try:
    n.nvmlDeviceGetCount()
except n.NVMLError as error:
    print(type(error).__name__)
"""


@needs_compiler
@pytest.mark.parametrize(("variant", "reserved"), [("linux", "0"), ("linux-old", "NVMLError_FunctionNotFound")])
def test_the_real_binding_reads_it(tmp_path: Path, variant: Variant, reserved: str) -> None:
    out = subprocess.run(
        [sys.executable, "-c", CALLS], env=_environment(tmp_path, variant), capture_output=True, check=True, text=True
    ).stdout
    assert out.splitlines() == [
        "580.88 2",
        "NVIDIA GeForce RTX 4060 41",
        "0",
        "0",
        "NVMLError_NotSupported",
        reserved,
        "NVMLError_Uninitialized",
    ]


@pytest.mark.skipif(compiler("windows") is None, reason="needs mingw-w64")
def test_the_windows_library_is_built_with_the_same_functions() -> None:
    library = (build("windows") / "nvml.dll").read_bytes()
    for name in (b"nvmlInit_v2", b"nvmlDeviceGetMemoryInfo_v2", b"nvmlDeviceGetComputeRunningProcesses_v3"):
        assert name in library
    assert b"nvmlDeviceGetMemoryInfo_v2" not in (build("windows-old") / "nvml.dll").read_bytes()
