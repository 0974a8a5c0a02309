"""Functions on pairs of bfloat16 numbers: NumPy's, C's and vectors'."""

import ctypes
import subprocess

import numpy as np
import pytest
import stepwell as sw
from stepwell.ir.scalars.packed import PACKED
from stepwell.ir.scalars.table import SCALARS, scalar
from stepwell.ir.types.dtypes import BFLOAT16, FLOAT32
from stepwell.lowering.emit_c.functions import c_call, c_helpers
from stepwell.lowering.emit_c.vectors import c_typedefs, c_vector_helpers, vector_call
from stepwell.runtime.toolchain.compiler import find_command

SIZE = 256
FLAGS = ["-O2", "-ffp-contract=off", "-std=gnu11", "-w", "-shared", "-fPIC"]


def numbers(seed):
    return np.random.default_rng(seed).standard_normal(SIZE).astype(BFLOAT16.numpy)


def pairs(seed):
    return scalar("pack_bfloat16").numpy(*(numbers(seed + k).astype(np.float32) for k in (0, 1)))


def exact_dot(a, b, total):
    low, high = (
        [(np.asarray(each).view(np.uint32) << shift & 0xFFFF0000).view(np.float32).astype(np.float64) for each in (a, b)]
        for shift in (16, 0)
    )
    return total + low[0] * low[1] + high[0] * high[1]


def test_programs_have_no_such_operations():
    assert PACKED.keys().isdisjoint(SCALARS)


def test_a_pair_has_the_bits_of_both_numbers():
    low, high = numbers(0), numbers(1)
    packed = scalar("pack_bfloat16").numpy(low.astype(np.float32), high.astype(np.float32)).view(np.uint16).reshape(-1, 2)
    assert (packed[:, 0] == low.view(np.uint16)).all() and (packed[:, 1] == high.view(np.uint16)).all()


def test_products_of_pairs_are_added():
    total = np.random.default_rng(9).standard_normal(SIZE).astype(np.float32)
    found = scalar("dot_bfloat16").numpy(pairs(0), pairs(2), total)
    np.testing.assert_allclose(found, exact_dot(pairs(0), pairs(2), total), rtol=0, atol=1e-6)


def c_text(lanes):
    """`pack` and `dot` on arrays, in scalars or vectors."""
    names = {"pack_bfloat16": "ab", "dot_bfloat16": "abc"}
    functions, helpers = "", set()
    for name, letters in names.items():
        parameters = "".join(f", const float *in_{letter}" for letter in letters)
        if lanes == 1:
            call, needed = c_call(name, FLOAT32, list(letters))
            helpers |= needed
            body = "".join(f"float {letter} = in_{letter}[i]; " for letter in letters) + f"out[i] = {call};"
        else:
            call, kind = vector_call(name, FLOAT32, lanes, list(letters)), f"f32x{lanes}"
            body = "".join(f"sw_{kind} {letter} = sw_load_{kind}(in_{letter} + i); " for letter in letters)
            body += f"sw_store_{kind}(out + i, {call});"
        functions += f"void {name}(float *out{parameters}) {{ for (long i = 0; i < {SIZE}; i += {lanes}) {{ {body} }} }}\n"
    vectors, scalars = c_vector_helpers(functions)
    texts = "".join(vectors.values())
    headers = "".join(f"#include <{name}.h>\n" for name in ("stdint", "stddef", "math"))
    return f"{headers}{c_helpers(helpers | scalars)}{c_typedefs(texts + functions)}{texts}{functions}"


@pytest.mark.parametrize("machine", ["-march=native", "-mno-avx512f -mno-fma -mno-avx2"])
@pytest.mark.parametrize("lanes", [1, 4, 8, 16])
def test_generated_code_agrees_with_numpy(tmp_path, lanes, machine):
    source, library = tmp_path / "pairs.c", tmp_path / "pairs.so"
    source.write_text(c_text(lanes))
    subprocess.run([*find_command().argv, *FLAGS, *machine.split(), str(source), "-o", str(library)], check=True)
    code, total = ctypes.CDLL(str(library)), np.random.default_rng(9).standard_normal(SIZE).astype(np.float32)

    def run(name, *arrays):
        out = np.empty(SIZE, np.float32)
        getattr(code, name)(*[ctypes.c_void_p(each.ctypes.data) for each in (out, *arrays)])
        return out

    low, high = (numbers(k).astype(np.float32) for k in (0, 1))
    expected = scalar("pack_bfloat16").numpy(low, high)
    assert (run("pack_bfloat16", low, high).view(np.uint32) == expected.view(np.uint32)).all()
    found = run("dot_bfloat16", pairs(0), pairs(2), total)
    np.testing.assert_allclose(found, exact_dot(pairs(0), pairs(2), total), rtol=0, atol=1e-6)


@pytest.mark.parametrize(("m", "k", "n"), [(33, 77, 45), (8, 2, 64), (65, 1, 33), (16, 600, 40)])
def test_products_in_pairs_for_all_depths(monkeypatch, m, k, n):
    monkeypatch.setenv("STEPWELL_MACHINE", "zen4")  # in pairs, on every processor
    rng = np.random.default_rng(0)
    x, w = (rng.standard_normal(shape).astype(BFLOAT16.numpy) for shape in ((m, k), (k, n)))
    found = np.asarray(sw.jit(lambda a, b: a @ b, static=True)(x, w)).astype(np.float64)
    exact = x.astype(np.float64) @ w.astype(np.float64)
    assert np.abs(found - exact).max() <= 2**-8 * np.abs(exact).max() + 1e-30
