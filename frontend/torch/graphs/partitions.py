"""The division of a torch graph into programs for Stepwell and operations for eager."""

from __future__ import annotations

import operator
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ....ir.types.dtypes import dtype
from ..rows.row import computed_dtype
from ..rows.table import row_for, row_of
from .layouts import is_whole
from .program import CannotCompile, Program, value_of
from .random_draws import REASON, draws
from .repeats import programs_of
from .symbols import is_symbolic, symbols_of


class Eager(NamedTuple):
    """An operation that is left to eager."""

    node: Any


class Size(NamedTuple):
    """An operation on sizes, whose result follows from the arguments of the graph."""

    node: Any


Step = Program | Eager | Size


def reason_against(node: Any, target: str | None) -> str | None:
    """The reason why an operation cannot be compiled, by its row, dtypes and devices; None if none of these prevents it.
    Without a target the operation may be on any device."""
    if node.target is operator.getitem:
        return None
    if draws(node):
        return REASON
    if row_for(node) is None:
        known = row_of(node.target) is not None
        return f"it has no row in the table of operations{' on complex tensors' if known else ''}"
    for value in (*_tensors(value_of(node)), *(each for arg in node.all_input_nodes for each in _tensors(value_of(arg)))):
        try:
            dtype(computed_dtype(value))
        except TypeError as error:
            return str(error)
        if target not in ("cuda", None) and value.device.type != "cpu":
            return f"it is on the device '{value.device.type}', the target '{target}' computes on the CPU"
        if value.layout != _strided() or value.is_quantized:
            return f"the layout {value.layout} is not supported"
    return None


def gives_tensors(node: Any) -> bool:
    """Whether an operation gives tensors, rather than a size or, as a check, nothing."""
    return bool(_tensors(value_of(node)))


def _strided() -> Any:
    import torch

    return torch.strided


def _tensors(value: Any) -> list[Any]:
    if isinstance(value, list | tuple):
        return [each for entry in value for each in _tensors(entry)]
    return [value] if hasattr(value, "layout") else []


def divide(graph: Any, left: dict[Any, str], target: str) -> list[Step]:
    """The steps of a graph in an order of execution: Stepwell's programs, and operations left to eager. `left` has operations
    that are known to be eager's, with the reasons, and gains those found here. To alternate between the two kinds as seldom as
    possible, each operation is in the first group of its kind that comes after its inputs.
    """
    nodes = [node for node in graph.nodes if node.op not in ("placeholder", "output", "get_attr")]
    known = symbols_of(value_of(node) for node in graph.nodes if node.op == "placeholder")
    levels: dict[Any, int] = {}
    for node in nodes:
        levels[node] = 0 if _is_known(node, known) else _level(node, levels, left, target)
    steps: list[Step] = []
    for level in sorted(set(levels.values())):
        members = [node for node in nodes if levels[node] == level]
        if level % 2 == 0:
            steps.extend(Size(node) if _is_known(node, known) else Eager(node) for node in members)
        else:
            steps.extend(programs_of(members))
    return steps


def _level(node: Any, levels: Mapping[Any, int], left: dict[Any, str], target: str) -> int:
    """The number of the group of an operation: odd groups are compiled, even ones left to eager."""
    inputs = [each for each in node.all_input_nodes if each in levels]
    if node.target is operator.getitem and inputs:
        return levels[inputs[0]]
    behind = max((levels[each] for each in inputs), default=0)
    if not gives_tensors(node):
        return behind + behind % 2  # a size that depends on data, or a check
    reason = left.get(node) or reason_against(node, target)
    if reason is None:
        return behind + (behind + 1) % 2
    left[node] = reason
    return behind + behind % 2


def _is_known(node: Any, symbols: set[Any]) -> bool:
    """Whether an operation gives a size that follows from the arguments of the graph."""
    return is_symbolic(value_of(node)) and symbols_of([value_of(node)]) <= symbols


def programs(graph: Any, check: Any, target: str) -> tuple[list[Step], dict[Any, str]]:
    """The steps of a graph for a target, whose programs all pass a check, and the operations left to eager with the reasons.
    The check raises CannotCompile for an operation, which then goes to eager."""
    left = _parts_of_memory(graph)
    passed: set[tuple[Any, ...]] = set()
    while True:
        steps = divide(graph, left, target)
        failed = next(_failures(steps, check, passed), None)
        if failed is None:
            return steps, left
        left.update(failed)


def _parts_of_memory(graph: Any) -> dict[Any, str]:
    """Views of results of the graph whose memory `as_strided` reads beyond their elements: eager makes them as views, too."""
    left: dict[Any, str] = {}
    for node in graph.nodes:
        view = node.args[0] if str(node.target).startswith("aten.as_strided") else None
        while view is not None and view.op == "call_function" and view.all_input_nodes and not is_whole(value_of(view)):
            left[view] = "as_strided reads its memory"
            view = view.all_input_nodes[0]
    return left


def _failures(steps: Sequence[Step], check: Any, passed: set[tuple[Any, ...]]) -> Iterator[dict[Any, str]]:
    for step in steps:
        if isinstance(step, Program) and step.shared is None and tuple(step.nodes) not in passed:
            try:
                check(step)
                passed.add(tuple(step.nodes))
            except CannotCompile as error:
                yield dict.fromkeys(step.alike(error.node), error.reason)
