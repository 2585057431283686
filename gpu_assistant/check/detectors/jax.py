"""JAX."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gpu_assistant.check.detectors.base import Detector, Spot, once, spot
from gpu_assistant.check.script import Script
from gpu_assistant.check.tree import LOOPS, Loop

_COMPILES = r"(?i)jit|pmap|pjit|shard_map|xmap|^scan$|fori_loop|while_loop|\baot\b|lower"
_HOST = ("item", "tolist")


def _uses(script: Script) -> bool:
    return "jax" in script.frameworks


def _gradients(script: Script) -> list[ast.Call]:
    """Calls of a gradient function: `grad(f)(x)`, or a name that was given one."""
    return [call for call in script.calls if "jax-gradient" in script.kinds(call.func)]


def _no_jit(script: Script) -> Iterator[Spot]:
    if not _uses(script) or not script.runs or script.mentions_part(_COMPILES):
        return
    for call in _gradients(script):
        function = script.tree.function(call)
        if script.tree.loops(call) or (function is not None and script.in_loop(function)):
            yield spot(function or call, name=function.name if function is not None else "step")
            return


def _compiled_in_loop(script: Script) -> Iterator[Spot]:
    if not _uses(script):
        return
    found = []
    for call in script.made("jax-compiled"):
        above = script.tree.parent(call)
        makes_anew = bool(call.args) and isinstance(call.args[0], ast.Lambda)
        called = isinstance(above, ast.Call) and above.func is call
        if script.tree.loops(call) and makes_anew and called:
            found.append(call)
    yield from once(script, found)


def _step_loops(script: Script) -> Iterator[tuple[Loop, set[str]]]:
    """Loops that call a compiled or gradient function, with the names that take its results."""
    for loop in (node for node in script.tree.nodes if isinstance(node, LOOPS)):
        if any(script.tree.conditional(loop, outer) for outer in script.tree.loops(loop)):
            continue  # an evaluation now and then
        names: set[str] = set()
        for statement in script.tree.within(loop, ast.Assign):
            called = statement.value
            if (
                isinstance(called, ast.Call)
                and _computes(script, called)
                and script.tree.loops(statement)[:1] == [loop]
            ):
                names |= {one.id for target in statement.targets for one in script.tree.within(target, ast.Name)}
        if names:
            yield loop, names


def _computes(script: Script, call: ast.Call) -> bool:
    if script.kinds(call.func) & {"jax-compiled", "jax-gradient"}:
        return True
    own = script.kind_of.callee(call)
    return own is not None and any(_compiles(script, one) for one in own.decorator_list)


def _compiles(script: Script, decorator: ast.expr) -> bool:
    nodes = [decorator, *(decorator.args if isinstance(decorator, ast.Call) else ())]
    nodes += [decorator.func] if isinstance(decorator, ast.Call) else []
    return any(script.api.gives(script.full(node) or "") == "jax-compiled" for node in nodes)


def _waits(script: Script) -> Iterator[Spot]:
    if not _uses(script):
        return
    for loop, names in _step_loops(script):
        for call in script.tree.within(loop, ast.Call):
            taken = _taken(script, call)
            if taken in names and script.tree.loops(call)[:1] == [loop] and not script.tree.conditional(call, loop):
                yield spot(call, name=taken or "loss")
                return


def _taken(script: Script, call: ast.Call) -> str | None:
    """The name whose value is fetched to the host."""
    if isinstance(call.func, ast.Attribute) and call.func.attr in _HOST and isinstance(call.func.value, ast.Name):
        return call.func.value.id
    full = script.full(call.func)
    first = call.args[0] if call.args else None
    return (
        first.id if full in ("float", "numpy.asarray", "numpy.array", "print") and isinstance(first, ast.Name) else None
    )


DETECTORS: dict[str, Detector] = {
    "jax-no-jit": _no_jit,
    "jax-compiled-in-loop": _compiled_in_loop,
    "jax-waits-each-step": _waits,
}
