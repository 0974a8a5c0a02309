"""loop-prefetch: while a row is computed with, the memory of a later row is on its way.

    for "parallel" %i in (0, n)                        for "parallel" %i in (0, n)
      for %j step 16: vector: ... max(x[i, j])           for %j step 16: vector: ... max(x[i, j])
      for %j step 16: vector: ... exp(x[i, j])     ->    for %j step 16: prefetch x[i + 2, j]
                                                                         vector: ... exp(x[i, j])

A nest that walks over the same rows several times asks memory for a row all at once, and then for nothing while it computes. A
loop over rows is chosen when a buffer is loaded along its rows by more than one loop inside; the last of these, which finds its
own row in the cache, prefetches the row that comes `rows` later, where rows lie one after another. A loop that does several
rows at once prefetches whole steps ahead.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from ..dialects import loop
from ..ir.functions import lowered_functions
from ..ir.index import Atom, Dim, IndexLike, dim
from ..ir.rewrite import Builder, count
from .loop_writer import Writer
from .nests import Frame
from .reductions import statements
from .strides import stride


@dataclass(frozen=True)
class LoopPrefetch(ModulePass):
    """`rows` is how many rows later the row is that is prefetched."""

    name = "loop-prefetch"

    rows: int = 2

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in lowered_functions(op):
            for level in [each for each in function.walk() if isinstance(each, loop.ForOp)]:
                if level.kind.data == "parallel":
                    step = level.step.value.data
                    _prefetch_rows(level, -(-self.rows // step) * step)


@dataclass(frozen=True)
class Walk:
    """A load along the rows of a buffer in a vector loop."""

    load: loop.LoadOp
    vector: loop.ForOp


def _prefetch_rows(level: loop.ForOp, rows: int) -> None:
    frame = Frame()
    frame.tree(level)
    found: dict[SSAValue, list[tuple[Operation, Walk]]] = {}
    for statement in statements(level):
        for walk in _walks(statement, level, frame):
            found.setdefault(walk.load.buffer, []).append((statement, walk))
    for walks in found.values():
        last = walks[-1][0]
        if any(statement is not last for statement, _ in walks):
            for statement, walk in walks:
                if statement is last:
                    _prefetch(walk, level, rows, frame)
            count("rows-prefetched", "Number of buffers of which a later row is prefetched")


def _walks(statement: Operation, level: loop.ForOp, frame: Frame) -> Iterator[Walk]:
    """The unguarded loads of a statement whose lanes lie side by side, in rows that lie one after another."""
    for vector in statement.walk():
        if not isinstance(vector, loop.ForOp) or vector.kind.data != "vector":
            continue
        lane, row = frame.number(vector.induction), frame.number(level.induction)
        ranges = frame.ranges([lane, row])
        for op in statements(vector):
            if not isinstance(op, loop.LoadOp) or op.guard_exprs or isinstance(op.buffer.owner, loop.AllocOp):
                continue
            along, across = stride(op, lane, frame, ranges), stride(op, row, frame, ranges)
            if along is not None and along == 1 and across is not None and across.constant not in (0, 1):
                yield Walk(op, vector)


def _prefetch(walk: Walk, level: loop.ForOp, rows: int, frame: Frame) -> None:
    """Ask for the vector of a later row before the vector loop."""
    row, lane = Dim(frame.number(level.induction)), Dim(frame.number(walk.vector.induction))
    places: dict[Atom, IndexLike] = {row: dim(row.position) + rows, lane: 0}
    exprs = [expr.substitute(places) for expr in frame.exprs(walk.load)]
    Writer(frame, Builder(InsertPoint.before(walk.vector), walk.load)).prefetch(walk.load.buffer, exprs)
