"""Which program is watched, and how it is started."""

from __future__ import annotations

from pathlib import Path

from gpu_assistant.base.model import Value


class WatchSpec(Value, frozen=True, kw_only=True):
    """One program to start and watch. It runs in `folder`, by default the script's own."""

    python: str  # the interpreter of the environment
    script: str
    arguments: tuple[str, ...] = ()
    folder: str = ""
    profile: bool = False  # let PyTorch's profiler look at ten steps

    @property
    def command(self) -> tuple[str, ...]:
        """What is run, as one would type it."""
        return (self.python, "-u", str(Path(self.script).absolute()), *self.arguments)

    @property
    def home(self) -> Path:
        """The folder that it runs in."""
        return Path(self.folder) if self.folder else Path(self.script).absolute().parent
