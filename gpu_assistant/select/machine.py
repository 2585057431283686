"""A machine described in TOML instead of found: `gpu-assistant plan --machine FILE`.

os = "windows"            # windows | linux | wsl | macos
python = "3.12"           # absent: none is installed
machine = "x86_64"        # or "aarch64"; absent: x86_64, on macOS what the card says

[driver]
version = "566.36"        # NVIDIA's; in WSL the Windows driver's. Absent: no driver is installed

[[gpu]]                   # one for each card
name = "RTX 4070"
vram_gib = 12             # may be left out
compute_capability = "8.9"  # may be left out
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import cast

import msgspec

from gpu_assistant import __version__
from gpu_assistant.base.resources import BadData, Complaint, read_toml
from gpu_assistant.detect.report import (
    Driver,
    DriverState,
    Gpu,
    Os,
    PythonEnvironment,
    System,
    SystemReport,
    Vendor,
)
from gpu_assistant.select.cards import known_capability
from gpu_assistant.select.catalogue import card_facts

_OS_NAMES = {"windows": "Windows 11", "linux": "Linux", "wsl": "Linux (WSL2)", "macos": "macOS"}
_HOMES = {"windows": "C:\\Users\\user", "linux": "/home/user", "wsl": "/home/user", "macos": "/Users/user"}

_VENDORS: tuple[tuple[str, Vendor], ...] = (
    (r"\b(nvidia|geforce|rtx|gtx|quadro|tesla|titan|nvs|cmp)\b|\bGT \d|\bMX\d", "nvidia"),
    (r"\b(amd|radeon|ryzen|instinct|firepro)\b|\bRX \d", "amd"),
    (r"\b(intel|arc|iris|uhd)\b", "intel"),
    (r"\bapple\b|^M\d( (pro|max|ultra))?$", "apple"),
)


class _DescribedGpu(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    vram_gib: float | None = None
    compute_capability: str | None = None


class _DescribedDriver(msgspec.Struct, forbid_unknown_fields=True):
    version: str


class _Description(msgspec.Struct, forbid_unknown_fields=True):
    os: str
    python: str | None = None
    machine: str | None = None
    driver: _DescribedDriver | None = None
    gpu: list[_DescribedGpu] = []


def read_machine(path: Path) -> SystemReport:
    """The report of a described machine. Raises `BadData` with every complaint at once."""
    described = read_toml(path, _Description)
    complaints = [Complaint(path.name, entry, key, problem) for entry, key, problem in _problems(described)]
    if complaints:
        raise BadData(complaints)
    return _report(described)


def _problems(described: _Description) -> list[tuple[str, str, str]]:
    found = []
    if described.os not in _OS_NAMES:
        found.append(("", "os", f'"{described.os}" is none of {", ".join(_OS_NAMES)}'))
    if described.machine not in (None, "x86_64", "aarch64"):
        found.append(("", "machine", f'"{described.machine}" is none of x86_64, aarch64'))
    if described.python is not None and not re.fullmatch(r"\d+\.\d+(\.\d+)?", described.python):
        found.append(("", "python", f'"{described.python}" is no version such as "3.12"'))
    if described.driver is not None and not re.fullmatch(r"\d+(\.\d+)*", described.driver.version):
        found.append(("driver", "version", f'"{described.driver.version}" is no version such as "580.88"'))
    for index, gpu in enumerate(described.gpu):
        entry = f"gpu[{index}]"
        if not gpu.name.strip():
            found.append((entry, "name", "is empty"))
        if gpu.compute_capability is not None and not re.fullmatch(r"\d+\.\d+", gpu.compute_capability):
            found.append((entry, "compute_capability", f'"{gpu.compute_capability}" is no capability such as "8.9"'))
        if gpu.vram_gib is not None and gpu.vram_gib <= 0:
            found.append((entry, "vram_gib", "must be above zero"))
    return found


def _report(described: _Description) -> SystemReport:
    gpus = tuple(_gpu(gpu, index) for index, gpu in enumerate(described.gpu))
    if described.driver is not None and _belongs_to_another(gpus):
        gpus = tuple(msgspec.structs.replace(gpu, driver_version=described.driver.version) for gpu in gpus)
    system = System(
        os=cast(Os, described.os),
        name=_OS_NAMES[described.os],
        machine=described.machine or _machine(described, gpus),
        home=_HOMES[described.os],
    )
    python = described.python
    pythons = (PythonEnvironment(executable=f"python{python}", version=python, kind="system"),) if python else ()
    return SystemReport(
        made_at="1970-01-01T00:00:00Z",
        program=__version__,
        system=system,
        gpus=gpus,
        driver=_driver(described, gpus),
        pythons=pythons,
    )


def _machine(described: _Description, gpus: tuple[Gpu, ...]) -> str:
    apple = any(gpu.vendor == "apple" for gpu in gpus)
    # a Mac without a word about its chip is a current one; other makers' cards sit in Intel Macs only
    return "aarch64" if described.os == "macos" and (apple or not gpus) else "x86_64"


def _gpu(described: _DescribedGpu, index: int) -> Gpu:
    name = described.name.strip()
    vendor = _vendor(name)
    capability = described.compute_capability
    if vendor == "other" and capability is not None:
        vendor = "nvidia"  # nobody else has compute capabilities
    if vendor == "nvidia" and capability is None:
        capability = known_capability(name, card_facts())
    return Gpu(
        vendor=vendor,
        name=name,
        index=index if vendor == "nvidia" else None,
        compute_capability=capability,
        vram_total=round(described.vram_gib * 2**30) if described.vram_gib else None,
    )


def _vendor(name: str) -> Vendor:
    for pattern, vendor in _VENDORS:
        if re.search(pattern, name, re.IGNORECASE):
            return vendor
    return "nvidia" if known_capability(name, card_facts()) else "other"


def _driver(described: _Description, gpus: tuple[Gpu, ...]) -> Driver | None:
    if described.driver is not None and not _belongs_to_another(gpus):
        return Driver(state=DriverState.WORKING, version=described.driver.version)
    if any(gpu.vendor == "nvidia" for gpu in gpus):
        return Driver(state=DriverState.MISSING)
    return None


def _belongs_to_another(gpus: tuple[Gpu, ...]) -> bool:
    """True where the driver must be that of a card of another vendor."""
    return bool(gpus) and all(gpu.vendor != "nvidia" for gpu in gpus)
