"""Axes of generalised einsum beyond labels: padded windows, concatenation, indices from operands, logics, and units."""

import re

import numpy as np
import pytest
import stepwell as sw

from tests.fuzz_languages import check_logics

RNG = np.random.default_rng(3)
A, B = RNG.standard_normal((4, 5)), RNG.standard_normal((5, 6))


def run(text, *arrays, **options):
    return sw.jit(lambda *xs: sw.einsum(text, *xs, **options))(*arrays)


def padded(x, w, stride, dilation, combine, fold, start):
    """The windows around cells 0, stride, ..., without the cells that are outside."""
    before = dilation * (len(w) - 1) // 2
    result = np.full(-(-len(x) // stride), start)
    for o in range(len(result)):
        for k in range(len(w)):
            at = stride * o + dilation * k - before
            if 0 <= at < len(x):
                result[o] = fold(result[o], combine(x[at], w[k]))
    return result


@pytest.mark.feature("E5")
@pytest.mark.covering
@pytest.mark.parametrize(("stride", "dilation"), [(1, 1), (2, 1), (1, 2), (3, 2)])
@pytest.mark.parametrize("size", [1, 4, 7, 12])
@pytest.mark.parametrize("window", [1, 2, 3, 4])
def test_padded_windows(stride, dilation, size, window):
    x, w = RNG.standard_normal(size) - 3, RNG.standard_normal(window)
    text = f"{stride}*o=+{dilation}*k; k => o"

    def windows(x, w):
        return (
            sw.einsum(text, x, w),
            sw.einsum(text, x, w, accum="max"),
            sw.einsum(text, x, w, op="add", accum="min"),
        )

    sums, maxima, minima = sw.jit(windows)(x, w)
    np.testing.assert_allclose(sums, padded(x, w, stride, dilation, np.multiply, np.add, 0.0), atol=1e-12)
    np.testing.assert_allclose(maxima, padded(x, w, stride, dilation, np.multiply, np.maximum, -np.inf))
    np.testing.assert_allclose(minima, padded(x, w, stride, dilation, np.add, np.minimum, np.inf))


@pytest.mark.feature("E5")
def test_a_padded_convolution_is_conv2d_with_padding():
    x, w = RNG.standard_normal((2, 3, 8, 9)), RNG.standard_normal((4, 3, 3, 3))
    found = run("b c i=+k j=+l; o c k l => b o i j", x, w)
    np.testing.assert_allclose(found, sw.conv2d(sw.Tensor(x), sw.Tensor(w), padding=1).numpy(), atol=1e-10)


@pytest.mark.feature("E5")
def test_pooling_by_padded_windows_and_its_gradient():
    x = RNG.standard_normal(7)
    found = run("2*o=+k => o", x, accum="max", sizes={"k": 3})
    np.testing.assert_array_equal(found, [max(x[max(0, 2 * o - 1) : 2 * o + 2]) for o in range(4)])
    gradient = sw.jit(sw.grad(lambda x: sw.sum(sw.einsum("2*o=+k => o", x, accum="max", sizes={"k": 3}))))(x)
    counts = np.zeros(7)
    for o in range(4):
        counts[max(0, 2 * o - 1) + np.argmax(x[max(0, 2 * o - 1) : 2 * o + 2])] += 1
    np.testing.assert_array_equal(gradient, counts)


@pytest.mark.feature("E6")
def test_operands_write_their_blocks():
    a, b = RNG.standard_normal(3), RNG.standard_normal(4)
    np.testing.assert_array_equal(run("a; b => a^b", a, b), np.concatenate([a, b]))
    np.testing.assert_array_equal(run("ij; kj => i^k j", A, A[:2]), np.concatenate([A, A[:2]]))
    np.testing.assert_allclose(run("ij; kj => i^k", A, A[:2]), np.concatenate([A, A[:2]]).sum(1))
    np.testing.assert_array_equal(run("a; b; c => a^b^c", a, b, a), np.concatenate([a, b, a]))


@pytest.mark.feature("E6")
def test_block_matrices():
    p, q = RNG.standard_normal((2, 3)), RNG.standard_normal((4, 5))
    expected = np.zeros((6, 8))
    expected[:2, :3], expected[2:, 3:] = p, q
    np.testing.assert_array_equal(run("ac; bd => a^b c^d", p, q), expected)
    product = np.ones((6, 8))
    product[:2, :3], product[2:, 3:] = p, q
    np.testing.assert_array_equal(run("ac; bd => a^b c^d", p, q, accum="mul"), product)
    np.testing.assert_array_equal(run("ac; bd => a^b c^d", p, q, into=np.ones((6, 8))), expected + 1)


@pytest.mark.feature("E6")
def test_parts_of_an_axis():
    x = RNG.standard_normal((7, 2))
    np.testing.assert_array_equal(run("a^b c => a c", x, sizes={"b": 3}), x[:4])
    np.testing.assert_array_equal(run("a^b c => b c", x, sizes={"b": 3}), x[4:])
    np.testing.assert_allclose(run("a^b c; b => c", x, np.ones(3)), x[4:].sum(0))
    np.testing.assert_allclose(run("a^b c => c", x, sizes={"a": 1}), x.sum(0))
    gradient = sw.jit(sw.grad(lambda x: sw.sum(sw.einsum("a^b c => b c", x, sizes={"b": 3}))))(x)
    np.testing.assert_array_equal(gradient, np.repeat([[0], [1]], [4, 3], axis=0) * np.ones((1, 2)))


@pytest.mark.feature("E6")
def test_gather_by_the_elements_of_an_operand():
    rows, columns = np.array([3, 0, 0, 2]), np.array([[1, 1], [4, 0]], np.int32)
    np.testing.assert_array_equal(run("[1] j; i => i j", A, rows), A[rows])
    np.testing.assert_array_equal(run("[1] j; i => j", A, rows, accum="max"), A[rows].max(0))
    np.testing.assert_allclose(run("[1] j; i; j k => i k", A, rows, B), A[rows] @ B)
    np.testing.assert_array_equal(run("i [1]; k l => i k l", A, columns), A[:, columns])
    np.testing.assert_array_equal(run("[1] [2]; i; i => i", A, rows, rows), A[rows, rows])
    with pytest.raises(IndexError, match="index 4 is out of range for an axis of size 4"):
        run("[1] j; i => i j", A, np.array([4]))


@pytest.mark.feature("E6")
def test_scatter_by_the_elements_of_an_operand():
    bins, x = np.array([2, 0, 2, 2]), RNG.standard_normal(4)
    np.testing.assert_allclose(run("i; i => [1]", x, bins, sizes={"[1]": 4}), np.bincount(bins, x, 4))
    expected = np.zeros((3, 5))
    np.add.at(expected, bins, A)
    np.testing.assert_allclose(run("i j; i => [1] j", A, bins, sizes={"[1]": 3}), expected)
    np.testing.assert_array_equal(
        run("i; i => [1]", x, bins, accum="max", into=np.zeros(3)), [max(x[1], 0), 0, max(0, x[0], *x[2:])]
    )


@pytest.mark.feature("E6")
def test_gradients_through_gather_and_scatter():
    rows, weights = np.array([3, 0, 0, 2]), RNG.standard_normal((4, 5))
    gradient = sw.jit(sw.grad(lambda x: sw.sum(sw.einsum("[1] j; i => i j", x, rows) * weights)))(A)
    expected = np.zeros_like(A)
    np.add.at(expected, rows, weights)
    np.testing.assert_allclose(gradient, expected)
    gradient = sw.jit(sw.grad(lambda x: sw.sum(sw.einsum("i j; i => [1] j", x, rows, sizes={"[1]": 4}) * weights)))(A)
    np.testing.assert_allclose(gradient, weights[rows])


@pytest.mark.feature("E7")
def test_logics():
    np.testing.assert_array_equal(run(".", A, A), A * A)
    np.testing.assert_array_equal(run(".", A, A, op="add"), A + A)
    matrices = [sw.rows(sw.Tensor(A), input=1), sw.rows(sw.Tensor(B), input=1)]
    np.testing.assert_allclose(sw.einsum("@", *matrices).numpy(), A @ B)
    np.testing.assert_array_equal(sw.einsum("T", matrices[0]).numpy(), A.T)
    with pytest.raises(sw.ShapeError, match="the logic '@' takes 2 operands, got 1"):
        run("@", A)


@pytest.mark.feature("E7")
@pytest.mark.parametrize("seed", range(20))
def test_logics_on_random_rows(seed):
    check_logics(seed)


@pytest.mark.feature("E8")
def test_units_agree_and_stay_with_the_axes():
    def model(x, y):
        product = sw.einsum("ij; jk => ki", sw.rows(x, units={0: "m", 1: "s"}), sw.rows(y, units={0: "s", -1: "kg"}))
        assert sw.units(product) == {0: "kg", 1: "m"}
        return sw.einsum("ki; il => kl", product, sw.rows(x, units={0: "m"}))

    np.testing.assert_allclose(sw.jit(model)(A, B), (A @ B).T @ A)


@pytest.mark.feature("E8")
def test_different_units_are_an_error():
    def model(x, y):
        product = sw.einsum("ij; jk => ik", sw.rows(x, units={0: "m"}), y)
        return sw.einsum("ik; ik => i", product, sw.rows(product, units={0: "ft"}))

    with pytest.raises(sw.ShapeError, match="rows: axis 0 has the unit 'm', got 'ft'"):
        sw.jit(model)(A, B)
    with pytest.raises(sw.ShapeError, match="label 'j' has the unit 's' in operand 0, 'm' in operand 1"):
        sw.jit(lambda x, y: sw.einsum("ij; jk => ik", sw.rows(x, units={1: "s"}), sw.rows(y, units={0: "m"})))(A, B)


@pytest.mark.parametrize(
    ("text", "operands", "options", "message"),
    [
        ("2*o=+k => o", (A[0],), {}, "give the size of one of the labels o, k in `sizes`"),
        ("o=+k+l => o", (A[0],), {}, "column 5: expected an axis"),
        ("i+k=+l => i", (A[0],), {}, "column 4: expected one term on each side of '=+'"),
        ("a^b => a", (A[0],), {}, "give the size of one of the labels a, b"),
        ("a^b => a", (A[0],), {"sizes": {"b": 9}}, "the parts of a^b do not add up to"),
        ("a^b => ab", (A[0],), {"sizes": {"b": 2}}, "expected one label of 'a^b' elsewhere, got a and b"),
        ("a^a => a", (A[0],), {}, "column 3: expected another label, got 'a'"),
        ("a; b => a^b^c", (A[0], A[0]), {}, "the size of label 'c' is not known: give it in `sizes`"),
        ("[x] => ", (A[0],), {}, "column 2: expected the number of an operand and ']', got 'x'"),
        ("[2] ; i => i", (A[0], A[0]), {}, "there is no operand 2 for '[2]'"),
        ("[1] ; i => i", (A[0], A[0]), {}, "expected integers in operand 1"),
        ("[1] ; 2*i => i", (A[0], np.arange(4)), {}, "expected plain labels of operand 1"),
        ("i; i => [1]", (A[0], np.arange(5)), {}, "give the size of '[1]' in `sizes`, or give `into`"),
        ("i; j => [0] [1]", (np.arange(5), np.arange(5)), {}, "all operands are indices"),
    ],
)
def test_mistakes_are_errors_that_say_what_was_expected(text, operands, options, message):
    with pytest.raises(sw.ShapeError, match=re.escape(message)):
        run(text, *operands, **options)
