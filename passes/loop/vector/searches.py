"""Vectorisation of searches over contiguous memory for the first greatest or least element (argmax, argmin).

    %v, %p = for "reduction" %j in (0, m) carry(%0, %1)           registers v[2][16], p[2][16] = %0, %1
      better = x[i, j] > v, or x[i, j] is NaN and v is not        for "reduction" %j in (0, m floordiv 32 * 32) step 32:
      v, p = better ? (x[i, j], j) : (v, p)                 ->      as before, in each lane
                                                                  v' = the greatest of all lanes
                                                                  p' = the least p of the lanes whose v is v'
                                                                  for the remainder: as before, from v' and p' on

1. Each lane keeps its best element and its first position. A lane that finds nothing better keeps the initial position.
2. The element itself has no other use: among zeros of different signs the lanes may keep either.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial, reduce
from types import MappingProxyType

from xdsl.dialects.builtin import i64
from xdsl.ir import SSAValue
from xdsl.rewriter import InsertPoint

from ....dialects import loop
from ....ir.index.expressions import Index, index
from ....ir.rewrite import Builder, count
from ....ir.scalars.attributes import neutral
from ....ir.types.dtypes import dtype_of
from ...analysis.loop_nests import Frame
from ...analysis.reductions import statements
from ..builder import Writer, over
from .reductions import whole

# The condition for an element to replace the best one, and the function that folds the lanes. The first NaN beats all others.
SEARCHES = MappingProxyType(
    {
        "or(gt(new, best), and(isnan(new), not(isnan(best))))": "max",
        "or(lt(new, best), and(isnan(new), not(isnan(best))))": "min",
        "gt(new, best)": "max",
        "lt(new, best)": "min",
    }
)
# Each lane waits for its previous comparison: interleave two vectors.
REGISTERS = 2
_STATEMENTS = (loop.ConstantOp, loop.ComputeOp, loop.CastOp, loop.LoadOp, loop.IndexOp)


def search_of(op: loop.ForOp, frame: Frame) -> str | None:
    """`max` or `min` for a loop that only searches for the first greatest or least element; None otherwise."""
    if op.kind.data != "reduction" or len(op.carried) != 2 or list(op.results[0].uses):
        return None
    if not all(isinstance(each, _STATEMENTS) for each in statements(op)):
        return None
    (best, place), choices = op.carried_args, [each.owner for each in op.yielded]
    if not all(isinstance(each, loop.ComputeOp) and each.function.data == "select" for each in choices):
        return None
    (better, new, kept), (also, at, before) = (tuple(each.inputs) for each in choices if isinstance(each, loop.ComputeOp))
    if (kept, before, also) != (best, place, better) or place.type != i64 or len(list(place.uses)) != 1:
        return None
    if not isinstance(at.owner, loop.IndexOp) or frame.exprs(at.owner) != (frame.index(op.induction),):
        return None
    described = _spelled(better, {new: "new", best: "best"})
    # The new element must not depend on the best one so far.
    is_free = len(list(best.uses)) == described.count("best") + 1
    return SEARCHES.get(described) if is_free else None


def _spelled(value: SSAValue, names: Mapping[SSAValue, str]) -> str:
    if value in names:
        return names[value]
    op = value.owner
    if not isinstance(op, loop.ComputeOp):
        return "?"
    return f"{op.function.data}({', '.join(_spelled(each, names) for each in op.inputs)})"


class VectorSearch:
    """Writes the vectors of one search before its loop, which remains for the remainder."""

    def __init__(self, op: loop.ForOp, frame: Frame, lanes: int, function: str):
        self.op = op
        self.frame = frame
        self.lanes = lanes
        self.function = function
        self.writer = Writer(frame, Builder(InsertPoint.before(op), op))

    def run(self) -> None:
        op, (lower, upper) = self.op, self.frame.exprs(self.op)
        main = lower + whole(upper - lower, self.lanes * REGISTERS)
        if main - lower == 0:
            return
        found = [self._registers(start) for start in op.carried]
        step, hint = self.lanes * REGISTERS, op.induction.name_hint or "k"
        with self.writer.loop("reduction", lower, main, step=step, hint=hint) as start, self._elements() as (u, lane):
            self._step(found, start + u * self.lanes + lane, (u, lane))
        best = self._fold(self.function, op.carried[0], lambda at: self.writer.load(found[0], at))
        nowhere = self.writer.constant(neutral("min", i64))
        place = self._fold("min", nowhere, lambda at: self._position(found, best, nowhere, at))
        self.frame.write(op, (main, upper))
        for k, value in enumerate((best, place), start=len(op.operands_at)):
            op.operands[k] = value
        count("loops-vectorized", "Number of loops split into vectors")

    def _registers(self, start: SSAValue) -> SSAValue:
        """The best of each lane, initialised with the search's initial value."""
        registers = self.writer.allocate((REGISTERS, self.lanes), start.type, "register", "found")
        with self._elements() as at:
            self.writer.store(start, registers, at)
        return registers

    def _step(self, found: Sequence[SSAValue], position: Index, at: tuple[Index, Index]) -> None:
        """One iteration of the loop for each lane."""
        held = [self.writer.load(each, at) for each in found]
        values = dict(zip(self.op.carried_args, held, strict=True))
        for statement in statements(self.op):
            self.writer.copy(statement, values, over([self.op.induction], self.frame, [position]))
        for registers, value in zip(found, self.op.yielded, strict=True):
            self.writer.store(values[value], registers, at)

    def _fold(self, function: str, start: SSAValue, value: Callable[[tuple[Index, Index]], SSAValue]) -> SSAValue:
        """Fold all lanes."""
        with self.writer.carrying("vector", 0, self.lanes, [start], hint="lane") as (fold, carried):
            lane = self.frame.index(fold.induction)
            of_lane = [value((index(u), lane)) for u in range(REGISTERS)]
            carried[0] = self.writer.compute(function, carried[0], reduce(partial(self.writer.compute, function), of_lane))
        return fold.results[0]

    def _position(self, found: Sequence[SSAValue], best: SSAValue, nowhere: SSAValue, at: tuple[Index, Index]) -> SSAValue:
        """The position of a lane's best element, if it equals the best of all."""
        compute, (value, place) = self.writer.compute, [self.writer.load(each, at) for each in found]
        is_best = compute("eq", value, best)
        if dtype_of(best.type).is_float:
            is_best = compute("or", is_best, compute("and", compute("isnan", value), compute("isnan", best)))
        return compute("select", is_best, place, nowhere)

    @contextmanager
    def _elements(self) -> Iterator[tuple[Index, Index]]:
        """Loops over the registers: the index of the register and of the lane."""
        with (
            self.writer.loop("unroll", 0, REGISTERS, hint="u") as u,
            self.writer.loop("vector", 0, self.lanes, hint="lane") as lane,
        ):
            yield u, lane
