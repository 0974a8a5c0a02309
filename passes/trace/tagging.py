"""Source tags for the operations that a composite expands to: finds the operations between its inputs and its result, and gives
them a location.

A rule that expands one operation into many knows the result and the inputs. `collect` returns every operation between them,
and `fill` gives these the location of the composite.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects.builtin import LocationAttr
from xdsl.ir import Operation, OpResult, SSAValue

from ...ir.locations import is_known

Node = Operation | SSAValue


def collect(entry: Node, inputs: Sequence[Node]) -> list[Operation]:
    """The operations from `entry` back to `inputs`, without duplicates, definitions before uses; `inputs` included."""
    return _backwards(entry, _operations(inputs), lambda op: False, with_inputs=True)


def fill(entry: Node, inputs: Sequence[Node], source: LocationAttr) -> list[Operation]:
    """Give the operations from `entry` back to `inputs`, except the inputs themselves, the location `source`. An operation that
    has a location keeps it, and ends the backward traversal. Returns the operations that were tagged.
    """
    found = _backwards(entry, _operations(inputs), lambda op: is_known(op.location), with_inputs=False)
    for op in found:
        op.location = source
    return found


def _backwards(entry: Node, inputs: set[Operation], stops: Callable[[Operation], bool], with_inputs: bool) -> list[Operation]:
    order: dict[Operation, None] = {}
    seen: set[Operation] = set()
    pending: list[tuple[Operation, bool]] = [(op, False) for op in _operations((entry,))]
    while pending:
        op, is_done = pending.pop()
        if is_done:
            order[op] = None
            continue
        if op in seen or stops(op) or (op in inputs and not with_inputs):
            continue
        seen.add(op)
        pending.append((op, True))
        if op not in inputs:
            used = [operand for inner in op.walk() for operand in inner.operands]
            pending += [(each, False) for each in reversed(_definitions(used, op))]
    return list(order)


def _definitions(values: Sequence[SSAValue], user: Operation) -> list[Operation]:
    """The operations outside `user` that define the values."""
    found = dict.fromkeys(value.op for value in values if isinstance(value, OpResult))
    return [op for op in found if not user.is_ancestor(op)]


def _operations(nodes: Sequence[Node]) -> set[Operation]:
    """The operations among the nodes, and the operations that define the values among them; block arguments have none."""
    owners = (node if isinstance(node, Operation) else node.owner for node in nodes)
    return {owner for owner in owners if isinstance(owner, Operation)}
