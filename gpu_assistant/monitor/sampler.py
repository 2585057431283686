"""Samples outside of whoever looks: a child process asks the drivers, so that a hung driver hangs only the child."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from gpu_assistant.monitor.model import Sample


class Sampler:
    """Sends samples until it is stopped; restarts its child when that falls silent or dies.

    `on_sample` is called on the sampler's own thread, once per `interval` seconds, also while nothing answers
    (then with `trouble`). Every method returns at once and may be called from any thread.
    """

    def __init__(
        self,
        on_sample: Callable[[Sample], None],
        *,
        interval: float = 1.0,
        command: Sequence[str] | None = None,
    ) -> None:
        """`command` replaces the sampling child, for tests."""
        raise NotImplementedError

    def start(self) -> None:
        """Begins to sample."""

    def stop(self, timeout: float = 3.0) -> None:
        """Ends the child and the thread."""

    def pause(self) -> None:
        """Lets go of the driver, so that a laptop's card may fall asleep; nothing is sampled until `resume`."""

    def resume(self) -> None:
        """Samples again after `pause`."""

    def set_interval(self, seconds: float) -> None:
        """Another rate from now on."""
