"""Equivalent values of two loops."""

from __future__ import annotations

import pytest
from stepwell.dialects import loop, make_context
from stepwell.ir.text.parser import parse_module
from stepwell.passes.analysis.equivalence import ValueEquivalence
from stepwell.passes.analysis.loop_nests import Frame, lowered_blocks
from stepwell.passes.analysis.reductions import statements

HERE = "memref<8x100xf32>, index, index"
AT = f"<(d0, d1) -> (d0, d1)> : ({HERE}) -> f32"
WITHIN = "<(d0, d1) -> (d0, d1 - 1)> guard <(d0, d1) -> (d1 - 1)> fill"
FARTHER = WITHIN.replace("(d1 - 1)> fill", "(d1 - 2)> fill")
STATEMENTS = {
    "a load": f"%v = loop.load %x[%i, %j] {AT}",
    "another buffer": f"%v = loop.load %y[%i, %j] {AT}",
    "another place": f"%v = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1 + 1)> : ({HERE}) -> f32",
    "a guard": f"%v = loop.load %x[%i, %j] {WITHIN} 0.0 : f32 : ({HERE}) -> f32",
    "another fill": f"%v = loop.load %x[%i, %j] {WITHIN} 1.0 : f32 : ({HERE}) -> f32",
    "another guard": f"%v = loop.load %x[%i, %j] {FARTHER} 0.0 : f32 : ({HERE}) -> f32",
    "a constant": "%v = loop.constant 1.0 : f32",
    "another constant": "%v = loop.constant 2.0 : f32",
    "a function": f'%u = loop.load %x[%i, %j] {AT}\n%v = loop.compute "exp"(%u) : (f32) -> f32',
    "another function": f'%u = loop.load %x[%i, %j] {AT}\n%v = loop.compute "log"(%u) : (f32) -> f32',
    "another operand": f'%u = loop.load %y[%i, %j] {AT}\n%v = loop.compute "exp"(%u) : (f32) -> f32',
    "a cast": f"%u = loop.load %x[%i, %j] {AT}\n%v = loop.cast %u : f32 -> f64",
    "another cast": f"%u = loop.load %x[%i, %j] {AT}\n%v = loop.cast %u : f32 -> i32",
}


def are_the_same(one: str, other: str) -> bool:
    """Whether the last values of two loops with these statements are equivalent."""
    loops = "".join(
        f'loop.for "parallel" <() -> (0, 100)> step 1 {{\n^bb1(%j: index):\n{STATEMENTS[name]}\nloop.yield\n}}\n'
        for name in (one, other)
    )
    text = f"""
func.func @f(%x: memref<8x100xf32>, %y: memref<8x100xf32>) attributes {{sw.inputs = 2 : i64}} {{
  loop.block {{
    loop.for "parallel" <() -> (0, 8)> step 1 {{
    ^bb0(%i: index):
{loops}
      loop.yield
    }}
  }}
  func.return
}}
"""
    (block,) = lowered_blocks(parse_module(text, make_context()))
    frame = Frame()
    frame.tree(block)
    (rows,) = block.body.block.ops
    assert isinstance(rows, loop.ForOp)
    first, second = (op for op in statements(rows) if isinstance(op, loop.ForOp))
    values = [statements(op)[-1].results[0] for op in (first, second)]
    return ValueEquivalence.of_loops(first, second, frame).are(values[0], values[1])


@pytest.mark.parametrize("one", STATEMENTS)
def test_values_are_the_same_that_are_made_alike_and_no_others(one: str):
    assert [other for other in STATEMENTS if are_the_same(one, other)] == [one]
