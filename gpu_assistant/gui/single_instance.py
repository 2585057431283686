"""A second start brings the first window to the front, and hands over the file that it was given."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QLockFile
from PySide6.QtNetwork import QLocalServer, QLocalSocket

WAIT_MS = 1000
ANSWER_MS = 3000  # the first one may be busy opening itself

_lock: QLockFile | None = None
_server: QLocalServer | None = None


def claim(folder: Path, file: Path | None = None) -> bool:
    """Whether we are the first for this folder. If not, the first one shows itself and opens the file."""
    global _lock, _server
    folder.mkdir(parents=True, exist_ok=True)
    name = "gpu-assistant-" + hashlib.sha256(str(folder).encode()).hexdigest()[:16]
    lock = QLockFile(str(folder / "window.lock"))
    lock.setStaleLockTime(0)
    # somebody holds the lock and does not answer: rather two windows than none
    if not lock.tryLock(0) and lock.error() == QLockFile.LockError.LockFailedError and _hand_over(name, lock, file):
        return False
    _lock = lock
    _server = QLocalServer()
    QLocalServer.removeServer(name)
    _server.listen(name)
    return True


def _hand_over(name: str, lock: QLockFile, file: Path | None) -> bool:
    """Whether the first one took it."""
    socket = QLocalSocket()
    socket.connectToServer(name)
    if not socket.waitForConnected(WAIT_MS):
        return False
    holder = lock.getLockInfo()
    _let_come_forward(int(holder[0]) if isinstance(holder, tuple) else 0)
    said = str(file.absolute()) if file is not None else ""
    socket.write(said.encode("utf-8", "surrogatepass") + b"\n")
    socket.flush()
    socket.waitForDisconnected(ANSWER_MS)  # the first one hangs up when it has read
    return True


def _let_come_forward(pid: int) -> None:
    """Windows lets only the program in front, which the user has just started, pass the front on."""
    if sys.platform == "win32":
        import ctypes

        ctypes.windll.user32.AllowSetForegroundWindow(pid or -1)  # -1: to anybody


def release() -> None:
    """Lets the next start be the first."""
    global _lock, _server
    if _server is not None:
        _server.close()
    if _lock is not None:
        _lock.unlock()
    _lock = _server = None


def on_second_start(action: Callable[[Path | None], None]) -> None:
    """Calls the action whenever somebody starts the program again, with the file that came along."""
    if _server is not None:
        _server.newConnection.connect(lambda: _listen(action))


def _listen(action: Callable[[Path | None], None]) -> None:
    while _server is not None and (socket := _server.nextPendingConnection()) is not None:
        socket.readyRead.connect(partial(_read, socket, action))
        socket.disconnected.connect(socket.deleteLater)
        _read(socket, action)  # what came before we listened


def _read(socket: QLocalSocket, action: Callable[[Path | None], None]) -> None:
    if socket.canReadLine():
        said = bytes(socket.readLine().data()).decode("utf-8", "surrogatepass").rstrip("\n")
        socket.disconnectFromServer()
        action(Path(said) if said else None)
