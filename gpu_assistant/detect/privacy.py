"""Takes the private parts out of raw answers in a way that their parsers still understand them."""

from __future__ import annotations

import contextlib
import getpass
import re
import socket
from collections.abc import Mapping

from gpu_assistant.base.redact import redact

_UUID = re.compile(r"\b(GPU|MIG)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b", re.IGNORECASE)
_MARK = re.compile(r"<(user|private|removed|token|secret|login|mail|address|mac|GPU-uuid-\d+)>")
_NOBODY = {"root", "user", "admin", "administrator", "localhost", "ubuntu", "debian", "docker"}


class Redactor:
    """Replaces the same secret by the same stand-in in every answer, so that they still belong together."""

    def __init__(self, *, home: str = "", words: tuple[str, ...] = ()) -> None:
        """`home` is the user's folder, hidden wherever it lies; `words` are names of the user and the computer."""
        self._home = home if len(home) > 3 else ""
        self._words = tuple(word for word in words if word.lower() not in _NOBODY)
        self._uuids: dict[str, str] = {}

    def text(self, text: str) -> str:
        """One answer without what tells who and where."""
        if self._home:
            shown = f"{self._home[:2]}\\Users\\<user>" if self._home[1:2] == ":" else "/home/<user>"
            for spelling, stand_in in ((self._home, shown), (_escaped(self._home), _escaped(shown))):
                text = re.sub(rf"(?<!\w){re.escape(spelling)}(?![\w.-])", stand_in.replace("\\", "\\\\"), text)
        text = _UUID.sub(lambda match: self._uuid(match[0], match[1]), text)
        text = redact(text, self._words)
        if text.lstrip().startswith("<?xml"):
            text = _MARK.sub(r"&lt;\1&gt;", text)
        return text

    def values(self, values: Mapping[str, str | int | list[str]]) -> dict[str, str | int | list[str]]:
        """The values of a registry key, redacted."""
        clean: dict[str, str | int | list[str]] = {}
        for name, value in values.items():
            if isinstance(value, str):
                clean[self.text(name)] = self.text(value)
            elif isinstance(value, list):
                clean[self.text(name)] = [self.text(item) for item in value]
            else:
                clean[self.text(name)] = value
        return clean

    def _uuid(self, uuid: str, kind: str) -> str:
        return self._uuids.setdefault(uuid.lower(), f"{kind.upper()}-uuid-{len(self._uuids) + 1}")


def _escaped(path: str) -> str:
    """As JSON spells it."""
    return path.replace("\\", "\\\\")


def redactor_of_this_user(home: str | None) -> Redactor:
    """The redactor that knows this user's and this computer's names."""
    words = [socket.gethostname()]
    with contextlib.suppress(OSError, KeyError, ImportError):
        words.append(getpass.getuser())
    return Redactor(home=home or "", words=tuple(words))
