"""The rule base as data: every row proves itself, in both languages, and no pattern is slow on hostile text."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from gpu_assistant.base.resources import BadData
from gpu_assistant.base.texts import placeholders
from gpu_assistant.troubleshoot.engine import diagnose
from gpu_assistant.troubleshoot.evidence import Evidence
from gpu_assistant.troubleshoot.facts import FLAGS, Facts
from gpu_assistant.troubleshoot.patterns import anchors, faults
from gpu_assistant.troubleshoot.rules import Rule, load_rules, rule_base

CASES = Path(__file__).parent / "cases"
CAUSES = set(re.findall(r"^- `(\w+)`", (CASES / "CAUSES.md").read_text("utf-8"), re.MULTILINE))
RULES = rule_base().rules
REPORT_WORDS = {"card", "capability", "vram_gib", "driver", "driver_cuda", "build", "torch", "python", "environment"}
REPORT_WORDS |= {"system", "visible"}


def _facts(rule: Rule) -> Facts | None:
    return Facts(flags=frozenset(rule.row.facts)) if rule.row.facts else None


@pytest.mark.parametrize("rule", RULES.values(), ids=lambda rule: rule.id)
def test_examples_lead_to_the_row(rule: Rule) -> None:
    for text in rule.row.match:
        evidence = Evidence(text=text, timed_out=rule.row.timed_out)
        assert diagnose(evidence, rule_base(), _facts(rule))[0].rule == rule.id, text
    for text in rule.row.no_match:
        found = [diagnosis.rule for diagnosis in diagnose(Evidence(text=text), rule_base(), _facts(rule))]
        assert rule.id not in found, text


def test_every_cause_has_a_row_and_no_row_has_another_cause() -> None:
    assert {rule.row.cause for rule in RULES.values()} == CAUSES


def test_facts_of_the_rules_are_the_facts_of_the_report() -> None:
    assert set(rule_base().facts) == set(FLAGS)


def test_both_languages_say_everything() -> None:
    for rule in RULES.values():
        texts = [rule.row.title, rule.row.what, rule.row.why, rule.check, rule.stop, *rule.row.fixes]
        assert all(re.search("[а-яё]", text.ru) and text.en.isascii() for text in texts), rule.id


def test_no_hole_stays_empty() -> None:
    for rule in RULES.values():
        row = rule.row
        known = set(row.defaults) | _always(rule) | (REPORT_WORDS if row.facts else set())
        for text in (row.title, row.what, row.why):
            assert placeholders(text.en) | placeholders(text.ru) <= known, rule.id
        for fix in row.fixes:
            assert placeholders(fix.en) <= known | set(fix.needs), rule.id


def _always(rule: Rule) -> set[str]:
    """Holes that every main pattern fills."""
    groups = [set(pattern.regex.groupindex) for pattern in (*rule.any, *rule.weak)]
    return set.intersection(*groups) if groups else set()


ADVICE = [
    (rule.id, text) for rule in RULES.values() for fix in rule.row.fixes for text in (fix.en, fix.ru, fix.command or "")
]


def test_the_advice_is_of_today() -> None:
    for rule, text in ADVICE:
        assert "torch.cuda.amp" not in text, rule
        assert "dll-files" not in text, rule
        assert "--break-system-packages" not in text or re.search(r"Do not|не используйте", text), rule
        assert not re.search(r"cu127|cu131|cu133", text), rule


def test_dropped_cards_are_never_told_to_take_a_newer_driver() -> None:
    for name in ("driver-too-old", "unavailable-driver-old", "card-older-than-build", "arch-older-by-report"):
        rule = RULES[name]
        facts = Facts(flags=frozenset({*rule.row.facts, "dropped_card"}))
        first = diagnose(Evidence(text=rule.row.match[0]), rule_base(), facts)[0]
        assert first.cause == rule.row.cause
        for fix in first.fixes:
            assert "branch 580 or newer" not in fix.text.en, name
        assert any("580" in fix.text.en or "cu126" in fix.text.en for fix in first.fixes)


PATTERNS = [pattern for rule in RULES.values() for pattern in rule.patterns]


def test_no_pattern_is_slow_on_hostile_text() -> None:
    for pattern in PATTERNS:
        word = pattern.anchors[0]
        hostile = (word + " ") * (3200 // (len(word) + 1)), word + "a" * 3000, word + " 1.1" * 800, "x" * 1000 + word
        for text in hostile:
            pattern.regex.search(text)  # a runaway pattern would run into the time limit of the test


@pytest.mark.parametrize(
    ("pattern", "word"),
    [
        (r"a.*b literal", "unbounded"),
        (r"(?:\w{1,9}x){1,9} literal", "inside a repeat"),
        (r"literal .{0,900}", "over"),
        (r"\d{1,3}", "plain part"),
        (r"(literal", "not a pattern"),
        (r"(?P<a>literal)(?P=a)", "back reference"),
    ],
)
def test_bad_patterns_are_refused(pattern: str, word: str) -> None:
    assert any(word in fault for fault in faults(pattern))


def test_an_anchor_stands_in_every_match() -> None:
    assert anchors("(?:CUDA|cuBLAS) error: out of memory") == (" error: out of memory",)
    assert anchors("(?:first|second) \\d{1,3}") == ("first", "second")


def test_a_bad_file_is_told_with_everything_that_is_wrong(tmp_path: Path) -> None:
    source = Path(__file__).parents[2] / "resources" / "errors" / "shared" / "shared.toml"
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared" / "shared.toml").write_bytes(source.read_bytes())
    (tmp_path / "bad.toml").write_text(
        """
[one]
cause = "unknown"
any = ['a.*b']
explains = ["nobody"]
check = "no-such-phrase"
title = { en = "t {x}", ru = "т" }
what = { en = "w", ru = "ч" }
why = { en = "w", ru = "п" }
fixes = []
match = ["a b"]
[two]
cuase = "unknown"
""",
        "utf-8",
    )
    with pytest.raises(BadData) as caught:
        load_rules(tmp_path)
    told = str(caught.value)
    for part in ("unbounded", "nobody", "no-such-phrase", "one language only", "at least one", 'did you mean "cause"'):
        assert part in told
