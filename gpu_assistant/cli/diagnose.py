"""`gpu-assistant diagnose`: an error text goes in, its cause and the fixes come out."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import msgspec

from gpu_assistant.base.message import Message, message
from gpu_assistant.base.model import from_json, to_json
from gpu_assistant.base.texts import Language, say
from gpu_assistant.detect.report import SystemReport
from gpu_assistant.troubleshoot.decode import decode_bytes
from gpu_assistant.troubleshoot.diagnosis import Diagnosis
from gpu_assistant.troubleshoot.engine import diagnose
from gpu_assistant.troubleshoot.evidence import Evidence
from gpu_assistant.troubleshoot.rules import rule_base


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """FILE or "-", and the facts around it."""
    parser.add_argument("file", nargs="?", default="-", metavar="FILE", help='text or log file; "-" reads the input')
    parser.add_argument("--json", action="store_true", help="print JSON instead of sentences")
    parser.add_argument(
        "--report", type=Path, metavar="FILE", help="a saved `report --json` of the computer it happened on"
    )
    parser.add_argument(
        "--exit-code", type=lambda text: int(text, 0), metavar="N", help="exit code of the failed program"
    )
    parser.add_argument("--stage", metavar="S", help="stage that failed: install, import, train, ...")


def run(args: argparse.Namespace) -> int:
    """0: an answer was printed (also "unknown"); 2: the text or the report cannot be read."""
    language: Language = args.lang
    try:
        data = sys.stdin.buffer.read() if args.file == "-" else Path(args.file).read_bytes()
        report = from_json(args.report.read_bytes(), SystemReport) if args.report else None
    except (OSError, msgspec.DecodeError) as error:
        print(say(message("diagnose-unreadable", detail=str(error)), language), file=sys.stderr)
        return 2
    evidence = Evidence(
        text=decode_bytes(data),
        exit_code=args.exit_code,
        stage=args.stage,
        source="file" if args.file != "-" else "pasted",
        report=report,
    )
    diagnoses = diagnose(evidence, rule_base())
    if args.json:
        print(to_json({"diagnoses": [_as_json(diagnosis, language) for diagnosis in diagnoses]}, indent=2).decode())
    else:
        print("\n\n".join(_as_text(number, diagnosis, language) for number, diagnosis in enumerate(diagnoses, 1)))
    return 0


def _as_json(diagnosis: Diagnosis, language: Language) -> dict[str, object]:
    return {
        "cause": diagnosis.cause,
        "confidence": diagnosis.confidence,
        "lines": [line.text for line in diagnosis.lines],
        "fixes": [fix.text.say(language) for fix in diagnosis.fixes],
        "line_numbers": [line.number for line in diagnosis.lines],
        "title": diagnosis.title.say(language),
        "what": diagnosis.what.say(language),
        "why": diagnosis.why.say(language),
        "facts": [fact.say(language) for fact in diagnosis.facts],
        "commands": [fix.command for fix in diagnosis.fixes if fix.command],
        "check": diagnosis.check.say(language),
        "stop": diagnosis.stop.say(language),
        "rule": diagnosis.rule,
        "sources": list(diagnosis.sources),
        "as_of": diagnosis.as_of,
    }


def _as_text(number: int, diagnosis: Diagnosis, language: Language) -> str:
    def head(id_: str) -> str:
        return say(Message(id=id_), language)

    sure = say(message(f"diagnose-{diagnosis.certainty}", percent=round(100 * diagnosis.confidence)), language)
    parts = [f"{number}. {diagnosis.title.say(language)}  ({sure})", f"   [{diagnosis.cause}]"]
    parts += [f"   {line.number}: {line.text}" for line in diagnosis.lines]
    parts += ["", f"   {diagnosis.what.say(language)}", f"   {diagnosis.why.say(language)}"]
    parts += [f"   * {fact.say(language)}" for fact in diagnosis.facts]
    parts += ["", f"   {head('diagnose-fixes')}"]
    for place, fix in enumerate(diagnosis.fixes, 1):
        parts.append(f"   {place}) {fix.text.say(language)}")
        if fix.command:
            parts.append(f"      > {fix.command}")
    parts += ["", f"   {head('diagnose-check')} {diagnosis.check.say(language)}"]
    parts.append(f"   {head('diagnose-stop')} {diagnosis.stop.say(language)}")
    return "\n".join(parts)
