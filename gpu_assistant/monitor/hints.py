"""What the curves mean: pure functions from series to hints. Each hint is a row of `resources/hints.toml`."""

from __future__ import annotations

from gpu_assistant.base.model import Value
from gpu_assistant.base.texts import Language


class Evidence(Value, frozen=True, kw_only=True):
    """A series that a hint rests on; to be shown on the chart between the hint's `start` and `end`."""

    owner: str  # a card's uuid, "host" or "training"
    metric: str


class Hint(Value, frozen=True, kw_only=True):
    """One thing worth saying about one card. `args` fill the holes of the row's sentences."""

    id: str
    gpu: str  # uuid
    start: float
    end: float
    severity: str = "info"  # "info" | "warning"
    args: dict[str, str | int | float] = {}
    evidence: tuple[Evidence, ...] = ()

    def sentence(self, language: Language) -> str:
        """What is going on, in one sentence."""
        raise NotImplementedError

    def advice(self, language: Language) -> str:
        """What to try first."""
        raise NotImplementedError
