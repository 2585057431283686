"""What an expression is (a model, a loader, a batch, a loss), followed through names, calls and containers."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable
from typing import TypeAlias

from gpu_assistant.check.api import Api
from gpu_assistant.check.names import ITERATED, Bound, Key, Names, Step
from gpu_assistant.check.tree import Function, Tree

Found: TypeAlias = frozenset[str]

NONE: Found = frozenset()
DEEPEST = 40  # assignments that one question follows

# methods and functions that give back what they were called on
_SAME = {"to", "cuda", "cpu", "half", "float", "double", "bfloat16", "train", "eval", "requires_grad_", "type", "mean"}
_SAME |= {"sum", "contiguous", "unsqueeze", "squeeze", "reshape", "view", "flatten", "long", "compile", "share_memory"}
_SAME |= {
    "pin_memory",
    "values",
    "items",
    "batch",
    "map",
    "shuffle",
    "prefetch",
    "cache",
    "repeat",
    "take",
    "with_options",
}
_SAME_FUNCTIONS = (
    "torch.compile",
    "torch.jit.script",
    "torch.jit.trace",
    "copy.deepcopy",
    "torch.nn.SyncBatchNorm.convert_sync_batchnorm",
)
_ARITHMETIC = frozenset({"loss", "output", "batch"})


class Kinds:
    """Answers `of` once per expression. Unknown is the empty set."""

    def __init__(self, tree: Tree, names: Names, api: Api) -> None:
        self._tree = tree
        self._names = names
        self._api = api
        self._known: dict[ast.AST, Found] = {}
        self._depth = 0
        self._followed: set[Function] = set()
        self.calls: dict[Function, list[ast.Call]] = defaultdict(list)
        self._class_kinds = {name: self._kinds_of_class(node) for name, node in names.classes.items()}
        self._collect_calls()

    def of(self, node: ast.AST) -> Found:
        """Every kind that it may be."""
        if node in self._known:
            return self._known[node]
        if self._depth >= DEEPEST:
            return NONE
        self._known[node] = NONE  # what asks for itself learns nothing
        self._depth += 1
        found = self._look(node)
        self._depth -= 1
        self._known[node] = found
        return found

    def callee(self, call: ast.Call) -> Function | None:
        """The function of this script that is called."""
        if (own := self._names.function(call.func)) is not None:
            return own
        if isinstance(call.func, ast.Attribute):
            for kind in self.of(call.func.value):
                if kind.startswith("class:"):
                    return self._names.method(self._names.classes[kind[6:]], call.func.attr)
        if isinstance(call.func, ast.Name) and call.func.id in self._names.classes:
            return self._names.method(self._names.classes[call.func.id], "__init__")
        return None

    def bounds(self, node: ast.AST) -> list[Bound]:
        """Every assignment to the name."""
        key = self._names.key(node)
        return self._names.bound.get(key, []) if key is not None else []

    def own_class(self, node: ast.AST) -> ast.ClassDef | None:
        """The class of this script whose instance it is."""
        name = next((kind[6:] for kind in self.of(node) if kind.startswith("class:")), None)
        return self._names.classes[name] if name is not None else None

    def _collect_calls(self) -> None:
        for call in self._tree.all(ast.Call):
            if (own := self._names.function(call.func)) is not None:
                self.calls[own].append(call)
            elif isinstance(call.func, ast.Name) and call.func.id in self._names.classes:
                first = self._names.method(self._names.classes[call.func.id], "__init__")
                if first is not None:
                    self.calls[first].append(call)
        for call in self._tree.all(ast.Call):
            if isinstance(call.func, ast.Attribute) and self._names.function(call.func) is None:
                own = self.callee(call)
                if own is not None:
                    self.calls[own].append(call)
        self._known.clear()  # parameters are known only now

    def _kinds_of_class(self, node: ast.ClassDef) -> Found:
        found = {f"class:{node.name}"}
        for one in self._names.line_of_descent(node):
            for base in one.bases:
                full = self._names.full(base)
                kind = self._api.base_kind(full) if full is not None else None
                found |= {kind} if kind is not None else set()
        return frozenset(found)

    def _look(self, node: ast.AST) -> Found:
        match node:
            case ast.Name():
                return self._name(node)
            case ast.Attribute():
                return self._attribute(node)
            case ast.Call():
                return self._call(node)
            case ast.Subscript() | ast.Await() | ast.Starred() | ast.NamedExpr():
                return self.of(node.value)
            case ast.IfExp():
                return self.of(node.body) | self.of(node.orelse)
            case ast.BoolOp():
                return self._union(node.values)
            case ast.BinOp():
                return (self.of(node.left) | self.of(node.right)) & _ARITHMETIC
            case ast.Tuple() | ast.List() | ast.Set():
                return self._union(node.elts)
            case ast.Dict():
                return self._union(node.values)
            case ast.ListComp() | ast.GeneratorExp():
                return self.of(node.elt)
            case ast.DictComp():
                return self.of(node.value)
        return NONE

    def _union(self, nodes: Iterable[ast.AST]) -> Found:
        return NONE.union(*(self.of(node) for node in nodes))

    def _name(self, node: ast.Name) -> Found:
        key = self._names.key(node)
        if key is None:
            return NONE
        found = NONE.union(*(self._follow(bound.value, bound.path) for bound in self._names.bound.get(key, [])))
        if key in self._names.parameters:
            found |= self._parameter(key)
        return found

    def _attribute(self, node: ast.Attribute) -> Found:
        key = self._names.key(node)
        if key is not None:
            return NONE.union(*(self._follow(bound.value, bound.path) for bound in self._names.bound[key]))
        return self.of(node.value) if node.attr in ("module", "data", "T") else NONE

    def _follow(self, value: ast.expr, path: tuple[Step, ...]) -> Found:
        if not path:
            return self.of(value)
        first, rest = path[0], path[1:]
        if first == ITERATED:
            return self._element(value, rest)
        if isinstance(value, ast.Tuple | ast.List) and isinstance(first, int) and first < len(value.elts):
            return self._follow(value.elts[first], rest)
        if isinstance(value, ast.Call) and (own := self._names.function(value.func)) is not None:
            return self._items(own, path)
        return self.of(value) - {"loader"}

    def _items(self, function: Function, path: tuple[Step, ...]) -> Found:
        """An item of what the function returns; one that returns what it was called with teaches nothing."""
        if function in self._followed:
            return NONE
        self._followed.add(function)
        found = NONE.union(*(self._follow(one, path) for one in self._returned(function)))
        self._followed.discard(function)
        return found

    def _element(self, value: ast.expr, path: tuple[Step, ...]) -> Found:
        while isinstance(value, ast.Call) and value.args and self._is_wrapper(value):
            counted = isinstance(value.func, ast.Name) and value.func.id == "enumerate"
            if counted and path and path[0] == 0:
                return NONE
            if isinstance(value.func, ast.Name) and value.func.id == "zip":
                return self._batches(self._union(value.args))
            path = path[1:] if counted else path
            value = value.args[0]
        return self._batches(self.of(value))

    @staticmethod
    def _batches(found: Found) -> Found:
        return found - {"loader", "tf-dataset"} | ({"batch"} if found & {"loader", "tf-dataset"} else set())

    def _is_wrapper(self, call: ast.Call) -> bool:
        full = self._names.full(call.func)
        return self._api.is_(full, "wrappers") and full != "next"

    def _parameter(self, key: Key) -> Found:
        function = self._names.parameters[key]
        return NONE.union(*(self._argument(function, key.name, call) for call in self.calls[function]))

    def _argument(self, function: Function, name: str, call: ast.Call) -> Found:
        for keyword in call.keywords:
            if keyword.arg == name:
                return self.of(keyword.value)
        names = [one.arg for one in (*function.args.posonlyargs, *function.args.args)]
        if isinstance(self._tree.parent(function), ast.ClassDef) and names[:1] in (["self"], ["cls"]):
            names = names[1:]
        place = names.index(name) if name in names else len(call.args)
        if place < len(call.args) and not any(isinstance(one, ast.Starred) for one in call.args[: place + 1]):
            return self.of(call.args[place])
        return NONE

    def _returned(self, function: Function) -> list[ast.expr]:
        return [
            one.value
            for one in self._tree.within(function, ast.Return)
            if one.value is not None and self._tree.function(one) is function
        ]

    def _call(self, call: ast.Call) -> Found:
        full = self._names.full(call.func)
        if full is not None:
            if full in _SAME_FUNCTIONS and call.args:
                return self.of(call.args[0])
            if full == "next" and call.args:
                return self._batches(self._element(call.args[0], ()) | self.of(call.args[0]))
            if self._is_wrapper(call) and call.args:
                return self._union(call.args)
            if (kind := self._api.gives(full)) is not None:
                return frozenset({kind, "model"} if kind == "spreader" else {kind})
        if isinstance(call.func, ast.Name) and call.func.id in self._class_kinds and self._names.key(call.func) is None:
            return self._class_kinds[call.func.id]
        if (own := self._names.function(call.func)) is not None:
            return self._union(self._returned(own))
        if isinstance(call.func, ast.Attribute) and call.func.attr in _SAME:
            return self.of(call.func.value)
        return self._result(self.of(call.func))

    @staticmethod
    def _result(called: Found) -> Found:
        if "model" in called:
            return frozenset({"output"})
        if "loss-function" in called:
            return frozenset({"loss"})
        return called & {"jax-gradient", "jax-compiled"} and frozenset({"computed"})
