"""Repeated calls in native code: they give the results of calls through Python, and leave unusual calls to Python."""

from __future__ import annotations

import ctypes
import gc
import os
import signal
import sys
import sysconfig
import threading
import tracemalloc
from typing import Any

import numpy as np
import pytest
import stepwell as sw
from stepwell.ir.types.dtypes import dtype as dtype_named
from stepwell.runtime.cpu import warm_calls as native
from stepwell.runtime.cpu.program import THREADS
from stepwell.runtime.cpu.result_memory import LINE
from stepwell.runtime.cpu.warm_calls import CALLS_BEFORE, CALLS_BETWEEN, PLANS, native_call

RNG = np.random.default_rng(0)
MODULE: Any = native_call().module
# If the module can be there but does not compile, these tests fail.
pytestmark = pytest.mark.skipif(bool(native._unsupported()), reason=native._unsupported())


def array(*shape: int, dtype: str = "float32") -> Any:
    return (RNG.standard_normal(shape) * 8).astype(dtype_named(dtype).numpy)


def warm(function: Any, *arguments: Any, target: str = "cpu") -> Any:
    """The function, jitted and called often enough that these calls are repeated natively."""
    f = sw.jit(function, target=target)
    for _ in range(CALLS_BEFORE + 3):
        f(*arguments)
    return f


def warm_calls(f: Any) -> Any:
    """The calls that a function repeats natively."""
    (found,) = (each.warm for each in f._compiled.values())
    return found


def repeated(f: Any) -> int:
    """How many calls ran natively."""
    return sum(each.warm.hits for each in f._compiled.values())


# Calls that are repeated


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", "bfloat16", "int8", "int64", "bool"])
@pytest.mark.parametrize("shape", [(8,), (0,), (), (3, 1, 4)])
def test_calls_like_recent_ones_are_repeated(dtype, shape):
    a, b = (np.asarray(array(*shape), dtype_named(dtype).numpy) for _ in range(2))
    f = warm(lambda a, b: a == b, a, b)
    before = repeated(f)
    assert before > 0
    result = f(b, b)
    np.testing.assert_array_equal(result, b == b)
    assert result.dtype == bool and result.shape == shape and result.flags.owndata
    assert repeated(f) == before + 1


def test_every_call_counts_as_a_hit():
    f = warm(lambda a: a + 1, array(4))
    assert f.stats() == (1, CALLS_BEFORE + 2)


@pytest.mark.parametrize(
    ("function", "kind"),
    [
        (lambda a, b: (a + b, a - b), tuple),
        (lambda a, b: [a + b], list),
        (lambda a, b: {"sum": a + b, "rest": (a - b,)}, dict),
    ],
)
def test_results_nest_as_the_function_says(function, kind):
    a, b = array(8), array(8)
    f = warm(function, a, b)
    before = repeated(f)
    result, expected = f(a, b), sw.jit(function)(a, b)
    assert type(result) is kind and repeated(f) == before + 1
    jointly = [result, expected] if kind is not dict else [[*each["rest"], each["sum"]] for each in (result, expected)]
    for got, want in zip(*jointly, strict=True):
        np.testing.assert_array_equal(got, want)


def test_results_are_fresh():
    a = array(8)
    f = warm(lambda a: a * 2, a)
    first, second = f(a), f(a)
    first[:] = 0
    np.testing.assert_array_equal(second, a * 2)


def test_arrays_that_the_function_captured_are_passed_along():
    weight = array(8)
    copy = weight.copy()
    f = warm(lambda a: a * weight, array(8))
    weight[:] = 3
    a = array(8)
    before = repeated(f)
    np.testing.assert_array_equal(f(a), a * copy)
    assert repeated(f) == before + 1


def test_more_shapes_than_there_are_plans():
    f = warm(lambda a: a + 1, array(1))
    for _ in range(3):
        for size in range(2 * PLANS):
            a = array(size)
            np.testing.assert_array_equal(f(a), a + 1)
    assert f.stats() == (1, CALLS_BEFORE + 2 + 6 * PLANS)
    assert len(warm_calls(f)._plans) == PLANS


# Calls that are not


@pytest.mark.parametrize(
    "other",
    [
        np.array([1, 2, 3, 4], np.float64),
        np.array([1, 2, 3], np.float32),
        np.array([[1], [2], [3], [4]], np.float32),
        np.zeros(8, np.float32)[::2],
        np.array([1, 2, 3, 4], np.float32)[::-1],
        np.array([1, 2, 3, 4], np.float32).astype(">f4"),
        np.frombuffer(b"\0" + np.array([1, 2, 3, 4], np.float32).tobytes(), np.float32, offset=1),
        np.float32(3),
        np.ma.masked_array(np.array([1, 2, 3, 4], np.float32)),
    ],
    ids=["dtype", "size", "rank", "strided", "reversed", "byte order", "unaligned", "scalar", "subclass"],
)
def test_other_arguments_take_the_long_way(other):
    f = warm(lambda a: a + 1, np.zeros(4, np.float32))
    before = repeated(f)
    result, expected = f(other), sw.jit(lambda a: a + 1)(other)
    np.testing.assert_array_equal(np.asarray(result), np.asarray(expected))
    assert repeated(f) == before


def test_tracing_takes_the_long_way_and_keywords_do_not():
    a = array(4)
    f = warm(lambda a: a + 1, a)
    before = repeated(f)
    np.testing.assert_array_equal(f(a=a), a + 1)
    assert repeated(f) == before + 1
    np.testing.assert_array_equal(sw.jit(lambda a: f(a) * 2)(a), (a + 1) * 2)
    assert repeated(f) == before + 1


def test_read_only_arguments_are_repeated():
    a = array(4)
    a.flags.writeable = False
    f = warm(lambda a: a + 1, a)
    assert repeated(f) > 0


def test_a_wrong_number_of_arguments_is_still_an_error():
    f = warm(lambda a, b: a + b, array(4), array(4))
    with pytest.raises(TypeError):
        f(array(4))


def test_checks_that_fail_raise_as_ever():
    f = warm(lambda x, y: x // y, np.array([7, 9], np.int64), np.array([2, 3], np.int64))
    before = repeated(f)
    with pytest.raises(ZeroDivisionError, match=r"test_warm_calls.py:\d+:\d+: integer division by zero"):
        f(np.array([7, 9], np.int64), np.array([0, 3], np.int64))
    assert repeated(f) == before
    np.testing.assert_array_equal(f(np.array([7, 9], np.int64), np.array([2, 3], np.int64)), [3, 3])
    assert repeated(f) == before + 1


def test_calls_that_cannot_be_repeated_are_tried_now_and_then():
    f = warm(lambda a, kind: a.astype(kind), array(4), np.dtype(np.int32))
    for _ in range(100):
        f(array(4), np.dtype(np.int32))
    assert warm_calls(f)._tried <= PLANS + 100 / CALLS_BETWEEN + 1
    for _ in range(CALLS_BETWEEN + 1):
        f(array(4), "int32")
    assert repeated(f) > 0


def test_other_targets_take_the_long_way():
    f = warm(lambda a: a + 1, array(4), target="interpret")
    assert repeated(f) == 0


# Memory


def test_references_are_given_back():
    a, b = array(8), array(8)
    f = warm(lambda a, b: (a + b, a - b), a, b)
    watched = (a, b, a.dtype, warm_calls(f)._plans[0])
    before = [sys.getrefcount(each) for each in watched]
    results = [f(a, b) for _ in range(100)]
    counts = sys.getrefcount(results[0]), sys.getrefcount(results[0][0])
    assert counts == (2, 2), "one reference from the list, and the argument"
    results.clear()
    assert [sys.getrefcount(each) for each in watched] == before


def test_nothing_leaks():
    a, b = array(2000), array(2000)
    f = warm(lambda a, b: a + b, a, b)
    divide = warm(lambda x, y: x // y, np.ones(2000, np.int32), np.ones(2000, np.int32))
    zeros = np.zeros(2000, np.int32)
    tracemalloc.start()
    for _ in range(50):
        f(a, b)
    gc.collect()
    before = tracemalloc.get_traced_memory()[0]
    for _ in range(500):
        f(a, b)
        with pytest.raises(ZeroDivisionError):
            divide(zeros, zeros)
    gc.collect()
    grown = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    assert grown < 100_000, "a result has 8000 bytes, and there were 500"


def test_plans_do_not_keep_arguments_alive():
    a = array(8)
    before = sys.getrefcount(a)
    f = warm(lambda a: a + 1, a)
    assert repeated(f) > 0 and sys.getrefcount(a) == before


@pytest.mark.parametrize("calls", [1, CALLS_BEFORE + 3])
@pytest.mark.parametrize("dtype", ["float32", "float64", "bfloat16", "int8", "bool"])
def test_large_results_begin_with_a_line(calls, dtype):
    f, a = sw.jit(lambda a: (a, [sw.where(a == a, a, a)])), array(3, 100_000, dtype=dtype)
    results = [f(a)[1][0] for _ in range(calls)]
    assert all(each.ctypes.data % LINE == 0 and each.flags.c_contiguous and each.flags.writeable for each in results)
    assert all((each == a).all() and each.dtype == a.dtype for each in results)


# Threads and processes


@pytest.mark.parametrize("size", [8, 100_000])
def test_threads_call_at_once(size):
    a = array(size)
    f = warm(lambda a, b: a * b + 1, a, a)
    wrong = []

    def work(seed):
        mine = np.full(size, seed, np.float32)
        for _ in range(200):
            if not (f(mine, mine) == seed * seed + 1).all():
                wrong.append(seed)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


CODE = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.POINTER(ctypes.c_void_p), ctypes.POINTER(ctypes.c_int64), ctypes.c_void_p)


def address_of(code: Any) -> int:
    return ctypes.cast(code, ctypes.c_void_p).value or 0


def test_the_code_gets_the_parameters_and_the_number_of_threads():
    seen = []

    @CODE
    def code(_buffers, parameters, _error):
        seen.append(parameters[:3])
        return 0

    a = array(8)
    plan = MODULE.Plan(address_of(code), THREADS.address, (a,), (a,), (), a, (a,), (), (8, -(2**62)), None)
    before = THREADS.count
    try:
        sw.set_num_threads(3)
        MODULE.call([plan], (a,))
    finally:
        THREADS.count = before
    assert seen == [[8, -(2**62), 3]]


def test_code_that_fails_raises_what_its_failure_is():
    a = array(8)

    @CODE
    def code(_buffers, _parameters, error):
        ctypes.cast(error, ctypes.POINTER(ctypes.c_int64))[1] = 5
        return 7

    plan = MODULE.Plan(address_of(code), THREADS.address, (a,), (a,), (), a, (a,), (), (), lambda *given: KeyError(*given))
    with pytest.raises(KeyError) as failure:
        MODULE.call([plan], (a,))
    assert failure.value.args == (7, (0, 5, 0)) and plan.hits == 0


ONE, OTHER, SCALAR = np.zeros(1), np.zeros(1), np.float64(1)
MASKED, STRIDED, DEEP = ONE.view(np.ma.MaskedArray), np.zeros(4)[::2], np.zeros((1,) * 9)


@pytest.mark.parametrize(
    "arguments",
    [
        (0, 0, (object(),), (object(),), (), ONE, (ONE,), (), (), None),
        (0, 0, (MASKED,), (MASKED,), (), ONE, (ONE,), (), (), None),
        (0, 0, (SCALAR,), (SCALAR,), (), ONE, (ONE,), (), (), None),
        (0, 0, (), (), (1,), ONE, (ONE,), (), (), None),
        (0, 0, (), (), (), [ONE, object()], (ONE, object()), (), (), None),
        (0, 0, (STRIDED,), (STRIDED,), (), ONE, (ONE,), (), (), None),
        (0, 0, (DEEP,), (DEEP,), (), ONE, (ONE,), (), (), None),
        (0, 0, (), (), (), ONE, (ONE,), (), (2**63,), None),
        (0, 0, (ONE,), (ONE,), (), ONE, (ONE,), (1,), (), None),
        (0, 0, (ONE,), (ONE,), (), ONE, (ONE,), (-1,), (), None),
        (0, 0, (ONE,), (ONE,), (), ONE, (ONE,), (None, 0), (), None),
        (0, 0, (ONE, OTHER), (OTHER, ONE), (), ONE, (ONE,), (), (), None),
        (0, 0, (ONE, [3]), (ONE, 4), (), ONE, (ONE,), (), (), None),
        (0, 0, (ONE, OTHER), (ONE,), (), ONE, (ONE,), (), (), None),
        (0, 0, (ONE,), (ONE, OTHER), (), ONE, (ONE,), (), (), None),
        (0, 0, (ONE,), (ONE,), (), [ONE, OTHER], (OTHER, ONE), (), (), None),
        (0, 0, (ONE,), (ONE,), (), None, (ONE,), (), (), None),
    ],
)
def test_plans_that_cannot_be_are_refused(arguments):
    with pytest.raises((ValueError, OverflowError)):
        MODULE.Plan(*arguments)


@pytest.mark.parametrize("arguments", [(), ([],), ((), ()), ([], [])])
def test_calls_take_a_list_and_a_tuple(arguments):
    with pytest.raises(TypeError):
        MODULE.call(*arguments)
    assert MODULE.call([3], ()) is NotImplemented


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_a_forked_process_goes_on_with_one_thread():
    a = array(100_000)
    f = warm(lambda a: a + 1, a)
    child = os.fork()
    if child == 0:
        signal.alarm(30)  # libgomp would wait forever for threads that do not exist
        os._exit(0 if (f(a) == a + 1).all() and THREADS.count == 1 else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


# Where it can't be compiled


def test_without_headers_everything_takes_the_long_way(monkeypatch, tmp_path):
    monkeypatch.setattr(sysconfig, "get_paths", lambda: {"include": str(tmp_path)})
    monkeypatch.setattr(native, "_installed", lambda: None)
    missing = native_call.__wrapped__()
    assert missing.module is None and "Python.h not found" in missing.problem
    monkeypatch.setattr(native, "native_call", lambda: missing)
    a = array(4)
    f = warm(lambda a: a + 1, a)
    assert repeated(f) == 0 and f.stats() == (1, CALLS_BEFORE + 2)


def test_a_compiler_that_fails_is_a_problem_and_no_error(monkeypatch):
    monkeypatch.setenv("STEPWELL_CFLAGS", "-DPyObject=3")
    assert "failed with exit status" in native_call.__wrapped__().problem


# The memory of released results is kept for later results


LARGE = 1 << 18


@pytest.fixture
def kept():
    """No memory is kept from before, and the limit is the initial one; both are restored after the test."""
    sw.set_kept_memory(0)
    sw.set_kept_memory(1 << 28)
    yield
    sw.set_kept_memory(0)
    sw.set_kept_memory(1 << 28)


@pytest.mark.usefixtures("kept")
def test_a_large_result_takes_the_memory_of_one_that_is_gone():
    x = array(LARGE)
    f = warm(lambda a: a + 1, x)
    first = f(x)
    place = first.ctypes.data
    del first
    second = f(x)
    assert second.ctypes.data == place
    np.testing.assert_array_equal(second, x + 1)


@pytest.mark.usefixtures("kept")
def test_memory_that_anything_looks_at_is_not_taken():
    x = array(LARGE)
    f = warm(lambda a: a + 1, x)
    result = f(x)
    row, place = result[5:7], result.ctypes.data
    del result
    others = [f(x * 0) for _ in range(4)]
    assert place not in [other.ctypes.data for other in others]
    np.testing.assert_array_equal(row, (x + 1)[5:7])


@pytest.mark.usefixtures("kept")
def test_results_of_other_sizes_have_their_own_memory():
    x, y = array(LARGE), array(LARGE * 2)
    f = warm(lambda a: a + 1, x)
    for _ in range(CALLS_BEFORE + 3):
        f(y)
    for _ in range(2):
        f(x), f(y)
    np.testing.assert_array_equal(f(y), y + 1)
    np.testing.assert_array_equal(f(x), x + 1)


@pytest.mark.usefixtures("kept")
def test_no_more_is_kept_than_the_limit_says():
    x = array(LARGE)
    f = warm(lambda a: a + 1, x)
    results = [f(x) for _ in range(3)]
    places = {result.ctypes.data for result in results}
    sw.set_kept_memory(2 * x.nbytes)
    results.clear()
    again = [f(x) for _ in range(2)]
    # Two of the three blocks were kept; the system chooses which place the third block gets.
    assert len(places & {result.ctypes.data for result in again}) == 2
    for result in again:
        np.testing.assert_array_equal(result, x + 1)


@pytest.mark.usefixtures("kept")
def test_what_is_too_large_to_be_kept_pushes_nothing_out():
    x, y = array(LARGE), array(LARGE * 4)
    f = warm(lambda a: a + 1, x)
    for _ in range(CALLS_BEFORE + 3):
        f(y)
    sw.set_kept_memory(3 * x.nbytes)
    large, results = f(y), [f(x) for _ in range(3)]
    places = [result.ctypes.data for result in results]
    while results:
        del results[0]
    del large
    # The memory that was kept last is reused first.
    again = [f(x) for _ in range(3)]
    assert [result.ctypes.data for result in again] == places[::-1]


def test_a_limit_is_any_kind_of_whole_number():
    for count in (np.int64(0), 10**30, 1 << 28):
        sw.set_kept_memory(count)


@pytest.mark.parametrize(("count", "error"), [(-1, ValueError), (1.5, TypeError), (True, TypeError)])
def test_a_limit_is_a_number_of_bytes(count, error):
    with pytest.raises(error, match=f"set_kept_memory: expected .*got {count}"):
        sw.set_kept_memory(count)
