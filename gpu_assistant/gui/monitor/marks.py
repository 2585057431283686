"""Moments on the time line: their words and their colour."""

from __future__ import annotations

from gpu_assistant.base.message import message
from gpu_assistant.base.texts import texts
from gpu_assistant.gui.language import say
from gpu_assistant.gui.theme import ToneName
from gpu_assistant.monitor.model import Mark

TONES: dict[str, ToneName] = {
    "oom": "problem",
    "driver_lost": "problem",
    "gpu_lost": "problem",
    "throttling": "warning",
    "training_started": "accent",
    "training_ended": "accent",
    "driver_back": "good",
    "gpu_back": "good",
}


def mark_words(mark: Mark) -> str:
    """What happened, short enough for a label; a mark of an unknown kind speaks for itself."""
    id_ = f"monitor-mark-{mark.kind}"
    return say(message(id_)) if id_ in texts() else mark.text or mark.kind


def tone_of(mark: Mark) -> ToneName:
    """The meaning that colours a mark."""
    return TONES.get(mark.kind, "muted")
