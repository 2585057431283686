"""Graphics cards on Linux: `/sys`, `/proc` and PCI ids. They are there without any driver."""

from __future__ import annotations

import re

from gpu_assistant.base.model import Value
from gpu_assistant.detect.addresses import pci_address
from gpu_assistant.detect.evidence import DriverEvidence, gpu
from gpu_assistant.detect.gateways import Gateways
from gpu_assistant.detect.gpus import PCI_VENDORS
from gpu_assistant.detect.report import Gpu, Outcome, ProbeNote, Vendor

SYSFS = "sysfs"
PROC = "/proc/driver/nvidia"
PCI = "/sys/bus/pci/devices"
DRM = "/sys/class/drm"
KFD = "/sys/class/kfd/kfd/topology/nodes"
_LIBRARY_FOLDERS = ("/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib", "/lib64")


class LinuxFacts(Value, frozen=True, kw_only=True):
    """What the kernel shows besides the cards."""

    nouveau: bool = False
    device_nodes: tuple[str, ...] = ()  # "nvidia0", "nvidiactl", "kfd", "dxg"


def pci_cards(io: Gateways) -> tuple[tuple[Gpu, ...], ProbeNote]:
    """Every graphics card on the bus."""
    names = io.names(PCI)
    if names is None:
        return (), ProbeNote(source=SYSFS, outcome=Outcome.ABSENT)
    screens = screens_by_address(io)
    chips = gfx_by_address(io)
    found = []
    for name in names:
        folder = f"{PCI}/{name}"
        class_code = _line(io, f"{folder}/class")
        vendor_id = _hex(_line(io, f"{folder}/vendor"))
        if class_code is None or vendor_id is None or not is_graphics(class_code, vendor_id):
            continue
        found.append(_card(io, name, vendor_id, screens, chips))
    return tuple(found), ProbeNote(source=SYSFS, outcome=Outcome.OK)


def is_graphics(class_code: str, vendor_id: str) -> bool:
    """PCI class 03 (display), or 12 (accelerator) of a vendor whose accelerators are GPUs."""
    text = class_code.lower().removeprefix("0x")
    return text.startswith("03") or (text.startswith("12") and vendor_id in ("10de", "1002"))


def _card(io: Gateways, name: str, vendor_id: str, screens: dict[str, bool], chips: dict[str, str]) -> Gpu:
    folder = f"{PCI}/{name}"
    vendor: Vendor = PCI_VENDORS.get(vendor_id, "other")
    device_id = _hex(_line(io, f"{folder}/device"))
    address = pci_address(name)
    removable = _line(io, f"{folder}/removable")
    sleeping = _line(io, f"{folder}/power/runtime_status")
    amd = vendor == "amd"
    return gpu(
        SYSFS,
        vendor=vendor,
        name=_model(io, name) if vendor == "nvidia" else "",
        pci_id=f"{vendor_id}:{device_id}" if device_id else None,
        pci_address=address,
        gfx=chips.get(address or "") if amd else None,
        vram_total=_number(io, f"{folder}/mem_info_vram_total") if amd else None,
        vram_used=_number(io, f"{folder}/mem_info_vram_used") if amd else None,
        external=None if removable in (None, "unknown") else removable == "removable",
        asleep=None if sleeping is None else sleeping == "suspended",
        drives_display=screens.get(address or ""),
    )


def screens_by_address(io: Gateways) -> dict[str, bool]:
    """PCI address of each card that has outputs: whether a screen hangs on one of them."""
    connected: dict[str, bool] = {}
    for name in io.names(DRM, "card*-*") or ():
        status = _line(io, f"{DRM}/{name}/status")
        target = io.resolve(f"{DRM}/{name.partition('-')[0]}/device")
        address = pci_address((target or "").rpartition("/")[2])
        if address:
            connected[address] = connected.get(address, False) or status == "connected"
    return connected


def gfx_by_address(io: Gateways) -> dict[str, str]:
    """AMD's name of each chip ("gfx1100"), from the compute driver's topology."""
    chips = {}
    for node in io.names(KFD) or ():
        text = io.read(f"{KFD}/{node}/properties").text
        values = {key: int(value) for key, value in re.findall(r"^(\w+) (\d{1,18})$", text, re.MULTILINE)}
        version, place = values.get("gfx_target_version", 0), values.get("location_id", 0)
        if version:
            address = f"{values.get('domain', 0):04x}:{place >> 8 & 0xFF:02x}:{place >> 3 & 0x1F:02x}.{place & 7}"
            chips[address] = gfx_name(version)
    return chips


def gfx_name(version: int) -> str:
    """110000 -> "gfx1100", 90010 -> "gfx90a": major, minor and stepping, the last two in hexadecimal."""
    return f"gfx{version // 10000}{version // 100 % 100:x}{version % 100:x}"


def kernel_driver(io: Gateways) -> DriverEvidence:
    """The NVIDIA kernel module that runs now, and the library that is installed."""
    return DriverEvidence(
        source=PROC,
        kernel_version=parse_kernel_version(io.read(f"{PROC}/version").text),
        library_version=_installed_library(io),
    )


def parse_kernel_version(text: str) -> str | None:
    """The number in `/proc/driver/nvidia/version`, of the open and of the closed module."""
    match = re.search(r"NVRM version:.*?\s(\d{3}\.\d+(?:\.\d+)?)\s", text + " ")
    return match[1] if match else None


def _installed_library(io: Gateways) -> str | None:
    for folder in _LIBRARY_FOLDERS:
        for name in io.names(folder, "libnvidia-ml.so.*.*") or ():
            return name.removeprefix("libnvidia-ml.so.")
    return None


def linux_facts(io: Gateways) -> LinuxFacts:
    """Nouveau and the device files."""
    return LinuxFacts(
        nouveau=bool(io.names("/sys/module", "nouveau")),
        device_nodes=io.names("/dev", "nvidia[0-9]*", "nvidiactl", "kfd", "dxg") or (),
    )


def _model(io: Gateways, address: str) -> str:
    text = io.read(f"{PROC}/gpus/{address}/information").text
    match = re.search(r"^Model:\s*(\S.*?)\s*$", text, re.MULTILINE)
    return match[1] if match and "unknown" not in match[1].lower() else ""


def _line(io: Gateways, path: str) -> str | None:
    return io.read(path).text.strip() or None


def _hex(text: str | None) -> str | None:
    match = re.fullmatch(r"0x([0-9a-f]{4})", (text or "").lower())
    return match[1] if match else None


def _number(io: Gateways, path: str) -> int | None:
    text = _line(io, path) or ""
    return int(text) if re.fullmatch(r"\d{1,18}", text) else None
