"""How much work a nest of loops is: what decides whether threads are worth starting."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.ir import Block, SSAValue

from ..dialects import loop
from ..ir.index import Index, ceildiv, index
from ..ir.simplify import Ranges


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
