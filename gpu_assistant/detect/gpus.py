"""The table of known graphics cards, `resources/gpus.toml`: by product name or PCI id to what the chip can do."""

from __future__ import annotations

import functools
import re
from pathlib import Path
from typing import Literal

from gpu_assistant.base.model import Value
from gpu_assistant.base.resources import read_toml, resource_root

PCI_VENDORS: dict[str, Literal["nvidia", "amd", "intel"]] = {"10de": "nvidia", "1002": "amd", "8086": "intel"}


class KnownGpu(Value, frozen=True, kw_only=True):
    """One NVIDIA product."""

    name: str
    aliases: tuple[str, ...] = ()
    architecture: str | None = None
    compute_capability: str | None = None
    vram_gib: tuple[float, ...] = ()  # every marketed size
    pci_ids: tuple[str, ...] = ()  # device ids, lower case; shared by several products at times
    driver_last_branch: str | None = None  # "R580": the newest driver branch that still knows the chip
    form: str | None = None
    tensor_cores: bool = True
    note: str | None = None


class OtherGpu(Value, frozen=True, kw_only=True):
    """A chip of another vendor; only what names it and decides about ROCm or XPU builds."""

    vendor: Literal["amd", "intel", "other"]
    name: str
    pci_ids: tuple[str, ...]  # device ids; "vendor:device" where the vendor is "other"
    gfx: str | None = None
    architecture: str | None = None
    integrated: bool = False


class _GpuFile(Value, frozen=True, kw_only=True):
    as_of: str
    gpu: tuple[KnownGpu, ...]
    other: tuple[OtherGpu, ...] = ()


class GpuTable:
    """The rows, found by name or PCI id."""

    def __init__(self, as_of: str, known: tuple[KnownGpu, ...], other: tuple[OtherGpu, ...]) -> None:
        self.as_of = as_of  # the day the facts were checked
        self.known = known
        self.other = other
        self._by_name = {plain_name(name): row for row in known for name in (*row.aliases, row.name)}

    def by_name(self, name: str) -> KnownGpu | None:
        """The NVIDIA product of that name; "NVIDIA", "GeForce", "(R)" and letter case may be left out or added."""
        return self._by_name.get(plain_name(name))

    def by_pci_id(self, pci_id: str) -> tuple[KnownGpu, ...]:
        """Every NVIDIA product with that id ("10de:28e0")."""
        vendor, _, device = pci_id.lower().rpartition(":")
        return tuple(row for row in self.known if device in row.pci_ids) if vendor in ("", "10de") else ()

    def other_by_pci_id(self, pci_id: str) -> OtherGpu | None:
        """The AMD or Intel chip with that id ("1002:744c")."""
        vendor, _, device = pci_id.lower().partition(":")
        known = PCI_VENDORS.get(vendor)
        wanted = device if known else pci_id.lower()
        return next((row for row in self.other if row.vendor == (known or "other") and wanted in row.pci_ids), None)

    def other_by_name(self, name: str) -> OtherGpu | None:
        """The AMD or Intel chip whose row lists that product ("Radeon RX 7900 XTX")."""
        wanted = plain_name(name)
        return next((row for row in self.other if wanted in _spellings(row.name)), None)


def plain_name(name: str) -> str:
    """A product name without what spellings differ in."""
    text = re.sub(r"\((?:r|tm|c)\)|[®™©]", " ", name.lower())
    words = re.sub(r"[^a-z0-9]+", " ", text).split()
    return " ".join(
        word for word in words if word not in {"nvidia", "geforce", "corporation", "amd", "intel", "graphics"}
    )


def _spellings(name: str) -> set[str]:
    """ "AMD Radeon RX 7900 XTX / 7900 XT" stands for both products."""
    first, *more = (part.strip() for part in name.split(" / "))
    family = first.rpartition(re.split(r"(?=\d)", first, maxsplit=1)[-1])[0] if more else ""
    return {plain_name(first), *(plain_name(family + part) for part in more)}


def load_gpu_table(path: Path) -> GpuTable:
    """Reads one table strictly. Raises `BadData`."""
    file = read_toml(path, _GpuFile)
    return GpuTable(file.as_of, file.gpu, file.other)


@functools.cache
def gpu_table() -> GpuTable:
    """The program's own table, read once."""
    return load_gpu_table(resource_root() / "gpus.toml")


def find_gpu(name: str) -> KnownGpu | None:
    """The NVIDIA product of that name in the program's own table."""
    return gpu_table().by_name(name)
