"""How a run stands, as sentences."""

from __future__ import annotations

from gpu_assistant.base.message import Message, message
from gpu_assistant.base.texts import texts
from gpu_assistant.smoke_test.events import NotStarted, TimedOut
from gpu_assistant.smoke_test.run import SmokeRun


def stage_message(name: str) -> Message | None:
    """What goes on in a stage; None for one that has no sentence, whose name then is shown as it is."""
    id_ = f"smoke-stage-{name.replace('_', '-')}"
    return message(id_) if id_ in texts() else None


def verdict_message(run: SmokeRun) -> Message:
    """How the run stands, in one sentence."""
    match run.verdict:
        case "passed" if run.device is None or run.device.kind == "cpu":
            return message("smoke-verdict-passed-cpu")
        case "passed":
            return message("smoke-verdict-passed", device=run.device.name if run.device is not None else "")
        case "failed" if run.error is not None:
            text = run.error.text.strip() or "?"
            return message("smoke-verdict-error", error=f"{run.error.kind}: {text.splitlines()[0]}")
        case "crashed":
            stage = run.stage.name if run.stage is not None else "start"
            return message("smoke-verdict-crashed", stage=stage_message(stage) or stage, code=run.exit_code or 0)
        case "timed_out" if isinstance(run.ending, TimedOut):
            stage = run.ending.stage
            return message("smoke-verdict-timed-out", stage=stage_message(stage) or stage)
        case "not_started" if isinstance(run.ending, NotStarted):
            return message("smoke-verdict-not-started", reason=run.ending.reason)
        case verdict:
            return message(f"smoke-verdict-{verdict.replace('_', '-')}")
