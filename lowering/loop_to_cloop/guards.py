"""Guards on the C level: conditions and lane masks from index expressions that must be non-negative."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import reduce

from xdsl.dialects.builtin import i32, i64
from xdsl.ir import SSAValue

from ...dialects import cloop
from ...ir.index.expressions import Index, index, maximum, minimum
from ...ir.scalars.attributes import number
from .indices import Expressions, Guard, Uniform
from .values import Value, ValueWriter, Vector


def condition(writer: ValueWriter, tested: Uniform) -> SSAValue:
    """Write a scalar test that all the expressions are non-negative."""
    return writer.add(cloop.TestOp(tested.exprs, tested.operands))


@contextmanager
def where(writer: ValueWriter, tested: Uniform) -> Iterator[None]:
    """Write the operations of the `with` body under the condition that all the expressions are non-negative."""
    if not tested.exprs:
        yield
        return
    branch = writer.builder.add(cloop.IfOp(condition(writer, tested)))
    with writer.inside(branch.body.block):
        yield


def truth(writer: ValueWriter, expressions: Expressions, exprs: Sequence[Index]) -> Value:
    """Write a test that all the expressions are non-negative: a mask if they vary across lanes, otherwise a scalar."""
    if not expressions.varies(*exprs):
        return condition(writer, expressions.uniform(exprs))
    return mask(writer, expressions, expressions.guard(exprs))


def mask(writer: ValueWriter, expressions: Expressions, guard: Guard) -> Vector:
    """Write the mask of active lanes."""
    masks: list[Value] = []
    for function, bound, every in (("ge", guard.first, 0), ("lt", guard.end, writer.lanes)):
        if bound != every:
            limit = expressions.scalar(maximum(0, minimum(bound, writer.lanes)))
            masks.append(writer.compute(function, writer.count_up(i32), writer.cast(limit, i32)))
    if guard.uniform or not (masks or guard.others):
        # With no conditions left, since the ranges prove them all, the test is true.
        masks.append(condition(writer, expressions.uniform(guard.uniform)))
    if guard.others and expressions.is_in_vectors(*guard.others):
        zero = writer.constant(number(0, i64))
        masks += [writer.compute("ge", expressions.integer(expr), zero) for expr in guard.others]
    elif guard.others:
        each = [condition(writer, expressions.at_lane(guard.others, lane)) for lane in range(writer.lanes)]
        masks.append(writer.pack(each))
    return writer.spread(reduce(lambda a, b: writer.compute("and", a, b), masks))


def is_partial(guard: Guard, lanes: int) -> bool:
    """Whether the guard restricts the active lanes to an interval."""
    return guard.first != 0 or guard.end != lanes


def interval(guard: Guard, lanes: int) -> tuple[Index, Index]:
    """The interval `[first, end)` of active lanes. Uniform conditions are included: if one is negative, `end` is below
    `first`."""
    end = guard.end
    for expr in guard.uniform:
        end = minimum(end, guard.first + (expr + 1) * lanes)
    return guard.first, end


def part_of_interval(bounds: tuple[Index, Index], start: int, size: int, lanes: int) -> tuple[Index, Index]:
    """The interval of active lanes relative to the register that holds lanes `start` to `start + size`."""
    if size == lanes:
        return bounds
    first, end = bounds
    return maximum(0, first - start), minimum(index(size), end - start)
