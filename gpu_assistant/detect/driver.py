"""The NVIDIA driver's state, from what all sources say about it."""

from __future__ import annotations

from collections.abc import Sequence

from gpu_assistant.base.model import Value
from gpu_assistant.detect.evidence import DriverEvidence
from gpu_assistant.detect.report import Driver, DriverState, System


class DriverSurroundings(Value, frozen=True, kw_only=True):
    """What changes the meaning of a silent driver."""

    has_card: bool  # an NVIDIA card is there, whoever says so
    wsl_device: bool | None = None  # None: no WSL
    wsl_library: bool | None = None


_SILENT = (DriverState.NOT_LOADED, DriverState.UNKNOWN, DriverState.MISSING, DriverState.NO_DEVICES, None)


def judge_driver(evidence: Sequence[DriverEvidence], system: System, around: DriverSurroundings) -> Driver | None:
    """The driver, most trusted evidence first; None where there is neither card nor driver."""
    picked: dict[str, str | None] = {}
    sources: dict[str, str] = {}
    for field in ("version", "cuda_version", "kernel_version", "library_version", "model"):
        for row in evidence:
            if (value := getattr(row, field)) is not None:
                picked[field], sources[field] = value, row.source
                break
    if "version" not in picked and (running := picked.get("kernel_version")):
        picked["version"], sources["version"] = running, sources["kernel_version"]
    state, source = _said_state(evidence)
    state = _in_its_place(state, picked, system, around)
    if state is None:
        return None
    if source:
        sources["state"] = source
    return Driver(state=state, sources=sources, **picked)


def _said_state(evidence: Sequence[DriverEvidence]) -> tuple[DriverState | None, str | None]:
    """The first definite word; an "unknown" counts only when nobody knows better."""
    said = [row for row in evidence if row.state is not None]
    definite = [row for row in said if row.state is not DriverState.UNKNOWN]
    best = next(iter(definite or said), None)
    return (best.state, best.source) if best else (None, None)


def _in_its_place(
    state: DriverState | None, picked: dict[str, str | None], system: System, around: DriverSurroundings
) -> DriverState | None:
    kernel, library = picked.get("kernel_version"), picked.get("library_version")
    if state in _SILENT:
        if system.container is not None and (kernel or around.has_card):
            return DriverState.INACCESSIBLE
        if around.wsl_device is not None:
            # the driver belongs to Windows: in here it can only be reachable or not
            seen = around.has_card or around.wsl_library or picked.get("version")
            return DriverState.INACCESSIBLE if seen else None
    if state is not None:
        return state
    if kernel is not None and library is not None and not library.startswith(kernel) and not kernel.startswith(library):
        return DriverState.MISMATCH
    if kernel is not None or picked.get("version") is not None:
        return DriverState.UNKNOWN  # a driver is there, and nobody can be asked
    if library is not None:
        return DriverState.NOT_LOADED if around.has_card else None
    return DriverState.MISSING if around.has_card else None
