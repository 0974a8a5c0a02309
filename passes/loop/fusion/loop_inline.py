"""loop-inline: what a block computes element by element is computed where it is read.

    block: t[i] = exp(x[i])                    block: y[j] = exp(x[j + 1])
    block: y[j] = t[j + 1]            ->

A buffer is a candidate when it is a temporary with one block that writes it: a nest of parallel loops over exactly its
axes, straight-line, with one plain store at the loops' own indices. Axes of size 1 need no loop.

1. Blocks are visited in order to decide which loads take in what they read, so that the cost of a producer is known with
   what it takes in itself.
2. Blocks are visited from the last to the first. One that nothing reads any more is erased; in the others, each load that
   was decided on is replaced by the producer's statements, with the loops' indices replaced by the load's, and so are the
   loads that this brings in. So every statement is copied straight to where it stays, and a long chain costs no more for
   each of its links than a short one.
3. A guarded load guards what it takes in: loads, checks, and a select of the fill value at the end.
4. Buffers that nothing reads any more are erased.

Where a producer is read several times, taking it in means computing it again. That is done when it costs no more than
`recompute` additions for an element; loads and index arithmetic are free, since they replace a store and a load. In windows
that overlap, read again for each of many results, as a convolution's are, more than `sliding` additions are too many: windows
of what is stored are read from memory, and what computes it joins the nest before. An axis of size 1 is there to be broadcast:
nothing is computed again along it.

With `epilogues`, what finishes the result of a contraction stays a block of its own (`epilogues.py`), for `loop-fuse` to join
with the contraction's.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from ....dialects import loop
from ....ir.functions.entry import lowered_functions
from ....ir.index.expressions import Apply, Dim, Index, dim
from ....ir.index.simplify import Ranges
from ....ir.nesting import operations
from ....ir.rewrite import Builder, erase
from ....ir.scalars.attributes import number
from ....ir.types.shapes import IndexMap, shape_of
from ...analysis.producers import Overwritten, Plan, Producer, Read, enclosing, is_plain, producer_of, written_in
from ...analysis.recomputation import RECOMPUTE
from ...manager.options import limited
from .epilogues import finished_by


@dataclass(frozen=True)
class LoopInline(ModulePass):
    """`recompute` bounds the additions that may be repeated for each further element read, `sliding` those for windows;
    `epilogues` says whether what finishes a contraction stays with it."""

    name = "loop-inline"

    recompute: int = limited(RECOMPUTE, least=0)
    sliding: int = limited(0, least=0)
    epilogues: int = limited(0, least=0, most=1)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in lowered_functions(op):
            inline_function(function, self)


def inline_function(function: FuncOp, bounds: LoopInline) -> None:
    """Take producers into their consumers, and erase what is left without readers."""
    blocks = [op for op in function.body.block.ops if isinstance(op, loop.BlockOp)]
    plan = _plan(blocks, Overwritten(function), bounds)
    for block in reversed(blocks):
        if all(_is_dead(buffer) for buffer in written_in(block)):
            erase(block)
            continue
        pending = [op for op in operations(block) if isinstance(op, loop.LoadOp) and op in plan]
        while pending:
            pending.extend(_inline(pending.pop(), plan))
    _erase_unread_buffers(function)


def _plan(blocks: Sequence[loop.BlockOp], overwritten: Overwritten, bounds: LoopInline) -> Plan:
    """The loads that take in what they read."""
    plan: Plan = {}
    finished: set[SSAValue] = set()
    for block in blocks:
        for load in [op for op in operations(block) if isinstance(op, loop.LoadOp)]:
            producer = producer_of(load.buffer, block, plan)
            if producer is None or load.buffer in finished or not overwritten.keeps(producer, block):
                continue
            if producer.cost <= _most(load, producer, bounds) or _read_once(load):
                plan[load] = Read(producer, load.guard_exprs, load.fill)
        overwritten.note(block, plan)
        if bounds.epilogues:
            finished.update(finished_by(block, plan))
    return plan


def _most(load: loop.LoadOp, producer: Producer, bounds: LoopInline) -> int:
    """The additions that a load of several of the same element may repeat."""
    if None in producer.indices:
        return 0
    return min(bounds.sliding, bounds.recompute) if _reads_windows(load) else bounds.recompute


def _erase_unread_buffers(function: FuncOp) -> None:
    for op in reversed(list(function.body.block.ops)):
        if isinstance(op, loop.AllocOp | loop.DataOp) and not op.result.uses:
            erase(op)


def _is_dead(buffer: SSAValue) -> bool:
    """A temporary that is only written; stores and updates of the block in question are not reads for anyone else."""
    written = all(isinstance(use.operation, loop.StoreOp | loop.UpdateOp) for use in buffer.uses)
    return isinstance(buffer.owner, loop.AllocOp) and written


def _read_once(load: loop.LoadOp) -> bool:
    """Whether no element is loaded twice: one load, whose address tells all the loops around it apart."""
    if sum(isinstance(use.operation, loop.LoadOp) for use in load.buffer.uses) != 1:
        return False
    told_apart = {load.operands_at[position] for expr in load.index_map.results for position in _injective_in(expr)}
    return all(level.induction in told_apart for level in enclosing(load) if isinstance(level, loop.ForOp))


def _reads_windows(load: loop.LoadOp) -> bool:
    """Whether a load reads windows that overlap, and not for each index of a loop around it others."""
    trips = {level.induction: level.trips for level in enclosing(load) if isinstance(level, loop.ForOp)}
    used = {load.operands_at[position] for expr in load.index_map.results for position in expr.dims()}
    extents = [trips.get(value) for value in load.operands_at]
    return trips.keys() - used != set() and any(_overlaps(expr, extents) for expr in load.index_map.results)


def _overlaps(expr: Index, extents: Sequence[int | None]) -> bool:
    """Whether a sum of dimensions with constant factors, or one in a quotient, has a value for several of their indices. An
    extent of None is not known."""
    factors = {position: expr.coefficient(Dim(position)) for position in expr.dims()}
    known = [(abs(each.constant), extents[position]) for position, each in factors.items() if each and each.constant]
    reach: int | None = 0
    for factor, extent in sorted(known, key=lambda each: each[0]):
        if reach is None or factor <= reach:
            return True
        reach = None if extent is None else reach + factor * (extent - 1)
    return any(_overlaps(atom.lhs, extents) for monomial, _ in expr.terms for atom in monomial if isinstance(atom, Apply))


def _injective_in(expr: Index) -> Iterator[int]:
    """The dimension of an expression c * d + k, which tells all its values apart."""
    for position in expr.dims():
        factor = expr.coefficient(Dim(position))
        if len(expr.dims()) == 1 and factor is not None and factor.constant:
            yield position


def _inline(load: loop.LoadOp, plan: Plan) -> list[loop.LoadOp]:
    """Replace a load by the statements that compute its element, and return those of them that are to be replaced in turn."""
    builder, read = Builder(InsertPoint.before(load)), plan[load]
    taken = _Inliner(load, read.producer, builder, plan)
    # An access is the producer's, seen through the consumer's index map where that says anything; a computation is the
    # producer's alone.
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
    """Copies statements, reading the producer's loop indices as index expressions over the load's operands."""

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
        """The operation with its expressions over the load's operands, and then those scalars that it uses besides."""
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
    """Whether elements that are addressed over these loop indices lie in a buffer, whatever guards say."""
    bounds: dict[int, tuple[Index, Index]] = {}
    for position in {position for expr in exprs for position in expr.dims()}:
        owner = at[position].owner
        level = owner.parent_op() if isinstance(owner, Block) else None
        if isinstance(level, loop.ForOp) and at[position] is level.induction and not level.operands_at:
            bounds[position] = (level.lower, level.upper - 1)
    ranges = Ranges.of_loops(bounds)
    return all(ranges.within(expr, size) for expr, size in zip(exprs, shape_of(buffer), strict=True))
