"""loop-unroll-by-divisor: a loop whose index is divided by a small constant runs over quotients, with the remainders written
out.

    for "parallel" %i in (0, n)                    for "parallel" %q in (0, n floordiv 2)
      y[i] = x[i floordiv 2] * w[i mod 2]    ->      y[2 * q] = x[q] * w[0]
                                                     y[2 * q + 1] = x[q] * w[1]
                                                   for "sequential" %i in (n floordiv 2 * 2, n): as before

1. A parallel loop from 0 is chosen when expressions in it divide its index by constants, and their least common multiple is
   small: each index then is that times a quotient, and a remainder that is known.
2. What it does is written for each remainder, and divisions are simplified. Nests of such loops are split from outside in.
3. Short loops inside, whose indices are still divided then, are written out: which of their iterations reach the remainder, as
   those of windows that overlap, becomes known.
4. What is left over, less than one quotient, stays a loop.

This is how gradients of windows that are apart from each other read the windows, and how images are enlarged.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from ....dialects import loop
from ....ir.index.expressions import Apply, Dim, Index
from ....ir.nesting import operations
from ....ir.rewrite import Builder, count, erase
from ...analysis.loop_nests import Frame, lowered_blocks
from ...analysis.reductions import statements
from ...manager.options import limited
from ..builder import Writer, over
from .written_out import short_trips, simplify_all, write_out


@dataclass(frozen=True)
class LoopUnrollByDivisor(ModulePass):
    """At most `copies` remainders are written out, and at most `statements` operations in all copies of a loop: limits on the
    length of the code, which strides of pools and enlargements by 2 to 4 stay below. They are chosen, not measured."""

    name = "loop-unroll-by-divisor"

    copies: int = limited(4, least=0)
    statements: int = limited(400, least=0)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for block in lowered_blocks(op):
            frame = Frame()
            for new in list(self._body(block.body.block, frame, ())):
                _write_out(new, frame)

    def _body(self, body: Block, frame: Frame, around: Sequence[int]) -> Iterator[loop.ForOp]:
        """Split the loops of a body. Gives those that run over quotients, inner ones first."""
        for op in list(body.ops):
            inside, new = around, None
            if isinstance(op, loop.ForOp):
                frame.enter(op)
                divisor = self._divisor(op, frame)
                if divisor > 1:
                    op = new = _split(op, divisor, frame, around)
                inside = (*around, frame.number(op.induction))
            for region in op.regions:
                yield from self._body(region.block, frame, inside)
            if new is not None:
                yield new

    def _divisor(self, op: loop.ForOp, frame: Frame) -> int:
        """What the indices of a loop are grouped by, 1 where it is left alone."""
        if op.kind.data != "parallel" or op.carried or op.step.value.data != 1 or frame.exprs(op)[0] != 0:
            return 1
        inner = operations(op.body)
        if any(isinstance(each, loop.IfOp | loop.AllocOp) or _is_scheduled(each) for each in inner):
            return 1
        divisor = math.lcm(*_divisors(inner, frame.number(op.induction), frame))
        return divisor if divisor <= self.copies and divisor * _length(op) <= self.statements else 1


def _length(op: loop.ForOp) -> int:
    """How many operations the body of a loop has once the short loops in it are written out."""
    return sum(1 if not isinstance(each, loop.ForOp) else _length(each) * _copies(each) for each in statements(op))


def _copies(op: loop.ForOp) -> int:
    """How many copies of a loop's body are written, 1 where it stays a loop."""
    trips = short_trips(op)
    return 1 if trips is None else trips


def _is_scheduled(op: Operation) -> bool:
    return isinstance(op, loop.ForOp) and op.kind.data in ("vector", "unroll")


def _divisors(ops: Sequence[Operation], number: int, frame: Frame) -> Iterator[int]:
    """For each division of an index by a constant the number of iterations after which it has no remainder again."""
    for op in ops:
        if isinstance(op, loop.IndexedOp):
            for expr in (*frame.exprs(op), *frame.guards(op)):
                for atom in quotients(expr):
                    step, by = atom.lhs.coefficient(Dim(number)), atom.rhs.constant
                    if by and step is not None and step.constant:
                        yield abs(by) // math.gcd(by, step.constant)


def quotients(expr: Index) -> Iterator[Apply]:
    """The quotients and remainders in an expression."""
    for monomial, _ in expr.terms:
        for atom in monomial:
            if isinstance(atom, Apply):
                if atom.op in ("floordiv", "mod"):
                    yield atom
                yield from quotients(atom.lhs)
                yield from quotients(atom.rhs)


def _split(op: loop.ForOp, divisor: int, frame: Frame, around: Sequence[int]) -> loop.ForOp:
    """Run a loop over quotients by `divisor`. Returns the new loop."""
    upper = frame.exprs(op)[1]
    hint, whole = op.induction.name_hint or "i", upper // divisor
    writer = Writer(frame, Builder(InsertPoint.before(op), op))
    with writer.carrying("parallel", 0, whole, (), hint=hint) as (new, _):
        quotient = frame.number(new.induction)
        for remainder in range(divisor):
            place = over([op.induction], frame, [frame.index(new.induction) * divisor + remainder])
            values: dict[SSAValue, SSAValue] = {}
            for statement in statements(op):
                simplify_all(writer.copy(statement, values, place), frame, (*around, quotient))
    count("quotients-split", "Number of loops that run over quotients")
    rest = whole * divisor
    if upper - rest == 0:
        erase(op)
        return new
    frame.write(op, (rest, upper))
    # What is left over of single elements is too short for vectors.
    if not any(each.regions for each in statements(op)):
        op.properties["kind"] = StringAttr("sequential")
    return new


def _write_out(op: loop.ForOp, frame: Frame) -> None:
    """Write out the short loops in a loop whose indices are divided."""
    for level in operations(op.body):
        if isinstance(level, loop.ForOp) and level.parent is not None and _copies(level) > 1 and _is_divided(level, frame):
            write_out(level, frame)


def _is_divided(op: loop.ForOp, frame: Frame) -> bool:
    """Whether the index of a loop is divided in it by a constant."""
    return any(divisor > 1 for divisor in _divisors(operations(op.body), frame.number(op.induction), frame))
