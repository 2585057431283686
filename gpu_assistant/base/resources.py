"""Finds and strictly reads the data files under `resources/`."""

from __future__ import annotations

import difflib
import functools
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any, TypeVar

import msgspec

T = TypeVar("T")


class Complaint(msgspec.Struct, frozen=True):
    """One thing wrong with one data file."""

    file: str
    entry: str
    key: str
    problem: str

    def __str__(self) -> str:
        return ": ".join(part for part in (self.file, self.entry, self.key, self.problem) if part)


class BadData(Exception):
    """Data files that cannot be used, with every complaint at once."""

    def __init__(self, complaints: Iterable[Complaint]) -> None:
        self.complaints = tuple(complaints)
        super().__init__("\n".join(map(str, self.complaints)))


@functools.cache
def resource_root() -> Path:
    """The folder of resources: inside the installed package, else beside it in a checkout."""
    package = Path(__file__).parents[1]
    installed = package / "_resources"
    return installed if installed.is_dir() else package.parent / "resources"


def read_toml(path: Path, type_: type[T]) -> T:
    """Decodes a TOML file strictly. Raises `BadData` that names file, key and the nearest known key, or the line."""
    try:
        return msgspec.toml.decode(path.read_bytes(), type=type_)
    except (msgspec.ValidationError, msgspec.DecodeError, UnicodeDecodeError, OSError) as error:
        raise BadData([_complaint(path, type_, str(error))]) from error


def read_entries(path: Path, type_: type[T]) -> tuple[dict[str, T], list[Complaint]]:
    """Decodes a TOML file of named entries one by one, so that one bad entry does not hide the others' faults.

    Raises `BadData` only where the file as a whole is no TOML table of tables.
    """
    entries: dict[str, T] = {}
    complaints: list[Complaint] = []
    for name, raw in read_toml(path, dict[str, dict[str, Any]]).items():
        try:
            entries[name] = msgspec.convert(raw, type_)
        except msgspec.ValidationError as error:
            complaints.append(_complaint(path, type_, str(error), name))
    return entries, complaints


def _complaint(path: Path, type_: type, text: str, entry: str = "") -> Complaint:
    file = "/".join(path.parts[-2:])
    where = re.search(r" - at `\$\.?([^`]*)`", text)
    unknown = re.search(r"unknown field `([^`]+)`", text)
    problem = text.split(" - at `")[0]
    if unknown:
        near = difflib.get_close_matches(unknown.group(1), sorted(_field_names(type_)), n=1)
        problem += f'; did you mean "{near[0]}"?' if near else ""
    return Complaint(file, entry, where.group(1) if where else "", problem)


def _field_names(type_: type) -> set[str]:
    """Every key that the type, or a type inside it, knows."""
    names: set[str] = set()
    todo: list[msgspec.inspect.Type] = [msgspec.inspect.type_info(type_)]
    seen: set[type] = set()
    while todo:
        info = todo.pop()
        if isinstance(info, msgspec.inspect.StructType):
            if info.cls in seen:
                continue
            seen.add(info.cls)
            names |= {field.encode_name for field in info.fields}
            todo += [field.type for field in info.fields]
        for attribute in ("item_type", "value_type", "key_type"):
            if (inner := getattr(info, attribute, None)) is not None:
                todo.append(inner)
        for attribute in ("types", "item_types"):
            todo += getattr(info, attribute, ())
    return names
