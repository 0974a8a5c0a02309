"""Gradient of products: for each element the product of all others, without a division, so that zeros need no special case.

Along an axis it is the exclusive prefix product times the exclusive suffix product. A whole large tensor is read as the rows of
small matrices instead (written by `uop.interleave`), since scans are sequential, and their results are as large as the tensor:

    x[b, i, k, j]    others[b, i, k, j] = x[b, i, 0..k-1, j] * x[b, i, k+1..r-1, j] * others of the products over k

A block of matrices fits the cache, so that the tensor is read twice: for the product of each block, and for the elements of
each block, given the product of the other blocks. The product of the whole tensor, if it has other users, is computed from the
products of the blocks.

Factors are multiplied in float64: the excluded element may be the one that keeps a product in the range of smaller floats.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import f64
from xdsl.ir import Operation, SSAValue

from ....dialects import uop
from ....ir.index.expressions import Index, ceildiv, dim, index, product
from ....ir.scalars.attributes import number
from ....ir.types.shapes import Shape, element_of, row_major, shape_of
from ..builder import Emit
from .base import spread

# The rows and columns of the small matrices, and the number of matrices in a block. A block is 30 KiB in float64, and fits
# first-level caches of 32 KiB. The number of matrices differs from the number of columns, so that loops over the two do not
# fuse.
ROWS, COLUMNS, BLOCK = 12, 8, 40


def of_others(emit: Emit, op: uop.ReduceOp, cotangent: SSAValue) -> SSAValue:
    """For each element of a product the product of the others in its slice, times the cotangent of the slice."""
    value, axes = op.input, op.axis_list
    shape = shape_of(value)
    size = product(shape)
    if len(axes) < len(shape) or (size.constant is not None and size.constant <= ROWS * COLUMNS):
        return _along(emit, value, axes, cotangent)
    flat = emit.reindex(value, (size,), _delinearized(dim(0), shape))
    found = _of_flat(emit, flat, emit.cast(cotangent, f64), op)
    return emit.reindex(found, shape, [row_major(shape, _identity_indices(shape))])


def _along(emit: Emit, value: SSAValue, axes: Sequence[int], cotangent: SSAValue) -> SSAValue:
    """The products of the others by scans, one axis after the other."""
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


def _of_flat(emit: Emit, value: SSAValue, cotangent: SSAValue, op: uop.ReduceOp) -> SSAValue:
    """The products of the others for all elements of a flat tensor, whose product is `op`."""
    (size,), element = shape_of(value), element_of(value)
    one, each = number(1, element), ROWS * COLUMNS * BLOCK
    blocks = (ceildiv(size, each), index(BLOCK), index(COLUMNS))
    inside = emit.cast(emit.window(value, (blocks[0], index(each)), [dim(0) * each + dim(1)], one), f64)
    # Reduce all blocks first, so that they can run in parallel.
    totals = emit.fence(emit.reduce("mul", inside, [1]), [])
    _replace_product(op, emit.cast(emit.reduce("mul", totals, [0]), element))
    outer = _along(emit, totals, (0,), cotangent)
    # Read the tensor again, instead of saving values as large as the tensor.
    rows = _rows(emit, emit.fence(value, [outer]), blocks)
    factors = _running(emit, rows)[-1]
    # Down the columns first: their scans are vectorised side by side.
    above = emit.scan("mul", factors, 1, reverse=False, exclusive=True)
    below = emit.scan("mul", factors, 1, reverse=True, exclusive=True)
    last = [emit.reindex(each, (blocks[0], blocks[2]), [dim(0), BLOCK - 1, dim(1)]) for each in (above, factors)]
    columns = emit.map("mul", *last)
    across = emit.map("mul", spread(emit, outer, columns, [1]), _others(emit, columns, 1))
    others = emit.map("mul", spread(emit, across, factors, [1]), emit.map("mul", above, below))
    before = [others, *(emit.map("mul", others, each) for each in _running(emit, rows[:-1]))]
    behind = _running(emit, rows[:0:-1])[::-1]
    found = [*(emit.map("mul", *pair) for pair in zip(before, behind, strict=False)), before[-1]]
    return emit.interleave([emit.cast(each, element) for each in found], [size])


def _replace_product(op: uop.ReduceOp, found: SSAValue) -> None:
    """Replace an earlier product by an equal one that the gradient computes, unless the earlier one is used before the
    gradient."""
    block, made = op.parent_block(), found.owner
    assert block is not None and isinstance(made, Operation), "both are operations of one function"
    users = {block.find_ancestor_op_in_block(use.operation) for use in op.result.uses}
    needed = next((each for each in block.ops if each in users or each is made), made)
    if made.parent is block and needed is made:
        op.result.replace_all_uses_with(found)


def _rows(emit: Emit, value: SSAValue, blocks: Shape) -> list[SSAValue]:
    """The rows of the small matrices that a flat tensor is read as, padded with ones."""
    one = number(1, element_of(value))
    matrix = dim(0) * BLOCK + dim(1)
    places = [(matrix * ROWS + row) * COLUMNS + dim(2) for row in range(ROWS)]
    return [emit.cast(emit.window(value, blocks, [place], one), f64) for place in places]


def _running(emit: Emit, values: Sequence[SSAValue]) -> list[SSAValue]:
    """The prefix products of the values."""
    found = [values[0]]
    for each in values[1:]:
        found.append(emit.map("mul", found[-1], each))
    return found


def _delinearized(position: Index, shape: Shape) -> list[Index]:
    """The indices in a tensor of an element of its flattened form."""
    found: list[Index] = []
    for axis in reversed(range(len(shape))):
        found.append(position % shape[axis] if axis else position)
        position = position // shape[axis]
    return found[::-1]


def _identity_indices(shape: Shape) -> list[Index]:
    """The indices of a tensor's elements."""
    return [dim(axis) for axis in range(len(shape))]
