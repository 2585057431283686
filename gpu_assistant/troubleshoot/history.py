"""What was tried on this computer, so that nobody is sent in circles."""

from __future__ import annotations

from pathlib import Path

import msgspec

from gpu_assistant.base.files import put_aside, write_atomic
from gpu_assistant.base.model import Value, from_json, to_json
from gpu_assistant.troubleshoot.diagnosis import Diagnosis, Fix

FILE = "tried-fixes.json"  # in the data folder of the program
KEEP = 200


class Tried(Value, frozen=True, kw_only=True):
    """One fix that was carried out, by us or by the user's word. `helped` is None until "check again" told."""

    cause: str
    fix: str  # `Fix.id`
    time: float  # Unix time
    environment: str | None = None
    helped: bool | None = None


class History(Value, frozen=True, kw_only=True):
    """Oldest first."""

    tried: tuple[Tried, ...] = ()


def add(history: History, entry: Tried) -> History:
    """With one entry more; the oldest are forgotten."""
    return History(tried=(*history.tried, entry)[-KEEP:])


def told(history: History, cause: str, fix: str, helped: bool) -> History:
    """The newest entry of that fix learns whether it helped."""
    entries = list(history.tried)
    for place in reversed(range(len(entries))):
        if entries[place].cause == cause and entries[place].fix == fix:
            entries[place] = msgspec.structs.replace(entries[place], helped=helped)
            break
    return History(tried=tuple(entries))


def with_history(
    diagnoses: tuple[Diagnosis, ...], history: History, environment: str | None = None
) -> tuple[Diagnosis, ...]:
    """The same causes; fixes that were tried and after which the cause came back stand last and are marked.

    A fix whose last trial helped is offered as before: the same problem on another day wants it first.
    """
    return tuple(_reordered(diagnosis, history, environment) for diagnosis in diagnoses)


def _reordered(diagnosis: Diagnosis, history: History, environment: str | None) -> Diagnosis:
    last = {
        entry.fix: entry
        for entry in history.tried
        if entry.cause == diagnosis.cause and (not environment or entry.environment in (None, environment))
    }
    used = {fix for fix, entry in last.items() if not entry.helped}
    if not used.intersection(fix.id for fix in diagnosis.fixes):
        return diagnosis
    fixes: list[Fix] = [msgspec.structs.replace(fix, tried=fix.id in used) for fix in diagnosis.fixes]
    fixes.sort(key=lambda fix: fix.tried)
    return msgspec.structs.replace(diagnosis, fixes=tuple(fixes))


def load_history(folder: Path) -> History:
    """The history in the program's data folder; a broken file is put aside."""
    path = folder / FILE
    try:
        return from_json(path.read_bytes(), History)
    except FileNotFoundError:
        return History()
    except (msgspec.DecodeError, OSError):
        if path.is_file():
            put_aside(path)
        return History()


def save_history(folder: Path, history: History) -> None:
    """Writes it in one step. Raises `OSError`."""
    write_atomic(folder / FILE, to_json(history, indent=2))
