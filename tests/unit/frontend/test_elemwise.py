"""Elementwise functions with modes, against NumPy."""

import numpy as np
import pytest
import stepwell as sw

from tests.fuzz_languages import check_orders

X = np.arange(24, dtype=np.float64).reshape(2, 3, 4)
Y = np.arange(6, dtype=np.float64).reshape(2, 3) + 1


def run(fn, *xs, **options):
    return sw.jit(lambda *values: sw.elemwise(fn, *values, **options), target="interpret")(*xs)


@pytest.mark.feature("B1")
def test_order_c_equals_the_transpose_of_order_f_on_transposed_inputs():
    found = run(sw.subtract, X, Y, order="c")
    np.testing.assert_array_equal(found, X - Y[:, :, None])
    np.testing.assert_array_equal(found, run(sw.subtract, X.T, Y.T).T)


@pytest.mark.feature("B1")
@pytest.mark.parametrize("seed", range(40))
def test_orders_on_random_ranks(seed):
    check_orders(seed)


@pytest.mark.feature("B2")
@pytest.mark.parametrize(("accumulator", "reduce"), [("add", np.sum), ("mul", np.prod), ("max", np.max), ("min", np.min)])
def test_accumulate_reduces_inputs_of_greater_rank_before_the_function(accumulator, reduce):
    mode = ("accumulate", accumulator)
    np.testing.assert_allclose(run(sw.subtract, X, Y, order="c", modes=[mode]), reduce(X, axis=2) - Y)
    np.testing.assert_allclose(run(sw.subtract, X, Y[0, 0], order="f", modes=[mode]), reduce(X) - Y[0, 0])


@pytest.mark.feature("B4")
def test_the_order_is_independent_of_storage():
    expected = run(sw.subtract, X, Y, order="c")
    for x in (X, np.asfortranarray(X)):
        for y in (Y, np.asfortranarray(Y)):
            np.testing.assert_array_equal(run(sw.subtract, x, y, order="c"), expected)


@pytest.mark.feature("B5")
def test_outputs_have_modes_of_their_own():
    wide, narrow = run(lambda x, y: (x + y, x * y), X, Y, order="c", modes=["broadcast", ("accumulate", "add")])
    np.testing.assert_allclose(wide, X + Y[:, :, None])
    np.testing.assert_allclose(narrow, X.sum(2) * Y)


@pytest.mark.feature("B3")
@pytest.mark.parametrize("order", ["f", "c"])
@pytest.mark.parametrize("accumulator", ["add", "max", "mul"])
def test_outputs_of_different_modes_share_one_nest(order, accumulator):
    """Each element of the greater input is read once: for the output of its rank, and for the accumulator of the other."""

    def both(x, y):
        return sw.elemwise(lambda a, b: (a * b, a + b), x, y, order=order, modes=["broadcast", ("accumulate", accumulator)])

    low = sw.lower(both, sw.Spec(("n", "m")), sw.Spec("m" if order == "f" else "n"))
    assert low.structure() == (1, 0, (), ())
    x, y = np.linspace(0.5, 1.5, 70 * 33, dtype=np.float32).reshape(70, 33), np.ones(33 if order == "f" else 70, np.float32)
    for found, expected in zip(low(x, y), sw.jit(both, target="interpret")(x, y), strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-5)


@pytest.mark.feature("B3")
def test_reductions_over_several_first_axes_share_the_nest():
    def both(x, y):
        return sw.elemwise(lambda a, b: (a * b, a - b), x, y, modes=["broadcast", ("accumulate", "add")])

    low = sw.lower(both, sw.Spec(("k", "n", "m")), sw.Spec("m"))
    assert low.structure() == (1, 0, (), ())
    x, y = np.linspace(0, 1, 5 * 70 * 33, dtype=np.float32).reshape(5, 70, 33), np.ones(33, np.float32)
    for found, expected in zip(low(x, y), (x, x.sum((0, 1)) - 1), strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-5)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"order": "a"}, "expected the order 'c' or 'f', got 'a'"),
        ({"modes": ["sum"]}, "expected the mode 'broadcast' or .*got 'sum'"),
        ({"modes": ["broadcast", "broadcast"]}, "got 1 outputs and 2 modes"),
    ],
)
def test_wrong_options_are_rejected(options, message):
    with pytest.raises(sw.ShapeError, match=message):
        run(sw.add, X, X, **options)
