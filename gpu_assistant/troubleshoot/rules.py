"""The rule base: rows of `resources/errors/*.toml`, read strictly and once."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Literal

import msgspec

from gpu_assistant.base.model import Value
from gpu_assistant.base.resources import BadData, Complaint, read_entries, read_toml, resource_root
from gpu_assistant.base.system_pages import system_pages
from gpu_assistant.base.texts import placeholders
from gpu_assistant.troubleshoot.diagnosis import Bilingual, FixAction
from gpu_assistant.troubleshoot.numbers import Ratio
from gpu_assistant.troubleshoot.patterns import anchors, compile_pattern, faults


class FixRow(Value, frozen=True, kw_only=True):
    """One fix. It is left out when a hole in `needs` stays empty or a fact in `facts` does not hold."""

    en: str
    ru: str
    command: str | None = None
    action: FixAction | None = None
    page: str | None = None  # id of `resources/system_pages.toml`
    needs: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    not_facts: tuple[str, ...] = ()


class Row(Value, frozen=True, kw_only=True, rename={"not_": "not"}):
    """One row as it stands in the file. It matches when its text does and its facts hold.

    Its text: one of `any` or (with less weight) `weak`, every one of `all`, none of `not`; or an exit code; or
    another row of `refines`. Patterns are regular expressions without letter case, searched in single lines.
    """

    cause: str
    rank: int = 60  # how much a match means, 0 to 100
    weak_rank: int | None = None  # rank of a match by `weak` alone; default: 30 less
    any: tuple[str, ...] = ()
    weak: tuple[str, ...] = ()
    all: tuple[str, ...] = ()
    not_: tuple[str, ...] = ()
    ratios: tuple[tuple[Ratio, ...], ...] = ()  # sizes in the message: one group must hold
    capability: Literal["newer", "older"] | None = None  # the card against the build, as far as the message tells
    exit_codes: tuple[int, ...] = ()
    stages: tuple[str, ...] = ()
    timed_out: bool = False  # only for evidence of a stage that took too long
    refines: tuple[str, ...] = ()  # rows that this one makes more exact
    facts: tuple[str, ...] = ()  # must hold in the report
    supported_by: tuple[str, ...] = ()  # each makes it surer
    contradicted_by: tuple[str, ...] = ()  # any rules it out
    explains: tuple[str, ...] = ()  # rows and causes that are only its consequences
    notice: bool = False  # harmless by itself; stands after every real error
    title: Bilingual
    what: Bilingual
    why: Bilingual
    fixes: tuple[FixRow, ...]
    check: Bilingual | str = "run-again"  # a string is an id of shared/phrases.toml
    stop: Bilingual | str = "ask-with-report"
    defaults: dict[str, Bilingual] = {}  # what fills a hole that no pattern filled
    sources: tuple[str, ...] = ()
    as_of: str = "2026-12"
    match: tuple[str, ...]  # texts that must lead here
    no_match: tuple[str, ...] = ()  # texts that must not


class FactRow(Value, frozen=True, kw_only=True):
    """What a fact of the report means, to be said beside a diagnosis."""

    en: str
    ru: str


class Pattern(Value, frozen=True, kw_only=True):
    """A pattern and its anchors."""

    text: str
    anchors: tuple[str, ...]

    @property
    def regex(self) -> re.Pattern[str]:
        """Compiled when a text first holds an anchor: most patterns never meet theirs."""
        return compile_pattern(self.text)


class Rule(Value, frozen=True, kw_only=True):
    """A row, ready to be used."""

    id: str
    family: str  # name of its file
    row: Row
    any: tuple[Pattern, ...]
    weak: tuple[Pattern, ...]
    all: tuple[Pattern, ...]
    not_: tuple[Pattern, ...]
    check: Bilingual
    stop: Bilingual

    @property
    def patterns(self) -> tuple[Pattern, ...]:
        """Every pattern of the rule."""
        return self.any + self.weak + self.all + self.not_


class RuleBase(Value, frozen=True, kw_only=True):
    """Everything `diagnose` knows."""

    rules: dict[str, Rule]
    facts: dict[str, FactRow]
    phrases: tuple[tuple[str, str], ...]  # (lower-case sentence of a system in some language, what it means)


class _Shared(Value, frozen=True, kw_only=True):
    phrases: dict[str, Bilingual]
    facts: dict[str, FactRow]
    system: dict[str, tuple[str, ...]]  # meaning -> sentences in other languages


def load_rules(folder: Path) -> RuleBase:
    """Reads every `*.toml` of the folder. Raises `BadData` with all complaints at once."""
    shared = read_toml(folder / "shared" / "shared.toml", _Shared)
    rows: dict[str, tuple[str, Row]] = {}
    complaints: list[Complaint] = []
    for path in sorted(folder.glob("*.toml")):
        table, bad = read_entries(path, Row)
        complaints += bad
        for id_, row in table.items():
            if id_ in rows:
                complaints.append(Complaint(path.name, id_, "", f"this id stands in {rows[id_][0]} too"))
            rows[id_] = (path.stem, row)
    for id_, (family, row) in rows.items():
        complaints += _check(f"{family}.toml", id_, row, shared, rows)
    if complaints:
        raise BadData(complaints)
    rules = {id_: _rule(id_, family, row, shared) for id_, (family, row) in rows.items()}
    phrases = tuple((sentence.lower(), meaning) for meaning, list_ in shared.system.items() for sentence in list_)
    return RuleBase(rules=rules, facts=shared.facts, phrases=phrases)


@functools.cache
def rule_base() -> RuleBase:
    """The program's own rules, read once."""
    return load_rules(resource_root() / "errors")


def _rule(id_: str, family: str, row: Row, shared: _Shared) -> Rule:
    return Rule(
        id=id_,
        family=family,
        row=row,
        any=_compiled(row.any),
        weak=_compiled(row.weak),
        all=_compiled(row.all),
        not_=_compiled(row.not_),
        check=row.check if isinstance(row.check, Bilingual) else shared.phrases[row.check],
        stop=row.stop if isinstance(row.stop, Bilingual) else shared.phrases[row.stop],
    )


def _compiled(patterns: Iterable[str]) -> tuple[Pattern, ...]:
    return tuple(Pattern(text=pattern, anchors=anchors(pattern)) for pattern in patterns)


def _check(file: str, id_: str, row: Row, shared: _Shared, rows: dict[str, tuple[str, Row]]) -> list[Complaint]:
    found: list[tuple[str, str]] = []
    for key, patterns in (("any", row.any), ("weak", row.weak), ("all", row.all), ("not", row.not_)):
        found += [(key, f"{fault}: {pattern}") for pattern in patterns for fault in faults(pattern)]
    for key, reference in (("check", row.check), ("stop", row.stop)):
        if isinstance(reference, str) and reference not in shared.phrases:
            found.append((key, f"no such phrase: {reference}"))
    used = {*row.facts, *row.supported_by, *row.contradicted_by}
    used |= {fact for fix in row.fixes for fact in (*fix.facts, *fix.not_facts)}
    found += [("facts", f"no such fact: {fact}") for fact in sorted(used - set(shared.facts))]
    pages = {fix.page for fix in row.fixes if fix.page}
    found += [("fixes", f"no such page: {page}") for page in sorted(pages - system_pages().keys())]
    causes = {other.cause for _, other in rows.values()}
    found += [
        ("explains", f"no such row or cause: {name}")
        for name in row.explains
        if name not in rows and name not in causes
    ]
    found += [("refines", f"no such row: {name}") for name in row.refines if name not in rows]
    for key, text in (("title", row.title), ("what", row.what), ("why", row.why)):
        found += [(key, problem) for problem in _text_faults(text.en, text.ru)]
    for place, fix in enumerate(row.fixes):
        found += [(f"fixes[{place}]", problem) for problem in _text_faults(fix.en, fix.ru)]
    if row.refines and not row.facts:
        found.append(("refines", "only facts can make another row more exact"))
    if not row.fixes:
        found.append(("fixes", "at least one"))
    if not (row.any or row.weak or row.exit_codes or row.refines or row.timed_out or row.cause == "unknown"):
        found.append(("any", "nothing can match"))
    return [Complaint(file, id_, key, problem) for key, problem in found]


def _text_faults(en: str, ru: str) -> list[str]:
    problems = []
    if not en.strip() or not ru.strip():
        problems.append("empty text")
    if placeholders(en) != placeholders(ru):
        problems.append(f"hole in one language only: {', '.join(sorted(placeholders(en) ^ placeholders(ru)))}")
    return problems


def convert_row(raw: object) -> Row:
    """A row from plain data, for tests of the engine. Raises `msgspec.ValidationError`."""
    return msgspec.convert(raw, Row)
