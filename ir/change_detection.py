"""Has anything in an operation changed since one last looked? Much is known of what is as it was."""

from __future__ import annotations

import operator
from collections.abc import Iterable

from xdsl.ir import Operation, SSAValue


class LastLook:
    """What an operation was made of, with all inside it, when it was last looked at.

    It is the same if it has the same objects in the same places: operations and blocks, operands, successors, attributes,
    locations, types of values, and names. All of them are kept from one look to the next, so that no other object gets
    the identity of one.
    """

    def __init__(self) -> None:
        self._parts: list[object] = []

    def finds_same(self, ops: Iterable[Operation]) -> bool:
        """Whether nothing has changed since the last look; this is the next one. The first finds nothing the same.

        `ops` are the operation and all in it, in order.
        """
        before, self._parts = self._parts, _parts(ops)
        return len(self._parts) == len(before) and all(map(operator.is_, self._parts, before))


def _parts(ops: Iterable[Operation]) -> list[object]:
    parts: list[object] = []
    for op in ops:
        # Where the operands begin, and where these and the attributes end, is seen by what is no value and no name.
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
