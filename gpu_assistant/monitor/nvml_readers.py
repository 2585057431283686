"""What is asked of each card: a row per question. A reader gives values by metric id, or raises what pynvml raises."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pynvml

from gpu_assistant.monitor.model import ProcessSample


class Reader:
    """One question. `every`: ask in every n-th pass only; `slow`: the driver measures while we wait."""

    def __init__(self, read: Callable[[Any], dict[str, float]], *, every: int = 1, slow: bool = False) -> None:
        self.read = read
        self.every = every
        self.slow = slow


def _number(id_: str, ask: Callable[[Any], float], factor: float = 1.0, **how: Any) -> Reader:
    return Reader(lambda handle: {id_: ask(handle) * factor}, **how)


def _utilization(handle: Any) -> dict[str, float]:
    rates = pynvml.nvmlDeviceGetUtilizationRates(handle)
    return {"utilization": float(rates.gpu), "memory_controller": float(rates.memory)}


def _memory(handle: Any) -> dict[str, float]:
    try:
        memory = pynvml.nvmlDeviceGetMemoryInfo(handle, version=pynvml.nvmlMemory_v2)
    except pynvml.NVMLError as error:
        if error.value not in (pynvml.NVML_ERROR_FUNCTION_NOT_FOUND, pynvml.NVML_ERROR_ARGUMENT_VERSION_MISMATCH):
            raise
        memory = pynvml.nvmlDeviceGetMemoryInfo(handle)
    values = {"vram_used": float(memory.used), "vram_total": float(memory.total)}
    if hasattr(memory, "reserved"):
        values["vram_reserved"] = float(memory.reserved)
    return values


def _hotspot(handle: Any) -> float:
    return float(pynvml.nvmlDeviceGetTemperatureV(handle, pynvml.NVML_TEMPERATURE_GPU_MAX))


def _memory_temperature(handle: Any) -> float:
    field = pynvml.nvmlDeviceGetFieldValues(handle, [pynvml.NVML_FI_DEV_MEMORY_TEMP])[0]
    if field.nvmlReturn != pynvml.NVML_SUCCESS:
        raise pynvml.NVMLError(field.nvmlReturn)
    return float(field.value.uiVal)


def _reasons(handle: Any) -> float:
    try:
        return float(pynvml.nvmlDeviceGetCurrentClocksEventReasons(handle))
    except pynvml.NVMLError as error:
        if error.value != pynvml.NVML_ERROR_FUNCTION_NOT_FOUND:
            raise
        return float(pynvml.nvmlDeviceGetCurrentClocksThrottleReasons(handle))


_POWER_REASONS = pynvml.nvmlClocksThrottleReasonSwPowerCap | pynvml.nvmlClocksThrottleReasonHwPowerBrakeSlowdown
_HEAT_REASONS = pynvml.nvmlClocksThrottleReasonSwThermalSlowdown | pynvml.nvmlClocksThrottleReasonHwThermalSlowdown


def _throttle(handle: Any) -> dict[str, float]:
    bits = int(_reasons(handle))
    return {
        "throttle_bits": float(bits),
        "held_back_power": 100.0 if bits & _POWER_REASONS else 0.0,
        "held_back_heat": 100.0 if bits & _HEAT_REASONS else 0.0,
    }


def _errors(id_: str, kind: int) -> Reader:
    return _number(
        id_,
        lambda handle: pynvml.nvmlDeviceGetTotalEccErrors(handle, kind, pynvml.NVML_VOLATILE_ECC),
        every=10,
    )


def _threshold(kind: int) -> Callable[[Any], float]:
    return lambda handle: float(pynvml.nvmlDeviceGetTemperatureThreshold(handle, kind))


def _clock(ask: Callable[[Any, int], float], kind: int) -> Callable[[Any], float]:
    return lambda handle: ask(handle, kind)


def _throughput(counter: int) -> Callable[[Any], float]:
    return lambda handle: float(pynvml.nvmlDeviceGetPcieThroughput(handle, counter))


READERS: tuple[Reader, ...] = (
    Reader(_utilization),
    Reader(_memory),
    _number("power", pynvml.nvmlDeviceGetPowerUsage, 0.001),
    _number("power_limit", pynvml.nvmlDeviceGetEnforcedPowerLimit, 0.001, every=10),
    _number("temperature", lambda handle: pynvml.nvmlDeviceGetTemperature(handle, pynvml.NVML_TEMPERATURE_GPU)),
    _number("hotspot_temperature", _hotspot),
    _number("memory_temperature", _memory_temperature),
    _number("temperature_slowdown", _threshold(pynvml.NVML_TEMPERATURE_THRESHOLD_SLOWDOWN), every=60),
    _number("temperature_shutdown", _threshold(pynvml.NVML_TEMPERATURE_THRESHOLD_SHUTDOWN), every=60),
    _number("fan", pynvml.nvmlDeviceGetFanSpeed),
    _number("fan_speed", pynvml.nvmlDeviceGetFanSpeedRPM),
    _number("sm_clock", _clock(pynvml.nvmlDeviceGetClockInfo, pynvml.NVML_CLOCK_SM)),
    _number("memory_clock", _clock(pynvml.nvmlDeviceGetClockInfo, pynvml.NVML_CLOCK_MEM)),
    _number("sm_clock_max", _clock(pynvml.nvmlDeviceGetMaxClockInfo, pynvml.NVML_CLOCK_SM), every=60),
    _number("memory_clock_max", _clock(pynvml.nvmlDeviceGetMaxClockInfo, pynvml.NVML_CLOCK_MEM), every=60),
    _number("performance_state", pynvml.nvmlDeviceGetPerformanceState),
    Reader(_throttle),
    _number("pcie_generation", pynvml.nvmlDeviceGetCurrPcieLinkGeneration),
    _number("pcie_width", pynvml.nvmlDeviceGetCurrPcieLinkWidth),
    _number("pcie_generation_max", pynvml.nvmlDeviceGetMaxPcieLinkGeneration, every=60),
    _number("pcie_width_max", pynvml.nvmlDeviceGetMaxPcieLinkWidth, every=60),
    _number("pcie_rx", _throughput(pynvml.NVML_PCIE_UTIL_RX_BYTES), 1024.0, slow=True),
    _number("pcie_tx", _throughput(pynvml.NVML_PCIE_UTIL_TX_BYTES), 1024.0, slow=True),
    _number("encoder", lambda handle: pynvml.nvmlDeviceGetEncoderUtilization(handle)[0]),
    _number("decoder", lambda handle: pynvml.nvmlDeviceGetDecoderUtilization(handle)[0]),
    _errors("ecc_corrected", pynvml.NVML_MEMORY_ERROR_TYPE_CORRECTED),
    _errors("ecc_uncorrected", pynvml.NVML_MEMORY_ERROR_TYPE_UNCORRECTED),
)

# Ids of the sentences `throttle-<id>`; most telling first.
_REASONS = {
    pynvml.nvmlClocksThrottleReasonHwThermalSlowdown: "hw_thermal_slowdown",
    pynvml.nvmlClocksThrottleReasonSwThermalSlowdown: "thermal_slowdown",
    pynvml.nvmlClocksThrottleReasonHwPowerBrakeSlowdown: "power_brake",
    pynvml.nvmlClocksThrottleReasonSwPowerCap: "power_cap",
    pynvml.nvmlClocksThrottleReasonHwSlowdown: "hw_slowdown",
    0x200: "board_limit",
    0x400: "reliability",
    pynvml.nvmlClocksThrottleReasonSyncBoost: "sync_boost",
    pynvml.nvmlClocksThrottleReasonApplicationsClocksSetting: "clocks_setting",
    0x100: "display_clocks",
    pynvml.nvmlClocksThrottleReasonGpuIdle: "idle",
}


def throttle_reasons(bits: float | None) -> tuple[str, ...]:
    """NVML's bits as reason ids."""
    return tuple(id_ for bit, id_ in _REASONS.items() if int(bits or 0) & bit)


def read_processes(handle: Any, since: int) -> list[ProcessSample]:
    """The processes on a card, computing ones first. `since`: microseconds from when their load is averaged."""
    found: dict[int, ProcessSample] = {}
    for process in _listed(handle, "Compute"):
        found[process.pid] = ProcessSample(pid=process.pid, vram_bytes=process.usedGpuMemory, kind="compute")
    for process in _listed(handle, "Graphics"):
        kind = "both" if process.pid in found else "graphics"
        found[process.pid] = ProcessSample(
            pid=process.pid,
            vram_bytes=process.usedGpuMemory,
            kind=kind,  # type: ignore[arg-type]
        )
    loads = _process_loads(handle, since) if found else {}
    return [_with_load(process, loads.get(process.pid)) for process in found.values()]


def _with_load(process: ProcessSample, load: float | None) -> ProcessSample:
    if load is None:
        return process
    return ProcessSample(pid=process.pid, vram_bytes=process.vram_bytes, kind=process.kind, gpu_percent=load)


def _listed(handle: Any, kind: str) -> Iterable[Any]:
    for version in ("_v3", "_v2"):
        try:
            return list(getattr(pynvml, f"nvmlDeviceGet{kind}RunningProcesses{version}")(handle))
        except pynvml.NVMLError as error:
            if error.value != pynvml.NVML_ERROR_FUNCTION_NOT_FOUND:
                raise
    return ()


def _process_loads(handle: Any, since: int) -> dict[int, float]:
    try:
        samples = pynvml.nvmlDeviceGetProcessUtilization(handle, since)
    except pynvml.NVMLError:
        return {}
    return {sample.pid: float(sample.smUtil) for sample in samples if sample.smUtil <= 100}
