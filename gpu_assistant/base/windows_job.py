"""Windows job objects by ctypes: a process tree that dies with its owner. Imported on Windows only."""

from __future__ import annotations

import ctypes
from ctypes import wintypes
from typing import Any

CREATE_SUSPENDED = 0x00000004
_EXTENDED_LIMIT_INFORMATION = 9
_KILL_ON_JOB_CLOSE = 0x2000

_windll: Any = ctypes.windll  # type: ignore[attr-defined,unused-ignore]
_kernel32 = _windll.kernel32
_kernel32.CreateJobObjectW.restype = wintypes.HANDLE
_kernel32.CreateJobObjectW.argtypes = (ctypes.c_void_p, wintypes.LPCWSTR)
_kernel32.AssignProcessToJobObject.argtypes = (wintypes.HANDLE, wintypes.HANDLE)
_kernel32.TerminateJobObject.argtypes = (wintypes.HANDLE, wintypes.UINT)
_kernel32.CloseHandle.argtypes = (wintypes.HANDLE,)
_kernel32.SetInformationJobObject.argtypes = (wintypes.HANDLE, ctypes.c_int, ctypes.c_void_p, wintypes.DWORD)


class _BasicLimits(ctypes.Structure):
    _fields_ = (
        ("PerProcessUserTimeLimit", ctypes.c_int64),
        ("PerJobUserTimeLimit", ctypes.c_int64),
        ("LimitFlags", wintypes.DWORD),
        ("MinimumWorkingSetSize", ctypes.c_size_t),
        ("MaximumWorkingSetSize", ctypes.c_size_t),
        ("ActiveProcessLimit", wintypes.DWORD),
        ("Affinity", ctypes.c_size_t),
        ("PriorityClass", wintypes.DWORD),
        ("SchedulingClass", wintypes.DWORD),
    )


class _ExtendedLimits(ctypes.Structure):
    _fields_ = (
        ("BasicLimitInformation", _BasicLimits),
        ("IoInfo", ctypes.c_uint64 * 6),
        ("ProcessMemoryLimit", ctypes.c_size_t),
        ("JobMemoryLimit", ctypes.c_size_t),
        ("PeakProcessMemoryUsed", ctypes.c_size_t),
        ("PeakJobMemoryUsed", ctypes.c_size_t),
    )


class Job:
    """One job object; everything in it is killed when it is closed or we die."""

    def __init__(self) -> None:
        self._handle = _kernel32.CreateJobObjectW(None, None)
        limits = _ExtendedLimits()
        limits.BasicLimitInformation.LimitFlags = _KILL_ON_JOB_CLOSE
        _kernel32.SetInformationJobObject(
            self._handle, _EXTENDED_LIMIT_INFORMATION, ctypes.byref(limits), ctypes.sizeof(limits)
        )

    def take(self, process_handle: int) -> None:
        """Puts a process, and with it its later children, into the job. Raises `OSError`."""
        if not _kernel32.AssignProcessToJobObject(self._handle, process_handle):
            raise OSError("AssignProcessToJobObject failed")

    def kill(self) -> None:
        """Ends every process of the job."""
        _kernel32.TerminateJobObject(self._handle, 1)

    def close(self) -> None:
        """Gives the handle back, which kills what is left in the job."""
        if self._handle:
            _kernel32.CloseHandle(self._handle)
            self._handle = None


def resume(process_handle: int) -> None:
    """Lets a process run that was created suspended."""
    _windll.ntdll.NtResumeProcess(wintypes.HANDLE(process_handle))
