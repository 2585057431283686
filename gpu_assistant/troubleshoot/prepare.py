"""Text as people paste it to lines that rules can read: cleaned, repaired, with the numbers of the original lines."""

from __future__ import annotations

import bisect
import itertools
import re
from collections.abc import Iterable, Sequence

from gpu_assistant.base.model import Value
from gpu_assistant.troubleshoot.decode import repair_russian

LARGE = 1 << 20  # bytes; a longer text is first cut down to the lines that can matter
HEAD, TAIL = 100_000, 400_000  # bytes of a large text that are kept whole
HITS_PER_WORD = 6_000  # lines per keyword and end of a large text
LONG_LINE = 8_000  # characters; of a longer line only the surroundings of a keyword are kept
AROUND = 2_000

_ANSI = re.compile(
    r"\x1b\[[0-9;?]{0,20}[ -/]?[@-~]|\x1b\][^\x07\x1b]{0,200}(?:\x07|\x1b\\)|\x1b[()][A-B0-2]"
    r"|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]"
)
_QUOTE = re.compile(r"^(?:[>|│] ?){1,4}")
_PREFIX = re.compile(
    r"^(?:"
    r"\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?\]?[ :|-]{0,4}"
    r"|\[?\d\d:\d\d:\d\d(?:[.,]\d{1,9})?\]?[ :|-]{0,4}"
    r"|\[(?:default)?\d{0,3}\]?:?\[?rank ?\d{1,4}\]:? ?"
    r"|\((?:\w{1,40} )?(?:pid|rank)=? ?\d{1,9}[^)]{0,60}\) ?"
    r"|\[\d{1,4}(?:,\d{1,4})?\](?:<std(?:err|out)>)?: ?"
    r"|[\w.-]{1,60}(?:-\d{1,4})? {1,20}\| "
    r"|\[?(?:INFO|ERROR|WARNING|WARN|DEBUG|CRITICAL|FATAL|stderr|stdout)\]?(?: {1,4}-|:| {1,4}\|)? {1,8}"
    r"|[IWEF]\d{4} \d\d:\d\d:\d\d\.\d{1,9} {1,4}\d{1,9} [\w./\\-]{1,200}:\d{1,6}\] "
    r"|│ {1,8}"
    r")"
)


class Text(Value, frozen=True, kw_only=True):
    """Cleaned lines: `lines` to be searched, `shown` to be read. `numbers` are their places in the original, from 1."""

    lines: tuple[str, ...]
    shown: tuple[str, ...]
    numbers: tuple[int, ...]


def prepare(text: str, keywords: Sequence[bytes], phrases: Sequence[tuple[str, str]] = ()) -> Text:
    """Cleans the text. Of a large one only head, tail and lines with one of the (lower-case) keywords are kept.

    `phrases` are the system's own sentences in other languages with what they mean ("WinError 126"), which is
    added to the line. Lines end at `\\n`, `\\r\\n` and a lone `\\r`, as a text view counts them.
    """
    if len(text) > LARGE:
        pieces = _reduce(text.encode("utf-8", "replace"), keywords)
    else:
        pieces = list(enumerate(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"), 1))
    lines, shown, numbers = [], [], []
    for number, piece in pieces:
        for part in _slices(piece, keywords):
            clean = clean_line(part)
            lines.append(_translate(clean, phrases))
            shown.append(clean)
            numbers.append(number)
    return Text(lines=tuple(lines), shown=tuple(shown), numbers=tuple(numbers))


def clean_line(line: str) -> str:
    """Without colours, quote signs, time stamps and process names; Russian repaired."""
    line = _ANSI.sub("", line) if "\x1b" in line or not line.isprintable() else line
    line = _QUOTE.sub("", line.replace("\xa0", " "))
    for _ in range(4):
        shorter = _PREFIX.sub("", line)
        if shorter == line:
            break
        line = shorter
    return repair_russian(line).rstrip()


def _translate(line: str, phrases: Sequence[tuple[str, str]]) -> str:
    if line.isascii():
        return line
    low = line.lower()
    meanings = dict.fromkeys(meaning for sentence, meaning in phrases if sentence in low)
    return f"{line} [{'; '.join(meanings)}]" if meanings else line


def _slices(line: str, keywords: Sequence[bytes]) -> Iterable[str]:
    """The line itself, or of a very long one what stands around keywords, at its start and at its end."""
    if len(line) <= LONG_LINE:
        return (line,)
    low = line.lower() if len(line) == len(line.lower()) else line
    spans = [(0, AROUND), (len(line) - AROUND, len(line))]
    for word in keywords:
        spans += [(max(0, at - AROUND), at + AROUND) for at in itertools.islice(_places(low, word.decode()), 8)]
        last = low.rfind(word.decode())
        if last >= 0:
            spans.append((max(0, last - AROUND), last + AROUND))
    return (line[start:end] for start, end in _merged(spans))


def _places(text: str, word: str) -> Iterable[int]:
    at = text.find(word)
    while at >= 0:
        yield at
        at = text.find(word, at + AROUND)


def _merged(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    # a span that was merged over and over must still not grow into a line that rules would choke on
    return [(at, min(at + LONG_LINE, end)) for start, end in merged for at in range(start, end, LONG_LINE)][:200]


def _reduce(data: bytes, keywords: Sequence[bytes]) -> list[tuple[int, str]]:
    data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    low = data.lower()
    spans = [(0, _line_end(data, HEAD)), (_line_start(data, len(data) - TAIL), len(data))]
    for word in keywords:
        spans += _hits(low, word)
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return _numbered(data, merged)


def _hits(low: bytes, word: bytes) -> list[tuple[int, int]]:
    """Lines with the word, from the front and from the back, each with its next line."""
    spans: list[tuple[int, int]] = []
    at = 0
    for _ in range(HITS_PER_WORD):
        at = low.find(word, at)
        if at < 0:
            return spans
        spans.append(_window(low, at))
        at = spans[-1][1]
    at, front = len(low), spans[-1][1]
    for _ in range(HITS_PER_WORD):
        at = low.rfind(word, front, at)
        if at < 0:
            break
        spans.append(_window(low, at))
        at = spans[-1][0]
    return spans


def _window(data: bytes, at: int) -> tuple[int, int]:
    return max(_line_start(data, at), at - LONG_LINE), min(_line_end(data, at), at + LONG_LINE)


def _line_start(data: bytes, at: int) -> int:
    return data.rfind(b"\n", 0, max(at, 0)) + 1


def _line_end(data: bytes, at: int) -> int:
    end = data.find(b"\n", at)
    return len(data) if end < 0 else end + 1


def _numbered(data: bytes, spans: Sequence[tuple[int, int]]) -> list[tuple[int, str]]:
    pieces: list[tuple[int, str]] = []
    number, counted = 1, 0
    seen: dict[str, int] = {}
    for start, end in spans:
        number += data.count(b"\n", counted, start)
        counted = start
        for offset, line in enumerate(data[start:end].decode("utf-8", "replace").split("\n")[: 1 << 20]):
            shape = line[:200].translate(_DIGITS)
            if line and seen.get(shape, 0) < 20:
                seen[shape] = seen.get(shape, 0) + 1
                pieces.append((number + offset, line))
    return pieces


_DIGITS = {ord(digit): None for digit in "0123456789"}


class Glued:
    """Lines joined without a break, for messages that a narrow console cut into pieces."""

    def __init__(self, lines: Sequence[str], separator: str) -> None:
        self.text = separator.join(lines)
        self._starts = list(itertools.accumulate((len(line) + len(separator) for line in lines), initial=0))
        self._lengths = [len(line) for line in lines]
        self._limit = 0.8 * min(max(self._lengths, default=0), 300)

    def lines_of(self, start: int, end: int) -> range | None:
        """Which lines a match touches; None if it crosses a line end that no console would have made."""
        first = bisect.bisect_right(self._starts, start) - 1
        last = bisect.bisect_left(self._starts, end, first + 1) - 1
        if any(self._lengths[place] < self._limit for place in range(first, last)):
            return None
        return range(first, last + 1)
