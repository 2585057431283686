"""Writes the starter project: a script that trains the right way, with comments in the user's language."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path

import msgspec

from gpu_assistant.base.files import write_atomic
from gpu_assistant.base.resources import read_toml, resource_root
from gpu_assistant.base.texts import Language
from gpu_assistant.install.terminal import activation

PROJECT = "my-first-training"
WIDTH = 100  # letters in a line of the script
_MARK = re.compile(r"^(?P<indent> *)# \[(?P<id>[a-z-]+)\]$", re.MULTILINE)


class Comment(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One comment of the script; a line break starts a new line, long lines are wrapped."""

    en: str
    ru: str


def starter_folder() -> Path:
    """The templates."""
    return resource_root() / "starter"


def comments() -> dict[str, Comment]:
    """All comments by their mark."""
    return read_toml(starter_folder() / "comments.toml", dict[str, Comment])


def script_text(language: Language) -> str:
    """`train.py` with its comments in that language."""
    known = comments()

    def comment(match: re.Match[str]) -> str:
        text = known[match["id"]].ru if language == "ru" else known[match["id"]].en
        start = f"{match['indent']}# "
        lines = (textwrap.wrap(line, WIDTH - len(start)) for line in text.strip().splitlines())
        return "\n".join(start + part for parts in lines for part in parts)

    return _MARK.sub(comment, (starter_folder() / "train.py").read_text(encoding="utf-8"))


def readme_text(language: Language, environment: Path) -> str:
    """The README, with the command that switches the environment on."""
    template = (starter_folder() / f"README.{language}.md").read_text(encoding="utf-8")
    return template.replace("{activate}", activation(environment)).replace("{environment}", str(environment))


def create_starter(parent: Path, environment: Path, language: Language) -> Path:
    """Makes a new folder with the project under `parent`; never writes into an existing one. Raises `OSError`."""
    folder = parent / PROJECT
    number = 1
    while folder.exists():
        number += 1
        folder = parent / f"{PROJECT}-{number}"
    folder.mkdir(parents=True)
    write_atomic(folder / "train.py", script_text(language).encode())
    write_atomic(folder / "README.md", readme_text(language, environment).encode())
    return folder
