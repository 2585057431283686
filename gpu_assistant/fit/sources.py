"""Reads a network's shape from the user's own file, without loading any weight."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from typing import Any

from gpu_assistant.base.message import Message, message
from gpu_assistant.fit.shape import Shape

LONGEST_HEADER = 100 << 20  # bytes; the format's own limit
_LAYER = re.compile(r"(?:^|\.)(?:layers?|h|blocks?)\.(\d+)\.")


class UnknownFile(Exception):
    """The file tells no shape; `reason` says why."""

    def __init__(self, reason: Message) -> None:
        super().__init__(reason.id)
        self.reason = reason


def read_shape(path: Path) -> Shape:
    """The shape in a `config.json` or in the header of a `.safetensors` file. Raises `UnknownFile`, `OSError`."""
    if path.suffix == ".safetensors":
        return _from_header(path)
    try:
        config = json.loads(path.read_bytes())
    except (ValueError, UnicodeDecodeError) as error:
        raise UnknownFile(message("fit-file-no-json", file=path.name, detail=str(error))) from error
    if not isinstance(config, dict):
        raise UnknownFile(message("fit-file-no-shape", file=path.name))
    return _from_config(config.get("text_config") or config, path)


def _from_config(config: dict[str, Any], path: Path) -> Shape:
    def number(*names: str) -> int:
        found = next((config[name] for name in names if isinstance(config.get(name), int)), 0)
        return int(found)

    width, layers = (
        number("hidden_size", "n_embd", "d_model", "dim"),
        number("num_hidden_layers", "n_layer", "num_layers"),
    )
    heads = number("num_attention_heads", "n_head", "num_heads", "encoder_attention_heads")
    if not (width and layers and heads):
        raise UnknownFile(message("fit-file-no-shape", file=path.name))
    kinds = " ".join(config.get("architectures") or ()) + str(config.get("model_type", ""))
    writes = "CausalLM" in kinds or "LMHead" in kinds or "gpt" in kinds.lower()
    gated = str(config.get("hidden_act", "")) in ("silu", "swish", "gelu_pytorch_tanh") and writes
    return Shape(
        name=str(config.get("_name_or_path") or path.parent.name or path.name),
        kind="decoder" if writes else "encoder",
        layers=layers,
        width=width,
        heads=heads,
        kv_heads=number("num_key_value_heads"),
        head_width=number("head_dim"),
        inner=number("intermediate_size", "n_inner", "encoder_ffn_dim"),
        gated=gated,
        vocabulary=number("vocab_size"),
        tied=bool(config.get("tie_word_embeddings", not gated)),
        length=min(number("max_position_embeddings", "n_positions") or 2048, 2048),
    )


def _from_header(path: Path) -> Shape:
    """The format: 8 bytes with the header's length, then JSON with every tensor's type and shape."""
    with path.open("rb") as file:
        length = int.from_bytes(file.read(8), "little")
        if not 2 <= length <= LONGEST_HEADER:
            raise UnknownFile(message("fit-file-no-shape", file=path.name))
        try:
            header = json.loads(file.read(length))
            shapes = {name: row["shape"] for name, row in header.items() if name != "__metadata__"}
            parameters = sum(math.prod(shape) for shape in shapes.values())
        except (ValueError, TypeError, KeyError, UnicodeDecodeError, AttributeError) as error:
            raise UnknownFile(message("fit-file-no-shape", file=path.name)) from error
    layers = len({found[1] for name in shapes if (found := _LAYER.search(name))})
    words = next((shape for name, shape in shapes.items() if "embed" in name and len(shape) == 2), None)
    if not layers or words is None:
        raise UnknownFile(message("fit-file-no-shape", file=path.name))
    inner = next((shape[0] for name, shape in shapes.items() if re.search(r"(up_proj|fc1|c_fc|intermediate)", name)), 0)
    keys = next((shape[0] for name, shape in shapes.items() if "k_proj.weight" in name), words[1])
    head = 128 if words[1] % 128 == 0 else 64
    return Shape(
        name=path.stem,
        kind="decoder",
        parameters=parameters,
        layers=layers,
        width=words[1],
        heads=max(1, words[1] // head),
        kv_heads=max(1, keys // head),
        head_width=head,
        inner=inner,
        gated=any("gate_proj" in name for name in shapes),
        vocabulary=words[0],
        tied=not any("lm_head" in name for name in shapes),
        length=2048,
    )
