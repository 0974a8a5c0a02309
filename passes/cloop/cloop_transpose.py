"""cloop-transpose: squares of a temporary that are written by rows and read by columns are transposed in place by shuffles.

    for %r in (0, 16)                    for %r in (0, 16)
      store %v into %t[16 * %r]            store %v into %t[16 * %r]
    for %c in (0, 16)             ->     transpose %t[0] 16
      from_elements                      for %c in (0, 16)
        load %t[%c] ... %t[%c + 240]       load %t[16 * %c]

Gathering a column lane by lane takes 16 loads and as many lane inserts; transposing the square takes 4 shuffles per column. A
temporary qualifies if all its writes fill whole squares, each in a loop that does not access the temporary otherwise, and all
its reads are columns of squares: then writes and reads need no relative order, since the memory holds the same squares,
transposed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from ...dialects import cloop
from ...dialects.cloop.vectors import FromElementsOp, TransposeOp
from ...dialects.scalar_ops import IndexedOp, lanes_of, only_used
from ...ir.functions.entry import c_functions, temporary_args
from ...ir.index.expressions import Index, dim, index, split_multiples
from ...ir.index.simplify import Ranges
from ...ir.nesting import operations
from ...ir.rewrite import Builder, count, erase, replace


@dataclass(frozen=True)
class CloopTranspose(ModulePass):
    name = "cloop-transpose"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in c_functions(op):
            _function(function)


def _function(function: FuncOp) -> None:
    own = [op.result for op in operations(function) if isinstance(op, cloop.AllocateOp)]
    for temporary in (*temporary_args(function), *own):
        squares = _squares(temporary)
        if squares is not None:
            squares.transpose()
            count("temporaries-turned", "Number of temporaries whose squares are transposed")


@dataclass(frozen=True)
class Written:
    """The loop that fills a square by rows with one store; `base` is the square's offset."""

    loop: cloop.ForOp
    store: cloop.StoreOp
    base: Index


@dataclass(frozen=True)
class Column:
    """Loads whose results are the lanes of a vector: column `number` of the square at offset `base`."""

    vector: FromElementsOp
    loads: Sequence[cloop.LoadOp]
    base: Index
    number: Index


@dataclass(frozen=True)
class Squares:
    """All accesses of a temporary that consists of squares, `lanes` by `lanes`."""

    lanes: int
    written: Sequence[Written]
    columns: Sequence[Column]

    def transpose(self) -> None:
        for each in self.written:
            (base,), at = only_used([each.base], each.store.operands_at)
            Builder(InsertPoint.after(each.loop), each.store).add(TransposeOp(each.store.pointer, base, at, self.lanes))
        for column in self.columns:
            first = column.loads[0]
            offset = column.base + column.number * self.lanes
            replace(column.vector, [cloop.LoadOp(first.pointer, offset, first.operands_at, lanes=self.lanes)])
            for load in column.loads:
                erase(load)


def _squares(temporary: SSAValue) -> Squares | None:
    """The accesses of a temporary, if they only write squares of one size and read columns of them."""
    pointers = [temporary]
    accesses: list[cloop.StoreOp | cloop.LoadOp] = []
    offsets: list[Index] = []
    for pointer in pointers:
        for use in pointer.uses:
            op = use.operation
            if isinstance(op, cloop.OffsetOp):
                pointers.append(op.result)
                offsets.append(op.index_map.results[0])
            elif isinstance(op, cloop.LoadOp) or (isinstance(op, cloop.StoreOp) and use.index == 1):
                accesses.append(op)
            else:
                return None
    lanes = next((lanes_of(op.value.type) for op in accesses if isinstance(op, cloop.StoreOp)), None)
    if lanes is None or any(split_multiples(offset, index(lanes * lanes))[1] != 0 for offset in offsets):
        return None
    stores = [op for op in accesses if isinstance(op, cloop.StoreOp)]
    written = [found for op in stores if (found := _written(op, lanes)) is not None and _is_only_access(found, accesses)]
    columns = _columns([op for op in accesses if isinstance(op, cloop.LoadOp)], lanes)
    return Squares(lanes, written, columns) if columns and len(written) == len(stores) else None


def _is_only_access(written: Written, accesses: Sequence[cloop.StoreOp | cloop.LoadOp]) -> bool:
    """Whether the loop has no other access of the temporary: a partly written square must not be transposed."""
    inside = set(operations(written.loop))
    return [op for op in accesses if op in inside] == [written.store]


def _written(store: cloop.StoreOp, lanes: int) -> Written | None:
    """The square that a store fills, if the store is the only access in a loop over the rows."""
    loop = store.parent_op()
    if lanes_of(store.value.type) != lanes or not isinstance(loop, cloop.ForOp) or not _is_range(loop, lanes):
        return None
    at = store.operands_at
    (offset,) = store.index_map.results
    row = next((dim(k) for k, value in enumerate(at) if value is loop.induction), None)
    if row is None or store.streaming is not None:
        return None
    base = offset - row * lanes
    if any(_block_of(at[k]) is loop.body.block for k in base.dims()) or split_multiples(base, index(lanes * lanes))[1] != 0:
        return None
    return Written(loop, store, base)


def _block_of(value: SSAValue) -> Block | None:
    """The block that defines a value."""
    return value.owner if isinstance(value.owner, Block) else value.owner.parent


def _columns(loads: Sequence[cloop.LoadOp], lanes: int) -> list[Column]:
    """The columns that the loads gather, one load per lane; empty if any load does not."""
    columns: list[Column] = []
    seen: set[cloop.LoadOp] = set()
    for load in loads:
        if load in seen:
            continue
        column = _column(load, lanes)
        if column is None:
            return []
        seen.update(column.loads)
        columns.append(column)
    return columns


def _column(load: cloop.LoadOp, lanes: int) -> Column | None:
    vector = load.result.get_user_of_unique_use()
    if not isinstance(vector, FromElementsOp) or len(vector.elements) != lanes:
        return None
    loads = [value.owner for value in vector.elements if isinstance(value.owner, cloop.LoadOp)]
    if len(set(loads)) != lanes or not all(_continues(each, loads[0], k * lanes) for k, each in enumerate(loads)):
        return None
    base, number = split_multiples(loads[0].index_map.results[0], index(lanes * lanes))
    if not _is_below(number, loads[0], lanes):
        return None
    return Column(vector, loads, base * (lanes * lanes), number)


def _continues(load: cloop.LoadOp, first: cloop.LoadOp, distance: int) -> bool:
    """Whether a load reads `distance` elements after the first load, and is only used as a lane."""
    if load.condition is not None or load.result.get_user_of_unique_use() is None:
        return False
    same = load.pointer is first.pointer and load.operands_at == first.operands_at
    return same and load.index_map.results[0] - first.index_map.results[0] == distance


def _is_below(number: Index, op: IndexedOp, lanes: int) -> bool:
    """Whether an expression is a loop index, or a constant, from 0 to the number of lanes."""
    if number.constant is not None:
        return 0 <= number.constant < lanes
    used = [op.operands_at[k] for k in number.dims()]
    owner = used[0].owner if len(used) == 1 and number == dim(*number.dims()) else None
    loop = owner.parent_op() if isinstance(owner, Block) else None
    if not isinstance(loop, cloop.ForOp):
        return False
    lower, upper = loop.index_map.results
    return Ranges().nonnegative(lower) and Ranges().nonnegative(lanes - upper)


def _is_range(loop: cloop.ForOp, count: int) -> bool:
    """Whether a loop starts at 0 with step 1 and runs `count` times."""
    return loop.trips == count and loop.step.value.data == 1 and loop.index_map.results[0] == 0
