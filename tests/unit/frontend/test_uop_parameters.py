"""The `$params` of micro-ops: which values they take, their names, divisors of 0, and conditions that a call fulfils."""

from functools import partial

import numpy as np
import pytest
import stepwell as sw

X = np.arange(10.0)


def reindexed(shape, index, **options):
    return lambda x: sw.uop.reindex([shape], x, index=[index], **options)


@pytest.mark.feature("U1")
@pytest.mark.parametrize("value", [2, np.int64(2), np.int8(2), np.uint16(2)])
def test_parameters_are_integers_of_python_and_numpy(value):
    np.testing.assert_array_equal(sw.jit(reindexed("$k", "i0"))(X, k=value), X[:2])


@pytest.mark.parametrize("value", [2.0, True, np.bool_(True), "2", np.array([2]), None])
def test_other_parameters_are_refused(value):
    with pytest.raises(TypeError, match=r"unexpected keyword argument 'k' .*would have to be an int, got"):
        sw.jit(reindexed("$k", "i0"))(X, k=value)


@pytest.mark.feature("U1")
def test_names_of_parameters_that_sizes_have():
    for name in ("s0", "s1", "s_0"):
        f = sw.jit(lambda x, y, name=name: sw.uop.reindex([f"${name}"], x, index=["i0"]) + y[0])
        np.testing.assert_array_equal(f(X, X, **{name: 3}), X[:3])
        np.testing.assert_array_equal(f(X, X[:4], **{name: 4}), X[:4])
    with pytest.raises(sw.ShapeError, match=r"test_uop_parameters.py.*: parameter 's0' is missing"):
        sw.jit(reindexed("$s0", "0"))(X)
    with pytest.raises(sw.ShapeError, match=r"test_uop_parameters.py.*: '\$n' has the name of a size of the arguments"):
        sw.lower(reindexed("$n", "0"), sw.Spec("n"))


def test_a_parameter_that_is_an_argument_of_the_function():
    f = sw.jit(lambda x, k: sw.uop.reindex(["$k"], x, index=["i0"]) * k)
    for k in (2, 3, 4):
        np.testing.assert_array_equal(f(X, k), X[:k] * k)
        np.testing.assert_array_equal(f(X, k=k), X[:k] * k)
    with pytest.raises(sw.ShapeError, match=r"'\$x' is the argument 'x' of the function: expected an int, got a Tensor"):
        sw.jit(reindexed("$x", "0"))(X)


@pytest.mark.feature("U1")
def test_a_jitted_function_inside_of_another_takes_parameters():
    inner = sw.jit(reindexed("$k", "i0"))
    np.testing.assert_array_equal(sw.jit(lambda x: inner(x, k=3) + inner(x[::-1], k=3))(X), [9, 9, 9])
    np.testing.assert_array_equal(sw.jit(lambda x: inner(x, k=2))(X), X[:2])
    with pytest.raises(TypeError, match=r"got an unexpected keyword argument 'z'"):
        sw.jit(lambda x: inner(x, k=3, z=4))(X)


@pytest.mark.feature("U1")
def test_a_parameter_that_only_an_assertion_has():
    f = sw.jit(reindexed("dA0[=$k]", "i0"))
    np.testing.assert_array_equal(f(X, k=10), X)
    np.testing.assert_array_equal(f(X[:4], k=4), X[:4])
    with pytest.raises(sw.ShapeError, match=r"does not hold: s0 and k are not known to be equal\nnote: .* s0 = 10, k = 4"):
        f(X, k=4)


DIVISIONS = [
    ("6", "i0 // $k", {}),
    ("6", "i0 % $k", {}),
    ("dA0 // $k", "0", {}),
    ("dA0", "i0", {"guard": ["i0 // $k"], "fill": 0}),
    ("6", "($k - $k) // $k", {}),
]


@pytest.mark.feature("U2")
@pytest.mark.parametrize("target", ["cpu", "interpret"])
@pytest.mark.parametrize(("shape", "index", "options"), DIVISIONS)
def test_a_divisor_of_zero_is_an_error_of_the_call(shape, index, options, target):
    f = sw.jit(reindexed(shape, index, **options), target=target)
    for _ in range(2):
        f(X, k=2)
        with pytest.raises(ZeroDivisionError, match=r"test_uop_parameters.py:\d+:\d+: integer division by zero: k is 0"):
            f(X, k=0)
    with pytest.raises(sw.ShapeError, match=r"expected a positive divisor, got k = -2"):
        f(X, k=-2)


@pytest.mark.feature("U2")
def test_a_divisor_of_zero_of_lowered_functions():
    low = sw.lower(reindexed("6", "i0 // $k", fill=0), sw.Spec(6, "float64"))
    np.testing.assert_array_equal(low(X[:6], k=4), [0, 0, 0, 0, 1, 1])
    with pytest.raises(ZeroDivisionError, match=r"test_uop_parameters.py:\d+:\d+: integer division by zero: k is 0"):
        low(X[:6], k=0)


def test_a_size_of_zero_divides_nothing_of_an_empty_result():
    by_size = sw.jit(lambda x, y: sw.uop.reindex(["4"], x, shape_of=[x, y], index=["i0 // dB0"], fill=9))
    np.testing.assert_array_equal(by_size(X, X[:2]), [0, 0, 1, 1])
    with pytest.raises(ZeroDivisionError, match=r"s1 is 0"):
        by_size(X, X[:0])
    roll = sw.jit(reindexed("dA0", "(i0 + $s) % dA0"))
    np.testing.assert_array_equal(roll(X, s=3), np.roll(X, -3))
    assert roll(X[:0], s=3).shape == (0,)


def pooled(x):
    windows = sw.uop.reindex(["(dA0 - $k) // $s + 1", "$k"], x, index=["i0 * $s + i1"])
    return sw.uop.reduce("max", windows, 1)


@pytest.mark.feature("U4")
def test_conditions_that_a_call_fulfils():
    np.testing.assert_array_equal(sw.jit(reindexed("dA0", "i0 + $o"))(X, o=0), X)
    np.testing.assert_array_equal(sw.jit(reindexed("dA0", "i0 - $o"))(X, o=0), X)
    np.testing.assert_array_equal(sw.jit(reindexed("$k", "i0"), static=True)(X, k=2), X[:2])
    shorter = sw.jit(lambda x, y: sw.uop.reindex(["dA0"], y, shape_of=[x], index=["i0"]))
    np.testing.assert_array_equal(shorter(X[:3], X), X[:3])
    pool = sw.jit(pooled)
    for k, s in ((3, 2), (1, 4), (10, 7)):
        np.testing.assert_array_equal(pool(X, k=k, s=s), np.lib.stride_tricks.sliding_window_view(X, k)[::s].max(1))
    clamped = sw.jit(reindexed("$n", "min(i0, dA0 - 1)"))
    for n, size in ((12, 10), (3, 4)):
        np.testing.assert_array_equal(clamped(X[:size], n=n), X[np.minimum(np.arange(n), size - 1)])
    assert clamped.stats().compiles == 1


@pytest.mark.feature("U4")
@pytest.mark.parametrize(
    ("index", "params", "message"),
    [
        ("i0 + $o", {"o": 1}, "index d0 [+] o of axis 0 .* or sizes for which -o >= 0\nnote: .*o = 1"),
        ("i0 - $o", {"o": 1}, "index d0 - o of axis 0 is not proven inside 0 <= index < s0; give a fill value\n"),
        ("i0 + 1", {}, r"index d0 [+] 1 of axis 0 is not proven inside 0 <= index < s0; give a fill value\n"),
    ],
)
def test_conditions_that_a_call_does_not_fulfil(index, params, message):
    call = partial(sw.jit(reindexed("dA0", index)), X)
    with pytest.raises(sw.ShapeError, match=message):
        call(**params)
