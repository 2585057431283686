"""`gpu-assistant check`: what keeps a training script from using the card. The script is read, never run."""

from __future__ import annotations

import argparse
import sys
import textwrap
from pathlib import Path

from gpu_assistant.base.message import Message, message
from gpu_assistant.base.model import to_json
from gpu_assistant.base.texts import Language, say
from gpu_assistant.check.engine import CheckResult, Finding, check_file


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="a script (.py) or notebook (.ipynb)")
    parser.add_argument("--json", action="store_true", help="print JSON instead of sentences")


def run(args: argparse.Namespace) -> int:
    """0: nothing that fails or is wrong; 1: something is; 2: a file cannot be read or is no Python."""
    language: Language = args.lang
    code = 0
    results: list[tuple[Path, CheckResult]] = []
    for path in args.files:
        try:
            result = check_file(path.name, path.read_bytes())
        except OSError as error:
            result = CheckResult(trouble=message("check-unreadable", detail=error.strerror or str(error)))
        results.append((path, result))
        wrong = any(finding.level == "wrong" for finding in result.findings)
        code = max(code, 2 if result.trouble is not None else int(wrong))
    if args.json:
        print(to_json({"files": [_as_json(path, result, language) for path, result in results]}, indent=2).decode())
        return code
    for path, result in results:
        stream = sys.stderr if result.trouble is not None else sys.stdout
        print(_as_text(path, result, language), file=stream)
    return code


def _as_json(path: Path, result: CheckResult, language: Language) -> dict[str, object]:
    return {
        "file": str(path),
        "trouble": say(result.trouble, language) if result.trouble is not None else None,
        "notes": [say(note, language) for note in result.notes],
        "frameworks": list(result.frameworks),
        "findings": [
            {
                "rule": finding.rule,
                "level": finding.level,
                "rank": finding.rank,
                "cell": finding.cell,
                "line": finding.cell_line,
                "text": finding.text,
                "title": finding.title.say(language),
                "why": finding.why.say(language),
                "code": finding.code,
                "sources": list(finding.sources),
            }
            for finding in result.findings
        ],
    }


def place_of(finding: Finding) -> Message:
    """Where it is, to be said."""
    if finding.cell is None:
        return message("check-line", line=finding.cell_line)
    return message("check-cell-line", cell=finding.cell, line=finding.cell_line)


def _as_text(path: Path, result: CheckResult, language: Language) -> str:
    if result.trouble is not None:
        return f"{path}: {say(result.trouble, language)}"
    count = say(message("check-counted", count=len(result.findings)), language)
    parts = [f"{path}: {count}", *(f"  {say(note, language)}" for note in result.notes)]
    if not result.findings and result.frameworks:
        parts.append(f"  {say(message('check-clean'), language)}")
    parts += [_finding_text(finding, language) for finding in result.findings]
    return "\n".join(parts) + "\n"


def _finding_text(finding: Finding, language: Language) -> str:
    level = say(message(f"check-level-{finding.level}"), language)
    head = f"\n{say(place_of(finding), language)}: {finding.title.say(language)}  ({level})  [{finding.rule}]"
    lines = [head, f"    > {finding.text}"]
    lines += textwrap.wrap(finding.why.say(language), 96, initial_indent="  ", subsequent_indent="  ")
    if finding.code:
        lines += [f"  {say(message('check-instead'), language)}", textwrap.indent(finding.code, "    ")]
    return "\n".join(lines)
