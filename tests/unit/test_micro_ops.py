"""Every micro-op, on every dtype that it takes and on awkward sizes: the C and the levels on the way against the oracle."""

from __future__ import annotations

import numpy as np
import pytest
from stepwell.dialects import make_context
from stepwell.ir.dtypes import DTYPES, dtype
from stepwell.ir.functions import entry_function
from stepwell.ir.parsing import parse_module
from stepwell.lowering.pipelines import lower
from stepwell.runtime.executable import compile_module
from stepwell.runtime.interpret_loops import run_loops
from stepwell.runtime.interpret_uop import run_uop
from stepwell.runtime.signature import Signature

ALL = tuple(DTYPES)
NUMBERS = tuple(name for name in ALL if name != "bool")
FLOATS = tuple(name for name in ALL if dtype(name).is_float)
# Relative error allowed for one rounding of a result, by dtype; accumulations are carried in wider floats.
ROUNDING = {"float16": 2e-3, "bfloat16": 2e-2, "float32": 1e-6, "float64": 1e-12}

S = "#sw.shape<[n, m]>"
T, U = "tensor<?x?x{t}, #sw.shape<[n, m]>>", "tensor<?x?x{t}, #sw.shape<[m, n]>>"
ROW = "tensor<?x{t}, #sw.shape<[n]>>"

# name -> (dtypes, body); %x and %y are n x m, %k is n x m of i64 in [0, m), and %r is returned.
CASES: dict[str, tuple[tuple[str, ...], str]] = {
    "constant": (ALL, "%r = uop.constant {one} : " + T),
    "iota": (NUMBERS, "%r = uop.iota 1 : " + T),
    "map": (ALL, '%r = uop.map "{combine}"(%x, %y) : (' + T + ", " + T + ") -> " + T),
    "select": (
        ALL,
        '%c = uop.map "eq"(%x, %y) : (' + T + ", " + T + ") -> tensor<?x?xi1, " + S + ">\n"
        '%r = uop.map "select"(%c, %x, %y) : (tensor<?x?xi1, ' + S + ">, " + T + ", " + T + ") -> " + T,
    ),
    "cast to float32": (ALL, "%w = uop.cast %x : " + T + " -> tensor<?x?xf32, " + S + ">\n%r = uop.cast %w : tensor<?x?xf32, " + S + "> -> " + T),
    "transpose": (ALL, "%t = uop.reindex %x <(d0, d1) -> (d1, d0)> : (" + T + ") -> " + U + "\n%r = uop.reindex %t <(d0, d1) -> (d1, d0)> : (" + U + ") -> " + T),
    "flip": (ALL, "%r = uop.reindex %x <(d0, d1) -> (n - d0 - 1, m - d1 - 1)> : (" + T + ") -> " + T),
    "shift with fill": (ALL, "%r = uop.reindex %x <(d0, d1) -> (d0 - 1, d1 + 2)> fill {one} : (" + T + ") -> " + T),
    "guard": (ALL, "%r = uop.reindex %x <(d0, d1) -> (d0, d1)> guard <(d0, d1) -> (d0 - d1)> fill {one} : (" + T + ") -> " + T),
    "gather": (
        ALL,
        "%r = uop.reindex %x <(d0, d1, d2) -> (d0, d2)> indexed [%k] [#sw.map<(d0, d1) -> (d0, d1)>] : (" + T + ", tensor<?x?xi64, " + S + ">) -> " + T,
    ),
    **{
        f"reduce {kind}": (NUMBERS, f'%r = uop.reduce "{kind}" %x axes [1] : ' + T + " -> " + ROW)
        for kind in ("add", "mul", "max", "min")
    },
    **{f"reduce {kind}": (("bool", "int32", "int8"), f'%r = uop.reduce "{kind}" %x axes [0] : ' + T + " -> tensor<?x{t}, #sw.shape<[m]>>") for kind in ("and", "or", "xor")},
    "reduce logaddexp": (FLOATS, '%r = uop.reduce "logaddexp" %x axes [0, 1] : ' + T + " -> tensor<{t}>"),
    "argmax": (NUMBERS, '%r = uop.reduce "argmax" %x axes [1] : ' + T + " -> tensor<?xi64, #sw.shape<[n]>>"),
    "argmin": (NUMBERS, '%r = uop.reduce "argmin" %x axes [1] : ' + T + " -> tensor<?xi64, #sw.shape<[n]>>"),
    **{
        f"scan {kind}{' reverse' if reverse else ''}{' exclusive' if exclusive else ''}": (
            NUMBERS,
            f'%r = uop.scan "{kind}" %x axis 1 reverse {str(reverse).lower()} exclusive {str(exclusive).lower()} : ' + T + " -> " + T,
        )
        for kind in ("add", "max", "mul")
        for reverse in (False, True)
        for exclusive in (False, True)
    },
    **{
        f"scatter {kind}": (
            ("bool", "int32", "uint8") if kind in ("and", "or") else NUMBERS,
            f'%r = uop.scatter "{kind}" %x %y <(d0, d1, d2) -> (d0, d2)> indexed [%k] [#sw.map<(d0, d1) -> (d0, d1)>] bounds "error" : '
            + "(" + T + ", " + T + ", tensor<?x?xi64, " + S + ">) -> " + T,
        )
        for kind in ("set", "add", "mul", "max", "min", "and", "or")
    },
}  # fmt: skip


def program(case: str, name: str) -> str:
    """The text of a case for one dtype."""
    element = dtype(name)
    one = f"1.0 : {element.short}" if element.is_float else "true" if name == "bool" else f"1 : {element.type}"
    body = CASES[case][1].replace("{t}", str(element.type)).replace("{one}", one)
    body = body.replace("{combine}", "xor" if name == "bool" else "sub")
    result = body.rpartition("->")[2].strip() if "->" in body.rpartition("\n")[2] else body.rpartition(" : ")[2]
    kind = T.replace("{t}", str(element.type))
    return (
        f"func.func @f(%x: {kind}, %y: {kind}, %k: tensor<?x?xi64, {S}>) -> {result} {{\n{body}\nfunc.return %r : {result}\n}}"
    )


def arguments(name: str, shape: tuple[int, int], seed: int) -> list[np.ndarray]:
    generator = np.random.default_rng(seed)
    element = dtype(name)
    low, high = (0, 2) if name in ("bool", "uint8") else (-2, 3)
    values = [
        np.asarray(generator.integers(low, high, shape) / (2 if element.is_float else 1)).astype(element.numpy)
        for _ in range(2)
    ]
    if element.is_float and 0 not in shape:
        values[0][-1, -1] = np.nan
    return [*values, generator.integers(0, max(1, shape[1]), shape)]


def assert_close(found: np.ndarray, expected: np.ndarray, name: str) -> None:
    assert found.shape == expected.shape
    if found.dtype.kind in "biu":
        np.testing.assert_array_equal(found, expected)
        return
    rounding = ROUNDING[str(found.dtype)]
    np.testing.assert_allclose(found.astype(np.float64), expected.astype(np.float64), rtol=8 * rounding, atol=8 * rounding)


@pytest.mark.parametrize("case", CASES)
def test_levels_agree_with_the_oracle(case):
    """uop in its own precision, the loop level and the C level, interpreted, and the compiled C."""
    for name in CASES[case][0]:
        text = program(case, name)
        compiled = compile_module(text)
        for shape in ((3, 4), (1, 1), (0, 2)) if "arg" not in case else ((3, 4), (1, 1)):
            given = arguments(name, shape, seed=len(case))
            params = {"n": shape[0], "m": shape[1]}
            ctx = make_context()
            module = parse_module(text, ctx)
            (expected,) = run_uop(entry_function(module), given, params, precise=True)
            assert_close(compiled(*given), expected, name)
            for level in lower(module, ctx, "cpu"):
                if level in ("loop", "cloop"):
                    function = entry_function(module)
                    outputs = [np.empty(expected.shape, output.dtype.numpy) for output in Signature.of(function).outputs]
                    run_loops(function, [*given, *outputs], params)
                    assert_close(outputs[0], expected, name)


def test_an_index_out_of_range_is_an_error_and_touches_nothing():
    compiled = compile_module(program("gather", "float32"))
    x, y, k = arguments("float32", (3, 4), 0)
    for wrong in (4, -1, 2**40, -(2**63)):
        k[1, 2] = wrong
        with pytest.raises(IndexError, match=rf"<string>:2:6: index {wrong} is out of range for an axis of size 4"):
            compiled(x, y, k)


def test_an_integer_divided_by_zero_is_an_error_and_a_float_is_not():
    body = 'func.func @f(%x: tensor<2x{t}>, %y: tensor<2x{t}>) -> tensor<2x{t}> {\n %r = uop.map "floordiv"(%x, %y) : (tensor<2x{t}>, tensor<2x{t}>) -> tensor<2x{t}>\n func.return %r : tensor<2x{t}>\n}'
    ints = compile_module(body.replace("{t}", "i32"))
    np.testing.assert_array_equal(ints(np.array([7, -7], "i4"), np.array([2, 2], "i4")), [3, -4])
    with pytest.raises(ZeroDivisionError, match="<string>:2:7: integer division by zero"):
        ints(np.array([1, 1], "i4"), np.array([1, 0], "i4"))
    floats = compile_module(body.replace("{t}", "f32"))
    assert np.isnan(floats(np.array([0, 1], "f4"), np.array([0, 1], "f4"))[0])
