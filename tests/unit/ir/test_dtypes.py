"""Element types: naming, lookup and promotion."""

import itertools
import subprocess
import sys

import numpy as np
import pytest
import stepwell as sw
from stepwell.ir.types.dtypes import (
    BFLOAT16,
    DTYPES,
    FLOAT8_E4M3FN,
    FLOAT8_E5M2,
    FLOAT16,
    FLOAT32,
    FLOAT64,
    INT8,
    INT16,
    dtype,
    dtype_called,
    dtype_of,
    promote,
)
from xdsl.dialects.builtin import IndexType

ALL = list(DTYPES.values())


@pytest.mark.parametrize("d", ALL, ids=str)
def test_every_spelling_finds_the_dtype(d):
    assert dtype(d) is d
    assert dtype(d.name) is d
    assert dtype_called(d.short) is d
    assert dtype(d.numpy) is d
    assert dtype(d.numpy.type) is d
    assert dtype_of(d.type) is d
    assert d.numpy.itemsize == d.itemsize


@pytest.mark.parametrize("name", [d.short for d in ALL if d.short not in ("i1", "i8", "u8")])
def test_short_names_of_the_ir_find_the_dtype(name):
    assert dtype(name) is dtype_called(name)


@pytest.mark.parametrize("names", ["e f d f2 f4 f8 <f4 >f8 half single double float", "b h i q i2 i4 int intc", "B u1 ? b1"])
def test_names_of_numpy_find_its_dtype(names):
    for name in names.split():
        assert dtype(name).name == np.dtype(name).name


@pytest.mark.parametrize(("name", "both"), [("i1", ("bool", "int8")), ("i8", ("int8", "int64")), ("u8", ("uint8", "uint64"))])
def test_names_that_mean_two_dtypes_are_refused(name, both):
    with pytest.raises(TypeError, match=f"ambiguous dtype '{name}': expected '{both[0]}', .* or '{both[1]}'"):
        sw.zeros(2, name)


def test_torch_dtypes_are_known_by_how_they_print():
    torch = pytest.importorskip("torch")
    for d in ALL:
        assert dtype(getattr(torch, d.name)) is d


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("flaot32", "did you mean 'float32'"),
        ("complex64", "supported: float16, bfloat16"),
        ("u4", "'u4', which is NumPy's uint32 "),
        ("f4,f4", "'f4,f4', which is NumPy's void64 "),
        (None, "'None'"),
    ],
)
def test_unknown_dtypes_are_named(given, message):
    with pytest.raises(TypeError, match=message):
        dtype(given)


def test_index_is_no_element_type():
    with pytest.raises(TypeError, match="unsupported dtype 'index'"):
        dtype_of(IndexType())


def test_promotion_is_numpys():
    ours = [d for d in ALL if d is not BFLOAT16 and not d.is_stored_only]
    for a, b in itertools.product(ours, ours):
        assert promote(a, b).numpy == np.promote_types(a.numpy, b.numpy), (a.name, b.name)


def test_promotion_of_bfloat16():
    assert promote(BFLOAT16, FLOAT16) is FLOAT32
    assert promote(BFLOAT16, INT8) is BFLOAT16
    assert promote(INT16, BFLOAT16) is FLOAT32
    assert promote(FLOAT64, BFLOAT16) is FLOAT64
    for a, b in itertools.product(ALL[:-2], ALL[:-2]):
        assert promote(a, b) is promote(b, a)


def test_what_is_only_stored_has_no_common_dtype_with_others():
    assert [d for d in ALL if d.is_stored_only] == ALL[-2:] == [FLOAT8_E4M3FN, FLOAT8_E5M2]
    for a, b in itertools.product(ALL[-2:], ALL):
        if a is b:
            assert promote(a, b) is a
            continue
        for pair in ((a, b), (b, a)):
            with pytest.raises(TypeError, match=f"no common dtype of {pair[0]} and {pair[1]}: cast one to the other"):
                promote(*pair)


def test_half_types_compute_in_float32():
    assert [d.compute.name for d in ALL[:4]] == ["float32", "float32", "float32", "float64"]
    assert all(d.compute is d for d in ALL[4:-2])
    assert all(d.compute is FLOAT32 for d in ALL[-2:])


def test_ranges():
    for d in ALL:
        if d.kind in ("int", "uint"):
            assert (d.lowest, d.highest) == (np.iinfo(d.numpy).min, np.iinfo(d.numpy).max)


def test_importing_dtypes_does_not_import_numpy():
    code = "import sys, stepwell.ir.types.dtypes; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize(("name", "number"), [("float16", 1e6), ("float32", 1e39), ("bfloat16", 1e39)])
def test_floats_that_are_too_large_are_infinite(name: str, number: float):
    x = np.arange(4).astype(dtype(name).numpy)
    found = sw.jit(lambda t: sw.where(t > 1, t, -number))(x).astype(float)
    np.testing.assert_array_equal(found, [-np.inf, -np.inf, 2, 3])
    np.testing.assert_array_equal(sw.jit(lambda t: sw.minimum(t, number))(x).astype(float), range(4))
