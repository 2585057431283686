"""Asks the operating system which graphics cards are plugged in, driver or not."""

from __future__ import annotations

import re

from gpu_assistant.base.model import Value
from gpu_assistant.detect import linux, macos, windows
from gpu_assistant.detect.evidence import DriverEvidence
from gpu_assistant.detect.gateways import Gateways
from gpu_assistant.detect.report import Gpu, Outcome, ProbeNote
from gpu_assistant.detect.system import WslFacts, wsl_facts

POWERSHELL = "C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe"
_WSL_POWERSHELL = "/mnt/c/Windows/System32/WindowsPowerShell/v1.0/powershell.exe"
_WSL_CMD = "/mnt/c/Windows/System32/cmd.exe"
_SECONDS = 6.0


class OsAnswers(Value, frozen=True, kw_only=True):
    """What the system says about cards, and with them about NVIDIA's driver."""

    cards: tuple[Gpu, ...] = ()
    evidence: tuple[DriverEvidence, ...] = ()
    notes: tuple[ProbeNote, ...] = ()
    wsl: WslFacts | None = None
    host_build: int | None = None
    laptop: bool | None = None


def ask_system(io: Gateways) -> OsAnswers:
    """The cards as the operating system knows them."""
    system = io.facts().system
    if system == "windows":
        return _windows(io)
    if system == "macos":
        cards, hardware, note = macos.parse_system_profiler(io.run(macos.COMMAND, _SECONDS))
        return OsAnswers(cards=cards, notes=(note,), laptop="book" in (hardware.machine_name or "").lower())
    if system == "linux":
        wsl = wsl_facts(io)
        return _linux(io) if wsl is None else _wsl(io, wsl)
    return OsAnswers()


def _windows(io: Gateways) -> OsAnswers:
    facts, note = windows.registry_cards(io)
    if note.outcome is Outcome.OK:
        cards = tuple(device.card for device in facts)
        return OsAnswers(cards=cards, evidence=(windows.registry_driver(facts),), notes=(note,))
    evidence, cards, cim_note = windows.parse_cim(io.run((POWERSHELL, *windows.CIM_COMMAND), _SECONDS))
    return OsAnswers(cards=cards, evidence=(evidence,), notes=(note, cim_note))


def _linux(io: Gateways) -> OsAnswers:
    cards, note = linux.pci_cards(io)
    return OsAnswers(cards=cards, evidence=(linux.kernel_driver(io),), notes=(note,))


def _wsl(io: Gateways, wsl: WslFacts) -> OsAnswers:
    """In WSL only Windows knows the cards; it is asked when its driver does not reach in here."""
    build = host_build(io.run((_WSL_CMD, "/c", "ver"), 3.0).text)
    if wsl.library and wsl.device:
        return OsAnswers(wsl=wsl, host_build=build)
    evidence, cards, note = windows.parse_cim(io.run((_WSL_POWERSHELL, *windows.CIM_COMMAND), _SECONDS))
    if note.outcome is Outcome.ABSENT:
        note = ProbeNote(source=windows.CIM, outcome=Outcome.ABSENT, detail="Windows programs cannot be started here")
    return OsAnswers(cards=cards, evidence=(evidence,), notes=(note,), wsl=wsl, host_build=build)


def host_build(text: str) -> int | None:
    """The build in "Microsoft Windows [Version 10.0.26100.4061]", whatever the word for "Version" is."""
    match = re.search(r"\[\S+ 10\.0\.(\d{4,6})", text)
    return int(match[1]) if match else None
