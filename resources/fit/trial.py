"""Two trial steps of a network by its shape: real ones on a card, shape-only ones elsewhere. Prints one JSON object.

Runs in the user's interpreter: Python 3.9, torch 2.5 and newer. `trial.py JSON` with the fields of Shape and Wish in
one object. Shape-only: PyTorch's fake tensors have sizes and no bytes, so that even a network that fits nowhere is
measured; a dispatch mode counts the storages that are alive.
"""

import json
import sys
import warnings
import weakref

warnings.filterwarnings("ignore")

import torch
from torch import nn
from torch.utils import checkpoint
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_flatten


class Block(nn.Module):
    """A transformer layer with fused attention."""

    def __init__(self, wish):
        super().__init__()
        width, heads = wish["width"], wish["heads"]
        self.heads, self.kv_heads = heads, wish.get("kv_heads") or heads
        self.head = wish.get("head_width") or width // heads
        inner = wish.get("inner") or 4 * width
        self.causal = wish["kind"] == "decoder"
        self.gated = bool(wish.get("gated"))
        self.first, self.second = nn.LayerNorm(width), nn.LayerNorm(width)
        self.query = nn.Linear(width, heads * self.head, bias=False)
        self.key = nn.Linear(width, self.kv_heads * self.head, bias=False)
        self.value = nn.Linear(width, self.kv_heads * self.head, bias=False)
        self.out = nn.Linear(heads * self.head, width, bias=False)
        self.up = nn.Linear(width, inner, bias=False)
        self.gate = nn.Linear(width, inner, bias=False) if self.gated else None
        self.down = nn.Linear(inner, width, bias=False)

    def forward(self, x):
        batch, length, _ = x.shape
        y = self.first(x)
        parts = [
            layer(y).view(batch, length, heads, self.head).transpose(1, 2)
            for layer, heads in ((self.query, self.heads), (self.key, self.kv_heads), (self.value, self.kv_heads))
        ]
        mixed = nn.functional.scaled_dot_product_attention(
            *parts, is_causal=self.causal, enable_gqa=self.kv_heads != self.heads
        )
        x = x + self.out(mixed.transpose(1, 2).reshape(batch, length, -1))
        y = self.second(x)
        inside = nn.functional.silu(self.gate(y)) * self.up(y) if self.gated else nn.functional.gelu(self.up(y))
        return x + self.down(inside)


class Transformer(nn.Module):
    """Embedding, layers, and for a decoder the choice of the next word."""

    def __init__(self, wish):
        super().__init__()
        self.again = wish.get("checkpointing")
        self.writes = wish["kind"] == "decoder"
        self.words = nn.Embedding(max(wish["vocabulary"], 1), wish["width"])
        self.blocks = nn.ModuleList(Block(wish) for _ in range(wish["layers"]))
        self.output = nn.Linear(wish["width"], wish["vocabulary"], bias=False) if self.writes else None
        if self.writes and wish.get("tied"):
            self.output.weight = self.words.weight

    def forward(self, words):
        x = self.words(words)
        for block in self.blocks:
            x = checkpoint.checkpoint(block, x, use_reentrant=False) if self.again and self.training else block(x)
        return self.output(x) if self.writes else x


def make_mlp(wish):
    """Equal layers."""
    layers = []
    for _ in range(wish["layers"]):
        layers += [nn.Linear(wish["width"], wish["width"], bias=False), nn.GELU()]
    return nn.Sequential(*layers)


def make_image(wish):
    """Convolutions as in a small residual network: for trials of image networks of one's own."""
    width = wish["width"]
    layers = [nn.Conv2d(3, width, 3, padding=1, bias=False)]
    for _ in range(wish["layers"]):
        layers += [nn.Conv2d(width, width, 3, padding=1, bias=False), nn.BatchNorm2d(width), nn.ReLU()]
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(width, 10))


def make(wish):
    """The network, and a function that makes a batch and its loss."""
    kind = wish["kind"]
    model = {"mlp": make_mlp, "image": make_image}.get(kind, Transformer)(wish)
    batch, length = wish["batch"], wish.get("length") or 1

    def inputs(device):
        if kind == "mlp":
            return torch.randn(batch * length, wish["width"], device=device)
        if kind == "image":
            return torch.randn(batch, 3, wish["image"], wish["image"], device=device)
        return torch.randint(max(wish["vocabulary"], 1), (batch, length), device=device)

    def loss(output, given):
        if kind == "decoder":
            return nn.functional.cross_entropy(output.float().flatten(0, 1), given.flatten())
        return output.float().pow(2).mean()

    return model, inputs, loss


class Alive(TorchDispatchMode):
    """Counts the bytes of all storages that are alive, and the most there were."""

    def __init__(self):
        super().__init__()
        self.now = self.peak = 0
        self._known = weakref.WeakSet()
        self._seen = {}

    def watch(self, tensor):
        storage = tensor.untyped_storage()
        key = storage._cdata
        if key in self._seen:
            return
        size = storage.nbytes()
        self._seen[key] = size
        self.now += size
        self.peak = max(self.peak, self.now)
        weakref.finalize(storage, self._gone, key, size)

    def _gone(self, key, size):
        if self._seen.pop(key, None) is not None:
            self.now -= size

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        result = function(*args, **(kwargs or {}))
        for leaf in tree_flatten(result)[0]:
            if isinstance(leaf, torch.Tensor):
                self.watch(leaf)
        return result


def optimizer_of(model, name):
    """PyTorch's own; the others are estimated only."""
    if name == "adamw":
        return torch.optim.AdamW(model.parameters(), lr=1e-4, foreach=False)
    return torch.optim.SGD(model.parameters(), lr=1e-4, momentum=0.9 if name == "momentum" else 0.0, foreach=False)


def steps(wish, device, model, inputs, loss):
    """Two steps: the second has the optimizer's state from the beginning."""
    if wish["task"] == "inference":
        model.eval()
        with torch.inference_mode():
            model(inputs(device))
        return
    optimizer = optimizer_of(model, wish["optimizer"])
    short = wish["precision"] == "mixed"
    for _ in range(2):
        given = inputs(device)
        with torch.autocast(device.split(":")[0], dtype=torch.bfloat16, enabled=short):
            output = model(given)
        value = loss(output, given)
        del output
        value.backward()
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        del value


def on_card(wish):
    """Real steps; bytes as PyTorch counts them."""
    model, inputs, loss = make(wish)
    model = model.to("cuda")
    if wish["precision"] == "bf16":
        model = model.to(torch.bfloat16)
    torch.cuda.reset_peak_memory_stats()
    steps(wish, "cuda", model, inputs, loss)
    torch.cuda.synchronize()
    return {"peak": torch.cuda.max_memory_allocated(), "reserved": torch.cuda.max_memory_reserved(), "how": "card"}


def by_shape(wish, real):
    """Steps without bytes, or with `real` on the processor; bytes of all storages that were alive at once."""
    from torch._subclasses.fake_tensor import FakeTensorMode

    counter = Alive()
    with FakeTensorMode(allow_non_fake_inputs=True) if not real else torch.enable_grad(), counter:
        model, inputs, loss = make(wish)
        if wish["precision"] == "bf16":
            model = model.to(torch.bfloat16)
        for tensor in model.parameters():
            counter.watch(tensor)
        counter.peak = counter.now
        steps(wish, "cpu", model, inputs, loss)
    return {"peak": counter.peak, "how": "processor" if real else "shapes"}


def main():
    wish = json.loads(sys.argv[1])
    how = wish.get("how", "auto")
    if how == "auto":
        how = "card" if torch.cuda.is_available() else "shapes"
    told = on_card(wish) if how == "card" else by_shape(wish, how == "processor")
    print(json.dumps({**told, "torch": torch.__version__}))


if __name__ == "__main__":
    main()
