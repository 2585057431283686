"""Bytes of a pipe to lines of text, wherever the pipe cut them."""

from __future__ import annotations

import locale
import sys

MAX_LINE = 1 << 20
_OEM, _ANSI = 0x0B, 0x1004  # LOCALE_IDEFAULTCODEPAGE, LOCALE_IDEFAULTANSICODEPAGE


def console_encodings() -> tuple[str, ...]:
    """What a child may have written if it is not UTF-8: on Windows the OEM, then the ANSI code page.

    The system's, not our own ones: our program may declare UTF-8 for itself, its children do not.
    """
    if sys.platform == "win32":
        return tuple(f"cp{number}" for number in map(_code_page, (_OEM, _ANSI)) if number)
    return (locale.getencoding(),)


def _code_page(kind: int) -> int:
    """0 where the system's language has none."""
    import ctypes

    text = ctypes.create_unicode_buffer(8)
    ctypes.windll.kernel32.GetLocaleInfoEx("!x-sys-default-locale", kind, text, len(text))  # type: ignore[attr-defined,unused-ignore]
    return int(text.value) if text.value.isdigit() and int(text.value) > 1 else 0


def decode_line(raw: bytes, fallbacks: tuple[str, ...] | None = None) -> str:
    """UTF-8 if it is, else the first console encoding that fits, else with replacement signs. Never raises."""
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        pass
    for encoding in fallbacks if fallbacks is not None else console_encodings():
        try:
            return raw.decode(encoding)
        except (UnicodeDecodeError, LookupError):
            continue
    return raw.decode("utf-8", "replace")


class LineSplitter:
    """Collects chunks and gives back whole lines; `\\n`, `\\r\\n` and a lone `\\r` end a line.

    A progress bar that redraws itself with `\\r` therefore arrives as one line per redraw. A line longer than
    `MAX_LINE` bytes is cut there, so that a child cannot fill our memory.
    """

    def __init__(self) -> None:
        self._tail = b""

    def feed(self, chunk: bytes) -> list[str]:
        """Lines completed by this chunk, without their ends."""
        data = self._tail + chunk
        # a "\r" at the very end may be the first half of "\r\n"
        held = b"\r" if data.endswith(b"\r") else b""
        body = data[: len(data) - len(held)]
        parts = body.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
        self._tail = parts.pop() + held
        if len(self._tail) > MAX_LINE:
            parts.append(self._tail)
            self._tail = b""
        return [decode_line(part) for part in parts]

    def close(self) -> list[str]:
        """The unfinished last line, if there is one."""
        tail, self._tail = self._tail.rstrip(b"\r"), b""
        return [decode_line(tail)] if tail else []


def all_lines(data: bytes) -> list[str]:
    """All lines of complete output."""
    splitter = LineSplitter()
    return [*splitter.feed(data), *splitter.close()]
