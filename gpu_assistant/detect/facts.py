"""What Python and psutil can tell about the platform at once: the part of the machine that needs no parser."""

from __future__ import annotations

import contextlib
import locale
import os
import platform
import sys
from pathlib import Path
from typing import Literal

import psutil

from gpu_assistant.base.model import Value

if sys.platform == "win32":
    from gpu_assistant.detect import windows_api


class DiskFacts(Value, frozen=True, kw_only=True):
    """A mounted file system; sizes in bytes."""

    path: str
    filesystem: str | None = None
    options: str = ""
    device: str = ""
    total: int | None = None
    free: int | None = None


class PlatformFacts(Value, frozen=True, kw_only=True):
    """The platform as the standard library and psutil see it."""

    system: Literal["windows", "linux", "macos", "other"] = "other"
    release: str | None = None  # of the kernel; of macOS its version
    windows_version: tuple[int, int, int] | None = None
    machine: str | None = None  # "x86_64", "aarch64"
    language: str | None = None
    home: str | None = None
    cpu_cores: int | None = None
    cpu_threads: int | None = None
    ram_total: int | None = None
    ram_available: int | None = None
    pagefile_total: int | None = None
    pagefile_free: int | None = None
    battery: bool | None = None
    remote_session: bool | None = None


_MACHINES = {"amd64": "x86_64", "x64": "x86_64", "arm64": "aarch64"}


def read_facts() -> PlatformFacts:
    """Asks the running system."""
    memory, swap = psutil.virtual_memory(), _swap()
    return PlatformFacts(
        system=_system(),
        release=_release(),
        windows_version=_windows_version(),
        machine=_machine(),
        language=_language(),
        home=str(Path.home()),
        cpu_cores=psutil.cpu_count(logical=False),
        cpu_threads=psutil.cpu_count(),
        ram_total=memory.total,
        ram_available=memory.available,
        pagefile_total=swap[0],
        pagefile_free=swap[1],
        battery=_battery(),
        remote_session=_remote_session(),
    )


def read_disks() -> tuple[DiskFacts, ...]:
    """The mounted drives with their sizes; a drive that does not answer keeps its name only."""
    partitions = {part.mountpoint: part for part in psutil.disk_partitions(all=False)}
    paths = list(partitions)
    if sys.platform != "win32" and "/" not in partitions:  # the root of a container is an overlay
        paths.insert(0, "/")
    disks = []
    for path in paths:
        part = partitions.get(path)
        total = free = None
        with contextlib.suppress(OSError):
            usage = psutil.disk_usage(path)
            total, free = usage.total, usage.free
        disks.append(
            DiskFacts(
                path=path,
                filesystem=part.fstype or None if part else None,
                options=part.opts if part else "",
                device=part.device if part else "",
                total=total,
                free=free,
            )
        )
    return (*disks, *_network_drives())


def _network_drives() -> tuple[DiskFacts, ...]:
    """Windows' mapped drives, which psutil leaves out; without their sizes, for a server may be off."""
    if sys.platform == "win32":
        return tuple(DiskFacts(path=letter, options="rw,remote") for letter in windows_api.network_drives())
    return ()


def _system() -> Literal["windows", "linux", "macos", "other"]:
    if sys.platform == "win32":
        return "windows"
    if sys.platform == "darwin":
        return "macos"
    return "linux" if sys.platform.startswith("linux") else "other"


# on Windows, `platform` asks WMI, which takes its time and hangs at times
def _release() -> str | None:
    if sys.platform == "win32":
        return str(sys.getwindowsversion().platform_version[0])
    return platform.mac_ver()[0] if sys.platform == "darwin" else platform.release()


def _machine() -> str | None:
    if sys.platform == "win32":
        name = windows_api.native_machine()
    else:
        name = platform.machine()
    return _MACHINES.get(name.lower(), name) or None


def _windows_version() -> tuple[int, int, int] | None:
    if sys.platform == "win32":
        # platform_version is the real one; the first three are what old programs are told
        version = sys.getwindowsversion().platform_version
        return version[0], version[1], version[2]
    return None


def _language() -> str | None:
    if sys.platform == "win32":
        return windows_api.display_language()
    return locale.getlocale()[0] or os.environ.get("LANG", "").partition(".")[0] or None


def _swap() -> tuple[int | None, int | None]:
    try:
        swap = psutil.swap_memory()
    except (OSError, RuntimeError):  # /proc/vmstat hidden in some containers, counters broken on some Windows
        return None, None
    return swap.total, swap.free


def _battery() -> bool | None:
    try:
        return psutil.sensors_battery() is not None
    except (AttributeError, OSError, RuntimeError):
        return None


def _remote_session() -> bool | None:
    if sys.platform == "win32":
        return windows_api.is_remote_session()
    return None
