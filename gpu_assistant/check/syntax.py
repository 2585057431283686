"""Text to a syntax tree, or a sentence that says which line Python cannot read."""

from __future__ import annotations

import ast
import re
import sys
import warnings

from msgspec.structs import replace

from gpu_assistant.base.message import Message, message
from gpu_assistant.check.notebook import without_magics
from gpu_assistant.check.source import Cell, Source

_PYTHON_2 = re.compile(
    r"^\s*(?:print\s+[^(=\s]|print\s*>>|exec\s+[\"']|raise\s+\w+\s*,|except\s+[\w.]+\s*,\s*\w+\s*:)|<>|\b0[0-7]+L?\b|\bur[\"']"
)
_PYTHON_2_SAYS = ("Missing parentheses in call to 'print'", "multiple exception types must be parenthesized")


def parse(source: Source) -> tuple[ast.Module | None, Source]:
    """The tree, and the source as it was read: magics replaced, broken cells emptied and noted.

    Without a tree the source's `trouble` says why. Never raises.
    """
    if source.trouble is not None:
        return None, source
    if source.cells:
        source = _mend_cells(source)
    try:
        return parse_text(source.text), source
    except SyntaxError as error:
        if not source.cells and (mended := without_magics(source.text)) != source.text:
            return _parse_mended(source, mended, error)
        return None, replace(source, trouble=_syntax_trouble(source, error))
    except (RecursionError, MemoryError, ValueError):
        return None, replace(source, trouble=message("check-too-deep"))


def parse_text(text: str) -> ast.Module:
    """The tree of a text, as notebooks are read: `await` may stand outside functions. Raises as `compile` does."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # an invalid escape in somebody's string
        tree = compile(text, "<script>", "exec", ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
    assert isinstance(tree, ast.Module)
    return tree


def _parse_mended(source: Source, mended: str, error: SyntaxError) -> tuple[ast.Module | None, Source]:
    # a notebook saved as a script keeps its magics
    try:
        return parse_text(mended), replace(source, text=mended)
    except (SyntaxError, RecursionError, MemoryError, ValueError):
        return None, replace(source, trouble=_syntax_trouble(source, error))


def _mend_cells(source: Source) -> Source:
    lines = source.lines
    ends = [cell.start - 1 for cell in source.cells[1:]] + [len(lines)]
    texts: list[str] = []
    notes: list[Message] = []
    for cell, end in zip(source.cells, ends, strict=True):
        text = "\n".join(lines[cell.start - 1 : end])
        mended, note = _mend_cell(cell, text)
        texts.append(mended)
        notes += [note] if note is not None else []
    return replace(source, text="\n".join(texts), notes=(*source.notes, *notes))


def _mend_cell(cell: Cell, text: str) -> tuple[str, Message | None]:
    trouble: SyntaxError | None = None
    for candidate in (text, without_magics(text)):
        try:
            parse_text(candidate)
        except SyntaxError as error:
            trouble = error
        except (RecursionError, MemoryError, ValueError):
            trouble = SyntaxError("too deeply nested")
        else:
            return candidate, None
    assert trouble is not None
    note = message("check-cell-skipped", cell=cell.number, line=trouble.lineno or 1, detail=trouble.msg)
    return "\n" * text.count("\n"), note


def _syntax_trouble(source: Source, error: SyntaxError) -> Message:
    line = error.lineno or 1
    text = source.lines[line - 1] if line <= len(source.lines) else ""
    if _PYTHON_2.search(text) or any(error.msg.startswith(says) for says in _PYTHON_2_SAYS):
        return message("check-python-2", line=line)
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    return message("check-syntax", line=line, detail=error.msg, version=version)
