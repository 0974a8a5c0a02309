"""Access streams of vector loops through memory, and prefetches for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint

from ....dialects import loop
from ....ir.index.expressions import Atom, Dim, Index, IndexLike, dim, product
from ....ir.nesting import operations
from ....ir.rewrite import Builder
from ....ir.types.dtypes import dtype_of
from ....ir.types.shapes import element_of, shape_of
from ...analysis.loop_nests import Frame
from ...analysis.strides import stride
from ..builder import Writer

SECOND = 2  # the locality of data for the second cache


@dataclass(frozen=True)
class AccessStream:
    """A load along the rows of a buffer in a vector loop."""

    load: loop.LoadOp
    vector: loop.ForOp

    def is_plain(self, *inner: loop.ForOp) -> bool:
        """Whether the load is unguarded, and its address is known before the vector loop, except for the indices of the vector
        loop and of inner loops."""
        indices = [each.induction for each in (self.vector, *inner)]
        owners = [operand.owner for operand in self.load.at if operand not in indices]
        holders = [owner if isinstance(owner, Operation) else owner.parent_op() for owner in owners]
        is_inside = any(holder is not None and self.vector.is_ancestor(holder) for holder in holders)
        return not self.load.guard_exprs and not is_inside

    @property
    def itemsize(self) -> int:
        return dtype_of(self.load.result.type).itemsize

    def strides(self, loops: Sequence[loop.ForOp], frame: Frame) -> list[Index | None]:
        """The strides of the load, in elements, along each loop."""
        numbers = [frame.number(each.induction) for each in loops]
        ranges = frame.ranges(numbers)
        return [stride(self.load, number, frame, ranges) for number in numbers]

    def later(self, level: loop.ForOp, steps: int, frame: Frame) -> list[Index]:
        """The start of the vector loaded `steps` iterations of a loop later."""
        row = frame.number(level.induction)
        return self.elsewhere({Dim(row): dim(row) + steps}, frame)

    def elsewhere(self, places: Mapping[Atom, IndexLike], frame: Frame) -> list[Index]:
        """The start of the vector with expressions substituted for numbers."""
        lane: dict[Atom, IndexLike] = {Dim(frame.number(self.vector.induction)): 0}
        return [expr.substitute({**places, **lane}) for expr in frame.exprs(self.load)]

    def prefetch(self, place: Sequence[Index], frame: Frame, locality: int | None = None) -> None:
        """Prefetch the vector that starts at an address."""
        self.before(frame).prefetch(self.load.buffer, place, locality)

    def before(self, frame: Frame) -> Writer:
        """A writer before the vector loop."""
        return Writer(frame, Builder(InsertPoint.before(self.vector), self.load))


def vector_loops(op: Operation) -> list[loop.ForOp]:
    """The vector loops in an operation."""
    return [each for each in operations(op) if isinstance(each, loop.ForOp) and each.kind.data == "vector"]


def loads(op: loop.ForOp) -> list[loop.LoadOp]:
    """The loads among the statements of a loop."""
    return [each for each in op.body.block.ops if isinstance(each, loop.LoadOp)]


def enclosing_loop(op: loop.ForOp) -> Operation | None:
    """The parent of a loop, skipping unrolled loops."""
    parent = op.parent_op()
    while isinstance(parent, loop.ForOp) and parent.kind.data == "unroll":
        parent = parent.parent_op()
    return parent


def is_strip_mined(op: loop.ForOp) -> bool:
    """Whether a loop is sequential with a step greater than one."""
    return op.kind.data == "sequential" and op.step.value.data > 1


def size_exceeds(buffer: SSAValue, size: int) -> Index:
    """Guard expression: >= 0 iff `buffer` is larger than `size` bytes."""
    return product(shape_of(buffer)) - size // dtype_of(element_of(buffer)).itemsize - 1


def locality_of(cache: int) -> int | None:
    """The locality of data for the first or second cache."""
    return SECOND if cache == 2 else None


def is_private(buffer: SSAValue) -> bool:
    """Whether a buffer is a thread's own, in its cache or in registers."""
    return isinstance(buffer.owner, loop.AllocOp) and buffer.owner.space is not None
