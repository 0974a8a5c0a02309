"""`sw.linalg`: linear algebra on matrices in the last two axes, computed by LAPACK through NumPy, with gradients.

Names and results are those of `numpy.linalg`. Arguments are arrays, traced and lazy tensors; axes before the last two are
batches, which are equal in all arguments. Results have the dtype of the arguments, float64 for integers. Singular matrices
raise `numpy.linalg.LinAlgError` when the program runs.
"""

from __future__ import annotations

import numpy as np

from .. import functions as sw
from ..tracing.tensor import Tensor, cast
from .host_operations import host_operation, with_gradient


def _t(x: Tensor) -> Tensor:
    return sw.matrix_transpose(x)


def _product(first: Tensor, *others: Tensor) -> Tensor:
    for each in others:
        first = sw.matmul(first, each)
    return first


def _eye(like: Tensor, axis: int = -1) -> Tensor:
    return cast(sw.eye(like.shape[axis]), like.dtype)


def _scaled(by: Tensor, x: Tensor) -> Tensor:
    """Each matrix of x times its number."""
    return sw.reshape(by, (*by.shape, 1, 1)) * x


_solve = host_operation("linalg.solve", "A[~ n n] B[~ n k] -> [~ n k]", np.linalg.solve)
_inv = host_operation("linalg.inv", "A[~ n n] -> [~ n n]", np.linalg.inv)
_det = host_operation("linalg.det", "A[~ n n] -> [~]", np.linalg.det)
_slogdet = host_operation("linalg.slogdet", "A[~ n n] -> [~] [~]", lambda a: tuple(np.linalg.slogdet(a)))
_cholesky = host_operation("linalg.cholesky", "A[~ n n] -> [~ n n]", np.linalg.cholesky)
_qr = host_operation("linalg.qr", "A[~ m n] -> [~ m k] [~ k n] where k = min(m, n)", lambda a: tuple(np.linalg.qr(a)))
_eigh = host_operation("linalg.eigh", "A[~ n n] -> [~ n] [~ n n]", lambda a: tuple(np.linalg.eigh(a)))
_svd = host_operation(
    "linalg.svd",
    "A[~ m n] -> [~ m k] [~ k] [~ k n] where k = min(m, n)",
    lambda a: tuple(np.linalg.svd(a, full_matrices=False)),
)
_pinv = host_operation("linalg.pinv", "A[~ m n] -> [~ n m]", np.linalg.pinv)


def _solve_backward(g: Tensor, a: Tensor, b: Tensor) -> tuple[Tensor, Tensor]:
    of_b = _solve(_t(a), g)
    return -sw.matmul(of_b, _t(_solve(a, b))), of_b


def _inv_backward(g: Tensor, a: Tensor) -> Tensor:
    found = _t(_inv(a))
    return -_product(found, g, found)


def _det_backward(g: Tensor, a: Tensor) -> Tensor:
    return _scaled(g * _det(a), _t(_inv(a)))


def _slogdet_backward(gs: tuple[Tensor, Tensor], a: Tensor) -> Tensor:
    return _scaled(gs[1], _t(_inv(a)))


def _halved(x: Tensor) -> Tensor:
    """The lower triangle, with half of the diagonal."""
    return sw.tril(x) - 0.5 * x * _eye(x)


def _cholesky_backward(g: Tensor, a: Tensor) -> Tensor:
    """Murray, "Differentiation of the Cholesky decomposition", 2016."""
    lower = _cholesky(a)
    inner = _halved(sw.matmul(_t(lower), sw.tril(g)))
    half = _solve(_t(lower), _t(_solve(_t(lower), _t(inner))))
    return 0.5 * (half + _t(half))


def _qr_backward(gs: tuple[Tensor, Tensor], a: Tensor) -> Tensor:
    """Walter and Lehmann, "Algorithmic Differentiation of Linear Algebra Functions", 2012: for no more columns than rows."""
    of_q, of_r = gs
    q, r = _qr(a)
    inner = sw.matmul(r, _t(sw.triu(of_r))) - sw.matmul(_t(of_q), q)
    symmetric = sw.tril(inner) + _t(sw.tril(inner, k=-1))
    return _t(_solve(r, _t(of_q + sw.matmul(q, symmetric))))


def _inverse_differences(values: Tensor) -> Tensor:
    """1 / (v[j] - v[i]) at (i, j), 0 on the diagonal. Equal values have no gradient, and give infinities."""
    differences = sw.expand_dims(values, -2) - sw.expand_dims(values, -1)
    eye = cast(sw.eye(values.shape[-1]), values.dtype)
    return (1 - eye) / (differences + eye)


def _eigh_backward(gs: tuple[Tensor, Tensor], a: Tensor) -> Tensor:
    of_values, of_vectors = gs
    values, vectors = _eigh(a)
    inner = _inverse_differences(values) * sw.matmul(_t(vectors), of_vectors)
    inner = inner + sw.expand_dims(of_values, -1) * _eye(inner)
    found = _product(vectors, inner, _t(vectors))
    return 0.5 * (found + _t(found))


def _svd_backward(gs: tuple[Tensor, Tensor, Tensor], a: Tensor) -> Tensor:
    """Townsend, "Differentiating the Singular Value Decomposition", 2016."""
    of_u, of_s, of_vh = gs
    u, s, vh = _svd(a)
    of_v, v = _t(of_vh), _t(vh)
    row, column = sw.expand_dims(s, -2), sw.expand_dims(s, -1)
    inverses = _inverse_differences(s * s)
    inner_u, inner_v = sw.matmul(_t(u), of_u), sw.matmul(_t(v), of_v)
    core = inverses * (inner_u - _t(inner_u)) * row + column * (inverses * (inner_v - _t(inner_v)))
    core = core + sw.expand_dims(of_s, -1) * _eye(core)
    found = _product(u, core, vh)
    found = found + sw.matmul((of_u - sw.matmul(u, inner_u)) / row, vh)
    return found + sw.matmul(u / row, _t(of_v - sw.matmul(v, inner_v)))


def _pinv_backward(g: Tensor, a: Tensor) -> Tensor:
    """Golub and Pereyra, "The Differentiation of Pseudo-Inverses", 1973: for matrices of constant rank."""
    p = _pinv(a)
    left, right = _eye(a, -2) - sw.matmul(a, p), _eye(a) - sw.matmul(p, a)
    found = -_product(_t(p), g, _t(p))
    return found + _product(left, _t(g), p, _t(p)) + _product(_t(p), p, _t(g), right)


solve = with_gradient(_solve, _solve_backward, "The solution X of A X = B, for matrices B in the last two axes.")
inv = with_gradient(_inv, _inv_backward, "The inverse.")
det = with_gradient(_det, _det_backward, "The determinant. Its gradient is that of regular matrices.")
slogdet = with_gradient(_slogdet, _slogdet_backward, "The sign of the determinant, and the logarithm of its magnitude.")
cholesky = with_gradient(_cholesky, _cholesky_backward, "The lower triangular factor L of a positive definite A = L L^T.")
qr = with_gradient(
    _qr,
    _qr_backward,
    "Q with orthonormal columns and upper triangular R with A = Q R. The gradient is for at least as many rows as columns.",
)
eigh = with_gradient(
    _eigh,
    _eigh_backward,
    "The eigenvalues of a symmetric matrix in ascending order, and its eigenvectors as columns; the lower triangle is read.",
)
svd = with_gradient(
    _svd, _svd_backward, "U, s and V^T with A = U diag(s) V^T, of the smaller size: NumPy's with full_matrices=False."
)
pinv = with_gradient(_pinv, _pinv_backward, "The pseudo-inverse.")
