"""Asks the NVIDIA driver library for everything and prints it as one line of JSON (`nvml.NvmlDump`).

Runs as a child, because a wedged driver never answers.
Each question is its own: what the driver refuses is a key in `refused`, never the end of the rest.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any

import psutil
import pynvml as nvml


def _device_fields(handle: Any) -> dict[str, Callable[[], object]]:
    """The questions about one card, by the key of the answer."""
    return {
        "name": lambda: _text(nvml.nvmlDeviceGetName(handle)),
        "uuid": lambda: _text(nvml.nvmlDeviceGetUUID(handle)),
        "pci_bus_id": lambda: _text(nvml.nvmlDeviceGetPciInfo(handle).busId),
        "pci_device_id": lambda: int(nvml.nvmlDeviceGetPciInfo(handle).pciDeviceId),
        "architecture": lambda: int(nvml.nvmlDeviceGetArchitecture(handle)),
        "compute_capability": lambda: list(nvml.nvmlDeviceGetCudaComputeCapability(handle)),
        "memory_total": lambda: int(_memory(handle).total),
        "memory_used": lambda: int(_memory(handle).used),
        "temperature": lambda: nvml.nvmlDeviceGetTemperature(handle, nvml.NVML_TEMPERATURE_GPU),
        "power_milliwatts": lambda: nvml.nvmlDeviceGetPowerUsage(handle),
        "power_limit_milliwatts": lambda: nvml.nvmlDeviceGetEnforcedPowerLimit(handle),
        "pcie_generation": lambda: nvml.nvmlDeviceGetCurrPcieLinkGeneration(handle),
        "pcie_generation_max": lambda: nvml.nvmlDeviceGetMaxPcieLinkGeneration(handle),
        "pcie_width": lambda: nvml.nvmlDeviceGetCurrPcieLinkWidth(handle),
        "pcie_width_max": lambda: nvml.nvmlDeviceGetMaxPcieLinkWidth(handle),
        "display_active": lambda: bool(nvml.nvmlDeviceGetDisplayActive(handle)),
        "driver_model": lambda: int(nvml.nvmlDeviceGetCurrentDriverModel(handle)),
        "mig_mode": lambda: int(nvml.nvmlDeviceGetMigMode(handle)[0]),
        "mig": lambda: _mig(handle),
        "ecc_mode": lambda: int(nvml.nvmlDeviceGetEccMode(handle)[0]),
        "processes": lambda: _processes(handle),
    }


def _memory(handle: Any) -> Any:
    try:  # the second version leaves the driver's own reserve out of "used"
        return nvml.nvmlDeviceGetMemoryInfo(handle, version=nvml.nvmlMemory_v2)
    except (nvml.NVMLError, AttributeError):
        return nvml.nvmlDeviceGetMemoryInfo(handle)


def _mig(handle: Any) -> list[dict[str, object]]:
    found = []
    for index in range(nvml.nvmlDeviceGetMaxMigDeviceCount(handle)):
        try:
            part = nvml.nvmlDeviceGetMigDeviceHandleByIndex(handle, index)
        except nvml.NVMLError:
            continue
        found.append(
            {
                "name": _text(nvml.nvmlDeviceGetName(part)),
                "uuid": _text(nvml.nvmlDeviceGetUUID(part)),
                "memory_total": int(nvml.nvmlDeviceGetMemoryInfo(part).total),
            }
        )
    return found


def _processes(handle: Any) -> list[dict[str, object]]:
    kinds: dict[int, dict[str, Any]] = {}
    for kind, ask in (
        ("compute", nvml.nvmlDeviceGetComputeRunningProcesses),
        ("graphics", nvml.nvmlDeviceGetGraphicsRunningProcesses),
    ):
        for process in ask(handle):
            known = kinds.get(process.pid)
            kinds[process.pid] = {
                "pid": process.pid,
                "name": _process_name(process.pid),
                "used": process.usedGpuMemory,
                "kind": "both" if known else kind,
            }
    return list(kinds.values())


def _process_name(pid: int) -> str | None:
    try:
        return psutil.Process(pid).name()
    except psutil.Error:
        return None


def _text(value: str | bytes) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value


def _ask(questions: dict[str, Callable[[], object]], into: dict[str, object]) -> dict[str, str]:
    refused = {}
    for key, question in questions.items():
        try:
            into[key] = question()
        except nvml.NVMLError as error:
            refused[key] = str(error)
        except Exception as error:  # a function that this driver or binding lacks
            refused[key] = f"{type(error).__name__}: {error}"
    return refused


def dump() -> dict[str, object]:
    """Everything NVML says here."""
    found: dict[str, object] = {}
    try:
        nvml.nvmlInit()
        _ask(
            {
                "driver_version": lambda: _text(nvml.nvmlSystemGetDriverVersion()),
                "library_version": lambda: _text(nvml.nvmlSystemGetNVMLVersion()),
                "cuda_version": lambda: nvml.nvmlSystemGetCudaDriverVersion_v2(),
            },
            found,
        )
        devices = []
        for index in range(nvml.nvmlDeviceGetCount()):
            device: dict[str, object] = {"index": index}
            try:
                device["refused"] = _ask(_device_fields(nvml.nvmlDeviceGetHandleByIndex(index)), device)
            except nvml.NVMLError as error:
                device["refused"] = {"handle": str(error)}
            devices.append(device)
        found["devices"] = devices
    except nvml.NVMLError as error:
        found |= {"error_code": int(error.value), "error": str(error)}
    return found


def main() -> None:
    """Prints the dump. Leaves without NVML's own clean-up, which can hang as well."""
    sys.stdout.write(json.dumps(dump()) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
