"""Generalised einsum against NumPy, and random specifications against a brute-force evaluator."""

import re

import numpy as np
import pytest
import stepwell as sw

from benchmarks.einsum import WORKLOADS, code
from tests.fuzz_languages import check_einsum

A = np.arange(12, dtype=np.float64).reshape(3, 4) - 5
B = np.arange(20, dtype=np.float64).reshape(4, 5) / 7
C = np.arange(24, dtype=np.float64).reshape(2, 3, 4)


def run(spec, *xs, **options):
    return sw.jit(lambda *values: sw.einsum(spec, *values, **options), target="interpret")(*xs)


@pytest.mark.feature("E1")
@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ("...|...->... => 0", [C.sum()]),
        ("...|...->... => ...|...->...", C),
        ("...|...->... => ...->...", C.sum(0)),
        ("1...|...->... => ...|...->...", C[1]),
        ("..v..|...->... => ..v..", C.sum((1, 2))),
        ("..v..|i->j => ..v..ij", C.transpose(0, 2, 1)),
    ],
)
def test_rows_and_row_variables(spec, expected):
    found = sw.jit(lambda x: sw.einsum(spec, sw.rows(x, batch=1, input=1)), target="interpret")(C)
    np.testing.assert_allclose(found, expected)


@pytest.mark.feature("E1")
def test_axes_left_of_those_that_are_named_are_reduced_and_missing_ones_broadcast():
    np.testing.assert_allclose(run("jk => kj", C), C.sum(0).T)
    np.testing.assert_allclose(run("ijk; ijk => ijk", C, A), C * A)


@pytest.mark.feature("E2")
def test_commas_separate_long_labels():
    np.testing.assert_allclose(run("row, inner; inner, col, => row, col", A, B), A @ B)


@pytest.mark.feature("E3")
def test_fixed_indices_slice_operands_and_write_one_slot_of_the_result():
    np.testing.assert_allclose(run("i2 => i", A), A[:, 2])
    np.testing.assert_allclose(run("_j => j", A), A.sum(0))
    product = run("ij => j2", A, accum="mul")
    np.testing.assert_allclose(product, np.stack([np.ones(4), np.ones(4), A.prod(0)], axis=1))


@pytest.mark.feature("E4")
def test_repeated_labels_are_diagonals_and_embeddings():
    np.testing.assert_allclose(run("ii => i", A[:3, :3]), np.diag(A))
    np.testing.assert_allclose(run("i => ii", A[0]), np.diag(A[0]))


@pytest.mark.feature("E5")
def test_windows_have_strides_and_dilations():
    x, w = np.arange(20.0), np.array([1.0, -2.0, 3.0])
    expected = [sum(x[2 * o + 3 * k] * w[k] for k in range(3)) for o in range(7)]
    np.testing.assert_allclose(run("2*o+3*k; k => o", x, w), expected)
    np.testing.assert_allclose(run("3*o => o", x), x[::3])
    np.testing.assert_allclose(run("2*o+k => o", x, accum="max", sizes={"k": 2}), x.reshape(10, 2).max(1))


@pytest.mark.feature("E5")
def test_each_call_checks_that_windows_and_fixed_indices_fit():
    window = sw.jit(lambda x, k, o: sw.einsum("2*o+k; k; o => o", x, k, o))
    np.testing.assert_allclose(window(np.ones(9), np.ones(2), np.ones(4)), np.full(4, 2.0))
    with pytest.raises(sw.ShapeError, match="window does not fit"):
        window(np.ones(7), np.ones(2), np.ones(4))
    fixed = sw.jit(lambda x: sw.einsum("i2 => i", x))
    np.testing.assert_allclose(fixed(A), A[:, 2])
    with pytest.raises(sw.ShapeError, match="index 2 is out of range"):
        fixed(A[:, :2])


@pytest.mark.feature("E6")
def test_any_accumulator_and_any_number_of_operands():
    np.testing.assert_allclose(run("ij; jk => ik", A, B, op="add", accum="max"), (A[:, :, None] + B).max(1))
    np.testing.assert_allclose(run("ij; jk; k => i", A, B, B[0]), A @ B @ B[0])
    np.testing.assert_allclose(run("ij => j", A, into=np.ones(4)), A.sum(0) + 1)


@pytest.mark.feature("E7")
def test_compose_contracts_input_axes_with_output_axes():
    w = sw.jit(lambda w, x: sw.compose(sw.rows(w, input=1), sw.rows(x, input=1)), target="interpret")
    np.testing.assert_allclose(w(A, B), A @ B)


@pytest.mark.feature("E6")
def test_a_matmul_has_the_ir_of_numpys_notation():
    texts = [sw.lower(lambda a, b, spec=spec: sw.einsum(spec, a, b), A, B).ir("uop") for spec in ("ij; jk => ik", "ij,jk->ik")]
    assert texts[0] == texts[1]


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("i$ => i", "column 2: expected an axis.*got '\\$'"),
        ("ab, c d => ab", "column 7: expected ',', got 'd'"),
        ("..v....w.. => 0", "expected one row variable"),
        ("0*i => i", "positive factors"),
        ("i; j => ij", "has 2 operands, got 1"),
        ("ij => k", "label 'k' of the result does not occur"),
        ("...ijk => i", "names 3 axes, the tensor has 2"),
        ("i9 => i", "index 9 is out of range for an axis of size"),
        ("ii => i", "label 'i' has sizes"),
        ("i, 2*o+k => o", "give the size of one of the labels o, k"),
        ("ij => ..v..", "occurs in no operand"),
        ("ij => i+j", "got a window"),
    ],
)
def test_errors_name_the_specification_and_the_place(spec, message):
    with pytest.raises(sw.ShapeError, match=message) as caught:
        run(spec, A)
    assert re.search(r"test_einsum\.py:\d+", str(caught.value))


@pytest.mark.feature("E6")
@pytest.mark.parametrize("seed", range(40))
def test_random_specifications_and_their_gradients_equal_brute_force(seed):
    """`python -m tests.fuzz_languages --only einsum` runs thousands of them."""
    check_einsum(seed)


@pytest.mark.feature("E6")
@pytest.mark.parametrize("workload", WORKLOADS)
def test_named_functions_have_the_same_code(workload):
    """Products and convolutions, valid, padded and strided, reach the same schedules."""
    spec, named, shapes = WORKLOADS[workload]
    arrays = [np.zeros(shape, np.float32) for shape in shapes]
    assert code(lambda a, b: sw.einsum(spec, a, b), arrays) == code(named, arrays)


@pytest.mark.feature("E1")
def test_rows_outside_of_traces():
    np.testing.assert_allclose(sw.einsum("...|... => ...", sw.rows(A, batch=1)).numpy(), A.sum(0))
    np.testing.assert_allclose(sw.compose(sw.rows(sw.Tensor(A), input=1), sw.rows(B, input=1)).numpy(), A @ B)


@pytest.mark.parametrize("counts", [{"batch": -1}, {"batch": 1, "input": 2}])
def test_rows_expect_axes_that_exist(counts):
    with pytest.raises(sw.ShapeError, match="rows: expected batch and input axes among 2"):
        sw.jit(lambda x: sw.einsum("... => 0", sw.rows(x, **counts)))(A)
