"""Takes the private parts out of text before it is written or shown: names, paths, tokens, serial numbers, hosts."""

from __future__ import annotations

import re
from collections.abc import Iterable

_HOME = re.compile(
    r"""(?P<before>(?:[A-Za-z]:)?(?:\\\\|[\\/])(?:Users|home|Пользователи)(?:\\\\|[\\/]))"""
    r"""(?P<name>[^\\/:*?"<>|\r\n]+?)(?=\\|/|["'<>|,;:)\]\r\n]|\s*$)""",
    re.IGNORECASE | re.MULTILINE,
)
_RULES: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"\b(?:hf|ghp|gho|ghs|github_pat|glpat|sk|pypi)[-_][A-Za-z0-9_\-]{16,}"), "<token>"),
    (
        re.compile(
            r"(?i)\b((?:api[_-]?key|token|secret|passw(?:or)?d|authorization)\s*[=:]\s*)(?:bearer\s+)?[^\s'\",;]+"
        ),
        r"\1<secret>",
    ),
    (re.compile(r"(?i)([a-z][a-z0-9+.\-]*://)[^\s/@:]+:[^\s/@]+@"), r"\1<login>@"),
    (re.compile(r"\bGPU-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b", re.I), "GPU-<uuid>"),
    (re.compile(r"\bMIG-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b", re.I), "MIG-<uuid>"),
    (re.compile(r"(?i)(<(?:serial|board_part_number|uuid)>)(?!N/A|\[N/A\])[^<]+(</)"), r"\1<removed>\2"),
    (re.compile(r"(?i)(serial(?:[ _]?number)?\s*[=:]\s*)(?!N/A|\[N/A\])\S+"), r"\1<removed>"),
    (re.compile(r"\b[\w.+\-]+@[\w\-]+(?:\.[\w\-]+)*\.[A-Za-z]{2,}\b"), "<mail>"),
    (  # not a version: "6.6.87.2-microsoft", "94.02.26.80.59", "cudnn==9.10.2.21"
        re.compile(
            r"(?<![\w.\-])(?<!==)(?!127\.|0\.0\.0\.0|255\.)"
            r"(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)\.){3}(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?![\w\-]|\.\w)"
        ),
        "<address>",
    ),
    (re.compile(r"\b(?:[0-9A-F]{2}[:-]){5}[0-9A-F]{2}\b", re.I), "<mac>"),
)


def redact(text: str, private_words: Iterable[str] = ()) -> str:
    """The text without what tells who and where: home folders' names, the given words (user, host), tokens, serials.

    `private_words` are replaced as whole words, longest first, letter case ignored; words under three letters are
    left, since they would tear holes into everything.
    """
    text = _HOME.sub(lambda match: f"{match['before']}<user>", text)
    for pattern, replacement in _RULES:
        text = pattern.sub(replacement, text)
    for word in sorted({word for word in private_words if len(word) > 2}, key=len, reverse=True):
        text = re.sub(rf"(?<!\w){re.escape(word)}(?!\w)", "<private>", text, flags=re.IGNORECASE)
    return text
