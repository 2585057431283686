"""The same text as people paste it: cut by a narrow console, dated, ranked, quoted, coloured, in the midst of noise."""

from __future__ import annotations

from collections.abc import Callable


def _each_line(change: Callable[[int, str], str]) -> Callable[[str], str]:
    return lambda text: "\n".join(change(number, line) for number, line in enumerate(text.splitlines()))


def _cut(width: int) -> Callable[[str], str]:
    def cut(number: int, line: str) -> str:
        return "\n".join(line[at : at + width] for at in range(0, len(line), width)) or line

    return _each_line(cut)


def _in_noise(text: str) -> str:
    before = "\n".join(f"epoch {number} loss {1 / (number + 1):.4f} lr 0.001" for number in range(60))
    return f"{before}\n{text}\n\nC:\\Users\\user\\project>"


DISGUISES: dict[str, Callable[[str], str]] = {
    "narrow console": _cut(80),
    "very narrow console": _cut(60),
    "timestamps": _each_line(lambda number, line: f"2026-11-20 10:{number // 60 % 60:02}:{number % 60:02},123 {line}"),
    "rank prefixes": _each_line(lambda number, line: f"[rank0]: {line}"),
    "quotes": _each_line(lambda number, line: f"> {line}"),
    "colours": _each_line(lambda number, line: f"\x1b[31m{line}\x1b[0m"),
    "carriage returns": lambda text: text.replace("\n", "\r\n"),
    "code fence": lambda text: f"Помогите, пожалуйста!\n```\n{text}\n```\nЗаранее спасибо",
    "noise": _in_noise,
    "indented": _each_line(lambda number, line: f"    {line}"),
    "progress bar": lambda text: f"  0%|          | 0/100\r 50%|█████     | 50/100\r100%|██████████| 100/100\n{text}",
}
