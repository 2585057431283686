"""PyTorch on several cards."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gpu_assistant.check.detectors.base import Detector, Spot, once, spot
from gpu_assistant.check.script import Script, keyword


def _data_parallel(script: Script) -> Iterator[Spot]:
    found = [call for call in script.made("spreader") if (script.full(call.func) or "").endswith(".DataParallel")]
    if not script.mentions("DistributedDataParallel", "init_process_group", "DDP"):
        yield from once(script, found)


def _set_epoch(script: Script) -> Iterator[Spot]:
    if not script.trains or script.mentions("set_epoch"):
        return
    for call in script.made("sampler"):
        shuffle = keyword(call, "shuffle", 3)
        if (shuffle is None or not isinstance(shuffle, ast.Constant) or shuffle.value is True) and not _for_tests(
            script, call
        ):
            yield spot(call, sampler=_target(script, call))
            return


def _for_tests(script: Script, call: ast.Call) -> bool:
    text = f"{script.source(call)} {_target(script, call)}".lower()
    return any(word in text for word in ("val", "test", "eval"))


def _target(script: Script, call: ast.Call) -> str:
    targets = getattr(script.tree.statement(call), "targets", ())
    return next((script.source(one) for one in targets if isinstance(one, ast.Name | ast.Attribute)), "sampler")


def _never_destroyed(script: Script) -> Iterator[Spot]:
    if script.managed or script.mentions("destroy_process_group") or not (script.runs and script.steps):
        return
    found = [call for call in script.calls if script.full(call.func) == "torch.distributed.init_process_group"]
    yield from once(script, found)


DETECTORS: dict[str, Detector] = {
    "data-parallel": _data_parallel,
    "set-epoch-missing": _set_epoch,
    "process-group-left": _never_destroyed,
}
