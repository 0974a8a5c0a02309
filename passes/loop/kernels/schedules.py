"""The schedule of a kernel, chosen by the accesses of its loops: which loops are lanes, how many lanes, and how a program runs.

There are four kinds, tried in this order.

1. Products (`products.py`): programs compute tiles of M x N, in steps along K.
2. Rows: inner loops whose iterations access consecutive memory, or inner loops of few rows, run along axis 1; rows are the
   points of the outer loops. A row that several inner loops access stays in registers if a tile holds it.
3. Columns: if the outer loop accesses consecutive memory instead, it runs along axis 1, and the reductions in it run along axis
   0.
4. Points: one lane for each point of the outer loops, in tiles of two axes where loads and stores are contiguous along
   different loops, or where addresses are not linear in the flattened index.

Sizes that are unknown give several versions, each with conditions on the sizes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from xdsl.dialects.builtin import FloatAttr, IntegerAttr, i64
from xdsl.ir import Attribute, Operation, SSAValue

from ....dialects import loop
from ....dialects.tile.base import has_reduction
from ....ir.index.expressions import Index
from ....ir.index.simplify import Ranges
from ....ir.scalars.attributes import neutral, number
from ....ir.types.dtypes import dtype_of
from ...analysis.folds import Extremum, Fold, folds
from ...analysis.reductions import Accumulation, accumulation, statements
from .copies import implies
from .patterns import (
    Nest,
    accesses,
    carrying_nest,
    guarded,
    inside,
    is_flat,
    is_rectangular,
    is_straight_line,
    stride,
)
from .product_tiles import product_versions
from .tiling import WARPS, Annotate, Version, bounded_size, set_program, spread

# The lanes of a program without inner loops, and of one with them.
STRAIGHT_LANES = 1024
LOOPING_LANES = 256
# The elements of a tile of rows, and its columns if the trip count of the inner loops is unknown.
TILE = 1024
COLUMNS = 256
# The longest row that registers hold: 16 elements in each thread of 32 warps. Versions for rows of unknown length hold rows up
# to these lengths.
LONGEST_ROW = 16384
ROW_LIMITS = (128, 1024, 4096, LONGEST_ROW)
# Elements of a tile for each warp, 16 for each of its threads: several such rows fit into its registers.
ELEMENTS_OF_WARP = 512
MOST_WARPS = 32
# Shorter inner loops are not spread over lanes if there are enough rows.
SHORT = 16
FEW_ROWS = 512
# A tile of a reduction down columns.
DOWN, ACROSS = 64, 64
# The height and the width of a tile whose loads and stores are contiguous along different axes: a cache line of float32 each.
TURNED = 64


def versions(block: loop.BlockOp, nest: Nest, programs: int, tf32: bool, tuned: Sequence[str]) -> list[Version]:
    """The versions of a block with these outer loops; the first one whose conditions hold is to run. `programs` are enough to
    fill the GPU; with `tf32` matrix units take float32; `tuned` has tiles of some products."""
    products = product_versions(block, nest, programs, tf32, tuned)
    return products or _rows(block, nest) or _columns(block, nest) or _points(block, nest)


# Rows


def _rows(block: loop.BlockOp, outer: Nest) -> list[Version] | None:
    """Versions for a block with inner loops worth spreading over lanes."""
    nests = list(lane_nests(inside(block, outer)))
    rows = outer.size.constant
    few = rows is not None and rows < FEW_ROWS
    if not any(_is_long(nest) and (few or is_contiguous(nest, outer)) for nest in nests):
        return None
    if any(level.kind.data == "reduction" for level in outer.loops):
        return None
    sizes = [nest.size for nest in nests]
    unknown = list(dict.fromkeys(size for size in sizes if size.constant is None))
    if not _is_revisited(nests):
        longest = TILE if few else COLUMNS
        return [Version((), _in_rows(lambda size: bounded_size(size, TILE if size.constant is not None else longest)))]
    if not unknown:
        return [Version((), _in_rows(lambda size: bounded_size(size, LONGEST_ROW)))]
    known, limited = guarded(block)[0], list[Version]()
    for limit in ROW_LIMITS:
        spare = [limit - size for size in unknown]
        needed = tuple(each for each in spare if not any(implies(condition, each) for condition in known))
        limited.append(Version(needed, _in_rows(lambda size, limit=limit: _held(size, limit))))
        if not needed:
            return limited
    return [*limited, Version((), _in_rows(lambda size: bounded_size(size, TILE)))]


def _held(size: Index, limit: int) -> int:
    return bounded_size(size, LONGEST_ROW if size.constant is not None else limit)


def _is_revisited(nests: Sequence[Nest]) -> bool:
    """Whether several inner loops access one buffer, so that a row in registers saves loads."""
    found = [{access.buffer for access in accesses(statements(nest.body))} for nest in nests]
    return any(a & b for k, a in enumerate(found) for b in found[:k])


def _in_rows(columns_of: Callable[[Index], int]) -> Annotate:
    def annotate(block: loop.BlockOp, outer: Nest) -> None:
        widest = 1
        for nest in lane_nests(inside(block, outer)):
            columns = columns_of(nest.size)
            spread(nest, 1, columns)
            widest = max(widest, columns)
        rows = 1
        if not _bounds_vary(block, outer):
            rows = bounded_size(outer.size, max(1, TILE // widest))
            spread(outer, 0, rows)
        warps = min(MOST_WARPS, max(WARPS, rows * widest // ELEMENTS_OF_WARP))
        set_program(block, warps)

    return annotate


def _bounds_vary(block: loop.BlockOp, outer: Nest) -> bool:
    """Whether the bounds of some inner loop depend on the outer loops, so that the rows of one program would differ in
    length."""
    indices = {level.induction for level in outer.loops}
    return any(indices & set(op.operands_at) for op in block.walk() if isinstance(op, loop.ForOp))


def _has_unbounded_loops(block: loop.BlockOp, outer: Nest) -> bool:
    """Whether the bounds of some inner loop depend on the outer loops, and have no known bounds over all outer iterations: one
    program cannot run such a loop for several outer iterations."""
    around = {level.induction: level for level in outer.loops}
    for op in block.walk():
        if isinstance(op, loop.ForOp) and around.keys() & set(op.operands_at):
            varying = {k: around[value] for k, value in enumerate(op.operands_at) if value in around}
            ranges = Ranges.of_loops({k: (level.lower, level.upper - 1) for k, level in varying.items()})
            if ranges.bound(op.lower, upper=False) is None or ranges.bound(op.upper, upper=True) is None:
                return True
    return False


def fits_lanes(nest: Nest) -> bool:
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
            return _folds_natively(nest)
        case "sequential":
            return len(nest.loops) == 1 and bool(body.carried) and scans(body) is not None
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
    return is_constant(start, worst(fold, start.type)) and is_constant(carried[fold.position + 1], number(0, i64))


def worst(fold: Extremum, element: Attribute) -> FloatAttr | IntegerAttr:
    """The identity of an extremum: no element is worse."""
    return neutral("max" if fold.order == "gt" else "min", element)


def is_constant(value: SSAValue, expected: FloatAttr | IntegerAttr) -> bool:
    return isinstance(value.owner, loop.ConstantOp) and value.owner.value == expected


def scans(body: loop.ForOp) -> list[Accumulation] | None:
    """The accumulations of a scan, whose elements do not depend on carried values; None for other loops."""
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


def lane_nests(ops: Sequence[Operation]) -> Iterator[Nest]:
    """The outermost inner loops that can be spread over lanes, at any depth."""
    for op in ops:
        if isinstance(op, loop.ForOp):
            nest = carrying_nest(op)
            if fits_lanes(nest):
                yield nest
            else:
                yield from lane_nests(statements(op))


def _is_long(nest: Nest) -> bool:
    return nest.size.constant is None or nest.size.constant > SHORT


def is_contiguous(nest: Nest, outer: Nest) -> bool:
    """Whether most accesses are contiguous along the inner loop rather than along the rows."""
    votes = 0
    for access in accesses(statements(nest.body)):
        along = stride(access, nest.body)
        # An element that is the same along the inner loop is loaded once, whichever loop is spread over lanes.
        if along != 0:
            votes += along in (1, -1)
            votes -= bool(outer.loops) and stride(access, outer.body) in (1, -1)
    return votes > 0


# Columns


def _columns(block: loop.BlockOp, outer: Nest) -> list[Version] | None:
    """The version for a block whose outer loop accesses consecutive memory, and whose inner loops are reductions."""
    if not outer.loops or any(level.kind.data != "parallel" for level in outer.loops):
        return None
    loops = [op for op in inside(block, outer) if isinstance(op, loop.ForOp)]
    nests = [carrying_nest(op) for op in loops]
    if not nests or not all(fits_lanes(nest) and nest.body.kind.data == "reduction" for nest in nests):
        return None
    if not any(_is_long(nest) for nest in nests):
        return None

    def annotate(block: loop.BlockOp, outer: Nest) -> None:
        across = bounded_size(Nest((outer.body,)).size, ACROSS)
        outer.body.spread(1, across)
        for op in inside(block, outer):
            if isinstance(op, loop.ForOp):
                nest = carrying_nest(op)
                spread(nest, 0, bounded_size(nest.size, DOWN * ACROSS // across))
        set_program(block, WARPS)

    return [Version((), annotate)]


# Points


def _points(block: loop.BlockOp, outer: Nest) -> list[Version]:
    """The version with one lane for each point of the outer loops."""
    if not outer.loops or _has_unbounded_loops(block, outer):
        return [Version((), lambda block, outer: set_program(block, WARPS))]
    looping = any(isinstance(op, loop.ForOp) for op in inside(block, outer))
    lanes = LOOPING_LANES if looping else STRAIGHT_LANES
    found = [] if any(level.kind.data == "reduction" for level in outer.loops) else list(accesses(inside(block, outer)))
    last = len(outer.loops) - 1
    turned = next((k for k in range(last) if any(_runs_along(each, outer, k) for each in found)), None)
    if turned is not None and all(_is_wide(outer.loops[k]) for k in (turned, last)):
        return [Version((), _in_squares(turned))]
    if last > 0 and _is_wide(outer.body) and not all(is_flat(each, outer) for each in found):
        return [Version((), _in_lines(lanes))]

    def annotate(block: loop.BlockOp, outer: Nest) -> None:
        spread(outer, 0, bounded_size(outer.size, lanes))
        set_program(block, WARPS)

    return [Version((), annotate)]


def _runs_along(access: loop.LoadOp | loop.StoreOp | loop.UpdateOp, outer: Nest, position: int) -> bool:
    """Whether an access is contiguous along an outer loop, and not along the innermost one."""
    return stride(access, outer.loops[position]) in (1, -1) and stride(access, outer.body) not in (0, 1, -1)


def _is_wide(level: loop.ForOp) -> bool:
    trips = Nest((level,)).size.constant
    return trips is None or trips > SHORT


def _in_squares(turned: int) -> Annotate:
    def annotate(block: loop.BlockOp, outer: Nest) -> None:
        for axis, level in enumerate((outer.loops[turned], outer.body)):
            level.spread(axis, bounded_size(Nest((level,)).size, TURNED))
        set_program(block, WARPS)

    return annotate


def _in_lines(lanes: int) -> Annotate:
    """The innermost loop along axis 1, the others flattened along axis 0."""

    def annotate(block: loop.BlockOp, outer: Nest) -> None:
        size = Nest((outer.body,)).size
        across = bounded_size(size, lanes if size.constant is not None else min(lanes, COLUMNS))
        outer.body.spread(1, across)
        rest = Nest(outer.loops[:-1])
        spread(rest, 0, bounded_size(rest.size, lanes // across))
        set_program(block, WARPS)

    return annotate
