"""Exponential chains: recognises a maximum and sums of exponentials relative to it, for loop-online-softmax.

The *shift* is the value subtracted in an exponent. Sums may be rescaled from one shift to another if they are linear in the
exponential, and the maximum must be of the same elements; both are proven here, or there is no chain.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from typing import TypeGuard

from xdsl.ir import Block, Operation, SSAValue

from ....dialects import loop
from ....ir.index.expressions import Atom, Dim, IndexLike
from ....ir.scalars.attributes import value_of
from ....ir.types.dtypes import FLOAT32, FLOAT64, dtype_of
from ...analysis.equivalence import ValueEquivalence
from ...analysis.loop_nests import Frame
from ...analysis.reductions import accumulations, statements


@dataclass(frozen=True)
class Shift:
    """The shift of exponentials: which maximum of the first loop it is, and whether it is 0 where that maximum is not
    finite."""

    value: SSAValue
    maximum: int
    is_finite: bool


@dataclass(frozen=True)
class Kept:
    """Exponentials that are stored, and loaded once in each later loop over the same range that reads them."""

    store: loop.StoreOp
    shift: Shift
    loads: tuple[loop.LoadOp, ...]


@dataclass(frozen=True)
class Chain:
    """Two loops over one range, with the uses of the second loop's exponentials. `subtracted` has its shifts. `shifts` has, for
    each of its sums, the shift that the sum depends on, None for sums without exponentials. `between` has the statements
    between the loops that use the maxima."""

    maxima: loop.ForOp
    sums: loop.ForOp
    subtracted: tuple[Shift, ...]
    shifts: tuple[Shift | None, ...]
    kept: tuple[Kept, ...]
    between: tuple[Operation, ...]


def chains(level: loop.ForOp, frame: Frame, elements: int) -> Iterator[Chain]:
    """The chains in a loop whose range may be longer than `elements`."""
    reductions = [op for op in statements(level) if isinstance(op, loop.ForOp) and op.kind.data == "reduction" and op.carried]
    for at, maxima in enumerate(reductions):
        functions = {result.function.data for result in accumulations(maxima) or ()}
        if functions != {"max"} or not _may_be_longer(maxima, elements, frame):
            continue
        for sums in reductions[at + 1 :]:
            if frame.exprs(sums) == frame.exprs(maxima) and (chain := _chain(maxima, sums, frame)) is not None:
                yield chain


def _may_be_longer(op: loop.ForOp, elements: int, frame: Frame) -> bool:
    lower, upper = frame.exprs(op)
    longest = frame.ranges((upper - lower).dims()).bound(upper - lower, upper=True)
    return longest is None or longest.constant is None or longest.constant > elements


def _chain(maxima: loop.ForOp, sums: loop.ForOp, frame: Frame) -> Chain | None:
    results = accumulations(sums)
    if maxima.step.value.data != 1 or sums.step.value.data != 1 or not (_is_plain(maxima) and _is_plain(sums)):
        return None
    if results is None or not all(op.function.data == "add" and _starts_at_zero(op, sums) for op in results):
        return None
    if not all(dtype_of(value.type) in (FLOAT32, FLOAT64) for value in (*maxima.results, *sums.results)):
        return None
    between = _between(maxima, sums)
    if between is None or _writes(maxima):
        return None
    below = _exponentials(maxima, sums, between, frame)
    shifts: list[Shift | None] = [None] * len(results)
    kept: list[Kept] = []
    for exponential, shift in below.items():
        for user in _uses(exponential, _dependents(below, sums)):
            if isinstance(user, loop.ComputeOp) and user in results:
                shifts[results.index(user)] = shift
            elif isinstance(user, loop.StoreOp) and not shift.is_finite:
                loads = loads_of_stored(user, sums, frame)
                if loads is None:
                    return None
                kept.append(Kept(user, shift, loads))
            else:
                return None
    stores = [op for op in statements(sums) if isinstance(op, loop.StoreOp)]
    readers = [load.parent_op() for each in kept for load in each.loads]
    if not below or stores != [each.store for each in kept] or len(set(readers)) < len(readers):
        return None
    return Chain(maxima, sums, tuple(dict.fromkeys(below.values())), tuple(shifts), tuple(kept), tuple(between))


def _is_plain(reduction: loop.ForOp) -> bool:
    return not any(op.regions or isinstance(op, loop.UpdateOp) for op in statements(reduction))


def _writes(op: Operation) -> bool:
    return any(isinstance(each, loop.StoreOp | loop.UpdateOp) for each in op.walk())


def _starts_at_zero(accumulation: loop.ComputeOp, sums: loop.ForOp) -> bool:
    """Whether a sum is accumulated by the second loop itself, from 0 on."""
    start = sums.carried[sums.carried_args.index(accumulation.inputs[0])].owner
    return isinstance(start, loop.ConstantOp) and value_of(start.value) == 0


def _between(maxima: loop.ForOp, sums: loop.ForOp) -> list[Operation] | None:
    """The pure statements between two loops that use the maxima of the first; None if other users exist, or a statement writes
    a buffer that the loop may read."""
    found: list[Operation] = []
    values = set(maxima.results)
    op = maxima.next_op
    while op is not sums:
        assert op is not None, "the second loop comes later in the block"
        if any(operand in values for each in op.walk() for operand in each.operands):
            if not isinstance(op, loop.ComputeOp | loop.CastOp):
                return None
            found.append(op)
            values.update(op.results)
        elif _writes(op):
            return None
        op = op.next_op
    return found


def _exponentials(maxima: loop.ForOp, sums: loop.ForOp, between: Sequence[Operation], frame: Frame) -> dict[SSAValue, Shift]:
    """The exponentials in the second loop, each with its shift, the maximum of its own elements; empty if the loop uses a
    maximum in any other way."""
    elements = [result.inputs[1] for result in accumulations(maxima) or ()]
    same = ValueEquivalence.of_loops(maxima, sums, frame)
    values = {*maxima.results, *(result for op in between for result in op.results)}
    found: dict[SSAValue, Shift] = {}
    for op in statements(sums):
        for position in [k for k, operand in enumerate(op.operands) if operand in values]:
            shift = _shift(op.operands[position], maxima)
            is_difference = isinstance(op, loop.ComputeOp) and op.function.data == "sub" and position == 1
            powers = [use.operation for use in op.results[0].uses] if is_difference else []
            if shift is None or len(powers) != 1 or not _is(powers[0], "exp"):
                return {}
            if not same.are(elements[shift.maximum], op.operands[0]):
                return {}
            found[powers[0].results[0]] = shift
    return found


def _shift(value: SSAValue, maxima: loop.ForOp) -> Shift | None:
    """A value as a shift: a maximum, or a maximum where it is finite and 0 elsewhere; None for any other value."""
    numbers: dict[SSAValue, int] = {result: k for k, result in enumerate(maxima.results)}
    if value in numbers:
        return Shift(value, numbers[value], is_finite=False)
    chosen = value.owner
    if not _is(chosen, "select"):
        return None
    asked, maximum, otherwise = chosen.operands
    is_zero = isinstance(otherwise.owner, loop.ConstantOp) and value_of(otherwise.owner.value) == 0
    asks_of_it = _is(asked.owner, "isfinite") and asked.owner.operands[0] is maximum
    return Shift(value, numbers[maximum], is_finite=True) if is_zero and asks_of_it and maximum in numbers else None


def _is(op: Operation | Block, function: str) -> TypeGuard[loop.ComputeOp]:
    return isinstance(op, loop.ComputeOp) and op.function.data == function


def _dependents(exponentials: Iterable[SSAValue], sums: loop.ForOp) -> Set[SSAValue]:
    """The values in a loop that depend on exponentials, and the exponentials."""
    found = set(exponentials)
    for op in statements(sums):
        if not found.isdisjoint(op.operands):
            found.update(op.results)
    return found


def _uses(value: SSAValue, made_of_exponentials: Set[SSAValue]) -> Iterator[Operation]:
    """The uses of an exponential, directly or multiplied by values that depend on none."""
    for use in list(value.uses):
        user = use.operation
        widens = isinstance(user, loop.CastOp) and dtype_of(user.result.type) is FLOAT64
        scales = _is(user, "mul") and user.operands[1 - use.index] not in made_of_exponentials
        if widens or scales:
            yield from _uses(user.results[0], made_of_exponentials)
        else:
            yield user


def loads_of_stored(store: loop.StoreOp, sums: loop.ForOp, frame: Frame) -> tuple[loop.LoadOp, ...] | None:
    """The loads of values that the second loop stores to a buffer without other accesses, at a different address for each
    index. Each of these loads is in a later parallel loop over the same range next to the second loop, and reads at the same
    index. None if there are other loads."""
    has_own_places = frame.index(sums.induction) in frame.exprs(store)
    if not isinstance(store.buffer.owner, loop.AllocOp) or store.guard_exprs or not has_own_places:
        return None
    found: list[loop.LoadOp] = []
    for load in [use.operation for use in store.buffer.uses if use.operation is not store]:
        reader = load.parent_op()
        if not isinstance(load, loop.LoadOp) or load.guard_exprs or not isinstance(reader, loop.ForOp) or reader.carried:
            return None
        at: dict[Atom, IndexLike] = {Dim(frame.number(reader.induction)): frame.index(sums.induction)}
        stored_there = tuple(expr.substitute(at) for expr in frame.exprs(load)) == frame.exprs(store)
        is_behind = reader.parent is sums.parent and sums.is_before_in_block(reader)
        same_range = frame.exprs(reader) == frame.exprs(sums) and reader.step.value.data == 1
        if not (stored_there and same_range and reader.kind.data == "parallel" and is_behind):
            return None
        found.append(load)
    return tuple(found)
