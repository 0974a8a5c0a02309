"""uop-split-convolutions: split grouped and strided-transposed convolutions into dense products, per group or per phase of a
step.

    %a = uop.reindex %x (n, o, y, c, k) -> (n, c + 2 * (o floordiv 3), y + k)
    %b = uop.reindex %w (n, o, y, c, k) -> (o, c, k)
    uop.reduce "add" (mul %a %b) axes [3, 4]
                                              ->  %a = uop.reindex %x (n, g, o, y, c, k) -> (n, c + 2 * g, y + k)
                                                  %b = uop.reindex %w (n, g, o, y, c, k) -> (o + 3 * g, c, k)
                                                  uop.reduce "add" (mul %a %b) axes [4, 5]
                                                  uop.reindex (n, o, y) -> (n, o floordiv 3, o mod 3, y)

1. Groups. If one factor uses the quotient of an index, both factors seem to depend on the index, though one needs only the
   quotient. With separate axes for quotient and remainder there is a dense product for each quotient. Grouped convolutions and
   their gradients have this form.
2. Phases. Transposed convolutions, and gradients of strided ones, test for each index t and each element k of a window whether
   the step s divides their difference:

       t, k in (0, n):  at (t + c - k) floordiv s, if (t + c - k) mod s = 0

   Indices a step apart use the same elements k, every s-th one. With t = s * q + r these are k = s * j + (r + c) mod s, and no
   test remains:

       q, r in (0, s), j in (0, n / s):  at q - j + (r + c) floordiv s

   If s does not divide n, some phases have one element more than the others. Either they are a sum of their own, and a place
   is in one of the sums, or both factors are read as 0 beyond the window: an element that is not finite would give NaN.
   Windows no longer than the step test the index alone, which is then s * q + r for the few r inside of the window.
3. Quotients. Gradients of a transposed convolution's weights have the same test, for each element t of a window and each index
   k that is summed. Every s-th k has a term: sum over the quotient i, at which a factor is read, in place of k = s * i - t - c.
4. Sources. Windows longer than the axis that they slide over, as over an image of one pixel, are mostly outside of it: sum over
   the index into the axis in place of the index into the window. A summed index that is beyond the axis at its ends, as in
   gradients of a strided transposed convolution's weights, is replaced likewise.
5. A read reassembles the result. It costs a pass over memory if no other operation absorbs it.
6. Products that are reindexed before they are summed, as gradients leave them, become products of reindexed factors.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import product
from typing import NamedTuple

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from ...dialects import uop
from ...ir.index.expressions import Apply, Atom, Dim, Index, IndexLike, ceildiv, dim, index
from ...ir.index.simplify import Ranges
from ...ir.rewrite import Builder, count, erase
from ...ir.scalars.attributes import number, value_of
from ...ir.types.shapes import Shape, element_of, shape_of
from ..analysis.windows import may_be_in_windows
from ..manager.options import limited
from .builder import Emit


@dataclass(frozen=True)
class UopSplitConvolutions(ModulePass):
    """Steps of up to `phases` are split; longer ones leave most indices without a term, and are rare. With `apart`, phases of
    different numbers of elements are different sums: CPUs compute these in tiles without guards. GPUs have masks anyway."""

    name = "uop-split-convolutions"

    phases: int = limited(16)
    apart: int = limited(0, least=0, most=1)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for each in [each for each in op.walk() if isinstance(each, uop.ReduceOp)]:
            found = _sum_of_products(each)
            if found is not None:
                self._divide(each, found)

    def _divide(self, op: uop.ReduceOp, found: Sum) -> None:
        """Replace a sum by its split into groups and phases, if it has any, or by one with reindexed factors."""
        divided: list[Divided] = []
        while (by_groups := found.by_groups()) is not None:
            divided.append(by_groups)
            found = by_groups.sum
        while (by_remainders := found.by_remainders(self.phases)) is not None:
            divided.append(by_remainders)
            found = by_remainders.sum
        before = found
        # The loop terminates: each replacement makes a summed extent shorter.
        while (shorter := found.by_quotient(self.phases) or found.by_source()) is not None:
            found = shorter
        is_new = found is not before
        by_phases = found.by_phases(self.phases, apart=self.apart == 1)
        is_new = is_new or bool(by_phases)
        if not divided and not is_new and not isinstance(op.input.owner, uop.ReindexOp):
            return
        emit = Emit(Builder(InsertPoint.before(op), op))
        parts = [each.together(each.sum.write(emit), emit) for each in by_phases] or [found.write(emit)]
        # Each place has terms in at most one of the sums.
        result = reduce(lambda a, b: emit.map("add", a, b), parts)
        for each in reversed(divided):
            result = each.together(result, emit)
        op.result.replace_all_uses_with(result)
        erase(op)
        if divided or is_new:
            count("products-divided", "Number of sums of products split into groups or phases, or summed over fewer indices")


@dataclass(frozen=True)
class Read:
    """The read of a factor: its indices and guards; the factor is 0 elsewhere."""

    source: SSAValue
    at: tuple[Index, ...]
    guards: tuple[Index, ...]
    may_miss: bool

    @staticmethod
    def of(value: SSAValue) -> Read | None:
        """A factor as a read, or as the read of a read of its source; None if its fill value is not 0, or if it reads at
        indices that are data."""
        read = Read._of(value)
        inner = Read._of(read.source) if read is not None and isinstance(read.source.owner, uop.ReindexOp) else None
        return read if read is None or inner is None else read.through(inner, Ranges.of_shape(shape_of(value)))

    @staticmethod
    def _of(value: SSAValue) -> Read | None:
        op = value.owner
        if not isinstance(op, uop.ReindexOp):
            return Read(value, tuple(map(dim, range(len(shape_of(value))))), (), False)
        if op.indices or (op.fill is not None and value_of(op.fill) != 0):
            return None
        return Read(op.source, op.map.data.results, op.guard_exprs(), op.fill is not None)

    def through(self, inner: Read, ranges: Ranges) -> Read:
        """The read of the source of another read, which is the source of this one."""
        moved: dict[Atom, IndexLike] = {Dim(axis): expr for axis, expr in enumerate(self.at)}
        read = inner.moved(moved, ranges, ())
        inside = bounds(self.at, shape_of(self.source)) if self.may_miss else ()
        guards = [each for each in (*self.guards, *inside) if not ranges.nonnegative(each)]
        return replace(read, guards=tuple(dict.fromkeys((*guards, *read.guards))), may_miss=self.may_miss or read.may_miss)

    @property
    def dims(self) -> frozenset[int]:
        return frozenset().union(*(expr.dims() for expr in self.at))

    def moved(self, moved: Mapping[Atom, IndexLike], ranges: Ranges, answered: Sequence[Index]) -> Read:
        """The read with other indices substituted, and without the guards `answered`."""
        guards = [ranges.simplify(each.substitute(moved)) for each in self.guards if each not in answered]
        at = tuple(ranges.simplify(each.substitute(moved)) for each in self.at)
        return Read(self.source, at, tuple(each for each in guards if not ranges.nonnegative(each)), self.may_miss)

    def write(self, space: Shape, emit: Emit) -> SSAValue:
        if not self.guards:
            return emit.reindex(self.source, space, self.at)
        return emit.window(self.source, space, self.at, number(0, element_of(self.source)), self.guards)


def bounds(at: Sequence[Index], sizes: Shape) -> Iterator[Index]:
    """The guards under which indices are in bounds."""
    for expr, size in zip(at, sizes, strict=True):
        yield from (expr, size - 1 - expr)


@dataclass(frozen=True)
class Sum:
    """The sum of the products of two factors over the last axes, which have the extents `summed`."""

    places: Shape
    summed: Shape
    factors: tuple[Read, Read]

    def write(self, emit: Emit) -> SSAValue:
        space = (*self.places, *self.summed)
        product = emit.map("mul", *(factor.write(space, emit) for factor in self.factors))
        return emit.reduce("add", product, range(len(self.places), len(space)))

    def by_groups(self) -> Divided | None:
        """The sum with two axes for an index that one factor divides, if each factor then has an axis of its own: one reads the
        quotient and the other one the remainder, or one factor has no other axis."""
        if not self._is_of_matrices():
            return None
        first, second = (factor.dims & set(range(len(self.places))) for factor in self.factors)
        exprs = [expr for factor in self.factors for expr in factor.at]
        parts = [atom for expr in exprs for monomial, _ in expr.terms for atom in monomial if isinstance(atom, Apply)]
        for axis, extent in enumerate(self.places):
            length = next((atom.rhs for atom in parts if atom.op == "floordiv" and atom.lhs == dim(axis)), None)
            if length is None or (first - second and second - first and dim(axis) in exprs):
                continue
            if (groups := extent // length) * length == extent:
                return self._in_groups(axis, groups, length)
        return None

    def _in_groups(self, axis: int, groups: Index, length: Index) -> Divided:
        rank = len(self.places)
        places = (*self.places[:axis], groups, length, *self.places[axis + 1 :])
        moved: dict[Atom, IndexLike] = {Dim(k): dim(k + 1) for k in range(axis + 1, rank + len(self.summed))}
        moved[Dim(axis)] = dim(axis) * length + dim(axis + 1)
        at = (*map(dim, range(axis)), dim(axis) // length, dim(axis) % length, *map(dim, range(axis + 1, rank)))
        return Divided(self._moved(places, self.summed, moved), self.places, at)

    def by_quotient(self, longest: int) -> Sum | None:
        """The sum over the quotients of a long index by a step of at most `longest`, if only multiples of the step have terms;
        None if there is no such index."""
        rank = len(self.places)
        guards = dict.fromkeys(guard for factor in self.factors for guard in factor.guards)
        for step in filter(None, (_step(guard, rank, longest) for guard in guards)):
            place, window = self.places[step.place].constant, self.summed[step.window - rank].constant
            is_whole = any(dim(step.window) in factor.at for factor in self.factors)
            if place is not None and window is not None and place < window and is_whole and self._is_of_matrices():
                found = self._over_quotient(step)
                if found is not None:
                    return found
        return None

    def _over_quotient(self, step: Step) -> Sum | None:
        """The sum over the index at which one factor is read by the quotient; None if no factor is."""
        own, sign = dim(step.window), 1 if step.adds else -1
        # With the quotient q in place of the index, no test remains: place + shift + sign * index = length * q.
        moved: dict[Atom, IndexLike] = {Dim(step.window): (own * step.length - dim(step.place) - step.shift) * sign}
        ranges = Ranges()
        for factor in self.factors:
            for expr, size in zip(factor.at, shape_of(factor.source), strict=True):
                read = ranges.simplify(expr.substitute(moved))
                factor_of = (read.coefficient(Dim(step.window)) or index(0)).constant
                rest = read - own * (factor_of or 0)
                if expr.dims() == {step.place, step.window} and factor_of in (1, -1) and rest.constant is not None:
                    quotient = (own - rest) * factor_of
                    at = (quotient * step.length - dim(step.place) - step.shift) * sign
                    return self._summed_by(step.window, at, size, [step.guard])
        return None

    def by_source(self) -> Sum | None:
        """The sum over the index into an axis in place of a longer index into windows that slide over it, or of a longer index
        that is beyond the axis at its ends; None if there is no such index."""
        rank = len(self.places)
        for window, extent in enumerate(self.summed, rank):
            is_whole = any(dim(window) in factor.at for factor in self.factors)
            for factor in self.factors:
                for expr, size in zip(factor.at, shape_of(factor.source), strict=True):
                    sign = (expr.coefficient(Dim(window)) or index(0)).constant
                    more = (extent - size).constant or 0
                    if sign not in (1, -1) or not factor.may_miss or more <= 0:
                        continue
                    if expr.dims() == {window} or (is_whole and min(expr.dims()) < rank and self._is_of_matrices()):
                        assert sign is not None
                        return self._summed_by(window, (dim(window) - (expr - dim(window) * sign)) * sign, size)
        return None

    def _summed_by(self, window: int, at: Index, size: Index, answered: Sequence[Index] = ()) -> Sum:
        """The sum with the index into a window replaced by an expression of a new index up to `size`, under the guard that it
        is in bounds of the window."""
        rank, extent = len(self.places), self.summed[window - len(self.places)]
        summed = (*self.summed[: window - rank], size, *self.summed[window - rank + 1 :])
        found = self._moved(self.places, summed, {Dim(window): at}, answered)
        return found.where(at, extent - 1 - at)

    def where(self, *guards: Index) -> Sum:
        """The sum of the products for which guards are not negative. Both factors are 0 elsewhere: an element that no window
        reaches may be infinite."""
        ranges = Ranges.of_shape((*self.places, *self.summed))
        unknown = [each for each in map(ranges.simplify, guards) if not ranges.nonnegative(each)]
        if not unknown:
            return self
        first, second = (
            replace(each, guards=tuple(dict.fromkeys((*each.guards, *unknown))), may_miss=True) for each in self.factors
        )
        return replace(self, factors=(first, second))

    def by_remainders(self, longest: int) -> Divided | None:
        """The sum for only the places whose remainder by a step of at most `longest` is small, if all other places have no
        term; None if there is no such guard."""
        rank = len(self.places)
        for guard in dict.fromkeys(guard for factor in self.factors for guard in factor.guards):
            found = _remainder(guard, longest)
            if found is None or len(found.total.dims()) != 1 or min(found.total.dims()) >= rank:
                continue
            (place,) = found.total.dims()
            shift = (found.total - dim(place)).constant
            if shift is not None:
                return self._at_remainders(guard, place, shift, found)
        return None

    def _at_remainders(self, guard: Index, place: int, shift: int, found: Remainder) -> Divided:
        """Split a place into its quotient, from the first with a small remainder on, and before that an axis for remainders, if
        there are several."""
        length, several = found.length, int(found.most > 0)
        begin = (shift + length - 1 - found.most) // length
        quotients = (self.places[place] - 1 + shift) // length - begin + 1
        moved: dict[Atom, IndexLike] = {Dim(k): dim(k + several) for k in range(place, len(self.places) + len(self.summed))}
        rest = dim(place) if several else index(0)
        moved[Dim(place)] = (dim(place + several) + begin) * length + rest - shift
        places = (*self.places[:place], *[index(found.most + 1)] * several, quotients, *self.places[place + 1 :])
        phase, quotient = (dim(place) + shift) % length, (dim(place) + shift) // length - begin
        at = (*map(dim, range(place)), *[phase] * several, quotient, *map(dim, range(place + 1, len(self.places))))
        return Divided(self._moved(places, self.summed, moved, [guard]), self.places, at, (found.most - phase,))

    def by_phases(self, longest: int, *, apart: bool) -> Sequence[Divided]:
        """The sum without guards that test divisibility by a step of at most `longest`, with an axis for the phases, or
        if `apart` one for each number of elements that phases have. Empty if there are no such guards."""
        rank = len(self.places)
        guards = dict.fromkeys(guard for factor in self.factors for guard in factor.guards)
        whole = {expr for factor in self.factors for expr in factor.at}
        steps: list[Step] = []
        for step in filter(None, (_step(guard, rank, longest) for guard in guards)):
            is_new = all(step.place != other.place and step.window != other.window for other in steps)
            if is_new and dim(step.window) in whole:
                steps.append(step)
        if not steps or not self._is_of_matrices():
            return ()
        return [
            self._in_phases(each)
            for each in product(*(Phases.of(step, self.summed[step.window - rank], apart) for step in steps))
        ]

    def _in_phases(self, chosen: Sequence[Phases]) -> Divided:
        rank, first = len(self.places), min(each.step.place for each in chosen)
        places, summed = list(self.places), list(self.summed)
        moved: dict[Atom, IndexLike] = {Dim(k): dim(k + 1) for k in range(first, rank + len(summed))}
        at = [dim(k) for k in range(rank)]
        reached, inside = list[Index](), list[Index]()
        # Linearise the phases to one axis before the axes of the indices: results stay contiguous along the indices.
        count, together = 1, index(0)
        for each in chosen:
            step, length, window = each.step, each.step.length, each.step.window
            more, rest = each.place_of(dim(first) // count % each.size)
            at[step.place] = dim(step.place) // length
            together += each.number_at(dim(step.place)) * count
            reached += each.reached(dim(step.place))
            count *= each.size
            places[step.place], summed[window - rank] = ceildiv(self.places[step.place], length), each.elements
            moved[Dim(step.place)] = (dim(step.place + 1) + (more + step.shift) // length) * length + rest - step.shift
            moved[Dim(window)] = dim(window + 1) * length + step.element(rest)
            inside.append(each.window - 1 - index(moved[Dim(window)]))
        places.insert(first, index(count))
        at.insert(first, together)
        found = self._moved(tuple(places), tuple(summed), moved, [each.step.guard for each in chosen])
        return Divided(found.where(*inside), self.places, tuple(at), tuple(reached))

    def _moved(self, places: Shape, summed: Shape, moved: Mapping[Atom, IndexLike], answered: Sequence[Index] = ()) -> Sum:
        ranges = Ranges.of_shape((*places, *summed))
        first, second = (factor.moved(moved, ranges, answered) for factor in self.factors)
        return Sum(places, summed, (first, second))

    def _is_of_matrices(self) -> bool:
        """Whether anything is summed besides windows, which slide over an axis."""
        places = range(len(self.places))
        exprs = [expr for factor in self.factors for expr in factor.at]
        summed = [(axis, extent) for axis, extent in enumerate(self.summed, len(places)) if extent != 1]
        return any(not any(may_be_in_windows(expr, axis, extent, places) for expr in exprs) for axis, extent in summed)


@dataclass(frozen=True)
class Divided:
    """A sum with split axes, and the position of each unsplit index among them. Steps longer than a window leave indices
    without a term, for which one of `reached` is negative: their sums are 0 whatever the factors are."""

    sum: Sum
    places: Shape
    at: tuple[Index, ...]
    reached: tuple[Index, ...] = ()

    def together(self, result: SSAValue, emit: Emit) -> SSAValue:
        """The sums with unsplit axes."""
        ranges = Ranges.of_shape(self.places)
        missed = [each for each in self.reached if not ranges.nonnegative(each)]
        if not missed:
            return emit.reindex(result, self.places, self.at)
        return emit.window(result, self.places, self.at, number(0, element_of(result)), missed)


class Step(NamedTuple):
    """A guard that tests whether `length` divides d<place> + shift - d<window>; if it `adds`, d<place> + shift + d<window>."""

    guard: Index
    place: int
    window: int
    adds: bool
    shift: int
    length: int

    def element(self, rest: Index) -> Index:
        """The first element of a window that has a term at a place. `rest` is the remainder of place + shift."""
        return -rest % self.length if self.adds else rest


class Phases(NamedTuple):
    """Phases of a step that have as many `elements` of a window of size `window`: all of them, or those with the `size` first
    elements from `first` on."""

    step: Step
    window: Index
    elements: Index
    size: int
    first: int | None = None

    @staticmethod
    def of(step: Step, window: Index, apart: bool) -> Sequence[Phases]:
        """The phases of a step that have elements; with `apart`, grouped by their numbers of elements."""
        extent, length = window.constant, step.length
        if extent is None or extent % length == 0 or not apart:
            return (Phases(step, window, ceildiv(window, length), length),)
        longer, least = extent % length, extent // length
        found = (Phases(step, window, index(least + 1), longer, 0), Phases(step, window, index(least), length - longer, longer))
        return found if least else found[:1]

    def number_at(self, place: Index) -> Index:
        """The number of a place's phase among these."""
        if self.first is None:
            return place % self.step.length
        return self.step.element((place + self.step.shift) % self.step.length) - self.first

    def reached(self, place: Index) -> Sequence[Index]:
        """An expression that is not negative if a place has one of these phases, and terms."""
        if self.first is None:
            return [self.window - 1 - self.step.element((place + self.step.shift) % self.step.length)]
        return [self.number_at(place), self.size - 1 - self.number_at(place)]

    def place_of(self, number: Index) -> tuple[Index, Index]:
        """The first place of a phase, and the remainder of place + shift."""
        length, shift = self.step.length, self.step.shift
        if self.first is None:
            return number, (number + shift) % length
        rest = self.step.element(number + self.first)
        return (rest - shift) % length, rest


def _sum_of_products(op: uop.ReduceOp) -> Sum | None:
    """The sum of products that an operation computes, with its summed axes last; None for other operations."""
    value, shape = op.input, shape_of(op.input)
    order = [*(axis for axis in range(len(shape)) if axis not in op.axis_list), *op.axis_list]
    at: list[Index] = [dim(order.index(axis)) for axis in range(len(shape))]
    if isinstance(value.owner, uop.ReindexOp) and value.owner.fill is None and not value.owner.indices:
        at = list(value.owner.map.data.apply(at))
        value = value.owner.source
    product = value.owner
    if op.accumulator.data != "add" or not isinstance(product, uop.MapOp) or product.function.data != "mul":
        return None
    first, second = map(Read.of, product.inputs)
    if first is None or second is None or len(list(value.uses)) != 1:
        return None
    sizes = [shape[axis] for axis in order]
    places, summed = tuple(sizes[: -len(op.axis_list)]), tuple(sizes[-len(op.axis_list) :])
    moved: dict[Atom, IndexLike] = {Dim(axis): each for axis, each in enumerate(at)}
    ranges = Ranges.of_shape(sizes)
    return Sum(places, summed, (first.moved(moved, ranges, ()), second.moved(moved, ranges, ())))


class Remainder(NamedTuple):
    """A guard that the remainder of `total` by `length` is at most `most`."""

    total: Index
    length: int
    most: int


def _remainder(guard: Index, longest: int) -> Remainder | None:
    """The remainder that a guard tests, if it is by a number of at most `longest`; None for other guards."""
    (monomial, factor), *more = (guard - guard.offset).terms or (((), 0),)
    if more or factor != -1 or len(monomial) != 1 or not isinstance(monomial[0], Apply) or monomial[0].op != "mod":
        return None
    total, length, most = monomial[0].lhs, monomial[0].rhs.constant, guard.offset
    return None if length is None or not 2 <= length <= longest or most < 0 else Remainder(total, length, most)


def _step(guard: Index, rank: int, longest: int) -> Step | None:
    """The divisibility test of a guard, if it is of one of the first `rank` indices, a later one and a constant; None for
    others."""
    found = _remainder(guard, longest)
    dims = sorted(found.total.dims()) if found is not None and found.most == 0 else []
    if found is None or len(dims) != 2 or not dims[0] < rank <= dims[1]:
        return None
    (total, length, _), (place, window) = found, dims
    if total.coefficient(Dim(place)) == -1:
        total = -total
    sign = 1 if total.coefficient(Dim(window)) == 1 else -1
    shift = (total - dim(place) - dim(window) * sign).constant
    return None if shift is None else Step(guard, place, window, sign > 0, shift, length)
