"""What `nvidia-smi -q -x` prints: XML with many spellings over the years, or an error text."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from gpu_assistant.detect.addresses import pci_address
from gpu_assistant.detect.evidence import DriverEvidence, gpu
from gpu_assistant.detect.gateways import Answer
from gpu_assistant.detect.report import DriverState, Gpu, GpuProcess, Outcome, PcieLink, ProbeNote

SOURCE = "nvidia-smi"
QUERY = ("-q", "-x")

_NOTHING = re.compile(
    r"\s*\[?(?:n/?a|not supported|not available|unknown error|gpu is lost|insufficient permissions|none"
    r"|requested functionality has been deprecated|<?removed>?)\]?\s*",
    re.IGNORECASE,
)
_ERRORS: tuple[tuple[str, DriverState], ...] = (
    ("version mismatch", DriverState.MISMATCH),
    ("couldn't communicate with the nvidia driver", DriverState.NOT_LOADED),
    ("could not communicate with the nvidia driver", DriverState.NOT_LOADED),
    ("driver not loaded", DriverState.NOT_LOADED),
    ("driver is not loaded", DriverState.NOT_LOADED),
    ("blocked by the operating system", DriverState.INACCESSIBLE),
    ("insufficient permissions", DriverState.INACCESSIBLE),
    ("no permission", DriverState.INACCESSIBLE),
    ("no devices were found", DriverState.NO_DEVICES),
    ("no devices found", DriverState.NO_DEVICES),
    ("gpu is lost", DriverState.NOT_RESPONDING),
    ("fallen off the bus", DriverState.NOT_RESPONDING),
    ("unable to determine the device handle", DriverState.NOT_RESPONDING),
    ("reboot the system to recover", DriverState.NOT_RESPONDING),
    ("failed to initialize nvml", DriverState.UNKNOWN),
)


def parse_nvidia_smi(answer: Answer) -> tuple[DriverEvidence, tuple[Gpu, ...], ProbeNote]:
    """The driver's state, its cards, and how the question ended. Never raises."""
    if answer.outcome is Outcome.TIMED_OUT:
        evidence = DriverEvidence(source=SOURCE, state=DriverState.NOT_RESPONDING)
        return evidence, (), ProbeNote(source=SOURCE, outcome=answer.outcome, detail=answer.detail)
    if answer.outcome in (Outcome.ABSENT, Outcome.REFUSED):
        return DriverEvidence(source=SOURCE), (), ProbeNote(source=SOURCE, outcome=answer.outcome, detail=answer.detail)
    text = answer.text + "\n" + answer.err.decode("utf-8", "replace")
    root = _root(answer.text)
    if root is None:
        return _from_error(text)
    gpus = tuple(_gpu(element, place) for place, element in enumerate(root.iter("gpu")))
    state = DriverState.WORKING if gpus else DriverState.NO_DEVICES
    models = {gpu_model for element in root.iter("gpu") if (gpu_model := _driver_model(element))}
    evidence = DriverEvidence(
        source=SOURCE,
        state=state,
        version=_first(root, "driver_version", "kmd_version"),
        cuda_version=_first(root, "cuda_version", "cuda_umd_version"),
        model=models.pop() if len(models) == 1 else None,
    )
    return evidence, gpus, ProbeNote(source=SOURCE, outcome=Outcome.OK)


def _root(text: str) -> ElementTree.Element | None:
    # warnings may stand before the document
    start = text.find("<?xml")
    # a document that declares entities of its own is none of NVIDIA's
    if start < 0 or "<!ENTITY" in text:
        return None
    try:
        root = ElementTree.fromstring(text[start:])
    except (ElementTree.ParseError, ValueError):
        return None
    return root if root.tag == "nvidia_smi_log" else None


def _from_error(text: str) -> tuple[DriverEvidence, tuple[Gpu, ...], ProbeNote]:
    lowered = text.lower()
    state = next((state for words, state in _ERRORS if words in lowered), None)
    library = re.search(r"NVML library version:\s*([\d.]+)", text)
    evidence = DriverEvidence(
        source=SOURCE,
        state=state,
        version=_header(text, "Driver", "KMD"),
        cuda_version=_header(text, "CUDA UMD", "CUDA"),
        library_version=library[1] if library else None,
    )
    return evidence, (), ProbeNote(source=SOURCE, outcome=Outcome.FAILED, detail=" ".join(text.split())[:300])


def _header(text: str, *names: str) -> str | None:
    for name in names:
        if match := re.search(rf"\b{name} Version\s*:\s*(\d+(?:\.\d+)+)", text):
            return match[1]
    return None


def _first(element: ElementTree.Element, *paths: str) -> str | None:
    """The text of the first path that holds a value."""
    for path in paths:
        text = element.findtext(path)
        if text and not _NOTHING.fullmatch(text):
            return text.strip()
    return None


def _number(element: ElementTree.Element, *paths: str) -> float | None:
    match = re.match(r"-?\d+(?:\.\d+)?", _first(element, *paths) or "")
    return float(match[0]) if match else None


def _whole(element: ElementTree.Element, *paths: str) -> int | None:
    number = _number(element, *paths)
    return None if number is None else int(number)


_UNITS = {"b": 1, "kib": 1 << 10, "kb": 1 << 10, "mib": 1 << 20, "mb": 1 << 20, "gib": 1 << 30, "gb": 1 << 30}


def _bytes(element: ElementTree.Element, *paths: str) -> int | None:
    match = re.fullmatch(r"(\d+)\s*([a-z]+)", (_first(element, *paths) or "").lower())
    return int(match[1]) * _UNITS[match[2]] if match and match[2] in _UNITS else None


def _switch(element: ElementTree.Element, *paths: str) -> bool | None:
    text = (_first(element, *paths) or "").lower()
    return {"enabled": True, "yes": True, "on": True, "disabled": False, "no": False, "off": False}.get(text)


def _driver_model(element: ElementTree.Element) -> str | None:
    return _first(element, "driver_model/current_dm", "driver_model/current_driver_model")


def _gpu(element: ElementTree.Element, place: int) -> Gpu:
    power = ("gpu_power_readings", "power_readings")
    link = "pci/pci_gpu_link_info"
    pcie = PcieLink(
        generation=_whole(element, f"{link}/pcie_gen/current_link_gen"),
        generation_max=_whole(element, f"{link}/pcie_gen/max_link_gen", f"{link}/pcie_gen/max_device_link_gen"),
        width=_whole(element, f"{link}/link_widths/current_link_width"),
        width_max=_whole(element, f"{link}/link_widths/max_link_width"),
    )
    return gpu(
        SOURCE,
        vendor="nvidia",
        name=_first(element, "product_name") or "",
        index=place,
        uuid=_first(element, "uuid"),
        pci_id=_pci_id(_first(element, "pci/pci_device_id")),
        pci_address=pci_address(_first(element, "pci/pci_bus_id") or element.get("id")),
        architecture=_first(element, "product_architecture"),
        vram_total=_bytes(element, "fb_memory_usage/total"),
        vram_used=_bytes(element, "fb_memory_usage/used"),
        drives_display=_switch(element, "display_active", "display_attached"),
        power_watts=_number(
            element,
            *(f"{name}/{key}" for name in power for key in ("instant_power_draw", "average_power_draw", "power_draw")),
        ),
        power_limit_watts=_number(
            element,
            *(
                f"{name}/{key}"
                for name in power
                for key in ("current_power_limit", "enforced_power_limit", "power_limit")
            ),
        ),
        temperature_c=_number(element, "temperature/gpu_temp"),
        pcie=pcie if pcie != PcieLink() else None,
        mig_enabled=_switch(element, "mig_mode/current_mig"),
        ecc_enabled=_switch(element, "ecc_mode/current_ecc"),
        processes=_processes(element),
    )


def _pci_id(text: str | None) -> str | None:
    """ "268410DE" -> "10de:2684"."""
    match = re.fullmatch(r"(?:0x)?([0-9A-F]{4})([0-9A-F]{4})", text or "", re.IGNORECASE)
    return f"{match[2]}:{match[1]}".lower() if match else None


_KINDS = {"C": "compute", "G": "graphics", "C+G": "both", "M+C": "compute"}


def _processes(element: ElementTree.Element) -> tuple[GpuProcess, ...] | None:
    groups = [group for tag in ("processes", "compute_processes") for group in element.iter(tag)]
    texts = "".join((group.text or "").strip() for group in groups)
    # no processes: an empty element, or "None" in it; "N/A" stands for refused
    if not groups or (texts and "None" not in texts and not any(len(group) for group in groups)):
        return None
    found = []
    for group in groups:
        for info in group.iter("process_info"):
            pid = _whole(info, "pid")
            if pid is not None:
                found.append(
                    GpuProcess(
                        pid=pid,
                        name=re.split(r"[\\/]", _first(info, "process_name") or "")[-1] or None,
                        vram_bytes=_bytes(info, "used_memory"),
                        kind=_KINDS.get(_first(info, "type") or ""),  # type: ignore[arg-type]
                    )
                )
    return tuple(found)
