"""A syntax tree that knows where each node stands: parents, functions, loops, conditions."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TypeAlias, TypeVar

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef
Loop: TypeAlias = ast.For | ast.AsyncFor | ast.While
NodeT = TypeVar("NodeT", bound=ast.AST)

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
LOOPS = (ast.For, ast.AsyncFor, ast.While)
SCOPES = (*FUNCTIONS, ast.Lambda, ast.Module)


class Tree:
    """Every node in the order of the text. Questions of place are answered without walking again."""

    def __init__(self, module: ast.Module) -> None:
        self.module = module
        self.nodes: list[ast.AST] = []
        self._parent: dict[ast.AST, ast.AST] = {}
        self._span: dict[ast.AST, tuple[int, int]] = {}
        self._number()

    def _number(self) -> None:
        # without recursion: real files nest deeper than Python's stack
        todo: list[tuple[ast.AST, bool]] = [(self.module, False)]
        while todo:
            node, done = todo.pop()
            if done:
                self._span[node] = (self._span[node][0], len(self.nodes))
                continue
            self._span[node] = (len(self.nodes), 0)
            self.nodes.append(node)
            todo.append((node, True))
            for child in reversed(list(ast.iter_child_nodes(node))):
                if not isinstance(child, ast.expr_context):  # one object is shared by all names
                    self._parent[child] = node
                    todo.append((child, False))

    def parent(self, node: ast.AST) -> ast.AST | None:
        """The node that holds it."""
        return self._parent.get(node)

    def ancestors(self, node: ast.AST) -> Iterator[ast.AST]:
        """What holds it, from the inside out."""
        while (above := self._parent.get(node)) is not None:
            yield above
            node = above

    def inside(self, node: ast.AST, root: ast.AST) -> bool:
        """Whether `root` is the node or holds it."""
        start, end = self._span[root]
        return start <= self._span[node][0] < end

    def order(self, node: ast.AST) -> int:
        """Its place in the text."""
        return self._span[node][0]

    def within(self, root: ast.AST, *types: type[NodeT]) -> Iterator[NodeT]:
        """Nodes of these types in `root`, itself included, in the order of the text."""
        start, end = self._span[root]
        for node in self.nodes[start:end]:
            if isinstance(node, types):
                yield node

    def all(self, *types: type[NodeT]) -> Iterator[NodeT]:
        """`within` the whole script."""
        return self.within(self.module, *types)

    def function(self, node: ast.AST) -> Function | None:
        """The innermost `def` around it."""
        return next((above for above in self.ancestors(node) if isinstance(above, FUNCTIONS)), None)

    def scope(self, node: ast.AST) -> ast.AST:
        """The innermost function, lambda or module around it."""
        return next((above for above in self.ancestors(node) if isinstance(above, SCOPES)), self.module)

    def class_of(self, node: ast.AST) -> ast.ClassDef | None:
        """The innermost class around it."""
        return next((above for above in self.ancestors(node) if isinstance(above, ast.ClassDef)), None)

    def statement(self, node: ast.AST) -> ast.AST:
        """The statement that it is part of."""
        return next((one for one in (node, *self.ancestors(node)) if isinstance(one, ast.stmt)), node)

    def loops(self, node: ast.AST) -> list[Loop]:
        """Loops of its function whose body repeats it, innermost first."""
        found: list[Loop] = []
        below = node
        for above in self.ancestors(node):
            if isinstance(above, SCOPES):
                break
            if isinstance(above, LOOPS) and below in above.body:
                found.append(above)
            below = above
        return found

    def conditional(self, node: ast.AST, loop: ast.AST) -> bool:
        """Whether some turns of the loop (or calls of the function) may skip the node."""
        below = node
        for above in self.ancestors(node):
            if isinstance(above, ast.If | ast.IfExp) and below is not above.test:
                return True
            if isinstance(above, ast.ExceptHandler | ast.Match | ast.Lambda):
                return True
            if above is loop:
                break
            below = above
        body = getattr(loop, "body", ())
        return any(
            isinstance(one, ast.If) and any(isinstance(last, ast.Continue | ast.Return) for last in one.body)
            for one in body
            if self.order(one) < self.order(node)
        )


def line_of(node: ast.AST) -> int:
    """Its line, from 1."""
    line = getattr(node, "lineno", 1)
    return line if isinstance(line, int) else 1
