"""Text as people paste it: code pages, consoles, prefixes, and the numbers of the original lines."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpu_assistant.troubleshoot.decode import decode_bytes, repair_russian
from gpu_assistant.troubleshoot.engine import diagnose
from gpu_assistant.troubleshoot.evidence import Evidence
from gpu_assistant.troubleshoot.prepare import clean_line, prepare
from gpu_assistant.troubleshoot.rules import rule_base

RUSSIAN = "ImportError: DLL load failed while importing _C: Не найден указанный модуль."


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("cp1251", "cp866"),
        ("cp866", "cp1251"),
        ("cp1251", "utf-8"),
        ("latin-1", "utf-8"),
        ("latin-1", "cp1251"),
        ("cp866", "utf-8"),
    ],
)
def test_russian_read_in_the_wrong_code_page_is_repaired(wrong: str, right: str) -> None:
    garbled = RUSSIAN.encode(right).decode(wrong, "replace")
    assert "найден" in repair_russian(garbled) or "\ufffd" in garbled
    assert diagnose(Evidence(text=garbled), rule_base())[0].cause == "dll_missing_dependency"


@pytest.mark.parametrize(
    "text", [RUSSIAN, "Größe überschritten, naïve café", "проверка связи", "页面文件太小", "│ ✓ done"]
)
def test_good_text_is_left_alone(text: str) -> None:
    assert repair_russian(text) == text


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp866", "cp1251"])
def test_bytes_of_any_console_are_read(encoding: str) -> None:
    assert decode_bytes(RUSSIAN.encode(encoding)) == RUSSIAN


def test_mixed_code_pages_are_read_line_by_line() -> None:
    data = "Не найден модуль\n".encode("cp866") + "Не найден модуль\n".encode() + "Отказано в доступе".encode("cp1251")
    assert decode_bytes(data).split("\n") == ["Не найден модуль", "Не найден модуль", "Отказано в доступе"]


@given(st.binary(max_size=400))
@settings(max_examples=60, deadline=None)
def test_decoding_never_raises(data: bytes) -> None:
    assert isinstance(decode_bytes(data), str)


@pytest.mark.parametrize(
    "line",
    [
        "KeyError: 'loss'",
        "\x1b[31mKeyError\x1b[0m: 'loss'",
        "> > KeyError: 'loss'",
        "[2024-09-18 08:19:50] [INFO] KeyError: 'loss'",
        "2024-10-09 05:36:15,720 - ERROR - KeyError: 'loss'",
        "[rank0]: KeyError: 'loss'",
        "(RayTrainWorker pid=4242) KeyError: 'loss'",
        "[0]:KeyError: 'loss'",
        "trainer-1  | KeyError: 'loss'",
    ],
)
def test_what_stands_around_a_message_does_not_matter(line: str) -> None:
    assert clean_line(line).endswith("KeyError: 'loss'")
    best = diagnose(Evidence(text=f"Traceback (most recent call last):\n{line}"), rule_base())[0]
    assert (best.cause, best.lines[0].number) == ("not_a_gpu_problem", 2)


MESSAGE = (
    "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.00 GiB. GPU 0 has a total capacity of 24.00 GiB "
    "of which 0.10 GiB is free. Of the allocated memory 15.00 GiB is allocated by PyTorch, and 8.00 GiB is reserved by "
    "PyTorch but unallocated."
)


@pytest.mark.parametrize("width", [40, 60, 79, 80, 100, 120])
def test_a_narrow_console_does_not_matter(width: int) -> None:
    wrapped = "\n".join(MESSAGE[at : at + width] for at in range(0, len(MESSAGE), width))
    best = diagnose(Evidence(text=wrapped), rule_base())[0]
    assert best.cause == "cuda_oom_fragmentation"
    assert len(best.lines) > 1


def test_progress_bars_and_code_fences_do_not_matter() -> None:
    bar = "\r".join(f"{n}%|####| {n}/100 [00:01<00:02]" for n in range(100))
    text = f"```\n{bar}\r\nRuntimeError: CUDA error: no kernel image is available for execution on the device\n```"
    best = diagnose(Evidence(text=text), rule_base())[0]
    assert best.cause == "gpu_arch_not_in_build"
    assert best.lines[0].number == 102


def test_numbers_are_those_of_the_original_lines_even_in_a_large_log() -> None:
    lines = [f"step {n} loss 0.1" for n in range(50_000)]
    lines[31_234] = "RuntimeError: cuDNN error: CUDNN_STATUS_NOT_INITIALIZED"
    text = prepare("\n".join(lines))
    place = next(place for place, line in enumerate(text.lines) if "CUDNN" in line)
    assert text.numbers[place] == 31_235
    assert len(text.lines) < 100


def test_a_large_log_of_different_lines_keeps_the_telling_ones() -> None:
    lines = [
        f"{chr(97 + n % 26)}{chr(97 + n // 26 % 26)}{chr(97 + n // 676 % 26)} {'x' * (n % 97)}" for n in range(60_000)
    ]
    lines[30_000] = "something failed: here"
    text = prepare("\n".join(lines))
    assert "something failed: here" in text.lines


def test_a_foreign_sentence_gets_its_number() -> None:
    phrases = [("не найден указанный модуль", "WinError 126")]
    text = prepare(RUSSIAN, phrases)
    assert text.lines[0].endswith("[WinError 126]")
    assert text.shown[0] == RUSSIAN
