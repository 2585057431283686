"""What the NVIDIA driver library said: the JSON that `nvml_child` prints, and what it means."""

from __future__ import annotations

from typing import Literal

import msgspec

from gpu_assistant.base.model import Value, from_json
from gpu_assistant.detect.addresses import pci_address
from gpu_assistant.detect.evidence import DriverEvidence, gpu
from gpu_assistant.detect.gateways import Answer
from gpu_assistant.detect.report import DriverState, Gpu, GpuProcess, MigInstance, Outcome, PcieLink, ProbeNote

SOURCE = "nvml"

# nvmlReturn_t
_STATES = {
    4: DriverState.INACCESSIBLE,  # no permission
    9: DriverState.NOT_LOADED,
    10: DriverState.NOT_RESPONDING,  # time-out
    15: DriverState.NOT_RESPONDING,  # the card has fallen off the bus
    16: DriverState.NOT_RESPONDING,  # reset required
    17: DriverState.INACCESSIBLE,  # blocked by the operating system or its cgroups
    18: DriverState.MISMATCH,
    6: DriverState.NO_DEVICES,  # not found
}
LIBRARY_NOT_FOUND = 12


class NvmlProcess(Value, frozen=True, kw_only=True):
    pid: int
    name: str | None = None
    used: int | None = None
    kind: Literal["compute", "graphics", "both"] | None = None


class NvmlMig(Value, frozen=True, kw_only=True):
    name: str | None = None
    uuid: str | None = None
    memory_total: int | None = None


class NvmlDevice(Value, frozen=True, kw_only=True):
    """One card; a key that is missing was refused, and `refused` holds the driver's words."""

    index: int
    name: str | None = None
    uuid: str | None = None
    pci_bus_id: str | None = None
    pci_device_id: int | None = None  # device in the upper half, vendor in the lower
    architecture: int | None = None
    compute_capability: tuple[int, int] | None = None
    memory_total: int | None = None
    memory_used: int | None = None
    temperature: float | None = None
    power_milliwatts: float | None = None
    power_limit_milliwatts: float | None = None
    pcie_generation: int | None = None
    pcie_generation_max: int | None = None
    pcie_width: int | None = None
    pcie_width_max: int | None = None
    display_active: bool | None = None
    driver_model: int | None = None  # 0 WDDM, 1 TCC, 2 MCDM
    mig_mode: int | None = None
    mig: tuple[NvmlMig, ...] = ()
    ecc_mode: int | None = None
    processes: tuple[NvmlProcess, ...] | None = None
    refused: dict[str, str] = {}


class NvmlDump(Value, frozen=True, kw_only=True):
    """Everything that one child saw. `error_code` is that of the call that ended it."""

    driver_version: str | None = None
    library_version: str | None = None
    cuda_version: int | None = None  # 13000
    devices: tuple[NvmlDevice, ...] | None = None
    error_code: int | None = None
    error: str | None = None


_ARCHITECTURES = {
    2: "Kepler",
    3: "Maxwell",
    4: "Pascal",
    5: "Volta",
    6: "Turing",
    7: "Ampere",
    8: "Ada Lovelace",
    9: "Hopper",
    10: "Blackwell",
}
_MODELS = {0: "WDDM", 1: "TCC", 2: "MCDM"}


def parse_nvml(answer: Answer) -> tuple[DriverEvidence, tuple[Gpu, ...], ProbeNote]:
    """The driver's state, its cards, and how the question ended. Never raises."""
    if answer.outcome is Outcome.TIMED_OUT:
        evidence = DriverEvidence(source=SOURCE, state=DriverState.NOT_RESPONDING)
        return evidence, (), ProbeNote(source=SOURCE, outcome=Outcome.TIMED_OUT, detail=answer.detail)
    if answer.outcome is Outcome.ABSENT:
        return DriverEvidence(source=SOURCE), (), ProbeNote(source=SOURCE, outcome=Outcome.ABSENT)
    try:
        dump = from_json(answer.out, NvmlDump)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        said = answer.err.decode("utf-8", "replace").strip()[-300:]
        detail = answer.detail or said or f"exit code {answer.exit_code}: {error}"
        return DriverEvidence(source=SOURCE), (), ProbeNote(source=SOURCE, outcome=Outcome.FAILED, detail=detail)
    return _driver(dump), tuple(_gpu(device) for device in dump.devices or ()), _note(dump)


def _driver(dump: NvmlDump) -> DriverEvidence:
    state = None
    if dump.error_code is not None:
        state = _STATES.get(dump.error_code, None if dump.error_code == LIBRARY_NOT_FOUND else DriverState.UNKNOWN)
    elif dump.devices is not None:
        state = DriverState.WORKING if dump.devices else DriverState.NO_DEVICES
    models = {_MODELS.get(device.driver_model) for device in dump.devices or () if device.driver_model is not None}
    return DriverEvidence(
        source=SOURCE,
        state=state,
        version=dump.driver_version,
        cuda_version=cuda_text(dump.cuda_version),
        library_version=_library(dump.library_version),
        model=models.pop() if len(models) == 1 else None,
    )


def cuda_text(number: int | None) -> str | None:
    """13020 -> "13.2"."""
    return f"{number // 1000}.{number % 1000 // 10}" if number and number >= 1000 else None


def _library(version: str | None) -> str | None:
    # "13.580.88": the first number is NVML's own
    return version.partition(".")[2] or None if version else None


def _note(dump: NvmlDump) -> ProbeNote:
    if dump.error_code is None:
        return ProbeNote(source=SOURCE, outcome=Outcome.OK)
    outcome = Outcome.ABSENT if dump.error_code == LIBRARY_NOT_FOUND else Outcome.FAILED
    return ProbeNote(source=SOURCE, outcome=outcome, detail=f"{dump.error_code}: {dump.error}")


def _gpu(device: NvmlDevice) -> Gpu:
    pcie = PcieLink(
        generation=device.pcie_generation,
        generation_max=device.pcie_generation_max,
        width=device.pcie_width,
        width_max=device.pcie_width_max,
    )
    capability = device.compute_capability
    return gpu(
        SOURCE,
        vendor="nvidia",
        name=device.name or "",
        index=device.index,
        uuid=device.uuid,
        pci_id=_pci_id(device.pci_device_id),
        pci_address=pci_address(device.pci_bus_id),
        architecture=_ARCHITECTURES.get(device.architecture or -1),
        compute_capability=f"{capability[0]}.{capability[1]}" if capability else None,
        vram_total=device.memory_total,
        vram_used=device.memory_used,
        drives_display=device.display_active,
        power_watts=_watts(device.power_milliwatts),
        power_limit_watts=_watts(device.power_limit_milliwatts),
        temperature_c=device.temperature,
        pcie=pcie if pcie != PcieLink() else None,
        mig_enabled=None if device.mig_mode is None else device.mig_mode == 1,
        mig_instances=tuple(
            MigInstance(name=mig.name or "", uuid=mig.uuid, vram_total=mig.memory_total) for mig in device.mig
        ),
        ecc_enabled=None if device.ecc_mode is None else device.ecc_mode == 1,
        processes=None if device.processes is None else tuple(_process(process) for process in device.processes),
    )


def _process(process: NvmlProcess) -> GpuProcess:
    return GpuProcess(pid=process.pid, name=process.name, vram_bytes=process.used, kind=process.kind)


def _pci_id(number: int | None) -> str | None:
    return f"{number & 0xFFFF:04x}:{number >> 16 & 0xFFFF:04x}" if number is not None and number >= 0 else None


def _watts(milliwatts: float | None) -> float | None:
    return None if milliwatts is None else milliwatts / 1000
