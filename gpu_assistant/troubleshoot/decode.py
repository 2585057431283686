"""Bytes of unknown origin to text, and Russian that went through the wrong code page back to Russian."""

from __future__ import annotations

import re

# How often a letter stands in Russian text; the rest of the alphabet counts little.
_COMMON = {
    letter: weight
    for weight, letters in ((3, "оеаин"), (2, "тсрвлкмдпу"), (1, "яыьгзбчйхжшюцщэ"))
    for letter in letters
}

# A word of both alphabets: "Grцße" was German.
_MIXED = re.compile(r"[A-Za-z][а-яё]|[а-яё][A-Za-z]", re.IGNORECASE)

# What was read as what: the text is encoded back with the first and decoded with the second.
_WRONG_TURNS = (
    ("cp1251", "cp866"),
    ("cp866", "cp1251"),
    ("cp1251", "utf-8"),
    ("cp866", "utf-8"),
    ("cp1252", "utf-8"),
    ("latin-1", "utf-8"),
    ("cp1252", "cp1251"),
    ("latin-1", "cp1251"),
    ("latin-1", "cp866"),
    ("cp437", "cp866"),
)


def decode_bytes(data: bytes) -> str:
    """Text of a file or pipe: UTF-8, UTF-16, else line by line the likelier Russian code page. Never raises."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace")
    if data[:4096].count(0) > len(data[:4096]) // 4:
        return data.decode("utf-16-le", "replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return "\n".join(map(_decode_line, data.split(b"\n")))


def _decode_line(raw: bytes) -> str:
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        guesses = [raw.decode(encoding, "replace") for encoding in ("cp866", "cp1251")]
        best = max(guesses, key=russian_score)
        return best if russian_score(best) > 0 else raw.decode("utf-8", "replace")


def russian_score(text: str) -> float:
    """How Russian the letters beyond ASCII look: about 1.5 to 2 for real text, near 0 or less for a garbled one."""
    foreign = [character for character in text if ord(character) > 127]
    if not foreign:
        return 0.0
    total = 0.0
    for character in foreign:
        weight = _COMMON.get(character)
        if weight is not None:
            total += weight
        elif character.lower() in _COMMON:
            total += 0.3  # capitals are rare inside words
        elif character not in "«»—–…№ёЁъЪфФ\xa0":
            total -= 2
    return total / len(foreign)


def repair_russian(line: str) -> str:
    """The line as it was before a wrong code page, if that is clearly Russian; else the line itself."""
    if line.isascii():
        return line
    best, best_score = line, max(russian_score(line), 0.0) + 0.5
    for wrong, right in _WRONG_TURNS:
        try:
            candidate = line.encode(wrong).decode(right)
        except UnicodeError:
            continue
        if (score := russian_score(candidate)) > best_score and not _MIXED.search(candidate):
            best, best_score = candidate, score
    return best
