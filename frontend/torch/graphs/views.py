"""Results of a graph that are views of its arguments, or of other results: torch makes these views, so that they share memory,
with the offsets and strides of eager, and nothing is copied."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from typing import Any, NamedTuple

from .program import value_of
from .symbols import evaluate


class View(NamedTuple):
    """A result of a graph: its place among the results, the node whose value it is a view of, and the operations that make it
    of this value, each with its other arguments, in which nodes stand for sizes."""

    place: int
    base: Any
    operations: tuple[tuple[Any, tuple[Any, ...], dict[str, Any]], ...]

    def of(self, value: Any, bindings: Mapping[Any, Any]) -> Any:
        """The view of a value of the base, with these values of symbols."""
        from torch.fx.node import map_arg

        for target, args, kwargs in self.operations:
            args, kwargs = map_arg((args, kwargs), lambda node: evaluate(value_of(node), bindings))
            value = target(value, *args, **kwargs)
        return value


def take_views(graph: Any) -> list[View]:
    """Remove results that are views from a graph, leaving None in their places."""
    (output,) = (node for node in graph.nodes if node.op == "output")
    results = list(output.args[0])
    bases = {node for node in graph.nodes if node.op == "placeholder"}
    bases |= {each for each in results if hasattr(each, "op") and not _is_view(each)}
    found: list[View] = []
    for place, node in enumerate(results):
        chain = _chain(node, bases)
        if chain:
            steps = tuple((each.target, tuple(each.args[1:]), dict(each.kwargs)) for each in reversed(chain))
            found.append(View(place, chain[-1].args[0], steps))
            results[place] = None
    output.args = (results, *output.args[1:])
    for node in reversed(graph.nodes):
        if _is_view(node) and not node.users:
            graph.erase_node(node)
    return found


def _chain(node: Any, bases: set[Any]) -> list[Any]:
    """The views from a node down to one of the bases; none where it is no view of one."""
    chain: list[Any] = []
    while hasattr(node, "op") and _is_view(node):
        chain.append(node)
        node = node.args[0]
    return chain if node in bases else []


def _is_view(node: Any) -> bool:
    """Whether an operation makes a view of its first argument, or takes one of several such views."""
    if node.target is operator.getitem:
        return _is_view(node.args[0])
    return node.op == "call_function" and getattr(node.target, "is_view", False)
