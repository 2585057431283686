"""PyTorch: where the model and the batches are."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gpu_assistant.check.detectors.base import Detector, Spot, once, spot
from gpu_assistant.check.script import Move, Script, Step, is_main_guard, keyword
from gpu_assistant.check.tree import Loop

_SIGNS_OF_A_CARD = r"(?i)^(?:cuda.*|gpus?|mps|xpu|.*device.*|cuda:\d|accelerat.*|fabric|.*_gpu.*|gpu_.*)$"
_CHOICES = (
    "is_available",
    "add_argument",
    "environ",
    "current_accelerator",
    "local_rank",
    "LOCAL_RANK",
    "device_count",
)
_MOVERS = ("to", "cuda", "to_device", "prepare", "send_to_device", "move_to", "transfer")


def _never_on_card(script: Script) -> Iterator[Spot]:
    if not (script.trains and script.runs) or script.moves or script.mentions_part(_SIGNS_OF_A_CARD):
        return
    if _built_here(script):
        yield spot(script.steps[0].backward, model=_model_name(script))


def _processor_by_name(script: Script) -> Iterator[Spot]:
    if not (script.trains and script.runs) or script.mentions_part(r"(?i)^(?:cuda.*|gpus?|mps|xpu|is_available)$"):
        return
    for call in script.made("device"):
        chosen = keyword(call, "type", 0)
        if isinstance(chosen, ast.Constant) and chosen.value == "cpu":
            yield spot(call)
            return


def _model_not_moved(script: Script) -> Iterator[Spot]:
    if not (script.trains and script.uses_card) or not _built_here(script) or not _only_known_moves(script):
        return
    if any("model" in move.kinds for move in script.moves) or script.mentions("set_default_device", "device_map"):
        return
    for step in script.steps:
        for call in _forward_calls(script, step):
            model = call.func
            if _escapes(script, model) or not _made_plainly(script, model):
                continue
            if _own_moves(script, model):
                continue
            if any("batch" in move.kinds and script.tree.inside(move.call, step.region) for move in script.moves):
                yield spot(call, model=script.source(model) or "model")
                return


def _batch_not_moved(script: Script) -> Iterator[Spot]:
    if not script.trains or script.mentions("collate_fn", "set_default_device", "device_map"):
        return
    moved_models = [move for move in script.moves if "model" in move.kinds]
    if not moved_models or not script.uses_card or any("spreader" in script.kinds(call) for call in script.calls):
        return
    if any(script.tree.inside(move.call, owner) for move in script.moves for owner in script.names.classes.values()):
        return  # a model or data set that moves what it gets
    for step in script.steps:
        if isinstance(step.region, ast.For) and (found := _unmoved(script, step.region)) is not None:
            yield found


def _unmoved(script: Script, loop: Loop) -> Spot | None:
    if not isinstance(loop, ast.For) or "loader" not in script.kinds(loop.iter):
        return None
    targets = {one.id for one in script.tree.within(loop.target, ast.Name) if "batch" in script.kinds(one)}
    inside = [node for one in loop.body for node in script.tree.within(one, ast.Name) if node.id in targets]
    if any(isinstance(node.ctx, ast.Store) or _is_handed_on(script, node) for node in inside):
        return None
    for node in inside:
        call = script.tree.parent(node)
        if isinstance(call, ast.Call) and node in call.args and "model" in script.kinds(call.func):
            return spot(call, batch=node.id)
    return None


def _is_handed_on(script: Script, node: ast.Name) -> bool:
    above = script.tree.parent(node)
    if isinstance(above, ast.Attribute):
        return above.attr in _MOVERS
    known = ("model", "loss-function")
    return (
        isinstance(above, ast.Call)
        and node in above.args
        and not script.kinds(above.func) & {*known}
        and (not (script.full(above.func) or "").startswith(("torch.", "len", "print")))
    )


def _optimizer_before_move(script: Script) -> Iterator[Spot]:
    if script.managed:
        return
    for call in script.made("optimizer"):
        names = {name for one in script.tree.within(call, ast.Call) if (name := _whose_parameters(one))}
        scope = script.tree.scope(call)
        for move in script.moves:
            later = script.tree.order(move.call) > script.tree.order(call)
            if not later or script.tree.scope(move.call) is not scope or _in_branch(script, move.call):
                continue
            if isinstance(move.what, ast.Name) and move.what.id in names and "model" in move.kinds:
                if not _rebuilt(script, move, call):
                    yield spot(move.call, model=move.what.id)
                break


def _rebuilt(script: Script, move: Move, call: ast.Call) -> bool:
    # the name may mean another model by then, or the move repeats an earlier one
    assert isinstance(move.what, ast.Name)
    start, end = script.tree.order(call), script.tree.order(move.call)
    statement = script.tree.statement(move.call)
    anew = [
        bound
        for bound in script.kind_of.bounds(move.what)
        if start < script.tree.order(bound.node) < end and bound.node is not statement
    ]
    earlier = [
        one
        for one in script.moves
        if script.tree.order(one.call) < start and isinstance(one.what, ast.Name) and one.what.id == move.what.id
    ]
    made_moved = any(
        other.call for other in script.moves if other.kinds & {"model"} and script.tree.order(other.call) < start
    )
    return bool(anew or earlier or made_moved)


def _whose_parameters(call: ast.Call) -> str | None:
    """The name before `.parameters()`."""
    func = call.func
    if isinstance(func, ast.Attribute) and func.attr in ("parameters", "named_parameters"):
        return func.value.id if isinstance(func.value, ast.Name) else None
    return None


def _card_by_name(script: Script) -> Iterator[Spot]:
    if "torch" not in script.frameworks or script.managed or not script.runs or script.mentions(*_CHOICES):
        return
    found: list[ast.AST] = [
        move.call
        for move in script.moves
        if isinstance(move.call.func, ast.Attribute)
        and move.call.func.attr == "cuda"
        and not _in_branch(script, move.call)
    ]
    found += [one for move in script.moves for one in move.call.args[:1] if script.card_literal(one)]
    found += [call for call in script.made("device") if call.args and script.card_literal(call.args[0])]
    found = [one for one in found if not _in_branch(script, one)]
    yield from once(script, found, count=str(len(found)))


def _made_on_processor(script: Script) -> Iterator[Spot]:
    for step in script.steps:
        nodes = []
        for call in script.tree.within(step.region, ast.Call):
            made = call.func.value if isinstance(call.func, ast.Attribute) and script.may_move(call) else None
            if not isinstance(made, ast.Call) or not script.api.is_(script.full(made.func), "random-tensors"):
                continue
            if keyword(made, "device") is None and keyword(made, "generator") is None and script.tree.loops(call):
                nodes.append((call, made))
        for call, made in nodes[:1]:
            yield spot(call, function=script.full(made.func) or "torch.zeros", device=_device_text(script, call))


def _device_text(script: Script, call: ast.Call) -> str:
    return (script.source(call.args[0]) if call.args else "") or "device"


# what several of them ask


def _built_here(script: Script) -> bool:
    """The model that is trained is made in this script."""
    return any("model" in script.kinds(call.func) for step in script.steps for call in _forward_calls(script, step))


def _forward_calls(script: Script, step: Step) -> Iterator[ast.Call]:
    for call in script.tree.within(step.region, ast.Call):
        kinds = script.kinds(call.func)
        if "model" in kinds and not isinstance(call.func, ast.Call):
            yield call


def _model_name(script: Script) -> str:
    for step in script.steps:
        for call in _forward_calls(script, step):
            return script.source(call.func) or "model"
    return "model"


def _only_known_moves(script: Script) -> bool:
    return all(move.kinds for move in script.moves)


def _made_plainly(script: Script, model: ast.expr) -> bool:
    made = [bound.value for bound in script.kind_of.bounds(model)]
    return not any(
        isinstance(call, ast.Call) and any(one.arg is None or "device" in one.arg for one in call.keywords)
        for call in made
    )


def _own_moves(script: Script, model: ast.expr) -> bool:
    own = script.kind_of.own_class(model)
    return own is not None and any(
        isinstance(node, ast.Attribute) and node.attr in ("cuda", "to", "device")
        for node in script.tree.within(own, ast.Attribute)
    )


def _escapes(script: Script, model: ast.expr) -> bool:
    """The model is handed to a function that is not in this script and might move it."""
    name = model.id if isinstance(model, ast.Name) else ""
    for call in script.calls:
        full = script.full(call.func)
        if full is None or full.startswith(("torch.optim", "torch.save", "print", "sum", "len")):
            continue
        given = [*call.args, *(one.value for one in call.keywords)]
        if any(isinstance(one, ast.Name) and one.id == name for one in given):
            return True
    return False


def _in_branch(script: Script, node: ast.AST) -> bool:
    branches = (ast.If, ast.IfExp, ast.Try)
    return any(isinstance(above, branches) and not is_main_guard(above) for above in script.tree.ancestors(node))


DETECTORS: dict[str, Detector] = {
    "never-on-card": _never_on_card,
    "processor-by-name": _processor_by_name,
    "model-not-moved": _model_not_moved,
    "batch-not-moved": _batch_not_moved,
    "optimizer-before-move": _optimizer_before_move,
    "card-by-name": _card_by_name,
    "made-on-processor": _made_on_processor,
}
