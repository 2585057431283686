"""Detectors: each a pure function from a script to the spots where its row of `resources/checks` holds."""

from __future__ import annotations

from gpu_assistant.check.detectors import (
    jax,
    tensorflow,
    torch_cards,
    torch_data,
    torch_device,
    torch_evaluation,
    torch_precision,
    torch_speed,
    torch_steps,
)
from gpu_assistant.check.detectors.base import Detector

_MODULES = (
    torch_device,
    torch_steps,
    torch_evaluation,
    torch_data,
    torch_precision,
    torch_cards,
    torch_speed,
    tensorflow,
    jax,
)

# id of the row -> what finds it
DETECTORS: dict[str, Detector] = {id_: detector for module in _MODULES for id_, detector in module.DETECTORS.items()}
