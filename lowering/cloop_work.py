"""How much work a nest of loops is, and which of its loops threads share: what decides whether and how threads start."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.ir import Block, SSAValue

from ..dialects import loop
from ..ir.index import Index, ceildiv, index
from ..ir.simplify import Ranges
from ..passes.reductions import statements

# A loop that runs as often keeps the threads of any machine busy by itself.
ENOUGH = 256


def trips_of(extent: Index, op: loop.ForOp) -> Index:
    """How often a loop over `extent` runs."""
    return ceildiv(extent, op.step.value.data)


def steps_of(op: loop.ForOp) -> Index:
    """The innermost steps of one iteration, as an expression over parameters: at most, where an index decides."""
    return _steps(op, {})


def _steps(op: loop.ForOp, bounds: dict[SSAValue, tuple[Index | None, Index | None]]) -> Index:
    total = index(0)
    for inner in _loops_in(op.body.block):
        ranges = Ranges({k: bounds[value] for k, value in enumerate(inner.operands_at) if value in bounds})
        bounds[inner.induction] = (ranges.bound(inner.lower, upper=False), ranges.bound(inner.upper - 1, upper=True))
        extent = inner.upper - inner.lower
        most = ranges.bound(extent, upper=True) if extent.dims() else extent
        trips = trips_of(most, inner) if most is not None and not most.dims() else index(1)
        total = total + trips * _steps(inner, bounds)
    return total if total != 0 else index(1)


def _loops_in(block: Block) -> Iterator[loop.ForOp]:
    """The loops that stand in a block and in the branches in it."""
    for op in block.ops:
        if isinstance(op, loop.ForOp):
            yield op
        elif isinstance(op, loop.IfOp):
            for branch in op.branches:
                yield from _loops_in(branch)


def shared_loops(op: loop.ForOp) -> int:
    """How many parallel loops, each all that the one around it holds, threads share, so that few rows of many blocks keep them
    busy. The innermost of them holds loops itself: that it is counted through costs a loop over memory its speed."""
    around, trips = [op.induction], op.trips
    while trips is None or trips < ENOUGH:
        inside = statements(op)
        inner = inside[0] if len(inside) == 1 else None
        if not isinstance(inner, loop.ForOp) or inner.kind.data != "parallel" or inner.carried:
            break
        if any(each in around for each in inner.operands_at):
            break
        if all(each.kind.data == "vector" for each in _loops_in(inner.body.block)):
            break
        op, trips = inner, None if trips is None or inner.trips is None else trips * inner.trips
        around.append(op.induction)
    return len(around)
