"""Numbers that every source spells its own way."""

from __future__ import annotations

import re

_ADDRESS = re.compile(r"(?:([0-9a-f]{4,8}):)?([0-9a-f]{1,2}):([0-9a-f]{1,2})(?:\.([0-7]))?", re.IGNORECASE)


def pci_address(text: str | None) -> str | None:
    """ "00000000:01:00.0", "0:1:0" or "01:00.0" as "0000:01:00.0"; None for anything else."""
    match = _ADDRESS.fullmatch((text or "").strip())
    if match is None:
        return None
    domain, bus, device, function = match.groups()
    return f"{(domain or '0')[-4:]:0>4}:{bus:0>2}:{device:0>2}.{function or '0'}".lower()


def nvidia_number(windows_version: str | None) -> str | None:
    """NVIDIA's number of a Windows driver: the last five digits, "32.0.15.6636" -> "566.36"."""
    digits = "".join(part for part in re.findall(r"\d+", windows_version or "")[-2:])
    return f"{int(digits[-5:-2])}.{digits[-2:]}" if len(digits) >= 5 else None
