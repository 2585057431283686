"""The help report: Markdown for people, JSON for machines, without anything private, in a stable order."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable

import msgspec

from gpu_assistant.base.message import message
from gpu_assistant.base.model import Value, to_json
from gpu_assistant.base.redact import redact
from gpu_assistant.base.texts import Language, format_bytes, say
from gpu_assistant.detect.report import SystemReport
from gpu_assistant.troubleshoot.diagnosis import Diagnosis
from gpu_assistant.troubleshoot.evidence import Evidence
from gpu_assistant.troubleshoot.history import History

LAST_LINES = 120
LINE_LENGTH = 600
REPORT = "report.json"


class Bundle(Value, frozen=True, kw_only=True):
    """What is shown and then copied or saved. All of it is redacted."""

    markdown: str
    json: str
    recording: dict[str, bytes] = {}  # the computer's raw answers, file by file, as `gpu-assistant record` writes them


class Difference(Value, frozen=True, kw_only=True):
    """One fact that differs between two bundles; None: it is not there."""

    key: str
    before: str | None
    after: str | None


def make_bundle(
    evidence: Evidence,
    diagnoses: tuple[Diagnosis, ...],
    history: History,
    language: Language,
    *,
    made_at: str,
    program: str,
    private_words: Iterable[str] = (),
) -> Bundle:
    """The report of one failure. `private_words`: names of the user and the computer, taken out as well."""
    words = tuple(private_words)
    facts = _facts(evidence.report)
    tail = [line[:LINE_LENGTH] for line in evidence.text.splitlines()[-LAST_LINES:]]
    content: dict[str, object] = {
        "program": program,
        "made_at": made_at,
        "stage": evidence.stage,
        "exit_code": evidence.exit_code,
        "command": " ".join(evidence.command),
        "facts": facts,
        "causes": [
            {
                "cause": diagnosis.cause,
                "rule": diagnosis.rule,
                "confidence": diagnosis.confidence,
                "lines": [{"number": line.number, "text": line.text} for line in diagnosis.lines],
            }
            for diagnosis in diagnoses
        ],
        "tried": [msgspec.to_builtins(entry) for entry in history.tried],
        "text": tail,
    }
    return Bundle(
        markdown=redact(_markdown(content, diagnoses, history, language), words),
        json=redact(to_json(content, indent=2).decode(), words),
    )


def pack(bundle: Bundle) -> bytes:
    """One zip file with everything, for somebody who helps."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("report.md", bundle.markdown)
        archive.writestr(REPORT, bundle.json)
        for name, data in bundle.recording.items():
            archive.writestr(f"recording/{name}", data)
    return packed.getvalue()


def unpack_json(data: bytes) -> str:
    """The report for programs out of a saved zip file, or out of a file that is one. Raises `ValueError`."""
    if not zipfile.is_zipfile(io.BytesIO(data)):
        return data.decode()
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        if REPORT not in archive.namelist():
            raise ValueError(f"no {REPORT}")
        return archive.read(REPORT).decode()


def compare(before: str, after: str) -> tuple[Difference, ...]:
    """What changed between two bundles' JSON, sorted by name. Raises `msgspec.DecodeError`."""
    old, new = (msgspec.json.decode(text, type=_Comparable) for text in (before, after))
    return tuple(
        Difference(key=key, before=old.facts.get(key), after=new.facts.get(key))
        for key in sorted({*old.facts, *new.facts})
        if old.facts.get(key) != new.facts.get(key)
    )


class _Comparable(msgspec.Struct, frozen=True):
    facts: dict[str, str]


def _facts(report: SystemReport | None) -> dict[str, str]:
    """The report as sorted lines that can be compared; no serial numbers, no paths beyond interpreters."""
    if report is None:
        return {}
    found: dict[str, str | None] = {
        "system": report.system.name,
        "system.version": report.system.version,
        "system.build": _text(report.system.build),
        "cpu": report.cpu.name,
        "memory": format_bytes(report.memory.ram_total, "en") if report.memory.ram_total else None,
        "pagefile": format_bytes(report.memory.pagefile_total, "en") if report.memory.pagefile_total else None,
        "driver": report.driver.version if report.driver else None,
        "driver.cuda": report.driver.cuda_version if report.driver else None,
        "driver.state": report.driver.state if report.driver else None,
    }
    for place, gpu in enumerate(report.gpus):
        found[f"gpu{place}"] = gpu.name
        found[f"gpu{place}.capability"] = gpu.compute_capability
        found[f"gpu{place}.memory"] = format_bytes(gpu.vram_total, "en") if gpu.vram_total else None
    for python in report.pythons:
        key = f"python {python.executable}"
        found[key] = python.version
        found |= {f"{key} {package.name}": package.version for package in python.packages}
    for tool in report.tools:
        found[f"tool {tool.name}"] = tool.version or "?"
    found |= {f"variable {name}": value for name, value in report.environment.items()}
    return {key: value for key, value in sorted(found.items()) if value is not None}


def _text(value: int | None) -> str | None:
    return None if value is None else str(value)


def _markdown(
    content: dict[str, object], diagnoses: tuple[Diagnosis, ...], history: History, language: Language
) -> str:
    def head(id_: str) -> str:
        return f"## {say(message(f'bundle-{id_}'), language)}"

    parts = [f"# GPU Assistant {content['program']}, {content['made_at']}", ""]
    for name in ("stage", "exit_code", "command"):
        if content[name] not in (None, ""):
            title = say(message("bundle-" + name.replace("_", "-")), language)
            parts.append(f"- {title}: `{content[name]}`")
    parts += ["", head("causes")]
    for diagnosis in diagnoses:
        parts.append(f"- **{diagnosis.title.say(language)}** (`{diagnosis.cause}`, {diagnosis.confidence:.0%})")
        parts += [f"  - {line.number}: `{line.text}`" for line in diagnosis.lines]
    if history.tried:
        parts += ["", head("tried")]
        parts += [f"- `{entry.cause}` → `{entry.fix}`: {_helped(entry.helped, language)}" for entry in history.tried]
    facts = content["facts"]
    if isinstance(facts, dict) and facts:
        parts += ["", head("facts"), *(f"- {key}: {value}" for key, value in facts.items())]
    text = content["text"]
    if isinstance(text, list) and text:
        parts += ["", head("text"), "```text", *(line.replace("```", "'''") for line in text), "```"]
    return "\n".join(parts) + "\n"


def _helped(helped: bool | None, language: Language) -> str:
    word = {True: "yes", False: "no", None: "open"}[helped]
    return say(message(f"bundle-helped-{word}"), language)
