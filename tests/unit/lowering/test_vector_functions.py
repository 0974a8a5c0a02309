"""Every scalar function and every cast on vectors, on every dtype, against the same in scalar C, which `test_scalars.py` holds
against NumPy: equal in every bit, except for functions with a polynomial of their own, whose errors are measured."""

import ctypes
import itertools
import os
import platform
import subprocess

import numpy as np
import pytest
import stepwell as sw
from stepwell.ir.scalars.table import SCALARS, result_type, scalar
from stepwell.ir.types.dtypes import BFLOAT16, BOOL, DTYPES, FLOAT32, FLOAT64, dtype
from stepwell.lowering.emit_c.functions import c_call, c_cast, c_helpers
from stepwell.lowering.emit_c.helpers import c_names
from stepwell.lowering.emit_c.vector_casts import cast_body
from stepwell.lowering.emit_c.vectors import c_typedefs, c_vector_helpers, vector_call, vector_cast
from stepwell.runtime.cache.disk import content_key, default_cache
from stepwell.runtime.toolchain.compiler import OBJECT, cpu_features, find_command
from stepwell.tools.accuracy import accuracy, allowed
from stepwell.tools.stepwell import main

SIZE = 2048
FLAGS = ["-O2", "-ffp-contract=off", "-fno-math-errno", "-fno-trapping-math", "-std=gnu11", "-w", "-shared", "-fPIC"]
# This machine; one with AVX2 and without AVX-512, for which vectors of 512 bits are wider than registers; and one with neither.
MACHINES = ("-march=native", *(("-march=x86-64-v3",) if "avx512f" in cpu_features() else ()), "-mno-avx512f -mno-fma -mno-avx2")
LANES = (16, 8, 4, 2)
CALLS = [
    (function, d)
    for function in SCALARS.values()
    for d in DTYPES.values()
    if function.accepts(d) and (d.compute is d or function.name == "select")
]
CASTS = list(itertools.product(DTYPES.values(), DTYPES.values()))
OWN = (
    *("pow", "softplus", "logaddexp", "exp", "exp2", "expm1", "log", "log2", "log10", "log1p"),
    *("sin", "cos", "tanh", "erf", "sigmoid", "gelu"),
    *("cbrt", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh"),
)


def nasty(d):
    """Values at which code goes wrong, and random ones."""
    rng = np.random.default_rng(0)
    if d is BOOL:
        return rng.integers(0, 2, SIZE).astype(bool)
    bits = rng.integers(0, 256, SIZE * d.itemsize, np.uint8).view(d.numpy)
    if not d.is_float:
        edges = [d.lowest, d.lowest + 1, d.highest, d.highest - 1, 0, 1, 2, 3, 5, 7, 8, 31, 32, 63, 64, 65]
        edges = np.array([*edges, *([-1, -2, -3, -7, -64] if d.kind == "int" else [])], d.numpy)
        return rng.choice(np.concatenate([edges, bits[:20]]), SIZE)
    around = [0.0, 0.25, 0.5, 1.0, 1.5, 2.5, 3.0, 10.0, 88.7, 89.5, 103.9, 128.0, 150.0, 710.0, 1e30, 1e-40, 2147483648.0]
    # Midpoints between two float16 numbers, and their neighbours: rounding by way of float32 would be wrong for them.
    middle = 1 + 2.0**-11
    values = np.array([*around, 9.3e18, np.inf, np.nan, 255.0, 127.5, 128.0, 65519.0, 65520.0, 1e5, 1e300, 1e-300])
    values = np.concatenate([values, [middle, np.nextafter(middle, 0), np.nextafter(middle, 2)]])
    # Denormal midpoints between two bfloat16 numbers, their neighbours, and numbers below the least normal number.
    values = np.concatenate([values, np.array([0x1, 0x8000, 0x18000, 0x18001, 0x7FFFFF], np.uint32).view(np.float32)])
    with np.errstate(over="ignore"):
        values = np.concatenate([values, -values]).astype(d.numpy)
    small = (rng.standard_normal(SIZE // 2) * 4).astype(d.numpy)
    return np.concatenate([rng.choice(np.concatenate([values, bits[:20]]), SIZE - len(small)), small])


def operand_types(function, d):
    return [BOOL, d, d] if function.name == "select" else [d] * function.arity


def scalar_rows():
    """The types of the operands, the type of the result and the expression of each call, of each cast, and of each cast to
    bfloat16 and back; and the helpers of all."""
    rows, helpers = [], set()
    for function, d in CALLS:
        expression, names = c_call(function.name, d, list("abc"[: function.arity]))
        types = operand_types(function, d)
        rows.append((types, result_type(function, types), expression))
        helpers |= names
    for source, target in CASTS:
        expression, names = c_cast(source, target, "a")
        rows.append(([source], target, expression))
        helpers |= names
    narrow, narrowing = c_cast(FLOAT32, BFLOAT16, "a")
    wide, widening = c_cast(BFLOAT16, FLOAT32, narrow)
    return [*rows, ([FLOAT32], FLOAT32, wide)], helpers | narrowing | widening


def vector_rows(lanes):
    """The same rows on vectors of the given number of lanes, or of a register's number of lanes; and these numbers."""
    rows = []
    for function, d in CALLS:
        types = operand_types(function, d)
        count = in_register(lanes, *types)
        expression = vector_call(function.name, d, count, list("abc"[: function.arity]))
        rows.append((types, result_type(function, types), expression, count))
    for source, target in CASTS:
        count = in_register(lanes, source, target)
        rows.append(([source], target, vector_cast(source, target, count, "a"), count))
    count = in_register(lanes, FLOAT32)
    return [*rows, ([FLOAT32], FLOAT32, f"sw_reduce_precision_bf16_f32x{count}(a)", count)]


def in_register(lanes, *types):
    return min(lanes, *(512 // max(d.bits, 32) for d in types))


def c_row(name, types, result, expression, lanes=None):
    """A function that computes `out[i]` from the arrays of the operands a, b and c."""
    operands = list(zip("abc", types, strict=False))
    parameters = "".join(f", const {d.c} *in_{letter}" for letter, d in operands)
    if lanes is None:
        body = " ".join(f"{d.c} {letter} = in_{letter}[i];" for letter, d in operands) + f" out[i] = {expression};"
    else:
        kinds = [(letter, f"{d.short}x{lanes}") for letter, d in operands]
        body = " ".join(f"sw_{kind} {letter} = sw_load_{kind}(in_{letter} + i);" for letter, kind in kinds)
        body += f" sw_store_{result.short}x{lanes}(out + i, {expression});"
    return f"void {name}({result.c} *out{parameters}) {{ for (long i = 0; i < {SIZE}; i += {lanes or 1}) {{ {body} }} }}\n"


def c_stream(d, lanes):
    """A copy of an array by vectors that go past the caches."""
    kind = f"{d.short}x{lanes}"
    body = f"sw_stream_{kind}(out + i, sw_load_{kind}(in + i), 1);"
    return f"void stream_{kind}({d.c} *out, const {d.c} *in) {{ for (long i = 0; i < {SIZE}; i += {lanes}) {{ {body} }} }}\n"


@pytest.fixture(scope="module", params=MACHINES)
def library(request):
    if platform.machine() != "x86_64" and "avx" in request.param:
        pytest.skip("flags of another machine")
    rows, helpers = scalar_rows()
    functions = "".join(c_row(f"scalar_{k}", *row) for k, row in enumerate(rows))
    for lanes in LANES:
        functions += "".join(c_row(f"vector_{lanes}_{k}", *row) for k, row in enumerate(vector_rows(lanes)))
    functions += "".join(c_stream(d, lanes) for d in DTYPES.values() for lanes in LANES if in_register(lanes, d) == lanes)
    vectors, scalars = c_vector_helpers(functions)
    used = c_helpers(helpers | scalars) + "\n".join(vectors.values()) + functions
    text = c_names(used) + c_typedefs(used) + used
    compiler, flags = find_command(), [*FLAGS, *request.param.split()]

    def build(folder):
        (folder / "all.c").write_text(text)
        subprocess.run([*compiler.argv, *flags, "-o", folder / OBJECT, folder / "all.c", "-lm"], check=True)

    # Processes that share these tests compile it once.
    key = content_key({"source": text, "flags": flags, "compiler": compiler.identity, "cpu": cpu_features()})
    return ctypes.CDLL(str(default_cache().fetch(key, build).path / OBJECT))


def run(library, name, arrays, result):
    out = np.empty(SIZE, result.numpy)
    getattr(library, name)(*[ctypes.c_void_p(array.ctypes.data) for array in (out, *arrays)])
    return out


def difference(got, expected, exact, scale):
    """Where two results differ: inexact results by more than a few units, measured at `scale` at least, exact results by a
    bit."""
    with np.errstate(all="ignore"):
        same = (got == expected) | ((got != got) & (expected != expected))
        if exact or got.dtype.kind != "f":
            return ~same
        near = np.abs(got - expected) <= 4 * np.spacing(np.maximum(np.abs(expected), expected.dtype.type(scale)))
        return ~(same | near) | (np.signbit(got) != np.signbit(expected)) & (got == 0) & (expected == 0)


@pytest.mark.parametrize("lanes", LANES)
def test_functions_and_casts_are_those_of_scalars(library, lanes):
    rows, _ = scalar_rows()
    failures = []
    for k, (types, result, _) in enumerate(rows):
        arrays = [np.roll(nasty(d), 7 * shift) for shift, d in enumerate(types)]
        expected, got = (run(library, name, arrays, result) for name in (f"scalar_{k}", f"vector_{lanes}_{k}"))
        name = str(CALLS[k][0]) if k < len(CALLS) else f"cast to {result} of"
        # Cancellation in a sum of logarithms leaves an error as large as those of the terms.
        wrong = difference(got, expected, exact=name not in OWN, scale=0.5 if name == "logaddexp" else 0)
        if wrong.any():
            at = int(np.argmax(wrong))
            given = [array[at] for array in arrays]
            failures.append(f"{name} {types[-1]}: {wrong.sum()} wrong, at {given}: {got[at]!r}, not {expected[at]!r}")
    assert not failures, "\n".join(failures)


@pytest.mark.parametrize("kind", [FLOAT32, FLOAT64], ids=str)
@pytest.mark.parametrize("name", ["expm1", "log1p", "sin", "tan", "asin", "atan", "sinh", "tanh"])
def test_what_is_x_near_0_is_so_for_denormal_numbers(library, name, kind):
    smallest, normal = np.finfo(kind.numpy).smallest_subnormal, np.finfo(kind.numpy).tiny
    few = np.array([0, 1, 2, 3, 5, 7, 1001], kind.numpy) * smallest
    values = np.concatenate([few, normal * np.array([0.5, 0.75, 1, 1.5, 3, 1001], kind.numpy), [normal - smallest]])
    x = np.resize(np.concatenate([values, -values]), SIZE)
    k = CALLS.index((scalar(name), kind))
    for prefix in ("scalar", *(f"vector_{lanes}" for lanes in LANES)):
        got = run(library, f"{prefix}_{k}", [x], kind)
        np.testing.assert_array_equal(got.view(f"i{kind.itemsize}"), x.view(f"i{kind.itemsize}"))


@pytest.mark.parametrize("kind", [FLOAT32, FLOAT64], ids=str)
@pytest.mark.parametrize("name", [name for name in OWN if name not in ("erf", "gelu", "logaddexp")])
def test_errors_are_within_the_table(name, kind):
    """Every 15,991st float32: a prime, so that all exponents meet all kinds of significands."""
    assert accuracy(scalar(name), 15991, kind=kind).ulps <= allowed(scalar(name))


@pytest.mark.parametrize("name", ["erf", "gelu"])
def test_the_errors_of_what_has_a_slow_oracle_are_within_the_table(name):
    """The slow oracle is exact enough for float32 only."""
    assert accuracy(scalar(name), 49_999).ulps <= allowed(scalar(name))


def test_the_command_says_which_is_wrong(capsys, monkeypatch):
    assert main(["accuracy", "--function", "exp", "--stride", "999983"]) == 0
    assert "ok" in capsys.readouterr().out
    monkeypatch.setattr("stepwell.tools.accuracy.allowed", lambda function: 0.1)
    assert main(["accuracy", "--function", "exp", "--stride", "999983"]) == 1
    assert "WRONG" in capsys.readouterr().out


@pytest.mark.parametrize("lanes", LANES)
@pytest.mark.parametrize("d", DTYPES.values(), ids=str)
def test_stores_past_the_caches(library, d, lanes):
    """The addresses are multiples of the size of vectors, or not."""
    values = nasty(d)
    for start in (0, 1):
        memory = np.zeros(SIZE + 128, d.numpy)
        first = -memory.ctypes.data % 64 // d.itemsize + start
        out = memory[first : first + SIZE]
        library[f"stream_{d.short}x{in_register(lanes, d)}"](*[ctypes.c_void_p(array.ctypes.data) for array in (out, values)])
        assert out.tobytes() == values.tobytes()
        assert not memory[:first].any() and not memory[first + SIZE :].any()


@pytest.mark.parametrize(("lanes", "instruction"), [(4, "movntps("), (8, "movntps256("), (16, "movntps512(")])
def test_parts_of_lines_go_past_the_caches_too(lanes, instruction):
    """The processor combines partial lines: results of float64 arithmetic are stored as half as many lanes of float32."""
    helpers, _ = c_vector_helpers(f"sw_stream_f32x{lanes} ")
    assert f"__builtin_ia32_{instruction}" in helpers[f"sw_stream_f32x{lanes}"]


def test_folds_are_trees():
    """A sum of lanes adds the halves of a vector: 2^24 + 1 loses the 1, unless it was added to another 1 before."""
    halves = vector_call("add", dtype("f32"), 4, ["a", "b"])
    helpers, _ = c_vector_helpers(f"sw_fold_add_f32x8 {halves}")
    assert "".join(helpers.values()).count("__builtin_shufflevector") == 4


def test_only_vectors_of_16_lanes_become_bfloat16_by_an_instruction():
    assert "cvtneps2bf16" in cast_body("f32", "bf16", 16)
    assert not [lanes for lanes in (4, 8, 32) if "#" in cast_body("f32", "bf16", lanes)]


def test_powers_of_numbers_near_one_keep_their_digits():
    """The logarithm is small and the exponent large."""
    random = np.random.default_rng(5)
    x = random.uniform(0.97, 1.03, 1 << 16).astype(np.float32)
    y = (random.uniform(-80, 80, len(x)) / np.log(x.astype(np.float64))).astype(np.float32)
    exact = np.power(x.astype(np.float64), y)
    found = sw.jit(lambda x, y: x**y)(x, y)
    assert np.max(np.abs(found - exact) / np.spacing(exact.astype(np.float32))) < 0.6


def test_powers_compile_without_warnings(tmp_path):
    x = sw.Spec("n")
    source = tmp_path / "power.c"
    source.write_text(sw.lower(lambda x, y: x**y, x, x).source(), encoding="utf-8")
    command = [
        *os.environ.get("CC", "cc").split(),
        "-std=gnu11",
        "-O2",
        "-Wattributes",
        "-Werror",
        "-Wno-psabi",
        "-c",
        str(source),
    ]
    done = subprocess.run([*command, "-o", str(tmp_path / "power.o")], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
