"""The interpreter of loops: it checks the assumptions of passes about index expressions."""

import numpy as np
import pytest
from stepwell.dialects import make_context
from stepwell.ir.diagnostics import InternalError
from stepwell.ir.functions.entry import entry_function
from stepwell.ir.text.parser import parse_module
from stepwell.runtime.interpret.loop import run_loops

PARTS = """func.func @f(%x: memref<?xf32, {shape = #sw.shape<[n]>}>) attributes {sw.params = ["n"], sw.inputs = 0 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, n floordiv (n floordiv 4))> step 1 {
    ^bb0(%i: index):
      %0 = loop.constant 1.0 : f32
      loop.store %0 into %x[%i] <(d0) -> (d0)> : f32, memref<?xf32, {shape = #sw.shape<[n]>}>, index
      loop.yield
    }
  }
  func.return
}"""


def test_bounds_are_in_order():
    text = PARTS.replace("(0, n floordiv (n floordiv 4))", "(2, n)")
    function = entry_function(parse_module(text, make_context(), "b.mlir"))
    with pytest.raises(InternalError, match="a loop has bounds out of order: it goes from 2 to 1"):
        run_loops(function, [np.zeros(1, np.float32)], {"n": 1})


def test_quotients_by_zero_are_of_zero_only():
    function = entry_function(parse_module(PARTS, make_context(), "p.mlir"))
    run_loops(function, [np.zeros(8, np.float32)], {"n": 8})
    run_loops(function, [np.zeros(0, np.float32)], {"n": 0})
    with pytest.raises(InternalError, match=r"the index expression n floordiv .* divides by n floordiv 4, which is 0"):
        run_loops(function, [np.zeros(3, np.float32)], {"n": 3})


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("(n floordiv 4)", "(n + -8)", r"divides by n - 8, which is -4$"),
        ("n floordiv (n floordiv 4))", "n)", r"divides by d0 - 1, which is -1$"),
    ],
)
def test_divisors_are_positive(old: str, new: str, message: str):
    text = PARTS.replace(old, new)
    if "d0" in message:
        text = text.replace("<(d0) -> (d0)>", "<(d0) -> (d0 floordiv (d0 + -1))>")
    function = entry_function(parse_module(text, make_context(), "q.mlir"))
    with pytest.raises(InternalError, match=message):
        run_loops(function, [np.zeros(4, np.float32)], {"n": 4})
