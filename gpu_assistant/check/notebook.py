"""A notebook's code cells, and what Python cannot read in them: magics and shell lines."""

from __future__ import annotations

import re

import msgspec

_OTHER_LANGUAGE = re.compile(
    r"\s*%%(?:bash|sh|html|javascript|js|latex|markdown|svg|writefile|file|script|cmd|perl|ruby|R|sql|system|sx)\b|\s*%%!"
)
_MAGIC = re.compile(r"(\s*)(?:[%!]|\?|get_ipython\(\))|(\s*)[\w.]+\s*=\s*[%!]|(\s*)[\w.]+\?{1,2}\s*$")


class NotebookError(Exception):
    """The text is no notebook; the reason is the argument."""


class _Cell(msgspec.Struct):
    cell_type: str = ""
    source: str | list[str] = ""
    input: str | list[str] = ""  # its name before nbformat 4
    language: str = "python"


class _Sheet(msgspec.Struct):
    cells: list[_Cell] = []


class _Notebook(msgspec.Struct):
    cells: list[_Cell] | None = None
    worksheets: list[_Sheet] | None = None


def read_cells(text: str) -> list[str]:
    """The text of every code cell, in order; a cell in another language is an empty one. Raises `NotebookError`."""
    try:
        notebook = msgspec.json.decode(text.encode("utf-8", "replace"), type=_Notebook)
    except (msgspec.DecodeError, RecursionError) as error:
        raise NotebookError(str(error)) from None
    if notebook.cells is None and notebook.worksheets is None:
        raise NotebookError("no cells")
    cells = notebook.cells or [cell for sheet in notebook.worksheets or () for cell in sheet.cells]
    return [_text(cell) for cell in cells if cell.cell_type == "code"]


def _text(cell: _Cell) -> str:
    parts = cell.source or cell.input
    text = parts if isinstance(parts, str) else "".join(parts)
    text = re.sub(r"\r\n?|\f|\v", "\n", text).replace("\0", " ").rstrip("\n")
    return "\n" * text.count("\n") if _OTHER_LANGUAGE.match(text) else text


def without_magics(text: str) -> str:
    """The text with `pass` in place of every magic and shell line; lines keep their numbers."""
    kept: list[str] = []
    continued = False
    for line in text.split("\n"):
        found = _MAGIC.match(line)
        if continued or found:
            indent = next((part for part in found.groups() if part is not None), "") if found else ""
            kept.append("" if continued else f"{indent}pass")
            continued = line.rstrip().endswith("\\")
        else:
            kept.append(line)
    return "\n".join(kept)
