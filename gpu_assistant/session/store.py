"""Keeps the session in a file, so that the wizard goes on where it was after a restart of the computer."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import msgspec
from msgspec.structs import replace

from gpu_assistant.base.files import put_aside, write_atomic
from gpu_assistant.base.message import Message, message
from gpu_assistant.base.model import from_json, to_json
from gpu_assistant.session.state import SessionState, on_open_page

FILE_NAME = "session.json"


def save_session(folder: Path, state: SessionState) -> Message | None:
    """Writes the session in one step; what went wrong comes back as a message."""
    try:
        write_atomic(folder / FILE_NAME, to_json(_at_rest(state)))
    except OSError as error:
        return message("session-not-saved", detail=str(error))
    return None


class SessionWriter:
    """Writes sessions on a thread of its own, the latest last: a busy disk must not hold up whoever shows them."""

    def __init__(self, folder: Path, tell: Callable[[Message], None]) -> None:
        """`tell` is called on the writing thread with what went wrong."""
        self._folder = folder
        self._tell = tell
        self._lock = threading.Lock()
        self._waiting: SessionState | None = None
        self._thread: threading.Thread | None = None

    def write(self, state: SessionState) -> None:
        """Writes soon; a state that still waits is passed over for this one."""
        with self._lock:
            self._waiting = state
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="session-writer")
                self._thread.start()

    def finish(self) -> None:
        """Returns when everything is written."""
        with self._lock:
            thread = self._thread
        if thread is not None:
            thread.join()

    def _work(self) -> None:
        while True:
            with self._lock:
                state, self._waiting = self._waiting, None
                if state is None:
                    self._thread = None
                    return
            if (trouble := save_session(self._folder, state)) is not None:
                self._tell(trouble)


def load_session(folder: Path) -> tuple[SessionState, Message | None]:
    """The saved session at rest. A missing file gives a new one; a broken one is renamed aside and told."""
    path = folder / FILE_NAME
    try:
        return read_state(path), None
    except FileNotFoundError:
        return SessionState(), None
    except (msgspec.DecodeError, UnicodeDecodeError):
        return SessionState(), message("session-broken", file=str(put_aside(path)))
    except OSError as error:
        return SessionState(), message("session-unreadable", detail=str(error))


def read_state(path: Path) -> SessionState:
    """One saved state. Raises `OSError`, `msgspec.DecodeError`."""
    return _at_rest(from_json(path.read_bytes(), SessionState))


def _at_rest(state: SessionState) -> SessionState:
    """No job survives the program; a page that only a running job opened is left for the one before it."""
    state = replace(state, busy="", cancelling=False, trouble=None, done=None)
    if state.install is not None and state.install.ending is None:
        state = replace(state, install=None)
    return on_open_page(state)
