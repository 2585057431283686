"""The same command as a person would type it into cmd, PowerShell and bash."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Mapping, Sequence

from gpu_assistant.select.plan import ShellText

_PLAIN = re.compile(r"[A-Za-z0-9_./\\:+=-]+")
_SINGLE_QUOTES = "'‘’‚‛"  # PowerShell takes each of them for one


def quote_cmd(word: str) -> str:
    """One word for cmd: in double quotes where anything in it could mean something."""
    if _PLAIN.fullmatch(word):
        return word
    # a backslash before a quote escapes it, so those in front of a quote are doubled
    escaped = re.sub(r'(\\*)"', r'\1\1\\"', word)
    escaped = re.sub(r"(\\+)$", r"\1\1", escaped)
    return f'"{escaped}"'


def quote_powershell(word: str) -> str:
    """One word for PowerShell: in single quotes, where nothing is expanded."""
    # PowerShell tears "-name.rest" and "-name:rest" apart
    torn = word.startswith("-") and not word.startswith("--") and re.search(r"[.:]", word)
    if _PLAIN.fullmatch(word) and not torn:
        return word
    return "'" + "".join(letter * 2 if letter in _SINGLE_QUOTES else letter for letter in word) + "'"


def shell_text(argv: Sequence[str]) -> ShellText:
    """One command in all three shells."""
    powershell = " ".join(map(quote_powershell, argv))
    if powershell.startswith("'"):
        powershell = f"& {powershell}"  # else PowerShell only prints the text
    return ShellText(cmd=" ".join(map(quote_cmd, argv)), powershell=powershell, bash=shlex.join(argv))


def environment_texts(variables: Mapping[str, str]) -> Iterable[ShellText]:
    """One line per variable that sets it for the commands that follow."""
    for name, value in variables.items():
        single = "".join(letter * 2 if letter in _SINGLE_QUOTES else letter for letter in value)
        yield ShellText(
            cmd=f'set "{name}={value}"',
            powershell=f"$env:{name} = '{single}'",
            bash=f"export {name}={shlex.quote(value)}",
        )
