"""loop-vectorize: innermost loops along contiguous memory run in vectors.

    for "parallel" %j in (0, n)           for "parallel" %j in (0, n floordiv 16 * 16) step 16
      y[j] = exp(x[j])              ->      for "vector" %v in (0, 16)
                                              y[j + v] = exp(x[j + v])
                                          for "parallel" %j in (n floordiv 16 * 16, n)
                                            y[j] = exp(x[j])

1. A loop is chosen when it walks along memory: more of its accesses have stride 1 or -1, or are loads of elements a few apart,
   than have another stride that is not 0, and what it stores has stride 1. An outer loop is chosen when it does and the
   reductions inside it do not, or are short; they then carry vectors, and their accesses are those that count. Loops and
   branches inside go the same way in all lanes. So is an outer loop over rows that are too short for vectors (`short_rows.py`).
2. A parallel loop is split into vectors and a rest, which is one more vector under a guard; one that is known to be shorter
   than a vector becomes the least vector that holds it, of four lanes at least. Where accesses are scattered, and a guarded
   vector would take each lane apart, the rest runs one by one.
3. A reduction becomes vectors of partial results (`reductions.py`), and so does a search for an extremum
   (`searches.py`).

A vector holds `bytes` bytes of the element that most accesses have, of the wider one where two are as common; what is wider
takes several registers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from ....dialects import loop
from ....ir.index.expressions import Index
from ....ir.index.simplify import Ranges
from ....ir.nesting import operations
from ....ir.rewrite import Builder, count, erase
from ....ir.types.dtypes import dtype_of
from ....ir.types.shapes import element_of
from ...analysis.loop_nests import AccessOp, Frame, lowered_blocks
from ...analysis.reductions import accumulations, statements
from ...analysis.strides import is_in_vectors, stride, strides
from ...manager.options import limited
from ..builder import Writer, over
from .reductions import VectorReduction, whole
from .searches import VectorSearch, search_of
from .short_rows import is_over_short_rows

# Loops inside vectors that run so often at most are written out, and nests of them up to so many copies: windows of 7 x 7 are.
WINDOW = 8
COPIES = 49
# So are longer ones of so few statements: without, `sum(x, axis=0)` of 256 x 512 takes 1.2 of the time (Sapphire Rapids).
STATEMENTS = 64
# What is written out takes a C compiler's time, too. In rests shorter ones stay loops: sums down the columns of 3 to 31, which
# are all rest or half of it, take 0.94 to 1.06 of the time by that (Zen 4).
STATEMENTS_OF_RESTS = 32
# Loops that run so often at most are inside of vectors whichever way they walk: a vector along them would have little to do.
SHORT = 16
LEAST_LANES = 4


@dataclass(frozen=True)
class LoopVectorize(ModulePass):
    """`bytes` is the size of a vector, `accumulators` the most of them that a reduction keeps; a lane adds `chunk` values
    of float32 to one another before they are added to a float64."""

    name = "loop-vectorize"

    bytes: int = limited(64, most=256, power_of_two=True)
    accumulators: int = limited(4)
    chunk: int = limited(16)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for block in lowered_blocks(op):
            Vectorizer(self).body(block.body.block, ())


class Walk(NamedTuple):
    """How a loop walks through memory: `along` it for the most part, and `gapless` when no access is scattered."""

    along: bool
    gapless: bool


class Vectorizer:
    """Vectorises the loops of one block, from outside in."""

    def __init__(self, options: LoopVectorize):
        self.options = options
        self.frame = Frame()

    def body(self, body: Block, around: Sequence[int]) -> None:
        for op in list(body.ops):
            if isinstance(op, loop.ForOp):
                self._loop(op, around)
                continue
            for region in op.regions:
                self.body(region.block, around)

    def _loop(self, op: loop.ForOp, around: Sequence[int]) -> None:
        if op.kind.data in ("vector", "unroll"):
            return
        self.frame.enter(op)
        here = [*around, self.frame.number(op.induction)]
        walk = self._walk(op, here)
        if walk is not None and walk.along:
            if op.kind.data == "parallel" and not op.carried:
                self._split_parallel(op, walk.gapless)
                return
            if op.kind.data == "reduction" and accumulations(op):
                VectorReduction(op, self.frame, self._lanes(op), self.options.accumulators, self.options.chunk).run()
                return
            if (function := search_of(op, self.frame)) is not None:
                VectorSearch(op, self.frame, self._lanes(op), function).run()
                return
        if is_over_short_rows(op, self.frame) and self._lanes(op) >= LEAST_LANES:
            # The last rows in a vector of their own: what a row comes to must not depend on where it stands.
            self._split_parallel(op, gapless=True)
            return
        self.body(op.body.block, here)

    # Which loops

    def _walk(self, op: loop.ForOp, around: Sequence[int]) -> Walk | None:
        """How the loop's accesses walk through memory; None when it can't run in vectors."""
        if op.step.value.data != 1:
            return None
        inner, lanes = list(_inner_loops(op)), self._lanes(op, may_be_part=True)
        if (inner and op.kind.data != "parallel") or lanes < LEAST_LANES:
            return None
        if any(isinstance(each, loop.CheckOp | loop.UpdateOp) or _branches(each, op) for each in operations(op.body)):
            return None
        if not all(self._may_stay_inside(level, around) for level in inner):
            return None
        numbers = [*around, *(self.frame.number(level.induction) for level in inner)]
        ranges = self.frame.ranges(numbers)
        walking = {each: self._is_walking(each, lanes, around[-1], ranges) for each in _accesses(op)}
        stores = strides(_stores(op), around[-1], self.frame, ranges)
        often = [walking[each] for each in _most_frequent(op)]
        counted = often if any(each is not None for each in often) else list(walking.values())
        chosen = counted.count(True) > counted.count(False) and all(each is not None and each == 1 for each in stores)
        gapless = False not in walking.values()
        return Walk(chosen and self._lanes(op, may_be_part=gapless) >= LEAST_LANES, gapless)

    def _is_walking(self, access: AccessOp, lanes: int, number: int, ranges: Ranges) -> bool | None:
        """Whether an access happens in vectors along a loop, and not lane by lane; None when all lanes have one element."""
        step = stride(access, number, self.frame, ranges)
        if step is not None and step == 0:
            return None
        register = loop.lanes_in(self.options.bytes, dtype_of(element_of(access.buffer)).bits)
        return is_in_vectors(access, step, min(register, lanes))

    def _may_stay_inside(self, level: loop.ForOp, around: Sequence[int]) -> bool:
        """Whether a loop inside a vector loop, which is the same for all lanes, is short or not itself the better one to run in
        vectors."""
        self.frame.enter(level)
        if level.kind.data not in ("reduction", "sequential"):
            return False
        if level.trips is not None and level.trips <= SHORT:
            return True
        number = self.frame.number(level.induction)
        along = strides(level.body.block.ops, number, self.frame, self.frame.ranges([*around, number]))
        return not any(each is not None and each == 1 for each in along)

    def _lanes(self, op: loop.ForOp, *, may_be_part: bool = False) -> int:
        """How many lanes a vector of the usual element has, and not more than a constant loop has iterations; a vector of a
        parallel loop that may be a part has the least number that holds them all. Reductions fold the lanes that they have."""
        widths = [max(32, dtype_of(element_of(each.buffer)).bits) for each in _most_frequent(op)]
        usual = max(sorted(set(widths), reverse=True), key=widths.count, default=32)
        lanes = loop.lanes_in(self.options.bytes, usual)
        if op.trips is None:
            return lanes
        if op.kind.data == "parallel" and may_be_part:
            return min(lanes, max(1 << (op.trips - 1).bit_length(), LEAST_LANES))
        return min(lanes, 1 << max(op.trips, 1).bit_length() - 1)

    # Splitting

    def _split_parallel(self, op: loop.ForOp, gapless: bool) -> None:
        lanes = self._lanes(op, may_be_part=gapless)
        lower, upper = self.frame.exprs(op)
        main = whole(upper - lower, lanes)
        writer = Writer(self.frame, Builder(InsertPoint.before(op), op))
        self._vectors(op, writer, (lower, lower + main), lanes, guarded=False)
        count("loops-vectorized", "Number of loops split into vectors")
        if upper - lower - main == 0:
            erase(op)
        elif gapless:
            self._vectors(op, writer, (lower + main, upper), lanes, guarded=True)
            erase(op)
        else:
            self.frame.write(op, (lower + main, upper))

    def _vectors(self, op: loop.ForOp, writer: Writer, bounds: tuple[Index, Index], lanes: int, *, guarded: bool) -> None:
        """The loop in vectors between bounds; `guarded` when the last vector may reach beyond them."""
        if bounds[1] - bounds[0] == 0:
            return
        hint, extent = op.induction.name_hint or "i", (bounds[1] - bounds[0]).constant
        kind = "unroll" if extent is not None and extent <= WINDOW * lanes else "parallel"
        with (
            writer.loop(kind, *bounds, step=lanes, hint=hint) as start,
            writer.loop("vector", 0, lanes, hint="lane") as lane,
        ):
            places, values = over([op.induction], self.frame, [start + lane]), dict[SSAValue, SSAValue]()
            guards = [bounds[1] - 1 - start - lane] if guarded else []
            for statement in statements(op):
                copy = writer.copy(statement, values, places, guards)
                _unroll_windows(copy, in_rest=guarded)
                self._free_shared_loads(copy, lane, guards)

    def _free_shared_loads(self, statement: Operation, lane: Index, guards: Sequence[Index]) -> None:
        """Take the guards of a last vector from loads that all its lanes share: its first lane is always inside."""
        for load in operations(statement):
            if not isinstance(load, loop.LoadOp) or any(expr.dims() & lane.dims() for expr in self.frame.exprs(load)):
                continue
            kept = [guard for guard in self.frame.guards(load) if guard not in guards]
            self.frame.write(load, self.frame.exprs(load), kept)


def _branches(inner: Operation, level: loop.ForOp) -> bool:
    """Whether an operation is a loop or a branch for which each lane of a vector along a loop may go its own way."""
    return isinstance(inner, loop.ForOp | loop.IfOp) and any(_differs(value, level) for value in inner.operands_at)


def _differs(value: SSAValue, level: loop.ForOp) -> bool:
    """Whether a number may differ between the iterations of a loop; loops inside of it run through the same ones in each."""
    owner = value.owner if isinstance(value.owner, Operation) else value.owner.parent_op()
    if owner is None or not level.is_ancestor(owner):
        return False
    return owner is level or not isinstance(owner, loop.ForOp) or value is not owner.induction


def _unroll_windows(op: Operation, *, in_rest: bool) -> int:
    """Write out the small constant loops of a statement, so that addresses in them become constants. Returns how many copies
    there are then of what stands innermost."""
    copies = max((_unroll_windows(each, in_rest=in_rest) for region in op.regions for each in region.block.ops), default=1)
    # What goes in order has to remain known as such.
    if not isinstance(op, loop.ForOp) or op.kind.data == "sequential" or op.trips is None or op.trips * copies > COPIES:
        return copies
    inside = statements(op)
    if op.trips > WINDOW and (any(each.regions for each in inside) or op.trips * len(inside) > STATEMENTS):
        return copies
    if in_rest and op.trips * len(inside) > STATEMENTS_OF_RESTS:
        return copies
    op.properties["kind"] = StringAttr("unroll")
    return op.trips * copies


def _most_frequent(op: loop.ForOp) -> list[AccessOp]:
    """The accesses that happen most often: those of the loops inside, or else the loop's own."""
    inside = [each for level in _inner_loops(op) for each in level.body.block.ops if isinstance(each, AccessOp)]
    return inside or _accesses(op)


def _accesses(op: loop.ForOp) -> list[AccessOp]:
    return [each for each in operations(op.body) if isinstance(each, AccessOp)]


def _inner_loops(op: loop.ForOp) -> Iterator[loop.ForOp]:
    return (each for each in operations(op.body) if isinstance(each, loop.ForOp))


def _stores(op: loop.ForOp) -> list[Operation]:
    return [each for each in operations(op.body) if isinstance(each, loop.StoreOp)]
