"""From a file's bytes to lines of Python: encodings, notebooks, magics. Nothing is run."""

from __future__ import annotations

import codecs
import io
import re
import tokenize

from gpu_assistant.base.message import Message, message
from gpu_assistant.base.model import Value
from gpu_assistant.check.notebook import NotebookError, read_cells

MOST_BYTES = 4_000_000  # a longer file is data or generated, not a script
MOST_NOTEBOOK_BYTES = 60_000_000  # pictures in the outputs are not read
_LEGACY = ("cp1251", "latin-1")  # the second decodes everything


class Cell(Value, frozen=True, kw_only=True):
    """A code cell of a notebook; `number` counts code cells from 1, `start` is its first line in `Source.text`."""

    number: int
    start: int


class Source(Value, frozen=True, kw_only=True):
    """Python text to be analysed. Where `cells` is not empty, it is a notebook's code cells one after the other."""

    text: str = ""
    cells: tuple[Cell, ...] = ()
    trouble: Message | None = None  # why there is nothing to analyse
    notes: tuple[Message, ...] = ()

    @property
    def lines(self) -> list[str]:
        """The text line by line, as the parser counts them."""
        return self.text.split("\n")

    def place(self, line: int) -> tuple[int | None, int]:
        """Cell and line in it of a line of the text, both from 1; a script has no cells."""
        inside = [cell for cell in self.cells if cell.start <= line]
        return (inside[-1].number, line - inside[-1].start + 1) if inside else (None, line)


def read_source(data: bytes, *, notebook: bool) -> Source:
    """The Python in a file. Never raises: what cannot be read has its reason in `trouble`."""
    if len(data) > (MOST_NOTEBOOK_BYTES if notebook else MOST_BYTES):
        return Source(trouble=message("check-too-big", size=len(data)))
    text = decode_python(data)
    if not notebook:
        return Source(text=text) if text.strip() else Source(trouble=message("check-empty"))
    try:
        cells = read_cells(text)
    except NotebookError as error:
        return Source(trouble=message("check-no-notebook", detail=str(error)))
    if not any(cell.strip() for cell in cells):
        return Source(trouble=message("check-empty"))
    return join_cells(cells)


def join_cells(texts: list[str]) -> Source:
    """One text out of the cells, with where each begins."""
    lines: list[str] = []
    cells: list[Cell] = []
    for number, text in enumerate(texts, 1):
        cells.append(Cell(number=number, start=len(lines) + 1))
        lines += text.split("\n")
    return Source(text="\n".join(lines), cells=tuple(cells))


def decode_python(data: bytes) -> str:
    """Text of a source file: its mark, its coding line (PEP 263), UTF-8, else an old code page. Line ends are "\\n"."""
    return re.sub(r"\r\n?|\f|\v", "\n", _decode(data)).replace("\0", " ")


def _decode(data: bytes) -> str:
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16", "replace")
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        return data.decode(encoding)
    except (SyntaxError, LookupError, UnicodeDecodeError, ValueError):
        pass
    for encoding in ("utf-8-sig", *_LEGACY):
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    return data.decode("utf-8", "replace")
