"""Loops over long rows that can become one: the second needs the result of the first, but its terms can be corrected
afterwards.

m = max of x[j];  s = sum of exp(x[j] - m)        a maximum and sums of exponentials (`online/exponential_chains.py`)
s = sum of x[j];  q = sum of (x[j] - c(s))^2      a sum, and squared distances from a function c of it
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import f32
from xdsl.ir import Operation, SSAValue

from ....dialects import loop
from ....ir.index.expressions import Index
from ....ir.scalars.attributes import value_of
from ...analysis.equivalence import ValueEquivalence
from ...analysis.loop_nests import Frame
from ...analysis.reductions import accumulations, computing, statements
from ..online.exponential_chains import Chain, chains, loads_of_stored
from ..online.loop_one_pass_variance import squared_difference


@dataclass(frozen=True)
class Distance:
    """The distance whose squares one result of the second loop sums: the elements that the first loop sums as its result
    `result`, minus an origin, which is the same for all elements."""

    result: int
    origin: SSAValue


@dataclass(frozen=True)
class SquareChain:
    """Two loops over one range, of which the second only sums squared distances: `distances` has one for each of its
    results."""

    sums: loop.ForOp
    squares: loop.ForOp
    distances: tuple[Distance, ...]


def exponential_chain(level: loop.ForOp, frame: Frame, row: Index | None = None) -> Chain | None:
    """The first chain of a maximum and sums of exponentials, all of float32 and none of them stored; with `row`, only in rows
    of that length."""
    for chain in chains(level, frame, 1):
        results = (*chain.maxima.results, *chain.sums.results)
        if not chain.kept and all(each.type == f32 for each in results) and is_row(chain.maxima, row):
            return chain
    return None


def square_chain(level: loop.ForOp, frame: Frame, row: Index | None = None) -> SquareChain | None:
    """The first chain of sums and squared distances of float32; with `row`, only in rows of that length."""
    reductions = [op for op in statements(level) if isinstance(op, loop.ForOp) and is_row(op, row) and _sums_floats(op)]
    for at, sums in enumerate(reductions):
        for squares in reductions[at + 1 :]:
            if frame.exprs(sums) == frame.exprs(squares):
                distances = _distances(sums, squares, frame)
                if distances is not None and not _is_written_between(sums, squares):
                    return SquareChain(sums, squares, distances)
    return None


def is_row(level: loop.ForOp, row: Index | None = None) -> bool:
    """Whether a loop runs from 0 to a size; with `row`, to that size."""
    plain = level.lower == 0 and not level.upper.dims() and level.step.value.data == 1
    return plain and row in (None, level.upper)


def _sums_floats(level: loop.ForOp) -> bool:
    """Whether a loop only sums float32, from 0 on."""
    found = accumulations(level) if level.kind.data == "reduction" and level.carried else None
    if found is None or any(
        op.regions or isinstance(op, loop.StoreOp | loop.UpdateOp | loop.CheckOp) for op in statements(level)
    ):
        return False
    starts = all(isinstance(each.owner, loop.ConstantOp) and value_of(each.owner.value) == 0 for each in level.carried)
    return starts and all(op.function.data == "add" and op.result.type == f32 for op in found)


def _distances(sums: loop.ForOp, squares: loop.ForOp, frame: Frame) -> tuple[Distance, ...] | None:
    same = ValueEquivalence.of_loops(sums, squares, frame)
    elements = [op.inputs[1] for op in accumulations(sums) or ()]
    found: list[Distance] = []
    for op in accumulations(squares) or ():
        difference = squared_difference(op.inputs[1])
        pairs = zip(difference, reversed(difference), strict=True)
        distance = next(
            (
                Distance(k, origin)
                for element, origin in pairs
                if _is_invariant(origin, squares)
                for k, other in enumerate(elements)
                if same.are(other, element)
            ),
            None,
        )
        if distance is None:
            return None
        found.append(distance)
    return tuple(found)


def _is_invariant(value: SSAValue, level: loop.ForOp) -> bool:
    """Whether a value is the same in all iterations of a loop, even if it is computed in the loop."""
    ops = computing(value, level)
    if value in level.body.block.args or not all(isinstance(op, loop.ComputeOp | loop.CastOp | loop.ConstantOp) for op in ops):
        return False
    return not any(operand in level.body.block.args for op in ops for operand in op.operands)


def _is_written_between(first: loop.ForOp, second: loop.ForOp) -> bool:
    """Whether a buffer that the first loop loads from is written before the second loop."""
    loaded = {op.buffer for op in statements(first) if isinstance(op, loop.LoadOp)}
    op = first.next_op
    while op is not second:
        assert op is not None, "the second loop comes later in the block"
        if any(isinstance(each, loop.StoreOp | loop.UpdateOp) and each.buffer in loaded for each in op.walk()):
            return True
        op = op.next_op
    return False


@dataclass(frozen=True)
class Stored:
    """The elements that a reduction stores for later loops over the same range, each of which can recompute them."""

    store: loop.StoreOp
    reduction: loop.ForOp
    loads: tuple[loop.LoadOp, ...]

    @property
    def statements(self) -> list[Operation]:
        """The statements that compute an element."""
        return computing(self.store.value, self.reduction)


def stored_elements(level: loop.ForOp, frame: Frame, row: Index | None = None) -> Iterator[Stored]:
    """Elements that a reduction stores in a temporary and that can be recomputed from at most two buffers, to which nothing in
    the enclosing loop writes. With `row`, only those of reductions of that length."""
    written = {op.buffer for op in level.walk() if isinstance(op, loop.StoreOp | loop.UpdateOp)}
    for reduction in statements(level):
        if not isinstance(reduction, loop.ForOp) or reduction.kind.data != "reduction" or not is_row(reduction, row):
            continue
        for store in [op for op in statements(reduction) if isinstance(op, loop.StoreOp)]:
            loads = loads_of_stored(store, reduction, frame)
            found = Stored(store, reduction, loads or ())
            if loads and _is_pure(found.statements, reduction, written):
                yield found


def _is_pure(ops: Sequence[Operation], reduction: loop.ForOp, written: set[SSAValue]) -> bool:
    kinds = (loop.LoadOp, loop.ComputeOp, loop.CastOp, loop.ConstantOp, loop.IndexOp, loop.TestOp)
    loaded = {op.buffer for op in ops if isinstance(op, loop.LoadOp)}
    if not all(isinstance(op, kinds) for op in ops) or not loaded.isdisjoint(written) or len(loaded) > 2:
        return False
    return not any(value in reduction.carried_args for op in ops for value in op.operands)
