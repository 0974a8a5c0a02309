"""Value ranges of tensor elements, for the conditions of rewrite rules.

`range_of` inspects the micro-ops that define a tensor, a few levels deep. Its ranges hold for every input; an unknown one is
the whole range of the dtype. Bounds of floats are rounded outwards to values that every dtype has, so that no rounding of a
result can exceed them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr
from xdsl.ir import SSAValue

from ...dialects import uop
from ...ir.scalars.attributes import value_of
from ...ir.types.dtypes import DType, dtype_of
from ...ir.types.shapes import element_of

_DEPTH = 6
# Values that every float dtype has, float16 included. `_WIDE_MARKS` adds values for dtypes with a larger range.
_MARKS = (-math.inf, -(2.0**15), -1.0, 0.0, 1.0, 2.0**15, math.inf)
_WIDE_MARKS = (-math.inf, -(2.0**64), *_MARKS[1:-1], 2.0**64, math.inf)


@dataclass(frozen=True)
class Range:
    """Elements from `low` to `high`; `nan` and `negative_zero` say whether they may also be NaN or -0."""

    low: float | int
    high: float | int
    nan: bool = False
    negative_zero: bool = False

    @property
    def is_nonnegative(self) -> bool:
        """Whether no element is below 0; NaN and -0 are not below 0."""
        return self.low >= 0

    @property
    def is_finite(self) -> bool:
        """Whether no element is NaN or infinite."""
        return not self.nan and -math.inf < self.low and self.high < math.inf

    def holds(self, value: float | int) -> bool:
        return self.low <= value <= self.high

    def joined(self, other: Range) -> Range:
        """The union of both ranges."""
        return Range(
            min(self.low, other.low),
            max(self.high, other.high),
            self.nan or other.nan,
            self.negative_zero or other.negative_zero,
        )


def whole(dtype: DType) -> Range:
    """The full range of a dtype."""
    return Range(dtype.lowest, dtype.highest, dtype.is_float, dtype.is_float)


def range_of(value: SSAValue, depth: int = _DEPTH) -> Range:
    """The range of the elements of a tensor."""
    dtype = dtype_of(element_of(value))
    owner = value.owner
    if depth == 0 or not isinstance(owner, uop.MicroOp):
        return whole(dtype)
    match owner:
        case uop.ConstantOp() if not isinstance(owner.value, DenseIntOrFPElementsAttr):
            return _exactly(value_of(owner.value))
        case uop.ReindexOp():
            found = range_of(owner.source, depth - 1)
            return found if owner.fill is None else found.joined(_exactly(value_of(owner.fill)))
    return _outwards(_computed(owner, dtype, depth - 1), dtype)


def _computed(op: uop.MicroOp, dtype: DType, depth: int) -> Range:
    match op:
        case uop.IotaOp():
            size = op.shape[op.axis.value.data].constant
            return Range(0, dtype.highest if size is None or size > dtype.highest else max(size - 1, 0))
        case uop.CastOp():
            return _cast(range_of(op.input, depth), dtype_of(element_of(op.input)), dtype)
        case uop.ReduceOp() if op.accumulator.data == "add" and dtype.is_float:
            found = range_of(op.input, depth)
            return replace(found, high=math.inf) if found.is_nonnegative else whole(dtype)
        case uop.MapOp():
            operands = [range_of(each, depth) for each in op.inputs]
            if not dtype.is_float:
                return _of_integers(op.function.data, operands, dtype)
            return _of_floats(op.function.data, operands) or whole(dtype)
    return whole(dtype)


def _exactly(value: float | int | bool) -> Range:
    if isinstance(value, float) and math.isnan(value):
        return Range(math.inf, -math.inf, nan=True)
    return Range(value, value, negative_zero=isinstance(value, float) and value == 0 and math.copysign(1, value) < 0)


def _cast(found: Range, source: DType, to: DType) -> Range:
    if to.kind == "bool" or (source.is_float and not to.is_float) or to.is_stored_only:
        return whole(to)
    if to.is_float:
        # A value just below 0 rounds to -0 in a narrower dtype.
        vanishes = source.is_float and to.bits <= source.bits and found.low < 0
        negative_zero = found.negative_zero or vanishes
        return replace(found, low=float(found.low), high=float(found.high), negative_zero=negative_zero)
    return found if to.lowest <= found.low and found.high <= to.highest else whole(to)


def _outwards(found: Range, dtype: DType) -> Range:
    """Bounds of floats rounded outwards to `_MARKS`; those of integers unchanged."""
    if not dtype.is_float or found.low > found.high:
        return found
    marks = _MARKS if dtype.name == "float16" else _WIDE_MARKS
    low = max(mark for mark in marks if mark <= found.low)
    return replace(found, low=low, high=min(mark for mark in marks if mark >= found.high))


def _of_integers(function: str, operands: Sequence[Range], dtype: DType) -> Range:
    """The range of an integer function if no result can wrap around; else the full range."""
    rule = _INTEGERS.get(function)
    corners = rule(*operands) if rule is not None else None
    if corners is None or min(corners) < dtype.lowest or max(corners) > dtype.highest:
        return whole(dtype)
    return Range(min(corners), max(corners))


Corners = Sequence[float | int] | None


def _products(a: Range, b: Range) -> Corners:
    return [x * y for x in (a.low, a.high) for y in (b.low, b.high)]


def _quotients(a: Range, b: Range) -> Corners:
    return [x // y for x in (a.low, a.high) for y in (b.low, b.high)] if b.low > 0 else None


_INTEGERS: Mapping[str, Callable[..., Corners]] = MappingProxyType(
    {
        "add": lambda a, b: [a.low + b.low, a.high + b.high],
        "sub": lambda a, b: [a.low - b.high, a.high - b.low],
        "mul": _products,
        "neg": lambda a: [-a.high, -a.low],
        "max": lambda a, b: [max(a.low, b.low), max(a.high, b.high)],
        "min": lambda a, b: [min(a.low, b.low), min(a.high, b.high)],
        "select": lambda condition, a, b: [min(a.low, b.low), max(a.high, b.high)],
        "mod": lambda a, b: [0, b.high - 1] if b.low > 0 else None,
        "floordiv": _quotients,
    }
)


def _of_floats(function: str, operands: Sequence[Range]) -> Range | None:
    fixed = _IMAGES.get(function)
    if fixed is not None:
        return replace(fixed, nan=operands[0].nan or not (function in _TOTAL or operands[0].is_finite))
    rule = _FLOATS.get(function)
    return rule(*operands) if rule is not None else None


# Functions whose image does not depend on the operand; NaN maps to NaN.
_IMAGES: Mapping[str, Range] = MappingProxyType(
    {
        **{"exp": Range(0.0, math.inf), "exp2": Range(0.0, math.inf), "softplus": Range(0.0, math.inf)},
        **{"square": Range(0.0, math.inf), "abs": Range(0.0, math.inf), "cosh": Range(1.0, math.inf)},
        **{"sigmoid": Range(0.0, 1.0), "erfc": Range(0.0, 2.0), "gelu": Range(-0.17, math.inf, negative_zero=True)},
        **{"tanh": Range(-1.0, 1.0, negative_zero=True), "erf": Range(-1.0, 1.0, negative_zero=True)},
        **{"sin": Range(-1.0, 1.0, negative_zero=True), "cos": Range(-1.0, 1.0, negative_zero=True)},
    }
)
_TOTAL = frozenset(_IMAGES) - {"sin", "cos"}


def _add(a: Range, b: Range) -> Range:
    opposite = (a.low == -math.inf and b.high == math.inf) or (a.high == math.inf and b.low == -math.inf)
    nan = a.nan or b.nan or opposite
    return Range(_sum(a.low, b.low, -math.inf), _sum(a.high, b.high, math.inf), nan, a.negative_zero and b.negative_zero)


def _sum(x: float, y: float, otherwise: float) -> float:
    total = x + y
    return otherwise if math.isnan(total) else total


def _negated(a: Range) -> Range:
    return Range(-a.high, -a.low, a.nan, a.holds(0))


def _subtract(a: Range, b: Range) -> Range:
    return replace(_add(a, _negated(b)), negative_zero=a.negative_zero and b.holds(0))


def _multiply(a: Range, b: Range) -> Range:
    corners = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
    # 0 times an infinite bound is NaN, and counts as 0: the other corners cover the values between 0 and that bound.
    known = [0.0 if math.isnan(each) else each for each in corners]
    infinite = (a.holds(0) and not _bounded(b)) or (b.holds(0) and not _bounded(a))
    positive = all(each.is_nonnegative and not each.negative_zero for each in (a, b))
    return Range(min(known), max(known), a.nan or b.nan or infinite, not positive)


def _bounded(a: Range) -> bool:
    return -math.inf < a.low and a.high < math.inf


def _divide(a: Range, b: Range) -> Range | None:
    if not (a.is_nonnegative and b.is_nonnegative) or a.negative_zero or b.negative_zero:
        return None
    undefined = (a.holds(0) and b.holds(0)) or not (_bounded(a) or _bounded(b))
    return Range(0.0, math.inf, a.nan or b.nan or undefined)


def _root(a: Range) -> Range:
    return Range(0.0, math.inf, a.nan or a.low < 0, a.negative_zero)


def _log1p(a: Range) -> Range | None:
    return Range(0.0, math.inf, a.nan, a.negative_zero) if a.is_nonnegative else None


_FLOATS: Mapping[str, Callable[..., Range | None]] = MappingProxyType(
    {
        "add": _add,
        "sub": _subtract,
        "mul": _multiply,
        "div": _divide,
        "neg": _negated,
        "sqrt": _root,
        "log1p": _log1p,
        "max": lambda a, b: replace(a.joined(b), low=max(a.low, b.low)),
        "min": lambda a, b: replace(a.joined(b), high=min(a.high, b.high)),
        "select": lambda condition, a, b: a.joined(b),
    }
)
