"""The rows of the tests: complete in both languages, and in step with the scripts."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from gpu_assistant.base.resources import BadData, resource_root
from gpu_assistant.base.texts import LANGUAGES, placeholders, say, texts
from gpu_assistant.smoke_test.catalogue import FILE, SmokeTest, find_test, list_tests, read_tests
from gpu_assistant.smoke_test.events import (
    Began,
    CancelledByUser,
    Device,
    Error,
    Exited,
    Interrupted,
    NotStarted,
    Proof,
    Result,
    SmokeEvent,
    Stage,
    TimedOut,
)
from gpu_assistant.smoke_test.run import SmokeRun, fold
from gpu_assistant.smoke_test.spec import SmokeSpec
from gpu_assistant.smoke_test.words import stage_message, verdict_message

FRAMEWORKS = resource_root() / "frameworks"
PYTORCH = FRAMEWORKS / "pytorch"
PROVES = re.compile(r'(?:reporter\.proof|self\._prove)\(\s*"(\w+)"')


def scripts(framework: str) -> str:
    """Every script in a framework's folder."""
    return "\n".join(path.read_text("utf-8") for path in sorted((FRAMEWORKS / framework).glob("*.py")))


SCRIPTS = scripts("pytorch")


def all_tests() -> list[SmokeTest]:
    return [test for path in FRAMEWORKS.glob(f"*/{FILE}") for test in list_tests(path.parent.name)]


def test_pytorch_has_a_picture_to_watch_first() -> None:
    assert [test.id for test in list_tests("pytorch")] == ["picture", "digits", "two"]
    assert find_test("pytorch", "").id == "picture"


def test_an_unknown_test_or_framework() -> None:
    assert list_tests("nothing") == ()
    with pytest.raises(KeyError):
        find_test("pytorch", "nothing")


@pytest.mark.parametrize("test", all_tests(), ids=lambda test: f"{test.framework}-{test.id}")
def test_every_sentence_is_there_in_both_languages(test: SmokeTest) -> None:
    for language in LANGUAGES:
        for words in (test.title(language), test.about(language)):
            assert words
        for shown in test.proofs:
            assert test.proof_title(shown.id, language) != shown.id
            assert test.proof_why(shown.id, language)
            for outcome in ("passed", "failed", "skipped"):
                assert test.proof_sentence(Proof(id=shown.id, outcome=outcome), language)  # type: ignore[arg-type]


@pytest.mark.parametrize("framework", sorted({test.framework for test in all_tests()}))
def test_scripts_prove_exactly_the_rows(framework: str) -> None:
    own = set(PROVES.findall(scripts(framework)))
    shared = set(PROVES.findall((resource_root() / "smoke_test" / "telling.py").read_text("utf-8")))
    if "smoke_torch" in scripts(framework):
        shared |= set(PROVES.findall(SCRIPTS))
    rows = {shown.id for test in list_tests(framework) for shown in test.proofs}
    assert own <= rows
    assert rows <= own | shared


def test_pytorch_scripts_give_exactly_the_reasons() -> None:
    given = set(re.findall(r'"reason": "(\w+)"|reason="(\w+)"', SCRIPTS))
    given_words = {word for pair in given for word in pair if word}
    given_words |= set(re.findall(r'^\s+\(".*", "(\w+)"\),$', SCRIPTS, re.MULTILINE))
    given_words |= set(re.findall(r'"reason": "(\w+)" if', SCRIPTS)) | set(
        re.findall(r'else "(\w+)", "build"', SCRIPTS)
    )
    given_words |= set(re.findall(r'reason = "(\w+)" if .* else "(\w+)"', SCRIPTS)[0])
    given_words |= {"no_answer"}
    rows = set(list_tests("pytorch")[0].reasons)
    assert given_words == rows


def test_every_stage_of_the_scripts_has_words() -> None:
    every = "".join(scripts(path.name) for path in FRAMEWORKS.iterdir() if path.is_dir())
    stages = set(re.findall(r'\.stage\("(\w+)"', every)) | {"import", "start", "exit", "launch"}
    assert stages >= {"device", "kernel", "prepare", "train", "mixed_precision", "compare", "memory"}
    for stage in stages:
        assert stage_message(stage) is not None, stage
    assert stage_message("unheard_of") is None


def test_a_proof_is_said_with_its_numbers() -> None:
    test = find_test("pytorch", "digits")
    values = {"times": 23.456, "card_ms": 1.25, "cpu_ms": 29.3, "name": "RTX 4060", "kind": "cuda"}
    proof = Proof(id="faster_than_cpu", outcome="passed", values=values)
    assert "RTX 4060 trains 23.5 times" in test.proof_sentence(proof, "en")
    assert "в 23,5 раза" in test.proof_sentence(proof, "ru")
    memory = Proof(id="memory", outcome="passed", values={"allocated": 2**30, "reserved": 2**31, "after": 2**20})
    assert "2.0 GiB" in test.proof_sentence(memory, "en")


def test_the_processor_is_named_honestly() -> None:
    test = find_test("pytorch", "picture")
    card = Proof(id="parameters_on_device", outcome="passed", values={"count": 5, "kind": "cuda", "name": "RTX"})
    cpu = Proof(id="parameters_on_device", outcome="passed", values={"count": 5, "kind": "cpu", "name": "CPU"})
    assert "memory of RTX" in test.proof_sentence(card, "en")
    assert "ordinary memory" in test.proof_sentence(cpu, "en")
    skipped = Proof(id="memory", outcome="skipped", values={"reason": "cpu_road"})
    assert test.proof_sentence(skipped, "en").startswith("The video memory is given back: not tried. No graphics card")


def test_a_reason_is_said_inside_its_proof() -> None:
    test = find_test("pytorch", "picture")
    hidden = {"reason": "hidden", "variable": "CUDA_VISIBLE_DEVICES", "value": "-1"}
    said = test.proof_sentence(Proof(id="card_seen", outcome="failed", values=hidden), "en")  # type: ignore[arg-type]
    assert "CUDA_VISIBLE_DEVICES is set to “-1”" in said
    unknown = {"reason": "from_the_future", "detail": "details"}
    said = test.proof_sentence(Proof(id="card_seen", outcome="failed", values=unknown), "en")  # type: ignore[arg-type]
    assert said.endswith("details")


def test_a_script_newer_than_its_rows_is_told_plainly() -> None:
    test = find_test("pytorch", "picture")
    assert test.proof_sentence(Proof(id="new", outcome="passed", values={"x": 1}), "en") == "new x=1"
    wrong = Proof(id="memory", outcome="passed", values={"allocated": "much"})
    assert test.proof_sentence(wrong, "en") == "The video memory is given back"


def test_wrong_rows_are_all_complained_about_at_once(tmp_path: Path) -> None:
    folder = tmp_path / "strange"
    shutil.copytree(PYTORCH, folder, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "smoke_digits.py").unlink()
    text = (folder / FILE).read_text("utf-8").replace('id = "digits"', 'id = "picture"', 1)
    text = text.replace('"card_seen", "kernel"', '"card_seen", "colonel"', 1)
    text = text.replace("360 that it has never seen", "{count} that it has never seen", 1)
    (folder / FILE).write_text(text, "utf-8")
    with pytest.raises(BadData) as caught:
        read_tests(folder)
    told = str(caught.value)
    for part in ("stands twice", "no such file: smoke_digits.py", "no [proof.colonel]", "placeholder in one language"):
        assert part in told


SPEC = SmokeSpec(framework="pytorch", test="picture", python="python")
CARD = Device(kind="cuda", name="RTX 4060")


@pytest.mark.parametrize(
    ("events", "words"),
    [
        ((), "running"),
        ((CARD, Result(passed=True), Exited(code=0)), "RTX 4060"),
        ((Device(kind="cpu", name="CPU"), Result(passed=True), Exited(code=0)), "honestly on the processor"),
        ((Result(passed=False), Exited(code=0)), "not everything"),
        ((Error(kind="OSError", text="a\nb", traceback=""), Exited(code=1)), "OSError: a"),
        ((Error(kind="OSError", text="", traceback=""), Exited(code=1)), "OSError: ?"),
        ((Stage(name="train", budget=1), Exited(code=-11)), "“training” (exit code -11)"),
        ((Stage(name="unheard", budget=1), TimedOut(stage="unheard")), "“unheard” took longer"),
        ((Exited(code=0),), "starting Python"),
        ((CancelledByUser(),), "You stopped"),
        ((NotStarted(reason="no such file"),), "no such file"),
        ((Interrupted(),), "switched off"),
    ],
)
def test_how_a_run_stands_is_one_sentence(events: tuple[SmokeEvent, ...], words: str) -> None:
    run = fold([Began(spec=SPEC, started=0.0), *events])
    assert words in say(verdict_message(run), "en")
    assert say(verdict_message(run), "ru")


def test_nothing_yet_is_said_too() -> None:
    assert "not begun" in say(verdict_message(SmokeRun()), "en")


def test_no_sentence_of_ours_is_unused() -> None:
    code = "\n".join(
        path.read_text("utf-8")
        for folder in ("smoke_test", "cli")
        for path in (Path(resource_root()).parent / "gpu_assistant" / folder).glob("*.py")
    )
    built = ("smoke-verdict-", "smoke-stage-")
    for id_ in texts().ids():
        if id_.startswith("smoke-") and not id_.startswith(built):
            assert f'"{id_}"' in code, id_
            assert placeholders(texts()._sentences[id_].en) == placeholders(texts()._sentences[id_].ru)
