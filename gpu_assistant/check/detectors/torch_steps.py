"""PyTorch: what each training step does beside training."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gpu_assistant.check.detectors.base import Detector, Spot, spot
from gpu_assistant.check.script import Script, Step
from gpu_assistant.check.tree import LOOPS, SCOPES

_TO_HOST = ("item", "cpu", "numpy", "tolist")
_CLEARS = ("zero_grad", "zero_", "grad", "set_to_none")


def _each_step(script: Script, step: Step) -> Iterator[ast.Call]:
    """Calls that run in every batch's step, not under a condition and not in a function defined there."""
    if not step.over_batches or script.managed:
        return
    body = step.region.body
    for statement in body:
        for call in script.tree.within(statement, ast.Call):
            if script.tree.scope(call) is (
                step.region if isinstance(step.region, SCOPES) else script.tree.scope(step.region)
            ) and not script.tree.conditional(call, step.region):
                yield call


def _waits(script: Script) -> Iterator[Spot]:
    for step in script.steps:
        for call in _each_step(script, step):
            func = call.func
            if not isinstance(func, ast.Attribute) or func.attr not in _TO_HOST or call.args:
                continue
            if _from_card(script, func.value, step) and not _inner_loop(script, call, step):
                yield spot(call, name=_name(script, func.value))
                break


def _from_card(script: Script, node: ast.expr, step: Step) -> bool:
    """The value is the loss, or was computed by the model in this script."""
    if script.kinds(node) & {"loss", "output"}:
        return True
    while isinstance(node, ast.Attribute | ast.Call):  # loss.detach().item()
        node = node.value if isinstance(node, ast.Attribute) else node.func
    same = isinstance(step.loss, ast.Name) and isinstance(node, ast.Name) and node.id == step.loss.id
    return same or bool(script.kinds(node) & {"loss", "output"})


def _inner_loop(script: Script, node: ast.AST, step: Step) -> bool:
    loops = script.tree.loops(node)
    return bool(loops) and isinstance(step.region, LOOPS) and loops[0] is not step.region


def _prints(script: Script) -> Iterator[Spot]:
    for step in script.steps:
        for call in _each_step(script, step):
            if script.full(call.func) == "print" and not _inner_loop(script, call, step):
                yield spot(call)
                break


def _plots(script: Script) -> Iterator[Spot]:
    for step in script.steps:
        for call in _each_step(script, step):
            if script.api.is_(script.full(call.func), "plots"):
                yield spot(call)
                break


def _loss_kept(script: Script) -> Iterator[Spot]:
    if script.managed:
        return
    for step in script.steps:
        if isinstance(step.loss, ast.Name) and (found := _kept(script, step, step.loss.id)) is not None:
            yield found


def _kept(script: Script, step: Step, loss: str) -> Spot | None:
    if _is_number(script, step, loss):
        return None
    for statement in step.region.body:
        for node in script.tree.within(statement, ast.AST):
            keeper = _keeper(node, loss)
            if keeper is None or script.tree.scope(node) is not script.tree.scope(step.backward):
                continue
            if not _without_history(script, node) and _lives_on(script, keeper, step):
                return spot(node, name=loss, kept=script.source(keeper))
    return None


def _without_history(script: Script, node: ast.AST) -> bool:
    """What is added up under `no_grad` keeps no history."""
    items = [item for above in script.tree.ancestors(node) if isinstance(above, ast.With) for item in above.items]
    return isinstance(node, ast.AugAssign) and any(
        isinstance(item.context_expr, ast.Call) and script.api.is_(script.full(item.context_expr.func), "no-grad")
        for item in items
    )


def _keeper(node: ast.AST, loss: str) -> ast.expr | None:
    """What takes the loss in: the sum it is added to, or the list it is appended to."""
    match node:
        case ast.AugAssign(op=ast.Add()) if _bare(node.value, loss):
            return node.target
        case ast.Call(func=ast.Attribute(attr="append", value=kept), args=[ast.Name(id=name)]) if name == loss:
            return kept
    return None


def _bare(value: ast.expr, loss: str) -> bool:
    """The loss itself, perhaps times a number: not `.item()` or `.detach()`."""
    if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Mult | ast.Div):
        return _bare(value.left, loss) or _bare(value.right, loss)
    return isinstance(value, ast.Name) and value.id == loss


def _lives_on(script: Script, target: ast.expr, step: Step) -> bool:
    """The name is not made anew in each step, and `backward` is not called on it."""
    text = script.source(target)
    if not isinstance(target, ast.Name | ast.Attribute) or not text:
        return False
    for call in script.calls:
        if (
            isinstance(call.func, ast.Attribute)
            and call.func.attr in ("backward", "clear")
            and text in script.source(call)
        ):
            return False
    bounds = script.kind_of.bounds(target)
    if isinstance(target, ast.Attribute) and not bounds:
        return False
    return bool(bounds) and not any(script.tree.inside(bound.node, step.region) for bound in bounds)


def _is_number(script: Script, step: Step, loss: str) -> bool:
    """After `backward` the name was given something else, such as `loss.item()`."""
    after = script.tree.order(step.backward)
    return any(
        isinstance(target, ast.Name) and target.id == loss and script.tree.order(node) > after
        for node in script.tree.within(step.region, ast.Assign)
        for target in node.targets
    )


def _never_cleared(script: Script) -> Iterator[Spot]:
    if not (script.trains and script.runs) or script.mentions_part(r"zero_?grad|clear_?grad|reset_?grad"):
        return
    if script.mentions("grad", "zero_", "set_to_none", "autograd", "no_grad_", "amp_step"):
        return
    for step in script.steps:
        for call in script.tree.within(step.region, ast.Call):
            func = call.func
            if isinstance(func, ast.Attribute) and func.attr == "step" and "optimizer" in script.kinds(func.value):
                yield spot(step.backward, optimizer=script.source(func.value) or "optimizer")
                return


def _name(script: Script, node: ast.expr) -> str:
    return script.source(node) or "loss"


DETECTORS: dict[str, Detector] = {
    "waits-each-step": _waits,
    "prints-each-step": _prints,
    "plots-each-step": _plots,
    "loss-kept": _loss_kept,
    "gradients-never-cleared": _never_cleared,
}
