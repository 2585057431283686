"""What the watched program tells from inside: a file that grows while it runs."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import msgspec

from gpu_assistant.base.child import child_environment
from gpu_assistant.base.resources import resource_root
from gpu_assistant.watch.events import InsideEvent

_decoder: msgspec.json.Decoder[InsideEvent] = msgspec.json.Decoder(InsideEvent)


def hook_folder() -> Path:
    """The folder that goes onto the program's PYTHONPATH."""
    return resource_root() / "watch" / "hook"


def inside_environment(told: Path, *, profile: bool) -> dict[str, str]:
    """The program's environment: the user's own, and what makes it tell into the file `told`."""
    paths = [str(hook_folder()), *filter(None, [os.environ.get("PYTHONPATH")])]
    return child_environment(
        {
            "PYTHONPATH": os.pathsep.join(paths),
            "PYTHONNOUSERSITE": None,  # packages of the user's own count in the user's own program
            "PYTHONDONTWRITEBYTECODE": "1",  # the hook's folder may be read-only
            "GPU_ASSISTANT_WATCH": str(told),
            "GPU_ASSISTANT_PROFILE": "1" if profile else "0",
        }
    )


class Tail:
    """Reads what was added to a file since the last look. A line that cannot be read is passed over."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._place = 0
        self._rest = b""

    def read(self) -> Iterator[InsideEvent]:
        """The events that are new."""
        try:
            with self._path.open("rb") as file:
                file.seek(self._place)
                data = file.read()
        except FileNotFoundError:
            return
        self._place += len(data)
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            try:
                yield _decoder.decode(line)
            except (msgspec.DecodeError, UnicodeError):
                continue
