"""What the tab shows: one failure with its possible causes."""

from __future__ import annotations

from pathlib import Path

from gpu_assistant.base.job import JobContext
from gpu_assistant.base.model import Value
from gpu_assistant.troubleshoot.diagnosis import Diagnosis
from gpu_assistant.troubleshoot.evidence import Evidence
from gpu_assistant.troubleshoot.history import History, with_history

LARGEST = 50 << 20  # bytes of a file that are read; of a longer one its end
SHOWN = 200_000  # characters that a text box holds without effort


class Case(Value, frozen=True, kw_only=True):
    """Evidence and answer. Without diagnoses nothing was asked yet."""

    evidence: Evidence
    diagnoses: tuple[Diagnosis, ...] = ()
    file: str = ""  # where the text was read from
    cut: bool = False  # only the end of the file was read
    helped: tuple[str, ...] = ()  # ids of the fixes that solved it, by the user's word


class DiagnoseJob:
    """Reads the file, if there is one, and finds the causes. Raises `OSError`."""

    def __init__(self, evidence: Evidence, history: History, file: Path | None = None) -> None:
        self._evidence = evidence
        self._history = history
        self._file = file

    def run(self, ctx: JobContext) -> Case:
        """The whole answer."""
        from gpu_assistant.troubleshoot.engine import diagnose
        from gpu_assistant.troubleshoot.rules import rule_base

        evidence, cut = self._evidence, False
        if self._file is not None:
            evidence, cut = _with_file(evidence, self._file)
        ctx.check()
        base = rule_base()
        ctx.check()
        found = with_history(diagnose(evidence, base), self._history, evidence.environment)
        return Case(evidence=evidence, diagnoses=found, file=str(self._file or ""), cut=cut)


def _with_file(evidence: Evidence, path: Path) -> tuple[Evidence, bool]:
    from msgspec.structs import replace

    from gpu_assistant.troubleshoot.decode import decode_bytes

    with path.open("rb") as file:
        size = file.seek(0, 2)
        file.seek(max(0, size - LARGEST))
        data = file.read(LARGEST)
    return replace(evidence, text=decode_bytes(data), source="file"), size > LARGEST
