"""loop-delinearize: a loop whose index is divided by a size runs over quotients, and inside of that without the division.

    for "parallel" %i in (0, n)              for "sequential" %q in ((-3) floordiv n, ceil((n - 3) / n))
      y[i] = x[(i - 3) mod n]          ->      for "parallel" %i in (max(0, q * n + 3), min(n, q * n + n + 3))
                                                 y[i] = x[i - 3 - q * n]

1. A parallel loop is chosen when its index, with something added that is the same in all iterations, is divided by a size or a
   constant, for each element: no loop but those of a sum is inside, and no guard keeps anything to some of the elements, at
   which the loop is cut.
2. Inside, the quotient is the index of the new loop, and the remainder what is left: the elements of a quotient lie side by
   side, where a processor takes some twenty cycles for a division, and no vector can be loaded.
3. A divisor of less than `least` leaves few iterations to a quotient. Where it is a size, the loop as it was stays for that.
4. What is divided by other sizes, or with something else added, is split again, up to `splits` times.

This is how arrays are rolled, as for stencils on grids without a border, and tiled.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from ....dialects import loop
from ....ir.index.expressions import Apply, Index, apply, ceildiv, dim, maximum, minimum
from ....ir.index.simplify import Ranges
from ....ir.nesting import operations
from ....ir.rewrite import Builder, count, erase
from ....ir.types.overflow import FAR
from ....ir.types.shapes import row_major, shape_of
from ...analysis.loop_nests import AccessOp, Frame, lowered_blocks
from ...analysis.reductions import statements
from ...manager.options import limited
from ..builder import Writer, over, put_under
from .loop_unroll_by_divisor import quotients


@dataclass(frozen=True)
class LoopDelinearize(ModulePass):
    """What is at least `least` is divided by so, and a loop is split at most `splits` times, as for a stencil of five points in
    a row."""

    name = "loop-delinearize"

    least: int = limited(8)
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
        """What the index of a loop is divided by, in the same way in all iterations."""
        number, anything = frame.number(op.induction), Ranges()
        made = (value for each in operations(op) for value in (*each.results, *_arguments(each)))
        inside = set(map(frame.number, made))
        for expr in _divided(op, frame):
            for atom in quotients(expr):
                added, by = atom.lhs - dim(number), atom.rhs
                is_size = by.constant >= self.least if by.constant is not None else anything.nonnegative(by)
                if is_size and inside.isdisjoint(added.dims() | by.dims()) and not _is_far(added):
                    yield Division(added, by)


def _arguments(op: Operation) -> Iterator[SSAValue]:
    return (arg for region in op.regions for arg in region.block.args)


class Division(NamedTuple):
    """The index of a loop with `added` to it is divided by `by`, which is not negative."""

    added: Index
    by: Index

    def resolve(self, expr: Index, at: Index, quotient: Index) -> Index:
        """An expression without this division, at an index for which the quotient is known."""

        def resolved(atom: Apply) -> Index:
            if atom.lhs == at + self.added and atom.rhs == self.by and atom.op in ("floordiv", "mod"):
                return quotient if atom.op == "floordiv" else at + self.added - quotient * self.by
            return apply(atom.op, self.resolve(atom.lhs, at, quotient), self.resolve(atom.rhs, at, quotient))

        return expr.with_applications(resolved)


def _divided(op: loop.ForOp, frame: Frame) -> Iterator[Index]:
    """The expressions with divisions that a loop computes: of an element's indices, where it lies. Quotients and remainders of
    loops that are one now come to the index there."""
    number = frame.number(op.induction)
    ranges = frame.ranges([frame.number(each.induction) for each in operations(op) if isinstance(each, loop.ForOp)])
    indexed = [each for each in operations(op.body) if isinstance(each, loop.IndexedOp)]
    if any(number in guard.dims() for each in indexed for guard in frame.guards(each)):
        return
    for each in indexed:
        if not all(expr.is_polynomial for expr in each.index_map.results):
            exprs = frame.exprs(each)
            yield from [ranges.simplify(row_major(shape_of(each.buffer), exprs))] if isinstance(each, AccessOp) else exprs


def _is_far(added: Index) -> bool:
    """Whether a number is so large that the bounds of the loops would be beyond 64 bits."""
    return any(abs(factor) > FAR for _, factor in added.terms)


def _is_chosen(op: loop.ForOp) -> bool:
    """Whether a loop goes from element to element."""
    if op.kind.data != "parallel" or op.carried or op.step.value.data != 1:
        return False
    inside = [each for each in operations(op.body) if isinstance(each, loop.ForOp | loop.IfOp | loop.AllocOp)]
    return all(isinstance(each, loop.ForOp) and each.kind.data == "reduction" for each in inside)


def _split(op: loop.ForOp, division: Division, frame: Frame) -> loop.ForOp:
    """Run a loop over the quotients of a division, and inside of that over the indices that have them. Returns that loop."""
    lower, upper = frame.exprs(op)
    added, by = division
    # Sizes are large enough here, but later passes may divide by them before it is asked whether they are.
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
