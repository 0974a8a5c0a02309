"""loop-defer-unrolling: leave unrolling to the C compiler for loops whose iterations differ only in their addresses.

    for "unroll" %r in (0, 8) step 1       ->     for "unroll" %r in (0, 8) step 1 pragma
      t[r] += a[r, k] * b[k]

A register tile repeats a few statements some hundred times. As a loop with a pragma it stays readable, and lowering to C is
faster. Loops without `pragma` are unrolled by the lowering. The pass runs after all others that inspect unrolled loops.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, UnitAttr
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass

from ....dialects import loop
from ....dialects.cloop.statements import MOST_UNROLLED
from ....dialects.scalar_ops import IndexedOp
from ....ir.index.expressions import Apply, Dim, Index
from ....ir.index.simplify import Ranges
from ....ir.nesting import operations
from ....ir.rewrite import count
from ....ir.types.shapes import row_major, shape_of
from ...analysis.loop_nests import lowered_blocks
from ...analysis.producers import enclosing
from ..vector.loop_vectorize import WINDOW

# The statements allowed inside: C compilers unroll outer loops only if the inner ones are unrolled as well.
STATEMENTS = (
    *(loop.LoadOp, loop.StoreOp, loop.UpdateOp, loop.PrefetchOp),
    *(loop.ConstantOp, loop.ComputeOp, loop.CastOp, loop.YieldOp),
)


@dataclass(frozen=True)
class LoopDeferUnrolling(ModulePass):
    name = "loop-defer-unrolling"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for block in lowered_blocks(op):
            for each in operations(block):
                if isinstance(each, loop.ForOp) and each.kind.data == "unroll" and _may_defer(each, _in_vector(each)):
                    each.pragma = UnitAttr()
                    count("deferred", "loops that the C compiler unrolls")


def _in_vector(op: loop.ForOp) -> bool:
    """Whether a loop is inside of a vector loop."""
    return any(isinstance(each, loop.ForOp) and each.kind.data == "vector" for each in enclosing(op))


def _may_defer(op: loop.ForOp, in_vector: bool) -> bool:
    """Whether the iterations of an unrolled loop differ only in their addresses: it starts at a constant, and its index is in
    no guard, bound or result.

    Short loops inside vectors are windows, whose iterations share loads: C compilers find shared loads better in unrolled code.
    """
    lower, _ = op.index_map.results
    least = WINDOW + 1 if in_vector else 2
    if not least <= (op.trips or 0) <= MOST_UNROLLED or lower.constant is None:
        return False
        # The loop's index, and the indices of vector loops whose bounds depend on it.
    dependent = {op.induction}
    return all(inner is op or _fits(inner, dependent) for inner in operations(op))


def _fits(op: Operation, dependent: set[SSAValue]) -> bool:
    """Whether an operation may be in the loop; a branch may if its condition is the same for all iterations. `dependent` gains
    the index of a vector loop whose bounds depend on the loop's index."""
    if not isinstance(op, IndexedOp):
        return isinstance(op, STATEMENTS)
    dims = {k for k, value in enumerate(op.operands_at) if value in dependent}
    if isinstance(op, loop.ForOp):
        if dims and op.kind.data == "vector":
            dependent.add(op.induction)
        return op.kind.data == "vector" or (op.kind.data == "unroll" and not dims)
    if isinstance(op, loop.IfOp):
        return not dims
    if not isinstance(op, STATEMENTS) or any(dims & guard.dims() for guard in op.guard_exprs):
        return False
    if isinstance(op.buffer.owner, loop.AllocOp) and op.buffer.owner.in_registers:
        return all(_is_linear(expr, dims) for expr in op.index_map.results)
    # The quotients and remainders of collapsed axes cancel in the linear address.
    return _is_undivided(Ranges().simplify(row_major(shape_of(op.buffer), op.index_map.results)), dims)


def _is_linear(expr: Index, dims: set[int]) -> bool:
    """Whether an expression is affine in each of the dimensions, so that its bounds are known."""
    factors = [expr.coefficient(Dim(position)) for position in dims]
    return all(factor is not None and factor.constant is not None for factor in factors)


def _is_undivided(expr: Index, dims: set[int]) -> bool:
    """Whether no quotient or remainder contains one of the dimensions."""
    for atom in (atom for monomial, _ in expr.terms for atom in monomial if isinstance(atom, Apply)):
        if atom.op not in ("min", "max") and dims & (atom.lhs.dims() | atom.rhs.dims()):
            return False
        if not (_is_undivided(atom.lhs, dims) and _is_undivided(atom.rhs, dims)):
            return False
    return True
