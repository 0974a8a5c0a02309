"""Tensors outside of jitted functions: their printed form, when they are computed, and the code that is compiled for them."""

from __future__ import annotations

import copy
from collections.abc import Callable
from types import SimpleNamespace

import numpy as np
import pytest
import stepwell as sw
from stepwell.frontend.jit import Jitted, Stats
from stepwell.frontend.lazy import _LONGEST_CHAIN, LazyTensor, _compiled, _in_order
from stepwell.ir.diagnostics import ShapeError
from stepwell.tools.coverage import command as coverage
from stepwell.tools.coverage.functions import CASES, inputs, widened


def array(*shape: int) -> np.ndarray:
    return np.random.default_rng(sum(shape)).standard_normal(shape).astype("float32")


def test_an_expression_is_computed_when_somebody_looks():
    x = array(3, 4)
    y = sw.relu(sw.Tensor(x) @ x.T) - 1
    assert isinstance(y, sw.Tensor) and (y.shape, y.dtype, y.ndim, y.size, len(y)) == ((3, 3), sw.float32, 2, 9, 3)
    expected = np.maximum(x @ x.T, 0) - 1
    np.testing.assert_allclose(y.numpy(), expected, rtol=1e-5)
    np.testing.assert_allclose(np.asarray(y), expected, rtol=1e-5)
    np.testing.assert_allclose(np.asarray(y, dtype="float64"), expected, rtol=1e-5)
    assert y.numpy() is y.numpy()
    np.testing.assert_allclose(np.concatenate([y, y]), np.concatenate([expected, expected]), rtol=1e-5)
    assert np.sum(y) == np.sum(y.numpy())


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_all_functions_work_outside_of_traces(case):
    given = inputs(case.dtypes[0])
    tensors = SimpleNamespace(**{name: sw.Tensor(value) for name, value in given.items()})
    result = case.apply(tensors)
    expected = np.asarray(case.expected(widened(given)))
    assert isinstance(result, LazyTensor)
    assert result.shape == expected.shape
    if result._call is None:  # a user's function was among the arguments
        found = result.numpy()
    else:
        program, arrays = result._expression()
        found = Jitted(lambda *values: program.run(values), "interpret")(*arrays)
    assert result.dtype.numpy == found.dtype
    coverage.assert_close(found, expected)


def test_other_data_and_other_sizes_are_not_compiled_again():
    def expression(x):
        return sw.softmax(sw.Tensor(x) * 3 + x[0], axis=-1)

    first = expression(array(5, 7))
    compiled = first.compiled()
    before = compiled.stats()
    for shape in ((5, 7), (5, 7), (9, 2), (1, 1)):
        y = expression(array(*shape))
        assert y.compiled() is compiled
        np.testing.assert_allclose(np.sum(y), shape[0], rtol=1e-5)
    assert compiled.stats().compiles - before.compiles <= 2  # one more, where a size of 1 broadcasts
    again = compiled.stats().compiles
    expression(array(4, 3)).numpy()
    assert compiled.stats() == Stats(again, compiled.stats().hits) and compiled.stats().hits > before.hits


@pytest.mark.parametrize(
    "other",
    [
        lambda x, y: x + y * 2.5,
        lambda x, y: x - y * 2,
        lambda x, y: (x + y) * 2,
        lambda x, y: x + x * 2,
        lambda x, y: sw.astype(x, "float64") + y * 2,
        lambda x, y: x + y * 2.0,
        lambda x, y: x + y * -0.0,
    ],
)
def test_other_expressions_have_code_of_their_own(other):
    x, y = sw.Tensor(array(3)), sw.Tensor(array(3) + 1)
    one, two = x + y * 2, other(x, y)
    assert one.compiled() is not two.compiled()
    np.testing.assert_allclose(two.numpy(), np.asarray(other(x.numpy(), y.numpy())), rtol=1e-6)


def test_what_is_computed_is_not_computed_again():
    x = sw.Tensor(array(4))
    y = sw.exp(x)
    y.numpy()
    z = y + 1
    assert [step.function.__name__ for step in z._expression()[0].steps] == ["add"]
    with pytest.raises(ValueError, match="nothing to compile"):
        y.compiled()


def test_tensors_are_copies():
    x = np.ones(3)
    a, b = sw.Tensor(x), sw.asarray(x) + x
    x[:] = 7
    np.testing.assert_array_equal(a.numpy(), np.ones(3))
    np.testing.assert_array_equal(b.numpy(), np.full(3, 2.0))
    with pytest.raises(ValueError, match="read-only"):
        b.numpy()[0] = 1
    np.testing.assert_array_equal(copy.deepcopy(b).numpy(), b.numpy())


def test_python_can_look_at_tensors():
    x = sw.Tensor([[1, 2], [3, 4]])
    assert str(x + 1) == "Tensor([[2, 3],\n        [4, 5]], dtype=int64)"
    assert (int(x.sum()), float(x[0, 1]), x.max().item(), bool((x > 3).any())) == (10, 2.0, 4, True)
    assert [row.sum().item() for row in x] == [3, 7]
    assert "abc"[x[0, 0]] == "b"
    with pytest.raises(ValueError, match="size 1"):
        x.item()


def test_functions_without_tensors_make_tensors():
    assert sw.zeros((2,)).dtype is sw.float32
    np.testing.assert_array_equal(sw.arange(3) * 2, [0, 2, 4])
    np.testing.assert_array_equal(sw.add(np.ones(2), np.ones(2)), [2, 2])
    assert sw.asarray([1, 2], dtype="float16").dtype is sw.float16
    # Numbers stay as weak as they are inside of a trace.
    assert (sw.Tensor(array(2)) / sw.sqrt(2)).dtype is sw.float32
    root = sw.sqrt(2)
    root.numpy()
    half = sw.Tensor(array(2).astype("float16")) / root
    assert half.dtype is sw.float16 and half.numpy().dtype == np.float16


def test_several_outputs():
    x = array(6, 2)
    first, second = sw.split(sw.Tensor(x), 2)
    np.testing.assert_allclose(first + second, x[:3] + x[3:])
    np.testing.assert_allclose(second * 2, x[3:] * 2)


def test_mistakes_are_errors_where_they_are_written():
    x = sw.Tensor(array(2, 3))
    with pytest.raises(ShapeError, match="'inner' is determined as 3 by lhs, but got 2 for rhs") as caught:
        _ = x @ x
    frame = caught.value.frame
    assert frame is not None and frame.file == __file__ and frame.function == "test_mistakes_are_errors_where_they_are_written"
    with pytest.raises(ShapeError, match="axis 2 is out of range"):
        sw.softmax(x, axis=2)
    with pytest.raises(TypeError, match="unsupported dtype 'complex128'"):
        sw.Tensor(np.ones(2, "complex128"))


def test_errors_at_run_time_name_the_line_of_this_expression():
    """Two expressions of one structure share their code, and each has its own line."""

    def take_one(x, at):
        return sw.take(x, at, axis=0)

    def take_other(x, at):
        return sw.take(x, at, axis=0)

    x = sw.Tensor(array(3))
    assert take_one(x, np.array([0])).compiled() is take_other(x, np.array([0])).compiled()
    for function in (take_one, take_other):
        line = function.__code__.co_firstlineno + 1
        with pytest.raises(IndexError, match=rf"test_lazy.py:{line}:.*: index 9 is out of range for an axis of size 3"):
            function(x, np.array([9])).numpy()


def test_jitted_functions_and_tensors():
    x = array(3)
    weights = sw.Tensor(array(3)) * 2
    scaled = sw.jit(lambda x: x * weights)
    np.testing.assert_allclose(scaled(x), x * np.asarray(weights))
    assert isinstance(scaled(x), np.ndarray)
    assert isinstance(scaled(sw.Tensor(x)), sw.Tensor)
    np.testing.assert_allclose(scaled(sw.Tensor(x)), x * np.asarray(weights))
    low = sw.lower(lambda x: x + 1, sw.Tensor(x))
    np.testing.assert_allclose(low(sw.Tensor(x)), x + 1)


def test_micro_ops_are_for_jitted_functions():
    x = sw.Tensor(array(3))
    with pytest.raises(RuntimeError, match="jitted function"):
        sw.uop.map("neg", x)
    np.testing.assert_allclose(sw.jit(lambda y: sw.uop.map("neg", x) + y)(array(3)), 0 * array(3))


def test_long_expressions():
    y = x = sw.Tensor(array(2))
    for _ in range(300):
        y = y + x
    np.testing.assert_allclose(y, array(2) * 301, rtol=1e-4)


def compiles_of(steps: int, step: Callable[[], object]) -> int:
    """How many programs are compiled after the first iterations of a loop, whose calls read no other elements."""
    step()
    before = _compiled.cache_info().misses
    for _ in range(steps):
        step()
    return _compiled.cache_info().misses - before


def test_a_loop_compiles_its_iteration_once_and_computes_it_once():
    """The loss of a step is read, its weights are not."""
    x, w, expected = sw.Tensor(array(20, 3)), sw.Tensor(array(3)), array(3)

    def step() -> None:
        nonlocal w, expected
        residual = x @ w - 1
        loss = (residual * residual).mean()
        assert len(list(_in_order(loss._call))) <= 14  # two iterations at most
        wanted = array(20, 3) @ expected - 1
        np.testing.assert_allclose(float(loss), (wanted * wanted).mean(), rtol=1e-4)
        w = w - 0.01 * (x.T @ residual)
        expected = expected - 0.01 * (array(20, 3).T @ wanted)

    assert compiles_of(12, step) <= 3
    np.testing.assert_allclose(w, expected, rtol=1e-4)


def test_what_two_expressions_need_is_kept():
    h = sw.exp(sw.Tensor(array(4)))
    first, second = (h + 1).numpy(), (h + 2).numpy()
    np.testing.assert_allclose(second - first, np.ones(4), rtol=1e-5)
    assert h._call is None
    third = h + 3
    assert [step.function.__name__ for step in third._expression()[0].steps] == ["add"]


@pytest.mark.parametrize("calls", [1, 3])
def test_chains_that_nobody_looks_at_are_cut_where_their_code_repeats(calls: int):
    x = y = sw.Tensor(array(5))

    def step() -> None:
        nonlocal y
        for _ in range(60):
            y = y * 0.5
            if calls == 3:
                y = sw.tanh(y)
                y = y + x
            assert len(list(_in_order(y._call))) <= 2 * _LONGEST_CHAIN

    assert compiles_of(12, step) <= 2
    expected = array(5).astype("float64")
    for _ in range(60 * 13):
        expected = expected * 0.5 if calls == 1 else np.tanh(expected * 0.5) + array(5)
    np.testing.assert_allclose(y, expected, rtol=1e-4, atol=1e-30)


def test_tensors_are_formatted_as_numbers_are():
    assert format(sw.Tensor(2.0) / 3, ".2f") == "0.67" and f"{sw.Tensor([1, 2]).sum():03d}" == "003"
    with pytest.raises(TypeError, match="unsupported format string"):
        format(sw.Tensor([1.0, 2.0]), ".2f")


def test_torch_tensors():
    torch = pytest.importorskip("torch")
    x = torch.arange(3.0)
    np.testing.assert_array_equal(sw.Tensor(x) + x, [0, 2, 4])


# Calls that take a user's function are computed at once


def test_functions_that_are_given_read_their_surroundings_at_the_call():
    x = np.array([1.0, 2.0, 3.0])
    scaled = [sw.scan(lambda c, e: (c + e * k, c), 0.0, x)[0] for k in (1.0, 2.0, 3.0)]  # noqa: B023 - that is what is tested
    assert [float(each) for each in scaled] == [6, 12, 18]


def test_what_a_function_reads_may_change_between_its_calls():
    x, weight = np.array([1.0, 2.0, 3.0]), np.ones(3)

    def step(carry, entry):
        return carry + sw.sum(weight * entry), None

    first = sw.scan(step, 0.0, x)[0]
    weight[:] = 50
    assert float(first) == 18
    assert float(sw.scan(step, 0.0, x)[0]) == 900


def test_derivatives_of_lazy_tensors_read_their_surroundings_at_the_call():
    factor = 2.0
    found = sw.grad(lambda x: sw.sum(x * factor))(sw.Tensor([1.0, 2.0]))
    factor = 5.0
    np.testing.assert_array_equal(found.numpy(), [2, 2])


def test_a_pullback_is_of_the_function_at_what_the_arguments_were():
    x = np.array([1.0, 2.0, 3.0])
    _, pullback = sw.vjp(lambda x: sw.sum(x * x), x)
    x[:] = 0
    np.testing.assert_array_equal(pullback(np.asarray(1.0))[0], [2, 4, 6])
