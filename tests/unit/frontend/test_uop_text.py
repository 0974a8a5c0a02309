"""Micro-ops written as text: shapes, indices, guards, parameters, and the errors of malformed text."""

import numpy as np
import pytest
from stepwell.dialects import make_context
from stepwell.frontend.calls.traced import trace
from stepwell.frontend.functions import micro_ops as uop
from stepwell.frontend.tracing.sizes import SizeSolver
from stepwell.frontend.tracing.specs import Spec
from stepwell.ir.diagnostics import ShapeError
from stepwell.ir.functions.verification import verify
from stepwell.lowering.graph_to_uop.lower_graph_to_uop import LowerGraphToUop
from stepwell.runtime.boundary.signature import Signature
from stepwell.runtime.interpret.uop import run_uop

X = np.arange(30, dtype=np.float32).reshape(5, 6)
AT = np.array([3, 1])


def run(function, *arrays, **params):
    solver = SizeSolver()
    traced = trace(function, [Spec.of(array, solver) for array in arrays], params, sizes=solver)
    LowerGraphToUop().apply(make_context(), traced.module)
    verify(traced.module)
    signature = Signature.of(traced.function)
    values = signature.bind([array.shape for array in arrays], params)
    return run_uop(traced.function, arrays, dict(zip(signature.params, values, strict=True)))[0]


def windows(x):
    return uop.reduce("add", uop.reindex(["dA0", "dA1 - $kh + 1", "$kh"], x, index=["i0", "i1 + i2"], fill=0), 2)


@pytest.mark.parametrize("kh", [1, 3, 6])
def test_a_parameter_is_given_at_run_time(kh):
    expected = np.stack([X[:, k : k + kh].sum(1) for k in range(7 - kh)], 1)
    np.testing.assert_allclose(run(windows, X, kh=kh), expected)


def test_the_program_is_the_same_for_all_values_of_a_parameter():
    texts = {str(trace(windows, [Spec(("n", "m"))], {"kh": kh}).module) for kh in (1, 3)}
    assert len(texts) == 1 and 'sw.params = ["kh"]' in texts.pop()


@pytest.mark.feature("U2")
def test_unary_minus_flips():
    np.testing.assert_array_equal(run(lambda x: uop.reindex(["dA0", "dA1"], x, index=["-i0 + dA0 - 1", "i1"]), X), X[::-1])


@pytest.mark.feature("U3")
@pytest.mark.parametrize(
    ("guard", "mask"),
    [("i0 >= i1", np.tri(5, 6)), ("i0 - i1", np.tri(5, 6)), ("i0 == i1", np.eye(5, 6)), ("i1 < 2", np.arange(6) < 2)],
)
def test_guards_are_conditions(guard, mask):
    result = run(lambda x: uop.reindex(["dA0", "dA1"], x, index=["i0", "i1"], fill=0, guard=[guard]), X)
    np.testing.assert_array_equal(result, X * mask)


def test_an_assertion_unifies_sizes():
    def model(x, y):
        return uop.map("add", uop.reindex(["dA0[=dB0]", "dA1[=dB1]"], x, shape_of=[x, y], index=["i0", "i1"]), y)

    np.testing.assert_array_equal(run(model, X, X), 2 * X)


@pytest.mark.feature("U2")
def test_division_and_remainder_round_down():
    result = run(lambda x: uop.reindex([8], x, index=["(i0 - 4) // 3 + 2", "(i0 - 4) % 3"], fill=0), X)
    np.testing.assert_array_equal(result, [X[(k - 4) // 3 + 2, (k - 4) % 3] for k in range(8)])


def test_indices_from_a_tensor():
    gathered = run(lambda x, at: uop.reindex([2, "dA1"], x, index=["e0", "i1"], index_from=[at]), X, AT)
    np.testing.assert_array_equal(gathered, X[AT])
    placed = run(
        lambda x, at: uop.reindex(["dA0", "dB0"], x, shape_of=[x, at], index=["i0", "e0"], index_from=[(at, ["i1"])]), X, AT
    )
    np.testing.assert_array_equal(placed, X[:, AT])
    with pytest.raises(IndexError):
        run(lambda x, at: uop.reindex([2, "dA1"], x, index=["e0", "i1"], index_from=[at]), X, AT + 3)


def test_scatter_is_the_adjoint():
    np.testing.assert_allclose(run(lambda x: uop.scatter(["dA1"], x, index=["i1"]), X), X.sum(0))
    np.testing.assert_allclose(run(lambda x: uop.scatter(["dA1"], x, index=["i1"], op="max"), X), X.max(0))
    expected = np.zeros((5, 6), np.float32)
    expected[AT] = X[:2]
    result = run(lambda u, at: uop.scatter([5, "dA1"], u, index=["e0", "i1"], op="set", index_from=[at]), X[:2], AT)
    np.testing.assert_array_equal(result, expected)


@pytest.mark.feature("U1")
def test_the_other_micro_ops():
    np.testing.assert_array_equal(run(lambda x: uop.scan("add", x, 1), X), X.cumsum(1))
    np.testing.assert_array_equal(
        run(lambda x: uop.cast(uop.map("gt", x, uop.constant(["dA0", "dA1"], 3, shape_of=[x])), "i32"), X), X > 3
    )
    np.testing.assert_array_equal(run(lambda x: uop.iota(["dA0", "dA1"], 1, shape_of=[x]), X), np.indices(X.shape)[1])


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda x: uop.reindex(["i0", "dA1"], x, index=["i0", "i1"]), "unknown name 'i0' at position 0 of 'i0'"),
        (lambda x: uop.reindex(["dC0", "dA1"], x, index=["i0", "i1"]), "unknown name 'dC0'"),
        (lambda x: uop.reindex(["dA0", "dA1"], x, index=["i0", "i2"]), "unknown name 'i2'"),
        (lambda x: uop.reindex(["dA0", "dA1"], x, index=["i0"]), "index: expected 2 entries, got 1"),
        (
            lambda x: uop.reindex(["dA0 +", "dA1"], x, index=["i0", "i1"]),
            "expected an index expression, got the end at position 5",
        ),
        (lambda x: uop.reindex(["dA0", "dA1"], x, index=["i0 + 1", "i1"]), "not proven inside .* give a fill value"),
        (lambda x: uop.reindex(["dA0[=dA1]", "dA1"], x, index=["i0", "i1"]), r"'dA0\[=dA1\]' does not hold"),
        (lambda x: uop.reindex("dA0", x, index=["i0", "i1"]), "shape: expected a list with an entry .*, got 'dA0'"),
        (lambda x: uop.reindex(["dA0"], x, index="i0"), "index: expected a list with an entry .*, got 'i0'"),
        (lambda x: uop.reindex(["dA0"], x, index=["i0", "0"], guard="i0", fill=0), "guard: expected a list .*, got 'i0'"),
        (lambda x: uop.reindex(["dA0"], x, index=["i0", "0"], guard=["i0 != 1"], fill=0), "by == < <= > or >=, got 'i0 != 1'"),
        (lambda x: uop.reindex(["dA0"], x, index=["i0", "0"], guard=["i0 > 1 and i0 < 3"], fill=0), "several guards all have"),
        (lambda x: uop.iota(["dA0"], 1, shape_of=[x]), "axis 1 is out of range for 1 axes"),
        (lambda x: uop.map("expp", x), "unknown scalar function 'expp': did you mean 'exp'"),
        (lambda x: uop.scatter(["dA1"], x, index=["i1"], op="sub"), "not an accumulator"),
    ],
)
def test_mistakes_are_errors_with_their_place(function, message):
    with pytest.raises(ShapeError, match=message) as caught:
        trace(function, [Spec(("n", "m"))])
    assert caught.value.frame is not None and caught.value.frame.file == __file__
