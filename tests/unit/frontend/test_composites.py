"""Operations of users: backward passes and saved inputs, composites and bypasses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import stepwell as sw

from tests.node_operations import TARGETS, X, marked_op, matmul_op, square_op

# N4: saved inputs.


def product_op(saved: tuple[bool, bool] | None, backward: Callable[..., Any]) -> Any:
    op = sw.define_op("times", "A[n] B[n] -> [n]", backward=backward, save_for_backward=saved)
    op.impl("cpu")(lambda a, b: a * b)
    return op


@pytest.mark.feature("N4")
@pytest.mark.parametrize("saved", [(True, True), (True, False), (False, False), None])
def test_flagged_inputs_are_saved(saved: tuple[bool, bool] | None):
    op = product_op(saved, lambda g, a, b: (g, g))
    text = sw.lower(sw.grad(lambda a, b: sw.sum(op(a, b))), sw.Spec("n"), sw.Spec("n")).ir("graph")
    assert text.count("autodiff.save") == (2 if saved is None else sum(saved))
    without = sw.lower(sw.no_grad(lambda a, b: op(a, b)), sw.Spec("n"), sw.Spec("n")).ir("graph")
    assert "autodiff.save" not in without and "autodiff.custom" not in without


@pytest.mark.feature("N4")
def test_an_input_that_is_not_saved_has_only_a_shape():
    op = product_op((True, False), lambda g, a, b: (sw.zeros(b.shape, dtype=b.dtype), g * a))
    assert sw.grad(lambda a, b: sw.sum(op(a, b)), 1)(np.full(2, 3.0), np.ones(2)).tolist() == [3, 3]
    for read in (lambda g, a, b: (g * b, g * a), lambda g, a, b: (sw.multiply(g, b), g), lambda g, a, b: (b.sum() * g, g)):
        op = product_op((True, False), read)
        with pytest.raises(sw.ShapeError, match="'times': its backward pass reads input 'B', which is not saved") as found:
            sw.grad(lambda a, b, op=op: sw.sum(op(a, b)))(np.ones(2), np.ones(2))
        assert found.value.frame is not None and found.value.frame.file == __file__


@pytest.mark.feature("N4")
@pytest.mark.feature("N1")
@pytest.mark.parametrize("target", TARGETS)
def test_backward_passes(target: str):
    a, b = np.arange(6.0).reshape(2, 3), np.arange(12.0).reshape(3, 4)
    op = matmul_op(backward=lambda g, a, b: (g @ b.mT, a.mT @ g))
    op.impl("cuda")(lambda a, b: a @ b)
    found = sw.jit(lambda a, b: sw.grad(lambda a, b: sw.sum(op(a, b) ** 2), (0, 1))(a, b), target=target)(a, b)
    wanted = sw.grad(lambda a, b: sw.sum((a @ b) ** 2), (0, 1))(a, b)
    for each, other in zip(found, wanted, strict=True):
        np.testing.assert_allclose(each, other)
    # Second derivatives are those of the backward pass.
    square = square_op()
    third = sw.jit(sw.grad(lambda x: sw.sum(sw.grad(lambda x: sw.sum(square(x) * x))(x))), target=target)
    np.testing.assert_allclose(third(np.array([1.0, 2.0])), [6.0, 12.0])


@pytest.mark.feature("N4")
def test_backward_passes_of_several_results_and_integers():
    op = sw.define_op("both", "X[n] K[n] -> [n] [n] [n]", backward=lambda g, x, k: (g[0] + 2 * g[1], None))
    op.impl("cpu")(lambda x, k: (x, x * 2, k + 1))

    def loss(x: Any, k: Any) -> Any:
        first, second, third = op(x, k)
        return sw.sum(first * third) + sw.sum(second)

    assert sw.grad(loss)(np.ones(2), np.array([3, 4])).tolist() == [6, 7]


# N5: composites.


@pytest.mark.feature("N5")
@pytest.mark.parametrize("rule", [None, "A[~ n] -> [~ n]"])
def test_a_static_function_traces_once_for_all_sizes(rule: str | None):
    traces: list[int] = []

    def softmax(x: Any) -> Any:
        traces.append(1)
        e = sw.exp(x - sw.max(x, axis=-1, keepdims=True))
        return e / sw.sum(e, axis=-1, keepdims=True)

    f = sw.compile_as(softmax, "function", rule)
    for shape in ((2, 3), (5, 40), (1, 9), (100, 17), (2, 30), (0, 12)):
        np.testing.assert_allclose(f(np.ones(shape)).sum(axis=1), np.ones(shape[0]))
    assert len(traces) == 1 == f.stats().compiles


@pytest.mark.feature("N5")
def test_modules_as_functions_and_nodes():
    layer = sw.nn.Linear(3, 2)
    params, x = layer.init(0), np.ones((4, 3), "float32")
    wanted = sw.jit(layer)(params, x)
    for kind in ("function", "node"):
        f = sw.compile_as(layer, kind)
        np.testing.assert_array_equal(f(params, x), wanted)
        np.testing.assert_array_equal(sw.jit(lambda p, x, f=f: f(p, x) * 1)(params, x), wanted)


@pytest.mark.feature("N5")
def test_nodes_of_nested_arguments_and_results():
    node = sw.compile_as(lambda p, x: {"y": p["w"] * x, "z": (x, x + 1)}, "node", name="nested")
    for f in (node, sw.jit(lambda p, x: node(p, x))):
        found = f({"w": X}, X)
        np.testing.assert_array_equal(found["y"], X * X)
        np.testing.assert_array_equal(found["z"][1], X + 1)
    only = sw.compile_as(lambda x: {"y": x * 2}, "node", name="only")
    assert only(X)["y"].tolist() == (X * 2).tolist()


@pytest.mark.feature("N5")
def test_nodes_are_differentiable_if_asked():
    def cube(x: Any) -> Any:
        return x**3

    smooth = sw.compile_as(cube, "node", "A[~] -> [~]", differentiable=True)
    fixed = sw.compile_as(cube, "node", "A[~] -> [~]")
    x = np.array([1.0, 2.0])
    assert sw.grad(lambda x: sw.sum(smooth(x)))(x).tolist() == [3, 12]
    assert sw.grad(lambda x: sw.sum(fixed(x)) + sw.sum(x))(x).tolist() == [1, 1]
    assert "func.call @cube" in sw.lower(lambda x: smooth(x), sw.Spec("n")).ir("graph")
    smooth.impl("cpu")(lambda x: x * 0)
    assert smooth(x).tolist() == [0, 0]


# N7: bypasses.


@pytest.mark.feature("N7")
def test_bypasses_by_device():
    f = sw.jit(lambda x: sw.relu(x))
    x = np.array([-1.0, 2.0])
    assert f(x).tolist() == [0, 2]
    with sw.bypass("cpu", "relu", lambda x: sw.relu(x) * 10), sw.bypass("tpu", "relu", lambda x: x * 0 + 5):
        assert f(x).tolist() == [0, 20]
        assert np.asarray(sw.relu(sw.Tensor(x))).tolist() == [0, 20]
        with sw.backends("tpu", "cpu"):
            assert f(x).tolist() == [5, 5]
        with sw.backends("npu"):
            assert f(x).tolist() == [0, 2]
    assert f(x).tolist() == [0, 2] and f.stats().compiles >= 3


@pytest.mark.feature("N7")
def test_bypasses_of_operators_methods_aliases_and_operations():
    op = marked_op()
    x = np.array([3.0])
    with sw.bypass("cpu", "add", lambda x, y: sw.subtract(x, y)):
        assert sw.jit(lambda x: x + 1)(x) == 2
    with sw.bypass("cpu", "sum", lambda x, axis=None: sw.sum(x, axis=axis) + 100):
        assert sw.jit(lambda x: x.sum())(x) == 103
    with sw.bypass("cpu", "absolute", lambda x: x * 7):
        assert sw.jit(lambda x: sw.abs(x))(x) == 21
    with sw.bypass("cpu", "marked", lambda x: op(x) + 50):
        assert sw.jit(lambda x: op(x))(x) == 53
    assert sw.jit(lambda x: op(x + 0))(x) == 3


def test_the_last_bypass_of_a_device_applies_and_removal_gives_back_the_one_before():
    f, x = sw.jit(lambda x: sw.exp(x)), np.zeros(1)
    first = sw.bypass("cpu", "exp", lambda x: x + 10)
    second = sw.bypass("cpu", "exp", lambda x: x + 20)
    assert f(x) == 20
    second.remove()
    assert f(x) == 10
    first.remove()
    first.remove()
    assert f(x) == 1
