"""Who is who in a script: what imports call things, and what each name was bound to."""

from __future__ import annotations

import ast
from collections import defaultdict
from typing import NamedTuple

from gpu_assistant.check.tree import FUNCTIONS, SCOPES, Function, Tree

Step = int | str  # from a value to what is bound: an item's place, or ITERATED
ITERATED = "*"

_SPELLINGS = (("tensorflow.compat.v2.", "tensorflow."), ("tensorflow.keras", "keras"), ("tf_keras", "keras"))


class Bound(NamedTuple):
    """One way in which a name got its value."""

    value: ast.expr
    path: tuple[Step, ...]
    node: ast.AST  # the statement or clause that does it


class Key(NamedTuple):
    """A name in its scope, or an attribute of `self` in its class ("self.model")."""

    scope: ast.AST
    name: str


class Names:
    """Imports and bindings of one script."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self.imports: set[str] = set()
        self._aliases: dict[str, str] = {}
        self._stars: list[str] = []
        self.bound: dict[Key, list[Bound]] = defaultdict(list)
        self.functions: dict[Key, Function] = {}
        self.classes: dict[str, ast.ClassDef] = {}
        self.parameters: dict[Key, Function] = {}
        for node in tree.nodes:
            self._read(node)

    def full(self, node: ast.AST) -> str | None:
        """The dotted name by which its library knows it: `nn.Linear` is "torch.nn.Linear"; None: the script's own."""
        parts: list[str] = []
        while isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        if not isinstance(node, ast.Name):
            return None
        root = self._root(node)
        if root is None:
            return None
        name = ".".join([root, *reversed(parts)])
        for spelling, meant in _SPELLINGS:
            name = name.replace(spelling, meant, 1) if name.startswith(spelling) else name
        return name

    def _root(self, node: ast.Name) -> str | None:
        key = self.key(node)
        if key is not None and not isinstance(key.scope, ast.Module):
            return None  # a local name hides the import
        if node.id in self._aliases:
            return self._aliases[node.id]
        if key is not None or node.id in self.classes:
            return None
        return f"{self._stars[0]}.{node.id}" if self._stars and node.id[:1].isupper() else node.id

    def key(self, node: ast.AST) -> Key | None:
        """Where the name, or the attribute of `self`, is bound in this script."""
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in ("self", "cls"):
            owner = self._tree.class_of(node)
            key = Key(owner, f"self.{node.attr}") if owner is not None else None
            return key if key in self.bound else None
        if not isinstance(node, ast.Name):
            return None
        for scope in (one for one in (node, *self._tree.ancestors(node)) if isinstance(one, SCOPES)):
            key = Key(scope, node.id)
            if key in self.bound or key in self.functions or key in self.parameters:
                return key
        return None

    def function(self, node: ast.AST) -> Function | None:
        """The function of this script that the name or `self.method` means."""
        if isinstance(node, ast.Name):
            key = self.key(node)
            return self.functions.get(key) if key is not None else None
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in ("self", "cls"):
            owner = self._tree.class_of(node)
            return self.method(owner, node.attr) if owner is not None else None
        return None

    def method(self, owner: ast.ClassDef, name: str) -> Function | None:
        """The method of a class of this script, also of a base in it."""
        for one in self.line_of_descent(owner):
            for statement in one.body:
                if isinstance(statement, FUNCTIONS) and statement.name == name:
                    return statement
        return None

    def line_of_descent(self, owner: ast.ClassDef) -> list[ast.ClassDef]:
        """The class and its bases in this script."""
        found: list[ast.ClassDef] = []
        todo = [owner]
        while todo:
            one = todo.pop(0)
            if one not in found:
                found.append(one)
                todo += [
                    self.classes[base.id]
                    for base in one.bases
                    if isinstance(base, ast.Name) and base.id in self.classes
                ]
        return found

    # reading

    def _read(self, node: ast.AST) -> None:
        match node:
            case ast.Import():
                for alias in node.names:
                    self.imports.add(alias.name)
                    self._aliases[alias.asname or alias.name.split(".")[0]] = (
                        alias.name if alias.asname else alias.name.split(".")[0]
                    )
            case ast.ImportFrom():
                self._read_from(node)
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                self._read_function(node)
            case ast.ClassDef():
                self.classes[node.name] = node
            case ast.Assign():
                for target in node.targets:
                    self._bind(target, node.value, (), node)
            case ast.AnnAssign(value=ast.expr()) | ast.NamedExpr():
                assert node.value is not None
                self._bind(node.target, node.value, (), node)
            case ast.For() | ast.AsyncFor() | ast.comprehension():
                self._bind(node.target, node.iter, (ITERATED,), node)
            case ast.withitem(optional_vars=ast.expr()):
                assert node.optional_vars is not None
                self._bind(node.optional_vars, node.context_expr, (), node)
            case ast.Lambda():
                for argument in _arguments(node.args):
                    self.bound.setdefault(Key(node, argument.arg), [])

    def _read_from(self, node: ast.ImportFrom) -> None:
        module = "." * node.level + (node.module or "")
        self.imports.add(module)
        for alias in node.names:
            if alias.name == "*":
                self._stars += [module] if not node.level and module.split(".")[0] in ("torch", "keras") else []
            else:
                self._aliases[alias.asname or alias.name] = f"{module}.{alias.name}"

    def _read_function(self, node: Function) -> None:
        above = self._tree.parent(node)
        if not isinstance(above, ast.ClassDef):
            self.functions[Key(self._tree.scope(node), node.name)] = node
        for argument in _arguments(node.args):
            self.parameters[Key(node, argument.arg)] = node

    def _bind(self, target: ast.AST, value: ast.expr, path: tuple[Step, ...], node: ast.AST) -> None:
        match target:
            case ast.Name():
                self.bound[Key(self._tree.scope(target), target.id)].append(Bound(value, path, node))
            case ast.Attribute(value=ast.Name(id="self")):
                owner = self._tree.class_of(target)
                if owner is not None:
                    self.bound[Key(owner, f"self.{target.attr}")].append(Bound(value, path, node))
            case ast.Tuple() | ast.List():
                for place, item in enumerate(target.elts):
                    self._bind(item, value, (*path, place), node)
            case ast.Starred():
                self._bind(target.value, value, path, node)


def _arguments(arguments: ast.arguments) -> list[ast.arg]:
    more = [one for one in (arguments.vararg, arguments.kwarg) if one is not None]
    return [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, *more]
