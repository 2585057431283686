"""A described machine becomes a report, or a complaint that names the key."""

from __future__ import annotations

from pathlib import Path

import pytest

from gpu_assistant.base.resources import BadData
from gpu_assistant.detect.report import DriverState, SystemReport
from gpu_assistant.select.machine import read_machine


def described(tmp_path: Path, text: str) -> SystemReport:
    path = tmp_path / "machine.toml"
    path.write_text(text, encoding="utf-8")
    return read_machine(path)


@pytest.mark.parametrize(
    ("name", "vendor", "capability"),
    [
        ("RTX 4060", "nvidia", "8.9"),
        ("GeForce RTX 4060", "nvidia", "8.9"),
        ("NVIDIA GeForce RTX 4060 Laptop GPU", "nvidia", "8.9"),
        ("geforce gtx 1080 ti", "nvidia", "6.1"),
        ("1080 Ti", "nvidia", "6.1"),
        ("GTX 1060 6 GB", "nvidia", "6.1"),
        ("Tesla V100", "nvidia", "7.0"),
        ("A100", "nvidia", "8.0"),
        ("H100", "nvidia", "9.0"),
        ("T4", "nvidia", "7.5"),
        ("GT 1030", "nvidia", "6.1"),
        ("MX450", "nvidia", "7.5"),
        ("Quadro P2000", "nvidia", "6.1"),
        ("RTX 5090", "nvidia", "12.0"),
        ("GTX 480", "nvidia", "2.0"),
        ("RTX 9990", "nvidia", None),
        ("AMD Radeon RX 7900 XTX", "amd", None),
        ("RX 580", "amd", None),
        ("Intel Arc B580", "intel", None),
        ("Intel UHD Graphics 770", "intel", None),
        ("Apple M3", "apple", None),
        ("M2 Pro", "apple", None),
        ("Matrox G200", "other", None),
    ],
)
def test_names_as_people_write_them(tmp_path: Path, name: str, vendor: str, capability: str | None) -> None:
    (found,) = described(tmp_path, f'os = "windows"\n[[gpu]]\nname = "{name}"').gpus
    assert (found.vendor, found.compute_capability) == (vendor, capability)


def test_everything_that_can_be_said(tmp_path: Path) -> None:
    report = described(
        tmp_path,
        """
        os = "wsl"
        python = "3.12"
        [driver]
        version = "566.36"
        [[gpu]]
        name = "Strange Card"
        vram_gib = 12
        compute_capability = "8.9"
        """,
    )
    assert report.system.os == "wsl"
    assert report.pythons[0].version == "3.12"
    assert report.driver is not None
    assert (report.driver.state, report.driver.version) == (DriverState.WORKING, "566.36")
    (card,) = report.gpus
    assert (card.vendor, card.compute_capability, card.vram_total) == ("nvidia", "8.9", 12 * 2**30)


def test_what_is_absent(tmp_path: Path) -> None:
    bare = described(tmp_path, 'os = "linux"')
    assert (bare.gpus, bare.driver, bare.pythons) == ((), None, ())
    without = described(tmp_path, 'os = "windows"\n[[gpu]]\nname = "RTX 4060"')
    assert without.driver is not None
    assert without.driver.state is DriverState.MISSING
    assert described(tmp_path, 'os = "windows"\n[[gpu]]\nname = "Intel Arc B580"').driver is None
    amd = described(tmp_path, 'os = "windows"\n[driver]\nversion = "25.9.1"\n[[gpu]]\nname = "RX 7900 XTX"')
    assert (amd.driver, amd.gpus[0].driver_version) == (None, "25.9.1")
    alone = described(tmp_path, 'os = "windows"\n[driver]\nversion = "580.88"')
    assert alone.driver is not None


def test_which_chip_a_mac_has(tmp_path: Path) -> None:
    assert described(tmp_path, 'os = "macos"\n[[gpu]]\nname = "Apple M3"').system.machine == "aarch64"
    assert described(tmp_path, 'os = "macos"\n[[gpu]]\nname = "Radeon Pro 560X"').system.machine == "x86_64"


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ('os = "dos"', "os"),
        ('oss = "windows"', 'did you mean "os"'),
        ("python = '3.12'", "os"),
        ('os = "windows"\npython = "three"', "python"),
        ('os = "windows"\n[driver]\nversion = "new"', "version"),
        ('os = "windows"\n[[gpu]]\nname = ""', "name"),
        ('os = "windows"\n[[gpu]]\nname = "RTX 4060"\nvram = 8', "vram"),
        ('os = "windows"\n[[gpu]]\nname = "RTX 4060"\ncompute_capability = "high"', "compute_capability"),
        ('os = "windows"\n[[gpu]]\nname = "RTX 4060"\nvram_gib = -1', "vram_gib"),
        ('os = "windows"\n[[gpu]]', "name"),
        ("os = \npython = '3.12'", "line 1"),
    ],
)
def test_a_bad_description_names_what_is_bad(tmp_path: Path, text: str, key: str) -> None:
    with pytest.raises(BadData) as bad:
        described(tmp_path, text)
    assert "machine.toml" in str(bad.value)
    assert key in str(bad.value)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(BadData):
        read_machine(tmp_path / "none.toml")
