"""Which unrolled loops the C compiler writes out, rather than the lowering.

A tile of a product is a hundred times the same few statements. Written once, in a loop that the C compiler is asked to unroll,
they take a tenth of the lowering's time, and can be read.
"""

from __future__ import annotations

from xdsl.ir import Operation, SSAValue

from ..dialects import loop
from ..dialects.scalar_ops import IndexedOp
from ..ir.index import Apply, Index

# What may be in such a loop: C compilers unroll loops around others only where those are unrolled as well.
STATEMENTS = (
    *(loop.LoadOp, loop.StoreOp, loop.UpdateOp, loop.PrefetchOp),
    *(loop.ConstantOp, loop.ComputeOp, loop.CastOp, loop.YieldOp),
)
# Two copies are as short as a loop.
LEAST = 3


def stays_rolled(op: loop.ForOp) -> bool:
    """Whether an unrolled loop can be one in C: it starts at a constant, and its index is in addresses alone.

    A copy that knew its index might need no guard, or find its lanes side by side, where the loop can't.
    """
    lower, _ = op.index_map.results
    if (op.trips or 0) < LEAST or lower.constant is None:
        return False
    return all(inner is op or _fits(inner, op.induction) for inner in op.walk())


def _fits(op: Operation, induction: SSAValue) -> bool:
    if isinstance(op, loop.ForOp):
        if op.kind.data not in ("unroll", "vector"):
            return False
    elif not isinstance(op, STATEMENTS):
        return False
    return not isinstance(op, IndexedOp) or _is_address(op, induction)


def _is_address(op: IndexedOp, induction: SSAValue) -> bool:
    """Whether the index is in no guard, quotient or remainder of an operation."""
    dims = {k for k, value in enumerate(op.operands_at) if value is induction}
    if any(dims & guard.dims() for guard in op.guard_exprs):
        return False
    return not any(_divides(expr, dims) for expr in op.index_map.results)


def _divides(expr: Index, dims: set[int]) -> bool:
    """Whether one of the dimensions is in a quotient or remainder."""
    for atom in {atom for monomial, _ in expr.terms for atom in monomial if isinstance(atom, Apply)}:
        inside = (atom.lhs, atom.rhs)
        if any(_divides(each, dims) for each in inside):
            return True
        if atom.op not in ("min", "max") and any(dims & each.dims() for each in inside):
            return True
    return False
