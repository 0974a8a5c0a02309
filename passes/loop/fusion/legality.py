"""Fusion legality and profit: decides which loops of two nests may fuse, and whether that pays.

A chain is the permutable part of a nest: each loop holds nothing but the next one. A loop with carried values ends its chain
and stays innermost in it (its pivot); so does a loop that holds statements or several loops.

Legality, by index maps: each pair of dependent accesses must be aligned in every pair of matched loops
(`passes/analysis/dependence.py`).

Profit, counted in memory traffic:
1. The nests access a common buffer; otherwise nothing is saved.
2. No loop with contiguous accesses moves outwards past a loop without contiguous accesses.
3. A contraction reuses its operands, and gains more from tiling than from fusion. It only fuses with a nest that shares all its
   loops and has none of its own: an epilogue.
4. A parallel loop that moves fewer cache lines inside of the reductions that it holds (`analysis/cost.py`) does not become a
   reduction.
5. The fused nest has an order in which it moves no more cache lines than both nests separately, each in its best order.
6. With `columns`, an elementwise nest joins a reduction of columns over the same elements, in spite of rules 2 and 5:
   loop-interchange moves the loop over the columns back inside, and the elements are read once. With that loop inside, the
   elementwise nest moves no more lines than in its best order.
7. With `vectors`, a nest that computes a costly function of each row, for no other nest, does not join loops along the rows:
   vectors then compute the function, not one row at a time. The nest joins the loops if it needs several of their results, as a
   logarithm of a sum of exponentials does: otherwise these results would be stored.
8. With `vectors`, a parallel loop along which windows slide, or whose vectors have a short sum inside, does not become a
   reduction: only parallel loops have vectors with loops inside. Nor does one around reductions that would save little by it,
   as a sum of the sums of rows: its iterations can run side by side.
9. Between nests that only read the same data, no loop moves outside of a parallel loop along an earlier axis: each nest would
   jump from row to row of an array that it otherwise moves through from front to back. A row may be as short as a cache line.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ....dialects import loop
from ....ir.index.expressions import Atom, Dim, Index, IndexLike, dim
from ....ir.types.shapes import shape_of
from ...analysis.cost import Level, gains_inside, groups_of
from ...analysis.dependence import aligned, all_aligned, dependences, shared_reads
from ...analysis.loop_nests import Access, Frame, Node
from ...analysis.reductions import COSTLY, cost_of

# Loops of so many iterations or fewer are vectorised across rows.
SHORT = 16
# A loop that becomes a reduction saves at least one line in so many.
LEAST_SAVED = 16


@dataclass(frozen=True)
class Match:
    """Loops to fuse, pair by pair from outside in, and those that remain inside them."""

    pairs: tuple[tuple[Node, Node], ...]
    first_rest: tuple[Node, ...]
    second_rest: tuple[Node, ...]


def for_op(node: Node) -> loop.ForOp:
    assert isinstance(node.op, loop.ForOp), f"'{node.op.name}' is no loop"
    return node.op


def chain(node: Node) -> list[Node]:
    """The permutable loops from `node` inwards."""
    found = [node]
    while _is_link(found[-1]):
        inner = found[-1].items[0]
        if for_op(inner).operands_at:
            break
        found.append(inner)
    return found


def _is_link(node: Node) -> bool:
    op = for_op(node)
    if op.carried or op.kind.data != "parallel" or len(node.items) != 1:
        return False
    return isinstance(node.items[0].op, loop.ForOp)


def match(first: Node, second: Node, frame: Frame, columns: bool = False, vectors: bool = False) -> Match | None:
    """How to fuse two sibling loops, `first` running before `second`; None if that is illegal or does not pay."""
    if not _may_share(first, second):
        return None
    found = _ordered(legal_pairs(first, second, frame), chain(first), chain(second))
    if found is None or not _pays(found, first, second, frame, columns):
        return None
    loses = vectors and (
        _breaks_windows(found, frame)
        or _loses_vectors(found, first, second, frame)
        or _carries_for_little(found, first, second, frame)
    )
    return None if loses else found


def legal_pairs(first: Node, second: Node, frame: Frame) -> dict[Node, Node]:
    """The pairs of loops of two siblings, `first` running before `second`, that may legally fuse, whether it pays or not."""
    dependent, shared = list(dependences(first, second)), list(shared_reads(first, second))
    return _pairs(chain(first), chain(second), dependent, shared, frame)


def _may_share(first: Node, second: Node) -> bool:
    smaller, larger = sorted((first.accesses, second.accesses), key=len)
    return any(buffer in larger for buffer in smaller)


def _pairs(
    ours: Sequence[Node],
    theirs: Sequence[Node],
    dependent: Sequence[tuple[Access, Access]],
    shared: Sequence[tuple[Access, Access]],
    frame: Frame,
) -> dict[Node, Node]:
    """Loops of equal bounds that all dependences align; pairs that also align the shared reads come first."""
    found: dict[Node, Node] = {}
    equal: dict[Atom, IndexLike] = {}
    ranges = frame.ranges({number for pair in (*dependent, *shared) for access in pair for number in access.dims})
    while True:
        best: tuple[int, Node, Node] | None = None
        for mine in ours:
            for other in theirs:
                if mine in found or other in found.values() or not _same_bounds(mine, other, frame):
                    continue
                i, j = frame.number(for_op(mine).induction), frame.number(for_op(other).induction)
                if all_aligned(dependent, i, j, ranges, equal):
                    gain = sum(aligned(a, b, i, j, ranges, equal) for a, b in shared)
                    if best is None or gain > best[0]:
                        best = (gain, mine, other)
        if best is None:
            return found
        _, mine, other = best
        found[mine] = other
        equal[Dim(frame.number(for_op(other).induction))] = dim(frame.number(for_op(mine).induction))


def _same_bounds(mine: Node, other: Node, frame: Frame) -> bool:
    a, b = for_op(mine), for_op(other)
    kinds = {a.kind.data, b.kind.data}
    # A scan does not fuse with reductions: they could no longer be vectorised.
    if (len(kinds) == 2 and "sequential" in kinds) or not kinds <= {"parallel", "reduction", "sequential"}:
        return False
    return a.step == b.step and frame.exprs(a) == frame.exprs(b)


def _ordered(pairs: dict[Node, Node], ours: Sequence[Node], theirs: Sequence[Node]) -> Match | None:
    """The pairs in the first nest's order, with a loop with carried values last; None if two such loops prevent that."""
    if not pairs:
        return None
    pivots = [(a, b) for a, b in pairs.items() if for_op(a).carried or for_op(b).carried]
    if len(pivots) > 1:
        return None
    ordered = [*(pair for pair in ((a, pairs[a]) for a in ours if a in pairs) if pair not in pivots), *pivots]
    first_rest = tuple(node for node in ours if node not in pairs)
    second_rest = tuple(node for node in theirs if node not in pairs.values())
    for a, b in pivots:
        # Carried values stay inside all loops of their own chain.
        if (for_op(a).carried and first_rest) or (for_op(b).carried and second_rest):
            return None
    return Match(tuple(ordered), first_rest, second_rest)


def _pays(found: Match, first: Node, second: Node, frame: Frame, columns: bool) -> bool:
    contractions = [is_contraction(node, frame) for node in (first, second)]
    if any(contractions):
        return contractions == [True, False] and not found.first_rest and not found.second_rest and _is_flat(chain(second)[-1])
    mine, others = zip(*found.pairs, strict=True)
    if any(_reduces_in_order(one, frame) for a, b in found.pairs for one, other in ((a, b), (b, a)) if for_op(other).carried):
        return False
    sides = ((first, mine, found.first_rest), (second, others, found.second_rest))
    if (
        all(_keeps_contiguous(*side, frame) for side in sides)
        and (not _only_reads_shared(first, second) or all(_keeps_rows(*side, frame) for side in sides))
        and _has_good_order(found, first, second, frame)
    ):
        return True
    return columns and _joins_columns(found, first, second, frame)


def _has_good_order(found: Match, first: Node, second: Node, frame: Frame) -> bool:
    """Whether the fused nest moves no more lines than both nests separately. Lines of shared buffers count once in the fused
    nest."""
    nests = ((first, [a for a, _ in found.pairs]), (second, [b for _, b in found.pairs]))
    apart = 0.0
    in_tiles = [all(group.goes_through_tiles() for group in groups_of(nest, frame)) for nest, _ in nests]
    if any(in_tiles) and not all(in_tiles) and not first.written & second.accesses.keys():
        # Fused, the nest without tiles would move its lines tile by tile, with more streams at a time than prefetchers follow.
        return False
    # The lines with each pair of matched loops innermost, and with the matched loops outside of all others.
    inside, outside = [0.0] * len(found.pairs), 0.0
    movable = all(_may_move_inside(nest, matched) for nest, matched in nests)
    for nest, matched in nests:
        numbers = [frame.number(for_op(node).induction) for node in matched]
        groups = list(groups_of(nest, frame))
        for group in groups:
            apart += group.least(is_alone=len(groups) == 1)
            own = [level for level in group.levels if level.number not in numbers]
            others = own or [level for level in group.levels if level.number == numbers[-1]]
            outside += min(group.lines(level, is_alone=not own) for level in others)
            for k, number in enumerate(numbers):
                inside[k] += sum(group.lines(level, is_alone=not own) for level in group.levels if level.number == number)
    saved = _shared_lines(first, second, frame)
    return outside <= apart + saved or (movable and min(inside) <= apart + saved)


def _loses_vectors(found: Match, first: Node, second: Node, frame: Frame) -> bool:
    """Whether one nest computes a costly function along the matched loops, and the other has its vectors inside of them."""
    mine, others = zip(*found.pairs, strict=True)
    for one, matched, rest, other, along in (
        (first, mine, found.first_rest, second, others[-1]),
        (second, others, found.second_rest, first, mine[-1]),
    ):
        stored = other.written & one.accesses.keys()
        if not rest and len(stored) <= 1 and _is_elementwise(one) and _has_vectors_inside(other, along, frame):
            innermost = {frame.number(for_op(matched[-1]).induction)}
            stores = [access for each in one.accesses.values() for access in each if access.writes]
            is_in_vectors = all(_is_contiguous(access, innermost) for access in stores)
            if is_in_vectors and cost_of(for_op(chain(one)[-1])) >= COSTLY and not _is_read_elsewhere(one):
                return True
    return False


def _breaks_windows(found: Match, frame: Frame) -> bool:
    """Whether a parallel loop around windows would become a reduction."""
    both = [pair for a, b in found.pairs for pair in ((a, b), (b, a))]
    return any(for_op(other).carried and _is_around_windows(one, frame) for one, other in both)


def _carries_for_little(found: Match, first: Node, second: Node, frame: Frame) -> bool:
    """Whether a parallel loop around reductions would become a reduction, to save less than one in `LEAST_SAVED` of the lines
    that its nest moves."""
    lines = 0.0
    for nest, pairs in ((first, found.pairs), (second, [(b, a) for a, b in found.pairs])):
        changed = [own for own, other in pairs if for_op(other).carried and not for_op(own).carried]
        if any(for_op(node).carried for own in changed for node in own.walk() if isinstance(node.op, loop.ForOp)):
            lines += sum(group.least(is_alone=True) for group in groups_of(nest, frame))
    return lines > LEAST_SAVED * _shared_lines(first, second, frame)


def _is_around_windows(level: Node, frame: Frame) -> bool:
    """Whether a parallel loop holds short sums, and vectors run along it, or the sums are over windows that slide along it."""
    sums = [node for node in level.walk() if node is not level and isinstance(node.op, loop.ForOp) and node.op.carried]
    loops = [for_op(node) for node in sums]
    short = {frame.number(each.induction) for each in loops if each.trips is not None and each.trips <= SHORT}
    if for_op(level).carried or not short:
        return False
    number = frame.number(for_op(level).induction)
    accesses = [access for each in level.accesses.values() for access in each]
    slides = any(number in expr.dims() and not short.isdisjoint(expr.dims()) for access in accesses for expr in access.exprs)
    return slides or any(access.writes and _is_contiguous(access, {number}) for access in accesses)


def _has_vectors_inside(nest: Node, level: Node, frame: Frame) -> bool:
    """Whether loops inside of a loop are longer than `SHORT`, and contiguous where the loop itself is not."""
    inside = [node for node in nest.walk() if isinstance(node.op, loop.ForOp) and _lies_inside(node, level.loops)]
    long = {frame.number(for_op(node).induction) for node in inside if (for_op(node).trips or SHORT + 1) > SHORT}
    number = frame.number(for_op(level).induction)
    accesses = [access for each in nest.accesses.values() for access in each if access.dims & long]
    along = any(_is_contiguous(access, long) for access in accesses)
    return along and not any(_is_contiguous(access, {number}) for access in accesses)


def _is_contiguous(access: Access, numbers: set[int]) -> bool:
    """Whether one of the loops has stride 1 along the last axis that is longer than 1."""
    sizes = shape_of(access.buffer)
    longer = [expr for expr, size in zip(access.exprs, sizes, strict=True) if size != 1]
    return _unit_stride(longer, numbers)


def _is_read_elsewhere(nest: Node) -> bool:
    """Whether operations outside of a nest read what it writes."""
    users = (use.operation for buffer in nest.written for use in buffer.uses)
    return any(not nest.op.is_ancestor(op) and not isinstance(op, loop.StoreOp) for op in users)


def _may_move_inside(nest: Node, matched: Sequence[Node]) -> bool:
    """Whether loop-interchange may move matched loops inside of a nest's other loops later. It moves them inside accumulations
    alone, not inside parallel loops nor loops that update elements at indices that are data."""
    loops = (node for node in nest.walk() if isinstance(node.op, loop.ForOp) and node not in matched)
    return all(for_op(node).carried and for_op(node).kind.data != "parallel" for node in loops)


def _shared_lines(first: Node, second: Node, frame: Frame) -> float:
    """The lines that the second nest moves of buffers that both nests access."""
    return sum(group.only(first.accesses).least(is_alone=True) for group in groups_of(second, frame))


def _joins_columns(found: Match, first: Node, second: Node, frame: Frame) -> bool:
    """Whether the remaining loops of an elementwise nest can fuse with a reduction inside of the matched loop of the other
    nest. loop-interchange moves the loops of the reduction outwards again."""
    mine, others = found.pairs[-1]
    for rest, matched, elementwise in ((found.first_rest, others, first), (found.second_rest, mine, second)):
        inner = _reduction_inside(matched)
        if not rest or len(inner) != len(rest) or not _is_elementwise(elementwise) or not _reduces_in_order(matched, frame):
            continue
        if not _is_best_inside(mine if elementwise is first else others, elementwise, frame):
            continue
        dependent, shared = list(dependences(first, second)), list(shared_reads(first, second))
        ours, theirs = chain(first), chain(second)
        if elementwise is first:
            pairs = _pairs(ours, [*theirs, *inner], dependent, shared, frame)
        else:
            pairs = {b: a for a, b in _pairs([*ours, *inner], theirs, dependent, shared, frame).items()}
        numbers = {frame.number(for_op(node).induction) for node in rest}
        accesses = (access for pair in (*dependent, *shared) for access in pair)
        if [pairs.get(node) for node in rest] == inner and any(numbers <= access.dims for access in accesses):
            return True
    return False


def _is_best_inside(level: Node, nest: Node, frame: Frame) -> bool:
    """Whether a nest moves as few lines with a loop innermost as in its best order."""
    number = frame.number(for_op(level).induction)
    return all(
        group.lines(own) <= group.least(is_alone=True)
        for group in groups_of(nest, frame)
        for own in group.levels
        if own.number == number
    )


def _reduction_inside(matched: Node) -> list[Node]:
    """The loops of the only reduction in a loop, from outside in; empty if there are other loops."""
    found: list[Node] = []
    while len(matched.loops) == 1:
        matched = matched.loops[0]
        found.append(matched)
    return found if not matched.loops and all(for_op(node).carried for node in found) else []


def _reduces_in_order(level: Node, frame: Frame) -> bool:
    """Whether a parallel loop moves fewer lines inside of the reductions that it holds. Once it is a reduction itself, it
    cannot move there."""
    carrying = [node for node in level.walk() if node is not level and isinstance(node.op, loop.ForOp) and node.op.carried]
    return not for_op(level).carried and any(
        gains_inside(
            [access for each in node.accesses.values() for access in each],
            Level.of(for_op(level), frame),
            [Level.of(for_op(node), frame)],
            frame,
        )
        for node in carrying
    )


def _is_flat(innermost: Node) -> bool:
    return not innermost.loops


def _is_elementwise(nest: Node) -> bool:
    return all(for_op(node).kind.data == "parallel" for node in chain(nest)) and _is_flat(chain(nest)[-1])


def _keeps_contiguous(nest: Node, matched: Sequence[Node], rest: Sequence[Node], frame: Frame) -> bool:
    """Whether accesses stay contiguous in the inner loops: where a matched loop that moves out of the remaining loops has
    contiguous accesses, a remaining loop has contiguous ones too."""
    outer = {frame.number(for_op(node).induction) for node in matched if _lies_inside(node, rest)}
    inner = {frame.number(for_op(node).induction) for node in rest}
    accesses = [access for each in nest.accesses.values() for access in each if access.dims & inner]
    return not any(_unit_stride(access.exprs, outer) and not _unit_stride(access.exprs, inner) for access in accesses)


def _only_reads_shared(first: Node, second: Node) -> bool:
    return first.written.isdisjoint(second.accesses) and second.written.isdisjoint(first.accesses)


def _keeps_rows(nest: Node, matched: Sequence[Node], rest: Sequence[Node], frame: Frame) -> bool:
    """Whether no matched loop moves outside of a remaining parallel loop that runs along an earlier axis of an array."""
    moved = [
        (frame.number(for_op(outer).induction), frame.number(for_op(inner).induction))
        for outer in rest
        for inner in matched
        if for_op(outer).kind.data == "parallel" and _lies_inside(inner, [outer])
    ]
    accesses = [access for each in nest.accesses.values() for access in each]
    return not any(_is_earlier(outer, inner, access.exprs) for outer, inner in moved for access in accesses)


def _is_earlier(outer: int, inner: int, exprs: Sequence[Index]) -> bool:
    """Whether one loop runs along an earlier axis than another."""
    axes = [[axis for axis, expr in enumerate(exprs) if number in expr.dims()] for number in (outer, inner)]
    return all(axes) and max(axes[0]) < min(axes[1])


def _lies_inside(node: Node, others: Sequence[Node]) -> bool:
    return any(node is inner for other in others for inner in other.walk())


def _unit_stride(exprs: Sequence[Index], numbers: set[int]) -> bool:
    """Whether one of the loops has stride 1 along the last axis."""
    return bool(exprs) and any(_is_unit(exprs[-1].coefficient(Dim(number))) for number in numbers & exprs[-1].dims())


def _is_unit(factor: Index | None) -> bool:
    return factor is not None and factor.constant in (1, -1)


def is_contraction(nest: Node, frame: Frame) -> bool:
    """Whether two reads inside a reduction each lack a parallel index that the other's address has, so that both are reused."""
    parallel = {frame.number(for_op(level).induction) for level in chain(nest) if for_op(level).kind.data == "parallel"}
    missing = [parallel - access.dims for access in _reduced_reads(nest, frame)]
    return any(a - b and b - a for k, a in enumerate(missing) for b in missing[:k])


def _reduced_reads(nest: Node, frame: Frame) -> Iterator[Access]:
    """The loads whose address depends on a reduction's index."""
    reduced = {
        frame.number(node.op.induction)
        for node in nest.walk()
        if isinstance(node.op, loop.ForOp) and node.op.kind.data == "reduction"
    }
    for each in nest.accesses.values():
        yield from (access for access in each if not access.writes and access.dims & reduced)
