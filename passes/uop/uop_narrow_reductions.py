"""uop-narrow-reductions: reduce broadcast values once, and broadcast the result.

    %a = uop.reindex %w (i, j, k) -> (k, j)                       %a = uop.reindex %w (j, k) -> (k, j)
    %b = uop.map "mul"(%c, %a)                            ->      %b = uop.map "mul"(%c, %a)
    uop.reduce "add" %b axes [1]                                  %s = uop.reduce "add" %b axes [0]
                                                                  uop.reindex %s (i, k) -> (k)

A reduction is not repeated along a kept axis along which all of its elements are equal. Gradients of sums have many such axes:
the gradient of `sum(x @ w)` by x has the same row, sums of w, for all rows.

The elements along an axis are equal if they are computed from splat constants, and from tensors that are read at indices
without that axis. If the axis is empty, the original program computes nothing. So operations that may stop a program, such as
the check of a divisor or of an index that is data, are left alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from typing import TypeAlias

from xdsl.context import Context
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from ...dialects import uop
from ...ir.index.expressions import Atom, Dim, Index, IndexLike, dim, divisions
from ...ir.index.simplify import Ranges
from ...ir.nesting import operations
from ...ir.rewrite import Builder, count, erase
from ...ir.scalars.table import scalar
from ...ir.types.dtypes import dtype_of
from ...ir.types.shapes import element_of, shape_of, tensor_type

NONE: Set[int] = frozenset()
# The axes along which the elements of tensors are equal.
Equal: TypeAlias = dict[SSAValue, Set[int]]
# A value, and the axes on which it is computed: its elements are equal along the others.
Places: TypeAlias = tuple[int, ...]
Narrow: TypeAlias = tuple[SSAValue, Places]


@dataclass(frozen=True)
class UopNarrowReductions(ModulePass):
    name = "uop-narrow-reductions"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        equal: Equal = {}
        for each in list(operations(op)):
            if isinstance(each, uop.MapOp | uop.CastOp | uop.ConstantOp | uop.IotaOp | uop.ReindexOp):
                equal[each.result] = _equal_along(each, equal)
            elif isinstance(each, uop.ReduceOp):
                _narrow(each, equal)


def _equal_along(op: Operation, equal: Equal) -> Set[int]:
    """The axes along which all elements of a result are equal, if it may be computed even where these axes are empty."""
    axes = range(len(shape_of(op.results[0])))
    if _may_stop(op):
        return NONE
    match op:
        case uop.ConstantOp():
            return NONE if isinstance(op.value, DenseIntOrFPElementsAttr) else frozenset(axes)
        case uop.IotaOp():
            return frozenset(axes) - {op.axis.value.data}
        case uop.ReindexOp():
            same = _equal_in_source(op, equal)
            reads = (at for axis, at in enumerate(op.map.data.results) if axis not in same)
            others = (*op.guard_exprs(), *(at for _, access in op.loads() for at in access.results))
            return frozenset(axes) - {axis for read in (*reads, *others) for axis in read.dims()}
        case _:
            return frozenset(axes).intersection(*(equal.get(value, NONE) for value in op.operands))


def _may_stop(op: Operation) -> bool:
    """Whether computing an element may raise an error: by an integer divisor, an index that is data, or a division by a
    size."""
    if isinstance(op, uop.MapOp):
        return scalar(op.function.data).checks_divisor and dtype_of(element_of(op.result)).kind != "float"
    if isinstance(op, uop.ReindexOp):
        reads = (*op.map.data.results, *op.guard_exprs(), *(at for _, access in op.loads() for at in access.results))
        return (bool(op.loads()) and op.fill is None) or any(map(divisions, reads))
    return False


def _equal_in_source(op: uop.ReindexOp, equal: Equal) -> Set[int]:
    """The axes of the source whose index does not matter: the elements along them are equal, and all reads are in bounds."""
    return NONE if op.fill is not None or op.indices else equal.get(op.source, NONE)


def _narrow(op: uop.ReduceOp, equal: Equal) -> None:
    """Leave out the kept axes along which the reduced elements are equal."""
    shape, reduced = shape_of(op.input), op.axis_list
    left_out = {axis for axis in equal.get(op.input, NONE) if axis not in reduced and shape[axis] != 1}
    if not left_out or all(shape[axis] == 1 for axis in reduced):
        return
    builder = Builder(InsertPoint.before(op), op)
    places = tuple(axis for axis in range(len(shape)) if axis not in left_out)
    narrow = Narrowing(equal, builder).of(op.input, places)
    if narrow is None:
        return
    once = builder.add(uop.ReduceOp(op.accumulator.data, narrow, [places.index(axis) for axis in reduced])).result
    kept = [axis for axis in range(len(shape)) if axis not in reduced]
    at = [dim(place) for place, axis in enumerate(kept) if axis not in left_out]
    new = builder.add(uop.ReindexOp(once, shape_of(op.result), at)).result
    equal[new] = {place for place, axis in enumerate(kept) if axis in left_out}
    op.result.replace_all_uses_with(new)
    erase(op)
    count("reductions-narrowed", "Number of reductions of broadcast values that are computed once")


class Narrowing:
    """Computes values on some of their axes, which have equal elements along all others."""

    def __init__(self, equal: Equal, builder: Builder):
        self._equal = equal
        self._builder = builder
        self._done: dict[Narrow, SSAValue] = {}

    def of(self, value: SSAValue, places: Places) -> SSAValue | None:
        """A value on these axes alone; None if a read may be out of bounds where other axes are empty."""
        order = self._order((value, places))
        if not all(self._is_in_bounds(*each) for each in order):
            return None
        for each in order:
            self._done[each] = self._computed(*each)
        return self._done[value, places]

    def _order(self, wanted: Narrow) -> list[Narrow]:
        """All values to compute, operands first. Chains may be long: no recursion."""
        order: dict[Narrow, None] = {}
        pending = [wanted]
        while pending:
            missing = [each for each in self._operands(*pending[-1]) if each not in order]
            if missing:
                pending += missing
            else:
                order[pending.pop()] = None
        return list(order)

    def _is_in_bounds(self, value: SSAValue, places: Places) -> bool:
        op = value.owner
        if not isinstance(op, uop.ReindexOp) or op.fill is not None or len(places) == len(shape_of(value)):
            return True
        ranges = Ranges.of_shape([shape_of(value)[axis] for axis in places])
        source, kept = shape_of(op.source), self._places_in_source(op, places)
        at = self._on(op, places, (op.map.data.results[axis] for axis in kept))
        return all(ranges.within(each, source[axis]) for each, axis in zip(at, kept, strict=True))

    def _operands(self, value: SSAValue, places: Places) -> list[Narrow]:
        """The operands that are narrowed too, with their axes."""
        op = value.owner
        if len(places) == len(shape_of(value)) or not isinstance(op, Operation):
            return []
        if isinstance(op, uop.ReindexOp):
            return [(op.source, self._places_in_source(op, places))]
        return [(each, places) for each in op.operands]

    def _places_in_source(self, op: uop.ReindexOp, places: Places) -> Places:
        same = _equal_in_source(op, self._equal)
        left_out = {axis for axis in range(len(shape_of(op.result))) if axis not in places}
        at = op.map.data.results
        return tuple(axis for axis in range(len(at)) if axis not in same or not at[axis].dims() & left_out)

    def _computed(self, value: SSAValue, places: Places) -> SSAValue:
        """A value, given its operands."""
        op = value.owner
        if len(places) == len(shape_of(value)) or not isinstance(op, Operation):
            return value
        shape = [shape_of(value)[axis] for axis in places]
        kind = tensor_type(shape, element_of(value))
        match op:
            case uop.MapOp():
                new = uop.MapOp(op.function.data, *(self._done[each, places] for each in op.inputs))
            case uop.CastOp():
                new = uop.CastOp(self._done[op.input, places], element_of(op.result))
            case uop.ConstantOp():
                new = uop.ConstantOp(op.value, kind)
            case uop.IotaOp():
                new = uop.IotaOp(places.index(op.axis.value.data), kind)
            case uop.ReindexOp():
                new = self._read(op, places, shape)
            case _:
                raise AssertionError(f"'{op.name}' has no equal elements")
        return self._builder.add(new).results[0]

    @staticmethod
    def _on(op: uop.ReindexOp, places: Places, exprs: Iterable[Index]) -> list[Index]:
        """Rewrites expressions over an operation's axes, and the index tensors numbered after them, to some of the axes
        alone."""
        rank = len(shape_of(op.result))
        numbers = [*places, *range(rank, rank + len(op.loads()))]
        moved: dict[Atom, IndexLike] = {Dim(old): dim(new) for new, old in enumerate(numbers)}
        return [each.substitute(moved) for each in exprs]

    def _read(self, op: uop.ReindexOp, places: Places, shape: Sequence[Index]) -> uop.ReindexOp:
        kept = self._places_in_source(op, places)
        at = self._on(op, places, (op.map.data.results[axis] for axis in kept))
        indices = [(value, self._on(op, places, access.results)) for value, access in op.loads()]
        guards = self._on(op, places, op.guard_exprs())
        return uop.ReindexOp(self._done[op.source, kept], shape, at, indices=indices, guards=guards, fill=op.fill)
