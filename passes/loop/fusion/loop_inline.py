"""loop-inline: inline blocks that compute a temporary elementwise into the loads of that temporary.

    block: t[i] = exp(x[i])                    block: y[j] = exp(x[j + 1])
    block: y[j] = t[j + 1]            ->

A buffer is a candidate if it is a temporary with one writing block: a nest of parallel loops over exactly its axes,
straight-line, with one unguarded store at the loops' own indices. Axes of size 1 need no loop.

1. Visit blocks in order to decide which loads are inlined, so that the cost of a producer includes that of the producers
   inlined into it.
2. Visit blocks from last to first. Erase a block without readers. In the others, replace each load to be inlined by the
   producer's statements, with the loops' indices replaced by the load's; do the same for the loads that this inserts. Every
   statement is copied directly to its final position, so that the work is linear in the length of a chain.
3. Guards of an inlined load move to the loads and checks of its producer, and to a select of the fill value at the end.
4. Erase buffers without readers.

Inlining a producer with several readers repeats its computation. Up to `recompute` additions per element are repeated; loads
and index arithmetic are free, since they replace a store and a load. Overlapping windows, as of convolutions, read an element
for many results: for them the limit is `sliding` additions. Windows that only one result reads, as of depthwise convolutions,
share `recompute` additions among all windows with an element. Beyond the limit the windows are stored, and the producer may be
fused with the nest before it. Broadcasting an axis of size 1 repeats no work.

A producer is not inlined where it would move more cache lines than its stored result, because the reader's loops cannot be
reordered: such as a transpose in a sum of rows (`analysis/cost.py`). Nests of parallel loops read it in tiles. If the result
has more axes than its operands, as the windows of an image have, the operands are stored instead of the result.

With `affine_tiles`, as on CPUs, tiles are loops with affine addresses and without checks. A producer is then stored if it reads
at indices that are data, and a contraction reads it; or if it checks its indices or is read at indices that are data, and a
nest of parallel loops reads its operands across rows.

With `epilogues`, the epilogue of a contraction keeps its own block (`epilogues.py`), for `loop-fuse` to fuse with the
contraction.

A remark on each temporary that remains says why it is stored.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import prod

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from ....dialects import loop
from ....ir.debug_counters import may_rewrite
from ....ir.functions.entry import lowered_functions
from ....ir.index.expressions import Dim, Index, dim
from ....ir.index.simplify import Ranges
from ....ir.nesting import operations
from ....ir.rewrite import Builder, erase, remark
from ....ir.scalars.attributes import number
from ....ir.types.dtypes import dtype_of
from ....ir.types.shapes import IndexMap, shape_of
from ...analysis.producers import Overwritten, Plan, Producer, Read, enclosing, is_plain, obstacle, producer_of, written_in
from ...analysis.recomputation import RECOMPUTE
from ...analysis.reductions import COSTLY
from ...analysis.windows import repeats
from ...manager.options import limited
from .epilogues import finished_by, is_contraction
from .orders import in_order

_COPIED = "its readers inline a copy of it in another order"
_GATHERED = "a contraction reads it, whose tiles need addresses that do not depend on data"
_ORDER = "a sum or scan reads it in another order than its operands are stored in"
_FINISHED = "a contraction and its epilogue compute it: its readers would repeat the work of both"


@dataclass(frozen=True)
class LoopInline(ModulePass):
    """`recompute` is the most additions that each further read of an element may repeat; `indices` is that limit for elements
    used as indices, `sliding` that for reads of overlapping windows. `expanded` is that limit for elements of a temporary with
    axes of size 1 that is computed from arguments with fewer axes: readers then read fewer bytes. `epilogues` keeps the
    epilogues of contractions in their blocks. `affine_tiles` stores producers that tiles of contractions and transposes could
    not read by affine addresses without checks. A load of an element at indices that are data costs as much as `gathered`
    additions."""

    name = "loop-inline"

    recompute: int = limited(RECOMPUTE, least=0)
    indices: int = limited(RECOMPUTE, least=0)
    sliding: int = limited(0, least=0)
    expanded: int = limited(0, least=0)
    epilogues: int = limited(0, least=0, most=1)
    affine_tiles: int = limited(0, least=0, most=1)
    gathered: int = limited(0, least=0)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in lowered_functions(op):
            inline_function(function, self)


def inline_function(function: FuncOp, bounds: LoopInline) -> None:
    """Inline producers into their consumers, and erase producers without remaining readers."""
    blocks = [op for op in function.body.block.ops if isinstance(op, loop.BlockOp)]
    plan = _plan(blocks, Overwritten(function), bounds)
    for block in reversed(blocks):
        if all(_is_dead(buffer) for buffer in written_in(block)):
            erase(block)
            continue
        pending = [op for op in _loads(operations(block)) if op in plan]
        while pending:
            pending.extend(_inline(pending.pop(), plan))
    _erase_unread_buffers(function)


def _plan(blocks: Sequence[loop.BlockOp], overwritten: Overwritten, bounds: LoopInline) -> Plan:
    """The loads to inline, with their producers."""
    plan: Plan = {}
    # Buffers that are stored for all of their readers, with the reason.
    kept: dict[SSAValue, str] = {}
    # The loads whose producers, inlined ones included, check indices.
    checking: set[Operation] = set()
    for block in blocks:
        for load in _loads(operations(block)):
            if not isinstance(load.buffer.owner, loop.AllocOp):
                continue
            producer = producer_of(load.buffer, block, plan, bounds.gathered)
            if producer is None:
                remark(load.buffer.owner, obstacle(load.buffer, block))
                continue
            reason = _reason_to_store(load, producer, plan, kept, overwritten, bounds)
            checks = any(isinstance(op, loop.CheckOp) or op in checking for op in producer.statements)
            fits = partial(in_order, load, affine_tiles=bool(bounds.affine_tiles), checks=checks)
            if reason is None and not fits(producer, plan):
                # Once a buffer is stored for one reader, all readers load it.
                repeated = _repeated(load.buffer, producer, plan)
                without = {each: read for each, read in plan.items() if each not in repeated}
                fewer = producer_of(load.buffer, block, without, bounds.gathered) if repeated else None
                if fewer is not None and fits(fewer, without):
                    producer, plan = fewer, without
                    _keep((each.buffer for each in repeated), kept)
                else:
                    reason = kept[load.buffer] = _ORDER
            if reason is None and not may_rewrite(load):
                reason = kept[load.buffer] = "a debug counter says so"
            if reason is None:
                plan[load] = Read(producer, load.guard_exprs, load.fill)
                checking |= {load} if checks else set()
            else:
                remark(load.buffer.owner, reason)
        if bounds.affine_tiles and is_contraction(block, plan):
            kept.update(dict.fromkeys(_gathered(block, plan), _GATHERED))
        overwritten.note(block, plan)
        if bounds.epilogues:
            kept.update(dict.fromkeys(finished_by(block, plan), _FINISHED))
    return plan


def _keep(buffers: Iterable[SSAValue], kept: dict[SSAValue, str]) -> None:
    """Store buffers that a sum or scan would read through their producers in another order."""
    for buffer in buffers:
        kept[buffer] = _ORDER
        if isinstance(buffer.owner, loop.AllocOp):
            remark(buffer.owner, _ORDER)


def _repeated(buffer: SSAValue, producer: Producer, plan: Plan) -> set[loop.LoadOp]:
    """The outermost loads of arrays with fewer axes than the buffer, among the planned loads that an element of the buffer
    depends on: an image that windows read is such an array. Each of its elements would be computed for many elements of the
    buffer."""
    found: set[loop.LoadOp] = set()
    seen: set[loop.LoadOp] = set()
    pending = _loads(producer.statements)
    while pending:
        load = pending.pop()
        if load not in plan or load in seen:
            continue
        seen.add(load)
        if len(shape_of(load.buffer)) < len(shape_of(buffer)):
            found.add(load)
        else:
            pending += _loads(plan[load].producer.statements)
    return found


def _reason_to_store(
    load: loop.LoadOp,
    producer: Producer,
    plan: Plan,
    kept: Mapping[SSAValue, str],
    overwritten: Overwritten,
    bounds: LoopInline,
) -> str | None:
    """Why the buffer of a load is stored; None if the load can inline its producer."""
    *_, block = enclosing(load)
    assert isinstance(block, loop.BlockOp), "loads are in blocks"
    if load.buffer in kept:
        return kept[load.buffer]
    if not overwritten.keeps(producer, block):
        return "an array that it is computed from is overwritten before it is read"
    limit = _repeat_limit(load, producer, plan, bounds)
    if producer.cost <= limit:
        return None
    if producer.cost >= COSTLY and _is_scanned_wider(load):
        return "a scan reads it, whose vectors have fewer lanes: it accumulates wider elements"
    if _read_once(load):
        return _COPIED if _is_read_through_copies(block, producer, bounds) else None
    readers = sum(isinstance(use.operation, loop.LoadOp) for use in load.buffer.uses)
    again = "in overlapping windows" if _slides(load) else "repeatedly"
    who = f"{readers} statements read" if readers > 1 else f"a loop reads {again}"
    return f"{who}, and each read would repeat the work of {producer.cost} additions; the limit is {limit}"


def _is_read_through_copies(block: loop.BlockOp, producer: Producer, bounds: LoopInline) -> bool:
    """Whether a block only copies a producer's elements to other indices, for readers that would repeat the producer's work.
    The readers inline the copy instead."""
    for buffer in written_in(block):
        copy = producer_of(buffer, None, {})
        loads = [use.operation for use in buffer.uses if isinstance(use.operation, loop.LoadOp)]
        if copy is None or copy.cost > 0 or copy.block is not block:
            return False
        if any(producer.cost > _repeat_limit(load, copy, {}, bounds) and not _read_once(load) for load in loads):
            return True
    return False


def _repeat_limit(load: loop.LoadOp, producer: Producer, plan: Plan, bounds: LoopInline) -> int:
    """The number of additions that inlining a load may at most repeat, for a load that reads elements repeatedly."""
    if None in producer.indices:
        return min(bounds.expanded, bounds.recompute) if _expands(producer, plan) else 0
    if _is_index(load):
        return min(bounds.indices, bounds.recompute)
    if not _slides(load):
        return bounds.recompute
    most = min(bounds.sliding, bounds.recompute)
    return most if _is_invariant_in_a_loop(load) else max(most, bounds.recompute // _windows_with_element(load))


def _expands(producer: Producer, plan: Plan) -> bool:
    """Whether a producer has more elements than each array that it is computed from, none of which is a temporary: the mask of
    lengths `j < n[i]` has."""
    loops = {induction for induction in producer.indices if induction is not None}
    pending = _loads(producer.statements)
    seen: set[loop.LoadOp] = set()
    while pending:
        load = pending.pop()
        if load in seen:
            continue
        seen.add(load)
        if load in plan:
            pending += _loads(plan[load].producer.statements)
        elif isinstance(load.buffer.owner, loop.AllocOp) or len(shape_of(load.buffer)) >= len(loops):
            return False
    return True


def _gathered(block: loop.BlockOp, plan: Plan) -> Iterator[SSAValue]:
    """The temporaries that a block reads through inlined producers and that are computed from reads at indices which are data.
    Takes the loads of these temporaries out of the plan."""
    pending = _loads(operations(block))
    while pending:
        load = pending.pop()
        owner = load.buffer.owner
        if load not in plan or not isinstance(owner, loop.AllocOp):
            continue
        producer = plan[load].producer
        inside = _loads(producer.statements)
        if any(value not in producer.indices for each in inside for value in each.operands_at):
            del plan[load]
            remark(owner, _GATHERED)
            yield load.buffer
        else:
            pending += inside


def _loads(ops: Iterable[Operation]) -> list[loop.LoadOp]:
    return [op for op in ops if isinstance(op, loop.LoadOp)]


def _is_scanned_wider(load: loop.LoadOp) -> bool:
    """Whether a scan along rows reads the buffer and carries elements of a wider type."""
    scan = next((level for level in enclosing(load) if isinstance(level, loop.ForOp)), None)
    if scan is None or scan.kind.data != "sequential" or scan.induction not in load.operands_at or not load.index_map.results:
        return False
    along = {load.operands_at[position] for position in load.index_map.results[-1].dims()}
    size = dtype_of(load.result.type).itemsize
    return scan.induction in along and any(dtype_of(each.type).itemsize > size for each in scan.carried)


def _is_index(load: loop.LoadOp) -> bool:
    """Whether a loaded value is used as an index."""
    return any(
        isinstance(use.operation, loop.IndexedOp) and load.result in use.operation.operands_at for use in load.result.uses
    )


def _erase_unread_buffers(function: FuncOp) -> None:
    for op in reversed(list(function.body.block.ops)):
        if isinstance(op, loop.AllocOp | loop.DataOp) and not op.result.uses:
            erase(op)


def _is_dead(buffer: SSAValue) -> bool:
    """Whether a temporary is only written; stores and updates do not count as reads."""
    written = all(isinstance(use.operation, loop.StoreOp | loop.UpdateOp) for use in buffer.uses)
    return isinstance(buffer.owner, loop.AllocOp) and written


def _read_once(load: loop.LoadOp) -> bool:
    """Whether no element is loaded twice: there is one load, whose address is injective in all enclosing loops."""
    if sum(isinstance(use.operation, loop.LoadOp) for use in load.buffer.uses) != 1:
        return False
    told_apart = {load.operands_at[position] for expr in load.index_map.results for position in _injective_in(expr)}
    return all(level.induction in told_apart for level in enclosing(load) if isinstance(level, loop.ForOp))


def _slides(load: loop.LoadOp) -> bool:
    """Whether a load reads overlapping windows."""
    return _windows_with_element(load) > 1


def _windows_with_element(load: loop.LoadOp) -> int:
    """The number of overlapping windows that hold an element: for each axis with windows the least known extent of its loops (2
    if none is known), multiplied."""
    trips = {level.induction: level.trips for level in enclosing(load) if isinstance(level, loop.ForOp)}
    extents = {position: trips.get(value) for position, value in enumerate(load.operands_at)}
    overlapping = [expr.dims() for expr in load.index_map.results if repeats(expr, extents, unknown=False)]
    known = ([size for position in dims if (size := extents[position])] for dims in overlapping)
    return prod(min(each, default=2) for each in known)


def _is_invariant_in_a_loop(load: loop.LoadOp) -> bool:
    """Whether a load reads the same element for all indices of an enclosing loop."""
    used = {load.operands_at[position] for expr in load.index_map.results for position in expr.dims()}
    return any(isinstance(level, loop.ForOp) and level.induction not in used for level in enclosing(load))


def _injective_in(expr: Index) -> Iterator[int]:
    """The dimension d of an expression c * d + k: the expression is injective in d."""
    for position in expr.dims():
        factor = expr.coefficient(Dim(position))
        if len(expr.dims()) == 1 and factor is not None and factor.constant:
            yield position


def _inline(load: loop.LoadOp, plan: Plan) -> list[loop.LoadOp]:
    """Replace a load by the statements that compute its element. Returns the loads among them to be inlined in turn."""
    builder, read = Builder(InsertPoint.before(load)), plan[load]
    taken = _Inliner(load, read.producer, builder, plan)
    # An access has the sources of the producer and, unless its index map is trivial, of the load; a computation has the sources
    # of the producer alone.
    seen_through = () if is_plain(load) else (load,)
    for op in read.producer.statements:
        with builder.source(op, *(seen_through if isinstance(op, loop.IndexedOp) else ())):
            taken.take(op)
    value = taken.values[read.producer.value]
    with builder.source(load):
        if read.fill is not None:
            inside = builder.add(loop.TestOp(read.guards, load.operands_at)).result
            fill = builder.add(loop.ConstantOp(read.fill)).result
            value = builder.add(loop.ComputeOp("select", inside, value, fill)).result
    load.result.replace_all_uses_with(value)
    erase(load)
    return taken.loads


class _Inliner:
    """Copies a producer's statements, with its loop indices replaced by index expressions over the load's operands."""

    def __init__(self, load: loop.LoadOp, producer: Producer, builder: Builder, plan: Plan):
        self.builder = builder
        self.plan = plan
        self.loads: list[loop.LoadOp] = []
        self.operands = load.operands_at
        self.guards = load.guard_exprs
        axes = zip(producer.indices, load.index_map.results, strict=True)
        self.indices = {induction: expr for induction, expr in axes if induction is not None}
        self.values: dict[SSAValue, SSAValue] = {}

    def take(self, op: Operation) -> None:
        if isinstance(op, loop.IndexedOp):
            new = self._indexed(op)
        else:
            new = op.clone(value_mapper=self.values)
        self.builder.add(new)
        for old_result, result in zip(op.results, new.results, strict=True):
            result.name_hint = old_result.name_hint
            self.values[old_result] = result

    def _indexed(self, op: loop.IndexedOp) -> Operation:
        """The operation with its expressions over the load's operands, and the other scalars that it uses."""
        scalars = [value for value in op.operands_at if value not in self.indices]
        at = [*self.operands, *(self.values[value] for value in scalars)]
        meaning = self.indices | {value: dim(len(self.operands) + k) for k, value in enumerate(scalars)}
        replacements = [meaning[value] for value in op.operands_at]
        exprs = op.index_map.apply(replacements)
        guards = IndexMap.of(op.index_map.dims, op.guard_exprs).apply(replacements)
        match op:
            case loop.IndexOp():
                return loop.IndexOp(exprs[0], at)
            case loop.TestOp():
                return loop.TestOp(exprs, at)
            case loop.CheckOp():
                return loop.CheckOp(op.kind.data, exprs, at, [*self.guards, *guards])
            case loop.LoadOp():
                around = self.guards if self.guards and not _is_inside(op.buffer, exprs, at) else ()
                fill = op.fill if op.fill is not None else number(0, op.result.type) if around else None
                copy = loop.LoadOp(op.buffer, exprs, at, [*around, *guards], fill)
                if op in self.plan:
                    self.plan[copy] = Read(self.plan[op].producer, guards, op.fill)
                    self.loads.append(copy)
                return copy
            case _:
                raise AssertionError(f"'{op.name}' is no statement of a producer")


def _is_inside(buffer: SSAValue, exprs: Sequence[Index], at: Sequence[SSAValue]) -> bool:
    """Whether accesses at these indices are in bounds of a buffer, regardless of guards."""
    bounds: dict[int, tuple[Index, Index]] = {}
    for position in {position for expr in exprs for position in expr.dims()}:
        owner = at[position].owner
        level = owner.parent_op() if isinstance(owner, Block) else None
        if isinstance(level, loop.ForOp) and at[position] is level.induction and not level.operands_at:
            bounds[position] = (level.lower, level.upper - 1)
    ranges = Ranges.of_loops(bounds)
    return all(ranges.within(expr, size) for expr, size in zip(exprs, shape_of(buffer), strict=True))
