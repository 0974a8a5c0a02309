"""Linear algebra and Fourier transforms: values equal NumPy's, gradients equal differences."""

import numpy as np
import pytest
import stepwell as sw

RNG = np.random.default_rng(0)
SQUARE = RNG.standard_normal((3, 4, 4))
POSITIVE = SQUARE @ SQUARE.transpose(0, 2, 1) + 4 * np.eye(4)
RIGHT = RNG.standard_normal((3, 4, 2))
TALL, WIDE = RNG.standard_normal((3, 5, 3)), RNG.standard_normal((3, 3, 5))
ODD, EVEN, HALF = RNG.standard_normal((2, 7)), RNG.standard_normal((2, 8)), RNG.standard_normal((2, 5))
LA, FFT = sw.linalg, sw.fft


def number(*tensors):
    """A number that depends on each element in a different way."""
    return sum(sw.sum(x * sw.cos(sw.arange(x.shape[-1]) + 1.0) + x * x * x) for x in tensors)


# Functions that are smooth: signs of vectors are left open.
CASES = {
    "solve": (lambda a, b: number(LA.solve(a, b)), (POSITIVE, RIGHT)),
    "inv": (lambda a: number(LA.inv(a)), (POSITIVE,)),
    "det": (lambda a: number(LA.det(a)), (SQUARE,)),
    "slogdet": (lambda a: number(LA.slogdet(a)[1]), (SQUARE,)),
    "cholesky": (lambda a: number(LA.cholesky(a)), (POSITIVE,)),
    "qr": (lambda a: number(*LA.qr(a)), (TALL,)),
    "eigh": (lambda a: number(LA.eigh(a)[0], LA.eigh(a)[1] ** 2), (POSITIVE,)),
    "svd of tall": (lambda a: number(LA.svd(a)[1], LA.svd(a)[0] ** 2, LA.svd(a)[2] ** 2), (TALL,)),
    "svd of wide": (lambda a: number(LA.svd(a)[1], LA.svd(a)[0] ** 2, LA.svd(a)[2] ** 2), (WIDE,)),
    "pinv of tall": (lambda a: number(LA.pinv(a)), (TALL,)),
    "pinv of wide": (lambda a: number(LA.pinv(a)), (WIDE,)),
    "fft": (lambda a, b: number(*FFT.fft(a, b)), (ODD, ODD * 2)),
    "ifft": (lambda a, b: number(*FFT.ifft(a, b)), (EVEN, EVEN * 2)),
    "rfft, odd": (lambda a: number(*FFT.rfft(a)), (ODD,)),
    "rfft, even": (lambda a: number(*FFT.rfft(a)), (EVEN,)),
    "irfft, even": (lambda a, b: number(FFT.irfft(a, b, n=8)), (HALF, HALF * 2)),
    "irfft, odd": (lambda a, b: number(FFT.irfft(a, b, n=9)), (HALF, HALF * 2)),
}


@pytest.mark.parametrize("name", CASES)
def test_gradients_are_differences(name):
    function, arguments = CASES[name]
    value, gradient = sw.jit(function, target="interpret"), sw.grad(function, argnums=tuple(range(len(arguments))))
    found = sw.jit(gradient, target="interpret")(*arguments)
    for position, own in enumerate(found):
        step = RNG.standard_normal(own.shape)
        if name in ("cholesky", "eigh"):
            step = step + step.swapaxes(-1, -2)
        ahead, behind = (
            float(value(*(x + h * step if k == position else x for k, x in enumerate(arguments)))) for h in (1e-6, -1e-6)
        )
        assert (own * step).sum() == pytest.approx((ahead - behind) / 2e-6, rel=1e-4, abs=1e-5)


@pytest.mark.parametrize("target", ["cpu", "interpret"])
def test_values_are_those_of_numpy(target):
    def function(a, b):
        return LA.solve(a, b * 2) + 1, LA.det(a), LA.svd(b), FFT.rfft(b)

    solved, det, (u, s, vh), (re, im) = sw.jit(function, target=target)(POSITIVE, RIGHT)
    np.testing.assert_allclose(solved, np.linalg.solve(POSITIVE, RIGHT * 2) + 1)
    np.testing.assert_allclose(det, np.linalg.det(POSITIVE))
    np.testing.assert_allclose(u * s[..., None, :] @ vh, RIGHT)
    np.testing.assert_allclose(re + 1j * im, np.fft.rfft(RIGHT), atol=1e-12)


@pytest.mark.parametrize(("given", "expected"), [("float32", "float32"), ("float16", "float16"), ("int64", "float64")])
def test_results_have_the_dtype_of_floats(given, expected):
    found = LA.inv((2 * np.eye(3)).astype(given))
    assert found.dtype == expected
    np.testing.assert_array_equal(found, np.eye(3) / 2)


@pytest.mark.parametrize("target", ["cpu", "interpret"])
def test_a_number_that_a_library_computes_has_no_axes(target):
    assert sw.jit(LA.det, target=target)(2 * np.eye(3)).shape == ()


def test_singular_matrices_are_an_error_of_the_call_that_names_its_line():
    with pytest.raises(np.linalg.LinAlgError, match="Singular matrix") as caught:
        sw.jit(lambda a: LA.inv(a * 0))(SQUARE)
    assert "test_libraries.py" in caught.value.__notes__[0]


def test_matrices_that_are_not_square_are_an_error():
    with pytest.raises(sw.ShapeError, match=r"'linalg.det': the shapes do not fit the rule"):
        LA.det(TALL)


def test_a_derivative_of_a_derivative_is_an_error():
    first = sw.grad(lambda a: sw.sum(LA.inv(a)))
    with pytest.raises(sw.CompileError, match=r"linalg\.inv"):
        sw.grad(lambda a: sw.sum(first(a)))(POSITIVE)
