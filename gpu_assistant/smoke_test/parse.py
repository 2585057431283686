"""One line of the child to one event. What is no event of the protocol is a log line; nothing is lost."""

from __future__ import annotations

from typing import Literal

import msgspec

from gpu_assistant.smoke_test.events import ChildEvent, Log, SmokeEvent

LONGEST = 8000  # letters of a log line that are kept

_child_decoder: msgspec.json.Decoder[ChildEvent] = msgspec.json.Decoder(ChildEvent)
_saved_decoder: msgspec.json.Decoder[SmokeEvent] = msgspec.json.Decoder(SmokeEvent)


def parse_line(text: str, stream: Literal["out", "err"]) -> SmokeEvent:
    """Never raises. Only the child's stdout carries events: what looks like one on stderr, somebody printed."""
    if stream == "out" and text.startswith("{"):
        try:
            return _child_decoder.decode(text)
        except (msgspec.DecodeError, RecursionError, UnicodeError):
            pass
    return Log(text=text if len(text) <= LONGEST else text[:LONGEST] + " [...]", stream=stream)


def read_saved(line: bytes) -> SmokeEvent:
    """One line of a saved run. Raises `msgspec.DecodeError`."""
    return _saved_decoder.decode(line)
