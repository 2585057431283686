"""The shape of a network: what decides how much memory it takes."""

from __future__ import annotations

import functools
from typing import Literal

from gpu_assistant.base.model import Value
from gpu_assistant.base.resources import BadData, Complaint, read_toml, resource_root

Kind = Literal["decoder", "encoder", "image", "mlp"]


class Shape(Value, frozen=True, kw_only=True):
    """One network. Widths count numbers; a network of kind "image" tells its activations instead."""

    name: str
    kind: Kind
    parameters: int = 0  # 0: follows from the widths
    layers: int = 0
    width: int = 0
    heads: int = 1
    kv_heads: int = 0  # 0: as many as heads
    head_width: int = 0  # 0: width / heads
    inner: int = 0  # width of the feed-forward part; 0: 4 * width
    gated: bool = False  # SwiGLU: three matrices instead of two
    vocabulary: int = 0
    tied: bool = False  # the output layer is the embedding
    length: int = 0  # usual sequence length; of a vision transformer the number of patches
    image: int = 0  # usual side of an image, in pixels
    activations: int = 0  # kind "image": numbers that training keeps for one image of that side

    @property
    def counted(self) -> int:
        """All parameters."""
        return self.parameters or _count(self)

    @property
    def kv_width(self) -> int:
        """Numbers that one token adds to the keys, and as many to the values, in a layer."""
        return (self.kv_heads or self.heads) * self.head

    @property
    def head(self) -> int:
        """Width of one head."""
        return self.head_width or (self.width // self.heads if self.heads else 0)

    @property
    def feed_forward(self) -> int:
        """Width inside of the feed-forward part."""
        return self.inner or 4 * self.width


def layer_parameters(shape: Shape) -> int:
    """Parameters of one transformer layer, or of one layer of an MLP; norms and biases are left out."""
    if shape.kind == "mlp":
        return shape.width * shape.width
    attention = shape.width * (2 * shape.heads * shape.head + 2 * shape.kv_width)
    return attention + (3 if shape.gated else 2) * shape.width * shape.feed_forward


def _count(shape: Shape) -> int:
    words = shape.vocabulary * shape.width * (1 if shape.tied or shape.kind == "encoder" else 2)
    return shape.layers * layer_parameters(shape) + words


@functools.cache
def presets() -> dict[str, Shape]:
    """The known networks of `resources/models.toml`, by id, in its order. Raises `BadData`."""
    path = resource_root() / "models.toml"
    rows = read_toml(path, dict[str, Shape])
    wrong = [
        Complaint(path.name, id_, "parameters", f"{row.parameters:,} told, {_count(row):,} counted")
        for id_, row in rows.items()
        if row.kind in ("decoder", "encoder") and not 0.85 < row.parameters / max(_count(row), 1) < 1.18
    ]
    wrong += [
        Complaint(path.name, id_, "activations", "missing")
        for id_, row in rows.items()
        if row.kind == "image" and not (row.activations and row.image)
    ]
    if wrong:
        raise BadData(wrong)
    return rows
