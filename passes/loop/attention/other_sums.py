"""Other sums in the block of a softmax move to a block of their own, which reads the exponentials.

    for rows: m = ...; l, t = for j: e[rows, j] = exp(s[rows, j] - m), add e[rows, j], add e[rows, j] * p[rows, j]; z = f(l, t)
 ->
    for rows: m = ...; l = for j: e[rows, j] = exp(s[rows, j] - m), add e[rows, j]; total[rows] = l
    for rows: t = for j: add e[rows, j] * p[rows, j]; z = f(total[rows], t)

A gradient of attention by itself has such sums. In a block of their own they are sums that `loop-recompute-weights` recognises.
A block is divided if a product computes its scores, and if other blocks read the exponentials or elements computed from them:
those elements would go through memory otherwise.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint
from xdsl.traits import Pure

from ....dialects import loop
from ....ir.index.expressions import Atom, Dim, IndexLike
from ....ir.nesting import operations
from ....ir.rewrite import Builder, count, derive_copy, erase
from ...analysis.loop_nests import Frame
from ...analysis.reductions import accumulations, statements
from ..builder import Writer
from ..kernels.patterns import Nest, inside, outer_nest
from .attention import block_of, is_plain
from .recomputation import product_store


@dataclass(frozen=True)
class _Parts:
    """A block of rows with maxima and sums. `store` writes the exponentials; the result `total` of the sums' loop is their
    total."""

    block: loop.BlockOp
    outer: Nest
    maxima: loop.ForOp
    sums: loop.ForOp
    added: tuple[loop.ComputeOp, ...]
    store: loop.StoreOp
    total: int


def divide_sums(block: loop.BlockOp) -> None:
    """Divide a block if it has sums other than the total of a softmax."""
    parts = _parts_of(block)
    if parts is None or not _is_wanted(parts):
        return
    first = _parts_of(_copy(block))
    assert first is not None, "a copy has the same parts"
    function = block.parent_op()
    assert function is not None and function.regions[0].block.first_op is not None, "blocks stand in functions"
    builder = Builder(InsertPoint.before(function.regions[0].block.first_op), parts.sums)
    kind = parts.sums.results[parts.total].type
    totals = Writer(Frame(), builder).allocate(list(parts.outer.extents), kind, None, "totals")
    _keep_total(first, totals)
    _keep_others(parts, totals)
    count("sums-divided", "Number of blocks whose sums beside the total of a softmax got a block of their own")


def _copy(block: loop.BlockOp) -> loop.BlockOp:
    """Insert a copy of a block before the block. The copy has the same buffers."""
    copy = block.clone()
    derive_copy(copy, block)
    Builder(InsertPoint.before(block), block).add(copy)
    return copy


def _parts_of(block: loop.BlockOp) -> _Parts | None:
    outer = outer_nest(block)
    loops = [op for op in inside(block, outer) if op.regions]
    if len(loops) < 2 or not outer.loops or not all(map(is_plain, outer.loops)):
        return None
    maxima, sums, *elements = loops
    if any(not isinstance(level, loop.ForOp) or not is_plain(level) for level in elements):
        return None
    if not isinstance(maxima, loop.ForOp) or not isinstance(sums, loop.ForOp) or sums.kind.data != "reduction":
        return None
    added, stores = accumulations(sums) or [], [op for op in operations(sums) if isinstance(op, loop.StoreOp)]
    is_whole = sums.lower == 0 and sums.step.value.data == 1 and not sums.upper.dims()
    if len(added) < 2 or any(op.function.data != "add" for op in added) or len(stores) != 1 or not is_whole:
        return None
    totals = [k for k, op in enumerate(added) if op.inputs[1] is stores[0].value]
    if len(totals) != 1 or any(isinstance(op, loop.UpdateOp | loop.CheckOp) or op.regions for op in statements(sums)):
        return None
    return _Parts(block, outer, maxima, sums, tuple(added), stores[0], totals[0])


def _is_wanted(parts: _Parts) -> bool:
    """Whether a product computes the scores, other blocks read the exponentials, and the other sums do not need the maxima."""
    power = parts.store.value.owner
    if not isinstance(power, loop.ComputeOp) or power.function.data != "exp":
        return False
    difference = power.inputs[0].owner
    load = difference.inputs[0].owner if isinstance(difference, loop.ComputeOp) else None
    if not isinstance(load, loop.LoadOp) or product_store(load.buffer) is None:
        return False
    is_read = any(block_of(use.operation) is not parts.block for use in parts.store.buffer.uses)
    if not is_read and not any(op.regions for op in _statements_behind(parts, parts.sums)):
        return False
    others = [op for k, op in enumerate(parts.added) if k != parts.total]
    needed = _needed(parts, (op.inputs[1] for op in others), parts.store.value)
    behind = _dependents(parts, parts.sums, [result for k, result in enumerate(parts.sums.results) if k != parts.total])
    if any(op.regions and op not in behind for op in _statements_behind(parts, parts.sums)):
        return False
    used = {value for each in (*needed, *behind) for op in operations(each) for value in op.operands}
    behind_sums = {parts.sums, *_statements_behind(parts, parts.sums)}
    shifts = [op for op in _dependents(parts, parts.maxima, parts.maxima.results) if op not in behind_sums]
    return used.isdisjoint([*parts.maxima.results, *(value for op in shifts for value in op.results)])


def _needed(parts: _Parts, values: Iterable[SSAValue], known: SSAValue | None) -> set[Operation]:
    """The statements of the sums' loop that compute values, except those that compute a known value."""
    found: set[Operation] = set()
    pending = list(values)
    while pending:
        value = pending.pop()
        op = value.owner
        if value is not known and isinstance(op, Operation) and parts.sums.is_ancestor(op) and op not in found:
            found.add(op)
            pending += op.operands
    return found


def _dependents(parts: _Parts, level: loop.ForOp, values: Sequence[SSAValue]) -> list[Operation]:
    """The statements of a row after a loop that depend on values, in order."""
    known = set(values)
    found: list[Operation] = []
    for op in _statements_behind(parts, level):
        if known & {value for each in operations(op) for value in each.operands}:
            found.append(op)
            known |= set(op.results)
    return found


def _statements_behind(parts: _Parts, level: loop.ForOp) -> list[Operation]:
    """The statements of a row after a loop."""
    row = [op for op in parts.outer.body.body.block.ops if not isinstance(op, loop.YieldOp)]
    return row[row.index(level) + 1 :]


def _keep_total(parts: _Parts, totals: SSAValue) -> None:
    """Reduce the block to the total and the exponentials, and store the total."""
    others = [result for k, result in enumerate(parts.sums.results) if k != parts.total]
    for op in reversed(_dependents(parts, parts.sums, others)):
        erase(op)
    writer, level = _write_sums(parts, [parts.total], None)
    with writer.inside(InsertPoint.after(level)):
        writer.store(level.results[0], totals, [writer.frame.index(each.induction) for each in parts.outer.loops])
    parts.sums.results[parts.total].replace_all_uses_with(level.results[0])
    erase(parts.sums)


def _keep_others(parts: _Parts, totals: SSAValue) -> None:
    """Reduce the block to the other sums, and the statements that depend on them."""
    others = [k for k in range(len(parts.added)) if k != parts.total]
    kept = _dependents(parts, parts.sums, [parts.sums.results[k] for k in others])
    for op in list(parts.outer.body.body.block.ops):
        if isinstance(op, loop.StoreOp) and op not in kept:
            erase(op)
    writer, level = _write_sums(parts, others, parts.store.value)
    with writer.inside(InsertPoint.before(level)):
        total = writer.load(totals, [writer.frame.index(each.induction) for each in parts.outer.loops])
    for k, result in enumerate(parts.sums.results):
        result.replace_all_uses_with(total if k == parts.total else level.results[others.index(k)])
    erase(parts.sums)
    for op in reversed(list(parts.outer.body.body.block.ops)):
        if op is parts.maxima or (op.has_trait(Pure) and not any(result.uses for result in op.results)):
            erase(op)


def _write_sums(parts: _Parts, kept: Sequence[int], loaded: SSAValue | None) -> tuple[Writer, loop.ForOp]:
    """Write a loop with the sums numbered `kept` before the old loop. It computes and stores the exponentials, or loads them if
    `loaded`."""
    frame = Frame()
    frame.tree(parts.block)
    writer = Writer(frame, Builder(InsertPoint.before(parts.sums), parts.sums))
    sums = parts.sums
    needed = _needed(parts, [parts.added[k].inputs[1] for k in kept], loaded)
    start = [sums.carried[k] for k in kept]
    with writer.carrying("reduction", sums.lower, sums.upper, start, hint=sums.induction.name_hint or "k") as (level, values):
        places: dict[Atom, IndexLike] = {Dim(frame.number(sums.induction)): frame.index(level.induction)}
        mapped: dict[SSAValue, SSAValue] = {}
        if loaded is not None:
            mapped[loaded] = writer.load(parts.store.buffer, [each.substitute(places) for each in frame.exprs(parts.store)])
        for op in statements(sums):
            if op in needed or (op is parts.store and loaded is None):
                writer.copy(op, mapped, places)
        for j, k in enumerate(kept):
            term = parts.added[k].inputs[1]
            values[j] = writer.compute("add", values[j], mapped.get(term, term))
    return writer, level
