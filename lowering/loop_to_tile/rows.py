"""Row scheme: inner reductions, scans and parallel loops are spread over lanes.

Tiles are rows x columns: rows are points of the outer index space, and inner loops run along the columns, in chunks if they
are longer than a tile. A reduction accumulates each column separately, and combines the columns once at the end; a scan
processes a chunk at a time and carries its last element to the next chunk.

The scheme is chosen if consecutive iterations of an inner loop access consecutive memory, or if there are too few rows to fill
the GPU. Otherwise adjacent rows belong in adjacent lanes, as in the general scheme.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from xdsl.dialects.builtin import FloatAttr, IntegerAttr, i64
from xdsl.ir import Attribute, Operation, SSAValue

from ...dialects import loop, tile
from ...dialects.tile.base import element_dtype, element_type, has_reduction
from ...ir.index.expressions import Index, ceildiv, dim
from ...ir.scalars.attributes import neutral, number
from ...ir.types.dtypes import dtype_of
from .kernel import Kernel, Lanes
from .patterns import (
    Accumulation,
    Extremum,
    Fold,
    Nest,
    accesses,
    accumulation,
    carrying_nest,
    folds,
    is_rectangular,
    is_straight_line,
    statements,
    stride,
    uncast,
)
from .schemes import WARPS, bounded_size, enter_points, index_width, inside

TILE = 1024
# The columns of a tile if the trip count of the inner loops is unknown.
COLUMNS = 256
# Shorter inner loops are not spread over lanes if there are enough rows.
SHORT = 16
FEW_ROWS = 512


@dataclass
class RowScheme:
    """Each program processes `rows` points of the outer index space, and `columns` iterations of inner loops at a time."""

    block: loop.BlockOp
    nest: Nest
    rows: int
    columns: int
    width: Attribute
    rank: int = 2
    warps: int = WARPS

    @property
    def grid(self) -> Index:
        return ceildiv(self.nest.size, self.rows)

    def write(self, kernel: Kernel) -> None:
        kernel.inner = self
        enter_points(kernel, self.nest, self.rows)
        kernel.body(inside(self.block, self.nest))

    def write_loop(self, kernel: Kernel, level: loop.ForOp) -> bool:
        nest = carrying_nest(level)
        if any(axis.position == 1 for axis in kernel.axes) or not fits_columns(nest):
            return False
        if level.kind.data == "sequential":
            _write_scan(kernel, nest, self.columns)
        else:
            _write_reduction(kernel, nest, self.columns)
        return True


def row_scheme(block: loop.BlockOp, outer: Nest) -> RowScheme | None:
    """The scheme for a block with inner loops worth spreading over lanes, otherwise None."""
    nests = [nest for nest in _inner_nests(inside(block, outer)) if fits_columns(nest)]
    rows = outer.size.constant
    few = rows is not None and rows < FEW_ROWS
    if not any(_is_long(nest) and (few or _is_contiguous(nest, outer)) for nest in nests):
        return None
    if any(level.kind.data == "reduction" for level in outer.loops):
        return None
    longest = TILE if few else COLUMNS
    known = [nest.size.constant for nest in nests]
    columns = max(
        bounded_size(nest.size, TILE if length is not None else longest) for nest, length in zip(nests, known, strict=True)
    )
    return RowScheme(block, outer, bounded_size(outer.size, max(1, TILE // columns)), columns, index_width(block))


def fits_columns(nest: Nest) -> bool:
    """Whether the iterations of a nest can be spread over lanes."""
    body = nest.body
    if not is_straight_line(body) or not all(is_rectangular(level) for level in nest.loops):
        return False
    if any(isinstance(op, loop.UpdateOp) for op in statements(body)):
        return False
    match body.kind.data:
        case "parallel":
            return not body.carried
        case "reduction":
            return not any(isinstance(op, loop.StoreOp) for op in statements(body)) and _folds_natively(nest)
        case "sequential":
            return len(nest.loops) == 1 and bool(body.carried) and _scans(body) is not None
        case _:
            return False


def _folds_natively(nest: Nest) -> bool:
    """Whether tile reductions support the accumulation of every carried scalar."""
    found = folds(nest.body)
    return bool(found) and all(_folds_tiles(fold, nest.loops[0].carried) for fold in found)


def _folds_tiles(fold: Fold, carried: Sequence[SSAValue]) -> bool:
    """Whether a tile reduction supports an accumulation with these initial values: an extremum must start from the worst value,
    at position 0."""
    start = carried[fold.position]
    if isinstance(fold, Accumulation):
        return has_reduction(fold.function, dtype_of(start.type).compute)
    return _is_constant(start, _worst(fold, start.type)) and _is_constant(carried[fold.position + 1], number(0, i64))


def _scans(body: loop.ForOp) -> list[Accumulation] | None:
    """The accumulations of a scan, whose elements do not depend on carried values."""
    found: list[Accumulation] = []
    for position, carried in enumerate(body.carried_args):
        fold = accumulation(body, position)
        if fold is None or dtype_of(carried.type).kind == "bool":
            return None
        found.append(fold)
    tainted = set(body.carried_args)
    for op in statements(body):
        if tainted & set(op.operands):
            tainted |= set(op.results)
    return found if not any(fold.value in tainted for fold in found) else None


def _inner_nests(ops: Sequence[Operation]) -> Iterator[Nest]:
    """The outermost inner loops that can be spread over lanes, at any depth."""
    for op in ops:
        if isinstance(op, loop.ForOp):
            nest = carrying_nest(op)
            if fits_columns(nest):
                yield nest
            else:
                yield from _inner_nests(statements(op))


def _is_long(nest: Nest) -> bool:
    return nest.size.constant is None or nest.size.constant > SHORT


def _is_contiguous(nest: Nest, outer: Nest) -> bool:
    """Whether most accesses are contiguous along the inner loop rather than along the rows."""
    votes = 0
    for access in accesses(statements(nest.body)):
        votes += stride(access, nest.body) in (1, -1)
        votes -= bool(outer.loops) and stride(access, outer.body) in (1, -1)
    return votes > 0


# Writing


@dataclass
class Chunk:
    """One chunk of iterations, at positions `flat`: the values carried into it and, once set, out of it."""

    flat: SSAValue
    carried: tuple[SSAValue, ...]
    values: tuple[SSAValue, ...] = ()
    results: tuple[SSAValue, ...] = ()


@contextmanager
def _chunks(kernel: Kernel, nest: Nest, columns: int, starts: Sequence[SSAValue]) -> Iterator[Chunk]:
    """Open a loop over chunks of `columns` iterations of `nest`; the operations of the `with` body go into it."""
    total = nest.size
    lane = kernel.arange(1, columns)
    if total.constant is not None and total.constant <= columns:
        with kernel.scope():
            kernel.enter(1, columns, lane, nest)
            chunk = Chunk(lane, tuple(starts))
            yield chunk
        chunk.results = chunk.values
        return
    bounds, at = kernel.compact([Index({}), total], [])
    level = kernel.builder.add(tile.ForOp(bounds, at, columns, starts, kernel.width))
    level.induction.name_hint = "start"
    with kernel.scope(), kernel.builder.at(level.body.block):
        flat = kernel.add(tile.IndexOp(dim(0) + dim(1), [level.induction, lane], lane.type))
        kernel.enter(1, columns, flat, nest)
        chunk = Chunk(flat, level.carried_args)
        yield chunk
        kernel.builder.add(tile.YieldOp(*chunk.values))
    chunk.results = tuple(level.results)


def _write_reduction(kernel: Kernel, nest: Nest, columns: int) -> None:
    """Write a reduction, or a loop without carried values."""
    first, body = nest.loops[0], nest.body
    shape = (kernel.shape[0], columns)
    found = folds(body) or []
    starts: list[SSAValue] = []
    for fold in found:
        element = body.carried_args[fold.position].type
        if isinstance(fold, Accumulation):
            starts.append(kernel.identity(fold.function, element, shape))
        else:
            starts.append(kernel.constant(_worst(fold, element), shape))
            starts.append(kernel.constant(number(0, i64), shape))
    with _chunks(kernel, nest, columns, starts) as chunk:
        for old, new in zip(body.carried_args, chunk.carried, strict=True):
            kernel.bind(old, new)
        kernel.body(statements(body))
        active = kernel.mask_for(shape)
        following = [kernel.fit(kernel.values[value], shape) for value in body.yielded]
        if active is not None:
            pairs = zip(following, chunk.carried, strict=True)
            following = [kernel.compute("select", active, new, old) for new, old in pairs]
        chunk.values = tuple(following)
    for fold in found:
        if isinstance(fold, Accumulation):
            total = _fold(kernel, fold.function, chunk.results[fold.position])
            start = kernel.values[first.carried[fold.position]]
            kernel.bind(first.results[fold.position], kernel.compute_wide(fold.function, start, total))
            continue
        best, position = _first_extremum(kernel, fold, *chunk.results[fold.position : fold.position + 2])
        kernel.bind(first.results[fold.position], best)
        kernel.bind(first.results[fold.position + 1], position)


def _write_scan(kernel: Kernel, nest: Nest, columns: int) -> None:
    """Write a scan: each chunk is scanned as a tile and combined with the total carried from earlier chunks."""
    body = nest.body
    found = _scans(body)
    assert found is not None, "the loop is a scan"
    starts = [kernel.fit(kernel.values[value], kernel.shape) for value in body.carried]
    with _chunks(kernel, nest, columns, starts) as chunk:
        shape = kernel.shape
        last = kernel.test([dim(0) - (columns - 1)], [kernel.arange(1, columns)])
        own: set[Operation] = set()
        following: list[SSAValue] = []
        for fold, before in zip(found, chunk.carried, strict=True):
            chain = _chain(body, fold)
            exclusive = any(use.operation not in chain for use in body.carried_args[fold.position].uses)
            element = _shifted(kernel, nest, chunk.flat, fold) if exclusive else _element(kernel, body, fold)
            active = kernel.mask_for(shape)
            element = kernel.fit(element, shape)
            if active is not None:
                element = kernel.compute(
                    "select", active, element, kernel.identity(fold.function, element_type(element), shape)
                )
            scanned = kernel.add(tile.ScanOp(fold.function, element, 1))
            total = kernel.compute(fold.function, kernel.cast(before, element_type(element)), scanned)
            total = kernel.cast(total, element_type(before))
            if exclusive:
                kernel.bind(body.carried_args[fold.position], total)
            else:
                kernel.bind(fold.next, total)
                own |= chain
            following.append(_pick(kernel, last, total))
        kernel.body([op for op in statements(body) if op not in own and not _is_written(kernel, op)])
        chunk.values = tuple(kernel.fit(value, (*shape[:1], 1)) for value in following)
    for old, new in zip(body.results, chunk.results, strict=True):
        kernel.bind(old, new)


def _fold(kernel: Kernel, function: str, value: SSAValue) -> SSAValue:
    """Reduce the columns of a tile to one."""
    element = element_type(value)
    wide = kernel.cast(value, element_dtype(value).compute.type)
    return kernel.cast(kernel.add(tile.ReduceOp(function, wide, 1)), element)


def _first_extremum(kernel: Kernel, fold: Extremum, value: SSAValue, position: SSAValue) -> tuple[SSAValue, SSAValue]:
    """The extremum of each row, and the smallest position that has it."""
    wide = kernel.cast(value, element_dtype(value).compute.type)
    best = kernel.add(tile.ReduceOp("max" if fold.order == "gt" else "min", wide, 1))
    hit = kernel.compute("eq", wide, best)
    if element_dtype(wide).is_float:
        hit = kernel.compute("or", hit, kernel.compute("isnan", wide))
    none = kernel.constant(number(dtype_of(i64).highest, i64))
    at = kernel.add(tile.ReduceOp("min", kernel.compute("select", hit, position, none), 1))
    return kernel.cast(best, element_type(value)), at


def _element(kernel: Kernel, body: loop.ForOp, fold: Accumulation) -> SSAValue:
    """The tile of elements that the iterations of a scan combine."""
    kernel.body([op for op in _slice(body, fold.value) if not _is_written(kernel, op)])
    return kernel.values[fold.value]


def _is_written(kernel: Kernel, op: Operation) -> bool:
    """Whether the results of a statement are computed already."""
    return bool(op.results) and all(result in kernel.values for result in op.results)


def _shifted(kernel: Kernel, nest: Nest, flat: SSAValue, fold: Accumulation) -> SSAValue:
    """The element of the previous iteration; the first iteration has none."""
    saved = dict(kernel.values)
    with kernel.scope():
        later = kernel.test([dim(0) - 1], [flat])
        position = kernel.add(tile.IndexOp(dim(0) - 1, [flat], flat.type))
        kernel.axes = tuple(
            Lanes(axis.position, axis.size, _both(kernel, axis.mask, later)) if axis.position == 1 else axis
            for axis in kernel.axes
        )
        kernel.enter_indices(position, nest)
        element = _element(kernel, nest.body, fold)
        neutral = kernel.identity(fold.function, element_type(element), kernel.shape)
        element = kernel.compute("select", later, element, neutral)
    kernel.values = saved
    return element


def _both(kernel: Kernel, mask: SSAValue | None, other: SSAValue) -> SSAValue:
    return other if mask is None else kernel.compute("and", mask, other)


def _pick(kernel: Kernel, where: SSAValue, value: SSAValue) -> SSAValue:
    """The single column of `value` that `where` selects."""
    element = element_type(value)
    wide = kernel.cast(value, element_dtype(value).compute.type)
    zero = kernel.constant(number(0, element_type(wide)))
    return kernel.cast(kernel.add(tile.ReduceOp("add", kernel.compute("select", where, wide, zero), 1)), element)


def _chain(body: loop.ForOp, fold: Accumulation) -> set[Operation]:
    """The operations that combine the carried value with the element."""
    compute = uncast(fold.next).owner
    assert isinstance(compute, loop.ComputeOp), "an accumulation is a computation"
    chain: set[Operation] = {compute}
    value = fold.next
    while value.owner is not compute:
        assert isinstance(value.owner, loop.CastOp), "accumulations are recognised through casts"
        chain.add(value.owner)
        value = value.owner.input
    casts = (side.owner for side in compute.inputs if uncast(side) is body.carried_args[fold.position])
    return chain | {cast for cast in casts if isinstance(cast, loop.CastOp)}


def _slice(body: loop.ForOp, value: SSAValue) -> list[Operation]:
    """The statements of `body` that `value` depends on, in order."""
    needed = {value}
    found: list[Operation] = []
    for op in reversed(statements(body)):
        if needed & set(op.results):
            found.append(op)
            needed |= set(op.operands)
    return found[::-1]


def _worst(fold: Extremum, element: Attribute) -> FloatAttr | IntegerAttr:
    """The identity of an extremum: no element is worse."""
    return neutral("max" if fold.order == "gt" else "min", element)


def _is_constant(value: SSAValue, expected: FloatAttr | IntegerAttr) -> bool:
    return isinstance(value.owner, loop.ConstantOp) and value.owner.value == expected
