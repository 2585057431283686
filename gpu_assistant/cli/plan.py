"""`gpu-assistant plan`: which install fits this computer (or a described one), and why.

`--json` prints one object:

    framework   id of the framework ("pytorch")
    facts_as_of the day on which the facts behind the answer were true ("2026-12-01")
    option      id of the option that `plan` carries out, or null
    verdict     status: ready | driver_needed | cpu_only | unsupported | unknown
                sentence, reasons: [{id, text}], next_steps: [{id, text}]
    options     [{id, title, recommended, gpus (places in the report), reasons: [{id, text}]}], best first
    blocked     [{option, title, reason: {id, text}}]
    plan        null, or: id, packages (requirements), index_url (null: the default index), build ("cu126", "cpu"),
                python ("3.12"), target, tool,
                steps: [{id, purpose, argv, environment, shell: {cmd, powershell, bash}}],
                commands: {uv | pip | conda: [{cmd, powershell, bash}]}, download_bytes, disk_bytes,
                warnings: [{id, text}], hosts, verify_imports, build_package, companion
    wsl_road    [{id, state: done | todo | blocked | unknown, text, commands, inside}]: steps on Windows that lead to
                the card through WSL2; empty where that is not the way

The plan is the one of the best option. It is null where nothing fits now: when a driver is needed or nothing is known
of the card; `--option` then still plans for an option that is open, such as "cpu". Texts are in the language of
`--lang`. Exit code: 0 for every clear answer, 2 for wrong input.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import msgspec

from gpu_assistant.base.job import JobContext
from gpu_assistant.base.message import Message, message
from gpu_assistant.base.resources import BadData
from gpu_assistant.base.settings import Settings
from gpu_assistant.base.texts import Language, format_bytes, say
from gpu_assistant.detect.recording import NotARecording, open_gateways
from gpu_assistant.detect.report import SystemReport
from gpu_assistant.select.advice import toolkit_notes
from gpu_assistant.select.catalogue import Framework, frameworks
from gpu_assistant.select.choice import ClosedOption
from gpu_assistant.select.judge import judge
from gpu_assistant.select.machine import read_machine
from gpu_assistant.select.plan import InstallPlan, Verdict
from gpu_assistant.select.planning import make_plan, planned_option
from gpu_assistant.select.wheels import list_wheels
from gpu_assistant.select.wsl_road import RoadStep, wsl_road


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `plan`."""
    parser.add_argument("--framework", default="pytorch", metavar="ID", help="what to install (default: pytorch)")
    parser.add_argument("--machine", type=Path, metavar="FILE", help="plan for the machine described in this TOML file")
    parser.add_argument("--option", metavar="ID", help="plan for this option instead of the best one")
    parser.add_argument("--target", metavar="FOLDER", help="folder of the new environment")
    parser.add_argument("--json", action="store_true", help="one JSON object (see gpu_assistant/cli/plan.py)")


def run(args: argparse.Namespace) -> int:
    """Prints verdict and plan; 0, or 2 for wrong input."""
    framework = frameworks().get(args.framework)
    if framework is None:
        known = ", ".join(frameworks())
        return _wrong(message("select-error-framework", framework=args.framework, frameworks=known), args.lang)
    try:
        report = _report(args)
    except BadData as error:
        print(say(message("select-error-machine"), args.lang), file=sys.stderr)
        print(error, file=sys.stderr)
        return 2
    except NotARecording as error:
        return _wrong(error.message, args.lang)
    verdict = judge(report, framework)
    option = args.option or planned_option(verdict)
    try:
        plan = _plan(option, report, framework, args)
    except ClosedOption:
        options = ", ".join(open_.id for open_ in verdict.options) or "-"
        return _wrong(message("select-error-option", option=option or "", options=options), args.lang)
    if args.json:
        road = wsl_road(report, framework, args.settings)
        told = answer(framework, verdict, plan, args.lang) | {"wsl_road": _road_json(road, args.lang)}
        print(json.dumps(told, ensure_ascii=False, indent=2))
    else:
        lines = _text(report, framework, verdict, plan, args.lang)
        print("\n".join([*lines, *_road_text(wsl_road(report, framework, args.settings), args.lang)]))
    return 0


def _road_json(road: tuple[RoadStep, ...], language: Language) -> list[dict[str, Any]]:
    return [{**msgspec.to_builtins(step), "text": say(step.text, language)} for step in road]


def _road_text(road: tuple[RoadStep, ...], language: Language) -> list[str]:
    if not road:
        return []
    marks = {"done": "+", "todo": ">", "blocked": "x", "unknown": "?"}
    lines = ["", say(message("wsl-road-title"), language), say(message("wsl-road-intro"), language)]
    for step in road:
        lines.append(f"  {marks[step.state]} {say(step.text, language)}")
        lines += [f"        {command}" for command in step.commands]
    return lines


def _wrong(problem: Message, language: Language) -> int:
    print(say(problem, language), file=sys.stderr)
    return 2


def _report(args: argparse.Namespace) -> SystemReport:
    if args.machine is not None:
        return read_machine(args.machine)
    from gpu_assistant.detect.collect import collect  # loads what a described machine never needs

    return collect(open_gateways(args.replay), JobContext())


def _plan(
    option: str | None, report: SystemReport, framework: Framework, args: argparse.Namespace
) -> InstallPlan | None:
    settings: Settings = args.settings
    if option is None:
        return None
    target = args.target
    if target is not None and args.machine is None and args.replay is None:
        target = str(Path(target).absolute())
    wheels = list_wheels(settings.wheel_folder)
    return make_plan(option, report, framework, settings, target=target, wheels=wheels)


def answer(framework: Framework, verdict: Verdict, plan: InstallPlan | None, language: Language) -> dict[str, Any]:
    """The JSON object that the module's text describes."""

    def text(value: Message) -> dict[str, str]:
        return {"id": value.id, "text": say(value, language)}

    def texts(values: tuple[Message, ...]) -> list[dict[str, str]]:
        return [text(value) for value in values]

    return {
        "framework": framework.id,
        "facts_as_of": framework.as_of,
        "option": plan.option if plan else None,
        "verdict": {
            "status": verdict.status.value,
            "sentence": say(verdict.sentence, language),
            "reasons": texts(verdict.reasons),
            "next_steps": texts(verdict.next_steps),
        },
        "options": [
            {
                "id": option.id,
                "title": say(option.title, language),
                "recommended": option.recommended,
                "gpus": list(option.gpus),
                "reasons": texts(option.reasons),
            }
            for option in verdict.options
        ],
        "blocked": [
            {"option": blocked.id, "title": say(blocked.title, language), "reason": text(blocked.reason)}
            for blocked in verdict.blocked
        ],
        "plan": None
        if plan is None
        else {
            **plan.to_builtins(),
            "steps": [{**msgspec.to_builtins(step), "purpose": say(step.purpose, language)} for step in plan.steps],
            "warnings": texts(plan.warnings),
        },
    }


def _text(
    report: SystemReport, framework: Framework, verdict: Verdict, plan: InstallPlan | None, language: Language
) -> list[str]:
    lines = [say(verdict.sentence, language)]
    lines += [f"  - {say(reason, language)}" for reason in verdict.reasons]
    lines += [f"  > {say(step, language)}" for step in verdict.next_steps]
    lines.append("")
    for option in verdict.options:
        mark = "*" if plan is not None and option.id == plan.option else " "
        lines.append(f"{mark} {option.id:10}{say(option.title, language)}")
        lines += [f"      {say(reason, language)}" for reason in option.reasons]
    for blocked in verdict.blocked:
        lines.append(f"x {blocked.id:10}{say(blocked.title, language)}")
        lines.append(f"      {say(blocked.reason, language)}")
    if plan is None:
        return lines
    lines.append("")
    shell = "powershell" if "\\" in plan.target else "bash"
    for step in plan.steps:
        lines += [say(step.purpose, language), f"    {getattr(step.shell, shell)}"]
    if plan.download_bytes is not None and plan.disk_bytes is not None:
        size, disk = (format_bytes(value, language) for value in (plan.download_bytes, plan.disk_bytes))
        lines += ["", say(message("select-sizes", download=size, disk=disk), language)]
    lines += [f"  ! {say(warning, language)}" for warning in plan.warnings]
    if plan.build.startswith("cu"):
        lines += ["", *(say(note, language) for note in toolkit_notes(report))]
    return [*lines, "", say(message("select-as-of", day=framework.as_of), language)]
