"""PyTorch: mixed precision."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gpu_assistant.check.detectors.base import Detector, Spot, once, spot
from gpu_assistant.check.script import Script, keyword

# the last two need float32, or read the gradient of each sample
_PRECISION = r"(?i)amp|autocast|half|bf16|bfloat16|fp\d|float16|precision|double|float64|^opacus$|^gpytorch$"
_SCALES = r"(?i)scaler|scale_loss|loss_scale"


def _old(script: Script) -> Iterator[Spot]:
    if any((script.full(call.func) or "").startswith("torch.amp.") for call in script.calls):
        return  # it chooses by the version of PyTorch
    names = list(script.calls_of("old-amp"))
    for call in names[:1]:
        full = script.full(call.func) or ""
        yield spot(call, old=full, name=full.rsplit(".", 1)[-1], device="cpu" if ".cpu." in full else "cuda")


def _apex(script: Script) -> Iterator[Spot]:
    if not script.runs or script.mentions("autocast"):
        return
    found = [call for call in script.calls if (script.full(call.func) or "").startswith("apex.amp.")]
    yield from once(script, found)


def _missing(script: Script) -> Iterator[Spot]:
    if not (script.trains and script.runs and script.uses_card) or script.mentions_part(_PRECISION):
        return
    if script.mentions("MSELoss", "mse_loss") or not script.mentions_part(
        r"Conv\dd|Transformer|Attention|LSTM|GRU|resnet|models|from_pretrained"
    ):
        return
    steps = [step.backward for step in script.steps if step.over_batches]
    yield from once(script, steps)


def _scaler_missing(script: Script) -> Iterator[Spot]:
    if script.managed or script.mentions_part(_SCALES) or not script.steps or not any(script.made("optimizer")):
        return
    for call in script.calls_of("autocast"):
        if _is_half(script, call) and any(
            script.tree.function(call) is script.tree.function(step.backward) and _same_loop(script, call, step.region)
            for step in script.steps
        ):
            yield spot(call)
            return


def _same_loop(script: Script, call: ast.Call, region: ast.AST) -> bool:
    return script.tree.inside(call, region)


def _is_half(script: Script, call: ast.Call) -> bool:
    full = script.full(call.func) or ""
    kind = keyword(call, "dtype", None if ".cuda." in full else 1)
    if kind is not None:
        return script.full(kind) in ("torch.float16", "torch.half")
    device = keyword(call, "device_type", 0)
    return ".cuda." in full or (isinstance(device, ast.Constant) and device.value == "cuda")


def _clip_scaled(script: Script) -> Iterator[Spot]:
    if "torch" not in script.frameworks or script.managed or script.mentions("unscale_", "scale_loss"):
        return
    if not any(script.made("scaler")):
        return
    for step in script.steps:
        # only where the step is scaled without a choice between two ways
        scaled = (
            isinstance(step.loss, ast.Call)
            and isinstance(step.loss.func, ast.Attribute)
            and step.loss.func.attr == "scale"
        )
        if not scaled or script.tree.conditional(step.backward, step.region):
            continue
        for call in script.tree.within(step.region, ast.Call):
            clips = (script.full(call.func) or "").startswith("torch.nn.utils.clip_grad")
            if clips and not _in_other_branch(script, call, step.region):
                yield spot(call, optimizer=_optimizer(script))
                return


def _in_other_branch(script: Script, call: ast.Call, region: ast.AST) -> bool:
    return any(
        isinstance(above, ast.If) and above.orelse
        for above in script.tree.ancestors(call)
        if script.tree.inside(above, region)
    )


def _optimizer(script: Script) -> str:
    for call in script.calls:
        if (
            isinstance(call.func, ast.Attribute)
            and call.func.attr == "step"
            and "scaler" in script.kinds(call.func.value)
            and call.args
        ):
            return script.source(call.args[0]) or "optimizer"
    return "optimizer"


def _half_model(script: Script) -> Iterator[Spot]:
    if not script.trains or script.mentions_part(_SCALES) or script.mentions("autocast", "bitsandbytes"):
        return
    for call in script.calls:
        func = call.func
        if not isinstance(func, ast.Attribute) or func.attr != "half" or "model" not in script.kinds(func.value):
            continue
        if not any(isinstance(above, ast.If | ast.IfExp) for above in script.tree.ancestors(call)):
            yield spot(call, model=script.source(func.value) or "model")
            return


DETECTORS: dict[str, Detector] = {
    "amp-old": _old,
    "amp-apex": _apex,
    "amp-missing": _missing,
    "scaler-missing": _scaler_missing,
    "clip-without-unscale": _clip_scaled,
    "half-model": _half_model,
}
