"""Transposed arrays, which CPUs read in tiles."""

from typing import Any

import numpy as np
import pytest
import stepwell as sw
from stepwell.ir.types.dtypes import dtype

RNG = np.random.default_rng(4)
DTYPES = ("float64", "float32", "float16", "bfloat16", "int64", "int32", "int16", "int8", "uint8", "bool")
LINE = 64  # bytes of a line of the cache
# One tile, two adjacent tiles, three and a remainder, and less than one.
SHAPES = ((16, 16), (32, 48), (67, 95), (3, 70), (130, 33))


def values(shape: tuple[int, ...], name: str) -> Any:
    numbers = np.arange(np.prod(shape)).reshape(shape) % 113
    return (numbers % 3 == 0) if name == "bool" else numbers.astype(dtype(name).numpy)


@pytest.mark.parametrize("name", DTYPES)
def test_transposes_of_all_dtypes(name: str):
    transpose = sw.jit(sw.matrix_transpose)
    for shape in SHAPES:
        x = values(shape, name)
        np.testing.assert_array_equal(transpose(x), x.T)


@pytest.mark.covering(1)
@pytest.mark.usefixtures("laid_out_for_avx512")
@pytest.mark.parametrize("name", DTYPES)
def test_tiles_are_turned_in_registers(name: str, as_each_machine: str):
    lowered = sw.lower(sw.matrix_transpose, sw.Spec(("n", "m"), name))
    assert "sw_transpose_" in lowered.source()
    x = values((67, 95), name)
    np.testing.assert_array_equal(lowered(x), x.T)


def test_several_loads_are_turned_in_one_loop():
    def add(x: sw.Tensor, y: sw.Tensor, z: sw.Tensor) -> sw.Tensor:
        return sw.exp(x.T) + y.T * z

    for n, m in SHAPES:
        x, y, z = (RNG.standard_normal(shape).astype(np.float32) for shape in ((n, m), (n, m), (m, n)))
        np.testing.assert_allclose(
            sw.jit(add)(x, y, z), np.exp(x.T.astype(float)) + y.T * z.astype(float), rtol=1e-5, atol=1e-6
        )


@pytest.mark.parametrize("flags", ["-mno-avx512f", "-mno-avx", "-O0"])
def test_transposes_for_other_machines(flags: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("STEPWELL_CFLAGS", flags)
    for shape in SHAPES:
        for name in ("float32", "float64", "int8"):
            x = values(shape, name)
            np.testing.assert_array_equal(sw.jit(sw.matrix_transpose)(x), x.T)


def placed(x: Any, past: int) -> Any:
    """A copy of an array that begins the given number of elements after a cache line."""
    memory = np.empty(x.nbytes + 2 * LINE, np.uint8)
    start = -memory.ctypes.data % LINE + past * x.itemsize
    copy = memory[start : start + x.nbytes].view(x.dtype).reshape(x.shape)
    copy[...] = x
    return copy


@pytest.mark.parametrize("name", ["float32", "float64", "int16", "uint8"])
def test_arrays_may_begin_anywhere(name: str):
    transpose = sw.jit(sw.matrix_transpose)
    for shape in (*SHAPES, (1, 1), (17, 15), (15, 33), (70, 16), (33, 63), (300, 301)):
        for past in range(0, LINE // dtype(name).itemsize, 3):
            x = placed(values(shape, name), past)
            np.testing.assert_array_equal(transpose(x), x.T)


def test_parts_of_rows_may_begin_anywhere():
    def turn(x: sw.Tensor) -> sw.Tensor:
        return sw.permute_dims(x[:, :, 1:], (0, 2, 1))

    compiled, fixed = sw.jit(turn), sw.jit(turn, static=True)
    for shape in ((3, 20, 18), (2, 16, 65), (4, 33, 17), (2, 40, 8)):
        for past in (0, 1, 5, 15):
            x = placed(values(shape, "float32"), past)
            for function in (compiled, fixed):
                np.testing.assert_array_equal(function(x), x[:, :, 1:].transpose(0, 2, 1))


def test_what_checks_indices_is_stored_before_it_is_transposed():
    """Tiles of transposes contain no checks: inlined, the formula would be read down columns."""

    def formula(x: sw.Tensor, k: sw.Tensor, y: sw.Tensor, z: sw.Tensor) -> sw.Tensor:
        return (sw.log(1 + y * y) - sw.take(x, k, axis=0)).T + z

    sizes = (sw.Spec(("v", "m")), sw.Spec("n", "int64"), sw.Spec(("n", "m")), sw.Spec(("m", "n")))
    low = sw.lower(formula, *sizes)
    assert low.structure().blocks == 2
    random = np.random.default_rng(0)
    x, y, z = (random.standard_normal(shape, np.float32) for shape in ((5, 70), (90, 70), (70, 90)))
    k = random.integers(0, 5, 90)
    np.testing.assert_allclose(low(x, k, y, z), (np.log(1 + y * y) - x[k]).T + z, rtol=1e-4, atol=1e-5)


def test_single_elements_are_gathered_outside_of_loops():
    f = sw.jit(lambda x, k: sw.take(sw.take(x, k, axis=0) + 1, k, axis=1) * 2, static=True)
    np.testing.assert_array_equal(f(np.ones((1, 1), np.float32), np.zeros(1, np.int64)), [[4]])
