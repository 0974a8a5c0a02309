"""Strides: the distance in memory between the elements that an access touches in successive iterations of a loop."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from xdsl.ir import Operation, SSAValue

from ...dialects import loop
from ...ir.index.expressions import Dim, Index
from ...ir.index.simplify import Ranges
from ...ir.nesting import operations
from ...ir.types.shapes import row_major, shape_of
from .loop_nests import AccessOp, Frame
from .producers import enclosing

# A strided vector load extracts elements with stride n from n contiguous vectors. With fewer lanes than this from each
# contiguous vector, it costs more than loading lane by lane.
LANES_FOR_EACH = 4
# The largest stride that is loaded by shuffling contiguous vectors of 16 lanes.
MOST_APART = 4


def stride(op: AccessOp, number: int, frame: Frame, ranges: Ranges) -> Index | None:
    """The distance in elements along the loop index `number`; None if it is not the same for all iterations."""
    return stride_of(op.buffer, frame.exprs(op), number, ranges)


def stride_of(buffer: SSAValue, exprs: Sequence[Index], number: int, ranges: Ranges) -> Index | None:
    """The `stride` of an access to a buffer at the given indices."""
    address = ranges.simplify(row_major(shape_of(buffer), exprs))
    factor = address.coefficient(Dim(number))
    return None if factor is None or number in factor.dims() else factor


def strides(ops: Iterable[Operation], number: int, frame: Frame, ranges: Ranges) -> list[Index | None]:
    """The strides of all accesses among the operations and in their regions."""
    return [stride(op, number, frame, ranges) for outer in ops for op in operations(outer) if isinstance(op, AccessOp)]


def are_strided(step: int | None, lanes: int) -> bool:
    """Whether vectors of `lanes` lanes load elements of this stride by shuffling contiguous vectors."""
    return step in range(2, lanes // LANES_FOR_EACH + 1)


def is_in_vectors(op: AccessOp, step: Index | None, lanes: int) -> bool:
    """Whether an access of stride `step` uses vector registers of `lanes` lanes rather than single lanes: a contiguous access,
    or a load with a small stride."""
    apart = None if step is None else step.constant
    if apart in (1, -1):
        return True
    return isinstance(op, loop.LoadOp) and are_strided(apart, lanes) and may_load_between(op)


def may_load_between(op: loop.LoadOp) -> bool:
    """Whether a load may also read the memory between its elements: not if the enclosing nest writes that memory, possibly in
    another thread."""
    if isinstance(op.buffer.owner, loop.AllocOp) and op.buffer.owner.space is not None:
        return True
    nest = next((each for each in enclosing(op) if isinstance(each.parent_op(), loop.BlockOp)), op)
    writes = (use.operation for use in op.buffer.uses if isinstance(use.operation, loop.StoreOp | loop.UpdateOp))
    return not any(map(nest.is_ancestor, writes))


def loads_in_vectors(ops: Iterable[Operation], induction: SSAValue, lanes: int, frame: Frame) -> bool:
    """Whether vectorising along a loop, given by its index, makes all loads of the operations vector loads or broadcasts."""
    number = frame.number(induction)
    ranges, accesses = frame.ranges([number]), [each for op in ops for each in operations(op) if isinstance(each, AccessOp)]
    steps = [(each, stride(each, number, frame, ranges)) for each in accesses]
    return all((step is not None and step == 0) or is_in_vectors(each, step, lanes) for each, step in steps)
