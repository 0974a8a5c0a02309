"""loop-vectorize-scans: vectorise scans over contiguous memory, with a parallel prefix within each vector.

    for "sequential" %j in (0, n) carry(%s)        for "sequential" %j in (0, n floordiv 8 * 8) step 8 carry(%s)
      %t = add(%s, x[j])                             for "vector" %v in (0, 8) carry(%s)
      y[j] = %t                              ->        %t = add(%s, x[j + v])
                                                       y[j + v] = %t
                                                   and the remainder as one more vector under a guard

Each step of a scan waits for the previous step. In a vector of 8 lanes, three steps combine each lane with all lanes before it,
and only one further step waits for the previous vector: vectors along a single row are faster than several rows side by side.
The association depends on an element's position only, never on threads; a product that overflows in between may do so at other
positions.

1. A loop is vectorised if each carried value is accumulated by a cheap function before any other use, all accesses are
   contiguous, forwards or backwards, and none reads a store of another iteration. Rows known to be short and costly to compute
   get a row in each lane instead (`short_rows.py`).
2. A vector holds `bytes` bytes of the widest element that the loop loads, stores or carries.
3. In the guarded remainder, the other lanes hold the accumulator's neutral element.
4. Hardware prefetchers continue past the end of a row, not before its start: a backward scan prefetches the vector below in the
   next row.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from ....dialects import loop
from ....ir.index.expressions import Index
from ....ir.rewrite import Builder, count, erase
from ....ir.scalars.attributes import neutral
from ....ir.scalars.table import scalar
from ....ir.types.dtypes import dtype_of
from ....ir.types.shapes import element_of
from ...analysis.loop_nests import AccessOp, Frame, lowered_blocks
from ...analysis.reductions import running_accumulations, statements
from ...analysis.strides import stride
from ...manager.options import limited
from ..builder import Writer, over
from .reductions import whole
from .short_rows import is_costly_over_short_rows

# With two lanes, a vector needs one step inside and saves only one.
LEAST_LANES = 4
# Scans by costlier functions stay scalar: in a vector each element is combined log2(lanes) times, in a scalar loop once.
MOST_COST = 4


@dataclass(frozen=True)
class LoopVectorizeScans(ModulePass):
    """`bytes` is the size of a vector."""

    name = "loop-vectorize-scans"

    bytes: int = limited(64, most=256, power_of_two=True)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for block in lowered_blocks(op):
            frame = Frame()
            for level in list(_scans(block.body.block)):
                lanes = self._lanes(level)
                results = running_accumulations(level)
                if results is None or any(scalar(each.function.data).cost > MOST_COST for each in results):
                    continue
                if lanes >= LEAST_LANES and _is_contiguous(level, frame) and not _has_short_rows(level, frame):
                    VectorScan(level, results, lanes, frame).run()

    def _lanes(self, op: loop.ForOp) -> int:
        """The number of lanes for the widest element, at most the iterations of a constant loop."""
        elements = [element_of(each.buffer) for each in op.body.walk() if isinstance(each, AccessOp)]
        widths = [dtype_of(each).bits for each in (*elements, *(value.type for value in op.carried))]
        lanes = self.bytes * 8 // max([32, *widths])
        return lanes if op.trips is None else min(lanes, 1 << max(op.trips, 1).bit_length() - 1)


class VectorScan:
    """Replaces the loop of one scan by vectors."""

    def __init__(self, op: loop.ForOp, results: Sequence[loop.ComputeOp], lanes: int, frame: Frame):
        self.op = op
        self.results = results
        self.lanes = lanes
        self.frame = frame
        self.writer = Writer(frame, Builder(InsertPoint.before(op), op))

    def run(self) -> None:
        lower, upper = self.frame.exprs(self.op)
        main = lower + whole(upper - lower, self.lanes)
        totals = list(self.op.carried)
        if main - lower != 0:
            hint = self.op.induction.name_hint or "j"
            with self.writer.carrying("sequential", lower, main, totals, step=self.lanes, hint=hint) as (level, values):
                start = self.frame.index(level.induction)
                self._prefetch_next_row(start)
                values[:] = self._vector(start, values, [])
            totals = list(level.results)
        if upper - main != 0:
            totals = self._vector(main, totals, [upper - 1 - main])
        for old, new in zip(self.op.results, totals, strict=True):
            old.replace_all_uses_with(new)
        erase(self.op)
        count("scans-vectorized", "Number of scans vectorised")

    def _prefetch_next_row(self, start: Index) -> None:
        rows = self.op.parent_op()
        if not isinstance(rows, loop.ForOp) or rows.kind.data != "parallel":
            return
        last, below = start + self.lanes - 1, self.frame.index(rows.induction) + rows.step.value.data
        places = over([self.op.induction, rows.induction], self.frame, [last, below])
        for load in (each for each in statements(self.op) if isinstance(each, loop.LoadOp)):
            exprs = self.frame.exprs(load)
            rows_apart = any(self.frame.number(rows.induction) in expr.dims() for expr in exprs)
            if rows_apart and _step(load, self.op, self.frame) == -1:
                self.writer.prefetch(load.buffer, [expr.substitute(places) for expr in exprs])

    def _vector(self, start: Index, carried: Sequence[SSAValue], last: Sequence[Index]) -> list[SSAValue]:
        """One vector, from `start` on; with `last`, lanes beyond the index `last` are masked."""
        with self.writer.carrying("vector", 0, self.lanes, carried, hint="lane") as (level, values):
            lane = self.frame.index(level.induction)
            guards = [bound - lane for bound in last]
            places = over([self.op.induction], self.frame, [start + lane])
            copies: dict[SSAValue, SSAValue] = dict(zip(self.op.carried_args, level.carried_args, strict=True))
            for statement in statements(self.op):
                # Mask the operand for this statement only: it may itself be a running value.
                own = dict(copies)
                if guards and statement in self.results:
                    self._mask_operand(statement, own, guards)
                self.writer.copy(statement, own, places, guards)
                copies.update((result, own[result]) for result in statement.results)
            values[:] = [copies[value] for value in self.op.yielded]
        return list(level.results)

    def _mask_operand(self, accumulate: Operation, copies: dict[SSAValue, SSAValue], guards: Sequence[Index]) -> None:
        """Mask the accumulated operand outside the bounds."""
        assert isinstance(accumulate, loop.ComputeOp), "scans accumulate by functions"
        value = accumulate.inputs[1]
        nothing = self.writer.constant(neutral(accumulate.function.data, value.type))
        taken = self.writer.compute("select", self.writer.test(guards), copies.get(value, value), nothing)
        copies[value] = taken


def _has_short_rows(level: loop.ForOp, frame: Frame) -> bool:
    around = level.parent_op()
    return isinstance(around, loop.ForOp) and is_costly_over_short_rows(around, frame)


def _scans(body: Block) -> Iterator[loop.ForOp]:
    """The innermost loops with sequentially carried values and step 1."""
    for op in body.walk():
        if not isinstance(op, loop.ForOp) or op.kind.data != "sequential" or not op.carried or op.step.value.data != 1:
            continue
        if not any(each.regions or isinstance(each, loop.CheckOp | loop.UpdateOp) for each in statements(op)):
            yield op


def _is_contiguous(op: loop.ForOp, frame: Frame) -> bool:
    """Whether all accesses of a loop are contiguous, and none reads a store of another iteration."""
    frame.enter(op)
    accesses = [each for each in statements(op) if isinstance(each, AccessOp)]
    for each in accesses:
        if _step(each, op, frame) not in ((1, -1) if isinstance(each, loop.StoreOp) else (0, 1, -1)):
            return False
    written = {each.buffer for each in accesses if isinstance(each, loop.StoreOp)}
    places = {(each.buffer, frame.exprs(each)) for each in accesses if each.buffer in written}
    return bool(written) and len(places) == len(written)


def _step(access: AccessOp, op: loop.ForOp, frame: Frame) -> int | None:
    """The stride of an access along a loop, if it is a known constant."""
    number = frame.number(op.induction)
    step = stride(access, number, frame, frame.ranges([number]))
    return None if step is None else step.constant
