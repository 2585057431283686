"""Progress on a taskbar button, through COM's ITaskbarList3 by ctypes. Imported on Windows only."""

from __future__ import annotations

import ctypes
import functools
import uuid
from ctypes import wintypes
from typing import Any

CLASS = uuid.UUID("56fdf344-fd6d-11d0-958a-006097c9a090")
INTERFACE = uuid.UUID("ea1afb91-9e28-4b86-90e9-9e9f8a5eefaf")
_IN_PROCESS = 1
# places in the table of functions: IUnknown has 0 to 2, ITaskbarList 3 to 7, ITaskbarList2 8
_INIT, _SET_VALUE, _SET_STATE = 3, 9, 10
_STATES = {"none": 0, "moving": 1, "part": 2}

_windll: Any = ctypes.windll  # type: ignore[attr-defined,unused-ignore]
_prototype: Any = ctypes.WINFUNCTYPE  # type: ignore[attr-defined,unused-ignore]
_init = _prototype(ctypes.c_long)(_INIT, "HrInit")
_set_value = _prototype(ctypes.c_long, wintypes.HWND, ctypes.c_ulonglong, ctypes.c_ulonglong)(_SET_VALUE, "Value")
_set_state = _prototype(ctypes.c_long, wintypes.HWND, ctypes.c_int)(_SET_STATE, "State")


@functools.cache
def _taskbar() -> Any:
    """The taskbar's object; None where there is no taskbar. It lives as long as we do."""
    ole = _windll.ole32
    ole.CoInitialize(None)  # Qt has done it already, except off screen
    found = ctypes.c_void_p()
    ids = [ctypes.create_string_buffer(id_.bytes_le, 16) for id_ in (CLASS, INTERFACE)]
    failed = ole.CoCreateInstance(ids[0], None, _IN_PROCESS, ids[1], ctypes.byref(found))
    return found if not failed and found and _init(found) >= 0 else None


def show(window: int, state: str, done: int, total: int) -> int | None:
    """Shows "none", "moving" or "part" on a window's button; the answer (HRESULT), None where there is no taskbar.

    A refusal is a negative number: progress on a button is not worth an error.
    """
    taskbar = _taskbar()
    if taskbar is None:
        return None
    answer = int(_set_state(taskbar, window, _STATES[state]))
    return int(_set_value(taskbar, window, done, total)) if state == "part" else answer
