"""What to change so that it fits: each change with what it saves and what it costs."""

from __future__ import annotations

from msgspec.structs import replace

from gpu_assistant.base.model import Value
from gpu_assistant.fit.estimate import estimate
from gpu_assistant.fit.shape import Shape
from gpu_assistant.fit.wish import Wish


class Change(Value, frozen=True, kw_only=True):
    """One change. What it costs is said by the sentence `fit-change-<id>`."""

    id: str
    wish: Wish  # with the change made
    saves: int  # bytes of the upper estimate


def changes(shape: Shape, wish: Wish, *, desktop: int = 0) -> tuple[Change, ...]:
    """The changes that save something, those that cost the least first."""
    before = estimate(shape, wish, desktop=desktop).high
    found = []
    for id_, changed in _possible(shape, wish):
        saves = before - estimate(shape, changed, desktop=desktop).high
        if saves > before // 100:
            found.append(Change(id=id_, wish=changed, saves=saves))
    return tuple(found)


def path_to_fit(shape: Shape, wish: Wish, room: int, *, desktop: int = 0) -> tuple[Change, ...] | None:
    """The first changes, one upon the other, after which it fits into `room` bytes; None: all of them do not help."""
    made: list[Change] = []
    while estimate(shape, wish, desktop=desktop).high > room:
        used = {change.id for change in made}
        step = next(
            (one for one in changes(shape, wish, desktop=desktop) if one.id == "batch" or one.id not in used), None
        )
        if step is None or len(made) > 20:
            return None
        if step.id == "batch" and made and made[-1].id == "batch":
            made[-1] = replace(step, saves=made[-1].saves + step.saves)
        else:
            made.append(step)
        wish = step.wish
    return tuple(made)


def _possible(shape: Shape, wish: Wish) -> list[tuple[str, Wish]]:
    """In the order of what they cost: nothing, time, learning, quality."""
    found: list[tuple[str, Wish]] = []
    if wish.precision == "fp32":
        found.append(("mixed" if wish.trains else "bf16", replace(wish, precision="mixed" if wish.trains else "bf16")))
    if wish.batch > 1:
        found.append(("batch", replace(wish, batch=wish.batch // 2)))
    if wish.trains and not wish.checkpointing:
        found.append(("checkpointing", replace(wish, checkpointing=True)))
    if wish.trains and not wish.adapts and wish.optimizer == "adamw":
        found.append(("adamw8", replace(wish, optimizer="adamw8")))
    length = wish.length or shape.length
    if length > 256 and shape.kind == "decoder":
        found.append(("length", replace(wish, length=length // 2)))
    if wish.task == "full" and shape.kind in ("decoder", "encoder"):
        found.append(("lora", replace(wish, task="lora", precision="bf16")))
    if wish.task in ("full", "lora") and shape.kind == "decoder":
        found.append(("qlora", replace(wish, task="qlora", precision="bf16")))
    if not wish.trains and wish.precision in ("bf16", "int8"):
        lower = "int8" if wish.precision == "bf16" else "int4"
        found.append((lower, replace(wish, precision=lower)))
    if wish.cards > 1 and wish.trains and wish.sharding != "zero3":
        found.append(("zero3", replace(wish, sharding="zero3")))
    return found
