"""Sums of products along axis 2 of tiles: a loop over steps of K, each with a product of two tiles.

The tiles of the factors are computed from their loads, whatever their index maps are. The first tile has the rows of the result
and K along axis 1, the second has the columns and K along axis 0. Steps run along the innermost loop of K, once for each point
of the outer loops of K, whose indices are the same for a whole tile. If the outer loops have lanes too, steps run along all
loops of K, flattened.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue

from ...dialects import loop, tile
from ...dialects.tile.base import element_dtype, element_type
from ...ir.index.expressions import Index, ceildiv, dim, index
from ...ir.scalars.attributes import number
from ...ir.types.dtypes import FLOAT32
from ...passes.analysis.reductions import statements
from ...passes.loop.kernels.patterns import Nest, carrying_nest
from ...passes.loop.kernels.products import Factor, factors
from .kernel import Kernel
from .tile_builder import Lanes


def write_products(kernel: Kernel, level: loop.ForOp) -> None:
    """Write a sum of products, whose loops are lanes of axis 2."""
    reduction = carrying_nest(level)
    found = factors(reduction)
    assert found is not None and level.lanes is not None, "loops along axis 2 sum products"
    # The factor of the columns depends on the columns; the factor of the rows may be a private tile, with one row for each
    # point of a program.
    first, second = found if _has_axis(found[1], 1) else (found[1], found[0])
    rows, columns = (next(axis for axis in kernel.axes if axis.position == k) for k in (0, 1))
    steps = _Steps(reduction)
    start = kernel.fit(kernel.values[level.carried[0]], (rows.size, columns.size))
    if kernel.is_within(steps.end, steps.step):
        kernel.bind(level.results[0], _product(kernel, (first, second), steps, None, start))
        return
    bounds, at = kernel.compact([index(0), steps.end], [])
    inner = kernel.builder.add(tile.ForOp(bounds, at, steps.step, [start], kernel.width))
    inner.induction.name_hint = "start"
    with kernel.nested(inner.body.block, level):
        kernel.bounds[inner.induction] = (index(0), steps.end - 1)
        kernel.builder.add(tile.YieldOp(_product(kernel, (first, second), steps, inner.induction, inner.carried_args[0])))
    kernel.bind(level.results[0], inner.results[0])


def _product(kernel: Kernel, pair: tuple[Factor, Factor], steps: _Steps, step: SSAValue | None, start: SSAValue) -> SSAValue:
    """The product of two tiles at a step, or at the only step, added to `start`."""
    rows, columns = (next(axis for axis in kernel.axes if axis.position == k) for k in (0, 1))
    a = _factor(kernel, pair[0], steps, step, 1, (rows.size, steps.lanes), rows)
    b = _factor(kernel, pair[1], steps, step, 0, (steps.lanes, columns.size), columns)
    return kernel.add(tile.DotOp(a, b, start, tf32=kernel.tf32 and element_dtype(a) is FLOAT32))


def _has_axis(factor: Factor, axis: int) -> bool:
    return any(each.tile_axis == axis for each in factor.loops)


class _Steps:
    """The steps along K. The inner loops of the reduction (`along`) are cut into tiles of `lanes` positions, one for each step;
    the other loops of the reduction run sequentially."""

    def __init__(self, reduction: Nest):
        last = reduction.body.lanes
        assert last is not None, "loops along axis 2 have lanes"
        self.lanes = last.value.data
        outside = [level for level in reduction.loops if level.lanes != last]
        self.outside = Nest(tuple(outside))
        self.along = Nest(reduction.loops[len(outside) :])
        self.in_turn = ceildiv(self.along.size, self.lanes)
        # The loop counts steps if several loops of the reduction run, otherwise positions.
        self.step = 1 if outside else self.lanes
        self.end = self.outside.size * self.in_turn if outside else self.along.size

    def enter(self, kernel: Kernel, step: SSAValue | None, position: int) -> None:
        """Map the loops to a step: lanes along an axis of tiles, and the indices of the sequential loops."""
        if step is None:
            kernel.enter(position, self.lanes, kernel.arange(position, self.lanes), self.along, once=True)
            return
        first: Index = dim(0)
        if self.outside.loops:
            outer = kernel.index(dim(0) // self.in_turn, [step], ())
            kernel.bounds[outer] = (index(0), self.outside.size - 1)
            kernel.enter_indices(outer, self.outside)
            first = dim(0) % self.in_turn * self.lanes
        lane = kernel.arange(position, self.lanes)
        flat = kernel.index(first + dim(1), [step, lane])
        kernel.enter(position, self.lanes, flat, self.along)


def _factor(
    kernel: Kernel, factor: Factor, steps: _Steps, step: SSAValue | None, position: int, shape: Sequence[int], axis: Lanes
) -> SSAValue:
    """The tile of one factor at a step, with K along axis `position` and 0 in idle lanes."""
    saved = dict(kernel.values)
    with kernel.scope():
        kernel.axes = (axis,)
        steps.enter(kernel, step, position)
        own = steps.along.body.body.block
        kernel.body([op for op in statements(steps.along.body) if op in factor.statements and op.parent is own])
        value = kernel.fit(kernel.values[factor.value], shape)
        active = kernel.mask_for(shape)
        if active is not None and not isinstance(value.owner, tile.LoadOp):
            value = kernel.compute("select", active, value, kernel.constant(number(0, element_type(value)), shape))
    kernel.values = saved
    return value
