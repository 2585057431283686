"""One script, analysed: the value that every detector asks."""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Iterator
from typing import NamedTuple

from gpu_assistant.check.api import Api
from gpu_assistant.check.kinds import Found, Kinds
from gpu_assistant.check.names import Names
from gpu_assistant.check.tree import LOOPS, Function, Loop, Tree

_BATCH_WORDS = re.compile(r"loader|batch|dataset|data_iter|train_iter|train_data|_dl\b|\bdl\b", re.IGNORECASE)
_EPOCHS = re.compile(r"\bep(?:och)?s?\b|epoch", re.IGNORECASE)
_CARD = re.compile(r"(?:cuda|mps|xpu|gpu)(?::\d+)?$")
_NO_MOVE = {"dtype", "memory_format"}
_PREPARES = {"warnings", "sys", "os", "logging", "torch", "numpy", "random", "matplotlib", "register", "setattr"}


class Step(NamedTuple):
    """The code that one training step runs: a loop around `backward`, or a function that such a loop calls."""

    region: Loop | Function
    backward: ast.Call
    loss: ast.expr | None  # what `backward` is called on
    over_batches: bool  # repeats per batch, not per epoch


class Move(NamedTuple):
    """A `.to(...)` or `.cuda()` that may move something to the card."""

    call: ast.Call
    what: ast.expr
    kinds: Found


class Script:
    """Questions about one script. All of them are answered from its text alone."""

    def __init__(self, module: ast.Module, text: str, api: Api, *, notebook: bool = False) -> None:
        self.tree = Tree(module)
        self.names = Names(self.tree)
        self.api = api
        self.notebook = notebook
        self._lines = text.split("\n")
        self.kind_of = Kinds(self.tree, self.names, api)
        self.calls = tuple(self.tree.all(ast.Call))

    def kinds(self, node: ast.AST) -> Found:
        """What it may be."""
        return self.kind_of.of(node)

    def full(self, node: ast.AST) -> str | None:
        """The library's name of it."""
        return self.names.full(node)

    def source(self, node: ast.AST) -> str:
        """Its text, if it stands in one line; else the empty text."""
        line, end = getattr(node, "lineno", 0), getattr(node, "end_lineno", 0)
        if not line or line != end:
            return ""
        raw = self._lines[line - 1].encode()
        return raw[node.col_offset : node.end_col_offset].decode(errors="replace")  # type: ignore[attr-defined]

    def calls_of(self, group: str) -> Iterator[ast.Call]:
        """Calls of the functions of one group of names."""
        return (call for call in self.calls if self.api.is_(self.full(call.func), group))

    def made(self, kind: str) -> Iterator[ast.Call]:
        """Calls that make a thing of this kind by its library's name."""
        for call in self.calls:
            full = self.full(call.func)
            if full is not None and self.api.gives(full) == kind:
                yield call

    @functools.cached_property
    def frameworks(self) -> frozenset[str]:
        """Those that it imports: torch, tensorflow, keras, jax, ..."""
        return frozenset(name.split(".")[0] for name in self.names.imports)

    @functools.cached_property
    def words(self) -> frozenset[str]:
        """Every name, attribute, keyword, imported name and short text."""
        found: set[str] = set()
        for node in self.tree.nodes:
            match node:
                case ast.Name():
                    found.add(node.id)
                case ast.Attribute():
                    found.add(node.attr)
                case ast.keyword(arg=str()) | ast.arg():
                    found.add(str(node.arg))
                case ast.ImportFrom(module=str()):
                    found |= {*str(node.module).split(".")}
                case ast.alias():
                    found |= {*node.name.split("."), node.asname or ""}
                case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                    found.add(node.name)
                case ast.Constant(value=str()):
                    found.add(str(node.value)[:60])
        return frozenset(found)

    def mentions(self, *words: str) -> bool:
        """Whether one of these stands anywhere in the script."""
        return not self.words.isdisjoint(words)

    def mentions_part(self, pattern: str) -> bool:
        """Whether a word holds what the pattern says."""
        return any(re.search(pattern, word) for word in self.words)

    @functools.cached_property
    def managed(self) -> bool:
        """A library that moves, scales and clears by itself does the training."""
        imports = self.names.imports
        if any(one == root or one.startswith(f"{root}.") for root in self.api.managing_imports for one in imports):
            return True
        if any("managed" in self.kinds(call) for call in self.calls if isinstance(call.func, ast.Name)):
            return True
        return any(
            full is not None and self.api.manages(full) for full in (self.full(call.func) for call in self.calls)
        )

    @functools.cached_property
    def runs(self) -> bool:
        """It does something when started, rather than only defining things for others."""
        return self.notebook or any(map(self._acts, self.tree.module.body))

    def _acts(self, statement: ast.stmt) -> bool:
        match statement:
            case ast.For() | ast.While() | ast.With() | ast.AsyncFor() | ast.AsyncWith():
                return True
            case ast.If():
                return is_main_guard(statement)
            case ast.Expr(value=ast.Call() as call) | ast.Assign(value=ast.Call() as call):
                full = self.full(call.func)
                if isinstance(statement, ast.Assign):
                    return self.names.function(call.func) is not None
                return full is None or full.split(".")[0] not in _PREPARES
        return False

    @functools.cached_property
    def is_test(self) -> bool:
        """A unit test: it does on purpose what a training script should not."""
        imports = self.names.imports
        return not imports.isdisjoint({"unittest", "pytest", "absl.testing"}) or self.mentions("TestCase", "absltest")

    # training in PyTorch

    @functools.cached_property
    def steps(self) -> tuple[Step, ...]:
        """Every training step of PyTorch, one per region, in the order of the text."""
        found: dict[ast.AST, Step] = {}
        for call in self.calls:
            if self._is_backward(call) and (region := self._region(call)) is not None:
                loss = call.func.value if isinstance(call.func, ast.Attribute) else None
                found.setdefault(region, Step(region, call, loss, self._over_batches(region)))
        return tuple(found.values())

    def _is_backward(self, call: ast.Call) -> bool:
        if "torch" not in self.frameworks or not isinstance(call.func, ast.Attribute) or call.func.attr != "backward":
            return False
        return not isinstance(call.func.value, ast.Call) or self.full(call.func.value.func) != "super"

    def _region(self, call: ast.Call) -> Loop | Function | None:
        if loops := self.tree.loops(call):
            return loops[0]
        function = self.tree.function(call)
        if function is None:
            return None
        if loops := self.tree.loops(function):  # a closure
            return loops[0]
        return function if self.in_loop(function) else None

    def in_loop(self, function: Function, depth: int = 3) -> bool:
        """Whether a loop of the script calls it, itself or through others."""
        for call in self.kind_of.calls[function]:
            above = self.tree.function(call)
            if self.tree.loops(call) or (depth and above is not None and self.in_loop(above, depth - 1)):
                return True
        return False

    def _over_batches(self, region: Loop | Function) -> bool:
        if not isinstance(region, LOOPS):
            return any(self._over_batches(loop) for loop in self._caller_loops(region))
        if isinstance(region, ast.While):
            return bool(self.tree.loops(region))
        if _EPOCHS.search(self.source(region.target)):
            return False
        text = self.source(region.iter)
        if "batch" in self._targets(region) or _BATCH_WORDS.search(text) or self.kinds(region.iter) & {"loader"}:
            return True
        return bool(self.tree.loops(region))

    def _caller_loops(self, function: Function, depth: int = 3) -> Iterator[Loop]:
        for call in self.kind_of.calls[function]:
            loops = self.tree.loops(call)
            above = self.tree.function(call)
            if loops:
                yield loops[0]
            elif depth and above is not None:
                yield from self._caller_loops(above, depth - 1)

    def _targets(self, loop: ast.For | ast.AsyncFor) -> Found:
        return frozenset().union(*(self.kinds(one) for one in self.tree.within(loop.target, ast.Name)))

    @functools.cached_property
    def trains(self) -> bool:
        """A training loop of PyTorch with its optimizer stands in the script, and nobody else runs it."""
        return bool(self.steps) and not self.managed and any(True for _ in self.made("optimizer"))

    # devices

    @functools.cached_property
    def moves(self) -> tuple[Move, ...]:
        """Everything that may move something to a card."""
        found = []
        for call in self.calls:
            if isinstance(call.func, ast.Attribute) and self.may_move(call):
                found.append(Move(call, call.func.value, self.kinds(call.func.value)))
        return tuple(found)

    def may_move(self, call: ast.Call) -> bool:
        """Whether it is a `.to(device)` or `.cuda()`: not a change of type only, not a move to the processor."""
        if not isinstance(call.func, ast.Attribute) or self.full(call.func) in ("torch.cuda",):
            return False
        if call.func.attr == "cuda":
            return True
        if call.func.attr != "to":
            return False
        given = [*call.args, *(one.value for one in call.keywords if one.arg not in _NO_MOVE)]
        return any(not self._is_type(one) and not self._is_processor(one) for one in given[:1])

    def _is_type(self, node: ast.expr) -> bool:
        full = self.full(node) or ""
        return full.startswith(
            ("torch.float", "torch.int", "torch.bfloat", "torch.half", "torch.long", "torch.double", "torch.bool")
        )

    def _is_processor(self, node: ast.expr) -> bool:
        if isinstance(node, ast.Constant):
            return node.value == "cpu"
        if isinstance(node, ast.Call) and self.full(node.func) == "torch.device" and node.args:
            return self._is_processor(node.args[0])
        bounds = self.kind_of.bounds(node)
        return bool(bounds) and all(
            not one.path and not isinstance(one.value, ast.Name) and self._is_processor(one.value) for one in bounds
        )

    @functools.cached_property
    def uses_card(self) -> bool:
        """It moves something to a card, as far as its text tells."""
        return bool(self.moves) and self.mentions_part(r"^(?:cuda|cuda:\d|mps|xpu|gpu|accelerator|is_available)$")

    def card_literal(self, node: ast.AST) -> bool:
        """Whether it is the text "cuda", "cuda:0" or the like."""
        return isinstance(node, ast.Constant) and isinstance(node.value, str) and _CARD.match(node.value) is not None


def is_main_guard(node: ast.AST) -> bool:
    """`if __name__ == "__main__":`."""
    return isinstance(node, ast.If) and any(
        isinstance(one, ast.Name) and one.id == "__name__" for one in ast.walk(node.test)
    )


def keyword(call: ast.Call, name: str, place: int | None = None) -> ast.expr | None:
    """The argument of that name (or at that place); None where it is not given."""
    for one in call.keywords:
        if one.arg == name:
            return one.value
    return call.args[place] if place is not None and place < len(call.args) else None


def spreads(call: ast.Call) -> bool:
    """Arguments come from a dictionary or list that is not seen here."""
    return any(one.arg is None for one in call.keywords) or any(isinstance(one, ast.Starred) for one in call.args)
