"""What NumPy's users expect of functions and tensors: pickling, DLPack, formats, numbers beyond a dtype, repeated axes."""

import multiprocessing
import pickle

import numpy as np
import pytest
import stepwell as sw
from stepwell import nn


def double(x):
    return x * 2


@sw.jit
def decorated(x):
    return x + 1


def sent(function, x):
    return function(x)


def test_specs_are_pickled():
    spec = sw.Spec(("n", 3), "float64", weak=True)
    assert pickle.loads(pickle.dumps(spec)) == spec


def test_jitted_functions_are_pickled_as_functions_are():
    x = np.arange(3.0)
    assert pickle.loads(pickle.dumps(decorated)) is decorated
    copy = pickle.loads(pickle.dumps(sw.jit(double, static=True, donate_argnums=0)))
    assert copy.function is double and copy.static and copy.donate_argnums == (0,)
    np.testing.assert_array_equal(copy(x.copy()), x * 2)
    with pytest.raises((pickle.PicklingError, AttributeError), match="lambda"):
        pickle.dumps(sw.jit(lambda x: x))


def test_jitted_functions_run_in_spawned_processes():
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        np.testing.assert_array_equal(pool.apply(sent, (decorated, np.arange(3.0))), [1, 2, 3])


def test_tensors_go_to_other_libraries_by_dlpack():
    t = sw.Tensor(np.arange(6.0).reshape(2, 3)) * 2
    array = np.from_dlpack(t)
    np.testing.assert_array_equal(array, t.numpy())
    assert np.shares_memory(array, t.numpy())


def test_tensors_format_as_numpy_arrays_do():
    assert f"{sw.Tensor(1.2345):.2f}" == "1.23" and f"{sw.sum(sw.Tensor([1, 2])):>4d}" == "   3"
    assert format(sw.Tensor([1.0, 2.0]), "") == str(sw.Tensor([1.0, 2.0]))
    with pytest.raises(TypeError, match="unsupported format string"):
        format(sw.Tensor([1.0, 2.0]), ".2f")


@pytest.mark.parametrize("dtype", ["uint8", "int8", "int32", "int64"])
def test_comparisons_with_numbers_beyond_the_dtype(dtype):
    x = np.array([np.iinfo(dtype).min, 0, 5, np.iinfo(dtype).max], dtype)
    for number in (np.iinfo(dtype).max + 1, np.iinfo(dtype).min - 1, 1 << 70, -(1 << 70)):
        exact = x.astype(object)
        functions = (
            lambda x, n=number: [x == n, x != n, x < n, x <= n, x > n, x >= n],
            lambda x, n=number: [n == x, n != x, n < x, n <= x, n > x, n >= x],
        )
        for function in functions:
            for found, expected in zip(sw.jit(function)(x), function(exact), strict=True):
                np.testing.assert_array_equal(found, expected.astype(bool))


def test_arithmetic_with_numbers_beyond_the_dtype_is_an_error():
    with pytest.raises(sw.ShapeError, match="the number 300 is out of range for uint8"):
        sw.jit(lambda x: x + 300)(np.arange(3, dtype=np.uint8))


def test_diagonals_take_their_options_by_position():
    x = np.arange(24.0).reshape(2, 3, 4)
    np.testing.assert_array_equal(sw.jit(lambda x: sw.diagonal(x, 1, 1, 2))(x), np.diagonal(x, 1, 1, 2))


def test_an_axis_is_rolled_by_the_sum_of_its_shifts():
    x = np.arange(12).reshape(3, 4)
    for shift, axis in (((1, 1), (0, 0)), ((1, 2, 4), (1, 0, 1)), ((1, -1), (1, -1)), (2, (0, 1))):
        np.testing.assert_array_equal(sw.jit(lambda x, s=shift, a=axis: sw.roll(x, s, a))(x), np.roll(x, shift, axis))


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
def test_uniform_numbers_stay_below_the_upper_limit(dtype):
    drawn = np.asarray(sw.jit(lambda k: sw.random_uniform(k, 100_000, low=1000, high=1008, dtype=dtype))(np.int64(1)))
    assert drawn.astype(np.float64).min() >= 1000 and drawn.astype(np.float64).max() < 1008
    with pytest.raises(sw.ShapeError, match=r"has no number in \[1.0, 1.0\)"):
        sw.jit(lambda k: sw.random_uniform(k, 3, low=1.0, high=1.0, dtype=dtype))(np.int64(1))


def test_initial_values_stay_below_the_upper_limit():
    assert nn.uniform(1, (1000, 1000), 1000.0, 1000.001).max() < np.float32(1000.001)
    assert nn.uniform(1, (3,), 2.0, 2.0).tolist() == [2.0] * 3
