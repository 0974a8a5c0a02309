"""Short axes: products, sums and elementwise programs of rows with few elements, in sizes that are known and in others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import stepwell as sw
from stepwell.dialects import make_context
from stepwell.frontend.jit import signature_of
from stepwell.runtime.executable import build_program

RNG = np.random.default_rng(0)
LONG = 40
# Rows, summed indices, columns: tiles of each width, whole and partial, short sums and sums of several blocks, single rows and
# columns.
PRODUCTS = [
    *[(LONG, k, n) for k in (1, 3, 8, 9, 300) for n in (1, 2, 3, 4, 5, 7, 8)],
    *[(m, 300, n) for m in (1, 2, 5, 8) for n in (1, 3, 8)],
    *[(3, 3, LONG), (13, 70, 10), (25, 600, 17), (12, 5, 33), (7, 7, 7)],
    *[(m, k, n) for m, k in ((LONG, 64), (9, 300), (300, 3)) for n in (9, 10, 15, 16, 17, 20, 32)],
]


def array(*shape: int, dtype: str = "float32") -> np.ndarray:
    if dtype.startswith("int"):
        return RNG.integers(-9, 9, shape).astype(dtype)
    return RNG.standard_normal(shape).astype(dtype)


def expect_product(function: Callable[..., Any], a: np.ndarray, b: np.ndarray) -> None:
    wide = np.int64 if a.dtype.kind == "i" else np.float64
    expected = a.astype(wide) @ b.astype(wide)
    bound = np.abs(a).astype(wide) @ np.abs(b).astype(wide)
    tolerance = 0 if a.dtype.kind == "i" else 4 * np.finfo(a.dtype).eps * np.sqrt(a.shape[-1])
    assert (np.abs(function(a, b) - expected) <= tolerance * bound).all(), (a.shape, b.shape)


@pytest.mark.parametrize("static", [False, True])
@pytest.mark.parametrize("dtype", ["float32", "float64", "int32"])
def test_products_with_few_rows_columns_or_summed_indices(dtype: str, static: bool, some_of: Callable[..., Any]):
    for m, k, n in some_of(PRODUCTS, 6 if dtype == "float32" else 16, 2 * len(dtype) + int(static)):
        expect_product(sw.jit(lambda a, b: a @ b, static=static), array(m, k, dtype=dtype), array(k, n, dtype=dtype))


# Few rows, with columns that end in partial tiles of each width, or in whole ones.
FEW_ROWS = [(m, k, n) for m, k in ((2, 300), (7, 64), (16, 600), (49, 130), (190, 40)) for n in (96, 100, 129, 400)]


@pytest.mark.covering
@pytest.mark.parametrize("by_rows", [False, True], ids=["x @ w", "x @ w.T"])
@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "bfloat16"])
def test_few_rows_share_a_matrix(dtype: str, by_rows: bool, as_each_machine: str, some_of: Callable[..., Any]):
    """The matrix is read in place, in the epilogue's order or in the transposed one."""
    name = "float32" if dtype == "bfloat16" else dtype

    @sw.jit(static=True)
    def layer(x: Any, w: Any, bias: Any) -> Any:
        x, w = (each.astype(dtype) for each in (x, w))
        found = sw.astype(x @ (w.T if by_rows else w), name) + bias
        return sw.maximum(found, 0), sw.sum(found)

    for m, k, n in some_of(FEW_ROWS, 7, len(dtype) + 3 * by_rows):
        x, w, bias = array(m, k, dtype=name), array(k, n, dtype=name), array(n, dtype=name)
        if dtype == "bfloat16":
            x, w = np.round(x * 4), np.round(w * 4)  # exact in bfloat16, as are their products in float32
        wide = np.int64 if name == "int32" else np.float64
        expected = x.astype(wide) @ w.astype(wide) + bias
        bound = np.abs(x).astype(wide) @ np.abs(w).astype(wide) + np.abs(bias)
        tolerance = 2**-7 if dtype == "bfloat16" else 0 if name == "int32" else 1e-6 if name == "float32" else 1e-14
        found, total = layer(x, w.T.copy() if by_rows else w, bias)
        assert (np.abs(found - np.maximum(expected, 0)) <= tolerance * bound).all(), (m, k, n)
        assert abs(total - expected.sum()) <= tolerance * bound.sum(), (m, k, n)


def test_few_known_rows_share_a_matrix_of_any_number_of_columns():
    x = array(16, 70)
    product = sw.jit(lambda w: sw.Tensor(x) @ w)
    for n in (1, 17, 40, 63, 64, 65, 100, 127, 129):
        expect_product(lambda a, w: product(w), x, array(70, n))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_batches_of_few_rows(dtype: str):
    x, w = array(3, 20, 70, dtype=dtype), array(3, 70, 90, dtype=dtype)
    expect_product(sw.jit(lambda a, b: a @ b, static=True), x, w)
    by_rows = sw.jit(lambda a, b: a @ sw.swapaxes(b, 1, 2), static=True)
    expect_product(lambda a, b: by_rows(a, b.swapaxes(1, 2).copy()), x, w)


@pytest.mark.parametrize("size", [2, 3, 4, 7, 8, 9])
def test_batches_of_small_products(size: int):
    expect_product(sw.jit(lambda a, b: a @ b), array(LONG, size, size), array(LONG, size, size))
    expect_product(sw.jit(lambda a, b: a @ b), array(LONG, size, size), array(LONG, size, 1))


@pytest.mark.parametrize("columns", [3, 4, 10])
def test_products_of_turned_operands(columns: int):
    a, b = array(500, columns), array(500, columns)
    for static in (False, True):
        gram = sw.jit(lambda a, b: a.T @ b, static=static)
        np.testing.assert_allclose(gram(a, b), a.T.astype(np.float64) @ b, rtol=1e-4, atol=1e-4)
        rows = sw.jit(lambda a, b: a @ b.T, static=static)
        expect_product(lambda a, b, rows=rows: rows(a, b.T), a, np.ascontiguousarray(b[:7]).T)


def test_an_epilogue_of_a_narrow_product():
    """A bias and an activation are applied in the tile, and partial tiles store only existing columns."""
    for n in (2, 3, 4, 6, 8):
        f = sw.jit(lambda x, w, b: sw.tanh(x @ w + b) * 2)
        x, w, b = array(LONG, 30), array(30, n), array(n)
        np.testing.assert_allclose(f(x, w, b), np.tanh(x.astype(np.float64) @ w + b) * 2, rtol=1e-5, atol=1e-5)


def softmax(x: np.ndarray) -> np.ndarray:
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


ROWS: dict[str, tuple[Callable[..., Any], Callable[[np.ndarray], np.ndarray]]] = {
    "sum": (lambda x: x.sum(axis=1), lambda x: x.sum(axis=1)),
    "max": (lambda x: x.max(axis=1), lambda x: x.max(axis=1)),
    "softmax": (lambda x: sw.softmax(x, axis=-1), softmax),
    "centred": (lambda x: x - x.mean(axis=1, keepdims=True), lambda x: x - x.mean(axis=1, keepdims=True)),
    "scaled": (lambda x: x * x[:, :1], lambda x: x * x[:, :1]),
    "first": (lambda x: x + x[0], lambda x: x + x[0]),
    "reversed": (lambda x: x[:, ::-1] + 1, lambda x: x[:, ::-1] + 1),
    "running": (lambda x: x.cumsum(axis=1), lambda x: x.cumsum(axis=1)),
    "columns": (lambda x: x - x.max(axis=0), lambda x: x - x.max(axis=0)),
}


@pytest.mark.parametrize("name", ROWS)
def test_rows_of_few_elements(name: str):
    ours, theirs = ROWS[name]
    for size in (1, 2, 3, 5, 8, 9):
        x = array(LONG, size)
        np.testing.assert_allclose(sw.jit(ours)(x), theirs(x.astype(np.float64)), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("size", [2, 3, 8])
def test_what_a_row_comes_to_does_not_depend_on_where_it_stands(size: int):
    f = sw.jit(lambda x: sw.softmax(x, axis=1))
    x = np.repeat(array(1, size), LONG - 3, axis=0)
    found = f(x)
    assert (found == found[0]).all()
    assert (f(x[:9]) == found[0]).all()


def test_two_compiles_serve_short_axes_of_every_size():
    """One compile is for the sizes of the first call, and a second one for all other sizes; long axes stay free."""
    f = sw.jit(lambda a, b: a @ b)
    compiles: list[int] = []
    for m, k, n in ((LONG, 3, 3), (2, 3, 3), (LONG, 70, 3), (LONG, 4, 5), (1, 1, 1)):
        expect_product(f, array(m, k), array(k, n))
        compiles.append(f.stats().compiles)
    assert compiles == [1, 1, 2, 2, 2]


def fixed(function: Callable[..., Any], *arrays: np.ndarray) -> list[int]:
    """The sizes that are constants in the code of a first call."""
    traced = sw.lower(function, *arrays, target="interpret")._traced  # pyright: ignore[reportPrivateUsage]
    assert traced is not None
    program = build_program(traced.module, make_context(), "cpu", signature_of(traced), only_expected=True)
    return sorted(program.signature.sizes.values())


def test_which_sizes_are_constants():
    def product(a: Any, b: Any) -> Any:
        return a @ b

    assert fixed(product, array(LONG, 3), array(3, 4)) == [3, 4]
    assert fixed(product, array(LONG, 30), array(30, 4)) == [4]
    assert fixed(product, array(5, 30), array(30, 4)) == [4, 5]
    assert fixed(product, array(LONG, 2, 3), array(LONG, 3, 4)) == [2, 3, 4]
    # As many columns as make narrow tiles, and more.
    assert fixed(product, array(LONG, 30), array(30, 16)) == [16]
    assert fixed(product, array(LONG, 30), array(30, 17)) == []
    assert fixed(product, array(16, 40), array(40, 10)) == [10]
    assert fixed(product, array(16, 12), array(12, 3)) == [3]
    assert fixed(product, array(LONG, 12, 12), array(LONG, 12, 12)) == [12, 12, 12]
    assert fixed(lambda x: x.sum(axis=1), array(LONG, 12)) == []
    # The last of several layers shares the code of the earlier ones, unless these are narrow too.
    layers = array(LONG, 30), array(30, 20), array(20, 10)
    assert fixed(lambda x, a, b: sw.tanh(x @ a) @ b, *layers) == []
    layers = array(LONG, 30), array(30, 12), array(12, 10)
    assert fixed(lambda x, a, b: sw.tanh(x @ a) @ b, *layers) == [10, 12]
    # Rows beside many columns, and programs in which all axes are short.
    assert fixed(product, array(5, 30), array(30, 40)) == []
    assert fixed(product, array(5, 3), array(3, 4)) == []
    assert fixed(lambda x: x.sum(axis=1), array(LONG, 3)) == [3]
    assert fixed(lambda x: x.sum(axis=0), array(3, LONG)) == []
    assert fixed(lambda x, w: x * w, array(LONG, 3), array(3)) == [3]
    assert fixed(lambda x: x + 1, array(LONG, 3)) == []


def test_what_is_used_twice_is_looked_through_once():

    def doubled(x: Any) -> Any:
        for _ in range(100):
            x = x + x * 0.5
        return sw.sum(x, axis=1)

    assert fixed(doubled, array(LONG, 3)) == [3]


SUMS: dict[str, tuple[Callable[..., Any], Callable[..., Any]]] = {
    "mean": (lambda x, b: sw.mean(sw.tanh(x * b)), lambda x, b: np.tanh(x * b).mean()),
    "greatest": (lambda x, b: sw.max(x - b), lambda x, b: (x - b).max()),
    "two": (lambda x, b: (sw.sum(x * b), sw.min(x * b)), lambda x, b: ((x * b).sum(), (x * b).min())),
    "least product of a row": (lambda x, b: sw.min((x @ b) * 0.5), lambda x, b: ((x @ b) * 0.5).min()),
    "sum of maxima and of sums": (lambda x, b: sw.sum(sw.max(x, axis=1) * (x @ b)), lambda x, b: (x.max(1) * (x @ b)).sum()),
}


@pytest.mark.parametrize("name", SUMS)
def test_everything_of_short_rows_reduced(name: str):
    """Rows that do not form one long loop, since another argument has an element for each column. The first call decides that
    columns are a constant: it has many rows."""
    ours, theirs = SUMS[name]
    for columns in (2, 3, 4, 7, 8):
        f = sw.jit(ours)
        for rows in (20_001, 1000, 100, 65, 16, 15, 1):
            x, b = array(rows, columns), array(columns)
            np.testing.assert_allclose(f(x, b), theirs(x.astype(np.float64), b), rtol=1e-5, atol=1e-4 * rows**0.5)


@pytest.mark.parametrize("columns", [2, 3])
def test_elements_of_rows_shorter_than_vectors(columns: int):
    f = sw.jit(lambda x, b: sw.maximum(x[:, ::2] + 1, b[:, None]))
    g = sw.jit(lambda x: sw.log(1 + (x[:, 1:] - x[:, :-1]) ** 2))
    for rows in (1000, 17, 16, 15, 1):
        x, b = array(rows, 2 * columns - 1), array(rows)
        np.testing.assert_array_equal(f(x, b), np.maximum(x[:, ::2] + 1, b[:, None]))
        x = array(rows, columns + 1)
        np.testing.assert_allclose(g(x), np.log(1 + (x[:, 1:] - x[:, :-1]).astype(np.float64) ** 2), rtol=1e-5, atol=1e-6)


def test_reductions_of_rows_beside_columns():
    """Half of the added elements lie along the rows, half across them."""
    for columns in (3, 5, 8):
        f, g = sw.jit(lambda x, y: sw.min(x.T + y)), sw.jit(lambda x, y: sw.sum(x.T * y))
        for rows in (20_001, 100, 17, 16, 15, 1):
            x, y = array(columns, rows), array(rows, columns)
            np.testing.assert_array_equal(f(x, y), (x.T + y).min())
            np.testing.assert_allclose(g(x, y), (x.T.astype(np.float64) * y).sum(), rtol=1e-5, atol=1e-4 * rows**0.5)
