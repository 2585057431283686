"""Two trial steps in the user's own environment: the estimate, measured."""

from __future__ import annotations

import json
from typing import Literal

import msgspec

from gpu_assistant.base.child import child_environment, run_child
from gpu_assistant.base.job import JobContext
from gpu_assistant.base.model import Value
from gpu_assistant.base.resources import resource_root
from gpu_assistant.fit.shape import Kind, Shape
from gpu_assistant.fit.wish import Wish

TIMEOUT = 600.0  # seconds; a first import on a slow disk takes a minute of them
How = Literal["auto", "card", "shapes", "processor"]
POSSIBLE: tuple[Kind, ...] = ("decoder", "encoder", "mlp")


class TrialFailed(Exception):
    """The trial ended without a number; the text is the last thing that it said."""


class Trial(Value, frozen=True, kw_only=True):
    """What was measured: bytes of tensors at the worst moment, and where."""

    peak: int
    how: How
    torch: str
    reserved: int | None = None


def can_try(shape: Shape, wish: Wish) -> bool:
    """Whether the trial's script builds this network and this way of running it."""
    plain = wish.precision in ("fp32", "mixed", "bf16") and wish.optimizer in ("sgd", "momentum", "adamw")
    return shape.kind in POSSIBLE and not wish.adapts and plain and wish.cards == 1 and not wish.offload


def run_trial(python: str, shape: Shape, wish: Wish, ctx: JobContext, *, how: How = "auto") -> Trial:
    """Runs it. Raises `TrialFailed`, `ChildError`, `TimeoutError`, `Cancelled`."""
    told = msgspec.to_builtins(shape) | msgspec.to_builtins(wish) | {"how": how}
    told["length"] = wish.length or shape.length or 1
    told["vocabulary"] = shape.vocabulary
    script = resource_root() / "fit" / "trial.py"
    argv = [python, "-X", "utf8", str(script), json.dumps(told)]
    done = run_child(argv, ctx, environment=child_environment(), timeout=TIMEOUT)
    for line in reversed(done.out):
        if line.startswith("{"):
            return msgspec.json.decode(line, type=Trial)
    raise TrialFailed(next((line for line in reversed(done.err) if line.strip()), f"exit code {done.exit_code}"))
