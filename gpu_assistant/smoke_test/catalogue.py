"""The smoke tests of a framework: rows of `resources/frameworks/<id>/smoke.toml`, with every sentence they can say."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from pathlib import Path

import msgspec
from msgspec.structs import replace

from gpu_assistant.base.message import Argument, message
from gpu_assistant.base.model import Value
from gpu_assistant.base.resources import BadData, Complaint, read_toml, resource_root
from gpu_assistant.base.texts import Language, Sentence, check_sentence, fill, say, texts
from gpu_assistant.smoke_test.events import Proof

FILE = "smoke.toml"
COMMON = "proofs.toml"  # what is said alike for every framework


class ProofTexts(Value, frozen=True, kw_only=True):
    """What one proof says. Holes are filled with the proof's values; `{reason}` with the sentence of that reason,
    `{speaker}` with the framework that looks at the card.
    """

    title: Sentence  # while it is not yet proven
    passed: Sentence
    passed_cpu: Sentence | None = None  # instead of `passed`, where the processor was the right place
    failed: Sentence
    skipped: Sentence | None = None  # where "<title>: not tried. <reason>" will not do
    why: Sentence | None = None  # what it means, for those who unfold it


class Shown(Value, frozen=True, kw_only=True):
    """A proof of a test together with its id."""

    id: str
    texts: ProofTexts


class SmokeTest(Value, frozen=True, kw_only=True):
    """One test of one framework. The first of a framework is its default one."""

    id: str
    framework: str
    speaker: str = ""  # who sees the card: "PyTorch", also in frameworks that stand on it
    script: Path
    name: Sentence
    description: Sentence
    seconds: float  # of training, if nobody says otherwise
    proofs: tuple[Shown, ...]
    reasons: dict[str, Sentence]

    def title(self, language: Language) -> str:
        """Its name."""
        return _say(self.name, language)

    def about(self, language: Language) -> str:
        """What there is to see, in one or two sentences."""
        return _say(self.description, language)

    def proof_title(self, id_: str, language: Language) -> str:
        """What will be proven; the bare id for a proof that has no row."""
        shown = self._texts(id_)
        return self._fill(shown.title, language) if shown else id_

    def proof_why(self, id_: str, language: Language) -> str:
        """What the proof means, in plain words; may be empty."""
        shown = self._texts(id_)
        return self._fill(shown.why, language) if shown and shown.why else ""

    def proof_sentence(self, proof: Proof, language: Language) -> str:
        """What was proven, with its numbers. Never raises: a script may be newer or older than its rows."""
        shown = self._texts(proof.id)
        if shown is None:
            return " ".join([proof.id, *(f"{name}={value}" for name, value in proof.values.items())])
        title, reason = self._fill(shown.title, language), self._reason(proof, language)
        template = _template(shown, proof)
        if template is None:
            return say(message("smoke-proof-skipped", title=title, reason=reason), language)
        return _try_to_say(template, language, {**proof.values, "reason": reason, "speaker": self.speaker}) or title

    def _fill(self, sentence: Sentence, language: Language) -> str:
        return _say(sentence, language, {"speaker": self.speaker})

    def _texts(self, id_: str) -> ProofTexts | None:
        return next((shown.texts for shown in self.proofs if shown.id == id_), None)

    def _reason(self, proof: Proof, language: Language) -> str:
        key = str(proof.values.get("reason", ""))
        sentence = self.reasons.get(key)
        values = {**proof.values, "speaker": self.speaker}
        said = _try_to_say(sentence, language, values) if sentence is not None else ""
        return said or str(proof.values.get("detail", key))


class _Row(Value, frozen=True, kw_only=True):
    id: str
    script: str
    name: Sentence
    description: Sentence
    seconds: float
    proofs: tuple[str, ...]


class _Sayings(Value, frozen=True, kw_only=True):
    proof: dict[str, ProofTexts] = {}
    reason: dict[str, Sentence] = {}


class _File(_Sayings, frozen=True, kw_only=True):
    speaker: str
    test: tuple[_Row, ...]


@functools.cache
def list_tests(framework: str) -> tuple[SmokeTest, ...]:
    """The tests of a framework, the default one first; empty if it has none. Raises `BadData`."""
    folder = resource_root() / "frameworks" / framework
    return read_tests(folder) if (folder / FILE).is_file() else ()


def find_test(framework: str, test: str) -> SmokeTest:
    """One test; an empty id is the default one. Raises `KeyError`."""
    for found in list_tests(framework):
        if test in ("", found.id):
            return found
    raise KeyError(f"{framework} has no smoke test {test!r}")


def read_tests(folder: Path) -> tuple[SmokeTest, ...]:
    """Reads and checks the file in a framework's folder. Raises `BadData` with all complaints."""
    own, common = read_toml(folder / FILE, _File), _common()
    file = replace(own, proof=common.proof | own.proof, reason=common.reason | own.reason)
    complaints = _complaints(folder, file)
    if complaints:
        raise BadData(complaints)
    return tuple(
        SmokeTest(
            id=row.id,
            framework=folder.name,
            speaker=file.speaker,
            script=folder / row.script,
            name=row.name,
            description=row.description,
            seconds=row.seconds,
            proofs=tuple(Shown(id=id_, texts=file.proof[id_]) for id_ in row.proofs),
            reasons=file.reason,
        )
        for row in file.test
    )


@functools.cache
def _common() -> _Sayings:
    return read_toml(resource_root() / "smoke_test" / COMMON, _Sayings)


def _template(shown: ProofTexts, proof: Proof) -> Sentence | None:
    if proof.outcome == "failed":
        return shown.failed
    if proof.outcome == "skipped":
        return shown.skipped
    on_cpu = proof.values.get("kind") == "cpu"
    return shown.passed_cpu if on_cpu and shown.passed_cpu else shown.passed


def _say(sentence: Sentence, language: Language, values: Mapping[str, Argument] | None = None) -> str:
    return fill(sentence.en if language == "en" else sentence.ru, values or {}, language, texts())


def _try_to_say(sentence: Sentence, language: Language, values: Mapping[str, Argument]) -> str:
    """Empty where the script did not send what the sentence wants to say."""
    try:
        return _say(sentence, language, values)
    except (KeyError, ValueError, TypeError, IndexError):
        return ""


def _complaints(folder: Path, file: _File) -> list[Complaint]:
    where = f"{folder.name}/{FILE}"
    found = []
    ids = [row.id for row in file.test]
    for row in file.test:
        if ids.count(row.id) > 1:
            found.append(Complaint(where, row.id, "id", "this id stands twice"))
        if not (folder / row.script).is_file():
            found.append(Complaint(where, row.id, "script", f"no such file: {row.script}"))
        for id_ in row.proofs:
            if id_ not in file.proof:
                found.append(Complaint(where, row.id, "proofs", f"no [proof.{id_}]"))
    for id_, sentence in _sentences(file).items():
        found += check_sentence(where, id_, sentence)
    return found


def _sentences(file: _File) -> Mapping[str, Sentence]:
    all_of_them = {f"reason.{id_}": sentence for id_, sentence in file.reason.items()}
    for row in file.test:
        all_of_them |= {f"{row.id}.name": row.name, f"{row.id}.description": row.description}
    for id_, shown in file.proof.items():
        for field in msgspec.structs.fields(ProofTexts):
            sentence = getattr(shown, field.name)
            if sentence is not None:
                all_of_them[f"proof.{id_}.{field.name}"] = sentence
    return all_of_them
