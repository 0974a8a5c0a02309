"""loop-vectorize: vectorise innermost loops over contiguous memory.

    for "parallel" %j in (0, n)           for "parallel" %j in (0, n floordiv 16 * 16) step 16
      y[j] = exp(x[j])              ->      for "vector" %v in (0, 16)
                                              y[j + v] = exp(x[j + v])
                                          for "parallel" %j in (n floordiv 16 * 16, n)
                                            y[j] = exp(x[j])

1. A loop is vectorised if its stores have stride 1 and its accesses are mostly contiguous: accesses with stride 1 or -1, and
   loads with a small stride, outnumber accesses with any other stride except 0. An outer loop is vectorised if this holds for
   it and its inner reductions are short or not contiguous; the reductions then carry vectors, and only their accesses count.
   Inner loops, branches and checks of divisors must be uniform across lanes; indices are checked for all lanes at once. An
   outer loop over rows too short for vectors is vectorised too (`short_rows.py`).
2. A parallel loop is split into vectors and a remainder, which is one more vector under a guard; a loop known to be shorter
   than a vector uses the smallest vector that holds it, of at least four lanes. If accesses are scattered, a guarded vector
   would run lane by lane, and the remainder is a scalar loop.
3. A reduction (`reductions.py`) or a search for an extremum (`searches.py`) becomes vectors of partial results.

A vector holds `bytes` bytes of the most common element type of the accesses, of the wider one on a tie; wider types take
several registers.
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
from ....ir.index.expressions import Index, of_atom, quotients
from ....ir.index.simplify import Ranges
from ....ir.nesting import operations
from ....ir.rewrite import Builder, count, erase
from ....ir.types.dtypes import dtype_of
from ....ir.types.shapes import element_of
from ...analysis.loop_nests import AccessOp, Frame, lowered_blocks
from ...analysis.reductions import COSTLY, accumulations, cost_of, statements
from ...analysis.strides import is_in_vectors, stride, strides
from ...manager.options import limited
from ..builder import Writer, over
from .reductions import VectorReduction, nest_of_rows, whole
from .searches import VectorSearch, search_of
from .short_rows import add_up_rows, is_over_short_rows, is_reduction_of_short_rows, is_sum_of_short_rows, unroll_rows

# The most iterations of an inner loop that is fully unrolled, and the most copies of statements in a nest of such loops:
# windows up to 7 x 7.
WINDOW = 8
COPIES = 49
# Longer loops are unrolled too if their copies have at most this many statements in total.
STATEMENTS = 64
# Remainders are unrolled less, to bound the C compiler's time.
STATEMENTS_OF_RESTS = 32
# Loops of so many iterations or fewer stay inside vectors, whatever their strides: vectors along them would have little to do.
SHORT = 16
LEAST_LANES = 4


@dataclass(frozen=True)
class LoopVectorize(ModulePass):
    """`bytes` is the size of a vector, `accumulators` the most vector accumulators of a reduction; each lane sums `chunk`
    values in float32 before they are added in float64."""

    name = "loop-vectorize"

    bytes: int = limited(64, most=256, power_of_two=True)
    accumulators: int = limited(4)
    chunk: int = limited(16)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for block in lowered_blocks(op):
            Vectorizer(self).body(block.body.block, ())


class AccessPattern(NamedTuple):
    """The access pattern of a loop: mostly contiguous (`along`), and without scattered accesses (`gapless`)."""

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
        if is_sum_of_short_rows(op, self.frame):
            add_up_rows(op, self.frame)
            self._reduce([op])
            return
        if is_reduction_of_short_rows(op, self.frame):
            unroll_rows(op, self.frame)
        walk = self._access_pattern(op, here)
        if walk is not None and walk.along:
            if op.kind.data == "parallel" and not op.carried:
                self._split_parallel(op, walk.gapless)
                return
            if op.kind.data == "reduction" and accumulations(op):
                self._reduce([op])
                return
            if (function := search_of(op, self.frame)) is not None:
                VectorSearch(op, self.frame, self._lanes(op), function).run()
                return
        if self._is_nest_along(nest := nest_of_rows(op), around):
            self._reduce(nest)
            return
        is_short = is_over_short_rows(op, self.frame) and self._lanes(op) >= LEAST_LANES
        if is_short and self._gains_across(op, here):
            # The last rows use a vector of their own: a row's result must not depend on its position.
            self._split_parallel(op, gapless=True)
            return
        self.body(op.body.block, here)

    def _reduce(self, nest: Sequence[loop.ForOp]) -> None:
        lanes = self._lanes(nest[-1])
        VectorReduction(nest, self.frame, lanes, self.options.accumulators, self.options.chunk).run()

    # Which loops

    def _is_nest_along(self, nest: Sequence[loop.ForOp], around: Sequence[int]) -> bool:
        """Whether loops form a nest of at least two reductions that becomes vectors along the innermost one."""
        if len(nest) == 1 or any(level.kind.data != "reduction" or level.step.value.data != 1 for level in nest):
            return False
        for level in nest:
            self.frame.enter(level)
        walk = self._access_pattern(nest[-1], [*around, *(self.frame.number(level.induction) for level in nest)])
        return walk is not None and walk.along and accumulations(nest[-1]) is not None

    def _gains_across(self, op: loop.ForOp, around: Sequence[int]) -> bool:
        """Whether rows that are known to be short gain from a row in each lane: rows that are reduced, and rows shorter than a
        vector that compute much or cannot be vectorised along themselves."""
        rows = [each for each in statements(op) if isinstance(each, loop.ForOp)]
        if any(row.carried for row in rows):
            return True
        if any(row.trips is None or row.trips >= LEAST_LANES for row in rows):
            return False
        along = (self._access_pattern(row, [*around, self.frame.number(row.induction)]) for row in rows)
        return sum(map(cost_of, rows)) >= COSTLY or not any(each is not None and each.along for each in along)

    def _access_pattern(self, op: loop.ForOp, around: Sequence[int]) -> AccessPattern | None:
        """The access pattern of a loop; None if it cannot be vectorised."""
        if op.step.value.data != 1:
            return None
        inner, lanes = list(_inner_loops(op)), self._lanes(op, may_be_part=True)
        if (inner and op.kind.data != "parallel") or lanes < LEAST_LANES:
            return None
        if any(isinstance(each, loop.UpdateOp) or _diverges(each, op) for each in operations(op.body)):
            return None
        checks = [each for each in operations(op.body) if isinstance(each, loop.CheckOp) and not _is_in_vectors(each)]
        if checks and not _varying(op).isdisjoint(value for each in checks for value in each.operands):
            return None
        if not all(self._may_stay_inside(level, op, around) for level in inner):
            return None
        numbers = [*around, *(self.frame.number(level.induction) for level in inner)]
        ranges = self.frame.ranges(numbers)
        walking = {each: self._is_contiguous(each, lanes, around[-1], ranges) for each in _accesses(op)}
        stores = strides(_stores(op), around[-1], self.frame, ranges)
        often = [walking[each] for each in _most_frequent(op)]
        counted = often if any(each is not None for each in often) else list(walking.values())
        chosen = counted.count(True) > counted.count(False) and all(each is not None and each == 1 for each in stores)
        gapless = False not in walking.values()
        return AccessPattern(chosen and self._lanes(op, may_be_part=gapless) >= LEAST_LANES, gapless)

    def _is_contiguous(self, access: AccessOp, lanes: int, number: int, ranges: Ranges) -> bool | None:
        """Whether an access is contiguous in vectors along a loop, rather than lane by lane; None if uniform across lanes."""
        step = stride(access, number, self.frame, ranges)
        if step is not None and step == 0:
            return None
        register = loop.lanes_in(self.options.bytes, dtype_of(element_of(access.buffer)).bits)
        return is_in_vectors(access, step, min(register, lanes))

    def _may_stay_inside(self, level: loop.ForOp, outer: loop.ForOp, around: Sequence[int]) -> bool:
        """Whether a loop inside a vector loop has the same bounds in all lanes, and is short or a worse candidate for
        vectorisation itself. A short loop with longer vectors than `outer` is vectorised itself, if all of its own accesses are
        contiguous or uniform: scattered ones, as of rows picked by number, would be loaded lane by lane."""
        self.frame.enter(level)
        if level.kind.data not in ("reduction", "sequential"):
            return False
        number = self.frame.number(level.induction)
        if level.trips is not None and level.trips <= SHORT:
            if outer.trips is None or not _fills_more(level.trips, outer.trips):
                return True
            own = self._access_pattern(level, [*around, number])
            return own is None or not (own.along and own.gapless)
        along = strides(level.body.block.ops, number, self.frame, self.frame.ranges([*around, number]))
        return not any(each is not None and each == 1 for each in along)

    def _lanes(self, op: loop.ForOp, *, may_be_part: bool = False) -> int:
        """The number of lanes for the most common element type, at most the iterations of a loop of constant length. A parallel
        loop, which may be a partial vector, gets the least number of lanes that holds all iterations; a reduction does not,
        since it folds all of its lanes."""
        # A load that is uniform across lanes, as of an index of a row, is no vector.
        frequent, varying = _most_frequent(op), _varying(op)
        in_lanes = [each for each in frequent if not varying.isdisjoint(each.operands_at)]
        widths = [max(32, dtype_of(element_of(each.buffer)).bits) for each in in_lanes or frequent]
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
        """The loop in vectors between bounds; `guarded` if the last vector may reach beyond them."""
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
                self._unguard_uniform_loads(copy, lane, guards)

    def _unguard_uniform_loads(self, statement: Operation, lane: Index, guards: Sequence[Index]) -> None:
        """Drop the guards of a last vector from loads that are uniform across lanes: its first lane is always in bounds."""
        for load in operations(statement):
            if not isinstance(load, loop.LoadOp) or any(expr.dims() & lane.dims() for expr in self.frame.exprs(load)):
                continue
            kept = [guard for guard in self.frame.guards(load) if guard not in guards]
            self.frame.write(load, self.frame.exprs(load), kept)


def _fills_more(inner: int, outer: int) -> bool:
    """Whether the whole vectors along an inner loop of so many iterations are longer than one that holds all iterations of an
    outer one."""
    whole_lanes = 1 << (max(inner, 1).bit_length() - 1)
    return whole_lanes > max(1 << (outer - 1).bit_length(), LEAST_LANES)


def _is_in_vectors(check: loop.CheckOp) -> bool:
    """Whether a check tests all lanes at once: it checks indices that are computed without divisions, but of sizes."""
    divided = (each for expr in check.index_map.results for each in quotients(expr))
    return check.kind.data == "index" and not any(of_atom(each).dims() for each in divided)


def _diverges(inner: Operation, level: loop.ForOp) -> bool:
    """Whether an operation is a loop or branch that may differ between the lanes of a vector along `level`."""
    return isinstance(inner, loop.ForOp | loop.IfOp) and any(_varies(value, level) for value in inner.operands_at)


def _varies(value: SSAValue, level: loop.ForOp) -> bool:
    """Whether a value may vary across iterations of a loop; inner loops have the same iterations in each."""
    owner = value.owner if isinstance(value.owner, Operation) else value.owner.parent_op()
    if owner is None or not level.is_ancestor(owner):
        return False
    return owner is level or not isinstance(owner, loop.ForOp) or value is not owner.induction


def _varying(level: loop.ForOp) -> set[SSAValue]:
    """The values in a loop that may vary across its iterations, where inner loops have the same iterations in each: its index,
    loads from buffers that the loop writes, carried values, and all values that depend on any of these."""
    written = {each.buffer for each in operations(level.body) if isinstance(each, loop.StoreOp | loop.UpdateOp)}
    found: set[SSAValue] = {level.induction, *level.carried_args}
    for op in operations(level.body):
        if isinstance(op, loop.ForOp):
            found.update((*op.carried_args, *op.results))
        elif (isinstance(op, loop.LoadOp) and op.buffer in written) or not found.isdisjoint(op.operands):
            found.update(op.results)
    return found


def _unroll_windows(op: Operation, *, in_rest: bool) -> int:
    """Fully unroll the small constant loops of a statement, so that their addresses become constants. Returns the number of
    copies of the innermost statements."""
    copies = max((_unroll_windows(each, in_rest=in_rest) for region in op.regions for each in region.block.ops), default=1)
    # Sequential loops stay loops, to keep their order.
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
    """The most frequent accesses: those of the inner loops if there are any, else those of the loop itself."""
    inside = [each for level in _inner_loops(op) for each in level.body.block.ops if isinstance(each, AccessOp)]
    return inside or _accesses(op)


def _accesses(op: loop.ForOp) -> list[AccessOp]:
    return [each for each in operations(op.body) if isinstance(each, AccessOp)]


def _inner_loops(op: loop.ForOp) -> Iterator[loop.ForOp]:
    return (each for each in operations(op.body) if isinstance(each, loop.ForOp))


def _stores(op: loop.ForOp) -> list[Operation]:
    return [each for each in operations(op.body) if isinstance(each, loop.StoreOp)]
