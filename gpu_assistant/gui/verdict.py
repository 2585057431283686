"""A verdict's colour. Its words come from selection, its symbol from the banner that shows it."""

from __future__ import annotations

from gpu_assistant.gui.theme import Tone
from gpu_assistant.select.plan import Status

_TONES: dict[Status, Tone] = {
    Status.READY: "good",
    Status.DRIVER_NEEDED: "warning",
    Status.CPU_ONLY: "info",
    Status.UNSUPPORTED: "problem",
    Status.UNKNOWN: "warning",
}


def verdict_tone(status: Status) -> Tone:
    """The tone of a banner that says this verdict."""
    return _TONES[status]
