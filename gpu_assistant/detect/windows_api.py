"""The few Windows functions that have no command and no registry key. Imported on Windows only."""

from __future__ import annotations

import ctypes
import importlib
import locale
from ctypes import wintypes
from typing import Any

_SM_REMOTESESSION = 0x1000
_DRIVE_REMOTE = 4
_CR_SUCCESS = 0
_FILTER_ENUMERATOR = 0x1
_FILTER_PRESENT = 0x100

_windll: Any = ctypes.windll  # type: ignore[attr-defined,unused-ignore]
# typed loosely: mypy on other systems knows an empty module
winreg: Any = importlib.import_module("winreg")
_HIVES = {"HKLM": "HKEY_LOCAL_MACHINE", "HKCU": "HKEY_CURRENT_USER"}


def display_language() -> str | None:
    """The language of the desktop: "ru_RU"."""
    return locale.windows_locale.get(_windll.kernel32.GetUserDefaultUILanguage())


def native_machine() -> str:
    """The processor's kind, "AMD64" or "ARM64", also where we run in emulation."""
    environment = read_key("HKLM\\SYSTEM\\CurrentControlSet\\Control\\Session Manager\\Environment")
    return str(environment[1].get("PROCESSOR_ARCHITECTURE", "")) if environment else ""


def is_remote_session() -> bool:
    """True inside a Remote Desktop session."""
    return bool(_windll.user32.GetSystemMetrics(_SM_REMOTESESSION))


def network_drives() -> list[str]:
    """Letters that stand for network folders ("Z:\\\\"); nothing is asked over the network, which could take long."""
    present = _windll.kernel32.GetLogicalDrives()
    letters = [f"{chr(ord('A') + bit)}:\\" for bit in range(26) if present >> bit & 1]
    return [letter for letter in letters if _windll.kernel32.GetDriveTypeW(letter) == _DRIVE_REMOTE]


def present_pci_devices() -> list[dict[str, object]]:
    """Instance ids of the PCI devices that are plugged in now, with Device Manager's problem code (0: none).

    The registry also remembers cards that were taken out years ago. Raises `OSError`.
    """
    config = _windll.cfgmgr32
    flags = _FILTER_ENUMERATOR | _FILTER_PRESENT
    length = wintypes.ULONG()
    if config.CM_Get_Device_ID_List_SizeW(ctypes.byref(length), "PCI", flags) != _CR_SUCCESS:
        raise OSError("CM_Get_Device_ID_List_SizeW failed")
    buffer = ctypes.create_unicode_buffer(length.value + 1)
    if config.CM_Get_Device_ID_ListW("PCI", buffer, length, flags) != _CR_SUCCESS:
        raise OSError("CM_Get_Device_ID_ListW failed")
    names = "".join(buffer).split("\0")
    return [{"id": name, "problem": _problem(config, name)} for name in names if name]


def _problem(config: Any, name: str) -> int | None:
    node, status, problem = wintypes.DWORD(), wintypes.ULONG(), wintypes.ULONG()
    if config.CM_Locate_DevNodeW(ctypes.byref(node), name, 0) != _CR_SUCCESS:
        return None
    if config.CM_Get_DevNode_Status(ctypes.byref(status), ctypes.byref(problem), node, 0) != _CR_SUCCESS:
        return None
    return int(problem.value)


def read_key(path: str) -> tuple[list[str], dict[str, str | int | list[str]]] | None:
    """Subkeys and values of `HKLM\\...` or `HKCU\\...`; None where it does not exist. Raises `PermissionError`.

    Bytes come as "hex:0011"; the nameless value has the name "".
    """
    hive, _, rest = path.partition("\\")
    try:
        with winreg.OpenKey(getattr(winreg, _HIVES[hive]), rest, 0, winreg.KEY_READ | winreg.KEY_WOW64_64KEY) as key:
            subkey_count, value_count, _ = winreg.QueryInfoKey(key)
            subkeys = [winreg.EnumKey(key, index) for index in range(subkey_count)]
            values: dict[str, str | int | list[str]] = {}
            for index in range(value_count):
                name, value, _ = winreg.EnumValue(key, index)
                if isinstance(value, bytes):
                    values[name] = "hex:" + value.hex()
                elif value is not None:
                    values[name] = value
    except FileNotFoundError:
        return None
    return subkeys, values
