"""The text in the box does what the argv does."""

from __future__ import annotations

import re
import shutil
import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpu_assistant.base.child import run_child
from gpu_assistant.base.job import JobContext
from gpu_assistant.select.shell import environment_texts, quote_cmd, quote_powershell, shell_text

LETTERS = string.ascii_letters + string.digits + " \"'\\$`&|<>^%!;,=+-*?~#(){}[]@:/._Жы‘’"
WORDS = st.text(alphabet=LETTERS, max_size=12)


def parse_windows(line: str) -> list[str]:
    """How a Windows program splits its command line into arguments (the rules of the C runtime)."""
    words, word, inside, started, index = [], "", False, False, 0
    while index < len(line):
        slashes = re.match(r"\\*", line[index:]).group()  # type: ignore[union-attr]
        after = line[index + len(slashes) : index + len(slashes) + 1]
        if slashes and after == '"':
            word += "\\" * (len(slashes) // 2)
            index += len(slashes)
            if len(slashes) % 2:
                word += '"'
                index += 1
            started = True
            continue
        if slashes:
            word, index, started = word + slashes, index + len(slashes), True
            continue
        letter = line[index]
        if letter == '"':
            inside, started = not inside, True
        elif letter == " " and not inside:
            if started:
                words.append(word)
            word, started = "", False
        else:
            word, started = word + letter, True
        index += 1
    return [*words, word] if started else words


def parse_powershell(line: str) -> list[str]:
    """Words of a line that has only plain words and single-quoted ones."""
    words = []
    for match in re.finditer(r"'((?:[^'‘’‚‛]|['‘’‚‛]{2})*)'|([A-Za-z0-9_./\\:+=-]+)", line):
        quoted, plain = match.groups()
        words.append(plain if plain is not None else re.sub(r"(['‘’‚‛])['‘’‚‛]", r"\1", quoted))
    return words


@given(words=st.lists(WORDS, min_size=1, max_size=5))
def test_cmd_gives_the_program_the_same_words(words: list[str]) -> None:
    assert parse_windows(" ".join(map(quote_cmd, words))) == words


@given(word=WORDS)
def test_cmd_leaves_nothing_that_it_would_act_on_outside_quotes(word: str) -> None:
    text = quote_cmd(word)
    assert text.startswith('"') or not set(text) & set("&|<>^()%!;, '\"")


@given(words=st.lists(WORDS, min_size=1, max_size=5))
def test_powershell_gives_the_program_the_same_words(words: list[str]) -> None:
    line = " ".join(map(quote_powershell, words))
    assert parse_powershell(line) == words


def test_powershell_calls_a_quoted_program() -> None:
    text = shell_text(["C:\\my folder\\python.exe", "-m", "pip", "install", "torch<2.15"]).powershell
    assert text == "& 'C:\\my folder\\python.exe' -m pip install 'torch<2.15'"


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash")
@settings(max_examples=25, deadline=None)
@given(words=st.lists(WORDS.filter(lambda word: "\n" not in word), min_size=1, max_size=8))
def test_bash_really_gives_the_program_the_same_words(words: list[str]) -> None:
    command = shell_text(["printf", "<%s>\\n", *words]).bash
    done = run_child(["bash", "-c", command], JobContext())
    assert list(done.out) == [f"<{word}>" for word in words]


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash")
@settings(max_examples=10, deadline=None)
@given(value=WORDS)
def test_bash_really_sets_the_variable(value: str) -> None:
    (line,) = environment_texts({"GPU_TEST": value})
    done = run_child(["bash", "-c", f'{line.bash}; printf "<%s>\\n" "$GPU_TEST"'], JobContext())
    assert list(done.out) == [f"<{value}>"]


def test_a_bound_is_quoted_everywhere() -> None:
    text = shell_text(["uv", "pip", "install", "torch>=2.14.1,<2.16", "torch==2.14.1"])
    assert text.bash.endswith("'torch>=2.14.1,<2.16' torch==2.14.1")
    assert text.powershell.endswith("'torch>=2.14.1,<2.16' torch==2.14.1")
    assert text.cmd.endswith('"torch>=2.14.1,<2.16" torch==2.14.1')
