"""Says a `Message` in English or Russian. The sentences live in `resources/texts/*.toml`.

A file is a table per sentence: `[id]` with `en = "..."` and `ru = "..."`. Holes are `{name}`, with these formats:
`{size:bytes}` (GiB, MiB), `{seconds:duration}`, `{x:.1f}` (the language's decimal comma). A sentence that counts has
`en.one`, `en.other`, `ru.one`, `ru.few`, `ru.many`, chosen by the argument `count`.
"""

from __future__ import annotations

import functools
import string
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import msgspec

from gpu_assistant.base.message import Argument, Message
from gpu_assistant.base.resources import BadData, Complaint, read_entries, resource_root

Language = Literal["en", "ru"]
LANGUAGES: tuple[Language, ...] = ("en", "ru")

PLURAL_FORMS: dict[Language, tuple[str, ...]] = {"en": ("one", "other"), "ru": ("one", "few", "many")}


class Sentence(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One sentence in both languages; a table instead of a string holds plural forms."""

    en: str | dict[str, str]
    ru: str | dict[str, str]


def plural_form(language: Language, count: int) -> str:
    """CLDR's cardinal plural category for whole numbers."""
    if language == "en":
        return "one" if count == 1 else "other"
    if count % 10 == 1 and count % 100 != 11:
        return "one"
    return "few" if 2 <= count % 10 <= 4 and not 12 <= count % 100 <= 14 else "many"


_UNITS: dict[Language, tuple[str, ...]] = {
    "en": ("bytes", "KiB", "MiB", "GiB", "TiB"),
    "ru": ("байт", "КиБ", "МиБ", "ГиБ", "ТиБ"),
}
_TIMES: dict[Language, tuple[str, str, str]] = {"en": ("s", "min", "h"), "ru": ("с", "мин", "ч")}


def format_bytes(size: float, language: Language) -> str:
    """Bytes as people read them: "2.4 GiB", "2,4 ГиБ"."""
    units = _UNITS[language]
    power = 0
    while abs(size) >= 1024 and power < len(units) - 1:
        size, power = size / 1024, power + 1
    digits = 0 if power == 0 or abs(size) >= 100 else 1
    return f"{_decimal(f'{size:.{digits}f}', language)} {units[power]}"


def format_duration(seconds: float, language: Language) -> str:
    """A length of time in at most two units: "45 s", "3 min 20 s", "1 h 5 min"."""
    second, minute, hour = _TIMES[language]
    total = round(seconds)
    if total < 60:
        return f"{total} {second}"
    if total < 3600:
        return f"{total // 60} {minute}" + (f" {total % 60} {second}" if total % 60 else "")
    return f"{total // 3600} {hour}" + (f" {total % 3600 // 60} {minute}" if total % 3600 // 60 else "")


def _decimal(number: str, language: Language) -> str:
    return number.replace(".", ",") if language == "ru" else number


class _Filler(string.Formatter):
    def __init__(self, texts: Texts, language: Language) -> None:
        self._texts = texts
        self._language = language

    def format_field(self, value: Any, format_spec: str) -> str:
        if isinstance(value, Message):
            return self._texts.say(value, self._language)
        if format_spec == "bytes":
            return format_bytes(value, self._language)
        if format_spec == "duration":
            return format_duration(value, self._language)
        text = str(super().format_field(value, format_spec))
        return _decimal(text, self._language) if isinstance(value, float) else text


class Texts:
    """All sentences of the program."""

    def __init__(self, sentences: Mapping[str, Sentence]) -> None:
        self._sentences = sentences

    def __contains__(self, id_: str) -> bool:
        return id_ in self._sentences

    def ids(self) -> tuple[str, ...]:
        """Every known id, sorted."""
        return tuple(sorted(self._sentences))

    def say(self, message: Message, language: Language) -> str:
        """The sentence in that language, holes filled. Raises `KeyError` for an unknown id or missing argument."""
        sentence = self._sentences[message.id]
        template = sentence.en if language == "en" else sentence.ru
        return fill(template, message.args, language, self)


def fill(template: str | dict[str, str], args: Mapping[str, Argument], language: Language, texts: Texts) -> str:
    """Fills the holes of one template; a table of plural forms is chosen by `args["count"]`."""
    if isinstance(template, dict):
        count = args["count"]
        template = template[plural_form(language, count if isinstance(count, int) else 0)]
    return _Filler(texts, language).vformat(template, (), args)


def placeholders(template: str | dict[str, str]) -> set[str]:
    """The names of the holes in a template, over all its plural forms."""
    forms = template.values() if isinstance(template, dict) else (template,)
    return {name for form in forms for _, name, _, _ in string.Formatter().parse(form) if name is not None}


def check_sentence(file: str, id_: str, sentence: Sentence) -> list[Complaint]:
    """What is wrong with one sentence: holes in one language only, missing plural forms, empty text."""
    complaints = []
    if placeholders(sentence.en) != placeholders(sentence.ru):
        different = placeholders(sentence.en) ^ placeholders(sentence.ru)
        complaints.append(Complaint(file, id_, "", f"placeholder in one language only: {', '.join(sorted(different))}"))
    for language in LANGUAGES:
        template = sentence.en if language == "en" else sentence.ru
        if isinstance(template, dict) and set(template) != set(PLURAL_FORMS[language]):
            complaints.append(Complaint(file, id_, language, f"plural forms must be {PLURAL_FORMS[language]}"))
        if not template or (isinstance(template, str) and not template.strip()):
            complaints.append(Complaint(file, id_, language, "empty"))
    return complaints


def load_texts(folder: Path) -> Texts:
    """Reads every `*.toml` of the folder. Raises `BadData` with all complaints at once."""
    sentences: dict[str, Sentence] = {}
    complaints: list[Complaint] = []
    for path in sorted(folder.glob("*.toml")):
        try:
            table, bad = read_entries(path, Sentence)
        except BadData as error:
            complaints += error.complaints
            continue
        complaints += bad
        for id_, sentence in table.items():
            complaints += check_sentence(path.name, id_, sentence)
            if id_ in sentences:
                complaints.append(Complaint(path.name, id_, "", "this id stands in another file too"))
            sentences[id_] = sentence
    if complaints:
        raise BadData(complaints)
    return Texts(sentences)


@functools.cache
def texts() -> Texts:
    """The program's own sentences, read once."""
    return load_texts(resource_root() / "texts")


def say(message: Message, language: Language) -> str:
    """`texts().say`, for the edges: command line, window, exported files."""
    return texts().say(message, language)
