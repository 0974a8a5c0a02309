"""Loops whose iterations are lanes along an axis of tiles: reductions, scans and parallel loops.

If there are more iterations than lanes, they run in chunks. A reduction accumulates each lane separately, and combines the
lanes once at the end; a scan processes a chunk at a time and carries its last element to the next chunk.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from xdsl.dialects.builtin import i64
from xdsl.ir import Operation, SSAValue

from ...dialects import loop, tile
from ...dialects.loop.structure import AXES
from ...dialects.tile.base import element_dtype, element_type
from ...ir.diagnostics import LegalityError
from ...ir.index.expressions import Index, dim
from ...ir.scalars.attributes import number
from ...ir.types.dtypes import dtype_of
from ...passes.analysis.folds import Extremum, folds
from ...passes.analysis.reductions import Accumulation, statements, uncast
from ...passes.loop.kernels.patterns import Nest, carrying_nest
from ...passes.loop.kernels.schedules import scans, worst
from .kernel import Kernel
from .products import write_products
from .tile_builder import Lanes


def write_lanes(kernel: Kernel, level: loop.ForOp) -> None:
    """Write a loop that has an axis, with the inner loops that it passes its carried values to."""
    assert level.lanes is not None and level.tile_axis is not None, "a loop with a schedule"
    if level.tile_axis == AXES - 1:
        write_products(kernel, level)
        return
    nest = carrying_nest(level)
    if any(inner.axis != level.axis or inner.lanes != level.lanes for inner in nest.loops):
        raise LegalityError(
            f"'{level.name}': expected one axis and one number of lanes for all loops of a reduction", level.location
        )
    columns = level.lanes.value.data
    if level.kind.data == "sequential":
        _write_scan(kernel, nest, level.tile_axis, columns)
    else:
        _write_reduction(kernel, nest, level.tile_axis, columns)


@dataclass
class Chunk:
    """One chunk of iterations, at positions `flat`: the values carried into it and, once set, out of it."""

    flat: SSAValue
    carried: tuple[SSAValue, ...]
    values: tuple[SSAValue, ...] = ()
    results: tuple[SSAValue, ...] = ()


@contextmanager
def _chunks(kernel: Kernel, nest: Nest, axis: int, columns: int, starts: Sequence[SSAValue]) -> Iterator[Chunk]:
    """Open a loop over chunks of `columns` iterations of `nest`; the operations of the `with` body go into it."""
    total = nest.size
    lane = kernel.arange(axis, columns)
    if kernel.is_within(total, columns):
        with kernel.scope():
            kernel.enter(axis, columns, lane, nest, once=True)
            chunk = Chunk(lane, tuple(starts))
            yield chunk
        chunk.results = chunk.values
        return
    bounds, at = kernel.compact([Index({}), total], [])
    level = kernel.builder.add(tile.ForOp(bounds, at, columns, starts, kernel.width))
    level.induction.name_hint = "start"
    with kernel.scope(), kernel.nested(level.body.block, nest.loops[0]):
        flat = kernel.add(tile.IndexOp(dim(0) + dim(1), [level.induction, lane], lane.type))
        kernel.enter(axis, columns, flat, nest)
        chunk = Chunk(flat, level.carried_args)
        yield chunk
        kernel.builder.add(tile.YieldOp(*chunk.values))
    chunk.results = tuple(level.results)


def _along(kernel: Kernel, axis: int, columns: int) -> tuple[int, ...]:
    """The shape of a tile that varies along an axis in addition to those of the enclosing loops."""
    return tuple(columns if k == axis else size for k, size in enumerate(kernel.shape))


def _write_reduction(kernel: Kernel, nest: Nest, axis: int, columns: int) -> None:
    """Write a reduction, or a loop without carried values."""
    first, body = nest.loops[0], nest.body
    shape = _along(kernel, axis, columns)
    found = folds(body) or []
    starts: list[SSAValue] = []
    for fold in found:
        element = body.carried_args[fold.position].type
        if isinstance(fold, Accumulation):
            starts.append(kernel.identity(fold.function, element, shape))
        else:
            starts.append(kernel.constant(worst(fold, element), shape))
            starts.append(kernel.constant(number(0, i64), shape))
    with _chunks(kernel, nest, axis, columns, starts) as chunk:
        for old, new in zip(body.carried_args, chunk.carried, strict=True):
            kernel.bind(old, new)
        kernel.body(statements(body))
        active = kernel.mask_for(shape)
        following = [kernel.fit(kernel.values[value], shape) for value in body.yielded]
        if kernel.is_within(nest.size, columns):
            # A single chunk is not accumulated onto earlier ones.
            for fold in found:
                if isinstance(fold, Accumulation):
                    element = kernel.cast(kernel.values[fold.value], body.carried_args[fold.position].type)
                    following[fold.position] = kernel.fit(element, shape)
        if active is not None:
            pairs = zip(following, chunk.carried, strict=True)
            following = [kernel.compute("select", active, new, old) for new, old in pairs]
        chunk.values = tuple(following)
    for fold in found:
        if isinstance(fold, Accumulation):
            total = _fold(kernel, fold.function, chunk.results[fold.position], axis)
            start = kernel.values[first.carried[fold.position]]
            kernel.bind(first.results[fold.position], kernel.compute_wide(fold.function, start, total))
            continue
        values, positions = chunk.results[fold.position : fold.position + 2]
        best, position = _first_extremum(kernel, fold, values, positions, axis)
        kernel.bind(first.results[fold.position], best)
        kernel.bind(first.results[fold.position + 1], position)


def _write_scan(kernel: Kernel, nest: Nest, axis: int, columns: int) -> None:
    """Write a scan: each chunk is scanned as a tile and combined with the total carried from earlier chunks."""
    body = nest.body
    found = scans(body)
    assert found is not None, "the loop is a scan"
    outer = kernel.shape
    starts = [kernel.fit(kernel.values[value], outer) for value in body.carried]
    with _chunks(kernel, nest, axis, columns, starts) as chunk:
        shape = kernel.shape
        last = kernel.test([dim(0) - (columns - 1)], [kernel.arange(axis, columns)])
        own: set[Operation] = set()
        following: list[SSAValue] = []
        for fold, before in zip(found, chunk.carried, strict=True):
            chain = _chain(body, fold)
            exclusive = any(use.operation not in chain for use in body.carried_args[fold.position].uses)
            element = _shifted(kernel, nest, chunk.flat, fold, axis) if exclusive else _element(kernel, body, fold)
            active = kernel.mask_for(shape)
            element = kernel.fit(element, shape)
            if active is not None:
                element = kernel.compute(
                    "select", active, element, kernel.identity(fold.function, element_type(element), shape)
                )
            scanned = kernel.add(tile.ScanOp(fold.function, element, axis))
            total = kernel.compute(fold.function, kernel.cast(before, element_type(element)), scanned)
            total = kernel.cast(total, element_type(before))
            if exclusive:
                kernel.bind(body.carried_args[fold.position], total)
            else:
                kernel.bind(fold.next, total)
                own |= chain
            following.append(_pick(kernel, last, total, axis))
        kernel.body([op for op in statements(body) if op not in own and not _is_written(kernel, op)])
        chunk.values = tuple(kernel.fit(value, outer) for value in following)
    for old, new in zip(body.results, chunk.results, strict=True):
        kernel.bind(old, new)


def _fold(kernel: Kernel, function: str, value: SSAValue, axis: int) -> SSAValue:
    """Reduce an axis of a tile to one lane."""
    element = element_type(value)
    wide = kernel.cast(value, element_dtype(value).compute.type)
    return kernel.cast(kernel.add(tile.ReduceOp(function, wide, axis)), element)


def _first_extremum(
    kernel: Kernel, fold: Extremum, value: SSAValue, position: SSAValue, axis: int
) -> tuple[SSAValue, SSAValue]:
    """The extremum along an axis, and the smallest position that has it."""
    wide = kernel.cast(value, element_dtype(value).compute.type)
    best = kernel.add(tile.ReduceOp("max" if fold.order == "gt" else "min", wide, axis))
    hit = kernel.compute("eq", wide, best)
    if element_dtype(wide).is_float:
        hit = kernel.compute("or", hit, kernel.compute("isnan", wide))
    none = kernel.constant(number(dtype_of(i64).highest, i64))
    at = kernel.add(tile.ReduceOp("min", kernel.compute("select", hit, position, none), axis))
    return kernel.cast(best, element_type(value)), at


def _element(kernel: Kernel, body: loop.ForOp, fold: Accumulation) -> SSAValue:
    """The tile of elements that the iterations of a scan combine."""
    kernel.body([op for op in _slice(body, fold.value) if not _is_written(kernel, op)])
    return kernel.values[fold.value]


def _is_written(kernel: Kernel, op: Operation) -> bool:
    """Whether the results of a statement have been computed already."""
    return bool(op.results) and all(result in kernel.values for result in op.results)


def _shifted(kernel: Kernel, nest: Nest, flat: SSAValue, fold: Accumulation, axis: int) -> SSAValue:
    """The element of the previous iteration; the first iteration has none."""
    saved = dict(kernel.values)
    # Values that the iteration itself has computed, as for another accumulation, belong to other lanes.
    for result in [result for op in statements(nest.body) for result in op.results]:
        kernel.values.pop(result, None)
    with kernel.scope():
        later = kernel.test([dim(0) - 1], [flat])
        position = kernel.add(tile.IndexOp(dim(0) - 1, [flat], flat.type))
        kernel.axes = tuple(
            Lanes(each.position, each.size, _both(kernel, each.mask, later)) if each.position == axis else each
            for each in kernel.axes
        )
        kernel.enter_indices(position, nest)
        element = _element(kernel, nest.body, fold)
        neutral = kernel.identity(fold.function, element_type(element), kernel.shape)
        element = kernel.compute("select", later, element, neutral)
    kernel.values = saved
    return element


def _both(kernel: Kernel, mask: SSAValue | None, other: SSAValue) -> SSAValue:
    return other if mask is None else kernel.compute("and", mask, other)


def _pick(kernel: Kernel, where: SSAValue, value: SSAValue, axis: int) -> SSAValue:
    """The single lane of `value` along an axis that `where` selects."""
    element = element_type(value)
    wide = kernel.cast(value, element_dtype(value).compute.type)
    zero = kernel.constant(number(0, element_type(wide)))
    return kernel.cast(kernel.add(tile.ReduceOp("add", kernel.compute("select", where, wide, zero), axis)), element)


def _chain(body: loop.ForOp, fold: Accumulation) -> set[Operation]:
    """The operations that combine the carried value with the element."""
    compute = fold.compute
    chain: set[Operation] = {compute}
    value = fold.next
    while value.owner is not compute:
        assert isinstance(value.owner, loop.CastOp), "accumulations are recognised through casts"
        chain.add(value.owner)
        value = value.owner.input
    casts = (side.owner for side in compute.inputs if uncast(side) is fold.carried)
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
