"""The rows of `resources/checks/*.toml`: what each finding says, and scripts that must and must not lead to it."""

from __future__ import annotations

import functools
from pathlib import Path

from gpu_assistant.base.model import Value
from gpu_assistant.base.resources import BadData, Complaint, read_entries, resource_root
from gpu_assistant.base.texts import placeholders
from gpu_assistant.troubleshoot.diagnosis import Bilingual


class Row(Value, frozen=True, kw_only=True):
    """One finding. Its texts and `code` may have holes, which the detector fills; braces in code are doubled."""

    rank: int  # 0 to 100: from 75 it fails or is wrong, from 45 it costs much, below it is a chance
    title: Bilingual
    why: Bilingual
    code: str = ""  # what to write instead, language-free
    bad: tuple[str, ...]  # scripts with exactly one such finding, in the line that ends with "# <-"
    good: tuple[str, ...]  # scripts without it
    sources: tuple[str, ...] = ()


def load_rows(folder: Path) -> dict[str, Row]:
    """Reads every `*.toml` of the folder. Raises `BadData` with all complaints at once."""
    rows: dict[str, Row] = {}
    complaints: list[Complaint] = []
    for path in sorted(folder.glob("*.toml")):
        table, bad = read_entries(path, Row)
        complaints += bad
        for id_, row in table.items():
            if id_ in rows:
                complaints.append(Complaint(path.name, id_, "", "this id stands in another file too"))
            rows[id_] = row
            complaints += [Complaint(path.name, id_, key, problem) for key, problem in _faults(row)]
    if complaints:
        raise BadData(complaints)
    return rows


def _faults(row: Row) -> list[tuple[str, str]]:
    found = []
    for key, text in (("title", row.title), ("why", row.why)):
        if not text.en.strip() or not text.ru.strip():
            found.append((key, "empty text"))
        if placeholders(text.en) != placeholders(text.ru):
            found.append((key, "hole in one language only"))
    if not row.bad or not row.good:
        found.append(("bad", "needs an example for and one against"))
    return found


@functools.cache
def check_rows() -> dict[str, Row]:
    """The program's own rows, read once."""
    return load_rows(resource_root() / "checks")
