"""Blocks of rows: kernels whose programs take some rows, step through blocks of keys, and multiply tiles of both.

Shared by `loop-fuse-attention` and `loop-recompute-weights`: loops over lanes, copies of statements at a row and a key, and the
choice between a version for sizes that blocks divide and one for all others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from enum import Enum
from functools import reduce
from typing import NamedTuple, Protocol

from xdsl.dialects.builtin import f32
from xdsl.ir import Operation, SSAValue

from ....dialects import loop
from ....ir.index.expressions import Atom, Index, IndexLike, ceildiv, index, minimum, product
from ....ir.nesting import operations
from ....ir.types.dtypes import dtype_of
from ....ir.types.shapes import element_of, shape_of
from ...analysis.loop_nests import AccessOp
from ...manager.options import limited
from ..builder import Writer
from .copies import put_under
from .patterns import Nest, carrying_nest
from .products import factors
from .tiling import bounded_size, least_depth, power_of_two

# The longest inner product that is computed in one step: on matrix units, and on float32 units, where steps are unrolled.
DEEPEST, DEEPEST_FLOAT = 256, 32


class BlockOfRows(Protocol):
    """Writes one block, for sizes that its tiles divide or for all."""

    @property
    def rests(self) -> tuple[Index, Index]:
        """The remainders of rows and keys after their last whole block."""
        ...

    def write(self) -> loop.BlockOp: ...


def write_versions(make: Callable[[bool], BlockOfRows]) -> None:
    """Write a block for sizes that tiles divide, and one for other sizes; if the sizes are known, only the one that is needed.
    `make` takes whether tiles divide the sizes."""
    plain = make(True)
    rests = plain.rests
    unknown = [-rest for rest in rests if rest.constant is None]
    known = all(rest == 0 for rest in rests if rest.constant is not None)
    if known:
        block = plain.write()
        if unknown:
            put_under(block, unknown)
    if unknown or not known:
        block = make(False).write()
        if known:
            put_under(block, [-reduce(minimum, unknown) - 1])


class Order(NamedTuple):
    """The order of programs: with the last block first, and the blocks of all batches before the next one."""

    last_first: bool
    across_batches: bool


class Place(NamedTuple):
    """The position of a program: the indices of the loops by their positions, the first row of its block, and the lane."""

    indices: dict[int, Index]
    start: Index
    lane: Index


class Growth(Enum):
    """Whether the next block of rows sees more of an axis than the block before it, less, or the same."""

    MORE = "more"
    LESS = "less"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class BlockSizes:
    """The options of passes that write blocks of rows: the sizes of a block, for half precision or `single`. Rows with more
    than `wide` results get other numbers. The same rows of all heads come before the next rows if a cache of `cache_mib` MiB
    holds all buffers that are read; the default is the second-level cache of an H100."""

    rows: int = limited(64, power_of_two=True)
    keys: int = limited(64, power_of_two=True)
    single: int = limited(32, power_of_two=True)
    wide: int = limited(64)
    warps: int = limited(4, power_of_two=True)
    stages: int = limited(2)
    cache_mib: int = limited(50)


def order_of(growth: Growth, read: Iterable[SSAValue], cache_mib: int) -> Order:
    """The order of programs. If the work grows or shrinks from block to block, blocks with the most work come first, so that
    programs end at about the same time. A block of all batches then comes before the next block if a cache of `cache_mib` MiB
    holds all buffers that are `read`."""
    buffers = list(dict.fromkeys(read))
    sizes = [(product(shape_of(each)) * dtype_of(element_of(each)).itemsize).constant for each in buffers]
    fits = None not in sizes and sum(size or 0 for size in sizes) <= cache_mib << 20
    return Order(growth is Growth.MORE, growth is not Growth.UNKNOWN and fits)


class RowWriter:
    """Writes loops over lanes, and statements at the row of a lane under the guard `row_guard`. `here` maps the loops that
    enclosed the statements to indices."""

    def __init__(self, writer: Writer, *, even: bool):
        self.writer = writer
        self.frame = writer.frame
        self.even = even
        self.here: dict[Atom, IndexLike] = {}
        self.row_guard = Index({})

    @contextmanager
    def lanes(self, size: int, axis: int, hint: str) -> Iterator[Index]:
        """A parallel loop over the lanes of an axis."""
        with self.writer.carrying("parallel", 0, size, (), hint=hint) as (op, _):
            op.spread(axis, power_of_two(size))
            yield self.frame.index(op.induction)

    @contextmanager
    def reduction(self, size: int, start: SSAValue, axis: int) -> Iterator[tuple[loop.ForOp, list[SSAValue]]]:
        """A reduction over the lanes of a block of keys."""
        with self.writer.carrying("reduction", 0, size, [start], hint="key") as (level, values):
            level.spread(axis, size)
            yield level, values

    @contextmanager
    def programs(self, loops: Mapping[int, loop.ForOp], tiled: int, size: Index, rows: int, order: Order) -> Iterator[Place]:
        """The parallel loops of programs: the loops at each position of `loops`, one loop over blocks of rows, and the lanes of
        a block."""
        places: dict[int, Index] = {}
        with ExitStack() as stack:

            def enter_block() -> Index:
                if not order.last_first:
                    return stack.enter_context(self.writer.loop("parallel", 0, size, step=rows, hint="start"))
                blocks = ceildiv(size, index(rows))
                return (blocks - 1 - stack.enter_context(self.writer.loop("parallel", 0, blocks, hint="block"))) * rows

            start = enter_block() if order.across_batches else None
            for k, level in loops.items():
                hint = level.induction.name_hint or "i"
                places[k] = stack.enter_context(self.writer.loop("parallel", 0, level.upper, hint=hint))
            start = enter_block() if start is None else start
            lane = stack.enter_context(self.lanes(rows, 0, "row"))
            yield Place({**places, tiled: start + lane}, start, lane)

    def copy(
        self, op: Operation, values: dict[SSAValue, SSAValue], places: Mapping[Atom, IndexLike], guards: Sequence[Index]
    ) -> Operation:
        """A copy of a statement at the lane's row, with guards on accesses after the last row or key."""
        new = self.writer.copy(op, values, {**self.here, **places})
        limits = [] if self.even else [self.row_guard, *guards]
        for inner in operations(new):
            if isinstance(inner, AccessOp):
                dims = {position for expr in self.frame.exprs(inner) for position in expr.dims()}
                self.frame.adapt(inner, {}, [each for each in limits if each.dims() & dims])
        return new


def spread_product(inner: loop.ForOp) -> None:
    """Schedule an inner product on matrix units, and drop the roundings after it in the body."""
    pair = factors(carrying_nest(inner))
    assert pair is not None, "a sum of products"
    itemsize = pair[0].dtype.itemsize
    deepest = DEEPEST if itemsize < 4 else DEEPEST_FLOAT
    lanes = max(least_depth(itemsize), bounded_size(Nest(carrying_nest(inner).loops).size, deepest))
    for each in carrying_nest(inner).loops:
        each.spread(2, lanes)
    op = inner.next_op
    while op is not None:
        for value in op.results:
            if unrounded(value) is not value:
                value.replace_all_uses_with(unrounded(value))
        op = op.next_op


def unrounded(value: SSAValue) -> SSAValue:
    """A float32 value before it was rounded to half precision and back."""
    op = value.owner
    if isinstance(op, loop.CastOp) and op.result.type == f32 and isinstance(op.input.owner, loop.CastOp):
        inner = op.input.owner
        if inner.input.type == f32 and dtype_of(inner.result.type).bits == 16:
            return inner.input
    return value
