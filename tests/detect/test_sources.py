"""Registry, CIM, sysfs, system_profiler, os-release: the parsers of everything that is not the driver itself."""

from __future__ import annotations

import json

import pytest

from gpu_assistant.detect import cards, linux, macos, system, windows
from gpu_assistant.detect.addresses import nvidia_number, pci_address
from gpu_assistant.detect.facts import PlatformFacts
from gpu_assistant.detect.gateways import Answer, RegistryKey
from gpu_assistant.detect.report import DriverState
from tests.detect.machines import FakeMachine, report_of

ENUM = {
    "CompatibleIDs": ["PCI\\VEN_10DE&CC_030000", "PCI\\CC_0300"],
    "LocationInformation": "@System32\\drivers\\pci.sys,#65536;PCI bus %1, device %2, function %3;(10,0,1)",
}
DEVICE = windows.PresentDevice(id="PCI\\VEN_10DE&DEV_2504&SUBSYS_1&REV_A1\\4&1", problem=0)
DRIVER = {"ProviderName": "NVIDIA", "DriverVersion": "32.0.15.8088", "DriverDesc": "NVIDIA GeForce RTX 3060"}


@pytest.mark.parametrize(
    ("windows_version", "number"),
    [
        ("32.0.15.8088", "580.88"),
        ("31.0.15.3742", "537.42"),
        ("27.21.14.5239", "452.39"),
        ("32.0.16.1014", "610.14"),
        ("10.0", None),
        ("", None),
        (None, None),
    ],
)
def test_nvidia_number(windows_version: str | None, number: str | None) -> None:
    assert nvidia_number(windows_version) == number


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("00000000:0A:00.0", "0000:0a:00.0"),
        ("0000:01:00.0", "0000:01:00.0"),
        ("01:00.0", "0000:01:00.0"),
        ("0001:01:00", "0001:01:00.0"),
        ("nothing", None),
        (None, None),
    ],
)
def test_pci_address(text: str | None, address: str | None) -> None:
    assert pci_address(text) == address


@pytest.mark.parametrize("size", [12 << 30, "hex:0000000003000000"])
def test_memory_from_the_registry_in_both_forms(size: int | str) -> None:
    key = RegistryKey(values={**DRIVER, "HardwareInformation.qwMemorySize": size})
    facts = windows.device_facts(DEVICE, RegistryKey(values=ENUM), key)
    assert facts.card.vram_total == 12 << 30
    assert facts.card.pci_address == "0000:0a:00.1"
    assert facts.card.pci_id == "10de:2504"


def test_a_name_written_as_bytes() -> None:
    name = "hex:" + "AMD Radeon RX 6600\0".encode("utf-16-le").hex()
    key = RegistryKey(values={"ProviderName": "AMD", "HardwareInformation.AdapterString": name})
    assert windows.device_facts(DEVICE, RegistryKey(values=ENUM), key).card.name == "AMD Radeon RX 6600"


@pytest.mark.parametrize(
    ("problem", "driver", "state", "version"),
    [
        (0, DRIVER, None, "580.88"),
        (22, DRIVER, DriverState.NOT_LOADED, "580.88"),
        (43, DRIVER, DriverState.NOT_LOADED, "580.88"),
        (14, DRIVER, DriverState.MISMATCH, "580.88"),
        (28, {}, DriverState.MISSING, None),
        (0, {"ProviderName": "Microsoft", "DriverVersion": "10.0.26100.1"}, DriverState.MISSING, None),
    ],
)
def test_what_device_manager_says_of_the_driver(
    problem: int, driver: dict[str, str], state: DriverState | None, version: str | None
) -> None:
    device = windows.PresentDevice(id=DEVICE.id, problem=problem)
    facts = windows.device_facts(device, RegistryKey(values=ENUM), RegistryKey(values=driver))
    evidence = windows.registry_driver((facts,))
    assert (evidence.state, evidence.version) == (state, version)


def test_only_graphics_devices_are_cards() -> None:
    assert windows.is_graphics({"HardwareID": ["PCI\\VEN_10DE&DEV_28E0&CC_030200"]})
    assert not windows.is_graphics({"CompatibleIDs": ["PCI\\VEN_10DE&CC_040300"]})  # its sound


CIM_ROW = {
    "Name": "NVIDIA GeForce RTX 3060",
    "DriverVersion": "32.0.15.8088",
    "PNPDeviceID": "PCI\\VEN_10DE&DEV_2504&SUBSYS_1",
    "AdapterRAM": 4293918720,
    "ConfigManagerErrorCode": 0,
}
SCREEN_ROW = {"Name": "Microsoft Remote Display Adapter", "PNPDeviceID": "SWD\\REMOTEDISPLAYENUM", "AdapterRAM": None}


@pytest.mark.parametrize("rows", [CIM_ROW, [CIM_ROW, SCREEN_ROW]])
def test_cim_lists_one_card_or_many(rows: object) -> None:
    evidence, found, _ = windows.parse_cim(Answer(out=json.dumps(rows).encode()))
    assert [(gpu.name, gpu.pci_id, gpu.vram_total) for gpu in found] == [("NVIDIA GeForce RTX 3060", "10de:2504", None)]
    assert evidence.version == "580.88"


def test_cim_is_the_last_resort_on_windows() -> None:
    command = (cards.POWERSHELL, *windows.CIM_COMMAND)
    io = FakeMachine(
        facts=PlatformFacts(system="windows", windows_version=(10, 0, 26100)),
        commands={command: Answer(out=json.dumps(CIM_ROW).encode())},
    )
    report = report_of(io)
    assert [(gpu.name, gpu.compute_capability, gpu.sources["name"]) for gpu in report.gpus] == [
        ("NVIDIA GeForce RTX 3060", "8.6", "cim")
    ]
    assert report.driver is not None
    assert (report.driver.state, report.driver.version) == (DriverState.UNKNOWN, "580.88")


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.183.01  Sun May 12 19:39:15 UTC 2024", "535.183.01"),
        (
            "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  610.43.02  Release Build  (dvs@U22)  Tue May 19",
            "610.43.02",
        ),
        ("NVRM version: NVIDIA UNIX Open Kernel Module for aarch64  580.95.05  Release Build", "580.95.05"),
        ("nothing", None),
    ],
)
def test_kernel_module_version(text: str, version: str | None) -> None:
    assert linux.parse_kernel_version(text) == version


@pytest.mark.parametrize(
    ("number", "name"),
    [(110000, "gfx1100"), (90010, "gfx90a"), (100301, "gfx1031"), (90402, "gfx942")],
)
def test_gfx_names(number: int, name: str) -> None:
    assert linux.gfx_name(number) == name


@pytest.mark.parametrize(
    ("class_code", "vendor", "expected"),
    [
        ("0x030000", "10de", True),
        ("0x030200", "10de", True),
        ("0x120000", "1002", True),
        ("0x120000", "1e52", False),
        ("0x040300", "10de", False),
    ],
)
def test_which_pci_classes_are_graphics(class_code: str, vendor: str, expected: bool) -> None:
    assert linux.is_graphics(class_code, vendor) is expected


def test_intel_mac_with_two_chips() -> None:
    profile = {
        "SPDisplaysDataType": [
            {
                "_name": "kHW_IntelUHDGraphics630Item",
                "sppci_model": "Intel UHD Graphics 630",
                "sppci_bus": "spdisplays_builtin",
            },
            {"sppci_model": "Radeon Pro 5500M", "spdisplays_vendor": "sppci_vendor_amd", "spdisplays_vram": "8 GB"},
        ]
    }
    found, _, _ = macos.parse_system_profiler(Answer(out=json.dumps(profile).encode()))
    assert [(gpu.vendor, gpu.integrated, gpu.vram_total) for gpu in found] == [
        ("intel", True, None),
        ("amd", False, 8 << 30),
    ]


def test_secure_boot() -> None:
    assert system.parse_secure_boot(b"\6\0\0\0\1") is True
    assert system.parse_secure_boot(b"\6\0\0\0\0") is False
    assert system.parse_secure_boot(b"") is None


@pytest.mark.parametrize(
    ("text", "build"),
    [
        ("Microsoft Windows [Version 10.0.26100.4061]", 26100),
        ("Microsoft Windows [Версия 10.0.19045.5854]", 19045),
        ("'cmd' is not recognized", None),
    ],
)
def test_build_of_the_windows_around(text: str, build: int | None) -> None:
    assert cards.host_build(text) == build


@pytest.mark.parametrize(
    ("machine", "kind"),
    [
        (FakeMachine(folders={"/": [".dockerenv"]}), "docker"),
        (FakeMachine(folders={"/run": [".containerenv"]}), "podman"),
        (FakeMachine(environment={"KUBERNETES_SERVICE_HOST": "10.0.0.1"}), "kubernetes"),
        (FakeMachine(files={"/proc/1/cgroup": "12:pids:/docker/0123\n"}), "docker"),
        (FakeMachine(files={"/proc/1/cgroup": "0::/kubepods/burstable/pod1\n"}), "kubernetes"),
        (FakeMachine(environment={"container": "lxc"}), "lxc"),
        (FakeMachine(files={"/proc/1/cgroup": "0::/init.scope\n"}), None),
    ],
)
def test_containers(machine: FakeMachine, kind: str | None) -> None:
    assert system.container_kind(machine) == kind


def test_wsl_1_is_told_apart() -> None:
    text = "Linux version 4.4.0-19041-Microsoft (Microsoft@Microsoft.com) #1237-Microsoft"
    io = FakeMachine(files={"/proc/version": text})
    report = report_of(io)
    assert (report.system.os, report.system.wsl_version) == ("wsl", 1)


@pytest.mark.parametrize(
    ("product", "build", "name"),
    [("Windows 10 Pro", "26100", "Windows 11 Pro 24H2"), ("Windows 10 Pro", "19045", "Windows 10 Pro 24H2")],
)
def test_windows_11_calls_itself_10_in_the_registry(product: str, build: str, name: str) -> None:
    key = "HKLM\\SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion"
    values = {"ProductName": product, "CurrentBuild": build, "DisplayVersion": "24H2"}
    io = FakeMachine(facts=PlatformFacts(system="windows"), keys={key: RegistryKey(values=values)})
    assert system.read_system(io).name == name
