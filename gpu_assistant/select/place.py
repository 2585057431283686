"""Where an environment goes, and what is wrong with a place: every trap has its sentence."""

from __future__ import annotations

from pathlib import PurePath, PurePosixPath, PureWindowsPath

from gpu_assistant.base.message import Message, message
from gpu_assistant.base.settings import Settings
from gpu_assistant.detect.report import Disk, SystemReport

FOLDER = "GPU-Assistant"
ROOM = 20 * 2**30  # bytes: two CUDA environments and the cache
LONG_PATH = 120  # letters: packages add about 140, and Windows stops at 260


def pure_path(report: SystemReport, text: str) -> PurePath:
    """A path in the flavour of the computer that the report describes."""
    return PureWindowsPath(text) if report.system.os == "windows" else PurePosixPath(text)


def default_root(report: SystemReport, settings: Settings) -> PurePath:
    """The one folder for environments, Pythons and the cache: the chosen one, else a short one with room."""
    if settings.root_folder:
        return pure_path(report, settings.root_folder)
    if report.system.os != "windows":
        return PurePosixPath(report.system.home or "/opt") / FOLDER.lower()
    return PureWindowsPath(_drive(report)) / FOLDER


def _drive(report: SystemReport) -> str:
    """The system drive where it has room, else the fixed drive with the most."""
    system = PureWindowsPath(report.system.home or "C:\\").drive or "C:"
    fixed = [disk for disk in report.disks if disk.kind in (None, "fixed") and not disk.read_only and disk.free]
    own = next((disk for disk in fixed if disk.path[:2].upper() == system.upper()), None)
    if not fixed or (own is not None and (own.free or 0) >= ROOM):
        return f"{system}\\"
    roomiest = max(fixed, key=lambda disk: disk.free or 0)
    return f"{roomiest.path[:2]}\\"


def default_target(report: SystemReport, settings: Settings, name: str) -> PurePath:
    """The folder of a new environment: "envs/pytorch-cu130" under the root."""
    return default_root(report, settings) / "envs" / name


def disk_of(report: SystemReport, target: PurePath) -> Disk | None:
    """The drive that holds a path: the longest mount point that is one of its parents."""
    windows = report.system.os == "windows"
    chain = [str(part).rstrip("\\/").lower() if windows else str(part) for part in (target, *target.parents)]
    if report.system.os == "macos":
        chain.append("/System/Volumes/Data")  # where macOS really keeps what seems to lie on its sealed "/"
    holding = [disk for disk in report.disks if (disk.path.rstrip("\\/").lower() if windows else disk.path) in chain]
    return max(holding, key=lambda disk: len(disk.path), default=None)


def place_warnings(report: SystemReport, target: PurePath, disk_bytes: int | None) -> list[Message]:
    """The known traps of a target folder."""
    text = str(target)
    warnings = []
    if not text.isascii():
        warnings.append(message("select-warn-not-ascii", path=text))
    elif " " in text:
        warnings.append(message("select-warn-spaces", path=text))
    if report.system.os == "windows" and len(text) > LONG_PATH and not report.system.long_paths:
        warnings.append(message("select-warn-long-path", path=text, count=len(text)))
    if target.drive.startswith("\\\\"):  # \\server\share, which has no drive letter
        warnings.append(message("select-warn-network", path=text))
    if any(part.lower().startswith("onedrive") for part in target.parts):
        warnings.append(message("select-warn-onedrive", path=text))
    return warnings + _disk_warnings(disk_of(report, target), text, disk_bytes)


def _disk_warnings(disk: Disk | None, text: str, disk_bytes: int | None) -> list[Message]:
    if disk is None:
        return []
    warnings = []
    if disk.read_only:
        warnings.append(message("select-warn-read-only", path=text))
    if disk.kind in ("network", "removable"):
        warnings.append(message(f"select-warn-{disk.kind}", path=text))
    if disk.filesystem and disk.filesystem.lower() in ("exfat", "fat32", "vfat"):
        warnings.append(message("select-warn-fat", path=text, filesystem=disk.filesystem))
    if disk_bytes is not None and disk.free is not None and disk.free < disk_bytes * 1.1:
        warnings.append(message("select-warn-little-disk", disk=disk.path, free=disk.free, need=disk_bytes))
    return warnings
