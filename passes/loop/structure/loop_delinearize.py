"""loop-delinearize: split a loop whose index is divided by a size into a loop over quotients and one over remainders.

    for "parallel" %i in (0, n)              for "sequential" %q in ((-3) floordiv n, ceil((n - 3) / n))
      y[i] = x[(i - 3) mod n]          ->      for "parallel" %i in (max(0, q * n + 3), min(n, q * n + n + 3))
                                                 y[i] = x[i - 3 - q * n]

1. A parallel loop is split if its index, plus a loop-invariant offset, is divided by a size or a constant for each element. It
   holds no loops except those of a sum, and no guard restricts the elements (loop-index-set-split would cut the loop there).
2. In the inner loop the quotient is the index of the outer loop, and the remainder a difference: accesses are contiguous and
   can be vectorised, while before each element took a division of some twenty cycles.
3. For a size below `least` entering the inner loop takes longer than its divisions (`analysis/cycles.py`): the original loop
   remains as an alternative. A loop is split by a small constant only if the inner loop will be unrolled: all quotients have
   equally many indices, or there are two or three quotients.
4. Divisions by other sizes, or with other offsets, are split in turn, up to `splits` times.

Rolled arrays (such as stencils on periodic grids) and tiled ones have this form.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil
from typing import NamedTuple

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from ....dialects import loop
from ....ir.index.expressions import Apply, Index, apply, ceildiv, dim, maximum, minimum
from ....ir.nesting import operations
from ....ir.rewrite import Builder, count, erase
from ....ir.types.overflow import FAR
from ...analysis.cycles import CONSTANT_QUOTIENT, DIVISION, ENTRY
from ...analysis.loop_nests import Frame, lowered_blocks
from ...analysis.reductions import statements
from ...manager.options import limited
from ..builder import Writer, over, put_under
from .loop_unroll_by_divisor import computed, quotients

# The least constant divisor for which entering a loop for each quotient pays.
LEAST_CONSTANT = ceil(ENTRY / CONSTANT_QUOTIENT)


@dataclass(frozen=True)
class LoopDelinearize(ModulePass):
    """`least` is the least run-time divisor whose loop is split, `splits` the most splits of a loop: enough for a stencil of
    five points in a row."""

    name = "loop-delinearize"

    least: int = limited(ceil(ENTRY / DIVISION))
    splits: int = limited(4, least=0)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for block in lowered_blocks(op):
            self._body(block.body.block, Frame())

    def _body(self, body: Block, frame: Frame) -> None:
        for op in list(body.ops):
            if isinstance(op, loop.ForOp):
                frame.enter(op)
                if _is_chosen(op):
                    self._loop(op, frame)
                    continue
            for region in op.regions:
                self._body(region.block, frame)

    def _loop(self, op: loop.ForOp, frame: Frame) -> None:
        divisions = list(dict.fromkeys(self._divisions(op, frame)))[: self.splits]
        enough = dict.fromkeys(each.by - self.least for each in divisions if each.by.constant is None)
        if enough:
            put_under(op, list(enough), frame)
        for division in divisions:
            op = _split(op, division, frame)
            count("remainders-split", "Number of loops split into quotients and remainders")

    def _divisions(self, op: loop.ForOp, frame: Frame) -> Iterator[Division]:
        """The divisions of a loop's index that are the same in all iterations."""
        number = frame.number(op.induction)
        made = (value for each in operations(op) for value in (*each.results, *_arguments(each)))
        inside = set(map(frame.number, made))
        for expr in _divided(op, frame):
            for atom in quotients(expr):
                added, by = atom.lhs - dim(number), atom.rhs
                pays = by.constant is None or self._unrolls(op, added, by, frame)
                if pays and inside.isdisjoint(added.dims() | by.dims()) and not _is_far(added):
                    yield Division(added, by)

    def _unrolls(self, op: loop.ForOp, added: Index, by: Index, frame: Frame) -> bool:
        """Whether splitting by a constant pays: each quotient has many indices, or a known number of indices, so that the inner
        loop is unrolled."""
        size, (lower, upper) = by.constant, frame.exprs(op)
        assert size is not None, "asked of constants"
        if size < 2 or size >= LEAST_CONSTANT:
            return size > 1
        extent = (upper - lower).constant
        is_whole = all(factor % size == 0 for bound in (lower, upper) for _, factor in (bound + added).terms)
        return is_whole or (extent is not None and extent <= 2 * size)


def _arguments(op: Operation) -> Iterator[SSAValue]:
    return (arg for region in op.regions for arg in region.block.args)


class Division(NamedTuple):
    """The division of a loop's index plus `added` by `by`. If `by` is not constant, the loop is split under the condition that
    it is at least `least`."""

    added: Index
    by: Index

    def resolve(self, expr: Index, at: Index, quotient: Index) -> Index:
        """The expression without this division, at an index with a known quotient."""

        def resolved(atom: Apply) -> Index:
            if atom.lhs == at + self.added and atom.rhs == self.by and atom.op in ("floordiv", "mod"):
                return quotient if atom.op == "floordiv" else at + self.added - quotient * self.by
            return apply(atom.op, self.resolve(atom.lhs, at, quotient), self.resolve(atom.rhs, at, quotient))

        return expr.with_applications(resolved)


def _divided(op: loop.ForOp, frame: Frame) -> Iterator[Index]:
    """The expressions with divisions that a loop computes."""
    number = frame.number(op.induction)
    ranges = frame.ranges([frame.number(each.induction) for each in operations(op) if isinstance(each, loop.ForOp)])
    indexed = [each for each in operations(op.body) if isinstance(each, loop.IndexedOp)]
    if any(number in guard.dims() for each in indexed for guard in frame.guards(each)):
        return
    for each in indexed:
        if not all(expr.is_polynomial for expr in each.index_map.results):
            yield from computed(each, frame, ranges)


def _is_far(added: Index) -> bool:
    """Whether an offset is so large that the bounds of the loops might exceed 64 bits."""
    return any(abs(factor) > FAR for _, factor in added.terms)


def _is_chosen(op: loop.ForOp) -> bool:
    """Whether a loop is over elements."""
    if op.kind.data != "parallel" or op.carried or op.step.value.data != 1:
        return False
    inside = [each for each in operations(op.body) if isinstance(each, loop.ForOp | loop.IfOp | loop.AllocOp)]
    return all(isinstance(each, loop.ForOp) and each.kind.data == "reduction" for each in inside)


def _split(op: loop.ForOp, division: Division, frame: Frame) -> loop.ForOp:
    """Split into a loop over the quotients of a division and an inner loop over the indices with each. Returns the outer
    one."""
    lower, upper = frame.exprs(op)
    added, by = division
    # The condition guarantees a positive size here, but later passes may hoist divisions by it above the condition.
    size = maximum(by, 1)
    writer, hint = Writer(frame, Builder(InsertPoint.before(op), op)), op.induction.name_hint or "i"
    with writer.loop("sequential", (lower + added) // size, ceildiv(upper + added, size), hint="quotient") as quotient:
        first = quotient * by - added
        bounds = maximum(lower, first), minimum(upper, first + by)
        with writer.carrying("parallel", *bounds, (), hint=hint) as (new, _):
            at, values = frame.index(new.induction), dict[SSAValue, SSAValue]()
            for statement in statements(op):
                for copy in operations(writer.copy(statement, values, over([op.induction], frame, [at]))):
                    if isinstance(copy, loop.IndexedOp):
                        exprs, guards = (
                            [division.resolve(expr, at, quotient) for expr in each]
                            for each in (frame.exprs(copy), frame.guards(copy))
                        )
                        frame.write(copy, exprs, guards)
    erase(op)
    return new
