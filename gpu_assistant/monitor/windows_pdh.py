"""Windows' performance counters by ctypes, under their English names. Imported on Windows only."""

from __future__ import annotations

import ctypes
from ctypes import wintypes
from typing import Any

_FORMAT_DOUBLE = 0x00000200
_NO_CAP_100 = 0x00008000  # a process on two engines may use more than 100 %
_MORE_DATA = 0x800007D2

_windll: Any = ctypes.windll  # type: ignore[attr-defined,unused-ignore]
_pdh = _windll.pdh
_pdh.PdhOpenQueryW.argtypes = (wintypes.LPCWSTR, ctypes.c_void_p, ctypes.c_void_p)
_pdh.PdhAddEnglishCounterW.argtypes = (ctypes.c_void_p, wintypes.LPCWSTR, ctypes.c_void_p, ctypes.c_void_p)
_pdh.PdhCollectQueryData.argtypes = (ctypes.c_void_p,)
_pdh.PdhGetFormattedCounterArrayW.argtypes = (
    ctypes.c_void_p,
    wintypes.DWORD,
    ctypes.c_void_p,
    ctypes.c_void_p,
    ctypes.c_void_p,
)
_pdh.PdhCloseQuery.argtypes = (ctypes.c_void_p,)


class _Value(ctypes.Structure):
    _fields_ = (("status", wintypes.DWORD), ("number", ctypes.c_double))


class _Item(ctypes.Structure):
    _fields_ = (("name", wintypes.LPWSTR), ("value", _Value))


class Counters:
    """A query over counters with a `*` for the instance. Rates have no value before the second `collect`."""

    def __init__(self, paths: tuple[str, ...]) -> None:
        """Counters that this Windows does not know stay empty."""
        self._query = ctypes.c_void_p()
        self._counters: dict[str, ctypes.c_void_p] = {}
        if _pdh.PdhOpenQueryW(None, None, ctypes.byref(self._query)) != 0:
            return
        for path in paths:
            counter = ctypes.c_void_p()
            if _pdh.PdhAddEnglishCounterW(self._query, path, None, ctypes.byref(counter)) == 0:
                self._counters[path] = counter

    def collect(self) -> dict[str, list[tuple[str, float]]]:
        """Per counter its instances with their values; an instance may stand there more than once."""
        if not self._counters or _pdh.PdhCollectQueryData(self._query) != 0:
            return {}
        return {path: _array(counter) for path, counter in self._counters.items()}

    def close(self) -> None:
        """Gives the query back."""
        if self._query:
            _pdh.PdhCloseQuery(self._query)
            self._query = ctypes.c_void_p()
            self._counters = {}


def _array(counter: ctypes.c_void_p) -> list[tuple[str, float]]:
    size, count = wintypes.DWORD(0), wintypes.DWORD(0)
    how = _FORMAT_DOUBLE | _NO_CAP_100
    status = _pdh.PdhGetFormattedCounterArrayW(counter, how, ctypes.byref(size), ctypes.byref(count), None)
    if status & 0xFFFFFFFF != _MORE_DATA:
        return []
    buffer = ctypes.create_string_buffer(size.value)
    if _pdh.PdhGetFormattedCounterArrayW(counter, how, ctypes.byref(size), ctypes.byref(count), buffer) != 0:
        return []
    items = ctypes.cast(buffer, ctypes.POINTER(_Item))
    # 0 and 1: valid data, new data
    return [(items[i].name, items[i].value.number) for i in range(count.value) if items[i].value.status in (0, 1)]
