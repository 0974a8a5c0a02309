"""Numbers that 64 bits do not hold, as positions, steps and sizes: NumPy's meaning, or one clear error at the user's line."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import stepwell as sw
from stepwell.ir.index.parser import parse_index
from stepwell.ir.types.dtypes import FLOAT32, INT8, INT64
from stepwell.ir.types.overflow import FAR, LARGEST, LONG_STEP, can_be_array, near, number_beyond

X = np.arange(12, dtype=np.float32).reshape(3, 4)
IMAGE, KERNEL = np.arange(16, dtype=np.float32).reshape(1, 1, 4, 4), np.ones((1, 1, 3, 3), np.float32)
BEYOND = 2**63

WAYS = pytest.mark.parametrize("way", [{}, {"static": True}, {"target": "interpret"}], ids=str)


@WAYS
@pytest.mark.parametrize("by", [10**25, -(10**25), BEYOND, -BEYOND, LARGEST, FAR, -FAR - 1])
def test_rolls_by_any_number(by: int, way: dict[str, Any]):
    for axis in (None, 0, 1):
        found = sw.jit(lambda x, axis=axis: sw.roll(x, by, axis=axis), **way)(X)
        np.testing.assert_array_equal(found, np.roll(X, by % 12, axis=axis))


def test_a_roll_along_an_axis_of_unknown_size():
    with pytest.raises(sw.ShapeError, match=rf"roll: expected a shift of at most {FAR} along an axis .*, got {10**25}"):
        sw.lower(lambda x: sw.roll(x, 10**25), sw.Spec("n"))
    assert sw.lower(lambda x: sw.roll(x, FAR), sw.Spec("n")).source()


def test_rolls_are_taken_by_the_size_of_each_call():
    rolled = sw.jit(lambda x: sw.roll(x, 10**25))
    for size in (3, 7, 0):
        np.testing.assert_array_equal(rolled(X.ravel()[:size]), np.roll(X.ravel()[:size], 10**25 % max(size, 1)))


@WAYS
@pytest.mark.parametrize("k", [sys.maxsize, -sys.maxsize - 1, 10**25, -(10**25), np.int64(LARGEST)])
def test_diagonals_beyond_all_elements(k: Any, way: dict[str, Any]):
    def parts(x: Any) -> Any:
        return sw.tril(x, k=k), sw.triu(x, k=k), sw.eye(3, k=k), sw.diagonal(x, offset=k)

    lower, upper, ones, diagonal = sw.jit(parts, **way)(X)
    np.testing.assert_array_equal(lower, X if k > 0 else 0 * X)
    np.testing.assert_array_equal(upper, X if k < 0 else 0 * X)
    assert not ones.any() and diagonal.shape == (0,)


@WAYS
@pytest.mark.parametrize(
    "step", [BEYOND, -BEYOND, LARGEST, FAR, -FAR, 10**25, -(10**25), 2**48, LONG_STEP + 1, LONG_STEP, LONG_STEP >> 1]
)
def test_steps_beyond_all_elements(step: int, way: dict[str, Any]):
    for given in (X, X[:0], np.arange(100, dtype=np.float32), np.arange(100, dtype=np.float32).reshape(25, 4)):
        np.testing.assert_array_equal(sw.jit(lambda x: x[::step], **way)(given), given[::step])
        np.testing.assert_array_equal(sw.jit(lambda x: x[5:1:step], **way)(given), given[5:1:step])
        np.testing.assert_array_equal(sw.jit(lambda x: x[::step][::step], **way)(given), given[::step][::step])


@WAYS
@pytest.mark.parametrize("bound", [BEYOND, -BEYOND, LARGEST, 10**25, -(10**25)])
def test_bounds_beyond_all_elements(bound: int, way: dict[str, Any]):
    parts = sw.jit(lambda x: (x[bound:], x[:bound], x[bound::-1], x[:bound:-1]), **way)(X)
    for found, expected in zip(parts, (X[bound:], X[:bound], X[bound::-1], X[:bound:-1]), strict=True):
        np.testing.assert_array_equal(found, expected)


@WAYS
def test_windows_with_strides_beyond_all_elements(way: dict[str, Any]):
    found = sw.jit(lambda x, w: (sw.conv2d(x, w, stride=BEYOND), sw.max_pool2d(x, 2, stride=BEYOND)), **way)(IMAGE, KERNEL)
    assert [part.item() for part in found] == [45.0, 5.0]


@WAYS
@pytest.mark.parametrize(
    "bounds", [(0, 10, 2**64), (5, 0, -(2**70)), (2**70, 0), (-BEYOND, -BEYOND + 3), (LARGEST - 2, LARGEST), (0, 2 * FAR, FAR)]
)
def test_ranges_whose_numbers_are_int64(bounds: tuple[int, ...], way: dict[str, Any]):
    found = sw.jit(lambda x: sw.arange(*bounds), **way)(X)
    np.testing.assert_array_equal(found, np.array(list(range(*bounds)), np.int64))


@WAYS
@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda x: sw.zeros((2**62, 2**62)), f"an array of at most {LARGEST} bytes, got one of shape ({2**62}, {2**62})"),
        (lambda x: sw.sum(sw.zeros((2**62, 2**62))), f"an array of at most {LARGEST} bytes"),
        (lambda x: sw.zeros(BEYOND), f"an array of at most {LARGEST} bytes, got one of shape ({BEYOND},) and dtype float32"),
        (lambda x: sw.full((2**64,), 1.0), f"an array of at most {LARGEST} bytes"),
        (lambda x: sw.eye(BEYOND), f"an array of at most {LARGEST} bytes"),
        (lambda x: sw.linspace(0, 1, BEYOND), f"an array of at most {LARGEST} bytes"),
        (lambda x: sw.arange(0.0, 1e30), f"an array of at most {LARGEST} bytes"),
        (lambda x: sw.arange(BEYOND), f"an array of at most {LARGEST} bytes"),
        (lambda x: sw.arange(LARGEST, LARGEST + 3), "arange: expected numbers of int64, got"),
        (lambda x: sw.arange(0, x.shape[0] * FAR * 2, FAR * 2), f"arange: expected numbers of int64, got 0 to {BEYOND}"),
        (lambda x: sw.conv1d(x[None], np.ones((1, 3, 2)), stride=-BEYOND), f"stride: expected at least 1, got [{-BEYOND}]"),
        (
            lambda x: sw.conv_transpose1d(x[None], np.ones((3, 1, 2)), stride=2 * BEYOND, output_padding=3 * BEYOND),
            f"expected less than the stride {2 * BEYOND} or the dilation 1, got {3 * BEYOND}",
        ),
        (
            lambda x: sw.max_pool1d(x, 2, dilation=BEYOND, padding=2 * BEYOND),
            f"padding: expected at most half of a window of {BEYOND + 1}, got {2 * BEYOND}",
        ),
        (lambda x: sw.pad(x, BEYOND), f"an array of at most {LARGEST} bytes"),
        (lambda x: sw.repeat(x, BEYOND), f"an array of at most {LARGEST} bytes"),
        (lambda x: sw.tile(x, (2**40, 2**40)), f"an array of at most {LARGEST} bytes"),
        (lambda x: sw.broadcast_to(x, (BEYOND, 3, 4)), f"an array of at most {LARGEST} bytes"),
        (lambda x: sw.one_hot(sw.astype(x, "int64"), BEYOND), f"an array of at most {LARGEST} bytes"),
        (lambda x: x[2**65], f"index {2**65} is out of range for axis 0"),
        (lambda x: x[::1.5], "expected the step of a slice as an int, got 1.5"),
        (lambda x: sw.astype(x, "int64") + x.shape[0] * 2**62, "is out of range for int64"),
    ],
)
def test_what_is_too_large_is_an_error_at_the_users_line(function: Callable[[Any], Any], message: str, way: dict[str, Any]):
    for call in (lambda: sw.jit(lambda x: function(x), **way)(X), lambda: function(sw.asarray(X)).numpy()):
        with pytest.raises(sw.ShapeError) as found:
            call()
        assert message in found.value.message
        assert found.value.frame is not None and found.value.frame.file == __file__


def test_numbers_of_maps_that_the_code_does_not_hold():
    """Steps are multiplied where slices of slices become one."""
    with pytest.raises(sw.CompileError, match=rf"test_overflow.py:\d+:\d+: .* in magnitude, got {2**93}"):
        sw.jit(lambda x: x[::LONG_STEP][::LONG_STEP][::LONG_STEP])(X)
    text = """func.func @f(%x: tensor<?xf32, #sw.shape<[n]>>) -> tensor<?xf32, #sw.shape<[n]>> {
  %0 = graph.roll %x by <[10000000000000000000000000]> axes [0] : tensor<?xf32, #sw.shape<[n]>> -> tensor<?xf32, #sw.shape<[n]>>
  func.return %0 : tensor<?xf32, #sw.shape<[n]>>
}"""
    for target in ("cpu", "interpret"):
        with pytest.raises(sw.CompileError, match=f"numbers of at most {LARGEST} in magnitude, got -{10**25}"):
            sw.compile(text, target=target)(X.ravel())


@pytest.mark.parametrize("target", ["cpu", "interpret"])
def test_what_grows_too_large_in_a_later_call(target: str):
    product = sw.jit(lambda x: x[:, None, None] * x[None, :, None] * x[None, None, :], target=target)
    assert product(X[0]).shape == (4, 4, 4)
    with pytest.raises(MemoryError, match=r"could not be allocated"):
        product(np.ones(1 << 21, np.float32))


def test_temporaries_whose_sizes_would_wrap_around():
    def sums(x: Any) -> Any:
        products = x[:, None, None] * x[None, :, None] * x[None, None, :]
        return sw.sum(sw.cumsum(sw.cumsum(products, axis=0), axis=1)[0, 0])

    compiled = sw.jit(sums)
    assert compiled(np.ones(3, np.float32)) == 3
    with pytest.raises(MemoryError, match=r"a temporary buffer of more than 2\^50 bytes could not be allocated"):
        compiled(np.ones(1 << 21, np.float32))


def test_ranges_that_leave_int64_in_a_later_call():
    upwards = sw.jit(lambda x: sw.arange(0, x.shape[0] * FAR, FAR))
    downwards = sw.jit(lambda x: sw.arange(0, -x.shape[0] * FAR, -FAR))
    for size in (3, 0, 4):
        np.testing.assert_array_equal(upwards(X[0, :size]), np.arange(size) * FAR)
        np.testing.assert_array_equal(downwards(X[0, :size]), np.arange(size) * -FAR)
    with pytest.raises(sw.ShapeError, match=f"arange: expected numbers of int64, got 0 to {4 * FAR}"):
        upwards(X.ravel()[:5])
    assert downwards(X.ravel()[:5])[-1] == INT64.lowest
    with pytest.raises(sw.ShapeError, match=f"arange: expected numbers of int64, got 0 to {-5 * FAR}"):
        downwards(X.ravel()[:6])
    compiled = sw.compile(sw.lower(lambda x: sw.arange(0, x.shape[0] * FAR, FAR), sw.Spec("n")).ir("graph"))
    with pytest.raises(ValueError, match="negative"):
        compiled(X.ravel()[:5])


def test_one_axis_whose_bytes_would_wrap_around():
    """2^61 numbers of int64 have 2^64 bytes, which C takes for none."""
    compiled = sw.jit(lambda x: sw.sum(sw.flip(sw.cumsum(sw.sum(x, axis=1)))[:1]))
    assert compiled(np.empty((3, 0), np.int8)) == 0
    with pytest.raises(MemoryError, match=r"a temporary buffer of more than 2\^50 bytes could not be allocated"):
        compiled(np.empty((2**61, 0), np.int8))


def test_parameters_whose_bytes_would_wrap_around():
    row = "tensor<?xi64, #sw.shape<[k]>>"
    compiled = sw.compile(f"""func.func @f() -> tensor<i64> attributes {{sw.params = ["k"]}} {{
  %0 = graph.iota 0 : {row}
  %1 = graph.scan "add" %0 axis 0 reverse false exclusive false : {row} -> {row}
  %2 = graph.scan "add" %1 axis 0 reverse true exclusive false : {row} -> {row}
  %3 = graph.reduce "add" %2 axes [0 : i64] keepdims false : {row} -> tensor<i64>
  func.return %3 : tensor<i64>
}}""")
    assert compiled(k=3) == 1 * 2 + 3 * 3
    with pytest.raises(MemoryError, match=r"a temporary buffer of more than 2\^50 bytes could not be allocated"):
        compiled(k=2**62)


def test_sizes_and_parameters_from_outside():
    with pytest.raises(ValueError, match=f"expected a size of at most {LARGEST}, got {BEYOND}"):
        sw.Spec((3, BEYOND))
    text = """func.func @f(%x: tensor<3xi64>) -> tensor<3xi64> attributes {sw.params = ["k"]} {
  func.return %x : tensor<3xi64>
}"""
    with pytest.raises(ValueError, match=f"parameter 'k': expected at most {LARGEST}, got {BEYOND}"):
        sw.compile(text)(np.arange(3), k=BEYOND)


def test_limits():
    assert can_be_array((LARGEST,), INT8) and not can_be_array((LARGEST,), FLOAT32)
    assert not can_be_array((2**40, 2**40, 0), INT8)
    assert (near(5), near(10**25), near(-(10**25))) == (5, FAR, -FAR)
    assert number_beyond(parse_index("n * 3 + min(n, m) mod 7")) is None
    assert number_beyond(parse_index(f"n + max(m, k * {BEYOND}) * 2")) == BEYOND
