"""Arguments of compiled functions: byte orders, methods, keywords, forks, and tensors that outlive their trace."""

import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
import stepwell as sw
from stepwell.dialects import make_context
from stepwell.ir.diagnostics import ShapeError
from stepwell.ir.functions.entry import entry_function, input_count
from stepwell.ir.text.parser import parse_module
from stepwell.runtime.cpu.program import THREADS


@pytest.mark.parametrize("target", ["cpu", "interpret"])
@pytest.mark.parametrize("dtype", [">f4", ">i2", ">f8", "<i4"])
def test_any_byte_order_is_accepted(target, dtype):
    x = np.arange(6).astype(dtype).reshape(2, 3)
    result = sw.jit(lambda x: x + 1, target=target)(x)
    assert result.dtype.isnative
    np.testing.assert_array_equal(result, x + 1)


def test_a_method_is_compiled_for_its_object():
    class Layer:
        def __init__(self, weight):
            self.weight = weight

        @sw.jit
        def apply(self, x):
            return x * self.weight

    x = np.ones(2, np.float32)
    for weight in (2, 3):
        np.testing.assert_array_equal(Layer(weight).apply(x), x * weight)
    assert Layer.apply.stats().compiles == 2


@pytest.mark.parametrize("call", [lambda f, x: f(x, typo=3), lambda f, x: sw.lower(f, x, typo=3)])
def test_a_keyword_that_nothing_uses_is_an_error(call):
    with pytest.raises(TypeError, match=r"scaled\(\) got an unexpected keyword argument 'typo': it is no argument of"):
        call(sw.jit(scaled), np.ones(2, np.float32))


def test_a_parameter_that_is_missing_is_an_error():
    windows = sw.jit(lambda x: sw.uop.reindex(["dA0 - $k + 1", "$k"], x, index=["i0 + i1"]))
    with pytest.raises(ValueError, match="parameter 'k' is missing"):
        windows(np.arange(5.0))


@pytest.mark.parametrize(("fill", "message"), [(1000, "1000 is out of range for int8"), ([1], r"expected a number, got \[1\]")])
def test_fill_values_fit_the_dtype(fill, message):
    with pytest.raises(ShapeError, match=message):
        sw.jit(lambda x: sw.uop.reindex(["dA0"], x, index=["i0 + 1"], fill=fill))(np.zeros(2, np.int8))


@pytest.mark.parametrize("target", ["cpu", "interpret"])
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("func.func @f(%x: tensor<3xi3>) { func.return }", "1:1: error: unsupported dtype 'i3'"),
        ("func.func @f(%x: f32) { func.return }", "expected a tensor or memref type, got f32"),
        ("func.func @f(%x: memref<3xf32>) { func.return }", "expected the attribute 'sw.inputs'"),
        (
            "func.func @f(%x: memref<3xf32>) attributes {sw.inputs = 2 : i64} { func.return }",
            "sw.inputs: expected 0 to 1, the number of buffers of @f, got 2",
        ),
        ("func.func @f() { cf.br ^a ^a: func.return }", "expected @f to have one block, got 2"),
        (
            "func.func @f() -> tensor<?xf32, #sw.shape<[q]>> {"
            "  %0 = graph.constant 1.0 : f32 : tensor<?xf32, #sw.shape<[q]>>"
            "  func.return %0 : tensor<?xf32, #sw.shape<[q]>> }",
            "the size 'q' is no size of an argument",
        ),
    ],
)
def test_functions_that_cannot_be_called(target, text, message):
    with pytest.raises(sw.CompileError, match=message):
        sw.compile(text, target=target)


def scaled(x, scale=2):
    return x * scale


def test_a_forked_process_computes_after_its_parent_used_threads():
    """libgomp would wait in the child for threads that exist only in the parent."""
    f = sw.jit(lambda x: sw.sum(x, axis=1))
    x = np.ones((2000, 500))
    f(x)
    child = os.fork()
    if child == 0:
        os._exit(0 if THREADS.count == 1 and (f(x) == 500).all() else 1)
    assert exit_status(child, seconds=20) == 0


def test_a_forked_process_cannot_have_more_threads():
    """The child would wait for the threads forever."""
    sw.set_num_threads(2)
    sw.jit(lambda x: x + 1)(np.ones(3))
    child = os.fork()
    if child == 0:
        sw.set_num_threads(1)
        try:
            sw.set_num_threads(2)
        except RuntimeError as error:
            os._exit(0 if "forked from one with threads can have one thread only, got 2" in str(error) else 2)
        os._exit(1)
    assert exit_status(child, seconds=20) == 0


@pytest.mark.parametrize("before", ["", "sw.set_num_threads(1); sw.jit(lambda x: x + 1)(np.ones(3))"])
def test_a_process_whose_parent_started_no_threads_can_have_some(before):
    script = f"""
import os, numpy as np, stepwell as sw
{before}
if os.fork() == 0:
    sw.set_num_threads(2)
    os._exit(0 if (sw.jit(lambda x: sw.sum(x, axis=1))(np.ones((2000, 500))) == 500).all() else 1)
os._exit(os.waitstatus_to_exitcode(os.wait()[1]))
"""
    assert subprocess.run([sys.executable, "-c", script], timeout=120, check=False).returncode == 0


def exit_status(child, seconds):
    """The exit status of a process, which is killed when it does not end in time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        pid, status = os.waitpid(child, os.WNOHANG)
        if pid:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.02)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return None


def test_a_tensor_that_outlives_its_trace_is_refused():
    kept = []
    sw.jit(lambda x: kept.append(x) or x)(np.ones(2, np.float32))
    with pytest.raises(ShapeError, match="the tensor's trace has ended"):
        _ = kept[0] + 1


def test_numpy_does_not_take_a_traced_tensor_for_an_object():
    with pytest.raises(ShapeError, match="no elements yet") as caught:
        sw.jit(lambda x: np.asarray(x) + 1)(np.ones(2, np.float32))
    assert caught.value.frame is not None and caught.value.frame.file == __file__


def test_a_result_that_is_no_tensor_is_an_error_at_the_function():
    with pytest.raises(ShapeError, match="got str") as caught:
        sw.jit(lambda x: "text")(np.ones(2, np.float32))
    assert caught.value.frame is not None and caught.value.frame.file == __file__


@pytest.mark.parametrize(
    ("size", "error", "message"),
    [
        (-1, ValueError, "expected a size of at least 0, got -1"),
        (2.5, TypeError, "expected a size as an int or as text, got 2.5"),
        (None, TypeError, "expected a size as an int or as text, got None"),
        ("n$", ValueError, r"unexpected character '\$'"),
    ],
)
def test_sizes_of_a_spec(size, error, message):
    with pytest.raises(error, match=message):
        sw.Spec((size,))


@pytest.mark.parametrize("name", ["argmax", "argmin"])
@pytest.mark.parametrize(
    ("shape", "axis", "along"), [((2, 0), 1, " along axis 1"), ((0, 2), -2, " along axis -2"), ((2, 0), None, "")]
)
def test_nothing_has_no_greatest_element(name: str, shape: tuple[int, ...], axis: int | None, along: str):
    def position(x):
        return getattr(sw, name)(x, axis=axis)

    nothing, line = np.ones(shape, np.float32), position.__code__.co_firstlineno + 1
    served = sw.jit(position)
    served(np.ones((2, 3), np.float32))
    served(np.ones((2, 4), np.float32))
    calls = (position, served, *(sw.jit(position, **each) for each in ({}, {"static": True}, {"target": "interpret"})))
    for call in calls:
        message = rf"test_boundary\.py:{line}:\d+: error: {name}: expected at least one element{along}, got none"
        with pytest.raises(sw.ShapeError, match=message):
            call(nothing)
    assert served(np.ones((2, 3), np.float32)).tolist() == np.argmax(np.ones((2, 3)), axis=axis).tolist()


def test_sizes_that_only_a_call_tells_are_checked_before_a_position_is_looked_for():
    low = sw.lower(lambda x: sw.argmax(x, axis=1), sw.Spec(("n", "m"), "float32"))
    assert low(np.ones((0, 2), np.float32)).shape == (0,)
    with pytest.raises(ValueError, match=r"the sizes do not fit: m - 1 must not be negative, but n = 2, m = 0"):
        low(np.ones((2, 0), np.float32))


def test_inputs_are_counted_on_buffers_only():
    buffers = "func.func @f(%x: memref<3xf32>, %y: memref<3xf32>) attributes {sw.inputs = 1 : i64} { func.return }"
    tensors = "func.func @f(%x: tensor<3xf32>) -> tensor<3xf32> { func.return %x : tensor<3xf32> }"
    assert input_count(entry_function(parse_module(buffers, make_context()))) == 1
    assert input_count(entry_function(parse_module(tensors, make_context()))) is None


@pytest.mark.parametrize("static", [False, True])
@pytest.mark.parametrize("target", ["cpu", "interpret"])
@pytest.mark.parametrize(
    "key",
    [slice(1, -1), slice(-3, -5), slice(2, 1), slice(9, None), slice(None, -9), slice(-1, 0, -1), slice(0, 9, -2)],
    ids=str,
)
def test_slices_of_few_elements_or_none_are_numpys(key, target, static):
    f = sw.jit(lambda x: x[key] + 1, target=target, static=static)
    for size in (0, 1, 2, 3, 4, 5, 9, 12, 0):
        x = np.arange(size, dtype=np.float32)
        np.testing.assert_array_equal(f(x), x[key] + 1, strict=True)


def test_a_part_of_nothing_is_nothing():
    def f(a, b):
        return a[::-1][: b.shape[0]]

    for size in (0, 3):
        a = np.arange(size, dtype=np.float32)
        np.testing.assert_array_equal(sw.jit(f)(a, a), a[::-1])
    assert np.asarray(sw.Tensor(np.zeros(0))[1:-1]).shape == (0,)


@pytest.mark.parametrize("target", ["cpu", "interpret"])
@pytest.mark.parametrize("function", [lambda x: x * 2, lambda x: sw.linalg.inv(x), lambda x: x])
def test_results_share_no_memory(target, function):
    """A value that is returned several times, its views, and returned arguments."""

    def several(x):
        found = function(x)
        return found, found, sw.matrix_transpose(found), found[:1], sw.broadcast_to(found[:1], (2, 2)), x

    x = np.array([[1.0, 2.0], [3.0, 5.0]])
    results = sw.jit(several, target=target)(x)
    for number, result in enumerate(results):
        assert result.flags.writeable
        assert not any(np.shares_memory(result, other) for other in (x, *results[:number]))
