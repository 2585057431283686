"""What every detector gives back."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from typing import NamedTuple, TypeAlias

from gpu_assistant.check.script import Script


class Spot(NamedTuple):
    """A place in the script. `words` fill the holes of the row's texts and code."""

    node: ast.AST
    words: dict[str, str]


Detector: TypeAlias = Callable[[Script], Iterable[Spot]]


def spot(node: ast.AST, **words: str) -> Spot:
    """Short for `Spot(node, {...})`."""
    return Spot(node, words)


def once(script: Script, nodes: Iterable[ast.AST], **words: str) -> list[Spot]:
    """The first of them in the text: what is one habit is told once."""
    first = min(nodes, key=script.tree.order, default=None)
    return [] if first is None else [Spot(first, words)]
