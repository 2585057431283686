"""Which rules a text matches, and on which lines."""

from __future__ import annotations

import bisect
import itertools
from collections.abc import Iterable, Sequence

from gpu_assistant.base.model import Value
from gpu_assistant.troubleshoot.numbers import generation, ratios_hold
from gpu_assistant.troubleshoot.prepare import GLUE_LIMIT, Glued, Text
from gpu_assistant.troubleshoot.rules import Pattern, Rule, RuleBase

BEFORE, AFTER = 1_200, 2_000  # characters around an anchor that a pattern sees
PLACES = 60  # anchors looked at, from each end of the text
HITS = 8  # lines kept per pattern


class Match(Value, frozen=True, kw_only=True):
    """A rule that a text matches. `lines` are places in `Text.lines`; `strong`: one of its main patterns did."""

    rule: Rule
    lines: tuple[int, ...]
    strong: bool
    holes: dict[str, str] = {}


class _Hit(Value, frozen=True, kw_only=True):
    lines: tuple[int, ...]
    holes: dict[str, str] = {}


def match_rules(text: Text, base: RuleBase) -> tuple[Match, ...]:
    """Every rule whose patterns fit the text; facts, exit codes and refinements are looked at elsewhere."""
    finder = _Finder(text)
    matches = (_match(rule, finder) for rule in base.rules.values())
    return tuple(match for match in matches if match is not None)


def _match(rule: Rule, finder: _Finder) -> Match | None:
    main = [hit for pattern in rule.any for hit in finder.hits(pattern)]
    weak = [] if main else [hit for pattern in rule.weak for hit in finder.hits(pattern)]
    if not main and not weak:
        return None
    needed = [finder.hits(pattern) for pattern in rule.all]
    if not all(needed) or any(finder.hits(pattern) for pattern in rule.not_):
        return None
    hits = [*(main or weak), *itertools.chain.from_iterable(needed)]
    holes: dict[str, str] = {}
    for hit in hits:
        holes |= {name: value for name, value in hit.holes.items() if name not in holes}
    row = rule.row
    if not ratios_hold(row.ratios, holes) or (row.capability and generation(holes) != row.capability):
        return None
    lines = sorted({line for hit in hits for line in hit.lines})
    return Match(rule=rule, lines=tuple(lines), strong=bool(main), holes=holes)


class _Finder:
    """Looks patterns up in one text, each once; tries lines first, then lines glued together."""

    def __init__(self, text: Text) -> None:
        self._lines = text.lines
        low = [line.lower() for line in text.lines]
        self._low = "\n".join(low)
        self._starts = list(itertools.accumulate((len(line) + 1 for line in low), initial=0))
        glue = len(self._low) <= GLUE_LIMIT and len(text.lines) > 1
        stripped = [line.strip() for line in text.lines]
        self._glued = [(Glued(stripped, " "), " ".join(stripped).lower())] if glue else []
        if glue:
            self._glued.append((Glued(text.lines, ""), "".join(text.lines).lower()))
        self._cache: dict[Pattern, list[_Hit]] = {}

    def hits(self, pattern: Pattern) -> list[_Hit]:
        if pattern not in self._cache:
            self._cache[pattern] = self._in_lines(pattern) or self._in_glued(pattern)
        return self._cache[pattern]

    def _in_lines(self, pattern: Pattern) -> list[_Hit]:
        found: dict[int, _Hit] = {}
        for at in _places(self._low, pattern.anchors):
            place = bisect.bisect_right(self._starts, at) - 1
            if place in found:
                continue
            offset = at - self._starts[place]
            piece = self._lines[place]
            if len(piece) > BEFORE + AFTER:
                piece = piece[max(0, offset - BEFORE) : offset + AFTER]
            if match := pattern.regex.search(piece):
                found[place] = _Hit(lines=(place,), holes=_holes(match.groupdict()))
        places = sorted(found)
        kept = places if len(places) <= HITS else [*places[: HITS // 2], *places[-HITS // 2 :]]
        return [found[place] for place in kept]

    def _in_glued(self, pattern: Pattern) -> list[_Hit]:
        for glued, low in self._glued:
            for at in _places(low, pattern.anchors):
                start = max(0, at - BEFORE)
                # the pieces overlap a line end only where a console may have cut
                for match in pattern.regex.finditer(glued.text[start : at + AFTER]):
                    lines = glued.lines_of(start + match.start(), start + match.end())
                    if lines is not None:
                        return [_Hit(lines=tuple(lines), holes=_holes(match.groupdict()))]
        return []


def _places(text: str, anchors: Sequence[str]) -> Iterable[int]:
    """Where anchors stand: the first places and the last ones."""
    for anchor in anchors:
        at, count = text.find(anchor), 0
        while at >= 0 and count < PLACES:
            yield at
            at, count = text.find(anchor, at + 1), count + 1
        if at >= 0:
            front, at, count = at, text.rfind(anchor), 0
            while at >= front and count < PLACES:
                yield at
                at, count = text.rfind(anchor, front, at), count + 1


def _holes(groups: dict[str, str | None]) -> dict[str, str]:
    return {name: value.strip() for name, value in groups.items() if value and value.strip()}
