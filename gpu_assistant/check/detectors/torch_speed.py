"""PyTorch: chances to be faster. Advice of low rank, only for scripts that surely train on a card."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gpu_assistant.check.detectors.base import Detector, Spot, once
from gpu_assistant.check.script import Script

_REPEATABLE = ("deterministic", "use_deterministic_algorithms", "benchmark", "cudnn")
_VARYING = r"(?i)detect|segment|bbox|max_len|vocab|token|variable"
_EASY = r"(?i)torch\.compile|^compile$|jit|trace|dynamo|fx$|DataParallel|^opacus$|^gpytorch$"


def _eligible(script: Script) -> list[ast.Call]:
    """The first step over batches of a script that trains on a card by itself."""
    if not (script.trains and script.runs and script.uses_card):
        return []
    return [step.backward for step in script.steps if step.over_batches][:1]


def _convolves(script: Script) -> bool:
    return any(script.api.is_(script.full(call.func), "convolutions") for call in script.calls)


def _tf32(script: Script) -> Iterator[Spot]:
    if script.mentions("set_float32_matmul_precision", "allow_tf32", "fp32_precision") or script.mentions_part(
        r"(?i)autocast|amp$|half$|bfloat16|float16|deterministic|float64|double"
    ):
        return
    if script.mentions_part(r"^(?:Transformer.*|MultiheadAttention|LSTM|GRU)$"):
        yield from once(script, _eligible(script))


def _benchmark(script: Script) -> Iterator[Spot]:
    if not script.mentions(*_REPEATABLE) and not script.mentions_part(_VARYING) and _convolves(script):
        yield from once(script, _eligible(script))


def _channels_last(script: Script) -> Iterator[Spot]:
    uses_amp = any(True for _ in script.calls_of("autocast"))
    if uses_amp and not script.mentions("channels_last", "memory_format") and _convolves(script):
        yield from once(script, _eligible(script))


def _compile(script: Script) -> Iterator[Spot]:
    if script.mentions_part(_EASY) or script.mentions(
        "autograd", "register_hook", "register_forward_hook", "create_graph"
    ):
        return
    # worth its minute of compiling only for something that takes many minutes
    if any(script.kinds(call.func) == {"model"} for call in script.calls) and script.mentions_part(
        r"^(?:Transformer.*|MultiheadAttention|resnet\d+|vit_.*|create_model)$"
    ):
        yield from once(script, _eligible(script))


DETECTORS: dict[str, Detector] = {
    "tf32-off": _tf32,
    "cudnn-benchmark": _benchmark,
    "channels-last": _channels_last,
    "compile-missing": _compile,
}
