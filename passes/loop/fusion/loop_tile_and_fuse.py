"""loop-tile-and-fuse: tile a row-wise nest and the contractions that produce and consume its rows into blocks of rows.

    block: for b, i, l: s[b, i, l] = sum over k of q[b, i, k] * c[b, l, k]       block: for b: for blocks of rows i:
    block: for b, i: p[b, i, :], z[b, i] = exp and its sum over s[b, i, :]   ->    s, p, z: of one block, in the thread's memory
    block: for b, i, e: y[b, i, e] = sum over l of p[b, i, l] / z[b, i] * ...      the three nests, over the rows of the block

Contractions do not fuse with other nests row by row (`legality.py`): a single row cannot be tiled, but a block of `rows` rows
can. One nest writes the block and the next reads it from the cache. Whole temporaries would go through memory: softmax between
two products accesses them five times.

1. Find a block of rows: parallel loops that hold other loops, and no contraction. Adjacent contractions whose dependences allow
   sharing all of its loops belong to it. Convolutions do not: their tiles (`loop-tile-convolutions`) have more rows than a
   block, and read windows from one copy of the image.
2. Contract the temporaries that only these blocks access, a row at a time, to one block of rows. A contraction that moves less
   than a cache line of these temporaries for each row (`analysis/cost.py`), such as one number per row, gains nothing, and is
   left out.
3. Fuse the loops enclosing the rows for all nests; inside them runs a loop over blocks of rows, the last of which may have
   fewer rows. Along the last axis of the temporaries, a block has `columns` of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from ....dialects import loop
from ....ir.functions.entry import lowered_functions
from ....ir.index.expressions import Atom, Dim, Index, IndexLike, ceildiv, dim, minimum
from ....ir.rewrite import Builder, count, erase
from ....ir.types.shapes import element_of, shape_of
from ...analysis.cost import Group, Level
from ...analysis.dependence import all_aligned, dependences
from ...analysis.loop_nests import AccessOp, Frame, Node
from ...analysis.windows import is_in_windows
from ...manager.options import limited
from ..builder import Writer
from ..memory.loop_contract_buffers import readdress
from .legality import chain, for_op, is_contraction, legal_pairs


@dataclass(frozen=True)
class LoopTileAndFuse(ModulePass):
    """`rows` is the greatest number of rows in a block, `columns` that of a block along the last axis of the temporaries: whole
    vectors, which are the columns of tiles."""

    name = "loop-tile-and-fuse"

    rows: int = limited(64)
    columns: int = limited(64)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in lowered_functions(op):
            _tile_and_fuse(function, self)


@dataclass(frozen=True)
class Nest:
    """A block with one nest: the loops that it shares with the other nests, in the same order for all, and its own loops inside
    them."""

    block: Node
    shared: tuple[Node, ...]
    own: tuple[Node, ...]

    @property
    def innermost(self) -> Node:
        return chain(self.block.items[0])[-1]


@dataclass(frozen=True)
class Private:
    """A temporary contracted to a block of rows: its row axis, and the axes that remain."""

    alloc: loop.AllocOp
    row: int
    kept: tuple[int, ...]

    def shape(self, rows: IndexLike) -> list[IndexLike]:
        sizes = shape_of(self.alloc.result)
        return [rows if axis == self.row else sizes[axis] for axis in self.kept]


def _tile_and_fuse(function: FuncOp, sizes: LoopTileAndFuse) -> None:
    frame = Frame()
    for run in _runs(function):
        _tile_and_fuse_run(function, [frame.tree(op) for op in run], sizes, frame)


def _runs(function: FuncOp) -> list[list[loop.BlockOp]]:
    """The sequences of consecutive blocks of a function, separated by operations that run functions and by fences."""
    found: list[list[loop.BlockOp]] = [[]]
    for op in function.body.block.ops:
        if isinstance(op, loop.BlockOp):
            found[-1].append(op)
        elif isinstance(op, loop.RunOp | loop.FenceOp):
            found.append([])
    return found


def _tile_and_fuse_run(function: FuncOp, blocks: Sequence[Node], sizes: LoopTileAndFuse, frame: Frame) -> None:
    taken: set[Node] = set()
    for at, block in enumerate(blocks):
        if not _is_of_rows(block, frame):
            continue
        near = [blocks[k] for k in (at - 1, at + 1) if 0 <= k < len(blocks) and blocks[k] not in taken]
        nests, private = _profitable(function, _nests(blocks, block, near, frame), frame)
        if len(nests) == 1:
            continue
        taken.update(nest.block for nest in nests)
        along = any(each.row == len(shape_of(each.alloc.result)) - 1 for each in private)
        RowTiling(nests, private, sizes.columns if along else sizes.rows, frame).run()
        count("blocks-streamed", "Number of blocks tiled and fused by rows", by=len(nests))


def _is_of_rows(block: Node, frame: Frame) -> bool:
    """Whether a block is one nest of parallel loops with loops inside, and no contraction."""
    if len(block.items) != 1 or not block.loops or is_contraction(block.items[0], frame):
        return False
    loops = chain(block.items[0])
    rows = for_op(loops[-1])
    return all(map(_is_plain, loops)) and len(loops[-1].loops) > 0 and rows.lower == 0


def _is_plain(level: Node) -> bool:
    """Whether a loop is parallel, with step 1 and without carried values, as the pass writes it."""
    op = for_op(level)
    return op.kind.data == "parallel" and not op.carried and op.step.value.data == 1


def _nests(blocks: Sequence[Node], rows: Node, near: Sequence[Node], frame: Frame) -> list[Nest]:
    """The nest of rows and the adjacent contractions that may share its loops, in order."""
    loops = tuple(chain(rows.items[0]))
    found = [Nest(rows, loops, ())]
    for block in near:
        if len(block.items) != 1 or not block.loops or not is_contraction(block.items[0], frame):
            continue
        if not all(map(_is_plain, chain(block.items[0]))) or _reads_windows(block, frame):
            continue
        before = blocks.index(block) < blocks.index(rows)
        pairs = legal_pairs(*(block.items[0], rows.items[0]) if before else (rows.items[0], block.items[0]), frame)
        mine = {other: own for own, other in pairs.items()} if before else pairs
        if not all(level in mine for level in loops):
            continue
        shared = tuple(mine[level] for level in loops)
        nest = Nest(block, shared, tuple(level for level in chain(block.items[0]) if level not in shared))
        if all(_independent(nest, other, frame) for other in found if other.block is not rows):
            found = [nest, *found] if before else [*found, nest]
    return found


def _reads_windows(block: Node, frame: Frame) -> bool:
    """Whether a nest reads overlapping windows, as a convolution does."""
    loops = [for_op(level) for level in _loops(block.items[0])]
    numbers = [frame.number(level.induction) for level in loops]
    summed = {number for number, level in zip(numbers, loops, strict=True) if level.kind.data == "reduction"}
    ranges = frame.ranges(numbers)
    return any(
        is_in_windows(expr, summed, ranges) for found in block.accesses.values() for access in found for expr in access.exprs
    )


def _independent(later: Nest, earlier: Nest, frame: Frame) -> bool:
    """Whether the two nests depend on each other only within the same iteration of their shared loops."""
    pairs = list(dependences(earlier.block, later.block))
    ranges = frame.ranges({number for pair in pairs for access in pair for number in access.dims})
    equal: dict[Atom, IndexLike] = {}
    for levels in zip(earlier.shared, later.shared, strict=True):
        i, j = (frame.number(for_op(level).induction) for level in levels)
        if not all_aligned(pairs, i, j, ranges, equal):
            return False
        equal[Dim(j)] = dim(i)
    return True


def _private(function: FuncOp, nests: Sequence[Nest], frame: Frame) -> list[Private]:
    """The temporaries that only these nests access, each time at their current row."""
    touched = dict.fromkeys(buffer.owner for nest in nests for buffer in nest.block.accesses)
    allocs = [op for op in touched if isinstance(op, loop.AllocOp) and op.parent is function.body.block]
    found = (_axes(alloc, nests, frame) for alloc in allocs)
    return [private for private in found if private is not None]


def _axes(alloc: loop.AllocOp, nests: Sequence[Nest], frame: Frame) -> Private | None:
    buffer = alloc.result
    touching = [nest for nest in nests if buffer in nest.block.accesses]
    uses = sum(len(nest.block.accesses[buffer]) for nest in touching)
    if not touching or uses != buffer.uses.get_length():
        return None
    axes: set[tuple[int | None, ...]] = set()
    for nest in touching:
        shared = [dim(frame.number(for_op(level).induction)) for level in nest.shared]
        for access in nest.block.accesses[buffer]:
            axes.add(tuple(access.exprs.index(at) if at in access.exprs else None for at in shared))
    if len(axes) != 1:
        return None
    *batch, row = axes.pop()
    if row is None or None in batch:
        return None
    return Private(alloc, row, tuple(axis for axis in range(len(shape_of(buffer))) if axis not in batch))


def _profitable(function: FuncOp, nests: list[Nest], frame: Frame) -> tuple[list[Nest], list[Private]]:
    """The nest of rows with the contractions that move whole lines of the contracted temporaries for each row, and all
    contracted temporaries."""
    private: list[Private] = []
    while len(nests) > 1:
        private = _private(function, nests, frame)
        buffers = [each.alloc.result for each in private]
        gaining = [nest for nest in nests if not is_contraction(nest.block.items[0], frame) or _moves(nest, buffers, frame)]
        if len(gaining) == len(nests):
            break
        nests = gaining
    return nests, private


def _moves(nest: Nest, buffers: Sequence[SSAValue], frame: Frame) -> bool:
    """Whether a nest moves at least a cache line of some buffers for each row."""
    *around, rows = nest.shared
    accesses = [access for buffer in buffers for access in nest.block.accesses.get(buffer, ())]
    inside = [level for each in nest.innermost.loops for level in _loops(each)]
    levels = [Level.of(for_op(level), frame) for level in (rows, *nest.own, *inside)]
    numbers = [frame.number(for_op(level).induction) for level in around]
    return Group.of(accesses, levels, frame, numbers).least() >= levels[0].trips


def _loops(level: Node) -> list[Node]:
    """A loop and those inside it."""
    return [level, *(inner for each in level.loops for inner in _loops(each))]


class RowTiling:
    """Writes the nests of one run of blocks as one block, tiled by rows."""

    def __init__(self, nests: Sequence[Nest], private: Sequence[Private], rows: int, frame: Frame):
        self.nests = nests
        self.private = private
        self.rows = rows
        self.frame = frame
        self.first = nests[0].block.op
        self.writer = Writer(frame, Builder(InsertPoint.before(self.first), *(nest.block.op for nest in nests)))

    def run(self) -> None:
        block = self.writer.builder.add(loop.BlockOp())
        *batch, rows = (for_op(level) for level in self.nests[0].shared)
        with self.writer.inside(block.body.block), ExitStack() as stack:
            around = [
                stack.enter_context(
                    self.writer.loop("parallel", level.lower, level.upper, hint=level.induction.name_hint or "b")
                )
                for level in batch
            ]
            with self.writer.loop("parallel", 0, ceildiv(rows.upper, self.rows), hint="strip") as strip:
                first = strip * self.rows
                self._row_block(around, first, minimum(self.rows, rows.upper - first))
        for nest in self.nests:
            erase(nest.block.op)
        for each in self.private:
            erase(each.alloc)

    def _row_block(self, around: Sequence[Index], first: Index, rows: IndexLike) -> None:
        """Write all nests, over `rows` rows from `first` on."""
        buffers: dict[SSAValue, tuple[Private, SSAValue]] = {}
        for each in self.private:
            alloc = each.alloc
            with self.writer.builder.source(alloc):
                kind, hint = element_of(alloc.result), alloc.result.name_hint or "strip"
                buffers[alloc.result] = each, self.writer.allocate(each.shape(rows), kind, "thread", hint)
        for nest in self.nests:
            levels = (*nest.shared, *nest.own)
            hints = [for_op(level).induction.name_hint or "i" for level in levels[len(around) :]]
            with self.writer.builder.source(*(level.op for level in levels)), ExitStack() as stack:
                row = stack.enter_context(self.writer.loop("parallel", 0, rows, hint=hints[0]))
                own = [
                    stack.enter_context(self.writer.loop("parallel", for_op(level).lower, for_op(level).upper, hint=hint))
                    for level, hint in zip(nest.own, hints[1:], strict=True)
                ]
                self._body(nest, [*around, first + row, *own], first, buffers)

    def _body(self, nest: Nest, at: Sequence[Index], first: Index, buffers: dict[SSAValue, tuple[Private, SSAValue]]) -> None:
        numbers = [self.frame.number(for_op(level).induction) for level in (*nest.shared, *nest.own)]
        places: dict[Atom, IndexLike] = {Dim(number): place for number, place in zip(numbers, at, strict=True)}
        values: dict[SSAValue, SSAValue] = {}
        copies = [self.writer.copy(item.op, values, places) for item in nest.innermost.items]
        # Redirect loads only after all copies are made: redirecting a load replaces it, and later copies use its result.
        for op in [op for copy in copies for op in copy.walk()]:
            if isinstance(op, AccessOp) and op.buffer in buffers:
                self._redirect(op, first, *buffers[op.buffer])

    def _redirect(self, op: AccessOp, first: Index, private: Private, buffer: SSAValue) -> None:
        exprs = self.frame.exprs(op)
        kept = [exprs[axis] - first if axis == private.row else exprs[axis] for axis in private.kept]
        self.frame.write(op, kept, self.frame.guards(op))
        readdress(op, buffer, op.index_map.results)
