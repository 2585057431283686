"""What every part of the program is under, with the texts that its package brings."""

from __future__ import annotations

import sys
from importlib import metadata
from pathlib import Path

PARTS = (
    "PySide6_Essentials",
    "shiboken6",
    "numpy",
    "psutil",
    "nvidia-ml-py",
    "uv",
    "msgspec",
    "platformdirs",
    "packaging",
    "tomli-w",
)
FILE = "licences.txt"  # beside the shipped program's modules, made when it was built


def licences() -> str:
    """All licences, ours first."""
    shipped = Path(getattr(sys, "_MEIPASS", "")) / FILE
    if getattr(sys, "frozen", False) and shipped.is_file():
        return shipped.read_text("utf-8")
    return "\n\n\n".join(filter(None, map(_chapter, ("gpu-assistant", *PARTS)))) + "\n"


def _chapter(part: str) -> str:
    try:
        about = metadata.metadata(part)
    except metadata.PackageNotFoundError:
        return ""
    words = next((about[key] for key in ("License-Expression", "License") if about[key]), "")
    head = f"{about['Name']} {about['Version']}: {words.splitlines()[0] if words else ''}".rstrip(" :")
    texts = [
        file.read_text("utf-8")
        for file in metadata.files(part) or ()
        if "licen" in file.name.lower() and file.suffix in ("", ".txt", ".md") and Path(str(file.locate())).is_file()
    ]
    return "\n\n".join([head, "=" * len(head), *texts])
