"""Guided walks: a few questions with their reasons, ending in a fix or in a report for a forum. Pure stepping."""

from __future__ import annotations

import functools
from pathlib import Path

from gpu_assistant.base.model import Value
from gpu_assistant.base.resources import BadData, Complaint, read_toml, resource_root
from gpu_assistant.base.system_pages import system_pages
from gpu_assistant.troubleshoot.diagnosis import Bilingual, FixAction
from gpu_assistant.troubleshoot.facts import FLAGS, Facts


class Answer(Value, frozen=True, kw_only=True):
    """One answer and where it leads. `fact`: the system report already says so."""

    en: str
    ru: str
    to: str
    fact: str | None = None


class Node(Value, frozen=True, kw_only=True):
    """A question with answers, or an end without: `text` says what to ask or to do, `reason` why."""

    text: Bilingual
    reason: Bilingual
    measure: str | None = None  # command whose output answers the question
    page: str | None = None  # id of the page of Windows that answers it or where it is done
    answers: tuple[Answer, ...] = ()
    fix: str | None = None  # end: id of the row whose card helps here
    action: FixAction | None = None  # end: what the program can prepare
    report: bool = False  # end: make the help report and ask
    done: bool = False  # end: the text is the advice, nothing else is needed


class Walk(Value, frozen=True, kw_only=True):
    """A walk; it begins at the node "start"."""

    id: str
    title: Bilingual
    nodes: dict[str, Node]


class WalkState(Value, frozen=True, kw_only=True):
    """Where somebody is: the answers so far, as (node, number of the answer)."""

    walk: str
    path: tuple[tuple[str, int], ...] = ()


def current(walk: Walk, state: WalkState) -> Node:
    """The node to show now."""
    if not state.path:
        return walk.nodes["start"]
    node, answer = state.path[-1]
    return walk.nodes[walk.nodes[node].answers[answer].to]


def position(walk: Walk, state: WalkState) -> str:
    """The name of that node."""
    if not state.path:
        return "start"
    node, answer = state.path[-1]
    return walk.nodes[node].answers[answer].to


def answer(walk: Walk, state: WalkState, choice: int) -> WalkState:
    """One step on. Raises `IndexError` for an answer that there is not."""
    place = position(walk, state)
    if not 0 <= choice < len(walk.nodes[place].answers):
        raise IndexError(choice)
    return WalkState(walk=state.walk, path=(*state.path, (place, choice)))


def back(state: WalkState) -> WalkState:
    """One step back; at the start nothing changes."""
    return WalkState(walk=state.walk, path=state.path[:-1])


def suggested(node: Node, facts: Facts) -> int | None:
    """The answer that the system report gives by itself."""
    return next((place for place, one in enumerate(node.answers) if one.fact in facts.flags), None)


def load_walks(folder: Path) -> dict[str, Walk]:
    """Reads every walk of the folder. Raises `BadData`: unknown nodes, nodes nobody reaches, circles."""
    walks: dict[str, Walk] = {}
    complaints: list[Complaint] = []
    for path in sorted(folder.glob("*.toml")):
        walk = read_toml(path, Walk)
        complaints += [Complaint(path.name, walk.id, node, problem) for node, problem in _faults(walk)]
        walks[walk.id] = walk
    if complaints:
        raise BadData(complaints)
    return walks


@functools.cache
def walks() -> dict[str, Walk]:
    """The program's own walks, read once."""
    return load_walks(resource_root() / "errors" / "walks")


def _faults(walk: Walk) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for name, node in walk.nodes.items():
        found += [(name, f"no such node: {one.to}") for one in node.answers if one.to not in walk.nodes]
        found += [(name, f"no such fact: {one.fact}") for one in node.answers if one.fact and one.fact not in FLAGS]
        if node.page is not None and node.page not in system_pages():
            found.append((name, f"no such page: {node.page}"))
        if not node.answers and not (node.fix or node.action or node.report or node.done):
            found.append((name, "an end that offers nothing"))
    if "start" not in walk.nodes:
        return [*found, ("start", "missing")]
    if not found:
        seen: set[str] = set()
        if _circle(walk, "start", (), seen):
            found.append(("start", "the walk goes in circles"))
        found += [(name, "nobody gets here") for name in walk.nodes if name not in seen]
    return found


def _circle(walk: Walk, node: str, above: tuple[str, ...], seen: set[str]) -> bool:
    seen.add(node)
    if node in above:
        return True
    return any(_circle(walk, one.to, (*above, node), seen) for one in walk.nodes[node].answers)
