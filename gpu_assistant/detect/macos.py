"""Graphics cards on macOS: `system_profiler`."""

from __future__ import annotations

import re

import msgspec

from gpu_assistant.base.model import from_json
from gpu_assistant.detect.evidence import gpu
from gpu_assistant.detect.gateways import Answer
from gpu_assistant.detect.report import Gpu, Outcome, ProbeNote, Vendor

SOURCE = "system_profiler"
COMMAND = ("/usr/sbin/system_profiler", "-json", "SPDisplaysDataType", "SPHardwareDataType")


class Hardware(msgspec.Struct, frozen=True):
    """The part of SPHardwareDataType that matters."""

    machine_name: str | None = None
    chip_type: str | None = None
    cpu_type: str | None = None


class _Display(msgspec.Struct, frozen=True):
    sppci_model: str | None = None
    name: str | None = msgspec.field(name="_name", default=None)
    spdisplays_vendor: str | None = None
    sppci_bus: str | None = None
    spdisplays_vram: str | None = None
    spdisplays_ndrvs: list[object] | None = None


class _Profile(msgspec.Struct, frozen=True):
    SPDisplaysDataType: tuple[_Display, ...] = ()
    SPHardwareDataType: tuple[Hardware, ...] = ()


_VENDORS: tuple[tuple[str, Vendor], ...] = (
    ("apple", "apple"),
    ("amd", "amd"),
    ("ati", "amd"),
    ("radeon", "amd"),
    ("intel", "intel"),
    ("nvidia", "nvidia"),
)


def parse_system_profiler(answer: Answer) -> tuple[tuple[Gpu, ...], Hardware, ProbeNote]:
    """Cards, hardware, and how the question ended. Never raises."""
    if answer.outcome is not Outcome.OK:
        return (), Hardware(), ProbeNote(source=SOURCE, outcome=answer.outcome, detail=answer.detail)
    try:
        profile = from_json(answer.out, _Profile)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        return (), Hardware(), ProbeNote(source=SOURCE, outcome=Outcome.FAILED, detail=str(error))
    hardware = profile.SPHardwareDataType[0] if profile.SPHardwareDataType else Hardware()
    return tuple(map(_gpu, profile.SPDisplaysDataType)), hardware, ProbeNote(source=SOURCE, outcome=Outcome.OK)


def _gpu(display: _Display) -> Gpu:
    name = display.sppci_model or display.name or ""
    known = f"{display.spdisplays_vendor or ''} {name}".lower()
    vendor: Vendor = next((vendor for word, vendor in _VENDORS if word in known), "other")
    return gpu(
        SOURCE,
        vendor=vendor,
        name=name,
        vram_total=_size(display.spdisplays_vram),
        integrated=display.sppci_bus == "spdisplays_builtin" or vendor == "intel",
        drives_display=bool(display.spdisplays_ndrvs),
    )


def _size(text: str | None) -> int | None:
    match = re.fullmatch(r"(\d+)\s*(MB|GB)", (text or "").strip())
    return int(match[1]) << (30 if match[2] == "GB" else 20) if match else None
