"""Live numbers of the cards while a training runs: the sampler's thread on one side, the window's on the other."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from gpu_assistant.monitor.model import Sample

if TYPE_CHECKING:
    from gpu_assistant.monitor.sampler import Sampler

MakeSampler = Callable[[Callable[[Sample], None]], "Sampler | None"]


class Live(QObject):
    """Runs the sampler only while somebody looks, so that a laptop's card may sleep otherwise."""

    sampled = Signal(object)  # Sample, in the GUI thread

    def __init__(self, make: MakeSampler) -> None:
        super().__init__()
        self._make = make
        self._sampler: Sampler | None = None
        self._ending: threading.Thread | None = None

    def shut_down(self) -> None:
        """Stops; returns when the sampler's child is gone."""
        self.run(False)
        if self._ending is not None:
            self._ending.join()

    def run(self, wanted: bool) -> None:
        """Starts or stops."""
        if wanted == (self._sampler is not None):
            return
        if not wanted and self._sampler is not None:
            # its child takes a moment to end, for which the window shall not wait
            self._ending = threading.Thread(target=self._sampler.stop, name="sampler-end")
            self._ending.start()
            self._sampler = None
            return
        self._sampler = self._make(self.sampled.emit)
        if self._sampler is not None:
            self._sampler.start()
