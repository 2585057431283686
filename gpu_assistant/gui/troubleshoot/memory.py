"""What was tried on this computer, as the tab tells and asks it."""

from __future__ import annotations

import time
from pathlib import Path

from gpu_assistant.troubleshoot.diagnosis import Diagnosis, Fix
from gpu_assistant.troubleshoot.history import History, Tried, add, load_history, save_history, told


class FixMemory:
    """The history in the program's data folder. Nothing is kept here: each answer reads the file."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def read(self) -> History:
        """Everything that was tried."""
        return load_history(self._folder)

    def accepted(self, fix: Fix, diagnosis: Diagnosis, environment: str | None) -> None:
        """A fix is about to be carried out; whether it helps is still open. Raises `OSError`."""
        self._add(self.read(), fix, diagnosis, environment, None)

    def tell(self, fix: Fix, diagnosis: Diagnosis, environment: str | None, *, helped: bool) -> None:
        """The user's word on a fix; an open trial of it is closed with it. Raises `OSError`."""
        history = self.read()
        newest = next((e for e in reversed(history.tried) if (e.cause, e.fix) == (diagnosis.cause, fix.id)), None)
        if newest is not None and newest.helped is None:
            save_history(self._folder, told(history, diagnosis.cause, fix.id, helped))
        else:
            self._add(history, fix, diagnosis, environment, helped)

    def helped(self, diagnoses: tuple[Diagnosis, ...]) -> tuple[str, ...]:
        """What failed works now: the open trials against these causes helped. Their fixes' ids. Raises `OSError`."""
        history = self.read()
        causes = {diagnosis.cause for diagnosis in diagnoses}
        trials = [entry for entry in history.tried if entry.cause in causes and entry.helped is None]
        for entry in trials:
            history = told(history, entry.cause, entry.fix, True)
        if trials:
            save_history(self._folder, history)
        return tuple(dict.fromkeys(entry.fix for entry in trials))

    def _add(
        self, history: History, fix: Fix, diagnosis: Diagnosis, environment: str | None, helped: bool | None
    ) -> None:
        tried = Tried(cause=diagnosis.cause, fix=fix.id, time=time.time(), environment=environment, helped=helped)
        save_history(self._folder, add(history, tried))
