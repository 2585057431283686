"""One card, several sources: the most trusted one gives each field, the others fill what it does not know."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from gpu_assistant.detect.gpus import GpuTable, KnownGpu, plain_name
from gpu_assistant.detect.report import Gpu

TABLE = "gpus.toml"
_GIB = 1 << 30
# chips that are part of a processor or a whole small computer
_NVIDIA_INTEGRATED = re.compile(r"\b(?:Tegra|Xavier|Orin|Thor|GB10|Jetson)\b", re.IGNORECASE)
_INTEL_CARD = re.compile(r"\bArc\b.*\b[AB]\d{3}|Flex|Max \d|Iris Xe MAX|DG1", re.IGNORECASE)
_AMD_CARD = re.compile(r"\bRX\b|\bPRO\b|Instinct|\bMI\d|Radeon VII|FirePro|\bR[579] ", re.IGNORECASE)
_TRADEMARK = re.compile(r"\((?:R|TM|C)\)", re.IGNORECASE)


def merge_cards(sources: Sequence[Iterable[Gpu]], table: GpuTable) -> tuple[Gpu, ...]:
    """The cards of all sources, most trusted source first, each card once, filled up from the table."""
    merged: list[Gpu] = []
    for source in sources:
        taken: set[int] = set()  # two like cards of one source are two cards
        for card in source:
            place = next((i for i, known in enumerate(merged) if i not in taken and same_card(known, card)), None)
            if place is None:
                taken.add(len(merged))
                merged.append(card)
            else:
                taken.add(place)
                merged[place] = fill(merged[place], card)
    return tuple(complete(card, table) for card in merged)


def same_card(one: Gpu, other: Gpu) -> bool:
    """Whether two sources speak of one card: by address, else by PCI id, else by name."""
    if one.vendor != other.vendor:
        return False
    for key in ("pci_address", "pci_id"):
        left, right = getattr(one, key), getattr(other, key)
        if left is not None and right is not None:
            return bool(left == right)
    if one.uuid is not None and other.uuid is not None:
        return one.uuid == other.uuid
    return not (one.name and other.name) or plain_name(one.name) == plain_name(other.name)


def fill(card: Gpu, other: Gpu) -> Gpu:
    """The card with what only the other source knows."""
    news: dict[str, Any] = {}
    for name in Gpu.__struct_fields__:
        if name not in ("vendor", "sources") and getattr(card, name) in (None, "", ()):
            value = getattr(other, name)
            if value not in (None, "") and name in other.sources:
                news[name] = value
    sources = card.sources | {name: other.sources[name] for name in news}
    return msgspec.structs.replace(card, **news, sources=sources)


def complete(card: Gpu, table: GpuTable) -> Gpu:
    """The card with what its name or PCI id tells."""
    told = _nvidia(card, table) if card.vendor == "nvidia" else _other(card, table)
    name = card.name or told.pop("name") or _unknown_name(card)
    told.pop("name", None)
    news = {key: value for key, value in told.items() if value is not None and getattr(card, key) is None}
    sources = card.sources | dict.fromkeys(news, TABLE)
    sources.setdefault("name", TABLE)
    return msgspec.structs.replace(card, name=_TRADEMARK.sub("", name), **news, sources=sources)


def _nvidia(card: Gpu, table: GpuTable) -> dict[str, Any]:
    rows = table.by_pci_id(card.pci_id) if card.pci_id else ()
    if len({row.compute_capability for row in rows}) > 1:  # an id that does not decide what matters
        rows = ()
    row: KnownGpu | None = (table.by_name(card.name) if card.name else None) or (rows[0] if rows else None)
    told: dict[str, Any] = {"name": "", "integrated": bool(_NVIDIA_INTEGRATED.search(card.name))}
    if row is None:
        return told
    told |= {"name": row.name, "architecture": row.architecture, "compute_capability": row.compute_capability}
    sizes = {size for product in (row, *rows) for size in product.vram_gib}
    if len(sizes) == 1:
        told["vram_total"] = int(sizes.pop() * _GIB)
    return told


def _other(card: Gpu, table: GpuTable) -> dict[str, Any]:
    row = table.other_by_pci_id(card.pci_id or "") or (table.other_by_name(card.name) if card.name else None)
    return {
        "name": row.name if row else "",
        "architecture": row.architecture if row else None,
        "gfx": row.gfx if row else None,
        "integrated": row.integrated if row else _integrated(card),
    }


def _integrated(card: Gpu) -> bool | None:
    if card.vendor == "intel":
        return not _INTEL_CARD.search(card.name) if card.name else None
    if card.vendor == "amd":
        return not _AMD_CARD.search(card.name) if card.name else None
    return True if card.vendor == "apple" else None


_VENDOR_NAMES = {"nvidia": "NVIDIA", "amd": "AMD", "intel": "Intel", "apple": "Apple"}


def _unknown_name(card: Gpu) -> str:
    name = " ".join(word for word in (_VENDOR_NAMES.get(card.vendor, ""), "GPU") if word)
    return f"{name} [{card.pci_id}]" if card.pci_id else name
