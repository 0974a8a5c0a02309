"""Vectorisation of searches over contiguous memory for the first greatest or least element (argmax, argmin).

    %v, %p = for "reduction" %j in (0, m) carry(%0, %1)           registers v[4][16], p[4][16] = %0, far before
      better = x[i, j] > v, or x[i, j] is NaN and v is not        for "reduction" %j in (0, m floordiv 64 * 64) step 64:
      v, p = better ? (x[i, j], j) : (v, p)                 ->      as before, in each lane
                                                                for "reduction" %j in ... step 16: with one vector of lanes
                                                                  the last 16 elements, if some of them are left
                                                                  v' = the greatest of all lanes
                                                                  p' = the least position of the lanes whose v is v'

1. Each lane keeps its best element and the iteration that found it first, as an integer of the element's width, at least 32
   bits. Longer rows are searched part by part. A lane that has found no better element keeps an iteration far below 0, which
   stands for the position found before the part.
2. The last vector may overlap the vector before it: an element that was searched already is no better than the best one so far,
   and has the same position. Only rows shorter than a vector are searched by single elements.
3. Nothing else may use the best element: among zeros of different signs the lanes may keep either.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial, reduce

from xdsl.dialects.builtin import i32, i64
from xdsl.ir import SSAValue
from xdsl.rewriter import InsertPoint

from ....dialects import loop
from ....ir.index.expressions import Index, index, minimum
from ....ir.rewrite import Builder, count
from ....ir.scalars.attributes import neutral, number
from ....ir.types.dtypes import dtype_of
from ...analysis.folds import extremum
from ...analysis.loop_nests import Frame
from ...analysis.reductions import statements
from ..builder import Writer, over
from .reductions import whole

# The number of vectors that are interleaved, since each lane waits for its previous comparison.
REGISTERS = 4
# The most elements that are searched with positions of 32 bits.
LONGEST = 1 << 30
_STATEMENTS = (loop.ConstantOp, loop.ComputeOp, loop.CastOp, loop.LoadOp, loop.IndexOp)


def search_of(op: loop.ForOp, frame: Frame) -> str | None:
    """`max` or `min` for a loop that only searches for the first greatest or least element; None otherwise."""
    if op.kind.data != "reduction" or len(op.carried) != 2 or list(op.results[0].uses):
        return None
    if not all(isinstance(each, _STATEMENTS) for each in statements(op)):
        return None
    found, (best, place), pick = extremum(op, 0), op.carried_args, op.yielded[1].owner
    if found is None:
        return None
    at = pick.operands[1].owner if isinstance(pick, loop.ComputeOp) else None
    if not isinstance(at, loop.IndexOp) or frame.exprs(at) != (frame.index(op.induction),):
        return None
    # The new element must not depend on the best element so far, and the search must not use casts of the best element.
    is_free = all(isinstance(use.operation, loop.ComputeOp) for use in best.uses) and len(list(place.uses)) == 1
    return ("max" if found.order == "gt" else "min") if is_free and len(list(best.uses)) == found.uses else None


class VectorSearch:
    """Writes the vectors of one search before its loop, which remains for the remainder."""

    def __init__(self, op: loop.ForOp, frame: Frame, lanes: int, function: str):
        self.op = op
        self.frame = frame
        self.lanes = lanes
        self.function = function
        # Masks of elements and of positions then have the same lanes.
        self.position_type = i64 if dtype_of(op.carried[0].type).itemsize == 8 else i32
        self.writer = Writer(frame, Builder(InsertPoint.before(op), op))

    def run(self) -> None:
        op, (lower, upper) = self.op, self.frame.exprs(self.op)
        end = lower + (upper - lower) * minimum((upper - lower) // self.lanes, 1)
        with self.writer.carrying("reduction", lower, end, op.carried, step=LONGEST, hint="part") as (part, carried):
            first = self.frame.index(part.induction)
            carried[:] = self._search(first, minimum(first + LONGEST, end), *carried)
        self.frame.write(op, (end, upper))
        for k, value in enumerate(part.results, start=len(op.operands_at)):
            op.operands[k] = value
        count("loops-vectorized", "Number of loops split into vectors")

    def _search(self, first: Index, last: Index, best: SSAValue, place: SSAValue) -> tuple[SSAValue, SSAValue]:
        """The best element and its position, given the best one before `first`. Positions are relative to
        `first`: those of the last vector may be a little below 0, and those far below stand for the position given."""
        writer, step = self.writer, self.lanes * REGISTERS
        found = [
            writer.allocate((REGISTERS, self.lanes), each, "register", "found") for each in (best.type, self.position_type)
        ]
        before = writer.constant(number(-LONGEST - step, self.position_type))
        with self._elements() as at:
            writer.store(best, found[0], at)
            writer.store(before, found[1], at)
        main, vectors = (first + whole(last - first, size) for size in (step, self.lanes))
        self._steps(found, first, main, step, first)
        self._steps(found, main, vectors, self.lanes, first)
        self._steps(found, last - self.lanes, last - self.lanes + minimum(last - vectors, 1), self.lanes, first)
        new = self._fold(self.function, best, lambda at: writer.load(found[0], at))
        nowhere = writer.constant(neutral("min", self.position_type))
        distance = self._fold("min", nowhere, lambda at: self._position(found, new, nowhere, at))
        is_before = writer.compute("lt", distance, writer.constant(number(-self.lanes, self.position_type)))
        (local,), operands = self.frame.local((first,))
        position = writer.compute("add", writer.builder.add(loop.IndexOp(local, operands)).result, writer.cast(distance, i64))
        return new, writer.compute("select", is_before, place, position)

    def _steps(self, found: Sequence[SSAValue], lower: Index, upper: Index, step: int, first: Index) -> None:
        """Search between bounds, in steps of one or several vectors, which keep positions relative to `first`."""
        hint = self.op.induction.name_hint or "k"
        with self.writer.loop("reduction", lower, upper, step=step, hint=hint) as start:
            here = self._integer(start - first)
            with self._elements(step // self.lanes) as (u, lane):
                self._step(found, start + u * self.lanes + lane, here, (u, lane))

    def _integer(self, expr: Index) -> SSAValue:
        (local,), at = self.frame.local((expr,))
        return self.writer.cast(self.writer.builder.add(loop.IndexOp(local, at)).result, self.position_type)

    def _step(self, found: Sequence[SSAValue], position: Index, here: SSAValue, at: tuple[Index, Index]) -> None:
        """One iteration of the loop for a lane. A better element is kept with the position `here`."""
        held = [self.writer.load(each, at) for each in found]
        values = dict(zip(self.op.carried_args, held, strict=True))
        element, pick = (each.owner for each in self.op.yielded)
        assert isinstance(element, loop.ComputeOp) and isinstance(pick, loop.ComputeOp), "a search chooses elements"
        (better, new, _), (_, place, _) = element.inputs, pick.inputs
        skipped = (element, pick, place.owner if len(list(place.uses)) == 1 else None)
        for statement in statements(self.op):
            if statement not in skipped:
                self.writer.copy(statement, values, over([self.op.induction], self.frame, [position]))
        for registers, value, before in zip(found, (values.get(new, new), here), held, strict=True):
            self.writer.store(self.writer.compute("select", values[better], value, before), registers, at)

    def _fold(self, function: str, start: SSAValue, value: Callable[[tuple[Index, Index]], SSAValue]) -> SSAValue:
        """Fold all lanes."""
        with self.writer.carrying("vector", 0, self.lanes, [start], hint="lane") as (fold, carried):
            lane = self.frame.index(fold.induction)
            of_lane = [value((index(u), lane)) for u in range(REGISTERS)]
            carried[0] = self.writer.compute(function, carried[0], reduce(partial(self.writer.compute, function), of_lane))
        return fold.results[0]

    def _position(self, found: Sequence[SSAValue], best: SSAValue, nowhere: SSAValue, at: tuple[Index, Index]) -> SSAValue:
        """The position of a lane's best element, if the element equals the best of all lanes."""
        compute, (value, place) = self.writer.compute, [self.writer.load(each, at) for each in found]
        is_best = compute("eq", value, best)
        if dtype_of(best.type).is_float:
            is_best = compute("or", is_best, compute("and", compute("isnan", value), compute("isnan", best)))
        return compute("select", is_best, compute("add", place, self._integer(at[0] * self.lanes + at[1])), nowhere)

    @contextmanager
    def _elements(self, registers: int = REGISTERS) -> Iterator[tuple[Index, Index]]:
        """Loops over the registers: the index of the register and of the lane."""
        with (
            self.writer.loop("unroll", 0, registers, hint="u") as u,
            self.writer.loop("vector", 0, self.lanes, hint="lane") as lane,
        ):
            yield u, lane
