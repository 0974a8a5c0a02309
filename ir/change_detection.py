"""Change detection for operations, by the identity of their objects: lets callers reuse results for an unchanged module."""

from __future__ import annotations

import operator
from collections.abc import Iterable

from xdsl.ir import Operation, SSAValue


class LastLook:
    """A snapshot of the objects of an operation and of all nested ones.

    The operation is unchanged if it has the same objects in the same order: operations and blocks, operands, successors,
    attributes, locations, types of values, and names. The snapshot keeps all of them alive, so that their ids stay unique.
    """

    def __init__(self) -> None:
        self._parts: list[object] = []

    def finds_same(self, ops: Iterable[Operation]) -> bool:
        """Whether nothing has changed since the last snapshot, which this call replaces; False at the first call.

        `ops` are the operation and all nested ones, in order.
        """
        before, self._parts = self._parts, _parts(ops)
        return len(self._parts) == len(before) and all(map(operator.is_, self._parts, before))


def _parts(ops: Iterable[Operation]) -> list[object]:
    parts: list[object] = []
    for op in ops:
        # None and the objects' classes separate operands, properties and attributes, so that shifted lists differ.
        parts += (op, op.parent, op.location, *op.operands, None, *op.properties, *op.properties.values(), None)
        parts += (*op.attributes, *op.attributes.values(), *op.successors)
        _add_values(parts, op.results)
        for region in op.regions:
            parts.append(region)
            for block in region.blocks:
                parts += (block, block.name_hint)
                _add_values(parts, block.args)
    return parts


def _add_values(parts: list[object], values: Iterable[SSAValue]) -> None:
    for value in values:
        parts += (value, value.type, value.name_hint)
