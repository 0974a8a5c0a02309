"""Scheduled loop nests with numbers for all sizes: the iterations of loops, and the strides of accesses in bytes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import ceil, prod

from xdsl.ir import Block, Operation, SSAValue

from ...dialects import loop
from ...ir.index.expressions import Atom, Dim, Index, IndexLike, Param, index
from ...ir.types.dtypes import dtype_of
from ...ir.types.shapes import element_of, shape_of
from .footprints import LINE, Axis, Span
from .loop_nests import AccessOp


def evaluated(expr: IndexLike, sizes: Mapping[str, int], operands: Sequence[SSAValue] = ()) -> int:
    """An expression over sizes as a number; `operands` count as 0."""
    return _Values(sizes).evaluate(index(expr), operands, {})


@dataclass(eq=False)
class SizedAccess:
    """An access: its buffer, and the loops around it with the stride of each, from outside in."""

    op: AccessOp
    buffer: SSAValue
    size: int
    offset: int
    axes: list[tuple[SizedNest, int]]

    def span(self, nests: set[SizedNest]) -> Span:
        """The span that the access touches in all iterations of these loops and the first iteration of all others."""
        return Span.of(self.offset, self.size, [Axis(nest.trips, stride) for nest, stride in self.axes if nest in nests])


@dataclass(eq=False)
class SizedNest:
    """A loop with its iterations, or a body without a loop (`trips` is 1), and the nests and accesses in it."""

    op: Operation
    trips: int
    items: list[SizedNest | SizedAccess | Operation] = field(default_factory=list)

    @cached_property
    def inside(self) -> set[SizedNest]:
        """The loops inside this one, except itself."""
        return {nest for item in self.items if isinstance(item, SizedNest) for nest in (item, *item.inside)}

    @cached_property
    def accesses(self) -> list[SizedAccess]:
        found: list[SizedAccess] = []
        for item in self.items:
            found += item.accesses if isinstance(item, SizedNest) else [item] if isinstance(item, SizedAccess) else []
        return found


class _Values:
    """The values of loop indices and sizes, for one iteration of each loop."""

    def __init__(self, sizes: Mapping[str, int]):
        self.sizes = sizes
        self.loops: list[loop.ForOp] = []

    def at(self, iterations: Mapping[loop.ForOp, int]) -> dict[SSAValue, int]:
        """The indices of the enclosing loops: of a loop in `iterations` at the given iteration, of any other loop at the first
        one."""
        values: dict[SSAValue, int] = {}
        for op in self.loops:
            lower = self.evaluate(op.lower, op.operands_at, values)
            values[op.induction] = lower + iterations.get(op, 0) * op.step.value.data
        return values

    def evaluate(self, expr: Index, operands: Sequence[SSAValue], values: Mapping[SSAValue, int]) -> int:
        """The value of an expression over `operands`; operands that are no loop indices, as of a gather, count as 0."""

        def value_of(atom: Atom) -> int:
            if isinstance(atom, Param):
                return self.sizes[atom.name]
            assert isinstance(atom, Dim), "leaves are dimensions and parameters"
            return values.get(operands[atom.position], 0)

        return expr.evaluate(value_of)


class Reader:
    """Reads a block of the loop level as nests of numbers."""

    def __init__(self, sizes: Mapping[str, int]):
        self._values = _Values(sizes)
        self._trips: dict[loop.ForOp, int] = {}
        self._nests: dict[loop.ForOp, SizedNest] = {}

    def elements(self, buffer: SSAValue) -> int:
        return prod(max(0, self._values.evaluate(size, (), {})) for size in shape_of(buffer))

    def nest(self, op: Operation, body: Block) -> SizedNest:
        nest = SizedNest(op, self._enter(op) if isinstance(op, loop.ForOp) else 1)
        if isinstance(op, loop.ForOp):
            self._nests[op] = nest
        if nest.trips > 0:
            for each in body.ops:
                self._read(each, nest)
        if isinstance(op, loop.ForOp):
            self._values.loops.pop()
        return nest

    def _enter(self, op: loop.ForOp) -> int:
        values = self._in_the_middle()
        lower, upper = (self._values.evaluate(each, op.operands_at, values) for each in (op.lower, op.upper))
        self._trips[op] = max(0, ceil((upper - lower) / op.step.value.data))
        self._values.loops.append(op)
        return self._trips[op]

    def _in_the_middle(self) -> dict[SSAValue, int]:
        """The indices in a typical iteration of each loop, the middle one."""
        return self._values.at({op: self._trips[op] // 2 for op in self._values.loops})

    def _read(self, op: Operation, into: SizedNest) -> None:
        match op:
            case loop.ForOp():
                inner = self.nest(op, op.body.block)
                if inner.trips > 0:
                    into.items.append(inner)
            case loop.IfOp():
                values = self._in_the_middle()
                holds = all(self._values.evaluate(expr, op.operands_at, values) >= 0 for expr in op.index_map.results)
                for branch in op.branches[:1] if holds else op.branches[1:]:
                    into.items.append(self.nest(op, branch))
            case loop.LoadOp() | loop.StoreOp() | loop.UpdateOp():
                into.items.append(self._access(op))
            case _:
                into.items.append(op)

    def _access(self, op: AccessOp) -> SizedAccess:
        size, strides, stride = dtype_of(element_of(op.buffer)).itemsize, list[int](), 1
        for extent in reversed(shape_of(op.buffer)):
            strides.insert(0, stride)
            stride *= max(1, self._values.evaluate(extent, (), {}))

        def address(iterations: Mapping[loop.ForOp, int]) -> int:
            values = self._values.at(iterations)
            places = (self._values.evaluate(expr, op.operands_at, values) for expr in op.index_map.results)
            return size * sum(place * step for place, step in zip(places, strides, strict=True))

        offset = address({})
        loaded = [value for value in op.operands_at if not _is_induction(value)]
        axes: list[tuple[SizedNest, int]] = []
        for level in self._values.loops:
            trips = self._trips[level]
            moved = (address({level: trips - 1}) - offset) // (trips - 1) if trips > 1 else 0
            if any(level.is_ancestor(value.owner) for value in loaded if isinstance(value.owner, Operation)):
                # An index loaded from memory: the access may be anywhere in the buffer.
                moved = max(moved, stride * size // trips, LINE + 1)
            axes.append((self._nests[level], moved))
        return SizedAccess(op, op.buffer, size, offset, axes)


def _is_induction(value: SSAValue) -> bool:
    return isinstance(value.owner, Block) and isinstance(value.owner.parent_op(), loop.ForOp) and value is value.owner.args[0]
