from __future__ import annotations

import sys
from pathlib import Path

import pytest

from gpu_assistant.base.files import long_path

windows = pytest.mark.skipif(sys.platform != "win32", reason="paths of Windows")


@windows
@pytest.mark.parametrize(
    ("path", "long"),
    [
        ("C:/Папка/env", "\\\\?\\C:\\Папка\\env"),
        ("\\\\server\\share\\env", "\\\\?\\UNC\\server\\share\\env"),
        ("\\\\?\\C:\\env", "\\\\?\\C:\\env"),
    ],
)
def test_drives_and_network_shares_get_their_long_form(path: str, long: str):
    assert str(long_path(Path(path))) == long


@pytest.mark.skipif(sys.platform == "win32", reason="other systems have no such limit")
def test_elsewhere_nothing_changes():
    assert long_path(Path("a/b")) == Path("a/b")
