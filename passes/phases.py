"""Sums by phases and groups, as products of matrices.

An inverse that lists what was read with a step (`ir/inverse.py`) asks at each place and for each free index whether their sum
is a multiple of the step:

    t, k in (0, n):  at (t + c - k) floordiv s, if (t + c - k) mod s = 0

Places that are a step apart answer with the same indices, every s-th one. With a place as quotient and phase,
t + c = s * q + b, these are k = b + s * j, and no question is left:

    q, b in (0, s), j in (0, n / s):  at q - j

The last of these indices may lie beyond n, outside of the domain, of which they are a whole axis. A place that is divided into
a group and a place in it, as the channels of a grouped convolution are, becomes two axes, too: a product for each group.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..ir.index import Apply, Atom, Dim, Index, IndexLike, ceildiv, dim, index
from ..ir.inverse import Inverse
from ..ir.shapes import Shape
from ..ir.simplify import Ranges

# Longer steps leave most places with nothing, and are rare.
MOST_PHASES = 16


class Phases(NamedTuple):
    """An inverse over places that are divided, and where a place lies among these."""

    places: Shape
    inverse: Inverse
    at: tuple[Index, ...]


class _Step(NamedTuple):
    """What a guard asks: whether `length` divides d<place> + shift - d<free>, or d<place> + shift + d<free> where it `adds`."""

    guard: Index
    place: int
    free: int
    adds: bool
    shift: int
    length: int

    @property
    def begin(self) -> int:
        """The quotient of the first place."""
        return self.shift // self.length

    def first(self, phase: Index) -> Index:
        """The least free index of a phase."""
        return -phase % self.length if self.adds else phase


def in_phases(target: Shape, inverse: Inverse) -> Phases | None:
    """The inverse of a map to places of `target` without guards that ask whether a step divides, with an axis for the phases;
    None where it has none, or where nothing but such windows is summed, which is no product of matrices."""
    steps: list[_Step] = []
    for guard in inverse.guards:
        step = _step(guard, len(target))
        if (
            step is not None
            and dim(step.free) in inverse.at
            and all(step.place != other.place and step.free != other.free for other in steps)
        ):
            steps.append(step)
    if not steps or len(steps) == len(inverse.free):
        return None
    count, first = len(target), min(step.place for step in steps)
    places, free = list(target), list(inverse.free)
    moved: dict[Atom, IndexLike] = {Dim(k): dim(k + 1) for k in range(first, count + len(free))}
    at = [dim(k) for k in range(count)]
    # Phases are digits of one index, before the places that they belong to: results stay contiguous along these.
    phases, together = 1, index(0)
    for step in steps:
        phase = dim(first) // phases % step.length
        place = dim(step.place) + step.shift
        at[step.place] = place // step.length - step.begin
        together += place % step.length * phases
        phases *= step.length
        places[step.place] = (target[step.place] + step.shift - 1) // step.length - step.begin + 1
        free[step.free - count] = ceildiv(free[step.free - count], step.length)
        moved[Dim(step.place)] = (dim(step.place + 1) + step.begin) * step.length + phase - step.shift
        moved[Dim(step.free)] = dim(step.free + 1) * step.length + step.first(phase)
    places.insert(first, index(phases))
    at.insert(first, together)
    ranges = Ranges.of_shape((*places, *free))
    answered = {step.guard for step in steps}
    guards = _simplified([each for each in inverse.guards if each not in answered], moved, ranges)
    kept = tuple(each for each in guards if not ranges.nonnegative(each))
    found = Inverse(tuple(free), _simplified(inverse.at, moved, ranges), kept)
    return Phases(tuple(places), found, tuple(at))


def in_groups(target: Shape, inverse: Inverse) -> Phases | None:
    """The inverse of a map to places of `target` with two axes for one that it divides into groups; None where it has none."""
    parts = [atom for each in inverse.at for monomial, _ in each.terms for atom in monomial if isinstance(atom, Apply)]
    for axis, extent in enumerate(target):
        length = next((atom.rhs for atom in parts if atom.op == "floordiv" and atom.lhs == dim(axis)), None)
        if length is None or (count := extent // length) * length != extent:
            continue
        places = (*target[:axis], count, length, *target[axis + 1 :])
        moved: dict[Atom, IndexLike] = {Dim(k): dim(k + 1) for k in range(axis + 1, len(target) + len(inverse.free))}
        moved[Dim(axis)] = dim(axis) * length + dim(axis + 1)
        ranges = Ranges.of_shape((*places, *inverse.free))
        guards = _simplified(inverse.guards, moved, ranges)
        found = Inverse(inverse.free, _simplified(inverse.at, moved, ranges), guards)
        own = (dim(axis) // length, dim(axis) % length)
        at = (*map(dim, range(axis)), *own, *map(dim, range(axis + 1, len(target))))
        return Phases(places, found, at)
    return None


def _simplified(exprs: Sequence[Index], moved: dict[Atom, IndexLike], ranges: Ranges) -> tuple[Index, ...]:
    return tuple(ranges.simplify(each.substitute(moved)) for each in exprs)


def _step(guard: Index, count: int) -> _Step | None:
    """What a guard says, when that is of one of the first `count` indices, one behind them and a number."""
    (monomial, factor), *more = guard.terms or (((), 0),)
    if more or factor != -1 or len(monomial) != 1 or not isinstance(monomial[0], Apply) or monomial[0].op != "mod":
        return None
    total, length = monomial[0].lhs, monomial[0].rhs.constant
    dims = sorted(total.dims())
    if length is None or not 2 <= length <= MOST_PHASES or len(dims) != 2 or not dims[0] < count <= dims[1]:
        return None
    place, free = dims
    shift = (total - dim(place) - dim(free) * (sign := _sign(total, free))).constant
    return None if shift is None else _Step(guard, place, free, sign > 0, shift, length)


def _sign(total: Index, free: int) -> int:
    return 1 if total.coefficient(Dim(free)) == 1 else -1
