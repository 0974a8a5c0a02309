"""Reductions and scans by functions of users, against NumPy; their gradients against torch and differences."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import stepwell as sw
from stepwell.ir.diagnostics import ShapeError
from stepwell.tests.unit.on_gpu import TRITON

TARGETS = ("interpret", "cpu", TRITON)
RNG = np.random.default_rng(3)
WAYS = tuple(itertools.product((0, 1), (False, True), (False, True)))


def joined(a: Any, b: Any) -> Any:
    """An associative function with the identity 0: 1 + joined(a, b) is the product of 1 + a and 1 + b."""
    return a + b + a * b


def chained(a: Any, b: Any) -> Any:
    """One affine function after another one, which is not commutative."""
    return {"by": a["by"] * b["by"], "to": a["to"] * b["by"] + b["to"]}


def weighted(a: Any, b: Any) -> Any:
    """A sum of products, and the sum of the weights."""
    return a[0] + b[0] * b[1], a[1] + b[1]


AFFINE = {"by": 1, "to": 0}


def running(x: Any, axis: int, reverse: bool, exclusive: bool) -> Any:
    ordered = np.flip(x, axis) if reverse else x
    found = np.cumprod(1 + ordered, axis=axis) - 1
    if exclusive:
        shape = [1 if k == axis else size for k, size in enumerate(x.shape)]
        found = np.concatenate([np.zeros(shape), found], axis=axis).take(range(x.shape[axis]), axis=axis)
    return np.flip(found, axis) if reverse else found


@pytest.mark.parametrize("target", TARGETS)
def test_scans_by_a_function(target: str):
    @sw.jit(target=target)
    def scans(x: Any) -> Any:
        return [
            sw.associative_scan(joined, x, identity=0, axis=axis, reverse=reverse, exclusive=exclusive)
            for axis, reverse, exclusive in WAYS
        ]

    for shape in ((3, 5), (1, 1), (0, 4), (4, 0)):
        x = RNG.normal(size=shape)
        for found, way in zip(scans(x), WAYS, strict=True):
            np.testing.assert_allclose(found, running(x, *way), rtol=1e-12, atol=1e-12)


@pytest.mark.covering(1)
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("axis", [None, 0, -1, (0, 2), ()])
def test_reductions_by_a_function(axis: Any, target: str):
    x = RNG.normal(size=(3, 4, 5))
    function = sw.jit(lambda x: sw.reduce(joined, x, identity=0, axis=axis, keepdims=True), target=target)
    np.testing.assert_allclose(function(x), np.prod(1 + x, axis=axis, keepdims=True) - 1, rtol=1e-12)


def test_reductions_of_nothing_and_of_one_are_the_identity_and_the_element():
    function = sw.jit(lambda x: sw.reduce(joined, x, identity=0))
    assert function(np.zeros((2, 0))) == 0
    assert function(np.array(3.0)) == 3
    assert sw.grad(lambda x: sw.reduce(joined, x, identity=0))(np.zeros((2, 0))).shape == (2, 0)


def test_order_is_row_major_where_the_function_does_not_commute():
    digits = np.arange(1, 7).reshape(2, 3)
    spelled = sw.jit(lambda x, y: sw.reduce(lambda a, b: (a[0] * b[1] + b[0], a[1] * b[1]), (x, y), identity=(0, 1))[0])
    assert spelled(digits, np.full((2, 3), 10)) == 123456


@pytest.mark.parametrize("columns", [4, 40])
def test_folds_down_columns_are_rounded_as_they_are_written(columns: int):
    """A product that is added in the order of a fold is not fused with the addition."""
    u, v = RNG.normal(size=(2, 1000, columns))
    spelled = sw.jit(lambda u, v: sw.reduce(weighted, (u, v), identity=(0.0, 0.0), axis=0))
    expected = np.zeros((2, columns))
    for one, other in zip(u, v, strict=True):
        expected += one * other, other
    np.testing.assert_array_equal(spelled(u, v), expected)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "int8", "int64", "bool"])
def test_results_have_the_dtype_of_the_elements(dtype: str):
    combine = (lambda a, b: a ^ b) if dtype == "bool" else (lambda a, b: a + b)
    function = sw.jit(lambda x: sw.reduce(combine, sw.astype(x, dtype), identity=0))
    found = function(np.array([True, False, True]))
    assert str(found.dtype) == dtype
    assert float(found) == (0 if dtype == "bool" else 2)


def test_half_precision_is_carried_in_single():
    """2049 ones: a float16 would stop counting at 2048."""
    assert sw.jit(lambda x: sw.reduce(lambda a, b: a + b, x, identity=0))(np.ones(4098, "float16")) == 4098


def differences(function: Callable[[Any], float], x: Any, step: float = 1e-6) -> Any:
    found = np.empty_like(x)
    for at in np.ndindex(x.shape):
        moved = [x.copy(), x.copy()]
        moved[0][at] += step
        moved[1][at] -= step
        found[at] = (function(moved[0]) - function(moved[1])) / (2 * step)
    return found


@pytest.mark.covering(1)
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("zeros", [0, 1, 2])
def test_gradients_are_right_where_a_division_is_not(zeros: int, target: str):
    """Gradients of a product as a user writes it, where factors are zero."""
    x = RNG.uniform(0.5, 1.5, size=(2, 5))
    x[0, :zeros] = 0
    reduced = sw.jit(sw.grad(lambda x: sw.sum(sw.reduce(operator.mul, x, identity=1, axis=1))), target=target)
    wanted = [[np.prod(np.delete(row, k)) for k in range(5)] for row in x]
    np.testing.assert_allclose(reduced(x), wanted, rtol=1e-12)
    scanned = sw.jit(sw.grad(lambda x: sw.sum(sw.sin(sw.associative_scan(operator.mul, x, identity=1, axis=1)))), target=target)
    np.testing.assert_allclose(
        scanned(x), differences(lambda x: np.sum(np.sin(np.cumprod(x, axis=1))), x), rtol=1e-6, atol=1e-8
    )


@pytest.mark.parametrize("target", TARGETS)
def test_gradients_of_values_carried_together(target: str):
    torch = pytest.importorskip("torch")
    by, to = RNG.normal(size=(2, 3, 4))

    def last(by: Any, to: Any) -> Any:
        return sw.sum(sw.sin(sw.associative_scan(chained, {"by": by, "to": to}, identity=AFFINE, axis=1)["to"]))

    variables = [torch.tensor(each, requires_grad=True) for each in (by, to)]
    state, total = torch.zeros(3, dtype=torch.float64), torch.zeros((), dtype=torch.float64)
    for k in range(4):
        state = state * variables[0][:, k] + variables[1][:, k]
        total = total + torch.sin(state).sum()
    wanted = torch.autograd.grad(total, variables, create_graph=True)
    found = sw.jit(sw.grad(last, (0, 1)), target=target)(by, to)
    for each, want in zip(found, wanted, strict=True):
        np.testing.assert_allclose(each, want.detach(), rtol=1e-9, atol=1e-12)
    # Gradients of gradients, tangents and batches follow from the same rule.
    second = sw.jit(sw.grad(lambda by, to: sw.sum(sw.grad(last)(by, to) ** 2)), target=target)(by, to)
    (want,) = torch.autograd.grad((wanted[0] ** 2).sum(), variables[0])
    np.testing.assert_allclose(second, want, rtol=1e-9, atol=1e-11)
    _, tangent = sw.jit(lambda by, to: sw.jvp(last, (by, to), (to, by)), target=target)(by, to)
    np.testing.assert_allclose(tangent, np.sum(found[0] * to + found[1] * by), rtol=1e-9)
    rows = sw.jit(sw.vmap(sw.grad(lambda by, to: last(by[None], to[None]))), target=target)(by, to)
    np.testing.assert_allclose(rows, found[0], rtol=1e-9)


def test_a_derivative_that_is_given_is_the_one_that_is_used():
    def derivative(a: Any, b: Any, result: Any) -> Any:
        return 10 * (1 + b), 10 * (1 + a)

    x = RNG.normal(size=4)

    def given(x: Any) -> Any:
        return sw.reduce(joined, x, identity=0, derivative=derivative)

    # Each step back multiplies by 10, once for each later element.
    powers = 10.0 ** np.arange(4, 0, -1)
    np.testing.assert_allclose(sw.jit(sw.grad(given))(x), powers * np.prod(1 + x) / (1 + x), rtol=1e-12)
    np.testing.assert_allclose(sw.jit(given)(x), np.prod(1 + x) - 1, rtol=1e-12)


def test_derivatives_of_values_carried_together_are_rows():
    def derivative(a: Any, b: Any, result: Any) -> Any:
        return (
            {"by": {"by": b["by"], "to": 0}, "to": {"by": 0, "to": b["by"]}},
            {"by": {"by": a["by"], "to": 0}, "to": {"by": a["to"], "to": 1}},
        )

    def last(x: Any, derivative: Any) -> Any:
        return sw.sum(sw.reduce(chained, {"by": x, "to": x * x}, identity=AFFINE, axis=0, derivative=derivative)["to"])

    x = RNG.normal(size=(5, 3))
    traced, given = (sw.grad(lambda x, each=each: last(x, each))(x) for each in (None, derivative))
    np.testing.assert_allclose(given, traced, rtol=1e-12)
    np.testing.assert_allclose(traced, differences(lambda x: float(last(x, None)), x), rtol=1e-6, atol=1e-8)


def test_the_size_of_matrices_is_that_of_the_call():
    jitted = sw.jit(sw.matprod)
    for size in (3, 2, 3):
        x = RNG.normal(size=(4, size, size))
        for found in (sw.matprod(x).numpy(), jitted(x)):
            np.testing.assert_allclose(found, np.linalg.multi_dot(x), rtol=1e-9)
    assert jitted.stats().compiles == 2
    with pytest.raises(sw.ShapeError, match="the size of the matrices is not known here: pass it as size="):
        sw.lower(lambda x: sw.matprod(x), sw.Spec(("n", "k", "k")))


@pytest.mark.parametrize("size", [1, 2, 3])
@pytest.mark.parametrize("target", ["interpret", "cpu"])
def test_products_of_small_matrices(size: int, target: str):
    x = RNG.normal(size=(2, 6, size, size))
    forward, backward = [np.broadcast_to(np.eye(size), (2, size, size))] * 2
    before, behind = np.empty_like(x), np.empty_like(x)
    for k in range(6):
        before[:, k], forward = forward, forward @ x[:, k]
        behind[:, 5 - k], backward = backward, x[:, 5 - k] @ backward
    options = {"axis": 1, "size": size}
    np.testing.assert_allclose(sw.jit(lambda x: sw.matprod(x, **options), target=target)(x), forward, rtol=1e-9)
    scan = sw.jit(lambda x: sw.cumulative_matprod(x, **options, exclusive=True), target=target)
    np.testing.assert_allclose(scan(x), before, rtol=1e-9)
    scan = sw.jit(lambda x: sw.cumulative_matprod(x, **options, exclusive=True, reverse=True), target=target)
    np.testing.assert_allclose(scan(x), behind, rtol=1e-9)
    # The cotangent of a factor: the product's cotangent, between the transposed factors before and after it.
    cotangent = RNG.normal(size=(2, size, size))
    found = sw.jit(sw.grad(lambda x, c: sw.sum(c * sw.matprod(x, **options))), target=target)(x, cotangent)
    wanted = before.swapaxes(-1, -2) @ cotangent[:, None] @ behind.swapaxes(-1, -2)
    np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-12)


def test_the_product_of_no_matrices_is_the_identity():
    np.testing.assert_array_equal(sw.matprod(np.zeros((0, 2, 2)), size=2).numpy(), np.eye(2))


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda x: sw.reduce(lambda a, b: sw.arange(3.0), x, identity=0), "of shape"),
        (lambda x: sw.reduce(lambda a, b: a * sw.sum(sw.zeros(3, "float64")), x, identity=0), "expected scalars"),
        (lambda x: sw.reduce(lambda a, b: a > b, x, identity=0), "expected a result of the combining function"),
        (lambda x: sw.reduce(lambda a, b: (a, b), x, identity=0), "nested as"),
        (lambda x: sw.reduce(lambda a, b: a + b + x[0, 0], x, identity=0), "captures a tensor"),
        (lambda x: sw.reduce(joined, x, identity=(0, 1)), "expected an identity nested as"),
        (lambda x: sw.reduce(joined, x, identity="a"), "expected a number"),
        (lambda x: sw.reduce(joined, x, identity=0, axis=2), "axis 2 is out of range"),
        (lambda x: sw.reduce(joined, (), identity=()), "got none"),
        (lambda x: sw.reduce(chained, {"by": x, "to": x[0]}, identity=AFFINE), "expected tensors of one shape"),
        (lambda x: sw.matprod(x), "expected matrices along an axis"),
        (lambda x: sw.matprod(x[None]), "expected 3x3 matrices, got"),
        (lambda x: sw.matprod(x[None], size=9), "of a size from 1 to 8"),
        (lambda x: sw.matprod(sw.zeros((4, 2, 3)), size=2), "expected 2x2 matrices"),
        (lambda x: sw.grad(lambda n: sw.reduce(joined, n, identity=0))(sw.astype(x, "int32")), "only floats have gradients"),
        (lambda x: sw.grad(lambda y: sw.reduce(joined, y, identity=0, derivative=lambda a, b, r: a))(x), "in a pair"),
        (lambda x: sw.grad(lambda y: sw.reduce(joined, y, identity=0, derivative=lambda a, b, r: ((a, b), b)))(x), "rows"),
    ],
)
def test_what_is_wrong_is_an_error_at_the_users_line(function: Callable[[Any], Any], message: str):
    with pytest.raises(ShapeError, match=message) as raised:
        sw.jit(function)(np.ones((2, 3)))
    assert "test_folds.py" in str(raised.value)
