"""What troubleshooting answers: causes with their fixes, best first."""

from __future__ import annotations

from typing import Literal

from gpu_assistant.base.model import Value
from gpu_assistant.base.texts import Language

Certainty = Literal["sure", "likely", "possible"]

ActionKind = Literal[
    "replace_cpu_build",
    "reinstall_packages",
    "match_torchvision",
    "set_environment_variable",
    "lower_batch",
    "free_gpu",
    "clear_cache",
    "reset_environment",
]


class Bilingual(Value, frozen=True, kw_only=True):
    """One text of the rule base in both languages, holes already filled."""

    en: str
    ru: str

    def say(self, language: Language) -> str:
        """The text in that language."""
        return self.ru if language == "ru" else self.en


class FixAction(Value, frozen=True, kw_only=True):
    """A fix that the program can prepare; `actions.prepare` turns it into a plan or a change to confirm.

    Arguments by kind: reinstall_packages `packages` (space-separated); set_environment_variable `name`, `value`;
    the others have none.
    """

    kind: ActionKind
    args: dict[str, str] = {}


class Fix(Value, frozen=True, kw_only=True):
    """One thing to do. `id` is stable ("rule-id/2"), so that history can remember it."""

    id: str
    text: Bilingual
    command: str | None = None  # to type or copy, language-free
    action: FixAction | None = None
    page: str | None = None  # id of the page of Windows where it is done (`resources/system_pages.toml`)
    tried: bool = False  # done before on this computer, and the same cause came back


class MarkedLine(Value, frozen=True, kw_only=True):
    """A line of the evidence that speaks for the cause. `number` counts from 1 in the original text."""

    number: int
    text: str


class Diagnosis(Value, frozen=True, kw_only=True):
    """One possible cause."""

    cause: str  # an id of the public list of causes
    rule: str  # the row of `resources/errors` that matched
    confidence: float  # 0 to 1
    title: Bilingual
    what: Bilingual  # what happened
    why: Bilingual
    fixes: tuple[Fix, ...] = ()  # in order
    check: Bilingual  # how to see that it helped
    stop: Bilingual  # when to stop trying and ask
    lines: tuple[MarkedLine, ...] = ()
    facts: tuple[Bilingual, ...] = ()  # what the system report adds: "your driver is 512.15, this build needs 580"
    sources: tuple[str, ...] = ()
    as_of: str = ""  # the date of the advice, "2026-12"

    @property
    def certainty(self) -> Certainty:
        """The confidence as a word to show."""
        return "sure" if self.confidence >= 0.85 else "likely" if self.confidence >= 0.6 else "possible"
