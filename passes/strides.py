"""How far apart in memory the elements are that an access touches in successive iterations of a loop."""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.ir import Operation

from ..ir.index import Dim, Index
from ..ir.nesting import operations
from ..ir.shapes import row_major, shape_of
from ..ir.simplify import Ranges
from .nests import AccessOp, Frame


def stride(op: AccessOp, number: int, frame: Frame, ranges: Ranges) -> Index | None:
    """The distance in elements along the loop index `number`; None when it is not the same for all iterations."""
    address = ranges.simplify(row_major(shape_of(op.buffer), frame.exprs(op)))
    factor = address.coefficient(Dim(number))
    return None if factor is None or number in factor.dims() else factor


def strides(ops: Iterable[Operation], number: int, frame: Frame, ranges: Ranges) -> list[Index | None]:
    """The strides of all accesses among the operations and inside them."""
    return [stride(op, number, frame, ranges) for outer in ops for op in operations(outer) if isinstance(op, AccessOp)]
