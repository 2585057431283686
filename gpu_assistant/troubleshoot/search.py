"""The rule base without an error at hand: browse it, search it, read one card."""

from __future__ import annotations

import re
from collections.abc import Iterable

from gpu_assistant.base.model import Value
from gpu_assistant.base.texts import Language
from gpu_assistant.troubleshoot.diagnosis import Bilingual, Diagnosis
from gpu_assistant.troubleshoot.engine import card_of
from gpu_assistant.troubleshoot.rules import Rule, RuleBase

_WORD = re.compile(r"[\w.]+")
_STEM = 5  # letters that have to agree: enough for Russian endings
_HIDDEN = ("unknown-cause", "no-error-found", "nothing-given")


class Hit(Value, frozen=True, kw_only=True):
    """A row that was found."""

    rule: str
    family: str
    title: Bilingual
    score: float


def browse(base: RuleBase) -> dict[str, tuple[Hit, ...]]:
    """Every card by family, one per title, in the order of the files."""
    families: dict[str, dict[str, Hit]] = {}
    for id_, rule in base.rules.items():
        if id_ not in _HIDDEN:
            hit = Hit(rule=id_, family=rule.family, title=_title(rule), score=0.0)
            families.setdefault(rule.family, {}).setdefault(hit.title.en, hit)
    return {family: tuple(hits.values()) for family, hits in families.items()}


def search(base: RuleBase, words: str, language: Language) -> tuple[Hit, ...]:
    """Cards that hold every word of the query, best first. English words are found in Russian too, and error codes."""
    wanted = [word.lower() for word in _WORD.findall(words)]
    if not wanted:
        return ()
    found: dict[str, Hit] = {}
    for id_, rule in base.rules.items():
        if id_ in _HIDDEN:
            continue
        score = _score(rule, wanted, language)
        title = _title(rule)
        if score > 0 and (title.en not in found or found[title.en].score < score):
            found[title.en] = Hit(rule=id_, family=rule.family, title=title, score=score)
    return tuple(sorted(found.values(), key=lambda hit: (-hit.score, hit.rule)))


def card(base: RuleBase, rule: str) -> Diagnosis:
    """The card of one row, as a diagnosis without evidence. Raises `KeyError`."""
    return card_of(base.rules[rule])


def _title(rule: Rule) -> Bilingual:
    return card_of(rule).title


def _score(rule: Rule, wanted: Iterable[str], language: Language) -> float:
    row = rule.row
    fields = (
        (3.0, f"{row.cause.replace('_', ' ')} {row.title.en} {row.title.say(language)}"),
        (1.0, f"{row.what.say(language)} {row.why.say(language)} {' '.join(row.match)}"),
        (1.0, " ".join(f"{fix.ru if language == 'ru' else fix.en} {fix.command or ''}" for fix in row.fixes)),
        (0.5, " ".join((*row.any, *row.weak)).replace("\\", "")),
    )
    total = 0.0
    for word in wanted:
        best = max(weight * _fits(word, text.lower()) for weight, text in fields)
        if best == 0:
            return 0.0
        total += best
    return total


def _fits(word: str, text: str) -> float:
    if word in text:
        return 1.0
    # only the beginning agrees: another ending of the same word
    return 0.6 if len(word) > _STEM and re.search(rf"\b{re.escape(word[:_STEM])}", text) else 0.0
