"""loop-collapse: two nested loops that together access memory contiguously become one loop.

    for %i in (0, n)                        for %k in (0, n * m)
      for %j in (0, m)               ->       y[k floordiv m, k mod m] = exp(x[k floordiv m, k mod m])
        y[i, j] = exp(x[i, j])

where both addresses are k. Two loops are collapsed if the outer one holds only the inner one, and both are parallel or pass on
the same carried values. For every access, the stride of the outer loop must be the extent times the stride of the inner loop.
Other uses of their indices (guards, indices as values) prevent it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from ....dialects import loop
from ....ir.index.expressions import Atom, IndexLike
from ....ir.index.simplify import Ranges
from ....ir.nesting import operations
from ....ir.rewrite import Builder, absorb, count, erase
from ...analysis.loop_nests import AccessOp, Frame, lowered_blocks
from ...analysis.reductions import statements
from ...analysis.strides import stride
from ..builder import Writer, over


@dataclass(frozen=True)
class LoopCollapse(ModulePass):
    name = "loop-collapse"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for block in lowered_blocks(op):
            _collapse_body(block.body.block, Frame())


def _collapse_body(body: Block, frame: Frame) -> None:
    """Collapse from inside out, so that three loops become two and then one."""
    for op in list(body.ops):
        if isinstance(op, loop.ForOp):
            frame.enter(op)
        for region in op.regions:
            _collapse_body(region.block, frame)
        if isinstance(op, loop.ForOp):
            inner = _only_loop(op)
            if inner is not None and _is_gapless(op, inner, frame):
                _collapse(op, inner, frame)


def _only_loop(outer: loop.ForOp) -> loop.ForOp | None:
    """The only statement of a loop, if that is a loop; None otherwise."""
    inside = statements(outer)
    inner = inside[0] if len(inside) == 1 else None
    if not isinstance(inner, loop.ForOp) or inner.kind != outer.kind or outer.kind.data not in ("parallel", "reduction"):
        return None
    if tuple(inner.carried) != outer.carried_args or outer.yielded != tuple(inner.results):
        return None
    plain = all(level.lower == 0 and level.step.value.data == 1 and not level.upper.dims() for level in (outer, inner))
    return inner if plain else None


def _is_gapless(outer: loop.ForOp, inner: loop.ForOp, frame: Frame) -> bool:
    numbers = [frame.number(level.induction) for level in (outer, inner)]
    ranges = frame.ranges(numbers)
    accesses = 0
    for op in operations(inner.body):
        if isinstance(op, AccessOp) and not op.guard_exprs:
            accesses += 1
            if not _is_one_stream(op, numbers[0], numbers[1], inner, frame, ranges):
                return False
        elif isinstance(op, loop.IndexedOp) and _mentions(op, numbers, frame):
            return False
    return accesses > 0


def _is_one_stream(op: AccessOp, i: int, j: int, inner: loop.ForOp, frame: Frame, ranges: Ranges) -> bool:
    outer_stride, inner_stride = stride(op, i, frame, ranges), stride(op, j, frame, ranges)
    if outer_stride is None or inner_stride is None:
        return False
    return outer_stride == inner_stride * inner.upper


def _mentions(op: loop.IndexedOp, numbers: list[int], frame: Frame) -> bool:
    exprs = (*frame.exprs(op), *frame.guards(op))
    return any(number in expr.dims() for expr in exprs for number in numbers)


def _collapse(outer: loop.ForOp, inner: loop.ForOp, frame: Frame) -> None:
    writer = Writer(frame, Builder(InsertPoint.before(outer), outer, inner))
    size, hint = inner.upper, inner.induction.name_hint or "k"
    kind, start = outer.kind.data, list(outer.carried)
    with writer.carrying(kind, 0, outer.upper * size, start, hint=hint) as (joined, values):
        k = frame.index(joined.induction)
        places = over([outer.induction, inner.induction], frame, [k // size, k % size])
        for arg, new in zip(inner.carried_args, joined.carried_args, strict=True):
            arg.replace_all_uses_with(new)
        values[:] = inner.yielded
        for op in statements(inner):
            op.detach()
            joined.body.block.add_op(op)
            _substitute(op, places, frame)
    for old, new in zip(outer.results, joined.results, strict=True):
        old.replace_all_uses_with(new)
    absorb(joined, inner)
    erase(outer)
    count("loops-collapsed", "Number of loops collapsed with the loop around them")


def _substitute(op: Operation, places: Mapping[Atom, IndexLike], frame: Frame) -> None:
    for inner in operations(op):
        if isinstance(inner, loop.IndexedOp):
            frame.adapt(inner, places)
