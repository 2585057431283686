"""Reads the lock that uv writes before anything is fetched: every file with its address, size and hash."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import unquote, urlsplit

from gpu_assistant.base.model import Value


class Artifact(Value, frozen=True, kw_only=True):
    """One wheel. `size` in bytes is None where the index does not tell it; `url` may be a `file:` address."""

    name: str
    version: str
    url: str
    size: int | None = None
    sha256: str | None = None

    @property
    def filename(self) -> str:
        """The wheel's file name."""
        return PurePosixPath(unquote(urlsplit(self.url).path)).name

    @property
    def remote(self) -> bool:
        """Whether it must be fetched."""
        return urlsplit(self.url).scheme in ("http", "https")


class Locked(Value, frozen=True, kw_only=True):
    """The wheels that will be installed."""

    artifacts: tuple[Artifact, ...]


def read_lock(text: str) -> Locked:
    """Reads a `pylock.toml`. Raises `ValueError` where it is none."""
    packages = tomllib.loads(text).get("packages")
    if not isinstance(packages, list):
        raise ValueError("the lock names no packages")
    return Locked(artifacts=tuple(artifact for package in packages if (artifact := _artifact(package)) is not None))


def _artifact(package: Mapping[str, Any]) -> Artifact | None:
    """The package's wheel; None for what has only a source archive, which uv builds by itself.

    With several wheels only uv knows which one fits best, so it fetches that one itself too.
    """
    wheels = [wheel for wheel in package.get("wheels", ()) if "url" in wheel]
    if len(wheels) != 1:
        return None
    wheel = wheels[0]
    return Artifact(
        name=str(package["name"]),
        version=str(package.get("version", "")),
        url=str(wheel["url"]),
        size=wheel.get("size"),
        sha256=wheel.get("hashes", {}).get("sha256"),
    )
