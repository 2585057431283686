"""Asks about NVIDIA's driver in the order of trust, and no more than needed."""

from __future__ import annotations

from gpu_assistant.base.model import Value
from gpu_assistant.detect.evidence import DriverEvidence
from gpu_assistant.detect.gateways import Gateways
from gpu_assistant.detect.nvidia_smi import QUERY, parse_nvidia_smi
from gpu_assistant.detect.nvml import parse_nvml
from gpu_assistant.detect.paths import MachinePaths
from gpu_assistant.detect.report import DriverState, Gpu, Outcome, ProbeNote

NVML_SECONDS = 5.0
SMI_SECONDS = 6.0


class NvidiaAnswers(Value, frozen=True, kw_only=True):
    """What the driver's own voices said, most trusted first."""

    evidence: tuple[DriverEvidence, ...] = ()
    cards: tuple[tuple[Gpu, ...], ...] = ()
    notes: tuple[ProbeNote, ...] = ()


def ask_nvidia(io: Gateways, *, thorough: bool = False) -> NvidiaAnswers:
    """NVML; then `nvidia-smi`, unless NVML told everything or hangs: the other one asks the same driver.

    `thorough` asks it anyway, for a recording.
    """
    if io.facts().system == "macos":
        return NvidiaAnswers()
    nvml = parse_nvml(io.nvml(NVML_SECONDS))
    hangs = nvml[2].outcome is Outcome.TIMED_OUT
    if nvml[0].state is DriverState.WORKING or hangs:
        if thorough and not hangs:
            _ask_smi(io)
        return NvidiaAnswers(evidence=(nvml[0],), cards=(nvml[1],), notes=(nvml[2],))
    smi = _ask_smi(io)
    return NvidiaAnswers(evidence=(nvml[0], smi[0]), cards=(nvml[1], smi[1]), notes=(nvml[2], smi[2]))


def _ask_smi(io: Gateways) -> tuple[DriverEvidence, tuple[Gpu, ...], ProbeNote]:
    path = smi_path(MachinePaths(io))
    if path is None:
        note = ProbeNote(source="nvidia-smi", outcome=Outcome.ABSENT, detail="not on PATH, not where drivers put it")
        return DriverEvidence(source="nvidia-smi"), (), note
    return parse_nvidia_smi(io.run((path, *QUERY), SMI_SECONDS))


def smi_path(paths: MachinePaths) -> str | None:
    """Where `nvidia-smi` is; drivers put it into places that PATH may miss."""
    also: tuple[str, ...]
    if paths.windows:
        also = (paths.system_folder(), "C:\\Program Files\\NVIDIA Corporation\\NVSMI")
    else:
        also = ("/usr/bin", "/usr/lib/wsl/lib", "/opt/bin")
    return paths.command("nvidia-smi", also)
