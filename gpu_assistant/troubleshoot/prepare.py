"""Text as people paste it to lines that rules can read: cleaned, repaired, with the numbers of the original lines."""

from __future__ import annotations

import bisect
import itertools
import re
from collections.abc import Iterable, Sequence

from gpu_assistant.base.model import Value
from gpu_assistant.troubleshoot.decode import repair_russian

LARGE = 300_000  # characters; a longer text is first cut down to the lines that can matter
HEAD, TAIL, MIDDLE = 80_000, 250_000, 250_000  # bytes of different lines that are kept of a large text
LONG_LINE = 8_000  # characters; of a longer line only the surroundings of a telling word are kept
AROUND = 2_000
GLUE_LIMIT = 60_000  # characters; a longer text is a log file, not a copy from a console

# Words that make a line in the middle of a large log worth reading. Lower case.
TELLING = tuple(
    word.encode()
    for word in (
        "error", "exception", "traceback", "fail", "fatal", "assert", "out of memory", "illegal", "timed out", "killed",
        "xid", "denied", "not found", "unable", "no such", "not compiled", "too old", "unavailable", "cannot",
        "not compatible", "available", "mismatch", "bus",
    )
)  # fmt: skip

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


def prepare(text: str, phrases: Sequence[tuple[str, str]] = ()) -> Text:
    """Cleans the text. Of a large one only different lines of its head and tail, and telling ones between, are kept.

    `phrases` are the system's own sentences in other languages with what they mean ("WinError 126"), which is
    added to the line. Lines end at `\\n`, `\\r\\n` and a lone `\\r`, as a text view counts them.
    """
    shown, numbers = [], []
    for number, piece in _pieces(text):
        for part in _slices(piece):
            shown.append(clean_line(part))
            numbers.append(number)
    lines = _translated(shown, phrases)
    return Text(lines=tuple(lines), shown=tuple(shown), numbers=tuple(numbers))


def clean_line(line: str) -> str:
    """Without colours, quote signs, time stamps and process names; Russian repaired."""
    line = _ANSI.sub("", line) if "\x1b" in line or not line.isprintable() else line
    line = _QUOTE.sub("", line)
    for _ in range(4):
        shorter = _PREFIX.sub("", line)
        if shorter == line:
            break
        line = shorter
    # only now: in a wrong code page the no-break space is a letter
    return repair_russian(line).replace("\xa0", " ").rstrip()


def _translated(shown: list[str], phrases: Sequence[tuple[str, str]]) -> list[str]:
    """The lines, with what a system's own sentence means added; a sentence may run on over a line end."""
    low = [line.lower() for line in shown]
    whole = "\n".join(low)
    lines, glued = shown, [Glued(low, ""), Glued(low, " ")] if len(whole) <= GLUE_LIMIT else []
    for sentence, meaning in phrases:
        if sentence in whole:
            places = [place for place, line in enumerate(low) if sentence in line]
        else:
            starts = [(text, text.text.find(sentence)) for text in glued]
            spans = [text.lines_of(start, start + len(sentence)) for text, start in starts if start >= 0]
            places = [span[0] for span in spans if span is not None][:1]
        if places:
            lines = list(lines)
        for place in places:
            lines[place] += f" [{meaning}]"
    return lines


def _slices(line: str) -> Iterable[str]:
    """The line itself, or of a very long one its start, its end and what stands around telling words."""
    if len(line) <= LONG_LINE:
        return (line,)
    data = line.encode("utf-8", "replace")
    low = data.lower()
    spans = [(0, AROUND), (len(data) - AROUND, len(data))]
    for word in TELLING:
        spans += [(at - AROUND // 2, at + AROUND) for at in itertools.islice(_places(low, word), 4)]
        if (last := low.rfind(word, len(low) - 50 * AROUND)) >= 0:
            spans.append((last - AROUND // 2, last + AROUND))
    return [data[start:end].decode("utf-8", "replace") for start, end in _merged(spans)]


def _places(data: bytes, word: bytes) -> Iterable[int]:
    at = data.find(word)
    while at >= 0:
        yield at
        at = data.find(word, at + AROUND)


def _merged(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1] and end - merged[-1][0] <= LONG_LINE:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((max(start, 0), end))
    return merged


def _pieces(text: str) -> Iterable[tuple[int, str]]:
    """Lines with their numbers."""
    if len(text) <= LARGE:
        return enumerate(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"), 1)
    data = text.encode("utf-8", "replace").replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    lines = data.split(b"\n")
    return [(place + 1, lines[place].decode("utf-8", "replace")) for place in _telling(lines, _different(data))]


def _different(data: bytes) -> list[int]:
    """Places of lines without repetitions: of lines that differ in digits only the first and the last are kept."""
    shapes = data.translate(None, b"0123456789").split(b"\n")
    last = dict(zip(shapes, range(len(shapes)), strict=True))
    first = dict(zip(reversed(shapes), range(len(shapes) - 1, -1, -1), strict=True))
    return sorted({*first.values(), *last.values()})


def _telling(lines: Sequence[bytes], places: list[int]) -> list[int]:
    ends = list(itertools.accumulate(len(lines[place]) + 1 for place in places))
    if ends[-1] <= HEAD + TAIL + MIDDLE:
        return places
    head, tail = bisect.bisect_right(ends, HEAD), bisect.bisect_left(ends, ends[-1] - TAIL)
    if head >= tail:
        return places
    between = places[head:tail]
    low = b"\n".join(lines[place] for place in between).lower()
    starts = list(itertools.accumulate((len(lines[place]) + 1 for place in between), initial=0))
    found = {between[place] for word in TELLING for place in _lines_with(low, word, starts)}
    return [*places[:head], *sorted(found), *places[tail:]]


def _lines_with(low: bytes, word: bytes, starts: Sequence[int]) -> Iterable[int]:
    """Lines with the word and the one after each, within the word's share of the budget, half of it from each end."""
    share = MIDDLE // len(TELLING) // 2
    for forward in (True, False):
        used, at = 0, 0 if forward else len(low)
        while used < share:
            at = low.find(word, at) if forward else low.rfind(word, 0, at)
            if at < 0:
                break
            place = bisect.bisect_right(starts, at) - 1
            yield place
            if place + 2 < len(starts):
                yield place + 1
            used += min(starts[place + 1] - starts[place], LONG_LINE)
            at = starts[place + 1] if forward else starts[place]


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
