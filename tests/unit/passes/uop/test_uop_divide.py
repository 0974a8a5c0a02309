"""Sums of products that are split by groups and phases equal the original sums, on whole numbers."""

from __future__ import annotations

import re

import numpy as np
import pytest
from stepwell.dialects import make_context
from stepwell.ir.functions.entry import entry_function
from stepwell.ir.text.parser import parse_module
from stepwell.lowering import all_passes
from stepwell.passes.manager.pass_manager import PassManager
from stepwell.runtime.interpret.uop import run_uop

# By place t and window element k: the index that the first factor is read at, and the guards; the numbers of places and
# elements.
CASES = {
    "step of two": ("(d0 - d2 + 1) floordiv 2", "-((d0 - d2 + 1) mod 2)", 9, 3),
    "step of three": ("(d0 - d2) floordiv 3", "-((d0 - d2) mod 3)", 14, 5),
    "shifted far": ("(d0 - d2 + 7) floordiv 4", "-((d0 - d2 + 7) mod 4)", 11, 4),
    "shifted back": ("(d0 - d2 - 5) floordiv 2", "-((d0 - d2 - 5) mod 2)", 12, 3),
    "a short window": ("(d0 - d2) floordiv 4", "-((d0 - d2) mod 4)", 13, 2),
    "sums": ("(d0 + d2 - 3) floordiv 2", "-((d0 + d2 - 3) mod 2)", 10, 4),
    "places that are taken away": ("(d2 - d0 + 3) floordiv 3", "-((d2 - d0 + 3) mod 3)", 6, 7),
    "one place": ("(d0 - d2 + 4) floordiv 5", "-((d0 - d2 + 4) mod 5)", 1, 9),
}


def module(at: str, guard: str, places: int, window: int) -> str:
    """Sums over the channels d1 and a window."""
    space = f"tensor<{places}x4x{window}xf64>"
    dims = "(d0, d1, d2)"
    return f"""func.func @f(%x: tensor<4x6xf64>, %w: tensor<4x{window}xf64>) -> tensor<{places}xf64> {{
      %a = uop.reindex %x <{dims} -> (d1, {at})> guard <{dims} -> ({guard})> fill 0.0 : f64 : (tensor<4x6xf64>) -> {space}
      %b = uop.reindex %w <{dims} -> (d1, d2)> : (tensor<4x{window}xf64>) -> {space}
      %p = uop.map "mul"(%a, %b) : ({space}, {space}) -> {space}
      %s = uop.reduce "add" %p axes [1, 2] : {space} -> tensor<{places}xf64>
      func.return %s : tensor<{places}xf64>
    }}"""


@pytest.mark.parametrize("apart", [0, 1])
@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_phases_add_up_to_the_same(case: tuple[str, str, int, int], apart: int):
    *_, places, window = case
    random = np.random.default_rng(places)
    given = [random.integers(-9, 9, shape).astype(np.float64) for shape in ((4, 6), (4, window))]
    ctx = make_context()
    plain, divided = (parse_module(module(*case), ctx) for _ in range(2))
    PassManager.parse(f"uop-split-convolutions{{apart={apart}}},dce", ctx, all_passes()).run(divided)
    tested = re.compile(r"guard <[^>]*> \(-\(\([^()]*\) mod \d+\)\)>")
    assert tested.search(str(plain)) and not tested.search(str(divided).partition("uop.reduce")[0])
    (expected,), (found,) = (run_uop(entry_function(each), given, {}) for each in (plain, divided))
    np.testing.assert_array_equal(found, expected)
