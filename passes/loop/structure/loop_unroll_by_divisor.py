"""loop-unroll-by-divisor: strip-mine a loop whose index is divided by a small constant, and fully unroll the remainders.

    for "parallel" %i in (0, n)                    for "parallel" %q in (0, n floordiv 2)
      y[i] = x[i floordiv 2] * w[i mod 2]    ->      y[2 * q] = x[q] * w[0]
                                                     y[2 * q + 1] = x[q] * w[1]
                                                   for "sequential" %i in (n floordiv 2 * 2, n): as before

1. A parallel loop from 0 is split if expressions in it divide its index by constants with a small least common multiple: each
   index is the multiple times a quotient, plus a known remainder.
2. Write its body for each remainder, and simplify divisions. Nests of such loops are split from outside in.
3. Fully unroll short inner loops whose indices are still divided, as in overlapping windows: then each iteration's remainder is
   known.
4. A loop that computes with loads at divided indices is distributed before: one loop copies these to a part of a row, and is
   split; the other one reads the copy, and has vectors. Copies of its statements for each remainder would store apart.
5. The iterations after the last full quotient remain a loop.
6. Loops that loop-interchange will move inside of a reduction are not unrolled.

Gradients of strided windows and enlargements of images have this form.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.ir import Block, BlockArgument, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from ....dialects import loop
from ....ir.index.expressions import Apply, Dim, Index, ceildiv, minimum
from ....ir.index.simplify import Ranges
from ....ir.nesting import operations
from ....ir.rewrite import Builder, count, erase
from ....ir.types.shapes import row_major, shape_of
from ...analysis.cost import Level, gains_inside
from ...analysis.loop_nests import Access, AccessOp, Frame, lowered_blocks
from ...analysis.reductions import statements
from ...analysis.strides import strides
from ...manager.options import limited
from ..builder import Writer, over
from .full_unroll import short_trips, simplify_all, unroll_fully

# The elements of a row that are copied before they are computed with: they stay in the first cache.
PART = 1024


@dataclass(frozen=True)
class LoopUnrollByDivisor(ModulePass):
    """At most `copies` remainders are unrolled, and at most `statements` operations in all copies of a loop. Strides of pools
    and enlargements by 2 to 4 stay below these limits on code size."""

    name = "loop-unroll-by-divisor"

    copies: int = limited(4, least=0)
    statements: int = limited(400, least=0)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for block in lowered_blocks(op):
            frame = Frame()
            for new in list(self._body(block.body.block, frame, ())):
                _write_out(new, frame)

    def _body(self, body: Block, frame: Frame, around: Sequence[int]) -> Iterator[loop.ForOp]:
        """Split the loops of a body. Yields the loops over quotients, inner ones first."""
        for op in list(body.ops):
            inside, new = around, None
            if isinstance(op, loop.ForOp):
                frame.enter(op)
                divisor = self._divisor(op, frame)
                if divisor > 1:
                    op = _distributed(op, frame)
                    op = new = _split(op, divisor, frame, around)
                inside = (*around, frame.number(op.induction))
            for region in op.regions:
                yield from self._body(region.block, frame, inside)
            if new is not None:
                yield new

    def _divisor(self, op: loop.ForOp, frame: Frame) -> int:
        """The number of remainders to unroll, 1 if the loop is not split."""
        if op.kind.data != "parallel" or op.carried or op.step.value.data != 1 or frame.exprs(op)[0] != 0:
            return 1
        inner = operations(op.body)
        if any(isinstance(each, loop.IfOp | loop.AllocOp) or _is_scheduled(each) for each in inner):
            return 1
        if any(_moves_inside(op, each, frame) for each in inner if isinstance(each, loop.ForOp) and each.carried):
            return 1
        divisor = math.lcm(*_divisors(inner, frame.number(op.induction), frame))
        return divisor if divisor <= self.copies and divisor * _length(op) <= self.statements else 1


def _distributed(op: loop.ForOp, frame: Frame) -> loop.ForOp:
    """Distribute a loop that computes with what it reads at divided indices: one loop copies that to a part of a row, and one
    computes, in vectors. Returns the loop to split: the first of them, or the loop itself if it is not distributed."""
    reads = _divided_reads(op, frame)
    if not reads:
        return op
    upper, hint = frame.exprs(op)[1], op.induction.name_hint or "i"
    writer = Writer(frame, Builder(InsertPoint.before(op), op))
    with writer.loop("parallel", 0, ceildiv(upper, PART), hint="part") as part:
        size = minimum(PART, upper - part * PART)
        rows = {read: writer.allocate((minimum(PART, upper),), read.result.type, "thread", "row") for read in reads}
        with writer.carrying("parallel", 0, size, (), hint=hint) as (copies, _):
            at = frame.index(copies.induction)
            for read, row in rows.items():
                values: dict[SSAValue, SSAValue] = {}
                writer.copy(read, values, over([op.induction], frame, [part * PART + at]))
                writer.store(values[read.result], row, [at])
        with writer.loop("parallel", 0, size, hint=hint) as at:
            values = {}
            for statement in statements(op):
                if isinstance(statement, loop.LoadOp) and statement in rows:
                    values[statement.result] = writer.load(rows[statement], [at])
                else:
                    writer.copy(statement, values, over([op.induction], frame, [part * PART + at]))
    erase(op)
    count("loops-distributed", "Number of loops split into one that copies and one that computes")
    return copies


def _divided_reads(op: loop.ForOp, frame: Frame) -> list[loop.LoadOp]:
    """The loads at divided indices of an innermost loop that computes with them and stores contiguously; none if anything else
    is divided."""
    inside, number = statements(op), frame.number(op.induction)
    stores = [each for each in inside if isinstance(each, loop.StoreOp)]
    steps = strides(stores, number, frame, frame.ranges([number]))
    if any(each.regions for each in inside) or not all(each is not None and each == 1 for each in steps):
        return []
    divided = [each for each in inside if any(divisor > 1 for divisor in _divisors([each], number, frame))]
    written = {store.buffer for store in stores}
    computes = any(isinstance(each, loop.ComputeOp) for each in inside)
    reads = [each for each in divided if isinstance(each, loop.LoadOp) and each.buffer not in written]
    is_known = all(isinstance(value, BlockArgument) for read in reads for value in read.at)
    return reads if computes and is_known and len(reads) == len(divided) else []


def _moves_inside(op: loop.ForOp, carrying: loop.ForOp, frame: Frame) -> bool:
    """Whether a loop moves fewer cache lines inside of a reduction: loop-interchange moves it there unless it is split."""
    if short_trips(carrying) is not None:
        return False
    frame.enter(carrying)
    accesses = [Access.of(each, frame) for each in operations(carrying.body) if isinstance(each, AccessOp)]
    return gains_inside(accesses, Level.of(op, frame), [Level.of(carrying, frame)], frame)


def _length(op: loop.ForOp) -> int:
    """The number of operations in the body of a loop once its short loops are unrolled."""
    return sum(1 if not isinstance(each, loop.ForOp) else _length(each) * _copies(each) for each in statements(op))


def _copies(op: loop.ForOp) -> int:
    """The number of copies of a loop's body once unrolled, 1 if it stays a loop."""
    trips = short_trips(op)
    return 1 if trips is None else trips


def _is_scheduled(op: Operation) -> bool:
    return isinstance(op, loop.ForOp) and op.kind.data in ("vector", "unroll")


def _divisors(ops: Sequence[Operation], number: int, frame: Frame) -> Iterator[int]:
    """For each division of an index by a constant, the period of its remainder in iterations."""
    levels = [each for each in ops if isinstance(each, loop.ForOp)]
    for level in levels:
        frame.enter(level)
    ranges = frame.ranges([number, *(frame.number(level.induction) for level in levels)])
    for op in ops:
        if isinstance(op, loop.IndexedOp):
            for expr in (*computed(op, frame, ranges), *frame.guards(op)):
                for atom in quotients(expr):
                    step, by = atom.lhs.coefficient(Dim(number)), atom.rhs.constant
                    if by and step is not None and step.constant:
                        yield abs(by) // math.gcd(by, step.constant)


def computed(op: loop.IndexedOp, frame: Frame, ranges: Ranges) -> Sequence[Index]:
    """The expressions with divisions that an operation computes. An access computes its linear address, in which the quotients
    and remainders of collapsed loops cancel."""
    exprs = frame.exprs(op)
    if not isinstance(op, AccessOp) or all(expr.is_polynomial for expr in exprs):
        return exprs
    return (ranges.simplify(row_major(shape_of(op.buffer), exprs)),)


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
    """Split into a loop over quotients by `divisor`. Returns that loop."""
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
    count("quotients-split", "Number of loops split into quotients and remainders")
    rest = whole * divisor
    if upper - rest == 0:
        erase(op)
        return new
    frame.write(op, (rest, upper))
    # A remainder loop of single elements is too short for vectors.
    if not any(each.regions for each in statements(op)):
        op.properties["kind"] = StringAttr("sequential")
    return new


def _write_out(op: loop.ForOp, frame: Frame) -> None:
    """Fully unroll the short inner loops whose indices are divided."""
    for level in operations(op.body):
        if isinstance(level, loop.ForOp) and level.parent is not None and _copies(level) > 1 and _is_divided(level, frame):
            unroll_fully(level, frame)


def _is_divided(op: loop.ForOp, frame: Frame) -> bool:
    """Whether the index of a loop is divided by a constant in it."""
    return any(divisor > 1 for divisor in _divisors(operations(op.body), frame.number(op.induction), frame))
