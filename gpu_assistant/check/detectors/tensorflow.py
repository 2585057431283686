"""TensorFlow and Keras."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gpu_assistant.check.detectors.base import Detector, Spot, once, spot
from gpu_assistant.check.script import Script
from gpu_assistant.check.tree import Function

_COMPILED = ("tensorflow.function",)


def _uses(script: Script) -> bool:
    return "tensorflow" in script.frameworks


def _on_processor(script: Script) -> Iterator[Spot]:
    if not _uses(script):
        return
    for node in script.tree.all(ast.With):
        device = _device(script, node)
        if device is not None and "CPU" in device.upper() and _trains(script, node):
            yield spot(node, device=device)


def _card_by_name(script: Script) -> Iterator[Spot]:
    if not _uses(script) or script.mentions(
        "list_physical_devices", "set_soft_device_placement", "list_logical_devices", "is_gpu_available"
    ):
        return
    for node in script.tree.all(ast.With):
        device = _device(script, node)
        if device is not None and "GPU" in device.upper() and _trains(script, node):
            yield spot(node, device=device)
            return


def _device(script: Script, node: ast.With) -> str | None:
    for item in node.items:
        call = item.context_expr
        if isinstance(call, ast.Call) and script.full(call.func) == "tensorflow.device" and call.args:
            given = call.args[0]
            return given.value if isinstance(given, ast.Constant) and isinstance(given.value, str) else None
    return None


def _trains(script: Script, node: ast.AST) -> bool:
    for call in script.tree.within(node, ast.Call):
        if isinstance(call.func, ast.Attribute) and call.func.attr in (
            "fit",
            "fit_generator",
            "train_on_batch",
        ):
            return True
    return False


def _takes_all(script: Script) -> Iterator[Spot]:
    if (
        not _uses(script)
        or not script.runs
        or script.mentions_part(r"(?i)memory_growth|memory_limit|GPUOptions|ConfigProto|ALLOW_GROWTH")
    ):
        return
    if not script.mentions_part(r"(?i)^(?:gpu.*|/?gpu:\d|list_physical_devices|/device:gpu.*)$") or script.mentions(
        "TPUStrategy"
    ):
        return
    found = [
        call
        for call in script.calls
        if isinstance(call.func, ast.Attribute)
        and call.func.attr == "fit"
        and "keras-model" in script.kinds(call.func.value)
    ]
    yield from once(script, found)


def _growth_too_late(script: Script) -> Iterator[Spot]:
    if not _uses(script):
        return
    late = [
        call
        for call in script.calls
        if (script.full(call.func) or "").endswith(".set_memory_growth") and script.tree.function(call) is None
    ]
    if not late:
        return
    first = late[0]
    for call in script.calls:
        full = script.full(call.func) or ""
        early = script.tree.order(call) < script.tree.order(first) and script.tree.function(call) is None
        if early and full in (
            "tensorflow.constant",
            "tensorflow.Variable",
            "tensorflow.zeros",
            "tensorflow.ones",
            "tensorflow.random.normal",
            "tensorflow.config.list_logical_devices",
        ):
            yield spot(first, function=full.replace("tensorflow.", "tf."), line=str(call.lineno))
            return


def _eager_loop(script: Script) -> Iterator[Spot]:
    if not _uses(script) or not script.runs or script.mentions("run_functions_eagerly", "tf1", "Session", "autograph"):
        return
    for call in script.calls:
        if not isinstance(call.func, ast.Attribute) or call.func.attr != "apply_gradients":
            continue
        function = script.tree.function(call)
        loops = script.tree.loops(call)
        tape = function if function is not None else (loops[0] if loops else None)
        if tape is None or not _has_tape(script, tape) or _is_compiled(script, function):
            continue
        if function is None or loops:
            yield spot(loops[0])
            return
        if (script.in_loop(function) and function.name not in ("train_step", "call")) or (
            function.name == "train_step" and _called_in_loop(script, function)
        ):
            yield spot(function)
            return


def _called_in_loop(script: Script, function: Function) -> bool:
    return script.tree.class_of(function) is None and script.in_loop(function)


def _has_tape(script: Script, node: ast.AST) -> bool:
    return any(script.full(call.func) == "tensorflow.GradientTape" for call in script.tree.within(node, ast.Call))


def _is_compiled(script: Script, function: Function | None, depth: int = 4) -> bool:
    if function is None or depth == 0:
        return False
    if function.decorator_list:
        return True  # tf.function, or a decorator that may be it
    wrapped = any(
        (script.full(call.func) in _COMPILED and any(script.names.function(one) is function for one in call.args))
        or any(script.names.function(one) is function for one in call.args)  # handed to strategy.run or a helper
        for call in script.calls
    )
    callers = [script.tree.function(call) for call in script.kind_of.calls[function]]
    return wrapped or any(_is_compiled(script, one, depth - 1) for one in callers if one is not function)


def _numpy_each_step(script: Script) -> Iterator[Spot]:
    if not _uses(script) or not script.runs:
        return
    for call in script.calls:
        if not isinstance(call.func, ast.Attribute) or call.func.attr != "apply_gradients":
            continue
        for loop in script.tree.loops(call)[:1]:
            for other in script.tree.within(loop, ast.Call):
                own = isinstance(other.func, ast.Attribute) and other.func.attr == "numpy" and not other.args
                if own and script.tree.loops(other)[:1] == [loop] and not script.tree.conditional(other, loop):
                    yield spot(other)
                    return


def _no_prefetch(script: Script) -> Iterator[Spot]:
    if not _uses(script) or not script.runs or script.mentions("prefetch", "prefetch_to_device"):
        return
    # reading and transforming is what is worth doing in advance
    if script.mentions("fit", "GradientTape") and any(_chained(script, call, "map") for call in script.calls):
        yield from once(script, [call for call in script.calls if _chained(script, call, "batch")])


def _chained(script: Script, call: ast.Call, method: str) -> bool:
    func = call.func
    return isinstance(func, ast.Attribute) and func.attr == method and "tf-dataset" in script.kinds(func.value)


DETECTORS: dict[str, Detector] = {
    "tf-on-processor": _on_processor,
    "tf-card-by-name": _card_by_name,
    "tf-takes-all-memory": _takes_all,
    "tf-growth-too-late": _growth_too_late,
    "tf-eager-loop": _eager_loop,
    "tf-numpy-each-step": _numpy_each_step,
    "tf-no-prefetch": _no_prefetch,
}
