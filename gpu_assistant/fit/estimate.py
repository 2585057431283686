"""How much video memory a network takes, part by part.

Weights, gradients and optimizer state: Rajbhandari et al., "ZeRO: Memory Optimizations Toward Training Trillion
Parameter Models" (2020), section 3. Activations: counted from what PyTorch's autograd keeps in each layer with fused
attention (the term that grows with the square of the length is gone), after Korthikanti et al., "Reducing Activation
Recomputation in Large Transformer Models" (2022), section 4. All sizes in bytes.
"""

from __future__ import annotations

from gpu_assistant.base.model import Value
from gpu_assistant.fit.shape import Shape
from gpu_assistant.fit.wish import Wish

MIB = 1 << 20
CONTEXT = (350 * MIB, 750 * MIB)  # CUDA's own part and the libraries', by card and version
SPREAD = 0.10  # of everything that grows with the batch: kernels' work space differs
SCRAPS = 0.06  # of what is allocated: gaps between blocks

_WEIGHT = {"fp32": 4.0, "mixed": 4.0, "bf16": 2.0, "int8": 1.0, "int4": 0.56}
_STATE = {
    "sgd": 0.0,
    "momentum": 1.0,
    "adamw": 2.0,
    "adamw8": 0.5,
    "adafactor": 0.02,
}  # of the weights' numbers, in floats
_WORDS_KEPT = 3  # logits, their logarithms and the slopes, at the moment of the loss


class Part(Value, frozen=True, kw_only=True):
    """One part of the memory."""

    id: str  # weights | gradients | optimizer | activations | cache | context | scraps | desktop
    low: int
    high: int


class Estimate(Value, frozen=True, kw_only=True):
    """What one card must hold at the worst moment of a step."""

    parts: tuple[Part, ...]

    @property
    def low(self) -> int:
        """If everything goes well."""
        return sum(part.low for part in self.parts)

    @property
    def high(self) -> int:
        """What to count on."""
        return sum(part.high for part in self.parts)

    @property
    def tensors(self) -> int:
        """What the framework itself counts as allocated: without context, scraps and the desktop."""
        return sum(part.low for part in self.parts if part.id not in ("context", "scraps", "desktop"))


def estimate(shape: Shape, wish: Wish, *, desktop: int = 0) -> Estimate:
    """The parts for one card. `desktop`: bytes that other programs hold on it already."""
    weights = _weights(shape, wish)
    parts = {"weights": weights}
    if wish.trains:
        parts |= _training(shape, wish)
    else:
        parts |= {"cache": _cache(shape, wish), "activations": _looking(shape, wish)}
    grows = {"activations", "cache"}
    found = [
        Part(id=id_, low=round(size), high=round(size * (1 + SPREAD) if id_ in grows else size))
        for id_, size in parts.items()
        if size
    ]
    scraps = round(SCRAPS * sum(part.high for part in found))
    found += [Part(id="scraps", low=0, high=scraps), Part(id="context", low=CONTEXT[0], high=CONTEXT[1])]
    if desktop:
        found.append(Part(id="desktop", low=desktop, high=desktop))
    return Estimate(parts=tuple(found))


def corrected(found: Estimate, peak: int) -> Estimate:
    """The estimate after a trial: what grows with the batch takes the difference to the measured bytes of tensors."""
    difference = peak - found.tensors
    parts = tuple(
        Part(id=part.id, low=max(0, part.low + difference), high=max(0, part.low + difference))
        if part.id == "activations"
        else part
        for part in found.parts
    )
    return Estimate(parts=parts)


def trained_parameters(shape: Shape, wish: Wish) -> int:
    """How many numbers learn. LoRA (Hu et al. 2021): two matrices beside every linear layer of the blocks."""
    if not wish.adapts:
        return shape.counted if wish.trains else 0
    kv, q, inner = shape.kv_width, shape.heads * shape.head, shape.feed_forward
    sides = 2 * (shape.width + q) + 2 * (shape.width + kv) + (3 if shape.gated else 2) * (shape.width + inner)
    return shape.layers * wish.rank * sides


def _weights(shape: Shape, wish: Wish) -> float:
    split = wish.cards if wish.sharding == "zero3" else 1
    if wish.task == "qlora":
        words = shape.vocabulary * shape.width * (1 if shape.tied else 2)
        return ((shape.counted - words) * _WEIGHT["int4"] + words * 2 + trained_parameters(shape, wish) * 4) / split
    if wish.task == "lora":
        held = _WEIGHT["bf16"] if wish.precision == "mixed" else _WEIGHT[wish.precision]
        return (shape.counted * held + trained_parameters(shape, wish) * 4) / split
    return shape.counted * _WEIGHT[wish.precision] / split


def _training(shape: Shape, wish: Wish) -> dict[str, float]:
    learns = trained_parameters(shape, wish)
    each = 2.0 if wish.precision == "bf16" and not wish.adapts else 4.0
    gradients = learns * each / (wish.cards if wish.sharding in ("zero2", "zero3") else 1)
    state = learns * each * _STATE[wish.optimizer] / (wish.cards if wish.sharding != "ddp" else 1)
    kept, last = _activations(shape, wish), _one_layer(shape, wish)
    # at the loss everything is kept and no slope is there yet; at the end of backward all slopes are, and one layer
    worst = max(kept, gradients + last)
    return {
        "gradients": min(gradients, worst),
        "optimizer": 0.0 if wish.offload else state,
        "activations": worst - min(gradients, worst),
    }


def _tokens(shape: Shape, wish: Wish) -> int:
    return wish.batch * (wish.length or shape.length or 1)


def _wide(wish: Wish) -> tuple[float, float]:
    """Bytes of a number in the residual stream, and of one that goes into a product of matrices."""
    if wish.precision == "fp32":
        return 4.0, 4.0
    return (4.0, 2.0) if wish.precision == "mixed" and not wish.adapts else (2.0, 2.0)


def _per_token(shape: Shape, wish: Wish) -> float:
    """Bytes that one layer keeps for one token until backward."""
    stream, product = _wide(wish)
    inner = (4 if shape.gated else 2) * shape.feed_forward
    attention = shape.heads * shape.head * 2 + shape.kv_width * 2  # queries, keys, values, and what attention gave
    return 2 * shape.width * stream + (2 * shape.width + attention + inner) * product


def _activations(shape: Shape, wish: Wish) -> float:
    if shape.kind == "image":
        side = (wish.image or shape.image) / shape.image
        kept = shape.activations * wish.batch * side * side * _wide(wish)[1]
        return kept / 3 if wish.checkpointing else kept
    tokens = _tokens(shape, wish)
    if shape.kind == "mlp":
        return shape.layers * 2 * shape.width * tokens * _wide(wish)[1] + _loss(shape, wish)
    layers = shape.layers * tokens * _per_token(shape, wish)
    if wish.checkpointing:
        layers = shape.layers * tokens * shape.width * _wide(wish)[0] + tokens * _per_token(shape, wish)
    return layers + (_words(shape, wish) if shape.kind == "decoder" else _loss(shape, wish))


def _loss(shape: Shape, wish: Wish) -> float:
    """The input, the output, and what a simple loss makes of that on its way there and back."""
    return 5 * _tokens(shape, wish) * shape.width * 4.0


def _words(shape: Shape, wish: Wish) -> float:
    """What the choice of the next word costs at the loss."""
    extra = 0.0 if wish.precision == "fp32" else 2.0
    return _tokens(shape, wish) * shape.vocabulary * (4.0 * _WORDS_KEPT + extra)


def _one_layer(shape: Shape, wish: Wish) -> float:
    if shape.kind in ("decoder", "encoder"):
        return _tokens(shape, wish) * _per_token(shape, wish)
    return _activations(shape, wish) / max(shape.layers, 8)


def _cache(shape: Shape, wish: Wish) -> float:
    """Keys and values of all tokens so far."""
    if shape.kind != "decoder":
        return 0.0
    return 2 * shape.layers * shape.kv_width * _tokens(shape, wish) * (4.0 if wish.precision == "fp32" else 2.0)


def _looking(shape: Shape, wish: Wish) -> float:
    """Without backward, one layer's numbers are there at a time, and the words' of the last step."""
    each = 4.0 if wish.precision == "fp32" else 2.0
    if shape.kind == "image":
        return _activations(shape, wish) / 8
    if shape.kind == "mlp":
        return 3 * shape.width * _tokens(shape, wish) * each
    inner = (3 if shape.gated else 2) * shape.feed_forward
    one = _tokens(shape, wish) * (6 * shape.width + inner) * each
    words = _tokens(shape, wish) * shape.vocabulary * each if shape.kind == "decoder" else 0.0
    return max(one, words + _tokens(shape, wish) * shape.width * each)
