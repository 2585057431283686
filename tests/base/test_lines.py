from __future__ import annotations

import codecs
import itertools
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpu_assistant.base.lines import MAX_LINE, LineSplitter, all_lines, decode_line


def lines_from_chunks(chunks: list[bytes]) -> list[str]:
    splitter = LineSplitter()
    return [line for chunk in chunks for line in splitter.feed(chunk)] + splitter.close()


@given(st.lists(st.sampled_from([b"one", b"\r", b"\n", b"\r\n", "кот".encode(), b""])), st.data())
def test_where_the_pipe_cuts_does_not_matter(parts, data):
    whole = b"".join(parts)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(whole)))))
    edges = [0, *cuts, len(whole)]
    chunks = [whole[start:end] for start, end in itertools.pairwise(edges)]
    assert lines_from_chunks(chunks) == all_lines(whole)


def test_a_cut_windows_line_end_is_one_end():
    assert lines_from_chunks([b"one\r", b"\ntwo"]) == ["one", "two"]


def test_a_progress_bar_arrives_redraw_by_redraw():
    assert all_lines(b"10%\r20%\r30%\n") == ["10%", "20%", "30%"]


def test_an_endless_line_does_not_fill_the_memory():
    splitter = LineSplitter()
    assert [len(line) for line in splitter.feed(b"x" * (MAX_LINE + 5))] == [MAX_LINE + 5]
    assert splitter.close() == []


def test_russian_console_output_is_read():
    assert decode_line("Не удаётся найти".encode("cp866"), ("cp866", "cp1251")) == "Не удаётся найти"


@pytest.mark.skipif(sys.platform != "win32", reason="code pages of consoles")
def test_the_system_names_code_pages_that_python_knows():
    from gpu_assistant.base.lines import console_encodings

    assert len(console_encodings()) == 2
    for name in console_encodings():
        assert decode_line(b"abc \xb9", (name,)).startswith("abc ")
        codecs.lookup(name)


@given(st.binary())
def test_decoding_never_raises(raw):
    assert isinstance(decode_line(raw, ("cp866", "no-such-code-page")), str)
