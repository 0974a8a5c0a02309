"""Every micro-op, on every dtype that it takes and on awkward sizes: the C and the levels on the way against the oracle."""

from __future__ import annotations

import numpy as np
import pytest
from stepwell.dialects import make_context
from stepwell.ir.functions.entry import entry_function
from stepwell.ir.text.parser import parse_module
from stepwell.lowering.driver import lower
from stepwell.runtime.boundary.signature import Signature
from stepwell.runtime.executable import compile_module
from stepwell.runtime.interpret.loop import run_loops
from stepwell.runtime.interpret.uop import run_uop
from stepwell.tools.coverage.command import assert_close
from stepwell.tools.coverage.micro_ops import CASES, arguments, program


@pytest.mark.parametrize("case", CASES)
def test_levels_agree_with_the_oracle(case):
    """uop in its own precision, the loop level and the C level, interpreted, and the compiled C."""
    for name in CASES[case][0]:
        text = program([case], name)
        compiled = compile_module(text)
        ctx = make_context()
        module = parse_module(text, ctx)
        original, lowered = entry_function(module.clone()), []
        for level in lower(module, ctx, "cpu"):
            if level in ("loop", "cloop"):
                lowered.append(entry_function(module.clone()))
        for shape in ((3, 4), (1, 1), (0, 2)) if "arg" not in case else ((3, 4), (1, 1)):
            given = arguments(name, shape, seed=len(case))
            params = {"n": shape[0], "m": shape[1]}
            (expected,) = run_uop(original, given, params, precise=True)
            assert_close(compiled(*given), expected)
            for function in lowered:
                outputs = [np.empty(expected.shape, output.dtype.numpy) for output in Signature.of(function).outputs]
                run_loops(function, [*given, *outputs], params)
                assert_close(outputs[0], expected)


def test_an_index_out_of_range_is_an_error_and_touches_nothing():
    compiled = compile_module(program(["gather"], "float32"))
    x, y, k = arguments("float32", (3, 4), 0)
    for wrong in (4, -1, 2**40, -(2**63)):
        k[1, 2] = wrong
        with pytest.raises(IndexError, match=rf"<string>:2:\d+: index {wrong} is out of range for an axis of size 4"):
            compiled(x, y, k)


def test_an_integer_divided_by_zero_is_an_error_and_a_float_is_not():
    kind = "tensor<2x{t}>"
    body = (
        f"func.func @f(%x: {kind}, %y: {kind}) -> {kind} {{\n"
        f' %r = uop.map "floordiv"(%x, %y) : ({kind}, {kind}) -> {kind}\n'
        f" func.return %r : {kind}\n}}"
    )
    ints = compile_module(body.replace("{t}", "i32"))
    np.testing.assert_array_equal(ints(np.array([7, -7], "i4"), np.array([2, 2], "i4")), [3, -4])
    with pytest.raises(ZeroDivisionError, match="<string>:2:7: integer division by zero"):
        ints(np.array([1, 1], "i4"), np.array([1, 0], "i4"))
    floats = compile_module(body.replace("{t}", "f32"))
    assert np.isnan(floats(np.array([0, 1], "f4"), np.array([0, 1], "f4"))[0])
