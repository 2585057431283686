"""PyTorch: how the data come."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gpu_assistant.check.detectors.base import Detector, Spot, once, spot
from gpu_assistant.check.script import Script, is_main_guard, keyword, spreads


def _loaders(script: Script) -> list[ast.Call]:
    """PyTorch's own loaders whose arguments are all seen."""
    return [call for call in script.made("loader") if "DataLoader" in script.source(call.func) and not spreads(call)]


def _workers(script: Script, call: ast.Call) -> int | None:
    """How many worker processes; None where the text does not tell."""
    given = keyword(call, "num_workers", 5)
    return 0 if given is None else _number(script, given)


def _number(script: Script, node: ast.expr) -> int | None:
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, int) else None
    bounds = script.kind_of.bounds(node)
    if len(bounds) == 1 and not bounds[0].path and isinstance(bounds[0].value, ast.Constant):
        value = bounds[0].value.value
        return value if isinstance(value, int) else None
    return None


def _dataset(script: Script, call: ast.Call) -> ast.expr | None:
    return keyword(call, "dataset", 0)


def _reads_files(script: Script, dataset: ast.expr) -> bool:
    own = script.kind_of.own_class(dataset)
    if own is not None:
        getter = script.names.method(own, "__getitem__")
        return getter is not None and any(
            script.api.is_(script.full(call.func), "file-readers") for call in script.tree.within(getter, ast.Call)
        )
    made = [dataset, *(bound.value for bound in script.kind_of.bounds(dataset) if not bound.path)]
    return any(isinstance(one, ast.Call) and script.api.is_(script.full(one.func), "disk-datasets") for one in made)


def _no_workers(script: Script) -> Iterator[Spot]:
    if not (script.trains and script.uses_card):
        return
    found = []
    for call in _loaders(script):
        dataset = _dataset(script, call)
        if dataset is not None and _workers(script, call) == 0 and _reads_files(script, dataset):
            found.append(call)
    yield from once(script, found)


def _not_pinned(script: Script) -> Iterator[Spot]:
    if not (script.trains and script.uses_card) or script.mentions("pin_memory") or _moves_in_dataset(script):
        return
    if any("batch" in move.kinds for move in script.moves):
        yield from once(script, [call for call in _loaders(script) if not _on_card(script, _dataset(script, call))])


def _blocking(script: Script) -> Iterator[Spot]:
    if not (script.trains and script.uses_card) or script.mentions("non_blocking"):
        return
    pinned = [keyword(call, "pin_memory") for call in script.made("loader")]
    if not any(isinstance(one, ast.Constant) and one.value is True for one in pinned):
        return
    batches = [move.call for move in script.moves if "batch" in move.kinds and script.tree.loops(move.call)]
    batches = [call for call in batches if any(script.tree.inside(call, step.region) for step in script.steps)]
    yield from once(
        script,
        batches,
        batch=script.source(batches[0].func.value) if batches and isinstance(batches[0].func, ast.Attribute) else "",
    )


def _workers_at_top(script: Script) -> Iterator[Spot]:
    if script.notebook or script.mentions("freeze_support") or "torch" not in script.frameworks:
        return
    for call in script.made("loader"):
        count = _workers(script, call) if not spreads(call) else None
        if not count or not isinstance(script.tree.scope(call), ast.Module) or _behind_main(script, call):
            continue
        if (loop := _iterated_at_top(script, call)) is not None:
            yield spot(loop, count=str(count))
            return


def _iterated_at_top(script: Script, loader: ast.Call) -> ast.AST | None:
    statement = script.tree.statement(loader)
    names = {target.id for target in getattr(statement, "targets", ()) if isinstance(target, ast.Name)}
    for loop in script.tree.all(ast.For):
        at_top = isinstance(script.tree.scope(loop), ast.Module) and not _behind_main(script, loop)
        if at_top and any(one.id in names for one in script.tree.within(loop.iter, ast.Name)):
            return loop
    return None


def _behind_main(script: Script, node: ast.AST) -> bool:
    return any(map(is_main_guard, script.tree.ancestors(node)))


def _workers_in_notebook(script: Script) -> Iterator[Spot]:
    if not script.notebook:
        return
    for call in _loaders(script):
        dataset = _dataset(script, call)
        if dataset is not None and _workers(script, call) and (own := script.kind_of.own_class(dataset)) is not None:
            yield spot(call, name=own.name)
            return


def _dataset_on_card(script: Script) -> Iterator[Spot]:
    if not script.trains or not script.uses_card:
        return
    for call in script.made("memory-dataset"):
        moved = [one for one in call.args if _on_card(script, one)]
        if moved:
            yield spot(call, name=script.source(moved[0]))
            return


def _on_card(script: Script, node: ast.expr | None) -> bool:
    """The expression, or what its name was given, ends with a move to the card."""
    if node is None:
        return False
    values = [node, *(bound.value for bound in script.kind_of.bounds(node))]
    flat = [one for value in values for one in (value.elts if isinstance(value, ast.Tuple) else [value])]
    if any(isinstance(one, ast.Call) and script.may_move(one) for one in flat):
        return True
    made = [
        one
        for one in values
        if isinstance(one, ast.Call) and script.api.gives(script.full(one.func) or "") == "memory-dataset"
    ]
    return any(
        _on_card(script, argument) for one in made for argument in one.args if one is not node or argument is not node
    )


def _moves_in_dataset(script: Script) -> bool:
    return any(True for _ in _moved_items(script))


def _moved_items(script: Script) -> Iterator[Spot]:
    for owner in script.names.classes.values():
        if not any(script.api.base_kind(script.full(base) or "") == "dataset" for base in owner.bases):
            continue
        getter = next(
            (one for one in owner.body if isinstance(one, ast.FunctionDef) and one.name == "__getitem__"), None
        )
        for move in script.moves:
            if getter is not None and script.tree.inside(move.call, getter) and _to_card_surely(script, move.call):
                yield spot(move.call, name=owner.name)
                break


def _to_card_surely(script: Script, call: ast.Call) -> bool:
    if isinstance(call.func, ast.Attribute) and call.func.attr == "cuda":
        return True
    return bool(call.args) and (script.card_literal(call.args[0]) or "device" in script.source(call.args[0]).lower())


DETECTORS: dict[str, Detector] = {
    "loader-without-workers": _no_workers,
    "loader-not-pinned": _not_pinned,
    "copy-waits": _blocking,
    "workers-without-main-guard": _workers_at_top,
    "workers-in-notebook": _workers_in_notebook,
    "dataset-on-card": _dataset_on_card,
    "items-moved-one-by-one": _moved_items,
}
