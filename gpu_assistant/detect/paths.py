"""Paths of the machine that is asked, which may not be the one we run on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gpu_assistant.detect.gateways import Gateways


class MachinePaths:
    """Joins, splits and finds, with that machine's separators and variables."""

    def __init__(self, io: Gateways) -> None:
        facts = io.facts()
        self.io = io
        self.windows = facts.system == "windows"
        self.macos = facts.system == "macos"
        self.home = facts.home or ""
        self.variables = {name.upper() if self.windows else name: value for name, value in io.environment().items()}

    @property
    def separator(self) -> str:
        return "\\" if self.windows else "/"

    def join(self, *parts: str) -> str:
        """One path of the non-empty parts."""
        return self.separator.join(part.rstrip("/\\") if part not in ("/",) else "" for part in parts if part)

    def parent(self, path: str) -> str:
        return path.rstrip("/\\").rpartition(self.separator)[0] or self.separator

    def name(self, path: str) -> str:
        return path.rstrip("/\\").rpartition(self.separator)[2]

    def variable(self, name: str) -> str:
        """The variable's value, or an empty text."""
        return self.variables.get(name, "")

    def search_path(self) -> tuple[str, ...]:
        """The folders of PATH, each once, without pyenv's: its stand-ins are slow and tell nothing of their own."""
        folders = self.variable("PATH").split(";" if self.windows else ":")
        clean = (folder.strip().strip('"').rstrip("/\\") for folder in folders)
        return tuple(dict.fromkeys(folder for folder in clean if folder and not folder.endswith("shims")))

    def system_folder(self) -> str:
        """`C:\\Windows\\System32`."""
        return self.join(self.variable("SYSTEMROOT") or "C:\\Windows", "System32")

    def command(self, name: str, also: Iterable[str] = ()) -> str | None:
        """The full path of a program on PATH, else in one of the folders of `also`."""
        file = f"{name}.exe" if self.windows else name
        return next(self.existing(self.join(folder, file) for folder in (*self.search_path(), *also)), None)

    def existing(self, paths: Iterable[str]) -> Iterator[str]:
        """Those that exist, in their order."""
        return (path for path in paths if path and self.io.resolve(path) is not None)
