from __future__ import annotations

from pathlib import Path

import pytest

from gpu_assistant.base.paths import RootLayout
from tests.install.wheels import write_wheel


@pytest.fixture
def layout(tmp_path: Path) -> RootLayout:
    return RootLayout(tmp_path / "root")


@pytest.fixture(scope="session")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A family of tiny packages: torch in two builds, one that cannot be imported, one that lies about its build."""
    folder = tmp_path_factory.mktemp("wheels")
    write_wheel(folder, "torch", "9.1.0+cpu", requires=("tinydep",), padding=2_000_000)
    write_wheel(folder, "torch", "9.2.0+cu130", requires=("tinydep",))
    write_wheel(folder, "torch", "9.3.0+cpu", code="raise OSError('[WinError 126] c10.dll')")
    write_wheel(folder, "torch", "9.4.0+cu130", code="__version__ = '9.4.0+cpu'")
    write_wheel(folder, "tinydep", "1.0")
    return folder
