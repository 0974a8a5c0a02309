"""Contraction scheme: a sum of products of two operands is tiled for matrix units.

The accesses determine the role of each loop: of the loops enclosing the reduction, those that index both operands (or
neither) are batch loops, those that index only the first are M, only the second N; the reduction's own loops are K. This covers
matrix products, einsums of two operands and convolutions alike. Each program computes one BM x BN tile of one batch, with a
loop over K in steps of BK; the operand tiles are computed from their loads, whatever their index maps are.

Products and sums are exact or rounded to float32. Half-precision operands are multiplied as stored.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from xdsl.dialects.builtin import f32
from xdsl.ir import Attribute, Block, BlockArgument, Operation, SSAValue

from ...dialects import loop, tile
from ...dialects.tile.base import element_type
from ...ir.index.expressions import Index, ceildiv, dim, index
from ...ir.scalars.attributes import number
from ...ir.types.dtypes import dtype_of
from .kernel import Kernel
from .patterns import Accumulation, Nest, carrying_nest, folds, is_rectangular, is_straight_line, statements, uncast
from .schemes import WARPS, bounded_size, index_width, inside

# The smallest tile of matrix units, and the tile sizes for operands of 4 and 2 bytes.
LEAST = 16
TILES = MappingProxyType({4: (64, 64, 32), 2: (128, 128, 64)})


@dataclass(frozen=True)
class Operand:
    """One factor of the products: its value, and the statements that compute it."""

    value: SSAValue
    statements: tuple[Operation, ...]
    loops: frozenset[loop.ForOp]


@dataclass
class ContractionScheme:
    """Each program computes one M x N tile, for one iteration of the batch loops."""

    block: loop.BlockOp
    outer: Nest
    reduction: Nest
    operands: tuple[Operand, Operand]
    batch: Nest
    m: Nest
    n: Nest
    sizes: tuple[int, int, int]
    width: Attribute
    rank: int = 2
    warps: int = WARPS

    @property
    def grid(self) -> Index:
        bm, bn, _ = self.sizes
        return self.batch.size * ceildiv(self.m.size, bm) * ceildiv(self.n.size, bn)

    def write(self, kernel: Kernel) -> None:
        self._enter(kernel)
        for op in inside(self.block, self.outer):
            with kernel.builder.source(op):
                if op is self.reduction.loops[0]:
                    self._write_products(kernel)
                else:
                    kernel.lower(op)

    def _enter(self, kernel: Kernel) -> None:
        bm, bn, _ = self.sizes
        tiles_m, tiles_n = ceildiv(self.m.size, bm), ceildiv(self.n.size, bn)
        program = kernel.add(tile.ProgramIdOp(kernel.width))
        program.name_hint = "program"
        kernel.bounds[program] = (index(0), self.grid - 1)
        kernel.ranges = kernel.ranges.assuming(*(size - 1 for nest in (self.batch, self.m, self.n) for size in nest.extents))
        if self.batch.loops:
            at = kernel.index(dim(0) // tiles_n // tiles_m, [program], kernel.ones)
            kernel.bounds[at] = (index(0), self.batch.size - 1)
            kernel.enter_indices(at, self.batch)
        for position, size, number_of, nest in (
            (0, bm, dim(0) // tiles_n % tiles_m, self.m),
            (1, bn, dim(0) % tiles_n, self.n),
        ):
            lane = kernel.arange(position, size)
            kernel.enter(position, size, kernel.index(number_of * size + dim(1), [program, lane]), nest)

    def _write_products(self, kernel: Kernel) -> None:
        bm, bn, bk = self.sizes
        first = self.reduction.loops[0]
        start = kernel.constant(number(0, f32), (bm, bn))
        bounds, at = kernel.compact([index(0), self.reduction.size], [])
        level = kernel.builder.add(tile.ForOp(bounds, at, bk, [start], kernel.width))
        level.induction.name_hint = "start"
        axis_m, axis_n = kernel.axes
        with kernel.builder.at(level.body.block):
            kernel.axes = (axis_m,)
            a = self._operand(kernel, self.operands[0], level.induction, 1, (bm, bk))
            kernel.axes = (axis_n,)
            b = self._operand(kernel, self.operands[1], level.induction, 0, (bk, bn))
            product = kernel.add(tile.DotOp(a, b, level.carried_args[0]))
            kernel.builder.add(tile.YieldOp(product))
        kernel.axes = (axis_m, axis_n)
        total = kernel.compute("add", kernel.values[first.carried[0]], level.results[0])
        kernel.bind(first.results[0], total)

    def _operand(self, kernel: Kernel, operand: Operand, start: SSAValue, position: int, shape: tuple[int, int]) -> SSAValue:
        """The tile of one factor, with K along axis `position` and 0 in idle lanes."""
        saved = dict(kernel.values)
        with kernel.scope():
            lane = kernel.arange(position, shape[position])
            flat = kernel.add(tile.IndexOp(dim(0) + dim(1), [start, lane], lane.type))
            kernel.enter(position, shape[position], flat, self.reduction)
            kernel.body([op for op in operand.statements if op.parent is self.reduction.body.body.block])
            value = kernel.fit(kernel.values[operand.value], shape)
            active = kernel.mask_for(shape)
            if active is not None and not isinstance(value.owner, tile.LoadOp):
                value = kernel.compute("select", active, value, kernel.constant(number(0, element_type(value)), shape))
        kernel.values = saved
        return value


def contraction_scheme(block: loop.BlockOp, outer: Nest) -> ContractionScheme | None:
    """The scheme for a block whose only inner loop sums products of floats, otherwise None."""
    loops = [op for op in inside(block, outer) if isinstance(op, loop.ForOp)]
    if len(loops) != 1 or any(level.kind.data != "parallel" for level in outer.loops):
        return None
    reduction = carrying_nest(loops[0])
    operands = _factors(reduction)
    if operands is None:
        return None
    used = [operand.loops for operand in operands]
    if not all(used[0] & used[1] >= {level} for level in reduction.loops):
        return None
    batch, m, n = (
        Nest(tuple(level for level in outer.loops if (level in used[0], level in used[1]) in parts))
        for parts in (((True, True), (False, False)), ((True, False),), ((False, True),))
    )
    element = dtype_of(operands[0].value.type)
    limits = TILES[element.itemsize]
    if any(_is_narrow(nest) for nest in (m, n, reduction)):
        return None
    extents = (m.size, n.size, reduction.size)
    bm, bn, bk = (max(LEAST, bounded_size(extent, limit)) for extent, limit in zip(extents, limits, strict=True))
    warps = 8 if bm * bn >= 128 * 128 else WARPS
    return ContractionScheme(block, outer, reduction, operands, batch, m, n, (bm, bn, bk), index_width(block), warps=warps)


def _is_narrow(nest: Nest) -> bool:
    """Whether most lanes of a tile would be idle along a loop nest."""
    size = nest.size.constant
    return not nest.loops or (size is not None and size < LEAST // 2)


def _factors(reduction: Nest) -> tuple[Operand, Operand] | None:
    """The two factors of a reduction that is a float32 sum of products and nothing else, otherwise None."""
    body = reduction.body
    if body.kind.data != "reduction" or not is_straight_line(body) or not all(map(is_rectangular, reduction.loops)):
        return None
    found = folds(body)
    if found is None or len(found) != 1 or not isinstance(found[0], Accumulation) or found[0].function != "add":
        return None
    product = uncast(found[0].value).owner
    if body.carried_args[0].type != f32 or not isinstance(product, loop.ComputeOp) or product.function.data != "mul":
        return None
    if dtype_of(product.result.type) != dtype_of(f32):
        return None
    if any(isinstance(op, loop.StoreOp | loop.UpdateOp | loop.CheckOp) for op in statements(body)):
        return None
    first, second = (_operand(value) for value in _as_stored(*product.inputs))
    return (first, second) if first is not None and second is not None else None


def _as_stored(a: SSAValue, b: SSAValue) -> tuple[SSAValue, SSAValue]:
    """The factors before their casts to float32, if both have the same half-precision type."""
    before = [value.owner.input if isinstance(value.owner, loop.CastOp) else value for value in (a, b)]
    kind = dtype_of(before[0].type)
    halves = kind.is_float and kind.bits == 16 and before[1].type == before[0].type
    return (before[0], before[1]) if halves else (a, b)


def _operand(value: SSAValue) -> Operand | None:
    """A factor with the statements that compute it; None unless these are only loads and arithmetic."""
    needed: dict[Operation, None] = {}
    loops: set[loop.ForOp] = set()
    pending = [value]
    while pending:
        current = pending.pop()
        if isinstance(current, BlockArgument):
            level = current.block.parent_op()
            if isinstance(level, loop.ForOp) and current is not level.induction:
                return None
            if isinstance(level, loop.ForOp):
                loops.add(level)
            continue
        op = current.owner
        if isinstance(op, Block) or op in needed:
            continue
        if op.regions:
            return None
        needed[op] = None
        pending += _used(op)
    return Operand(value, tuple(_in_order(needed)), frozenset(loops))


def _used(op: Operation) -> Sequence[SSAValue]:
    """The scalars that an operation depends on, without indices that none of its expressions uses."""
    if not isinstance(op, loop.LoadOp | loop.IndexOp | loop.TestOp):
        return [] if isinstance(op, loop.AllocOp | loop.DataOp) else list(op.operands)
    exprs = [*op.index_map.results, *op.guard_exprs]
    return [value for k, value in enumerate(op.operands_at) if any(k in expr.dims() for expr in exprs)]


def _in_order(ops: dict[Operation, None]) -> Iterator[Operation]:
    blocks = {op.parent for op in ops}
    for block in blocks:
        if block is not None:
            yield from (op for op in block.ops if op in ops)
