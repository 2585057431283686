"""Made-up machines for the tests of selection."""

from __future__ import annotations

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
from gpu_assistant.select.catalogue import Framework, frameworks

HOMES = {"windows": "C:\\Users\\Ann", "linux": "/home/ann", "wsl": "/home/ann", "macos": "/Users/ann", "other": None}


def gpu(name: str, vendor: Vendor = "nvidia", **facts: object) -> Gpu:
    return Gpu(vendor=vendor, name=name, **facts)  # type: ignore[arg-type]


def machine(
    os: Os = "windows",
    *cards: Gpu | str,
    driver: str | Driver | None = None,
    python: str | None = "3.12",
    chip: str = "x86_64",
    **facts: object,
) -> SystemReport:
    """A report. A card's name alone is an NVIDIA card; a driver's number alone is a driver that works."""
    gpus = tuple(gpu(card) if isinstance(card, str) else card for card in cards)
    if isinstance(driver, str):
        driver = Driver(state=DriverState.WORKING, version=driver)
    system = facts.pop("system", System(os=os, name=os, machine=chip, home=HOMES[os]))
    pythons = (PythonEnvironment(executable="python", version=python, kind="system"),) if python else ()
    facts.setdefault("pythons", pythons)
    return SystemReport(made_at="", program="", system=system, gpus=gpus, driver=driver, **facts)  # type: ignore[arg-type]


def pytorch() -> Framework:
    return frameworks()["pytorch"]
