"""Short axes: finds short axes next to long ones that innermost loops would run along.

    for i in (0, n):              for i in (0, n):               for i in (0, n):
      for k in (0, 3):              for j in (0, 3):               for j in (0, 3):
        s += x[i, k]                  y[i, j] = x[i, j] * w[j]       for k in (0, m):
                                                                       y[i, j] += a[i, k] * b[k, j]

Each run of such an innermost loop pays for its start-up, and for the guard of its only vector. With a known length, vectors run
across the rows or hold a whole iteration. Without a long axis there is little to gain.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import prod

from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue

from ...dialects import uop
from ...ir.index.expressions import Atom, Index, IndexLike, Param
from ...ir.types.overflow import LARGEST
from ...ir.types.shapes import IndexMap, shape_of


def short_axes(function: FuncOp, hints: Mapping[str, int], most: int, columns: int) -> Iterator[Index]:
    """The sizes of short axes in a function on micro-ops: at most `most` elements in the first call, and at most `columns` for
    columns of products. Columns do not count as short if products with more columns take most of the time and would share their
    code."""
    sizes, narrow, sides = _Sizes(hints, most), _Sizes(hints, columns), _sides(function)
    if any(_is_wide(op, along, narrow) for op, along in sides.items()):
        narrow = sizes
    steps = [_longest_step(op) for op in function.body.block.ops if isinstance(op, uop.ReindexOp)]
    # Strides multiply each other and the length of a row, which is bounded only as a parameter.
    if prod(steps) * max(most, columns) > LARGEST:
        return
    for op in function.body.block.ops:
        if isinstance(op, uop.ReindexOp) and not _is_plain(op) and sizes.has_long(op.shape):
            yield from sizes.short(op.shape[-1:])
        if isinstance(op, uop.ScanOp) and op.axis.value.data == len(shape_of(op.input)) - 1:
            shape = shape_of(op.input)
            if sizes.has_long(shape):
                yield from sizes.short(shape[-1:])
        if isinstance(op, uop.ReduceOp):
            shape = shape_of(op.input)
            if sizes.has_long(shape) and any(sizes.short(shape[-1:])):
                yield from sizes.short([shape[-1], *(shape[axis] for axis in op.axis_list)])
            for known in (sizes, narrow):
                if known.has_long(shape):
                    yield from _short_sides(op, sides[op], known, sizes)


class _Sizes:
    """The sizes in the first call, from hints."""

    def __init__(self, hints: Mapping[str, int], most: int):
        self.most = most
        self._places: dict[Atom, IndexLike] = {Param(name): value for name, value in hints.items()}

    def is_short(self, size: Index) -> bool:
        """Whether a size is known to be small."""
        value = size.substitute(self._places).constant
        return value is not None and value <= self.most

    def has_long(self, shape: Iterable[Index]) -> bool:
        """Whether one of the sizes is long."""
        return not all(map(self.is_short, shape))

    def short(self, shape: Iterable[Index]) -> Iterator[Index]:
        """The sizes that are not constant, but small in the first call."""
        return (size for size in shape if size.constant is None and self.is_short(size))


def _is_plain(op: uop.ReindexOp) -> bool:
    return op.map.data == IndexMap.identity(len(op.shape)) and op.guards is None


def _longest_step(op: uop.ReindexOp) -> int:
    """The greatest factor of an index in a reindexing."""
    return max((abs(factor) for at in op.map.data.results for monomial, factor in at.terms if monomial), default=1)


def _sides(function: FuncOp) -> Mapping[uop.ReduceOp, Sequence[int]]:
    """For each sum the axes of the result along which some elementwise operand is broadcast: the sides of a product."""
    again: dict[SSAValue, frozenset[int]] = {}
    found: dict[uop.ReduceOp, Sequence[int]] = {}
    for op in function.body.block.ops:
        if isinstance(op, uop.ReindexOp):
            along = {dim for at in op.map.data.results for dim in at.dims()}
            again[op.result] = frozenset(range(len(op.shape))) - along
        elif isinstance(op, uop.MapOp | uop.CastOp):
            again[op.result] = frozenset().union(*(again.get(operand, ()) for operand in op.operands))
        elif isinstance(op, uop.ReduceOp):
            found[op] = sorted(again.get(op.input, frozenset()) - set(op.axis_list))
    return found


def _is_wide(op: uop.ReduceOp, sides: Sequence[int], sizes: _Sizes) -> bool:
    """Whether a sum is a product of matrices without a short axis."""
    shape = shape_of(op.input)
    return len(sides) > 1 and not any(sizes.is_short(shape[axis]) for axis in (*sides, *op.axis_list))


def _short_sides(op: uop.ReduceOp, sides: Sequence[int], columns: _Sizes, sizes: _Sizes) -> Iterator[Index]:
    """The sizes of a product with short columns: vectors run along them, and unroll over the rows. Row counts beyond `sizes`,
    as of a batch, vary between calls and are excluded, unless the product is one of a stack of small ones."""
    shape = shape_of(op.input)
    last = max((axis for axis in range(len(shape)) if axis not in op.axis_list), default=-1)
    if last in sides and any(columns.short([shape[last]])):
        own = [shape[axis] for axis in (*sides, *op.axis_list)]
        yield from columns.short([shape[last]] if columns.has_long(own) else own)
        yield from sizes.short(shape[axis] for axis in sides)
