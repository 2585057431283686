"""Before Qt: what is missing is said in one text with the command that helps."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from gpu_assistant.base.resources import read_toml, resource_root
from gpu_assistant.gui.preflight import (
    Libraries,
    libraries_text,
    missing_libraries,
    obstacle,
    package_manager,
    read_os_release,
)

KNOWN = read_toml(resource_root() / "style" / "system_libraries.toml", Libraries)


@pytest.mark.parametrize(
    ("text", "manager"),
    [
        ("ID=ubuntu\nID_LIKE=debian\n", "apt"),
        ('ID="linuxmint"\nID_LIKE="ubuntu debian"\n', "apt"),
        ("ID=fedora\n", "dnf"),
        ('ID=nobara\nID_LIKE="rhel centos fedora"\n', "dnf"),
        ("ID=endeavouros\nID_LIKE=arch\n", "pacman"),
        ('ID="opensuse-tumbleweed"\nID_LIKE="opensuse suse"\n', "zypper"),
        ("ID=nixos\n", None),
        ("", None),
    ],
)
def test_the_package_manager_follows_the_distribution(text: str, manager: str | None, tmp_path: Path) -> None:
    path = tmp_path / "os-release"
    path.write_text(text, "utf-8")
    assert package_manager(read_os_release(path), KNOWN) == manager


def test_the_command_names_each_package_once() -> None:
    missing = [library for library in KNOWN.library if library.name in ("libEGL.so.1", "libGL.so.1")]
    text = libraries_text(missing, KNOWN, "pacman", "en")
    assert "sudo pacman -S libglvnd\n" in text
    assert "libEGL.so.1, libGL.so.1" in text


def test_an_unknown_distribution_gets_every_command() -> None:
    text = libraries_text(KNOWN.library[:1], KNOWN, None, "ru")
    assert all(command in text for command in KNOWN.command.values())


def test_what_only_x11_needs_is_not_asked_elsewhere() -> None:
    none = missing_libraries(KNOWN.library, x11=False, loads=lambda name: not name.startswith("libxcb"))
    some = missing_libraries(KNOWN.library, x11=True, loads=lambda name: not name.startswith("libxcb"))
    assert not none
    assert some


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="asks an X server")
@pytest.mark.parametrize("display", ["", ":4711"])
def test_a_missing_screen_is_told_and_the_exit_code_is_2(display: str) -> None:
    environment = {key: value for key, value in os.environ.items() if key not in ("QT_QPA_PLATFORM", "WAYLAND_DISPLAY")}
    environment |= {"DISPLAY": display}
    command = [sys.executable, "-m", "gpu_assistant", "--lang", "ru"]
    done = subprocess.run(command, env=environment, capture_output=True, encoding="utf-8", timeout=60, check=False)
    assert done.returncode == 2
    assert "не может открыть окно" in done.stderr
    assert "Traceback" not in done.stderr


def test_nothing_is_in_the_way_here() -> None:
    assert obstacle("en") is None
