"""Tells Wine from Windows: some tests write what only Wine lets them write, some ask what Wine does not have."""

from __future__ import annotations

import ctypes
import sys


def on_wine() -> bool:
    """Whether this Windows is Wine; its ntdll says so."""
    return sys.platform == "win32" and hasattr(ctypes.windll.ntdll, "wine_get_version")
