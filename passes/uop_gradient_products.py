"""The product of all elements but one, for each: what a product's gradient is, without a division, so that zeros are nothing
special.

Along an axis it is the product of those before times that of those behind. All of a large tensor is read as the rows of small
matrices in place of that (`uop.interleave` writes them), since scans have to wait for themselves, and what they keep is as
large as the tensor:

    x[i, k, j]    others[i, k, j] = x[i, 0..k-1, j] * x[i, k+1..r-1, j] * others of the products over k

Factors are multiplied in float64: what is left out of a product can be the one that keeps it in the range of smaller floats.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import f64
from xdsl.ir import SSAValue

from ..ir.index import Index, ceildiv, dim, index, product
from ..ir.shapes import Shape, element_of, row_major, shape_of
from ..ir.values import number
from .uop_gradient_base import spread
from .uop_writer import Emit

# The rows and columns of the small matrices.
ROWS, COLUMNS = 12, 16


def of_others(emit: Emit, value: SSAValue, axes: Sequence[int], cotangent: SSAValue) -> SSAValue:
    """For each element the product of the others in its slice along some axes, times the cotangent of the slice."""
    shape = shape_of(value)
    size = product(shape)
    if len(axes) < len(shape) or (size.constant is not None and size.constant <= ROWS * COLUMNS):
        return _along(emit, value, axes, cotangent)
    flat = emit.reindex(value, (size,), _unravelled(dim(0), shape))
    found = _of_flat(emit, flat, emit.cast(cotangent, f64))
    return emit.reindex(found, shape, [row_major(shape, _everywhere(shape))])


def _along(emit: Emit, value: SSAValue, axes: Sequence[int], cotangent: SSAValue) -> SSAValue:
    """By scans, of the axes one by one."""
    partial = [value]
    for axis in reversed(axes):
        partial.append(emit.reduce("mul", partial[-1], [axis]))
    for axis, each in zip(axes, reversed(partial[:-1]), strict=True):
        cotangent = emit.map("mul", spread(emit, cotangent, each, [axis]), _others(emit, each, axis))
    return cotangent


def _others(emit: Emit, value: SSAValue, axis: int) -> SSAValue:
    before = emit.scan("mul", value, axis, reverse=False, exclusive=True)
    behind = emit.scan("mul", value, axis, reverse=True, exclusive=True)
    return emit.map("mul", before, behind)


def _of_flat(emit: Emit, value: SSAValue, cotangent: SSAValue) -> SSAValue:
    """Of all elements of a flat tensor, with each column of the small matrices as one factor at first."""
    (size,), element = shape_of(value), element_of(value)
    small = (ceildiv(size, ROWS * COLUMNS), index(COLUMNS))
    factors = _running(emit, _rows(emit, value, small))[-1]
    # Down the columns first: they are scanned side by side.
    totals = emit.reduce("mul", factors, [0])
    outer = emit.map("mul", spread(emit, _along(emit, totals, (0,), cotangent), factors, [0]), _others(emit, factors, 0))
    # Once more, in place of keeping what is as large as the tensor itself.
    rows = _rows(emit, emit.fence(value, [outer]), small)
    before = [outer, *(emit.map("mul", outer, each) for each in _running(emit, rows[:-1]))]
    behind = _running(emit, rows[:0:-1])[::-1]
    found = [*(emit.map("mul", *pair) for pair in zip(before, behind, strict=False)), before[-1]]
    return emit.interleave([emit.cast(each, element) for each in found], size)


def _rows(emit: Emit, value: SSAValue, small: Shape) -> list[SSAValue]:
    """The rows of the small matrices that a flat tensor is read as, filled up with ones."""
    one = number(1, element_of(value))
    places = [(dim(0) * ROWS + row) * COLUMNS + dim(1) for row in range(ROWS)]
    return [emit.cast(emit.window(value, small, [place], one), f64) for place in places]


def _running(emit: Emit, values: Sequence[SSAValue]) -> list[SSAValue]:
    """The products of the first one, two, and so on."""
    found = [values[0]]
    for each in values[1:]:
        found.append(emit.map("mul", found[-1], each))
    return found


def _unravelled(position: Index, shape: Shape) -> list[Index]:
    """Where an element of a flattened tensor stands in the tensor."""
    found: list[Index] = []
    for axis in reversed(range(len(shape))):
        found.append(position % shape[axis] if axis else position)
        position = position // shape[axis]
    return found[::-1]


def _everywhere(shape: Shape) -> list[Index]:
    """The indices of a tensor's elements."""
    return [dim(axis) for axis in range(len(shape))]
