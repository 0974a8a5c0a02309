"""Conditions on loop indices that always or never hold, selections by constants, and integers that indices compute."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation, SSAValue
from xdsl.traits import is_side_effect_free

from ....dialects import loop
from ....ir.index.expressions import Index, index
from ....ir.index.simplify import Ranges
from ....ir.rewrite import erase
from ....ir.scalars.attributes import value_of
from ....ir.types.dtypes import dtype_of
from ...analysis.loop_nests import Frame

# Index expressions with factors below this limit are taken to fit 64 bits.
_LARGEST_FACTOR = 1 << 31


def integer_as_index(
    value: SSAValue, frame: Frame, ranges: Ranges, known: dict[SSAValue, Index | None] | None = None
) -> Index | None:
    """An integer as an expression over loop indices, such as `i - j + 1023`; None if it depends on data or could overflow.
    `known` has the integers that are found already: several may share one."""
    known = {} if known is None else known
    if value not in known:
        known[value] = _computed_integer(value, frame, ranges, known)
    return known[value]


def _computed_integer(value: SSAValue, frame: Frame, ranges: Ranges, known: dict[SSAValue, Index | None]) -> Index | None:
    op = value.owner
    if isinstance(op, loop.IndexOp):
        return frame.exprs(op)[0]
    if not isinstance(op, Operation) or dtype_of(value.type).kind != "int":
        return None
    if isinstance(op, loop.ConstantOp):
        return _fitting(index(int(value_of(op.value))), value, ranges)
    if isinstance(op, loop.CastOp):
        return _fitting(integer_as_index(op.input, frame, ranges, known), value, ranges)
    if not isinstance(op, loop.ComputeOp) or op.function.data not in ("add", "sub", "mul", "neg"):
        return None
    sides = [integer_as_index(each, frame, ranges, known) for each in op.inputs]
    operands = [each for each in sides if each is not None]
    if len(operands) < len(sides):
        return None
    match op.function.data, operands:
        case "neg", [a]:
            found = -a
        case "add", [a, b]:
            found = a + b
        case "sub", [a, b]:
            found = a - b
        case "mul", [a, b] if a.constant is not None or b.constant is not None:
            found = a * b
        case _:
            return None
    return _fitting(found, value, ranges)


def _fitting(found: Index | None, value: SSAValue, ranges: Ranges) -> Index | None:
    """An expression, if the dtype of a value holds it."""
    if found is None:
        return None
    bits = 8 * dtype_of(value.type).itemsize
    if bits == 64:
        return found if all(abs(factor) < _LARGEST_FACTOR for _, factor in found.terms) else None
    limit = 1 << (bits - 1)
    return found if ranges.nonnegative(limit - 1 - found) and ranges.nonnegative(found + limit) else None


def truth_of(op: Operation, frame: Frame, ranges: Ranges) -> bool | None:
    """Whether a test, or a comparison of two indices, always holds (True) or never (False); None if neither is known."""
    if isinstance(op, loop.TestOp):
        return _known(frame.exprs(op), ranges)
    indices = [value.owner for value in op.operands] if isinstance(op, loop.ComputeOp) else []
    if len(indices) != 2 or not all(isinstance(each, loop.IndexOp) for each in indices):
        return None
    (a,), (b,) = (frame.exprs(each) for each in indices if isinstance(each, loop.IndexOp))
    assert isinstance(op, loop.ComputeOp), "a comparison is computed"
    match op.function.data:
        case "lt":
            return _known((b - a - 1,), ranges)
        case "le":
            return _known((b - a,), ranges)
        case "gt":
            return _known((a - b - 1,), ranges)
        case "ge":
            return _known((a - b,), ranges)
        case "eq":
            return _known((a - b, b - a), ranges)
        case "ne":
            equal = _known((a - b, b - a), ranges)
            return None if equal is None else not equal
        case _:
            return None


def _known(conditions: Sequence[Index], ranges: Ranges) -> bool | None:
    """Whether all expressions are non-negative: True or False if proved, otherwise None."""
    if all(map(ranges.nonnegative, conditions)):
        return True
    return False if any(ranges.nonnegative(-1 - each) for each in conditions) else None


def selected_value(op: Operation) -> SSAValue | None:
    """The operand that a selection by a constant selects; None for any other operation."""
    if (
        not isinstance(op, loop.ComputeOp)
        or op.function.data != "select"
        or not isinstance(op.inputs[0].owner, loop.ConstantOp)
    ):
        return None
    return op.inputs[1 if value_of(op.inputs[0].owner.value) else 2]


def erase_unused(value: SSAValue) -> None:
    """Erase the operation that computes an unused value, if it only computes or reads, and then the operations whose results
    only it used."""
    pending = [value]
    while pending:
        op = pending.pop().owner
        # An operation may be pending twice.
        if not isinstance(op, Operation) or op.parent is None or op.regions or any(result.uses for result in op.results):
            continue
        if isinstance(op, loop.LoadOp) or is_side_effect_free(op):
            pending += op.operands
            erase(op)
