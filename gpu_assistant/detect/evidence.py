"""What single sources say, before it is put together."""

from __future__ import annotations

from typing import Any

from gpu_assistant.base.model import Value
from gpu_assistant.detect.report import DriverState, Gpu, Vendor


class DriverEvidence(Value, frozen=True, kw_only=True):
    """What one source says about the NVIDIA driver; `state` None: this source cannot tell."""

    source: str
    state: DriverState | None = None
    version: str | None = None
    cuda_version: str | None = None
    kernel_version: str | None = None
    library_version: str | None = None
    model: str | None = None


def gpu(source: str, *, vendor: Vendor, name: str, **fields: Any) -> Gpu:
    """A `Gpu` whose every known field names its source."""
    known = {key: value for key, value in fields.items() if value is not None and value != ()}
    if fields.get("processes") == ():
        known["processes"] = ()  # asked, and there are none
    sources = dict.fromkeys(known, source)
    if name:
        sources["name"] = source
    return Gpu(vendor=vendor, name=name, sources=sources, **known)
