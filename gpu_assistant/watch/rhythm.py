"""The rhythm of a training that tells no steps: read off the progress that it prints."""

from __future__ import annotations

import re

from gpu_assistant.base.model import Value

_PROGRESS = (
    re.compile(r"\b(\d+)/(\d+) \[\d+:\d\d"),  # tqdm: 12/312 [00:05<01:10, 4.3it/s]
    re.compile(r"\b(\d+)/(\d+) [━=>.\-]{3,}"),  # Keras
    re.compile(r"(?i)\b(?:global[_ ])?(?:step|iter(?:ation)?|batch)s?\b[\s:=#\[]*(\d+)(?:\s*(?:/|of)\s*(\d+))?"),
)
SECONDS = 5.0  # over which the speed is taken, or longer:
STEPS = 4  # as many steps as it takes to speak of a speed


class Progress(Value, frozen=True, kw_only=True):
    """How far a line says the training is."""

    step: int
    total: int | None = None


def read_progress(text: str) -> Progress | None:
    """What a printed line says; None where it says nothing of the kind."""
    for pattern in _PROGRESS:
        if found := pattern.search(text):
            return Progress(step=int(found[1]), total=int(found[2]) if found[2] else None)
    return None


class Rhythm(Value, frozen=True, kw_only=True):
    """Steps over the last seconds. A count that falls back (a new epoch) goes on from where it was."""

    points: tuple[tuple[float, int], ...] = ()  # Unix time, steps since the start
    last: int = 0  # as it was told
    done: int = 0

    def at(self, time: float, told: int) -> Rhythm:
        """One more count."""
        done = self.done + (told - self.last if told >= self.last else told)
        points = (*self.points, (time, done))
        while len(points) > 2 and time - points[1][0] >= SECONDS and done - points[1][1] >= STEPS:
            points = points[1:]
        return Rhythm(points=points, last=told, done=done)

    @property
    def per_second(self) -> float | None:
        """None until there are two moments to compare."""
        if len(self.points) < 2:
            return None
        (start, before), (end, now) = self.points[0], self.points[-1]
        return (now - before) / (end - start) if end > start else None
