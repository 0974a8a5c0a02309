"""How far apart in memory the elements are that an access touches in successive iterations of a loop."""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.ir import Operation, SSAValue

from ...dialects import loop
from ...ir.index.expressions import Dim, Index
from ...ir.index.simplify import Ranges
from ...ir.nesting import operations
from ...ir.types.shapes import row_major, shape_of
from .loop_nests import AccessOp, Frame
from .producers import enclosing

# A vector takes elements that lie n apart out of n vectors of neighbours. So many of its lanes pay for each of these: rows of
# four float64, of which there are eight in a register, take 1.4 of the time by it, of four float32 0.9 (Zen 4).
LANES_FOR_EACH = 4
# Copies bring elements together that lie so far apart: vectors of 16 lanes load them so.
MOST_APART = 4


def stride(op: AccessOp, number: int, frame: Frame, ranges: Ranges) -> Index | None:
    """The distance in elements along the loop index `number`; None when it is not the same for all iterations."""
    address = ranges.simplify(row_major(shape_of(op.buffer), frame.exprs(op)))
    factor = address.coefficient(Dim(number))
    return None if factor is None or number in factor.dims() else factor


def strides(ops: Iterable[Operation], number: int, frame: Frame, ranges: Ranges) -> list[Index | None]:
    """The strides of all accesses among the operations and inside them."""
    return [stride(op, number, frame, ranges) for outer in ops for op in operations(outer) if isinstance(op, AccessOp)]


def are_apart(step: int | None, lanes: int) -> bool:
    """Whether elements lie so far apart that registers of so many lanes take them out of vectors of neighbours."""
    return step in range(2, lanes // LANES_FOR_EACH + 1)


def is_in_vectors(op: AccessOp, step: Index | None, lanes: int) -> bool:
    """Whether an access whose elements lie `step` apart happens in registers of so many lanes, and not lane by lane: to
    elements side by side, or loading such as lie a few apart."""
    apart = None if step is None else step.constant
    if apart in (1, -1):
        return True
    return isinstance(op, loop.LoadOp) and are_apart(apart, lanes) and may_load_between(op)


def may_load_between(op: loop.LoadOp) -> bool:
    """Whether a load may read what lies between its elements: not where the nest around it writes to them, which another thread
    may be doing."""
    if isinstance(op.buffer.owner, loop.AllocOp) and op.buffer.owner.space is not None:
        return True
    nest = next((each for each in enclosing(op) if isinstance(each.parent_op(), loop.BlockOp)), op)
    writes = (use.operation for use in op.buffer.uses if isinstance(use.operation, loop.StoreOp | loop.UpdateOp))
    return not any(map(nest.is_ancestor, writes))


def loads_in_vectors(ops: Iterable[Operation], induction: SSAValue, lanes: int, frame: Frame) -> bool:
    """Whether vectors along a loop, known by its index, load all that the operations do, or one element for all lanes."""
    number = frame.number(induction)
    ranges, accesses = frame.ranges([number]), [each for op in ops for each in operations(op) if isinstance(each, AccessOp)]
    steps = [(each, stride(each, number, frame, ranges)) for each in accesses]
    return all((step is not None and step == 0) or is_in_vectors(each, step, lanes) for each, step in steps)
