"""Triton's kernels against the oracle: on a GPU or, without one, in Triton's interpreter; and compiled without a GPU."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys

import numpy as np
import pytest
import stepwell as sw
from stepwell.dialects import make_context, tile
from stepwell.ir.functions.entry import entry_function
from stepwell.ir.text.parser import parse_module
from stepwell.ir.types.dtypes import DTYPES, dtype
from stepwell.lowering.driver import lower
from stepwell.lowering.emit_triton.emit_triton import kernels
from stepwell.runtime.boundary.signature import Signature
from stepwell.runtime.executable import Executable, compile_module
from stepwell.runtime.interpret.tile import run_tile
from stepwell.runtime.interpret.uop import run_uop
from stepwell.runtime.triton.client import INTERPRET, TritonWorkerError, client
from stepwell.runtime.triton.program import POINTERS, TritonProgram
from stepwell.tests.unit.on_gpu import TRITON

pytestmark = pytest.mark.skipif(
    not (importlib.util.find_spec("triton") and importlib.util.find_spec("torch")),
    reason="Triton and torch are not installed",
)

# Floats of 8 bits have tests of their own.
ALL = tuple(name for name, element in DTYPES.items() if not element.is_stored_only)
NUMBERS = tuple(name for name in ALL if name != "bool")
FLOATS = tuple(name for name in ALL if dtype(name).is_float)
ROUNDING = {"float16": 2e-3, "bfloat16": 2e-2, "float32": 2e-6, "float64": 1e-12}

X = "tensor<?x?x{t}, #sw.shape<[n, m]>>"
K = "tensor<?x?xi64, #sw.shape<[n, m]>>"
Y = "tensor<?x?x{t}, #sw.shape<[m, n]>>"
CUBE = "tensor<?x?x?x{t}, #sw.shape<[n, n, m]>>"
SQUARE = "tensor<?x?x{t}, #sw.shape<[n, n]>>"
DOUBLE = "tensor<?x?xf64, #sw.shape<[n, m]>>"
PLACES = "tensor<?xi64, #sw.shape<[n]>>"
GATHER = "<(d0, d1, d2) -> (d0, d2)> indexed [%k] [#sw.map<(d0, d1) -> (d0, d1)>]"
TALL = "guard <(d0, d1) -> (m - 3)>"
COLUMN = "tensor<?x{t}, #sw.shape<[n]>>"
ROW = "tensor<?x{t}, #sw.shape<[m]>>"


def _map(function, *operands, kind=X):
    return f'uop.map "{function}"({", ".join(operands)}) : ({", ".join([kind] * len(operands))}) -> {kind}'


def _scan(function, reverse, exclusive):
    return f'%r = uop.scan "{function}" %x axis 1 reverse {reverse} exclusive {exclusive} : {X} -> {X}', X


# name -> (dtypes, body, type of the result %r); %x and %y are n x m, %k is n x m of i64 in [0, m).
CASES = {
    "constant": (ALL, f"%r = uop.constant {{one}} : {X}", X),
    "data": (ALL, "%r = uop.constant dense<[1, 0, 1]> : tensor<3x{t}> : tensor<3x{t}>", "tensor<3x{t}>"),
    "iota": (NUMBERS, f"%r = uop.iota 1 : {X}", X),
    "map": (ALL, f"%r = {_map('{combine}', '%x', '%y')}", X),
    "cast": (ALL, f"%w = uop.cast %x : {X} -> {DOUBLE}\n%r = uop.cast %w : {DOUBLE} -> {X}", X),
    "transpose": (ALL, f"%r = uop.reindex %x <(d0, d1) -> (d1, d0)> : ({X}) -> {Y}", Y),
    "shift": (ALL, f"%r = uop.reindex %x <(d0, d1) -> (d0 - 1, d1 + 2)> fill {{one}} : ({X}) -> {X}", X),
    "guard": (ALL, f"%r = uop.reindex %x <(d0, d1) -> (d0, d1)> guard <(d0, d1) -> (d0 - d1)> fill {{one}} : ({X}) -> {X}", X),
    "guard of sizes": (ALL, f"%r = uop.reindex %x <(d0, d1) -> (d0, d1)> {TALL} fill {{one}} : ({X}) -> {X}", X),
    "guards": (
        ALL,
        f"%r = uop.reindex %x <(d0, d1) -> (d0 - 1, d1)> guard <(d0, d1) -> (d0 - d1, m - 3)> fill {{one}} : ({X}) -> {X}",
        X,
    ),
    "guard that never holds": (
        ALL,
        f"%p = uop.reindex %x <(d0, d1) -> (d0 - 1, d1 - 2)> fill {{one}} : ({X}) -> {X}\n"
        f"%r = uop.reindex %p <(d0, d1) -> (d0, 0)> : ({X}) -> {X}",
        X,
    ),
    "gather": (ALL, f"%r = uop.reindex %x {GATHER} : ({X}, {K}) -> {X}", X),
    "sum of columns": (NUMBERS, f'%r = uop.reduce "add" %x axes [1] : {X} -> {COLUMN}', COLUMN),
    "sum of rows": (NUMBERS, f'%r = uop.reduce "add" %x axes [0] : {X} -> {ROW}', ROW),
    "sum of all": (NUMBERS, f'%r = uop.reduce "add" %x axes [0, 1] : {X} -> tensor<{{t}}>', "tensor<{t}>"),
    "product": (NUMBERS, f'%r = uop.reduce "mul" %x axes [1] : {X} -> {COLUMN}', COLUMN),
    "maximum": (NUMBERS, f'%r = uop.reduce "max" %x axes [1] : {X} -> {COLUMN}', COLUMN),
    "minimum": (NUMBERS, f'%r = uop.reduce "min" %x axes [1] : {X} -> {COLUMN}', COLUMN),
    "all": (("bool", "int32"), f'%r = uop.reduce "and" %x axes [1] : {X} -> {COLUMN}', COLUMN),
    "any": (("bool", "int32"), f'%r = uop.reduce "or" %x axes [1] : {X} -> {COLUMN}', COLUMN),
    "argmax": (NUMBERS, f'%r = uop.reduce "argmax" %x axes [1] : {X} -> {PLACES}', PLACES),
    "argmin": (NUMBERS, f'%r = uop.reduce "argmin" %x axes [1] : {X} -> {PLACES}', PLACES),
    "running sum": (NUMBERS, *_scan("add", "false", "false")),
    "running sum from the end": (NUMBERS, *_scan("add", "true", "false")),
    "running sum before": (NUMBERS, *_scan("add", "false", "true")),
    "running maximum": (("float32", "float16", "int32"), *_scan("max", "false", "false")),
    "running maximum before": (("float32", "bfloat16", "int64"), *_scan("max", "false", "true")),
    "running product": (("float64", "int32"), *_scan("mul", "false", "true")),
    "matrix product": (
        ("float16", "bfloat16", "float32", "float64", "int32"),
        f"%a = uop.reindex %x <(d0, d1, d2) -> (d0, d2)> : ({X}) -> {CUBE}\n"
        f"%b = uop.reindex %y <(d0, d1, d2) -> (d1, d2)> : ({X}) -> {CUBE}\n"
        f"%p = {_map('mul', '%a', '%b', kind=CUBE)}\n%r = uop.reduce \"add\" %p axes [2] : {CUBE} -> {SQUARE}",
        SQUARE,
    ),
    **{
        f"scatter {kind}": (
            ("bool", "int32", "uint8") if kind in ("and", "xor") else NUMBERS,
            f'%r = uop.scatter "{kind}" %x %y {GATHER} bounds "error" : ({X}, {X}, {K}) -> {X}',
            X,
        )
        for kind in ("set", "add", "mul", "max", "min", "and", "xor")
    },
}  # fmt: skip


def program(case: str, name: str) -> str:
    """The text of a case for one dtype."""
    element = dtype(name)
    _, body, result = CASES[case]
    one = f"1.0 : {element.type}" if element.is_float else "true" if name == "bool" else f"1 : {element.type}"
    text = f"func.func @f(%x: {X}, %y: {X}, %k: {K}) -> {result} {{\n{body}\nfunc.return %r : {result}\n}}"
    if element.is_float:
        text = text.replace("dense<[1, 0, 1]>", "dense<[1.0, 0.0, 1.0]>")
    elif name == "bool":
        text = text.replace("dense<[1, 0, 1]>", "dense<[true, false, true]>")
    text = text.replace("{one}", one).replace("{combine}", "xor" if name == "bool" else "sub")
    return text.replace("{t}", str(element.type))


def arguments(name: str, shape: tuple[int, int], seed: int = 1) -> list[np.ndarray]:
    generator = np.random.default_rng(seed)
    element = dtype(name)
    low, high = (0, 2) if name in ("bool", "uint8") else (-2, 3)
    scale = 2 if element.is_float else 1
    values = [np.asarray(generator.integers(low, high, shape) / scale).astype(element.numpy) for _ in range(2)]
    if element.is_float and 0 not in shape:
        values[0][-1, -1] = np.nan
    return [*values, generator.integers(0, max(1, shape[1]), shape)]


def oracle(text: str, given, shape):
    function = entry_function(parse_module(text, make_context()))
    return run_uop(function, given, {"n": shape[0], "m": shape[1]}, precise=True)[0]


def assert_close(found: np.ndarray, expected: np.ndarray) -> None:
    assert found.shape == expected.shape
    if found.dtype.kind in "biu":
        np.testing.assert_array_equal(found, expected)
        return
    tolerance = 8 * ROUNDING[str(found.dtype)]
    np.testing.assert_allclose(found.astype(float), expected.astype(float), rtol=tolerance, atol=tolerance)


def sizes(case: str) -> tuple[tuple[int, int], ...]:
    # An extremum without elements has no position.
    return ((3, 4), (1, 1)) if case.startswith("arg") else ((3, 4), (1, 1), (0, 2), (2, 0))


def triton_program(compiled: Executable) -> TritonProgram:
    """The program of a compiled function, which consists of kernels."""
    assert isinstance(compiled.program, TritonProgram)
    return compiled.program


@pytest.fixture
def some_dtypes(some_of):
    """Every sixth dtype of a case, and other dtypes for the next case."""
    return lambda case: some_of(CASES[case][0], 6, list(CASES).index(case)) or CASES[case][0][:1]


@pytest.mark.parametrize("case", CASES)
def test_kernels_agree_with_the_oracle_and_compile_for_a_gpu(case, some_dtypes):
    for name in some_dtypes(case):
        text = program(case, name)
        compiled = compile_module(text, target=TRITON)
        for shape in sizes(case):
            given = arguments(name, shape)
            assert_close(compiled(*given), oracle(text, given, shape))
        made = triton_program(compiled)
        binaries = made.compile_offline()
        assert set(binaries) == {launch.kernel for launch in made.plan.launches}
        assert all(binary["ptx"] and binary["cubin"] for binary in binaries.values())


@pytest.mark.parametrize("case", CASES)
def test_the_tile_level_agrees_with_the_oracle(case, some_dtypes):
    """The interpreter on NumPy, with rows longer than a tile."""
    for name in some_dtypes(case):
        text = program(case, name)
        ctx = make_context()
        module = parse_module(text, ctx)
        for _ in lower(module, ctx, "cuda"):
            pass
        for shape in ((3, 4), (5, 300)) if case != "product" else ((3, 4),):
            given = arguments(name, shape)
            expected = oracle(text, given, shape)
            outputs = [np.empty(expected.shape, each.dtype.numpy) for each in Signature.of(entry_function(module)).outputs]
            run_tile(module, [*given, *outputs], {"n": shape[0], "m": shape[1]})
            assert_close(outputs[0], expected)


@pytest.mark.parametrize("case", ["sum of columns", "sum of all", "argmax", "running sum before", "matrix product", "maximum"])
def test_rows_longer_than_a_tile(case):
    text = program(case, "float32")
    given = arguments("float32", (3, 600))
    assert_close(compile_module(text, target=TRITON)(*given), oracle(text, given, (3, 600)))


def with_sizes(text: str, shape: tuple[int, int]) -> str:
    """The text with numbers in place of n and m."""
    number = {"n": shape[0], "m": shape[1]}

    def kind(match: re.Match[str]) -> str:
        sizes = [str(number[name]) for name in match[2].split(", ")]
        return f"tensor<{'x'.join([*sizes, match[1]])}>"

    static = re.sub(r"tensor<(?:\?x)+(\w+), #sw\.shape<\[([nm, ]+)\]>>", kind, text)
    return static.replace("(m - 3)", f"({shape[1] - 3})").replace(", m - 3)", f", {shape[1] - 3})")


@pytest.mark.parametrize("case", CASES)
def test_static_sizes(case, some_of):
    """With 32-bit indices, tiles cut to size, and only the necessary masks."""
    name = "float32" if "float32" in CASES[case][0] else "int32"
    shapes = some_of(((20, 64), (33, 40)), 2, list(CASES).index(case))
    for shape in shapes if case != "product" else ((4, 8),):
        text = with_sizes(program(case, name), shape)
        compiled = compile_module(text, target=TRITON)
        given = arguments(name, shape)
        assert_close(compiled(*given), oracle(text, given, shape))
        assert all(binary["cubin"] for binary in triton_program(compiled).compile_offline().values())


@pytest.mark.parametrize(
    ("case", "wanted"),
    [
        ("sum of columns", tile.ReduceOp),
        ("running sum", tile.ScanOp),
        ("matrix product", tile.DotOp),
        ("scatter add", tile.AtomicOp),
    ],
)
def test_the_scheme_made_for_a_structure_is_used(case, wanted):
    ctx = make_context()
    module = parse_module(program(case, "float32"), ctx)
    for _ in lower(module, ctx, "cuda"):
        pass
    assert any(isinstance(op, wanted) for kernel in kernels(module) for op in kernel.walk())


TRIANGLE = """func.func @sums(%x: memref<?x?xf32, #sw.shape<[n, n]>>, %y: memref<?xf32, #sw.shape<[n]>>) attributes
    {sw.params = ["n"], sw.inputs = 1 : i64} {
  loop.block {
    loop.for "parallel" <() -> (0, n)> step 1 {
    ^bb0(%i: index):
      %zero = loop.constant 0.0 : f32
      %sum = loop.for "reduction" [%i : index] <(d0) -> (d0 floordiv 2, d0 + 1)> step 1 carry(%zero : f32) -> f32 {
      ^bb1(%k: index, %acc: f32):
        %row = loop.load %x[%k] <(d0) -> (0, d0)> : (memref<?x?xf32, #sw.shape<[n, n]>>, index) -> f32
        %v = loop.load %x[%i, %k] <(d0, d1) -> (d0, d1)> : (memref<?x?xf32, #sw.shape<[n, n]>>, index, index) -> f32
        %p = loop.compute "mul"(%row, %v) : (f32, f32) -> f32
        %w = loop.compute "add"(%acc, %p) : (f32, f32) -> f32
        loop.yield %w : f32
      }
      loop.store %sum into %y[%i] <(d0) -> (d0)> : f32, memref<?xf32, #sw.shape<[n]>>, index
      loop.yield
    }
  }
  func.return
}"""


def test_bounds_that_differ_between_lanes():
    compiled = compile_module(TRIANGLE, target=TRITON)
    for n in (0, 1, 5, 300):
        x = np.random.default_rng(n).integers(-3, 4, (n, n)).astype(np.float32)
        expected = [x[0, i // 2 : i + 1] @ x[i, i // 2 : i + 1] for i in range(n)]
        np.testing.assert_array_equal(compiled(x), np.asarray(expected, np.float32))


def test_an_index_out_of_range_names_its_line_and_touches_nothing():
    compiled = compile_module(program("gather", "float32"), target=TRITON)
    x, y, k = arguments("float32", (3, 4))
    for wrong in (4, -1, 2**40, -(2**63)):
        k[1, 2] = wrong
        with pytest.raises(IndexError, match=rf"<string>:2:6: index {wrong} is out of range for an axis of size 4"):
            compiled(x, y, k)


def test_an_integer_divided_by_zero_is_an_error():
    text = program("map", "int32").replace('"sub"', '"floordiv"')
    compiled = compile_module(text, target=TRITON)
    x, y, k = arguments("int32", (3, 4))
    y[y == 0] = 2
    np.testing.assert_array_equal(compiled(x, y, k), x // y)
    y[2, 3] = 0
    with pytest.raises(ZeroDivisionError, match="<string>:2:6: integer division by zero"):
        compiled(x, y, k)


@pytest.mark.parametrize("name", FLOATS)
def test_zeros_keep_their_signs(name):
    x = np.asarray([0.0, -0.0, 1.0, -1.0]).astype(dtype(name).numpy)
    found = sw.jit(lambda x: (-x, sw.where(x > 0, x, -0.0), x * -0.0), target=TRITON)(x)
    signs = [[True, False, True, False], [True, True, False, True], [True, False, True, False]]
    np.testing.assert_array_equal([np.signbit(each.astype(float)) for each in found], signs)


def test_one_compile_serves_all_sizes():
    compiled = compile_module(program("sum of columns", "float32"), target=TRITON)
    path = triton_program(compiled).file.path
    for shape in ((1, 1), (0, 3), (4, 0), (7, 300), (1025, 2)):
        given = arguments("float32", shape)
        assert_close(compiled(*given), oracle(program("sum of columns", "float32"), given, shape))
    assert triton_program(compiled).file.path == path


def test_a_worker_that_dies_is_an_error_and_the_next_call_has_a_new_one():
    compiled = compile_module(program("map", "float32"), target="triton-interpret")
    given = arguments("float32", (3, 4))
    compiled(*given)
    process = client(INTERPRET)._process
    assert process is not None
    os.kill(process.pid, 9)
    process.wait()
    assert_close(compiled(*given), oracle(program("map", "float32"), given, (3, 4)))


def test_a_kernel_that_fails_is_named():
    compiled = compile_module(program("map", "float32"), target="triton-interpret")
    source = triton_program(compiled).source
    source.lines = [(line.replace("tl.store", "tl.nothing"), op) for line, op in source.lines]
    with pytest.raises(TritonWorkerError, match=r"kernel 'sw_kernel_0': .*nothing"):
        compiled(*arguments("float32", (3, 4)))


# Triton's interpreter runs in this process: tensors on the CPU can stand in for tensors on a GPU.
ON_TENSORS = """
import sys
import numpy as np, torch
from stepwell.runtime.executable import compile_module
name, text = sys.argv[1:]
program = compile_module(text, target="cuda").program
program.device = "cpu"
x = np.asarray([[1, 0, 1], [0, 1, 1]]).astype(name)
for make in (np.asarray, torch.from_numpy):
    (result,) = program.run([make(x), make(x), make(np.zeros((2, 3), np.int64))], [2, 3])
    assert isinstance(result, type(make(x))) and str(result.dtype).endswith(name), result
    assert result.shape == (2, 3) and not result.any(), result
"""


@pytest.mark.parametrize("name", ["float32", "bool", "uint8"])
def test_tensors_in_and_out(name):
    command = [sys.executable, "-W", "ignore", "-c", ON_TENSORS, name, program("map", name)]
    done = subprocess.run(command, env={**os.environ, "TRITON_INTERPRET": "1"}, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_every_dtype_has_a_pointer():
    assert set(POINTERS) | {"int8", "int16", "int32", "int64"} == set(DTYPES)


def test_without_a_gpu_the_error_says_so(monkeypatch):
    import torch

    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(sw.CompileError, match="target 'cuda' needs a GPU that torch can use"):
        sw.jit(lambda x: x + 1, target="cuda")(torch.ones(3))


def test_a_tensor_of_the_wrong_dtype_is_named_before_anything_runs():
    import torch

    low = sw.lower(lambda x: x + 1, sw.Spec(("n",), "float32"), target="cuda")
    with pytest.raises(TypeError, match="argument 'x': expected dtype float32, got float64"):
        low(torch.ones(3, dtype=torch.float64))
