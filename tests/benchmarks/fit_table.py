"""Prints the planner's estimates against measured peaks of real small networks trained on the processor.

`python -m tests.benchmarks.fit_table PYTHON` with an interpreter that has PyTorch. The peak is that of all storages
that were alive at once, in MiB.
"""

from __future__ import annotations

import sys

from gpu_assistant.base.job import JobContext
from gpu_assistant.fit.estimate import estimate
from gpu_assistant.fit.shape import Shape
from gpu_assistant.fit.trial import run_trial
from gpu_assistant.fit.wish import Wish

MLP = Shape(name="MLP", kind="mlp", layers=6, width=512)
WRITER = Shape(name="decoder", kind="decoder", layers=6, width=256, heads=4, vocabulary=4000)
GATED = Shape(
    name="gated decoder",
    kind="decoder",
    layers=6,
    width=256,
    heads=8,
    kv_heads=2,
    inner=688,
    gated=True,
    vocabulary=4000,
)
READER = Shape(name="encoder", kind="encoder", layers=6, width=256, heads=4, vocabulary=4000)
ROWS: tuple[tuple[Shape, Wish], ...] = tuple(
    (shape, Wish(batch=batch, length=length, precision="fp32", **how))
    for shape, batch, length in ((MLP, 64, 64), (WRITER, 8, 128), (GATED, 8, 128), (READER, 16, 128))
    for how in (
        {"task": "full", "optimizer": "sgd"},
        {"task": "full", "optimizer": "adamw"},
        {"task": "full", "optimizer": "adamw", "checkpointing": True},
        {"task": "inference"},
    )
    if not (shape.kind == "mlp" and how.get("checkpointing"))
)


def main() -> int:
    """Prints the table; returns how many rows are off by more than 15 %."""
    python, off = sys.argv[1], 0
    print(f"{'network':16}{'task':11}{'optimizer':11}{'again':7}{'measured':>10}{'estimate':>10}{'ratio':>8}")
    for shape, wish in ROWS:
        measured = run_trial(python, shape, wish, JobContext(), how="processor").peak
        found = estimate(shape, wish)
        # a trial looks once and keeps nothing of earlier words
        guess = found.tensors - sum(part.low for part in found.parts if part.id == "cache")
        ratio = guess / measured
        off += not 0.85 <= ratio <= 1.15
        again = "yes" if wish.checkpointing else ""
        sizes = f"{measured / 2**20:10.1f}{guess / 2**20:10.1f}{ratio:8.2f}"
        print(f"{shape.name:16}{wish.task:11}{wish.optimizer:11}{again:7}{sizes}", flush=True)
    return off


if __name__ == "__main__":
    raise SystemExit(main())
