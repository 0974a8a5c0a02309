"""Every micro-op, on dtypes that it takes and on awkward sizes: the C and the levels on the way against the oracle."""

from __future__ import annotations

import re
from collections.abc import Sequence

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

PROGRAM = re.compile(r"func\.func @f\((.*)\) -> \((.*)\) \{\n(.*)\nfunc\.return (.*) : \2\n\}", re.DOTALL)


def side_by_side(case: str, dtypes: Sequence[str]) -> str:
    """The case on each of some dtypes in one function: they share neither arguments nor loops, and the C compiler starts
    once."""
    parts = []
    for number, name in enumerate(dtypes):
        found = PROGRAM.fullmatch(re.sub(r"%(\w+)", rf"%\1_{number}", program([case], name)))
        assert found is not None, name
        parts.append(found.groups())
    arguments, types, bodies, results = zip(*parts, strict=True)
    listed, lines = ", ".join(types), "\n".join(bodies)
    return f"func.func @f({', '.join(arguments)}) -> ({listed}) {{\n{lines}\nfunc.return {', '.join(results)} : {listed}\n}}"


@pytest.mark.parametrize("case", CASES)
def test_levels_agree_with_the_oracle(case, some_of):
    """Compare with the oracle: the uop level in its own precision, the loop level and the C level, all interpreted, and the
    compiled C. Each case on half of its dtypes; which half does not follow from one option of a case."""
    dtypes = some_of(CASES[case][0], 2, list(CASES).index(case).bit_count())
    text = side_by_side(case, dtypes)
    compiled, ctx = compile_module(text), make_context()
    module = parse_module(text, ctx)
    original, lowered = entry_function(module.clone()), []
    for level in lower(module, ctx, "cpu"):
        if level in ("loop", "cloop"):
            lowered.append(entry_function(module.clone()))
    for shape in ((3, 4), (1, 1), (0, 2)) if "arg" not in case else ((3, 4), (1, 1)):
        given = [each for name in dtypes for each in arguments(name, shape, seed=len(case))]
        params = {"n": shape[0], "m": shape[1]}
        expected = run_uop(original, given, params, precise=True)
        expect_close(case, dtypes, compiled.run(given, {}), expected)
        for function in lowered:
            signature = Signature.of(function)
            outputs = [np.empty(each.shape, out.dtype.numpy) for each, out in zip(expected, signature.outputs, strict=True)]
            run_loops(function, [*given, *outputs], params)
            expect_close(case, dtypes, outputs, expected)


def expect_close(case: str, dtypes: Sequence[str], found: Sequence[np.ndarray], expected: Sequence[np.ndarray]) -> None:
    for name, got, wanted in zip(dtypes, found, expected, strict=True):
        try:
            assert_close(got, wanted)
        except AssertionError as error:
            raise AssertionError(f"{case} on {name}: {error}") from None


def test_a_wrong_result_names_its_dtype():
    names = CASES["gather"][0]
    found = [np.full(2, 2.0 if name == "float32" else 1.0) for name in names]
    with pytest.raises(AssertionError, match="gather on float32: "):
        expect_close("gather", names, found, [np.ones(2) for _ in names])


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
