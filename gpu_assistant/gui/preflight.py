"""Can this computer show a window at all? Asked before Qt is imported, because Qt would only abort. Knows no Qt."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import msgspec

from gpu_assistant.base.message import message
from gpu_assistant.base.resources import read_toml, resource_root
from gpu_assistant.base.texts import Language, say

X11_PLATFORMS = ("", "xcb")


class Library(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A system library that Qt loads, and the packages that bring it, by package manager."""

    name: str  # "libEGL.so.1"
    apt: str
    dnf: str
    pacman: str
    zypper: str
    x11_only: bool = False


class Libraries(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`resources/style/system_libraries.toml`."""

    library: tuple[Library, ...]
    command: dict[str, str]  # package manager -> its install command
    family: dict[str, str]  # ID or ID_LIKE of os-release -> package manager


def obstacle(language: Language | None = None) -> str | None:
    """A readable text why no window can open here, with the command that helps; None when nothing is in the way."""
    if not sys.platform.startswith("linux"):
        return None
    known = read_toml(resource_root() / "style" / "system_libraries.toml", Libraries)
    platform = os.environ.get("QT_QPA_PLATFORM", "").split(":")[0]
    uses_x11 = platform in X11_PLATFORMS and not os.environ.get("WAYLAND_DISPLAY")
    missing = missing_libraries(known.library, x11=uses_x11)
    if missing:
        return libraries_text(missing, known, package_manager(read_os_release(), known), language or _language())
    if uses_x11 and not display_answers():
        key = "window-display-silent" if os.environ.get("DISPLAY") else "window-no-display"
        return say(message(key, display=os.environ.get("DISPLAY", "")), language or _language())
    return None


def missing_libraries(
    libraries: Iterable[Library], *, x11: bool, loads: Callable[[str], bool] | None = None
) -> tuple[Library, ...]:
    """Those that cannot be loaded; the ones that only X11 needs count only there."""
    loads = loads or _loads
    return tuple(one for one in libraries if (x11 or not one.x11_only) and not loads(one.name))


def libraries_text(missing: Iterable[Library], known: Libraries, manager: str | None, language: Language) -> str:
    """What is missing, and the command for this system's package manager (all of them where it is unknown)."""
    missing = tuple(missing)
    managers = [manager] if manager else list(known.command)
    commands = "\n".join(
        f"    {known.command[one]} {' '.join(dict.fromkeys(getattr(library, one) for library in missing))}"
        for one in managers
    )
    names = ", ".join(library.name for library in missing)
    return say(message("window-libraries-missing", names=names, commands=commands), language)


def package_manager(os_release: Mapping[str, str], known: Libraries) -> str | None:
    """Which package manager this distribution uses, by its own id, then by its relatives'."""
    for name in (os_release.get("ID", ""), *os_release.get("ID_LIKE", "").split()):
        if name in known.family:
            return known.family[name]
    return None


def read_os_release(path: Path = Path("/etc/os-release")) -> dict[str, str]:
    """The fields of an os-release file; empty where there is none."""
    try:
        lines = path.read_text("utf-8", "replace").splitlines()
    except OSError:
        return {}
    pairs = (line.partition("=") for line in lines if "=" in line and not line.startswith("#"))
    return {key.strip(): value.strip().strip("\"'") for key, _, value in pairs}


def display_answers() -> bool:
    """Whether an X server accepts us. Qt aborts the process where none does."""
    if not os.environ.get("DISPLAY"):
        return False
    try:
        xcb = ctypes.CDLL("libxcb.so.1")
    except OSError:
        return True  # cannot ask; let Qt try
    xcb.xcb_connect.restype = ctypes.c_void_p
    connection = ctypes.c_void_p(xcb.xcb_connect(None, None))
    failed = bool(xcb.xcb_connection_has_error(connection))
    xcb.xcb_disconnect(connection)
    return not failed


def _loads(name: str) -> bool:
    try:
        ctypes.CDLL(name)
    except OSError:
        return False
    return True


def _language() -> Language:
    return "ru" if os.environ.get("LC_ALL", os.environ.get("LANG", "")).lower().startswith("ru") else "en"
