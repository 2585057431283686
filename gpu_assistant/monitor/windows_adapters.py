"""The graphics adapters as Windows lists them (DXGI), by ctypes. Imported on Windows only."""

from __future__ import annotations

import ctypes
import uuid
from ctypes import wintypes
from typing import Any

from gpu_assistant.monitor.windows_counters import Adapter

_SOFTWARE = 2
_ADDRESS = 6  # KMTQAITYPE_ADAPTERADDRESS
_FACTORY = uuid.UUID("770aae78-f26f-4dba-a829-253c83d1b387")  # IDXGIFactory1

# Places in the interfaces' tables of functions.
_RELEASE, _ENUM_ADAPTERS1, _GET_DESC1 = 2, 12, 10

_windll: Any = ctypes.windll  # type: ignore[attr-defined,unused-ignore]
_functype: Any = ctypes.WINFUNCTYPE  # type: ignore[attr-defined,unused-ignore]


class _Luid(ctypes.Structure):
    _fields_ = (("low", wintypes.DWORD), ("high", wintypes.LONG))


class _Description(ctypes.Structure):
    _fields_ = (
        ("name", wintypes.WCHAR * 128),
        ("vendor", wintypes.UINT),
        ("device", wintypes.UINT),
        ("subsystem", wintypes.UINT),
        ("revision", wintypes.UINT),
        ("dedicated", ctypes.c_size_t),
        ("dedicated_system", ctypes.c_size_t),
        ("shared", ctypes.c_size_t),
        ("luid", _Luid),
        ("flags", wintypes.UINT),
    )


class _OpenFromLuid(ctypes.Structure):
    _fields_ = (("luid", _Luid), ("handle", wintypes.UINT))


class _Query(ctypes.Structure):
    _fields_ = (
        ("handle", wintypes.UINT),
        ("kind", ctypes.c_int),
        ("data", ctypes.c_void_p),
        ("size", wintypes.UINT),
    )


def adapters() -> tuple[Adapter, ...]:
    """Every real adapter; empty where Windows does not answer."""
    try:
        return tuple(_listed())
    except (OSError, AttributeError):
        return ()


def _listed() -> list[Adapter]:
    factory = ctypes.c_void_p()
    interface = (ctypes.c_byte * 16).from_buffer_copy(_FACTORY.bytes_le)
    if _windll.dxgi.CreateDXGIFactory1(interface, ctypes.byref(factory)) != 0:
        return []
    found: list[Adapter] = []
    place = 0
    adapter = ctypes.c_void_p()
    while _call(factory, _ENUM_ADAPTERS1, place, ctypes.byref(adapter)) == 0:
        description = _Description()
        if _call(adapter, _GET_DESC1, ctypes.byref(description)) == 0 and not description.flags & _SOFTWARE:
            found.append(_adapter(description))
        _call(adapter, _RELEASE)
        place += 1
    _call(factory, _RELEASE)
    return found


def _call(this: ctypes.c_void_p, place: int, *arguments: Any) -> int:
    """Calls the function at a place of a COM interface's table. An argument is a number or an address."""
    table = ctypes.cast(this, ctypes.POINTER(ctypes.POINTER(ctypes.c_void_p))).contents
    types = [wintypes.UINT if isinstance(argument, int) else ctypes.c_void_p for argument in arguments]
    return int(_functype(ctypes.c_long, ctypes.c_void_p, *types)(table[place])(this, *arguments))


def _adapter(description: Any) -> Adapter:
    luid = description.luid
    return Adapter(
        luid=f"0x{luid.high & 0xFFFFFFFF:08x}_0x{luid.low:08x}",
        name=description.name,
        vendor_id=description.vendor,
        dedicated_bytes=description.dedicated,
        pci_address=_pci_address(luid),
    )


def _pci_address(luid: Any) -> str | None:
    """Bus, device and function, which NVML tells too."""
    opened = _OpenFromLuid(luid=luid)
    gdi = _windll.gdi32
    if gdi.D3DKMTOpenAdapterFromLuid(ctypes.byref(opened)) != 0:
        return None
    address = (wintypes.UINT * 3)()
    query = _Query(
        handle=opened.handle,
        kind=_ADDRESS,
        data=ctypes.cast(address, ctypes.c_void_p),
        size=ctypes.sizeof(address),
    )
    status = gdi.D3DKMTQueryAdapterInfo(ctypes.byref(query))
    handle = wintypes.UINT(opened.handle)
    gdi.D3DKMTCloseAdapter(ctypes.byref(handle))
    return f"0000:{address[0]:02x}:{address[1]:02x}.{address[2]}" if status == 0 else None
