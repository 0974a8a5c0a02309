"""Axes that are short beside long ones, and that innermost loops go along.

    for i in (0, n):              for i in (0, n):               for i in (0, n):
      for k in (0, 3):              for j in (0, 3):               for j in (0, 3):
        s += x[i, k]                  y[i, j] = x[i, j] * w[j]       for k in (0, m):
                                                                       y[i, j] += a[i, k] * b[k, j]

Such a loop has begun and ended, and asked for the rest of its only vector, again and again. With its length known, vectors go
along the rows or hold a whole turn of it. Where no axis is long there is little to gain.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from math import prod

from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue

from ..dialects import uop
from ..ir.index import Atom, Index, IndexLike, Param
from ..ir.limits import LARGEST
from ..ir.shapes import IndexMap, Shape, shape_of


def short_axes(function: FuncOp, hints: Mapping[str, int], most: int) -> Iterator[Index]:
    """The sizes of such axes of a function on micro-ops: those of at most `most` elements in the first call."""
    sizes = _Sizes(hints, most)
    steps = [_longest_step(op) for op in function.body.block.ops if isinstance(op, uop.ReindexOp)]
    # Steps that follow one another are multiplied, and by the length of a row, too, which is no more than a parameter else.
    if prod(steps) * most > LARGEST:
        return
    for op in function.body.block.ops:
        if isinstance(op, uop.ReindexOp) and not _is_plain(op) and sizes.has_long(op.shape):
            yield from sizes.short(op.shape[-1:])
        if isinstance(op, uop.ReduceOp) and sizes.has_long(shape := shape_of(op.input)):
            if any(sizes.short(shape[-1:])):
                yield from sizes.short([shape[-1], *(shape[axis] for axis in op.axis_list)])
            yield from _short_sides(op, sizes)


class _Sizes:
    """What the first call says of sizes."""

    def __init__(self, hints: Mapping[str, int], most: int):
        self.most = most
        self._places: dict[Atom, IndexLike] = {Param(name): value for name, value in hints.items()}

    def has_long(self, shape: Shape) -> bool:
        """Whether one of the sizes is larger than any that is known."""
        values = [size.substitute(self._places).constant for size in shape]
        return any(value is None or value > self.most for value in values)

    def short(self, shape: Iterable[Index]) -> Iterator[Index]:
        """Those of sizes that are not constants, but small in the first call."""
        for size in shape:
            value = size.substitute(self._places).constant if size.constant is None else None
            if value is not None and value <= self.most:
                yield size


def _is_plain(op: uop.ReindexOp) -> bool:
    return op.map.data == IndexMap.identity(len(op.shape)) and op.guards is None


def _longest_step(op: uop.ReindexOp) -> int:
    """The greatest factor of an index in what is read elsewhere."""
    return max((abs(factor) for at in op.map.data.results for monomial, factor in at.terms if monomial), default=1)


def _short_sides(op: uop.ReduceOp, sizes: _Sizes) -> Iterator[Index]:
    """The sides of a product, if its columns are short: vectors go along them, and take as many rows at once as there are."""
    shape = shape_of(op.input)
    sides = sorted(_repeated(op.input) - set(op.axis_list))
    kept = [axis for axis in range(len(shape)) if axis not in op.axis_list]
    if sides and sides[-1] == kept[-1] and any(sizes.short([shape[kept[-1]]])):
        yield from sizes.short(shape[axis] for axis in sides)


def _repeated(value: SSAValue) -> set[int]:
    """The axes of a tensor along which something that it is computed from, element by element, is read again."""
    owner = value.owner
    if isinstance(owner, uop.ReindexOp):
        along = {dim for at in owner.map.data.results for dim in at.dims()}
        return set(range(len(owner.shape))) - along
    if isinstance(owner, uop.MapOp | uop.CastOp):
        return {axis for operand in owner.operands for axis in _repeated(operand)}
    return set()
