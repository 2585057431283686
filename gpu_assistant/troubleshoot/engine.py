"""From evidence to ranked causes. Pure: the same evidence and rules always give the same answer."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Sequence

import msgspec

from gpu_assistant.base.texts import placeholders
from gpu_assistant.troubleshoot.diagnosis import Bilingual, Diagnosis, Fix, MarkedLine
from gpu_assistant.troubleshoot.evidence import Evidence
from gpu_assistant.troubleshoot.facts import Facts, facts_of
from gpu_assistant.troubleshoot.matching import match_rules
from gpu_assistant.troubleshoot.prepare import Text, prepare
from gpu_assistant.troubleshoot.rules import Rule, RuleBase

WEAK = -30  # a rule matched by a weak pattern or by its exit code alone
FINAL = 12  # it speaks about the error that ended the program
ONLY_WARNED = -12  # its lines are warnings, and another error came after them
NOTICE = -70
SUPPORT = 8  # a fact of the report that fits
GUESS = 30  # below this score we say that we do not know
MAX_DIAGNOSES = 5
MAX_LINES = 6

UNKNOWN, NO_ERROR, EMPTY = "unknown-cause", "no-error-found", "nothing-given"

_LAST_ERROR = re.compile(
    r"^(?:[\w.]{1,120}(?:Error|Exception|Exit|Interrupt|Failure|NotFound\w{0,30}):?(?=[ :(]|$)"
    r"|(?:ERROR|error|Error|FATAL|fatal)\b ?:|docker: |terminate called|Fatal Python error|OMP: Error"
    r"|nvidia-container-cli: |!!! |× )"
)
_WRAPPERS = re.compile(
    r"CalledProcessError|ChildFailedError|subprocess-exited-with-error|metadata-generation-failed|SystemExit"
)
_WARNING = re.compile(r"warning|^W\d{4} |\bnotice\b|\[warn", re.IGNORECASE)
_TROUBLE = re.compile(
    r"error|exception|traceback|fail|fatal|abort|denied|cannot|could not|couldn't|unable|not found|killed"
    r"|segmentation|panic|crash|xid"
    r"|ошибк|не удал|сбой|отказано|невозможно|WinError|core dumped|timed out|refused|unavailable",
    re.IGNORECASE,
)


@dataclasses.dataclass(kw_only=True)
class _Candidate:
    """A rule on its way through the ranking."""

    rule: Rule
    lines: tuple[int, ...]
    holes: dict[str, str]
    rank: int
    score: float
    strong: bool = True


def diagnose(evidence: Evidence, base: RuleBase, facts: Facts | None = None) -> tuple[Diagnosis, ...]:
    """Possible causes, best first; never empty. `unknown` stands first where nothing fits well enough.

    `facts` replaces what the evidence's report says.
    """
    text = prepare(evidence.text, base.phrases)
    facts = facts_of(evidence) if facts is None else facts
    candidates = _rank(_candidates(evidence, text, facts, base), text)
    found = [_diagnosis(candidate, text, facts, base) for candidate in candidates[:MAX_DIAGNOSES]]
    if not candidates or max(candidate.rank for candidate in candidates) < GUESS:
        return (_unknown(evidence, text, facts, base), *(other for other in found if other.cause != "unknown"))
    return tuple(found)


def _candidates(evidence: Evidence, text: Text, facts: Facts, base: RuleBase) -> list[_Candidate]:
    found: dict[str, _Candidate] = {}
    for match in match_rules(text, base):
        row = match.rule.row
        rank = row.rank if match.strong else row.rank + WEAK if row.weak_rank is None else row.weak_rank
        found[match.rule.id] = _candidate(match.rule, match.lines, match.holes, rank)
        found[match.rule.id].strong = match.strong
    code = None if evidence.exit_code is None else _unsigned(evidence.exit_code)
    for rule in base.rules.values():
        row = rule.row
        if rule.id not in found:
            if code is not None and code in map(_unsigned, row.exit_codes):
                found[rule.id] = _candidate(rule, (), {"code": _code_text(code)}, row.rank + WEAK)
            elif row.timed_out and evidence.timed_out:
                found[rule.id] = _candidate(rule, (), {}, row.rank)
    for rule in base.rules.values():
        coarse = [found[name] for name in rule.row.refines if name in found]
        if coarse and rule.id not in found:
            found[rule.id] = _candidate(rule, coarse[0].lines, dict(coarse[0].holes), rule.row.rank)
    return [_supported(candidate, facts) for candidate in found.values() if _allowed(candidate.rule, evidence, facts)]


def _candidate(rule: Rule, lines: tuple[int, ...], holes: dict[str, str], rank: int) -> _Candidate:
    return _Candidate(rule=rule, lines=lines, holes=holes, rank=rank, score=rank)


def _allowed(rule: Rule, evidence: Evidence, facts: Facts) -> bool:
    row = rule.row
    if row.stages and evidence.stage not in row.stages:
        return False
    return facts.flags.issuperset(row.facts) and facts.flags.isdisjoint(row.contradicted_by)


def _supported(candidate: _Candidate, facts: Facts) -> _Candidate:
    candidate.rank = min(98, candidate.rank + SUPPORT * len(facts.flags & set(candidate.rule.row.supported_by)))
    candidate.score = candidate.rank
    return candidate


def _rank(candidates: list[_Candidate], text: Text) -> list[_Candidate]:
    final = _final_lines(text)
    for candidate in candidates:
        touched = set(candidate.lines)
        if touched & final:
            candidate.score += FINAL
        elif final and touched and all(_WARNING.search(text.lines[line]) for line in touched):
            candidate.score += ONLY_WARNED
        if candidate.rule.row.notice:
            candidate.score += NOTICE
        if candidate.lines:
            candidate.score += candidate.lines[-1] / len(text.lines)  # of equals, what came later
    candidates = _without_explained(candidates)
    candidates = _one_per_line(candidates)
    candidates.sort(key=lambda candidate: -candidate.score)
    return _one_per_cause(candidates)


def _final_lines(text: Text) -> set[int]:
    """The last error that the program or tool itself named, with what belongs to its message."""
    last = [
        place
        for place, line in enumerate(text.lines)
        if _LAST_ERROR.match(line.lstrip()) and not _WRAPPERS.search(line) and not _WARNING.search(line[:40])
    ]
    return set(range(last[-1], min(last[-1] + 6, len(text.lines)))) if last else set()


def _without_explained(candidates: list[_Candidate]) -> list[_Candidate]:
    dropped: set[str] = set()
    for _ in range(3):  # an explanation may itself be explained
        for root in (candidate for candidate in candidates if candidate.strong):
            for other in candidates:
                names = root.rule.row.explains
                if other is root:
                    continue
                if other.rule.id in names or (
                    other.rule.row.cause in names and other.rule.row.cause != root.rule.row.cause
                ):
                    root.score = max(root.score, min(other.score + 1, root.rank + FINAL + 1))
                    dropped.add(other.rule.id)
    kept = [candidate for candidate in candidates if candidate.rule.id not in dropped]
    return kept or candidates


def _one_per_line(candidates: list[_Candidate]) -> list[_Candidate]:
    """Of two rules about the same lines the one that means less goes."""
    return [
        candidate
        for candidate in candidates
        if not candidate.lines
        or not any(
            other.rank > candidate.rank and set(candidate.lines) <= set(other.lines)
            for other in candidates
            if other is not candidate
        )
    ]


def _one_per_cause(candidates: Iterable[_Candidate]) -> list[_Candidate]:
    best: dict[str, _Candidate] = {}
    for candidate in candidates:
        best.setdefault(candidate.rule.row.cause, candidate)
    return list(best.values())


def card_of(rule: Rule) -> Diagnosis:
    """The card of a rule without any evidence; its confidence is 0."""
    return _card(rule, {}, Facts())


def _diagnosis(candidate: _Candidate, text: Text, facts: Facts, base: RuleBase) -> Diagnosis:
    row = candidate.rule.row
    words = facts.words | candidate.holes
    used = [base.facts[name] for name in (*row.facts, *row.supported_by) if name in facts.flags]
    return msgspec.structs.replace(
        _card(candidate.rule, words, facts),
        confidence=round(min(0.97, max(0.05, candidate.rank / 100)), 2),
        lines=_marked(candidate.lines, text),
        facts=tuple(_fill(Bilingual(en=fact.en, ru=fact.ru), words, {}) for fact in used),
    )


def _card(rule: Rule, words: dict[str, str], facts: Facts) -> Diagnosis:
    row = rule.row
    return Diagnosis(
        cause=row.cause,
        rule=rule.id,
        confidence=0.0,
        title=_fill(row.title, words, row.defaults),
        what=_fill(row.what, words, row.defaults),
        why=_fill(row.why, words, row.defaults),
        fixes=_fixes(rule, words, facts),
        check=rule.check,
        stop=rule.stop,
        sources=row.sources,
        as_of=row.as_of,
    )


def _fixes(rule: Rule, words: dict[str, str], facts: Facts) -> tuple[Fix, ...]:
    fixes = []
    for number, fix in enumerate(rule.row.fixes, 1):
        if (
            not set(fix.needs) <= words.keys()
            or not facts.flags.issuperset(fix.facts)
            or facts.flags & set(fix.not_facts)
        ):
            continue
        action = fix.action
        if action is not None:
            filled = {name: _fill_one(value, words) for name, value in action.args.items()}
            action = type(action)(kind=action.kind, args=filled)
        command = _fill_one(fix.command, words) if fix.command else None
        text = _fill(Bilingual(en=fix.en, ru=fix.ru), words, rule.row.defaults)
        fixes.append(Fix(id=f"{rule.id}/{number}", text=text, command=command, action=action, page=fix.page))
    return tuple(fixes)


def _marked(lines: Sequence[int], text: Text) -> tuple[MarkedLine, ...]:
    kept = lines if len(lines) <= MAX_LINES else [*lines[: MAX_LINES // 2], *lines[-MAX_LINES // 2 :]]
    return tuple(MarkedLine(number=text.numbers[line], text=text.shown[line].strip()[:500]) for line in kept)


def _fill(text: Bilingual, words: dict[str, str], defaults: dict[str, Bilingual]) -> Bilingual:
    return Bilingual(
        en=_fill_one(text.en, {name: value.en for name, value in defaults.items()} | words),
        ru=_fill_one(text.ru, {name: value.ru for name, value in defaults.items()} | words),
    )


def _fill_one(template: str, words: dict[str, str]) -> str:
    """Holes without a word stay readable as "…" instead of breaking the sentence off."""
    for name in placeholders(template):
        template = template.replace(f"{{{name}}}", words.get(name, "…")[:200])
    return template


def _unknown(evidence: Evidence, text: Text, facts: Facts, base: RuleBase) -> Diagnosis:
    if not evidence.text.strip() and evidence.exit_code in (None, 0) and not evidence.timed_out:
        rule = base.rules[EMPTY]
    elif evidence.exit_code in (None, 0) and not evidence.timed_out and not any(map(_TROUBLE.search, text.lines)):
        rule = base.rules[NO_ERROR]
    else:
        rule = base.rules[UNKNOWN]
    suspicious = [place for place, line in enumerate(text.lines) if _LAST_ERROR.match(line.lstrip())][-2:]
    candidate = _candidate(rule, tuple(suspicious) if rule.id == UNKNOWN else (), {}, rule.row.rank)
    return _diagnosis(candidate, text, facts, base)


def _unsigned(code: int) -> int:
    """Windows codes come as 3221225477 or as -1073741819; both mean 0xC0000005."""
    return code & 0xFFFFFFFF if code < -255 else code


def _code_text(code: int) -> str:
    return f"0x{code:08X}" if code > 0xFFFF else str(code)
