"""The base of every value that flows: frozen, strict, one spelling in JSON."""

from __future__ import annotations

from typing import TypeVar

import msgspec

T = TypeVar("T")


class Value(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A frozen value. Change it with `msgspec.structs.replace`."""


def to_json(value: object, *, indent: int = 0) -> bytes:
    """UTF-8 JSON of a value; keys keep the order of their declaration."""
    data = msgspec.json.encode(value)
    return msgspec.json.format(data, indent=indent) if indent else data


def from_json(data: bytes | str, type_: type[T]) -> T:
    """Reads what `to_json` wrote. Raises `msgspec.DecodeError`, or its child `msgspec.ValidationError`."""
    return msgspec.json.decode(data, type=type_)
