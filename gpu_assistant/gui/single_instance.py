"""A second start brings the first window to the front instead of opening another."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QLockFile
from PySide6.QtNetwork import QLocalServer, QLocalSocket

WAIT_MS = 1000

_lock: QLockFile | None = None
_server: QLocalServer | None = None


def claim(folder: Path) -> bool:
    """Whether we are the first for this folder. If not, the first one has been asked to come to the front."""
    global _lock, _server
    folder.mkdir(parents=True, exist_ok=True)
    name = "gpu-assistant-" + hashlib.sha256(str(folder).encode()).hexdigest()[:16]
    lock = QLockFile(str(folder / "window.lock"))
    lock.setStaleLockTime(0)
    if not lock.tryLock(0) and lock.error() == QLockFile.LockError.LockFailedError:
        socket = QLocalSocket()
        socket.connectToServer(name)
        # somebody holds the lock and does not answer: rather two windows than none
        if socket.waitForConnected(WAIT_MS):
            socket.disconnectFromServer()
            return False
    _lock = lock
    _server = QLocalServer()
    QLocalServer.removeServer(name)
    _server.listen(name)
    return True


def release() -> None:
    """Lets the next start be the first."""
    global _lock, _server
    if _server is not None:
        _server.close()
    if _lock is not None:
        _lock.unlock()
    _lock = _server = None


def on_second_start(action: Callable[[], None]) -> None:
    """Calls the action whenever somebody starts the program again."""
    if _server is not None:
        _server.newConnection.connect(lambda: _answer(action))


def _answer(action: Callable[[], None]) -> None:
    if _server is not None and (socket := _server.nextPendingConnection()) is not None:
        socket.deleteLater()
        action()
