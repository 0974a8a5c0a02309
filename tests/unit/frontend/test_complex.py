"""Complex tensors, which are pairs of real parts, behave as NumPy's complex arrays."""

import copy
from typing import SupportsIndex

import numpy as np
import pytest
import stepwell as sw
from stepwell.frontend.tracing.complex_tensors import part_dtype

RNG = np.random.default_rng(0)


def numbers(*shape):
    return RNG.standard_normal(shape) + 1j * RNG.standard_normal(shape)


A, B, R = numbers(3, 4), numbers(3, 4), RNG.standard_normal((3, 4))
WAVES = np.exp(1j * np.arange(4))

# Functions of a library, two complex arrays and a real one.
CASES = {
    "sums": lambda n, a, b, r: a + b - r + (1 - a) + (r - b) + 2j,
    "products": lambda n, a, b, r: a * b * r * 1j + r * WAVES + WAVES * a,
    "quotients": lambda n, a, b, r: a / b + (1 + 2j) / a + r / b + a / r,
    "powers": lambda n, a, b, r: a**3 + a**-2 + a**0.5 + a**0,
    "powers of complex exponents": lambda n, a, b, r: a**b,
    "magnitudes": lambda n, a, b, r: abs(a) + n.abs(b),
    "angles": lambda n, a, b, r: n.angle(a) + n.angle(r),
    "conjugates": lambda n, a, b, r: n.conj(a) * b.conj() * n.conj(r),
    "parts": lambda n, a, b, r: a.real + n.imag(b) + n.real(r) + n.imag(r),
    "exponentials": lambda n, a, b, r: n.exp(a) + n.log(b) + n.sqrt(a),
    "sines": lambda n, a, b, r: n.sin(a) + n.cos(b) + n.sinh(a) + n.cosh(b) + n.tanh(a),
    "squares": lambda n, a, b, r: n.square(a) + n.reciprocal(b) + n.sign(a),
    "reductions": lambda n, a, b, r: a.sum(axis=0) + n.mean(b, axis=0) + n.cumsum(a, axis=1)[0],
    "matrices": lambda n, a, b, r: a @ b.T + r @ b.T + a @ r.T,
    "einsum": lambda n, a, b, r: n.einsum("ij,kj->ik", a, b) + n.outer(a[0, :3], b[1, :3]) + n.tensordot(a, b.T, axes=1),
    "inner products": lambda n, a, b, r: n.vecdot(a, b) if hasattr(n, "vecdot") else (a.conj() * b).sum(-1),
    "indices": lambda n, a, b, r: a[1:, ::2] * b[0, :2] + a[[0, 1], 1:3],
    "shapes": lambda n, a, b, r: n.stack([a.reshape(4, 3).T, r])[0] + n.concatenate([a, r], axis=0)[2:5] + a.swapaxes(0, 1).T,
    "choices": lambda n, a, b, r: n.where(r > 0, a, b) + n.where(r > 0, a, 1.0),
    "comparisons": lambda n, a, b, r: (a == b) | (a != n.conj(n.conj(a))) | n.isfinite(a) | n.isnan(b) | n.isinf(b),
    "negative": lambda n, a, b, r: -a + +b,
}


@pytest.mark.covering(1)
@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
@pytest.mark.parametrize("name", CASES)
def test_functions_are_those_of_numpy(name, dtype):
    case, real = CASES[name], "float32" if dtype == "complex64" else "float64"
    a, b, r = A.astype(dtype), B.astype(dtype), R.astype(real)
    with np.errstate(all="ignore"):
        expected = case(np, a, b, r)
    function = sw.jit(lambda *given: case(sw, *given), target="interpret")
    for _ in range(2):
        found = function(a, b, r)
    np.testing.assert_allclose(found, expected, rtol=2e-3 if dtype == "complex64" else 1e-9, atol=1e-5)
    # WAVES is complex128. Python's scalars are weak in NumPy, as in Stepwell.
    assert found.dtype == expected.dtype
    assert function.stats() == (1, 1)


def test_results_of_c_code_and_calls_of_other_sizes():
    function = sw.jit(lambda a, b: {"product": (a * b).sum(), "pair": (a, sw.complex(a.real, 0))})
    for size in (12, 31):
        a, b = numbers(size), numbers(size)
        found = function(a, b)
        np.testing.assert_allclose(found["product"], (a * b).sum())
        np.testing.assert_array_equal(found["pair"], [a, a.real])
    assert function.stats() == (1, 1)


def test_lowered_functions_take_complex_arrays():
    low = sw.lower(lambda z: (z * z, sw.abs(z)), A)
    square, size = low(B)
    np.testing.assert_allclose(square, B * B)
    np.testing.assert_allclose(size, abs(B))
    assert "%z_real" in low.ir("graph")


def test_numbers_without_axes():
    found = sw.jit(lambda a: (a * 2, abs(a)))(np.array(3 + 4j))
    assert found[0].shape == found[1].shape == () and found[0] == 6 + 8j and found[1] == 5


def test_extreme_quotients_and_roots():
    top = np.array([1e300 + 1e300j, 1 + 1j, 0j, -4 + 0j, -4 - 0.0j])
    below = np.array([2e300 + 1e300j, 1e-300 + 1e-300j, 1 + 1j, 2j, 1 - 1e-9j])
    found, root = sw.jit(lambda x, y: (x / y, sw.sqrt(x)))(top, below)
    np.testing.assert_allclose(found, top / below, rtol=1e-12)
    np.testing.assert_allclose(root[1:], np.sqrt(top[1:]), rtol=1e-12)


def test_gradients_are_pairs_of_derivatives_by_the_parts():
    found = sw.grad(lambda z: sw.sum(sw.abs(z) ** 2))(A)
    np.testing.assert_allclose(found, 2 * A)
    found = sw.jit(sw.grad(lambda p, x: sw.sum(sw.abs(p["w"] * x - 1) ** 2)))({"w": A}, R)
    np.testing.assert_allclose(found["w"], 2 * (A * R - 1) * R)


def test_functions_of_functions_take_complex_tensors():
    last, before = sw.jit(lambda z: sw.scan(lambda c, x: (c * x, c), z[0], z))(A)
    np.testing.assert_allclose(last, A[0] * A.prod(0))
    np.testing.assert_allclose(before[1], A[0] * A[0])
    np.testing.assert_allclose(sw.jit(sw.vmap(lambda a, b: (a * b).sum()))(A, B), (A * B).sum(1))


def test_outside_of_compiled_functions():
    z = sw.exp(A) * 2 + sw.Tensor(R)
    assert isinstance(z, type(sw.asarray(A))) and z.shape == (3, 4) and z.dtype == "complex128"
    np.testing.assert_allclose(z, np.exp(A) * 2 + R)
    np.testing.assert_allclose(sw.abs(z[0]), np.abs(np.exp(A) * 2 + R)[0])


def test_transforms():
    function = sw.jit(lambda x, f: sw.fft.irfft(sw.complex(*sw.fft.rfft(x)) * f, n=8))
    x, f = RNG.standard_normal((2, 8)), numbers(5)
    np.testing.assert_allclose(function(x, f), np.fft.irfft(np.fft.rfft(x) * f, 8), atol=1e-12)
    np.testing.assert_allclose(sw.jit(lambda z: sw.fft.ifft(sw.fft.fft(z) * 2))(A), 2 * A)
    np.testing.assert_allclose(sw.fft.fft(R), np.fft.fft(R))


def test_tensors_of_torch():
    torch = pytest.importorskip("torch")
    a, b = (torch.from_numpy(each).requires_grad_() for each in (A, B))
    found = sw.jit(lambda a, b: a * b)(a, b)
    torch.testing.assert_close(found, a * b)
    found.abs().sum().backward()
    expected = torch.autograd.grad((a * b).abs().sum(), (a, b))
    torch.testing.assert_close((a.grad, b.grad), expected)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: sw.jit(sw.sort)(A), sw.CompileError, r"sort takes no complex tensors: call it on sw.real\(x\)"),
        (lambda: sw.jit(lambda z: z.astype("float32"))(A), sw.CompileError, "expected a complex dtype .*, got float32"),
        (lambda: sw.jit(lambda z: z)(A.astype("clongdouble")), TypeError, "argument 'z': unsupported dtype .*complex64"),
        (lambda: sw.jit(lambda x, z: z, donate_argnums=1)(R, A), TypeError, "argument 'z': complex arrays cannot be donated"),
        (lambda: sw.grad(lambda z: z.sum())(A), sw.CompileError, "returns one float, got a complex tensor"),
        (lambda: sw.complex(A, 1), sw.CompileError, "complex: expected real parts"),
    ],
)
def test_what_has_no_complex_form_is_an_error(call, error, message):
    with pytest.raises(error, match=message):
        call()


def test_edges_are_numpys():
    z = np.array([0, 1 + 2j, -3j, complex(np.inf, 0)])
    np.testing.assert_array_equal(sw.jit(lambda z: sw.pad(z, 1, 5.0))(z[:2]), np.pad(z[:2], 1, constant_values=5))
    np.testing.assert_array_equal(
        sw.jit(lambda x: sw.pad(x, 1, 1j))(np.ones(2)), np.pad(np.ones(2, complex), 1, constant_values=1j)
    )
    np.testing.assert_array_equal(sw.jit(lambda z: (z**0.0)[:3])(z), np.ones(3))
    np.testing.assert_array_equal(sw.jit(lambda z: (z**2.0)[:3])(z), z[:3] ** 2)
    powers = sw.jit(lambda z, y: z**y)(z[:3], np.array([0.0, 2, 0.5]))
    np.testing.assert_allclose(powers, z[:3] ** np.array([0.0, 2, 0.5]), rtol=1e-12)
    np.testing.assert_array_equal(sw.jit(lambda z: 1 / z[1:])(z), [0.2 - 0.4j, 1j / 3, 0])
    np.testing.assert_array_equal(sw.jit(lambda z: sw.exp(z[3:]))(z), [complex(np.inf, 0)])
    roots = sw.jit(sw.sqrt)(np.array([3e38 + 1e38j, -4], "complex64"))
    np.testing.assert_allclose(roots, np.sqrt(np.array([3e38 + 1e38j, -4], "complex64")), rtol=1e-6)
    assert sw.jit(lambda z: 2**z)(z[:2].astype("complex64")).dtype == "complex64"


def test_gradients_on_the_axes():
    by_angle = sw.grad(lambda a, b: sw.sum(sw.imag(sw.exp(sw.complex(a, b)))), argnums=1)
    np.testing.assert_allclose(by_angle(np.array(1.0), np.array(0.0)), np.e)
    by_imag = sw.grad(lambda a, b: sw.sum(sw.real(sw.sqrt(sw.complex(a, b)))), argnums=1)
    np.testing.assert_allclose(by_imag(np.array(-1.0), np.array(0.0)), 0.5)


@pytest.mark.parametrize("function", [lambda z: z < 1, lambda z: z % 2, lambda z: z & z, lambda z: z.std(), sw.sort])
def test_what_complex_numbers_have_not_is_an_error_that_names_it(function):
    with pytest.raises(sw.ShapeError, match="takes no complex tensors: call it on"):
        sw.jit(function)(np.ones((2, 2), "complex64"))


def test_conditions_and_unknown_methods():
    with pytest.raises(sw.ShapeError, match="where: expected a condition of bool, got a complex tensor"):
        sw.jit(lambda z: sw.where(z, z, 0))(np.ones(2, complex))
    with pytest.raises(AttributeError, match="complex tensors have no 'nosuch'"):
        sw.jit(lambda z: z.nosuch)(np.ones(2, complex))


def test_signs_and_reciprocals_of_infinities():
    z = np.array([complex(np.inf, 0), complex(-2, -np.inf), 3 - 4j, 0])
    found = sw.jit(lambda z: (sw.sign(z), sw.reciprocal(z[:3])))(z)
    np.testing.assert_array_equal(found[0], [1, -1j, 0.6 - 0.8j, 0])
    np.testing.assert_array_equal(found[1], [0, 0, 0.12 + 0.16j])


def test_specs_of_complex_arguments():
    real = sw.Spec(("n", 3), "float64", weak=True)
    assert copy.deepcopy(real) == real
    low = sw.lower(lambda z, x: z * x, sw.Spec(("n", 3), "complex64"), sw.Spec(("n", 3)))
    z, x = A[:, :3].astype("complex64"), R[:, :3].astype("float32")
    np.testing.assert_allclose(low(z, x), z * x, rtol=1e-6)


def test_numpys_functions_compute_lazy_tensors():
    np.testing.assert_allclose(np.exp(sw.asarray(A)), np.exp(A))
    np.testing.assert_allclose(np.abs(sw.Tensor(R) * 1j), abs(R))
    assert complex(sw.complex(1.0, 2.0)) == 1 + 2j == sw.complex(1.0, 2.0).item()
    assert isinstance(np.float64(2) * sw.asarray(A), type(sw.asarray(A)))


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: sw.Tensor(A), TypeError, "unsupported dtype 'complex128': sw.asarray makes a complex tensor"),
        (lambda: sw.jit(lambda z: z if z[0, 0] else -z)(A), sw.ShapeError, "the value of a traced tensor is not known"),
        (lambda: sw.jit(np.exp)(A), sw.ShapeError, "use stepwell's functions instead of NumPy's"),
        (lambda: sw.jit(lambda z: float(z[0, 0]))(A), TypeError, "a complex tensor is no real number: take z.real"),
        (lambda: sw.linalg.solve(A[:, :3], A), sw.ShapeError, "'linalg.solve': argument 0: expected a real array, got a compl"),
        (lambda: sw.jit(sw.linalg.inv)(A[:, :3]), sw.ShapeError, "'linalg.inv': argument 0: expected a real array"),
        (lambda: sw.fft.rfft(A), sw.ShapeError, "'fft.rfft': argument 0: expected a real array, got a complex"),
        (lambda: sw.fft.fft(np.zeros((2, 0))), sw.ShapeError, "fft.fft: expected at least one element along the last axis"),
        (lambda: sw.vjp(lambda z: z * 2, A)[1](R), sw.ShapeError, r"nested as Complex\(\*, \*\), got \*, where \* is a real"),
        (lambda: sw.save("unwritten", {"z": A}), TypeError, "z: unsupported dtype 'complex128': save the parts"),
    ],
)
def test_wrong_use_names_the_function_and_what_it_expects(call, error, message):
    with pytest.raises(error, match=message):
        call()


@pytest.mark.parametrize("n", [1, 2, 6, 7, 12, 13, 20, None])
def test_inverse_transforms_of_other_lengths(n):
    rng = np.random.default_rng(0)
    z = rng.standard_normal((3, 7)) + 1j * rng.standard_normal((3, 7))
    for static in (False, True):
        found = sw.jit(lambda z: sw.fft.irfft(z, n=n), static=static)(z)
        np.testing.assert_allclose(found, np.fft.irfft(z, n), atol=1e-12)


def test_a_complex_tensor_is_no_integer():
    """Code tests the type of a value to find out whether it is a size or an axis."""
    assert not isinstance(sw.asarray(A), SupportsIndex)
    with pytest.raises(TypeError, match="cannot be interpreted as an integer"):
        range(sw.asarray(A)[0, 0])


@pytest.mark.parametrize(
    ("dtype", "part"),
    [
        *(("complex64", "float32"), (np.complex64, "float32"), (np.dtype("complex64"), "float32"), (complex, "float64")),
        *(("torch.complex128", "float64"), ("float32", None), (np.float64, None), (int, None)),
    ],
)
def test_the_dtype_of_parts(dtype, part):
    assert part_dtype(dtype) == part
