"""Every scalar function and every cast, on every dtype, against NumPy: the oracles, the C and the Triton code.

Exact functions must agree in every bit but a NaN's; for the others the table states the greatest error in units in the
last place, measured against a result in a wider type.
"""

import ctypes
import importlib.util
import itertools
import os
import re
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from stepwell.ir.scalars.function import Derivative
from stepwell.ir.scalars.oracles import cast_numpy, oracle
from stepwell.ir.scalars.table import SCALARS, result_type, scalar
from stepwell.ir.types.dtypes import BFLOAT16, BOOL, DTYPES, FLOAT16, FLOAT32, FLOAT64, INT8, INT32, UINT8, dtype
from stepwell.lowering.emit_c import functions as c_functions
from stepwell.lowering.emit_c.helpers import c_names
from stepwell.lowering.emit_triton import functions as triton_functions

SIZE = 2048
FLAGS = ["-O2", "-march=native", "-ffp-contract=off", "-fno-math-errno", "-fno-trapping-math", "-Wall", "-Werror"]
CALLS = [(f, d) for f in SCALARS.values() for d in DTYPES.values() if f.accepts(d)]
CASTS = list(itertools.product(DTYPES.values(), DTYPES.values()))

needs_triton = pytest.mark.skipif(
    not (importlib.util.find_spec("triton") and importlib.util.find_spec("torch")),
    reason="Triton and torch are not installed",
)


def nasty(d):
    """The values at which code goes wrong."""
    if d is BOOL:
        return np.array([False, True])
    if not d.is_float:
        edges = [d.lowest, d.lowest + 1, d.highest, d.highest - 1, 0, 1, 2, 3, 5, 7, 8, 9, 31, 32, 63, 64, 65]
        return np.array([*edges, *([-1, -2, -3, -7, -64] if d.kind == "int" else [])], d.numpy)
    around = [0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 6.0, 10.0, 88.7, 103.0, 710.0, 1e30, 300.25, 2147483648.0, 9.3e18]
    values = np.array([*around, np.inf, np.nan, 255.0, 127.5], np.float64)
    one = np.ones(1, d.numpy)
    tiny = np.array([np.nextafter(one * 0, one)[0], np.finfo(np.float32).tiny / 3]).astype(d.numpy)
    with np.errstate(over="ignore"):
        every = np.concatenate([values.astype(d.numpy), tiny, np.nextafter(one, one * 0), np.nextafter(one, one * 2)])
    return np.concatenate([every, -every])


def sample(d, size, seed):
    """Random values of ordinary size, mixed with random bits."""
    rng = np.random.default_rng(seed)
    if d is BOOL:
        return rng.integers(0, 2, size).astype(bool)
    bits = rng.integers(0, 256, size * d.itemsize, np.uint8).view(d.numpy)
    if not d.is_float:
        return np.where(rng.random(size) < 0.5, bits, rng.integers(0, 10, size).astype(d.numpy))
    return np.where(rng.random(size) < 0.4, bits, (rng.standard_normal(size) * 5).astype(d.numpy))


def operands(function, d):
    """SIZE operands: pairs of nasty values, then random ones."""
    pairs = np.array(list(itertools.product(range(len(nasty(d))), repeat=min(function.arity, 2)))).T[:, -SIZE:]
    columns = [np.concatenate([nasty(d)[i], sample(d, SIZE - len(i), seed)]) for seed, i in enumerate(pairs)]
    if function.arity == 3:
        columns.append(sample(d, SIZE, 7))
    if function.name == "select":
        columns[0] = sample(BOOL, SIZE, 8)
    return columns


def result_of(function, d):
    return result_type(function, (BOOL, d, d) if function.name == "select" else (d,) * function.arity)


def call_with_casts(call, cast, function, d):
    """The expression on operands a, b and c, with the casts that half types need; its helpers."""
    letters = list("abc"[: function.arity])
    if function.name == "select" or d.compute is d:
        return call(function.name, d, letters)
    cast_in = [cast(d, d.compute, letter) for letter in letters]
    expression, helpers = call(function.name, d.compute, [text for text, _ in cast_in])
    result, cast_out = (expression, set()) if function.result == "bool" else cast(d.compute, d, expression)
    return result, helpers.union(cast_out, *(names for _, names in cast_in))


def generated(call, cast):
    """All the calls and casts as (operand dtypes, result dtype, expression), and the helpers of all."""
    rows, helpers = [], set()
    for function, d in CALLS:
        expression, names = call_with_casts(call, cast, function, d)
        types = [BOOL, d, d] if function.name == "select" else [d] * function.arity
        rows.append((types, result_of(function, d), expression))
        helpers |= names
    for source, target in CASTS:
        expression, names = cast(source, target, "a")
        rows.append(([source], target, expression))
        helpers |= names
    return rows, helpers


def inputs():
    """The operands of each row of `generated`."""
    unary = scalar("abs")
    return [operands(function, d) for function, d in CALLS] + [operands(unary, source) for source, _ in CASTS]


def exactly(function, d, arrays):
    """The result in a type twice as wide, where there is one."""
    wide = np.float64 if d is FLOAT32 else np.longdouble
    with np.errstate(all="ignore"):
        return oracle(function)(*(array.astype(wide) for array in arrays))


def ulps(got, exact, scale, d):
    """The error in units in the last place of `scale`; what overflows counts as the next power of two."""
    limit = np.longdouble(2) ** np.finfo(d.numpy).maxexp
    got, exact = (np.clip(values.astype(np.longdouble), -limit, limit) for values in (got, exact))
    with np.errstate(all="ignore"):
        unit = np.spacing(np.minimum(np.abs(scale), np.finfo(d.numpy).max).astype(d.numpy)).astype(np.longdouble)
        return np.where(np.isnan(got) & np.isnan(exact), 0, np.abs(got - exact) / unit)


def check_same(got, expected, what, zero_signs=True):
    """Check that results are equal, with the same NaN and, except for min and max, the same zeros."""
    with np.errstate(all="ignore"):  # comparing bfloat16 NaNs warns
        wrong = ~((got == expected) | ((got != got) & (expected != expected)))
        if zero_signs and expected.dtype.kind not in "biu":
            wrong |= (got == 0) & (np.signbit(got) != np.signbit(expected))
    at = np.argmax(wrong)
    assert not wrong.any(), f"{what}: {wrong.sum()} wrong, first at {at}: {got[at]!r}, not {expected[at]!r}"


def check_call(function, d, arrays, got):
    what = f"{function} {d}"
    expected = function.numpy(*arrays)
    assert got.dtype == expected.dtype, what
    if not function.ulp or not d.is_float:
        check_same(got, expected, what, zero_signs=function.name not in ("min", "max"))
        return
    zero = (got == 0) & (expected == 0)
    assert (np.signbit(got) == np.signbit(expected))[zero].all(), f"{what}: the sign of a zero"
    if d.compute is not d:
        unequal = ~((got == expected) | (np.isnan(got) & np.isnan(expected)))
        neighbours = np.abs(got.view(np.int16).astype(int) - expected.view(np.int16)) <= 1
        assert neighbours[unequal].all(), f"{what}: off by more than one unit, at {arrays[0][unequal & ~neighbours]}"
        return
    exact = exactly(function, d, arrays)
    scale = exact if function.name != "logaddexp" else np.maximum(np.abs(exact), np.maximum(*map(np.abs, arrays)))
    error = ulps(got, exact, scale, d)
    worst = int(np.argmax(np.where(np.isnan(error), np.inf, error)))
    at = [array[worst] for array in arrays]
    assert error[worst] <= function.ulp, f"{what}: {error[worst]} ulp at {at}: {got[worst]!r}, not {exact[worst]!r}"


def check_all(results):
    """Check all rows of results, and report every failure."""
    failures = []
    for (function, d), arrays, got in zip(CALLS, inputs(), results, strict=False):
        try:
            check_call(function, d, arrays, got)
        except AssertionError as failure:
            failures.append(str(failure))
    for (source, target), arrays, got in zip(CASTS, inputs()[len(CALLS) :], results[len(CALLS) :], strict=True):
        try:
            check_same(got, cast_numpy(arrays[0], target), f"cast {source} to {target}")
        except AssertionError as failure:
            failures.append(str(failure))
    assert not failures, "\n".join(failures)


# The C side: one library with a loop for each row.


def c_loop(name, types, result, expression):
    """A function that computes `out[i]` from the arrays of the operands a, b and c."""
    operands = list(zip("abc", types, strict=False))
    parameters = "".join(f", const {d.c} *in_{letter}" for letter, d in operands)
    loads = " ".join(f"{d.c} {letter} = in_{letter}[i];" for letter, d in operands)
    return (
        f"void {name}(long n, {result.c} *out{parameters}) {{\n"
        f"    for (long i = 0; i < n; ++i) {{ {loads} out[i] = {expression}; }}\n}}\n"
    )


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    rows, helpers = generated(c_functions.c_call, c_functions.c_cast)
    folder = tmp_path_factory.mktemp("c")
    loops = [c_loop(f"row_{k}", *row) for k, row in enumerate(rows)]
    source = folder / "scalars.c"
    text = c_functions.c_helpers(helpers) + "\n".join(loops)
    source.write_text(c_names(text) + text)
    compiler = os.environ.get("CC", "cc")
    subprocess.run([compiler, *FLAGS, "-shared", "-fPIC", "-o", folder / "scalars.so", source, "-lm"], check=True)
    return ctypes.CDLL(str(folder / "scalars.so"))


def test_names_of_mathematics_are_declared_where_they_are_used(tmp_path):
    """Mathematical functions are declared without a header, which takes long to read: compilers have them built in."""
    function = """float sw_f(float x, float *p, float *q) {
  memcpy(p, q, 4);
  free(q);
  return isfinite(x) ? floorf(x) : *p ? INFINITY : NAN;
}
"""
    plain = "int64_t sw_g(int64_t n) { return ((n) + 1) / sizeof(int); }\n"
    assert re.findall(r"#define (\w+)|<(math|stdlib)", c_names(function + plain)) == [
        (name, "") for name in ("INFINITY", "NAN", "floorf", "isfinite", "memcpy")
    ]
    assert "#define" not in c_names(plain) and "free" not in c_names(plain)
    source = tmp_path / "names.c"
    source.write_text(c_names(function + plain) + function + plain)
    subprocess.run([os.environ.get("CC", "cc"), *FLAGS, "-fsyntax-only", source], check=True)


def run_c(library, row, arrays, result):
    arrays = [np.ascontiguousarray(array) for array in arrays]
    out = np.empty(len(arrays[0]), result.numpy)
    pointers = [ctypes.c_void_p(array.ctypes.data) for array in (out, *arrays)]
    getattr(library, f"row_{row}")(ctypes.c_long(len(out)), *pointers)
    return out


def test_c_on_nasty_and_random_values(library):
    results = [result_of(f, d) for f, d in CALLS] + [target for _, target in CASTS]
    got = [run_c(library, k, arrays, results[k]) for k, arrays in enumerate(inputs())]
    check_all(got)


def test_c_on_floats_of_every_size(library):
    """Every 9,973rd float32: a prime, so that all exponents meet all kinds of significands."""
    values = np.arange(0, 1 << 32, 9973, dtype=np.uint64).astype(np.uint32).view(np.float32)
    for row, (function, d) in enumerate(CALLS):
        if function.arity == 1 and d is FLOAT32:
            check_call(function, d, [values], run_c(library, row, [values], result_of(function, d)))


def test_c_of_all_half_values(library):
    every = np.arange(1 << 16, dtype=np.uint16)
    for row, (function, d) in enumerate(CALLS):
        if function.arity == 1 and d in (FLOAT16, BFLOAT16):
            values = every.view(d.numpy)
            check_call(function, d, [values], run_c(library, row, [values], result_of(function, d)))


def test_c_of_bfloat16_pairs(library):
    first = np.repeat(np.arange(1 << 16, dtype=np.uint16), 16).view(BFLOAT16.numpy)
    second = np.resize(nasty(BFLOAT16)[:16], len(first))
    for name in ("add", "sub", "mul", "div", "min"):
        row = CALLS.index((scalar(name), BFLOAT16))
        check_call(scalar(name), BFLOAT16, [first, second], run_c(library, row, [first, second], BFLOAT16))


def test_c_of_all_pairs_of_bytes(library):
    every = np.arange(256, dtype=np.uint8)
    for row, (function, d) in enumerate(CALLS):
        if function.arity == 2 and d in (INT8, UINT8):
            arrays = [np.repeat(every, 256).view(d.numpy), np.tile(every, 256).view(d.numpy)]
            check_call(function, d, arrays, run_c(library, row, arrays, result_of(function, d)))


def test_c_literals(library, tmp_path):
    values = {
        FLOAT32: [0.1, -0.0, 1e-45, 3.4e38, np.inf, -np.inf, np.nan, 16777217.0],
        FLOAT64: [0.1, -0.0, 5e-324, 1.7e308, np.inf, -np.inf, np.nan, 2.0**53 + 2],
        INT8: [-128, 127, -1],
        DTYPES["int64"]: [-(2**63), 2**63 - 1, -1],
        UINT8: [0, 255],
        BOOL: [True, False],
    }
    for d, given in values.items():
        literals = ", ".join(c_functions.c_literal(value, d) for value in given)
        source = tmp_path / f"{d}.c"
        text = f"{d.c} values[] = {{{literals}}};\n"
        source.write_text(c_names(text) + text)
        subprocess.run([os.environ.get("CC", "cc"), "-shared", "-o", tmp_path / f"{d}.so", source], check=True)
        loaded = (ctypes.c_char * (len(given) * d.itemsize)).in_dll(ctypes.CDLL(str(tmp_path / f"{d}.so")), "values")
        check_same(np.frombuffer(bytes(loaded), d.numpy), np.array(given).astype(d.numpy), f"literals of {d}")


# The Triton side: one file with a kernel for each row, run by the interpreter and compiled for a GPU.

_RUN = f"""
import sys
import numpy as np, torch
import kernels
import ml_dtypes

given, results, out = np.load(sys.argv[1]), sys.argv[2].split(","), []

def tensor(array):
    if array.dtype == np.uint16:
        return torch.from_numpy(array.view(np.int16)).view(torch.bfloat16)
    return torch.from_numpy(array)

for row, result in enumerate(results):
    target = torch.zeros({SIZE}, dtype=getattr(torch, "uint8" if result.startswith("float8") else result))
    operands = [tensor(given[f"{{row}}_{{k}}"]) for k in range(3) if f"{{row}}_{{k}}" in given]
    getattr(kernels, f"row_{{row}}")[(1,)](target, *operands)
    out.append(target.view(torch.uint8).numpy())
np.savez(sys.argv[3], *out)
"""

_COMPILE = """
import sys
import triton
import kernels
from triton.backends.compiler import GPUTarget

for line in open(sys.argv[1]):
    name, *types = line.split()
    signature = {parameter: type for parameter, type in zip(["out", "in_a", "in_b", "in_c"], types)}
    source = triton.compiler.ASTSource(fn=getattr(kernels, name), signature=signature, constexprs={})
    options = {"enable_fp_fusion": False, "enable_reflect_ftz": False}
    compiled = triton.compile(source, target=GPUTarget("cuda", 90, 32), options=options)
    assert ".extern .func" not in compiled.asm["ptx"], name
"""


def kernel(name, size, types, stores):
    """A kernel that loads tiles a, b and c and stores the expressions, one after the other."""
    letters = "abc"[: len(types)]
    lines = [
        "\n\n@triton.jit",
        f"def {name}(out, {', '.join(f'in_{letter}' for letter in letters)}):",
        f"    at = tl.arange(0, {size})",
        *(f"    {letter} = tl.load(in_{letter} + at)" for letter in letters),
        *(f"    tl.store(out + {k * size} + at, {expression})" for k, expression in enumerate(stores)),
    ]
    return "\n".join(lines) + "\n"


def triton_process(folder, script, *arguments, interpret):
    (folder / "script.py").write_text(script)
    environment = {**os.environ, "TRITON_INTERPRET": str(int(interpret)), "TRITON_CACHE_DIR": str(folder / "cache")}
    command = [sys.executable, "-W", "ignore", folder / "script.py", *arguments]
    finished = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert finished.returncode == 0, finished.stderr[-4000:]


@needs_triton
def test_triton_in_its_interpreter(tmp_path):
    rows, helpers = generated(triton_functions.triton_call, triton_functions.triton_cast)
    kernels = [kernel(f"row_{k}", SIZE, types, [expression]) for k, (types, _, expression) in enumerate(rows)]
    text = triton_functions.TRITON_PREAMBLE + triton_functions.triton_helpers(helpers) + "".join(kernels)
    (tmp_path / "kernels.py").write_text(text)
    plain: dict[str, Any] = {
        f"{k}_{i}": array if dtype(array.dtype).held_as is None else array.view(f"u{array.dtype.itemsize}")
        for k, arrays in enumerate(inputs())
        for i, array in enumerate(arrays)
    }
    np.savez(tmp_path / "in.npz", **plain)
    results = [result for _, result, _ in rows]
    names = ",".join(result.name for result in results)
    triton_process(tmp_path, _RUN, tmp_path / "in.npz", names, tmp_path / "out.npz", interpret=True)
    loaded = np.load(tmp_path / "out.npz")
    check_all([loaded[f"arr_{k}"].view(result.numpy) for k, result in enumerate(results)])


@needs_triton
def test_triton_compiles_for_a_gpu_without_one(tmp_path, some_of):
    """All functions of one dtype with results of one dtype stand in one kernel. Each cast has a kernel of its own: every fifth,
    so that each dtype is the source and the result of some."""
    rows, helpers = generated(triton_functions.triton_call, triton_functions.triton_cast)
    assert len(rows) == len(CALLS) + len(CASTS)
    groups = {}
    for types, result, expression in (*rows[: len(CALLS)], *some_of(rows[len(CALLS) :], 5)):
        if result.compute is result or len(types) == 1:
            groups.setdefault((types[-1], types[0], result), []).append((types, expression))
    text, listing = [triton_functions.TRITON_PREAMBLE, triton_functions.triton_helpers(helpers)], []
    pointers = {d: f"*{str(d.type).replace('f', 'fp', d.name != 'bfloat16')}" for d in DTYPES.values()}
    pointers |= {d: "*u8" for d in DTYPES.values() if d is UINT8 or d.is_stored_only}
    for k, ((*_, result), members) in enumerate(groups.items()):
        types = max((types for types, _ in members), key=len)
        text.append(kernel(f"group_{k}", 128, types, [expression for _, expression in members]))
        listing.append(" ".join([f"group_{k}", *(pointers[d] for d in (result, *types))]))
    (tmp_path / "kernels.py").write_text("".join(text))
    (tmp_path / "listing").write_text("\n".join(listing))
    triton_process(tmp_path, _COMPILE, tmp_path / "listing", interpret=False)


# The table itself.


class Evaluator:
    """A builder for derivatives, which computes on float64 arrays at once."""

    def const(self, value):
        return np.float64(value)

    def __getattr__(self, name):
        function = scalar(name)
        return lambda *arrays: function.numpy(*np.broadcast_arrays(*arrays))


DIFFERENTIABLE = [f for f in SCALARS.values() if f.derivative and f.name != "select"]


@pytest.mark.parametrize("function", DIFFERENTIABLE, ids=str)
def test_derivatives_are_difference_quotients(function):
    points = np.random.default_rng(3).uniform(0.15, 0.85, (function.arity, 200))
    result = function.numpy(*points)
    partials = function.derivative(Evaluator(), *points, result)
    assert len(partials) == function.arity
    for k, partial in enumerate(partials):
        if partial is None:
            continue
        step = np.zeros_like(points)
        step[k] = 1e-6
        quotient = (function.numpy(*(points + step)) - function.numpy(*(points - step))) / 2e-6
        np.testing.assert_allclose(np.broadcast_to(partial, quotient.shape), quotient, rtol=1e-6, atol=1e-8)


def derivative(name: str) -> Derivative:
    """The derivative of a function that has one."""
    found = scalar(name).derivative
    assert found is not None, name
    return found


def test_derivatives_at_the_edges():
    f = Evaluator()
    zero, inf = np.zeros(1), np.full(1, np.inf)
    assert [p[0] for p in derivative("pow")(f, zero, zero, np.ones(1))] == [0.0, 0.0]  # 0**b jumps at 0
    assert [p[0] for p in derivative("pow")(f, zero, zero + 2, zero)] == [0.0, 0.0]
    assert [p[0] for p in derivative("max")(f, zero, zero, zero)] == [0.5, 0.5]
    assert [p[0] for p in derivative("logaddexp")(f, -inf, -inf, -inf)] == [0.5, 0.5]
    condition = np.array([True, False])
    _, first, second = derivative("select")(f, condition, np.ones(2), np.ones(2), np.ones(2))
    assert (first.tolist(), second.tolist()) == ([1.0, 0.0], [0.0, 1.0])


@pytest.mark.parametrize(("function", "d"), [(f, d) for f, d in CALLS if f.identity], ids=str)
def test_identities_are_neutral(function, d):
    values = np.concatenate([nasty(d), sample(d, 100, 1)])
    neutral = np.full(len(values), function.identity(d), d.numpy)
    check_same(function.numpy(values, neutral), values, f"{function} {d}", zero_signs=False)


@pytest.mark.parametrize(("function", "d"), [(f, d) for f, d in CALLS if f.commutative], ids=str)
def test_commutative_functions_commute(function, d):
    a, b = operands(function, d)
    zero_signs = function.name not in ("min", "max")
    check_same(function.numpy(a, b), function.numpy(b, a), f"{function} {d}", zero_signs)


def test_random_bits_are_philox():
    """The known answer of the authors' test suite for key and counter 0."""
    assert scalar("random_bits").numpy(np.zeros(1, np.int64), np.zeros(1, np.int64))[0] == 0x6627E8D5


def test_fma_rounds_once():
    a = np.array([1 + 2**-12], np.float32)
    assert scalar("fma").numpy(a, a, -np.array([1 + 2**-11], np.float32))[0] == 2**-24
    wide = np.array([1 + 2**-30])
    assert scalar("fma").numpy(wide, wide, -np.array([1 + 2**-29]))[0] == 2**-60


def test_integer_rules():
    def i32(*values):
        return np.array(values, np.int32)

    assert scalar("pow").numpy(i32(2, 1, -1, -1, 0), i32(-1, -5, -3, -2, -1)).tolist() == [0, 1, -1, 1, 0]
    assert scalar("floordiv").numpy(i32(-7, 7, -(2**31), 5), i32(2, -2, -1, 0)).tolist() == [-4, -4, -(2**31), 0]
    assert scalar("mod").numpy(i32(-7, 7, -(2**31), 5), i32(2, -2, -1, 0)).tolist() == [1, -1, 0, 0]
    assert scalar("shift_left").numpy(i32(1, 1, 1), i32(31, 32, -1)).tolist() == [-(2**31), 0, 0]
    assert scalar("shift_right").numpy(i32(-8, -8, 8), i32(1, 40, 40)).tolist() == [-4, -1, 0]


def test_casts_from_float_saturate():
    given = np.array([np.nan, np.inf, -np.inf, 3e9, -1.9, 300.7])
    assert cast_numpy(given, INT32).tolist() == [0, 2**31 - 1, -(2**31), 2**31 - 1, -1, 300]
    assert cast_numpy(given, UINT8).tolist() == [0, 255, 0, 255, 0, 255]
    assert cast_numpy(given, BOOL).all()


@pytest.mark.parametrize(
    ("name", "types", "message"),
    [
        ("add", [FLOAT32], "'add': expected 2 operands, got 1"),
        ("add", [FLOAT32, INT8], "'add': expected operands of one dtype, got float32, int8"),
        ("div", [INT8, INT8], "'div': expected operands of float type, got int8"),
        ("add", [BOOL, BOOL], "got bool"),
        ("select", [INT8, INT8, INT8], "'select': expected a condition of dtype bool, got int8"),
        ("random_bits", [INT8, INT8], "expected operands of int64 type, got int8"),
    ],
)
def test_wrong_operands_are_told(name, types, message):
    with pytest.raises(TypeError, match=message):
        result_type(scalar(name), types)


def test_unknown_functions_are_told():
    with pytest.raises(LookupError, match="unknown scalar function 'sine': did you mean 'sin'"):
        scalar("sine")
