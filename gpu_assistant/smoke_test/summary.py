"""A run in short, for other programs: the last line of `gpu-assistant train --json`."""

from __future__ import annotations

import msgspec

from gpu_assistant.base.texts import Language, say
from gpu_assistant.smoke_test.catalogue import SmokeTest, find_test
from gpu_assistant.smoke_test.run import SmokeRun
from gpu_assistant.smoke_test.store import versions
from gpu_assistant.smoke_test.words import verdict_message

SCHEMA = 1


def summary(run: SmokeRun, language: Language) -> dict[str, object]:
    """The object that `gpu_assistant/cli/train.py` documents."""
    spec = run.spec
    error = msgspec.to_builtins(run.error) if run.error is not None else None
    device = msgspec.to_builtins(run.device) if run.device is not None else None
    return {
        "event": "summary",
        "schema": SCHEMA,
        "run": run.id,
        "verdict": run.verdict,
        "sentence": say(verdict_message(run), language),
        "framework": spec.framework if spec is not None else None,
        "test": spec.test if spec is not None else None,
        "python": spec.python if spec is not None else None,
        "expect": spec.expect if spec is not None else None,
        "device": _without_frame(device),
        "proofs": _proofs(run, _test(run), language),
        "metrics": {name: {"first": points[0][1], "last": points[-1][1]} for name, points in run.curves.items()},
        "steps": run.step,
        "seconds": run.seconds,
        "stage": run.stage.name if run.stage is not None else None,
        "exit_code": run.exit_code,
        "versions": versions(run),
        "error": _without_frame(error),
    }


def _test(run: SmokeRun) -> SmokeTest | None:
    try:
        return find_test(run.spec.framework, run.spec.test) if run.spec is not None else None
    except KeyError:
        return None


def _proofs(run: SmokeRun, test: SmokeTest | None, language: Language) -> list[dict[str, object]]:
    return [
        {
            "id": proof.id,
            "outcome": proof.outcome,
            "sentence": test.proof_sentence(proof, language) if test is not None else proof.id,
            "values": proof.values,
        }
        for proof in run.proofs
    ]


def _without_frame(event: dict[str, object] | None) -> dict[str, object] | None:
    return {key: value for key, value in event.items() if key not in ("event", "time")} if event is not None else None
