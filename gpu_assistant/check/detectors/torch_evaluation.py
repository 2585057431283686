"""PyTorch: evaluation that remembers everything for a backward pass that never comes."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gpu_assistant.check.detectors.base import Detector, Spot, spot
from gpu_assistant.check.script import Script
from gpu_assistant.check.tree import FUNCTIONS, Function, Loop

# attacks and explanations follow gradients back to the input
_NEEDS_GRADIENTS = r"(?i)^adv(?:_|ersar|$)|attack|perturb|saliency|captum|grad_?cam|autograd"


def _no_grad_missing(script: Script) -> Iterator[Spot]:
    if "torch" not in script.frameworks or script.managed:
        return
    if script.mentions("set_grad_enabled", "requires_grad_", "enable_grad") or script.mentions_part(_NEEDS_GRADIENTS):
        return
    for call in script.calls:
        func = call.func
        if not isinstance(func, ast.Attribute) or func.attr != "eval" or call.args:
            continue
        if "model" in script.kinds(func.value) and (found := _loop_after(script, call)) is not None:
            yield spot(found, model=script.source(func.value) or "model")
            return


def _loop_after(script: Script, call: ast.Call) -> ast.AST | None:
    function = script.tree.function(call)
    if function is not None and not _is_called_plainly(script, function):
        return None
    model = script.source(call.func.value) if isinstance(call.func, ast.Attribute) else ""
    end = _end_of_evaluation(script, call, model)
    for forward in script.tree.within(function or script.tree.module, ast.Call):
        if not script.tree.order(call) < script.tree.order(forward) < end or script.source(forward.func) != model:
            continue
        loops = script.tree.loops(forward)
        if not loops or script.tree.function(forward) is not function or script.tree.inside(call, loops[0]):
            continue
        if _learns(script, loops[0]) or _guarded(script, forward):
            return None
        return loops[0]
    return None


def _end_of_evaluation(script: Script, call: ast.Call, model: str) -> int:
    """Where the model learns again: the next `model.train()`."""
    for other in script.calls:
        if script.tree.order(other) > script.tree.order(call) and script.source(other.func) == f"{model}.train":
            return script.tree.order(other)
    return len(script.tree.nodes)


def _is_called_plainly(script: Script, function: Function) -> bool:
    """Somebody in this script calls it, and nobody under `no_grad`; decorators switch nothing off."""
    if function.decorator_list:
        return False
    calls = script.kind_of.calls[function]
    return bool(calls) and not any(_guarded(script, one) for one in calls)


def _guarded(script: Script, node: ast.AST) -> bool:
    for above in script.tree.ancestors(node):
        if isinstance(above, ast.With | ast.AsyncWith):
            for item in above.items:
                given = item.context_expr
                full = script.full(given.func if isinstance(given, ast.Call) else given)
                if script.api.is_(full, "no-grad") or full is None:
                    return True  # a context of the script's own may do it
        if isinstance(above, FUNCTIONS):
            if above.decorator_list:
                return True
            callers = script.kind_of.calls[above]
            return bool(callers) and any(_guarded(script, one) for one in callers if not script.tree.inside(one, above))
    return any(script.full(call.func) == "torch.set_grad_enabled" for call in script.calls)


def _learns(script: Script, loop: Loop) -> bool:
    attributes = {node.attr for node in script.tree.within(loop, ast.Attribute)}
    return not attributes.isdisjoint({"backward", "step", "zero_grad", "requires_grad", "grad", "train"})


DETECTORS: dict[str, Detector] = {"no-grad-missing": _no_grad_missing}
