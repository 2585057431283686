"""Graphics cards on Windows: the registry's device keys, and CIM through PowerShell where they cannot be read."""

from __future__ import annotations

import re
from collections.abc import Mapping

import msgspec

from gpu_assistant.base.model import Value, from_json
from gpu_assistant.detect.addresses import nvidia_number, pci_address
from gpu_assistant.detect.evidence import DriverEvidence, gpu
from gpu_assistant.detect.gateways import Answer, Gateways, RegistryKey
from gpu_assistant.detect.gpus import PCI_VENDORS
from gpu_assistant.detect.report import DriverState, Gpu, Outcome, ProbeNote, Vendor

REGISTRY = "registry"
CIM = "cim"
DISPLAY_CLASS = "{4d36e968-e325-11ce-bfc1-08002be10318}"
CONTROL = "HKLM\\SYSTEM\\CurrentControlSet"
_REMOVABLE = 0x4  # bit of the value Capabilities

# Device Manager's problem codes
_PROBLEMS = {14: DriverState.MISMATCH, 28: DriverState.MISSING}

CIM_COMMAND = (
    "-NoProfile",
    "-NonInteractive",
    "-Command",
    "[Console]::OutputEncoding=[Text.Encoding]::UTF8; Get-CimInstance Win32_VideoController | Select-Object "
    "Name,DriverVersion,PNPDeviceID,AdapterRAM,ConfigManagerErrorCode | ConvertTo-Json -Compress",
)

Values = Mapping[str, "str | int | list[str]"]


class PresentDevice(Value, frozen=True, kw_only=True):
    """A line of `Gateways.pci_devices`."""

    id: str  # "PCI\\VEN_10DE&DEV_28E0&SUBSYS_...&REV_A1\\4&..."
    problem: int | None = None


class DeviceFacts(Value, frozen=True, kw_only=True):
    """One present card as Windows keeps it."""

    card: Gpu
    problem: int | None = None
    provider: str | None = None
    driver_version: str | None = None  # Windows' own number


def parse_present_devices(answer: Answer) -> tuple[PresentDevice, ...]:
    """The devices of one answer; empty where it is no answer. Never raises."""
    try:
        return from_json(answer.out, tuple[PresentDevice, ...])
    except (msgspec.DecodeError, UnicodeDecodeError):
        return ()


def registry_cards(io: Gateways) -> tuple[tuple[DeviceFacts, ...], ProbeNote]:
    """Every graphics card that is plugged in, with or without a driver."""
    answer = io.pci_devices()
    if answer.outcome is not Outcome.OK:
        return (), ProbeNote(source=REGISTRY, outcome=answer.outcome, detail=answer.detail)
    found = []
    for device in parse_present_devices(answer):
        enum = io.registry(f"{CONTROL}\\Enum\\{device.id}")
        if enum is not None and is_graphics(enum.values):
            driver = _text(enum.values, "Driver")
            class_key = io.registry(f"{CONTROL}\\Control\\Class\\{driver}") if driver else None
            found.append(device_facts(device, enum, class_key))
    return tuple(found), ProbeNote(source=REGISTRY, outcome=Outcome.OK)


def is_graphics(values: Values) -> bool:
    """True for PCI class 03 (display); 3D controllers without a screen belong to it too."""
    ids = [*_texts(values, "CompatibleIDs"), *_texts(values, "HardwareID")]
    return any(re.search(r"CC_03", text, re.IGNORECASE) for text in ids)


def device_facts(device: PresentDevice, enum: RegistryKey, class_key: RegistryKey | None) -> DeviceFacts:
    """One card from its device key and its driver key."""
    values = class_key.values if class_key else {}
    match = re.search(r"VEN_([0-9A-F]{4})&DEV_([0-9A-F]{4})", device.id, re.IGNORECASE)
    pci_id = f"{match[1]}:{match[2]}".lower() if match else None
    vendor: Vendor = PCI_VENDORS.get((pci_id or "").partition(":")[0], "other")
    provider = _text(values, "ProviderName")
    version = _text(values, "DriverVersion")
    own_driver = bool(provider and "microsoft" not in provider.lower())
    # Microsoft's stand-in driver knows neither the card's name nor its memory
    name = (_text(values, "HardwareInformation.AdapterString") or _text(values, "DriverDesc")) if own_driver else None
    capabilities = enum.values.get("Capabilities")
    removable = isinstance(capabilities, int) and bool(capabilities & _REMOVABLE)
    card = gpu(
        REGISTRY,
        vendor=vendor,
        name=name or "",
        pci_id=pci_id,
        pci_address=_location(_text(enum.values, "LocationInformation")),
        vram_total=_number(values, "HardwareInformation.qwMemorySize") if own_driver else None,
        external=removable if vendor == "nvidia" else None,
        driver_version=version if own_driver and vendor != "nvidia" else None,
    )
    return DeviceFacts(
        card=card,
        problem=device.problem,
        provider=provider if own_driver else None,
        driver_version=version if own_driver else None,
    )


def registry_driver(cards: tuple[DeviceFacts, ...]) -> DriverEvidence:
    """What the registry says about NVIDIA's driver. It cannot tell that the driver works."""
    nvidia = [facts for facts in cards if facts.card.vendor == "nvidia"]
    version = next((nvidia_number(facts.driver_version) for facts in nvidia if facts.driver_version), None)
    state = None
    if nvidia and version is None:
        state = DriverState.MISSING
    elif broken := [facts.problem for facts in nvidia if facts.problem]:
        state = _PROBLEMS.get(broken[0], DriverState.NOT_LOADED) if len(broken) == len(nvidia) else None
    return DriverEvidence(source=REGISTRY, state=state, version=version)


class _Cim(Value, frozen=True, kw_only=True):
    Name: str | None = None
    DriverVersion: str | None = None
    PNPDeviceID: str | None = None
    AdapterRAM: int | None = None  # 32 bits wide: never more than 4 GiB, so not used
    ConfigManagerErrorCode: int | None = None


def parse_cim(answer: Answer) -> tuple[DriverEvidence, tuple[Gpu, ...], ProbeNote]:
    """The cards that `CIM_COMMAND` lists. Never raises."""
    nothing = DriverEvidence(source=CIM)
    if answer.outcome is not Outcome.OK:
        return nothing, (), ProbeNote(source=CIM, outcome=answer.outcome, detail=answer.detail)
    try:
        if answer.out.lstrip().startswith(b"["):
            rows = from_json(answer.out, tuple[_Cim, ...])
        else:  # PowerShell writes a list of one without its brackets
            rows = (from_json(answer.out, _Cim),)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        return nothing, (), ProbeNote(source=CIM, outcome=Outcome.FAILED, detail=str(error))
    found: list[Gpu] = []
    version = None
    for row in rows:
        match = re.search(r"VEN_([0-9A-F]{4})&DEV_([0-9A-F]{4})", row.PNPDeviceID or "", re.IGNORECASE)
        if match is None:  # remote and virtual screens
            continue
        vendor: Vendor = PCI_VENDORS.get(match[1].lower(), "other")
        basic = "microsoft" in (row.Name or "").lower()
        number = nvidia_number(row.DriverVersion) if vendor == "nvidia" and not basic else None
        version = version or number
        found.append(
            gpu(
                CIM,
                vendor=vendor,
                name="" if basic else row.Name or "",
                pci_id=f"{match[1]}:{match[2]}".lower(),
                driver_version=row.DriverVersion if vendor != "nvidia" and not basic else None,
            )
        )
    state = DriverState.MISSING if version is None and any(card.vendor == "nvidia" for card in found) else None
    evidence = DriverEvidence(source=CIM, state=state, version=version)
    return evidence, tuple(found), ProbeNote(source=CIM, outcome=Outcome.OK)


def _location(text: str | None) -> str | None:
    """ "...;PCI bus %1, device %2, function %3;(1,0,0)" -> "0000:01:00.0"."""
    match = re.search(r"\((\d+),(\d+),(\d+)\)\s*$", text or "")
    if match is None:
        # already put together, in the system's language: the three numbers keep their order
        numbers = re.findall(r"\d+", text or "")
        if len(numbers) != 3:
            return None
        bus, device, function = map(int, numbers)
    else:
        bus, device, function = map(int, match.groups())
    return pci_address(f"{bus:02x}:{device:02x}.{function}")


def _text(values: Values, name: str) -> str | None:
    value = values.get(name)
    if isinstance(value, str) and value.startswith("hex:"):
        # some drivers write their texts as UTF-16 bytes
        try:
            value = bytes.fromhex(value[4:]).decode("utf-16-le")
        except ValueError:
            return None
    return value.strip("\0 ") or None if isinstance(value, str) else None


def _texts(values: Values, name: str) -> list[str]:
    value = values.get(name)
    return value if isinstance(value, list) else [value] if isinstance(value, str) else []


def _number(values: Values, name: str) -> int | None:
    value = values.get(name)
    if isinstance(value, str) and value.startswith("hex:"):
        try:
            value = int.from_bytes(bytes.fromhex(value[4:]), "little")
        except ValueError:
            return None
    return value if isinstance(value, int) and value > 0 else None
