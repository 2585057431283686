"""The guards: what must never happen fails the test that caused it."""

from __future__ import annotations

import logging
import os
import socket
import sys
import threading
from collections.abc import Iterator, Sequence
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

import pytest

# Wine keeps Qt's own variables from the programs in it
os.environ.setdefault("QT_QPA_PLATFORM", os.environ.get("GPU_ASSISTANT_TEST_PLATFORM", "offscreen"))

FRAMEWORKS = {"torch", "tensorflow", "jax", "flax", "lightning", "transformers", "accelerate", "deepspeed"}
LOCAL = ("127.", "::1", "localhost", "0.0.0.0")


class _ForbidFrameworks:
    """An import hook that refuses what our process must never load."""

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name.split(".")[0] in FRAMEWORKS:
            raise AssertionError(f"our process must never load a framework: {name}")
        return None


@pytest.fixture(autouse=True)
def no_framework_imports(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "meta_path", [_ForbidFrameworks(), *sys.meta_path])


@pytest.fixture(autouse=True)
def own_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The program's folders of this test; the real ones are out of reach."""
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("GPU_ASSISTANT_HOME", str(home))
    return home


@pytest.fixture(autouse=True)
def no_network(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sockets of our process reach this machine only; children are told apart by their own settings."""
    if "allow_network" in request.keywords:
        return
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: object) -> None:
        if isinstance(address, tuple) and not str(address[0]).startswith(LOCAL):
            raise AssertionError(f"a test reached for the network: {address}")
        connect(self, address)  # type: ignore[arg-type]

    monkeypatch.setattr(socket.socket, "connect", guarded)


@pytest.fixture(autouse=True)
def no_log_warnings(request: pytest.FixtureRequest, caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    yield
    if "allow_log" not in request.keywords:
        loud = [record.getMessage() for record in caplog.get_records("call") if record.levelno >= logging.WARNING]
        assert not loud, f"unexpected log warnings: {loud}"


@pytest.fixture(autouse=True)
def no_leaked_threads() -> Iterator[None]:
    before = set(threading.enumerate())
    yield
    # Python before 3.13 keeps a stand-in for every foreign thread (a QThread) that asked who it is, for ever
    started = (one for one in threading.enumerate() if not isinstance(one, threading._DummyThread))
    left = [thread for thread in started if thread not in before]
    for thread in left:
        thread.join(2)
    alive = [thread.name for thread in left if thread.is_alive()]
    assert not alive, f"threads left running: {alive}"
