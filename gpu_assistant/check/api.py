"""What is known about the frameworks' functions: `resources/checks/shared/api.toml`, read strictly and once."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable
from pathlib import Path

from gpu_assistant.base.model import Value
from gpu_assistant.base.resources import read_toml, resource_root


class Gives(Value, frozen=True, kw_only=True):
    """Calls that give one kind of thing."""

    kind: str
    names: tuple[str, ...]


class Managers(Value, frozen=True, kw_only=True):
    """Libraries and classes that care for devices and gradients themselves."""

    imports: tuple[str, ...]
    calls: tuple[str, ...]


class _Table(Value, frozen=True, kw_only=True):
    gives: tuple[Gives, ...]
    bases: dict[str, tuple[str, ...]]
    managers: Managers
    names: dict[str, tuple[str, ...]]


class Api:
    """Names to meanings."""

    def __init__(self, table: _Table) -> None:
        self._gives = [(one.kind, _pattern(one.names)) for one in table.gives]
        self._bases = {kind: _pattern(names) for kind, names in table.bases.items()}
        self._names = {group: _pattern(names) for group, names in table.names.items()}
        self._managing_calls = _pattern(table.managers.calls)
        self.managing_imports = table.managers.imports

    def gives(self, name: str) -> str | None:
        """The kind of thing that a call of this full name gives; None where that is not known."""
        kind = next((kind for kind, pattern in self._gives if pattern.fullmatch(name)), None)
        return None if kind == "nothing" else kind

    def base_kind(self, name: str) -> str | None:
        """What an instance of a class with this base is."""
        return next((kind for kind, pattern in self._bases.items() if pattern.fullmatch(name)), None)

    def is_(self, name: str | None, group: str) -> bool:
        """Whether the full name belongs to a group of `[names]`. Raises `KeyError` for an unknown group."""
        return name is not None and self._names[group].fullmatch(name) is not None

    def manages(self, name: str) -> bool:
        """Whether a call of this name hands devices and gradients over."""
        return self._managing_calls.fullmatch(name) is not None


def _pattern(names: Iterable[str]) -> re.Pattern[str]:
    return re.compile("|".join(re.escape(name).replace(r"\*", ".*") for name in names))


def load_api(path: Path) -> Api:
    """Reads the file. Raises `BadData`."""
    return Api(read_toml(path, _Table))


@functools.cache
def api() -> Api:
    """The program's own knowledge, read once."""
    return load_api(resource_root() / "checks" / "shared" / "api.toml")
