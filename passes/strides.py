"""How far apart in memory the elements are that an access touches in successive iterations of a loop."""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.ir import Operation, SSAValue

from ..ir.index import Dim, Index
from ..ir.nesting import operations
from ..ir.shapes import row_major, shape_of
from ..ir.simplify import Ranges
from .nests import AccessOp, Frame

# Vectors load elements that lie so far apart at most: as many vectors of neighbours, of which they take some lanes.
MOST_APART = 4


def stride(op: AccessOp, number: int, frame: Frame, ranges: Ranges) -> Index | None:
    """The distance in elements along the loop index `number`; None when it is not the same for all iterations."""
    address = ranges.simplify(row_major(shape_of(op.buffer), frame.exprs(op)))
    factor = address.coefficient(Dim(number))
    return None if factor is None or number in factor.dims() else factor


def strides(ops: Iterable[Operation], number: int, frame: Frame, ranges: Ranges) -> list[Index | None]:
    """The strides of all accesses among the operations and inside them."""
    return [stride(op, number, frame, ranges) for outer in ops for op in operations(outer) if isinstance(op, AccessOp)]


def loads_in_vectors(ops: Iterable[Operation], induction: SSAValue, frame: Frame) -> bool:
    """Whether vectors along a loop, known by its index, load all that the operations do, or one element for all lanes."""
    number = frame.number(induction)
    along = strides(ops, number, frame, frame.ranges([number]))
    return all(each is not None and each.constant in range(MOST_APART + 1) for each in along)
