"""Which unrolled loops the C compiler writes out, rather than the lowering.

A tile of a product is a hundred times the same few statements. Written once, in a loop that the C compiler is asked to unroll,
they can be read, and lowering a product to C takes less than two thirds of the time. Pairs stay loops as well: only of a few
statements they would be as short written out.
"""

from __future__ import annotations

from xdsl.ir import Operation, SSAValue

from ...dialects import loop
from ...dialects.cloop.statements import MOST_UNROLLED
from ...dialects.scalar_ops import IndexedOp
from ...ir.index.expressions import Apply, Dim, Index
from ...ir.index.simplify import Ranges
from ...ir.nesting import operations
from ...ir.types.shapes import row_major, shape_of
from ...passes.loop.vector.loop_vectorize import WINDOW

# What may be in such a loop: C compilers unroll loops around others only where those are unrolled as well.
STATEMENTS = (
    *(loop.LoadOp, loop.StoreOp, loop.UpdateOp, loop.PrefetchOp),
    *(loop.ConstantOp, loop.ComputeOp, loop.CastOp, loop.YieldOp),
)


def stays_rolled(op: loop.ForOp, in_vector: bool) -> bool:
    """Whether an unrolled loop can be one in C: it starts at a constant, and its index is in addresses alone.

    A copy that knew its index might need no guard, or find its lanes side by side, where the loop can't. Short loops inside of
    vectors are windows, which share loads; where they are written out, C compilers find that sooner.
    """
    lower, _ = op.index_map.results
    least = WINDOW + 1 if in_vector else 2
    if not least <= (op.trips or 0) <= MOST_UNROLLED or lower.constant is None:
        return False
    # The index, and those of vectors that begin where it says.
    told = {op.induction}
    return all(inner is op or _fits(inner, told) for inner in operations(op))


def _fits(op: Operation, told: set[SSAValue]) -> bool:
    """Whether an operation can be in the loop, as can a branch that all copies take alike; `told` gains the index of a vector
    loop with bounds that depend on it."""
    if not isinstance(op, IndexedOp):
        return isinstance(op, STATEMENTS)
    dims = {k for k, value in enumerate(op.operands_at) if value in told}
    if isinstance(op, loop.ForOp):
        if dims and op.kind.data == "vector":
            told.add(op.induction)
        return op.kind.data == "vector" or (op.kind.data == "unroll" and not dims)
    if isinstance(op, loop.IfOp):
        return not dims
    if not isinstance(op, STATEMENTS) or any(dims & guard.dims() for guard in op.guard_exprs):
        return False
    if isinstance(op.buffer.owner, loop.AllocOp) and op.buffer.owner.in_registers:
        return all(_is_linear(expr, dims) for expr in op.index_map.results)
    # Where axes were collapsed, quotient and remainder make one address again.
    return _is_undivided(Ranges().simplify(row_major(shape_of(op.buffer), op.index_map.results)), dims)


def _is_linear(expr: Index, dims: set[int]) -> bool:
    """Whether an expression grows by a constant with each of the dimensions, so that its least and greatest value are known."""
    factors = [expr.coefficient(Dim(position)) for position in dims]
    return all(factor is not None and factor.constant is not None for factor in factors)


def _is_undivided(expr: Index, dims: set[int]) -> bool:
    """Whether none of the dimensions is in a quotient or remainder."""
    for atom in (atom for monomial, _ in expr.terms for atom in monomial if isinstance(atom, Apply)):
        if atom.op not in ("min", "max") and dims & (atom.lhs.dims() | atom.rhs.dims()):
            return False
        if not (_is_undivided(atom.lhs, dims) and _is_undivided(atom.rhs, dims)):
            return False
    return True
