"""The ranges of tensors contain all values that the interpreter computes, for every dtype, on nasty numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import stepwell as sw
from stepwell.dialects import make_context
from stepwell.frontend.calls.traced import trace
from stepwell.ir.functions.entry import entry_function
from stepwell.ir.types.dtypes import dtype
from stepwell.lowering import all_passes
from stepwell.passes.analysis.value_ranges import Range, range_of
from stepwell.passes.manager.pass_manager import PassManager
from stepwell.runtime.interpret.uop import run_uop

FLOATS = ("float16", "bfloat16", "float32", "float64")
POSITIVE = [0.0, 1e-300, 5e-324, 1e-40, 1e-8, 2.3e-16, 0.5, 1.0, 1 + 2.3e-16, 3.0, 700.0, 7e4, 1e30, 1e300, np.inf]
GRID = np.array([*POSITIVE, *(-each for each in POSITIVE), np.nan])

FUNCTIONS: dict[str, Callable[..., Any]] = {
    **{
        name: getattr(sw, name)
        for name in ("exp", "exp2", "softplus", "square", "abs", "sigmoid", "erfc", "gelu", "tanh", "sin", "cos")
    },
    "sum of squares": lambda x: sw.sum(sw.square(x), axis=0),
    "a root": lambda x: sw.sqrt(sw.abs(x)),
    "a root of any": sw.sqrt,
    "a shift": lambda x: x + 1.0,
    "a difference": lambda x: sw.sigmoid(x) - sw.abs(x),
    "a product": lambda x: sw.exp(x) * sw.tanh(x),
    "a quotient": lambda x: sw.exp(x) / (sw.abs(x) + 1.0),
    "a negation": lambda x: -sw.exp(x),
    "a logarithm": lambda x: sw.log1p(sw.square(x)),
    "the greatest": lambda x: sw.maximum(x, 0.5),
    "the least": lambda x: sw.minimum(x, -0.5),
    "a choice": lambda x: sw.where(x > 0, sw.tanh(x), 2.0),
    "counted": lambda x: sw.arange(3) * 2 - 5,
}


def holds(found: Range, values: Any) -> bool:
    """Whether all values are in a range, and NaN and -0 occur only if the range has them."""
    numbers = values.astype("float64")
    inside = np.isnan(numbers) | ((found.low <= numbers) & (numbers <= found.high))
    negative_zero = (numbers == 0) & np.signbit(numbers)
    return bool(
        inside.all() and (found.nan or not np.isnan(numbers).any()) and (found.negative_zero or not negative_zero.any())
    )


def ranges_and_values(function: Callable[..., Any], name: str) -> list[tuple[Range, Any]]:
    """The range of each result of a function of a row of numbers, and the interpreter's results on the grid."""
    module = trace(function, [sw.Spec((len(GRID),), name)]).module
    PassManager.parse("lower-graph-to-uop", make_context(), all_passes()).run(module)
    entry = entry_function(module)
    with np.errstate(all="ignore"):
        values = run_uop(entry, [GRID.astype(dtype(name).numpy)], {})
    terminator = entry.body.block.last_op
    assert terminator is not None
    return [(range_of(each), value) for each, value in zip(terminator.operands, values, strict=True)]


@pytest.mark.parametrize("name", FLOATS)
@pytest.mark.parametrize("function", FUNCTIONS.values(), ids=FUNCTIONS)
def test_ranges_hold(function: Callable[..., Any], name: str):
    def cast_to_all(x: Any) -> tuple[Any, ...]:
        made = function(x)
        return made, *(sw.astype(made, each) for each in FLOATS)

    for found, values in ranges_and_values(cast_to_all, name):
        assert holds(found, values), (found, values)


def test_what_is_known_is_more_than_nothing():
    (found, _), *_ = ranges_and_values(lambda x: sw.sigmoid(x) + 1.0, "float32")
    assert found.is_nonnegative and not found.negative_zero and found.high < 2**16


def test_a_cast_that_underflows_keeps_its_sum_with_zero():
    row = sw.Spec((1,), "float64")
    for name in ("float16", "float32"):
        assert not sw.lower(lambda x, name=name: sw.astype(x + 1.0, name) + 0.0, row).rewrites
    assert sw.lower(lambda x: sw.astype(sw.square(x) + 1.0, "float16") + 0.0, row).rewrites == {"add-zero": 1}
