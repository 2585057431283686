"""Patterns of the rule base: what they may contain, and which plain words a text must hold before one is tried."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from typing import Any

MAX_REPEAT = 300
MAX_WIDE = 2  # repeats longer than `WIDE` in a row of one pattern
WIDE = 60
MIN_ANCHOR = 3

_REPEATS = (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT)


@functools.cache
def compile_pattern(pattern: str) -> re.Pattern[str]:
    """Letter case never matters. Raises `re.error`."""
    return re.compile(pattern, re.IGNORECASE)


def faults(pattern: str) -> tuple[str, ...]:
    """Why a pattern may not stand in the rule base: broken, no anchor, or slow on hostile text."""
    return _examined(pattern)[0]


def anchors(pattern: str) -> tuple[str, ...]:
    """Lower-case plain texts of which at least one stands in every match; empty if there is none long enough."""
    return _examined(pattern)[1]


@functools.cache
def _examined(pattern: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Faults and anchors. Reading a pattern is most of the work, so it is read once."""
    try:
        tree = _parser.parse(pattern, re.IGNORECASE)
    except re.error as error:
        return (f"not a pattern: {error}",), ()
    found: list[str] = []
    wide = _lint(tree, found, inside=False)
    if wide > MAX_WIDE:
        found.append(f"more than {MAX_WIDE} wide repeats")
    words = _anchors(tree)
    if not words:
        found.append(f"no plain part of {MIN_ANCHOR} letters that every match must hold")
    return tuple(found), words


def _lint(tree: Iterable[tuple[Any, Any]], found: list[str], *, inside: bool) -> int:
    wide = 0
    for code, argument in tree:
        if code in _REPEATS:
            low, high, body = argument
            if high == codes.MAXREPEAT or high > MAX_REPEAT:
                found.append(f"an unbounded repeat, or one over {MAX_REPEAT}")
            if inside and high > 1 and low != high:
                found.append("a repeat inside a repeat")
            wide += high > WIDE
            wide += _lint(body, found, inside=inside or high > 1)
        elif code is codes.BRANCH:
            wide += max(_lint(branch, found, inside=inside) for branch in argument[1])
        elif code is codes.SUBPATTERN:
            wide += _lint(argument[3], found, inside=inside)
        elif code in (codes.ASSERT, codes.ASSERT_NOT):
            shortest, longest = argument[1].getwidth()
            if argument[0] < 0 and shortest != longest:
                found.append("a look-behind of varying width")
            wide += _lint(argument[1], found, inside=inside)
        elif code in (codes.GROUPREF, codes.GROUPREF_EXISTS):
            found.append("a back reference")
    return wide


def _anchors(tree: Iterable[tuple[Any, Any]]) -> tuple[str, ...]:
    candidates: list[tuple[str, ...]] = []
    run = ""
    for code, argument in tree:
        if code is codes.LITERAL:
            run += chr(argument)
            continue
        candidates.append((run.lower(),))
        run = ""
        if code is codes.BRANCH:
            parts = [_anchors(branch) for branch in argument[1]]
            if all(parts):
                candidates.append(tuple(dict.fromkeys(word for part in parts for word in part)))
        elif code is codes.SUBPATTERN:
            candidates.append(_anchors(argument[3]))
        elif code in _REPEATS and argument[0] > 0:
            candidates.append(_anchors(argument[2]))
    candidates.append((run.lower(),))
    good = [words for words in candidates if words and min(map(len, words)) >= MIN_ANCHOR]
    return max(good, key=lambda words: (min(map(len, words)), -len(words)), default=())
