"""The power state of graphics cards from Windows' device tree, which wakes nobody. Imported on Windows only."""

from __future__ import annotations

import ctypes
import uuid
from collections.abc import Iterator
from ctypes import wintypes
from typing import Any

import psutil

from gpu_assistant.monitor.asleep import PowerState

_DISPLAY_CLASS = "{4d36e968-e325-11ce-bfc1-08002be10318}"
_CLASS_AND_PRESENT = 0x200 | 0x100
_POWER_DATA = uuid.UUID("a45c254e-df1c-4efd-8020-67d146a850e0")  # DEVPKEY_Device_PowerData is its 32nd property
_SLEEPING = 4  # PowerDeviceD3

_windll: Any = ctypes.windll  # type: ignore[attr-defined,unused-ignore]
_manager = _windll.cfgmgr32


class _Key(ctypes.Structure):
    _fields_ = (("guid", ctypes.c_byte * 16), ("id", wintypes.DWORD))


def power_states() -> tuple[PowerState, ...]:
    """Every NVIDIA card's state. Only a laptop with a second graphics chip lets its card sleep."""
    try:
        devices = list(_display_devices())
        states = {device: _state(device) for device in devices if "VEN_10DE" in device.upper()}
        hybrid = len(devices) > len(states) and psutil.sensors_battery() is not None
    except (OSError, AttributeError, NotImplementedError):
        return ()
    return tuple(
        PowerState(address=device, asleep=state == _SLEEPING, may_sleep=hybrid)
        for device, state in states.items()
        if state is not None
    )


def _display_devices() -> Iterator[str]:
    size = wintypes.ULONG()
    if _manager.CM_Get_Device_ID_List_SizeW(ctypes.byref(size), _DISPLAY_CLASS, _CLASS_AND_PRESENT) != 0:
        return
    buffer = ctypes.create_unicode_buffer(size.value)
    if _manager.CM_Get_Device_ID_ListW(_DISPLAY_CLASS, buffer, size, _CLASS_AND_PRESENT) == 0:
        yield from filter(None, ctypes.wstring_at(buffer, size.value).split("\0"))


def _state(device: str) -> int | None:
    node = wintypes.DWORD()
    if _manager.CM_Locate_DevNodeW(ctypes.byref(node), device, 0) != 0:
        return None
    key = _Key(guid=(ctypes.c_byte * 16).from_buffer_copy(_POWER_DATA.bytes_le), id=32)
    kind, data = wintypes.ULONG(), (wintypes.ULONG * 64)()
    size = wintypes.ULONG(ctypes.sizeof(data))
    status = _manager.CM_Get_DevNode_PropertyW(node, ctypes.byref(key), ctypes.byref(kind), data, ctypes.byref(size), 0)
    return int(data[1]) if status == 0 else None  # CM_POWER_DATA: its size, then the newest state
