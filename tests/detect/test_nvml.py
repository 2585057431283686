"""The driver library's JSON, and the child that writes it."""

from __future__ import annotations

import json
from types import SimpleNamespace

import pynvml
import pytest

from gpu_assistant.base.model import from_json
from gpu_assistant.detect import nvml_child
from gpu_assistant.detect.gateways import Answer
from gpu_assistant.detect.nvidia import ask_nvidia
from gpu_assistant.detect.nvml import NvmlDump, cuda_text, parse_nvml
from gpu_assistant.detect.report import DriverState, Outcome
from tests.detect.machines import FakeMachine


@pytest.mark.parametrize(
    ("code", "state", "outcome"),
    [
        (4, DriverState.INACCESSIBLE, Outcome.FAILED),
        (9, DriverState.NOT_LOADED, Outcome.FAILED),
        (12, None, Outcome.ABSENT),
        (15, DriverState.NOT_RESPONDING, Outcome.FAILED),
        (17, DriverState.INACCESSIBLE, Outcome.FAILED),
        (18, DriverState.MISMATCH, Outcome.FAILED),
        (999, DriverState.UNKNOWN, Outcome.FAILED),
    ],
)
def test_error_codes(code: int, state: DriverState | None, outcome: Outcome) -> None:
    evidence, gpus, note = parse_nvml(Answer(out=json.dumps({"error_code": code, "error": "x"}).encode()))
    assert (evidence.state, gpus, note.outcome) == (state, (), outcome)


def test_no_devices_is_not_working() -> None:
    assert parse_nvml(Answer(out=b'{"driver_version": "580.88", "devices": []}'))[0].state is DriverState.NO_DEVICES


def test_a_time_out_is_a_driver_that_does_not_respond() -> None:
    assert parse_nvml(Answer(outcome=Outcome.TIMED_OUT))[0].state is DriverState.NOT_RESPONDING


@pytest.mark.parametrize(("number", "text"), [(13000, "13.0"), (12080, "12.8"), (0, None), (None, None)])
def test_cuda_numbers(number: int | None, text: str | None) -> None:
    assert cuda_text(number) == text


def test_two_models_at_once_are_no_single_model() -> None:
    devices = [{"index": 0, "driver_model": 0}, {"index": 1, "driver_model": 1}]
    assert parse_nvml(Answer(out=json.dumps({"devices": devices}).encode()))[0].model is None


class Library(SimpleNamespace):
    """A `pynvml` whose functions are given; every other one is not supported."""

    NVMLError = pynvml.NVMLError
    NVML_TEMPERATURE_GPU = pynvml.NVML_TEMPERATURE_GPU

    def __getattr__(self, name: str) -> object:
        if not name.startswith("nvml"):
            raise AttributeError(name)

        def refuse(*args: object) -> None:
            raise pynvml.NVMLError(pynvml.NVML_ERROR_NOT_SUPPORTED)

        return refuse


def test_what_the_driver_refuses_does_not_hide_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    def old_memory(handle: int, version: object = None) -> object:
        if version is not None:
            raise pynvml.NVMLError(pynvml.NVML_ERROR_FUNCTION_NOT_FOUND)
        return SimpleNamespace(total=8 << 30, used=1 << 30)

    library = Library(
        nvmlInit=lambda: None,
        nvmlSystemGetDriverVersion=lambda: b"580.88",
        nvmlDeviceGetCount=lambda: 2,
        nvmlDeviceGetHandleByIndex=lambda index: index,
        nvmlDeviceGetName=lambda handle: "NVIDIA T4",
        nvmlDeviceGetMemoryInfo=old_memory,
        nvmlDeviceGetComputeRunningProcesses=lambda handle: [SimpleNamespace(pid=-1, usedGpuMemory=None)],
        nvmlDeviceGetGraphicsRunningProcesses=lambda handle: [SimpleNamespace(pid=-1, usedGpuMemory=5)],
        nvmlDeviceGetPowerUsage=lambda handle: 1 / 0,
    )
    monkeypatch.setattr(nvml_child, "nvml", library)
    monkeypatch.setattr(nvml_child, "_process_name", lambda pid: None)
    dump = from_json(json.dumps(nvml_child.dump()), NvmlDump)
    assert dump.driver_version == "580.88"
    first = (dump.devices or ())[0]
    assert (first.name, first.memory_total, first.temperature) == ("NVIDIA T4", 8 << 30, None)
    assert first.refused["temperature"] == "Not Supported"
    assert "ZeroDivisionError" in first.refused["power_milliwatts"]
    assert first.processes is not None
    assert [(process.pid, process.kind) for process in first.processes] == [(-1, "both")]
    assert parse_nvml(Answer(out=json.dumps(nvml_child.dump()).encode()))[0].state is DriverState.WORKING


SMI = "/usr/bin/nvidia-smi"


@pytest.mark.parametrize(
    ("nvml", "thorough", "asked"),
    [
        (Answer(outcome=Outcome.TIMED_OUT), False, False),  # it would hang as well
        (Answer(outcome=Outcome.TIMED_OUT), True, False),
        (Answer(out=b'{"devices": [{"index": 0}]}'), False, False),
        (Answer(out=b'{"devices": [{"index": 0}]}'), True, True),
        (Answer(out=b'{"error_code": 12}'), False, True),
        (Answer(outcome=Outcome.FAILED, exit_code=-11), False, True),
    ],
)
def test_nvidia_smi_is_asked_only_where_it_can_help(nvml: Answer, thorough: bool, asked: bool) -> None:
    io = FakeMachine(nvml=nvml, links={SMI: SMI})
    ask_nvidia(io, thorough=thorough)
    assert io.asked == ([(SMI, "-q", "-x")] if asked else [])
