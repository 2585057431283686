"""Cards in a real registry, without any tool of NVIDIA's. Only Wine lets a test write into these keys."""

from __future__ import annotations

import contextlib
import importlib
from collections.abc import Iterator
from typing import Any

import pytest

from gpu_assistant.base.model import to_json
from gpu_assistant.detect.gateways import Answer, Live
from gpu_assistant.detect.report import DriverState
from gpu_assistant.detect.windows import DISPLAY_CLASS, registry_cards, registry_driver
from tests.wine import on_wine

pytestmark = pytest.mark.skipif(not on_wine(), reason="writes into keys that only Wine leaves open")

DEVICE = "PCI\\VEN_10DE&DEV_28E0&SUBSYS_8BAA103C&REV_A1\\4&1A2B3C4D&0&0008"
DRIVER = f"{DISPLAY_CLASS}\\0099"
ENUM_KEY = f"SYSTEM\\CurrentControlSet\\Enum\\{DEVICE}"
CLASS_KEY = f"SYSTEM\\CurrentControlSet\\Control\\Class\\{DRIVER}"


class Plugged(Live):
    """This computer with the card plugged in: Wine's list of devices is always empty."""

    def pci_devices(self) -> Answer:
        return Answer(out=to_json([{"id": DEVICE, "problem": 0}]))


@pytest.fixture
def card() -> Iterator[None]:
    winreg: Any = importlib.import_module("winreg")
    hive = winreg.HKEY_LOCAL_MACHINE
    with winreg.CreateKey(hive, ENUM_KEY) as key:
        winreg.SetValueEx(key, "CompatibleIDs", 0, winreg.REG_MULTI_SZ, ["PCI\\VEN_10DE&CC_0300", "PCI\\CC_0300"])
        winreg.SetValueEx(key, "Driver", 0, winreg.REG_SZ, DRIVER)
        winreg.SetValueEx(key, "Capabilities", 0, winreg.REG_DWORD, 0)
    with winreg.CreateKey(hive, CLASS_KEY) as key:
        winreg.SetValueEx(key, "DriverDesc", 0, winreg.REG_SZ, "NVIDIA GeForce RTX 4060 Laptop GPU")
        winreg.SetValueEx(key, "ProviderName", 0, winreg.REG_SZ, "NVIDIA")
        winreg.SetValueEx(key, "DriverVersion", 0, winreg.REG_SZ, "32.0.15.8088")
        winreg.SetValueEx(key, "HardwareInformation.qwMemorySize", 0, winreg.REG_QWORD, 8 << 30)
    yield
    for path in (CLASS_KEY, ENUM_KEY, ENUM_KEY.rpartition("\\")[0]):
        with contextlib.suppress(OSError):
            winreg.DeleteKey(hive, path)


@pytest.mark.usefixtures("card")
def test_a_card_is_read_with_its_driver() -> None:
    cards, _ = registry_cards(Plugged())
    (found,) = (facts.card for facts in cards)
    assert (found.vendor, found.name, found.pci_id) == ("nvidia", "NVIDIA GeForce RTX 4060 Laptop GPU", "10de:28e0")
    assert found.vram_total == 8 << 30
    assert registry_driver(cards).version == "580.88"


@pytest.mark.usefixtures("card")
def test_a_card_without_a_driver_is_still_a_card() -> None:
    winreg: Any = importlib.import_module("winreg")
    winreg.DeleteKey(winreg.HKEY_LOCAL_MACHINE, CLASS_KEY)
    cards, _ = registry_cards(Plugged())
    assert [facts.card.pci_id for facts in cards] == ["10de:28e0"]
    assert registry_driver(cards).state is DriverState.MISSING
