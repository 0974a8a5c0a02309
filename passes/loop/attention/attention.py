"""Recognition of attention: scores that a product computes, the softmax of their rows, and a product with the weights.

    A: for rows, j: s[rows, j] = f(sum over c of q(rows, c) * k(j, c))
    B: for rows: m = max over j of s[rows, j]; e[rows, j] = exp(s[rows, j] - m); l = sum over j of e[rows, j]; ...
    C: for rows, d: y[rows, d] = g(sum over j of w(e[rows, j]) * v(j, d))

in three blocks. The function w multiplies or divides by a factor that does not depend on j, and no other block reads s and e.
The third block may be missing: a gradient of attention by itself reads s, e and the statistics of rows. Blocks are recognised
by their loops and accesses, not by the operations that they came from.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from xdsl.ir import BlockArgument, Operation, SSAValue

from ....dialects import loop
from ....ir.nesting import operations
from ....ir.scalars.attributes import value_of
from ....ir.types.dtypes import FLOAT32, dtype_of
from ....ir.types.shapes import shape_of
from ...analysis.loop_nests import Frame
from ...analysis.reductions import accumulations
from ..kernels.patterns import Nest, carrying_nest, guarded, inside, outer_nest
from ..kernels.products import Factor, factors

# The largest rows of results that a program accumulates.
WIDEST = 256


@dataclass(frozen=True)
class Scale:
    """A factor of the weights that does not depend on the summed index, with the function, "mul" or "div", that applies it."""

    function: str
    value: SSAValue


@dataclass(frozen=True)
class Attention:
    """The first two blocks, and their parts. `rows` has, for each axis of the rows, its loop in each block. A program computes
    several rows along the axis `tiled`. `store` writes the scores, `stored` the exponentials. `itemsize` is the size of a
    factor's element in bytes."""

    scores: loop.BlockOp
    softmax: loop.BlockOp
    rows: tuple[tuple[loop.ForOp, ...], ...]
    tiled: int
    keys: loop.ForOp
    store: loop.StoreOp
    stored: loop.StoreOp
    maxima: loop.ForOp
    sums: loop.ForOp
    is_finite: bool
    itemsize: int
    output: Output | None

    @property
    def blocks(self) -> tuple[loop.BlockOp, ...]:
        """The blocks, in order."""
        return (self.scores, self.softmax, *([self.output.block] if self.output is not None else []))


@dataclass(frozen=True)
class Output:
    """The third block of an attention: it sums products of `weights` and `values` over `summed`, for each index of `depth`."""

    block: loop.BlockOp
    depth: loop.ForOp
    summed: loop.ForOp
    weights: Factor
    values: Factor
    scales: tuple[Scale, ...]


def attentions(blocks: Sequence[loop.BlockOp]) -> Iterator[Attention]:
    """All attentions among the blocks of a function, in order."""
    for block in blocks:
        found = attention_of(block) or statistics_of(block)
        if found is not None and is_movable(found):
            yield found


def attention_of(output: loop.BlockOp, *, read_elsewhere: bool = False) -> Attention | None:
    """The attention with this output; `read_elsewhere` allows other blocks to read scores and exponentials."""
    outer = outer_nest(output)
    summed = only_sum(output, outer)
    if summed is None:
        return None
    pair = factors(Nest((summed,)))
    if pair is None:
        return None
    for weights, values in (pair, pair[::-1]):
        source = _linear_in_load(weights, summed)
        if source is None:
            continue
        load, scales = source
        softmax = _only_writer(load.buffer, [load], read_elsewhere)
        if softmax is None:
            continue
        rows = _row_statistics(softmax)
        if rows is None:
            continue
        scored = _only_writer(rows.loads[0].buffer, rows.loads, read_elsewhere)
        if scored is None:
            continue
        found = _match(output, outer, summed, (weights, values), (load, scales), rows, scored)
        if found is not None:
            return found
    return None


def statistics_of(softmax: loop.BlockOp, *, read_elsewhere: bool = False) -> Attention | None:
    """The attention without an output whose statistics of rows a block computes; other blocks may read the elements as in
    `attention_of`."""
    for store in operations(softmax):
        rows = _row_statistics(store) if isinstance(store, loop.StoreOp) and store.parent_op() is not softmax else None
        if rows is None or _only_writer(rows.store.buffer, [], read_elsewhere) is None:
            continue
        scored = _only_writer(rows.loads[0].buffer, rows.loads, read_elsewhere)
        axes = _axes(rows, scored) if scored is not None else None
        if scored is None or axes is None:
            continue
        tiled = [k for k, (a, _) in enumerate(axes.rows) if a not in axes.key_side.loops]
        if tiled:
            return _attention(rows, scored, axes, axes.rows, tiled[-1], axes.key_side.dtype.itemsize, None)
    return None


def only_sum(block: loop.BlockOp, outer: Nest) -> loop.ForOp | None:
    """The loop of a block that has one loop, from zero on, inside its parallel loops."""
    conditions, _ = guarded(block)
    loops = [op for op in inside(block, outer) if op.regions]
    if conditions or not outer.loops or any(not is_plain(level) for level in outer.loops):
        return None
    if len(loops) != 1 or not isinstance(loops[0], loop.ForOp) or len(loops[0].carried) != 1:
        return None
    return loops[0] if is_zero(loops[0].carried[0]) else None


def is_plain(level: loop.ForOp) -> bool:
    return level.kind.data == "parallel" and level.lower == 0 and level.step.value.data == 1


def is_zero(value: SSAValue) -> bool:
    return isinstance(value.owner, loop.ConstantOp) and value_of(value.owner.value) == 0


def _linear_in_load(factor: Factor, summed: loop.ForOp) -> tuple[loop.LoadOp, tuple[Scale, ...]] | None:
    """The only load of a temporary in a factor that is linear in it, and the scales that multiply or divide it."""
    value, scales = factor.value, list[Scale]()
    while True:
        op = value.owner
        if isinstance(op, loop.CastOp) and dtype_of(value.type).is_float and dtype_of(op.input.type).is_float:
            value = op.input
        elif isinstance(op, loop.ComputeOp) and op.function.data in ("mul", "div"):
            sides = [_depends_on(each, summed) for each in op.inputs]
            if sides == [True, False]:
                value, other = op.inputs
            elif sides == [False, True] and op.function.data == "mul":
                other, value = op.inputs
            else:
                return None
            scales.append(Scale(op.function.data, other))
        elif isinstance(op, loop.LoadOp) and isinstance(op.buffer.owner, loop.AllocOp) and not op.guard_exprs:
            return op, tuple(scales)
        else:
            return None


def _depends_on(value: SSAValue, level: loop.ForOp) -> bool:
    if value is level.induction:
        return True
    op = value.owner
    return isinstance(op, Operation) and level.is_ancestor(op) and any(_depends_on(each, level) for each in op.operands)


def _only_writer(buffer: SSAValue, readers: Sequence[Operation], read_elsewhere: bool) -> loop.StoreOp | None:
    """The only store to a temporary; None if it has several. Only `readers` may read the temporary or, with `read_elsewhere`,
    other blocks by loads."""
    others = [use.operation for use in buffer.uses if use.operation not in readers]
    if read_elsewhere:
        others = [each for each in others if not isinstance(each, loop.LoadOp)]
    if not isinstance(buffer.owner, loop.AllocOp) or len(others) != 1:
        return None
    store = others[0]
    return store if isinstance(store, loop.StoreOp) and not store.guard_exprs else None


@dataclass(frozen=True)
class _Rows:
    """The block of the softmax: its loops, and the loads of scores in them."""

    block: loop.BlockOp
    outer: Nest
    maxima: loop.ForOp
    sums: loop.ForOp
    is_finite: bool
    store: loop.StoreOp
    loads: tuple[loop.LoadOp, loop.LoadOp]


def _row_statistics(store: loop.StoreOp) -> _Rows | None:
    """The maxima and the sums of exponentials of a block, given the store of the exponentials."""
    block = block_of(store)
    outer, (conditions, _) = outer_nest(block), guarded(block)
    loops = [op for op in inside(block, outer) if op.regions]
    if conditions or len(loops) != 2 or any(not is_plain(level) for level in outer.loops):
        return None
    maxima, sums = loops
    if not isinstance(maxima, loop.ForOp) or not isinstance(sums, loop.ForOp):
        return None
    if _functions(maxima) != ["max"] or _functions(sums) != ["add"] or not is_zero(sums.carried[0]):
        return None
    if _range(maxima) != _range(sums) or dtype_of(sums.results[0].type) is not FLOAT32:
        return None
    start = maxima.carried[0].owner
    if not isinstance(start, loop.ConstantOp) or value_of(start.value) != float("-inf"):
        return None
    (best,), (total,) = _accumulations(maxima), _accumulations(sums)
    power, first = total.inputs[1].owner, best.inputs[1].owner
    if not isinstance(power, loop.ComputeOp) or power.function.data != "exp" or store.value is not power.result:
        return None
    difference = power.inputs[0].owner
    if not isinstance(difference, loop.ComputeOp) or difference.function.data != "sub":
        return None
    second, shift = difference.inputs[0].owner, difference.inputs[1]
    if not isinstance(first, loop.LoadOp) or not isinstance(second, loop.LoadOp) or first.buffer is not second.buffer:
        return None
    if sum(isinstance(op, loop.StoreOp | loop.UpdateOp) for op in (*operations(maxima), *operations(sums))) != 1:
        return None
    finite = _is_where_finite(shift, maxima.results[0])
    if shift is not maxima.results[0] and not finite:
        return None
    return _Rows(block, outer, maxima, sums, finite, store, (first, second))


def _functions(level: loop.ForOp) -> list[str]:
    return [op.function.data for op in _accumulations(level)] if level.kind.data == "reduction" else []


def _accumulations(level: loop.ForOp) -> list[loop.ComputeOp]:
    return accumulations(level) or []


def _range(level: loop.ForOp) -> tuple[object, ...]:
    return level.lower, level.upper, level.step


def _is_where_finite(shift: SSAValue, maximum: SSAValue) -> bool:
    """Whether a shift is the maximum where that is finite, and 0 elsewhere."""
    op = shift.owner
    if not isinstance(op, loop.ComputeOp) or op.function.data != "select" or op.inputs[1] is not maximum:
        return False
    test = op.inputs[0].owner
    is_test = isinstance(test, loop.ComputeOp) and test.function.data == "isfinite" and test.inputs[0] is maximum
    return is_test and is_zero(op.inputs[2])


@dataclass(frozen=True)
class _Axes:
    """The loops of each axis of the rows in the blocks of scores and softmax, the loop over keys in the scores, and the factor
    of the scores that depends on keys."""

    rows: tuple[tuple[loop.ForOp, loop.ForOp], ...]
    keys: loop.ForOp
    key_side: Factor


def _axes(rows: _Rows, scored: loop.StoreOp) -> _Axes | None:
    """The correspondence between the axes of the scores and those of the rows; None if the axes do not correspond, or if no
    product computes the scores."""
    scores = block_of(scored)
    first = outer_nest(scores)
    inner = only_sum(scores, first)
    product = factors(carrying_nest(inner)) if inner is not None else None
    if product is None or scored.parent is not first.body.body.block or len(_stores(scores)) != 1:
        return None
    # The loops of each axis of scores and of weights, in both blocks.
    in_scores, in_maxima, in_sums, stored = (loops_of(op) for op in (scored, *rows.loads, rows.store))
    if in_scores is None or in_maxima is None or in_sums is None or stored is None:
        return None
    if {*in_scores} != {*first.loops} or {*stored} != {*rows.outer.loops, rows.sums}:
        return None
    pairs: list[tuple[loop.ForOp, loop.ForOp]] = []
    keys = None
    for a, b, c in zip(in_scores, in_maxima, in_sums, strict=True):
        if b is rows.maxima and c is rows.sums:
            keys = a
        elif b is c and b in stored:
            pairs.append((a, b))
        else:
            return None
    if keys is None or len(pairs) != len(rows.outer.loops):
        return None
    if any(len({_range(level) for level in each}) != 1 for each in [*pairs, (keys, rows.sums)]):
        return None
    queries = next((each for each in product if keys not in each.loops), None)
    if queries is None:
        return None
    return _Axes(tuple(pairs), keys, product[1] if queries is product[0] else product[0])


def _match(
    output: loop.BlockOp,
    outer: Nest,
    summed: loop.ForOp,
    pair: tuple[Factor, Factor],
    source: tuple[loop.LoadOp, tuple[Scale, ...]],
    rows: _Rows,
    scored: loop.StoreOp,
) -> Attention | None:
    """The attention of an output block and this softmax, if a product computes the scores, and all axes match."""
    (weights, values), (load, scales) = pair, source
    axes, stored, loaded = _axes(rows, scored), loops_of(rows.store), loops_of(load)
    if axes is None or not stored or not loaded or len(_stores(output)) != 1:
        return None
    triples = tuple((a, b, loaded[stored.index(b)]) for a, b in axes.rows)
    others = [level for level in outer.loops if all(level is not c for _, _, c in triples)]
    if len(others) != 1 or loaded[stored.index(rows.sums)] is not summed:
        return None
    if any(len({_range(level) for level in each}) != 1 for each in [*triples, (rows.sums, summed)]):
        return None
    depth = others[0]
    width = Nest((depth,)).size.constant
    if width is None or width > WIDEST or depth not in values.loops:
        return None
    tiled = [k for k, (a, _, c) in enumerate(triples) if a not in axes.key_side.loops and c not in values.loops]
    if not tiled:
        return None
    found = Output(output, depth, summed, weights, values, scales)
    return _attention(rows, scored, axes, triples, tiled[-1], weights.dtype.itemsize, found)


def _attention(
    rows: _Rows,
    scored: loop.StoreOp,
    axes: _Axes,
    loops: Sequence[tuple[loop.ForOp, ...]],
    tiled: int,
    itemsize: int,
    output: Output | None,
) -> Attention:
    return Attention(
        scores=block_of(scored),
        softmax=rows.block,
        rows=tuple(loops),
        tiled=tiled,
        keys=axes.keys,
        store=scored,
        stored=rows.store,
        maxima=rows.maxima,
        sums=rows.sums,
        is_finite=rows.is_finite,
        itemsize=itemsize,
        output=output,
    )


def loops_of(op: loop.LoadOp | loop.StoreOp) -> list[loop.ForOp] | None:
    """The loops whose indices address an access, a different loop for each axis; None for other addresses. Axes of size 1 have
    no loop."""
    frame = Frame()
    found: list[loop.ForOp] = []
    for expr, numbered, size in zip(frame.exprs(op), op.index_map.results, shape_of(op.buffer), strict=True):
        if expr == 0 and size == 1:
            continue
        position = next(iter(numbered.dims()), None)
        value = op.operands_at[position] if position is not None else None
        level = value.block.parent_op() if isinstance(value, BlockArgument) else None
        if not isinstance(level, loop.ForOp) or level in found or expr != frame.index(level.induction):
            return None
        found.append(level)
    return found


def loads_of(op: Operation) -> list[loop.LoadOp]:
    """The loads in an operation."""
    return [each for each in operations(op) if isinstance(each, loop.LoadOp)]


def _stores(block: loop.BlockOp) -> list[Operation]:
    return [op for op in operations(block) if isinstance(op, loop.StoreOp | loop.UpdateOp | loop.CheckOp)]


def block_of(op: Operation) -> loop.BlockOp:
    around = op.parent_op()
    while not isinstance(around, loop.BlockOp):
        assert around is not None, "accesses are in blocks"
        around = around.parent_op()
    return around


def is_movable(found: Attention) -> bool:
    """Whether all blocks of an attention can move down to the last of them, past the blocks in between."""
    moving, last = (found.scores, found.softmax), found.blocks[-1]
    reads = {op.buffer for block in moving for op in operations(block) if isinstance(op, loop.LoadOp)}
    writes = {op.buffer for block in moving for op in operations(block) if isinstance(op, loop.StoreOp)}
    op = found.scores.next_op
    while op is not last:
        if op is None or isinstance(op, loop.FenceOp | loop.RunOp):
            return False
        if op is not found.softmax:
            for each in operations(op):
                if isinstance(each, loop.StoreOp | loop.UpdateOp) and each.buffer in reads | writes:
                    return False
                if isinstance(each, loop.LoadOp) and each.buffer in writes:
                    return False
        op = op.next_op
    return True
