"""What stands around the engine: history, help report, search, guided walks."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from gpu_assistant.base.texts import LANGUAGES
from gpu_assistant.troubleshoot import bundle, history, search, walks
from gpu_assistant.troubleshoot.engine import diagnose
from gpu_assistant.troubleshoot.evidence import Evidence
from gpu_assistant.troubleshoot.facts import Facts
from gpu_assistant.troubleshoot.rules import rule_base
from tests.troubleshoot.test_engine import computer

OOM = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB."


def _tried(fix: str, **more: object) -> history.Tried:
    return history.Tried(cause="cuda_out_of_memory", fix=fix, time=1.0, **more)


def test_a_fix_that_did_not_help_is_not_offered_first_again() -> None:
    found = diagnose(Evidence(text=OOM), rule_base())
    first = found[0].fixes[0]
    again = history.with_history(found, history.add(history.History(), _tried(first.id)))
    assert again[0].fixes[0].id != first.id
    assert (again[0].fixes[-1].id, again[0].fixes[-1].tried) == (first.id, True)


def test_a_fix_that_helped_last_time_stays_first_until_it_fails() -> None:
    found = diagnose(Evidence(text=OOM), rule_base())
    first = found[0].fixes[0].id
    helped = history.History(tried=(_tried(first, helped=False), _tried(first, helped=True)))
    assert history.with_history(found, helped) == found
    failed = history.add(helped, _tried(first, helped=False))
    assert history.with_history(found, failed)[0].fixes[-1].id == first


def test_what_was_tried_for_another_cause_or_environment_does_not_count() -> None:
    found = diagnose(Evidence(text=OOM), rule_base())
    entry = _tried(found[0].fixes[0].id, environment="a")
    known = history.History(tried=(entry,))
    assert history.with_history(found, known, environment="b") == found
    other = msgspec.structs.replace(entry, cause="disk_full")
    assert history.with_history(found, history.History(tried=(other,))) == found


def test_the_history_outlives_the_program_and_a_broken_file(tmp_path: Path) -> None:
    kept = history.told(history.History(tried=(_tried("x/1"), _tried("x/2"))), "cuda_out_of_memory", "x/1", True)
    history.save_history(tmp_path, kept)
    assert history.load_history(tmp_path).tried[0].helped is True
    (tmp_path / history.FILE).write_text("{", "utf-8")
    assert history.load_history(tmp_path) == history.History()
    assert len(list(tmp_path.iterdir())) == 1


SECRET = f'File "C:\\Users\\Вася Пупкин\\train.py"\nhf_{"a" * 30} 10.1.2.3 pc-vasya\n{OOM}'


def _bundle(language: str = "ru", **facts: object) -> bundle.Bundle:
    evidence = Evidence(text=SECRET, exit_code=1, stage="train", report=computer(**facts))
    return bundle.make_bundle(
        evidence,
        diagnose(evidence, rule_base()),
        history.History(tried=(_tried("torch-oom/1", helped=False),)),
        language,
        made_at="2026-12-01",
        program="1.0",
        private_words=("pc-vasya",),
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_help_report_holds_what_people_ask_for_and_nothing_private(language: str) -> None:
    made = _bundle(language)
    for text in (made.markdown, made.json):
        assert not any(private in text for private in ("Вася", "Пупкин", "hf_aaaa", "10.1.2.3", "pc-vasya"))
        assert "cuda_out_of_memory" in text
        assert "RTX 4070" in text
        assert "torch-oom/1" in text
    assert made == _bundle(language)


def test_two_help_reports_are_compared() -> None:
    differences = bundle.compare(_bundle().json, _bundle(build="cpu", cuda="12.4").json)
    assert [(one.before, one.after) for one in differences] == [
        ("13.0", "12.4"),
        ("2.14.1+cu130", "2.14.1+cpu"),
    ]
    assert bundle.compare(_bundle().json, _bundle().json) == ()


@pytest.mark.parametrize(
    ("words", "language", "cause"),
    [
        ("память карты", "ru", "cuda_out_of_memory"),
        ("WinError 126", "en", "dll_missing_dependency"),
        ("WinError 1455", "ru", "windows_pagefile_too_small"),
        ("драйвер старый", "ru", "nvidia_driver_too_old"),
        ("numpy", "en", "numpy_abi_mismatch"),
        ("прокси", "ru", "pip_proxy_misconfigured"),
        ("docker gpu", "en", "docker_no_gpu_runtime"),
    ],
)
def test_the_base_is_searched_in_both_languages(words: str, language: str, cause: str) -> None:
    hits = search.search(rule_base(), words, language)
    assert cause in [rule_base().rules[hit.rule].row.cause for hit in hits[:4]]
    assert all("{" not in hit.title.say(language) for hit in hits)


def test_nonsense_finds_nothing_and_everything_can_be_browsed() -> None:
    assert search.search(rule_base(), "frobnicator", "en") == ()
    assert search.search(rule_base(), " ", "en") == ()
    shown = [hit for hits in search.browse(rule_base()).values() for hit in hits]
    assert len(shown) > 90
    assert all(search.card(rule_base(), hit.rule).fixes for hit in shown)


WALKS = walks.walks()


def test_the_five_eternal_problems_are_walks() -> None:
    assert list(WALKS) == ["out-of-memory", "runs-on-cpu", "crashes", "slow", "multi-gpu-hang"]


@pytest.mark.parametrize("walk", WALKS.values(), ids=WALKS)
def test_every_way_through_a_walk_ends_in_help(walk: walks.Walk) -> None:
    todo, ends = [walks.WalkState(walk=walk.id)], 0
    while todo:
        state = todo.pop()
        node = walks.current(walk, state)
        assert node.text.en
        assert node.reason.ru
        todo += [walks.answer(walk, state, choice) for choice in range(len(node.answers))]
        if not node.answers:
            ends += 1
            assert node.fix in rule_base().rules if node.fix else node.action or node.report or node.done
            assert walks.back(state).path == state.path[:-1]
    assert ends > 3


@pytest.mark.parametrize("walk", WALKS.values(), ids=WALKS)
def test_sometimes_it_is_the_restart(walk: walks.Walk) -> None:
    assert any("restart" in node.text.en.lower() for node in walk.nodes.values())
    assert any("ерезагруз" in node.text.ru for node in walk.nodes.values())


def test_the_report_answers_questions_by_itself() -> None:
    walk = WALKS["runs-on-cpu"]
    state = walks.WalkState(walk=walk.id)
    choice = walks.suggested(walks.current(walk, state), Facts(flags=frozenset({"driver_working"})))
    state = walks.answer(walk, state, choice)
    assert walks.position(walk, state) == "torch"
    assert walks.suggested(walks.current(walk, state), Facts()) is None
    with pytest.raises(IndexError):
        walks.answer(walk, state, 9)


def test_a_walk_with_faults_is_refused(tmp_path: Path) -> None:
    text = 'id = "x"\ntitle = { en = "t", ru = "т" }\n[nodes.start]\ntext = { en = "t", ru = "т" }\n'
    text += 'reason = { en = "t", ru = "т" }\nanswers = [{ en = "a", ru = "а", to = "start" }]\n'
    (tmp_path / "x.toml").write_text(text, "utf-8")
    with pytest.raises(walks.BadData, match="circles"):
        walks.load_walks(tmp_path)
