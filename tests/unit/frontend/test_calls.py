"""Calls of jitted functions: keywords and defaults as positions, Python numbers that vary, tensors of torch."""

import numpy as np
import pytest
import stepwell as sw

X, Y = np.arange(4, dtype=np.float32), np.ones(4, np.float32)


def test_keywords_are_positions():
    @sw.jit
    def model(x, y, scale=2.0, *, shift=0.0):
        return x * scale - y + shift

    for _ in range(20):
        expected = X * 2 - Y
        for found in (model(X, Y), model(X, y=Y), model(y=Y, x=X), model(X, Y, scale=2.0), model(scale=2.0, y=Y, x=X)):
            np.testing.assert_array_equal(found, expected)
    assert model.stats().compiles == 2  # without the scale, and with it
    np.testing.assert_array_equal(model(X, Y, shift=1.0), X * 2 - Y + 1)
    for wrong, message in (
        (lambda: model(X, z=Y), "unexpected keyword argument 'z'|missing"),
        (lambda: model(X, Y, y=Y), "multiple values for argument 'y'"),
        (lambda: model(y=Y), "missing 1 required positional argument: 'x'"),
    ):
        with pytest.raises(TypeError, match=message):
            wrong()


def test_keywords_of_methods_and_of_functions_of_any_arguments():
    class Model:
        @sw.jit
        def forward(self, x, y=1.0):
            return x + y

    np.testing.assert_array_equal(Model().forward(y=2.0, x=X), X + 2)
    np.testing.assert_array_equal(sw.jit(lambda *xs, y: xs[0] + y)(X, y=Y), X + Y)
    np.testing.assert_array_equal(sw.jit(lambda x, /, y: x - y)(X, y=Y), X - Y)


def test_a_number_that_varies_becomes_an_argument():
    model = sw.jit(lambda w, g, rate: w - rate * g)
    for k in range(1, 9):
        found = model(X, Y, 0.1 / k)
        assert found.dtype == np.float32
        np.testing.assert_array_equal(found, X - np.float32(0.1 / k) * Y)
    assert model.stats().compiles == 2


def test_numbers_that_vary_keep_their_dtypes():
    def model(x, value):
        return value, sw.sqrt(value), sw.full((2,), value), x * value, x.astype("float64") * value, x > value

    compiled = sw.jit(model)
    first = [np.asarray(each).dtype for each in compiled(X, 0.5)]
    for value in (0.1, 2.0):
        found = compiled(X, value)
        assert [np.asarray(each).dtype for each in found] == first
        np.testing.assert_array_equal(found[4], X.astype(np.float64) * value)
    assert compiled.stats().compiles == 2


def test_integers_vary_too_and_stay_constants_where_they_have_to():
    bias = sw.jit(lambda x, step: x * (1 - 0.9**step))
    for step in range(1, 5):
        np.testing.assert_allclose(bias(X, step), X * (1 - 0.9**step), rtol=1e-6)
    assert bias.stats().compiles == 2
    head = sw.jit(lambda x, count, scale: x[:count] * scale)
    for count, scale in ((1, 2.0), (2, 2.0), (3, 2.0), (3, 4.0), (3, 5.0)):
        np.testing.assert_array_equal(head(X, count, scale), X[:count] * scale)
    assert head.stats().compiles == 4
    branch = sw.jit(lambda x, value: x if value > 0.5 else -x)
    for value in (0.1, 0.7, 0.3):
        np.testing.assert_array_equal(branch(X, value), X if value > 0.5 else -X)


def test_errors_of_functions_with_varying_numbers_are_those_of_the_numbers():
    model = sw.jit(lambda x, axis: sw.sum(x, axis=axis))
    model(X, 0)
    with pytest.raises(sw.ShapeError, match="axis 3 is out of range for 1 axes"):
        model(X, 3)


def test_repeated_calls_on_tensors_of_torch_share_the_memory():
    torch = pytest.importorskip("torch")
    model = sw.jit(lambda x, y: {"sum": x + y, "both": (x, [y * 2])})
    x, y = torch.arange(4.0), torch.ones(4)
    for _ in range(24):
        found = model(x, y)
        assert type(found["sum"]) is torch.Tensor and type(found["both"][1]) is list
        torch.testing.assert_close(found["sum"], x + y)
        torch.testing.assert_close(found["both"][1][0], y * 2)
    assert model.stats() == (1, 23)
    torch.testing.assert_close(model(x.t(), torch.ones(1))["sum"], x + 1)
    half = sw.jit(lambda x: x + x)
    for _ in range(20):
        torch.testing.assert_close(half(x.bfloat16()), x.bfloat16() * 2)
    x.requires_grad_()
    torch.testing.assert_close(torch.autograd.grad(model(x, y)["sum"].sum(), x)[0], torch.ones(4))
