"""Calls whose arrays are nested or donated are repeated natively too, with the results of calls through Python."""

from __future__ import annotations

import gc
import sys
import threading
import weakref
from collections import OrderedDict
from typing import Any, NamedTuple

import numpy as np
import pytest
import stepwell as sw
from stepwell.runtime.cpu import warm_calls as native
from stepwell.runtime.cpu.warm_calls import CALLS_BEFORE

# As in test_warm_calls.py: if the module can be there but does not compile, nothing is repeated, and these tests fail.
pytestmark = pytest.mark.skipif(bool(native._unsupported()), reason=native._unsupported())


class Pair(NamedTuple):
    first: Any
    second: Any


class Items(list):
    """A list of a class of its own."""


def ones(*shape: int) -> Any:
    return np.ones(shape, np.float32)


def warm(function: Any, *arguments: Any, **options: Any) -> Any:
    """The function, jitted and called often enough that these calls are repeated natively."""
    f = sw.jit(function, **options)
    for _ in range(CALLS_BEFORE + 1):
        f(*arguments)
    return f


def repeated(f: Any) -> int:
    """How many calls ran natively."""
    return sum(each.warm.hits for each in f._compiled.values())


def test_nested_arguments_come_back_nested():
    def step(params, pair, items):
        moved = {key: value + pair.first for key, value in params.items()}
        return moved, Pair(pair.second, [items[0], None]), (), {"deep": ({"x": items[1][0]},)}

    given = {"w": ones(2, 3), "b": ones(3)}, Pair(ones(3), ones(1)), [ones(2), (ones(4),)]
    f = warm(step, *given)
    before = repeated(f)
    params, pair, nothing, deep = f(*given)
    assert before > 0 and repeated(f) == before + 1
    assert list(params) == ["w", "b"] and type(pair) is Pair and pair.second[1] is None and nothing == ()
    np.testing.assert_array_equal(params["w"], np.full((2, 3), 2))
    np.testing.assert_array_equal(params["b"], np.full(3, 2))
    np.testing.assert_array_equal(pair.first, ones(1))
    np.testing.assert_array_equal(deep["deep"][0]["x"], ones(4))


@pytest.mark.parametrize(
    ("first", "other"),
    [(2, 3), (2, 2.0), (1, True), (0.0, -0.0), (float("nan"), 1.0), ("add", "mul"), (None, 0)],
)
def test_other_constants_take_the_long_way(first, other):
    def which(x, constant):
        told = [2, 3, 2.0, 1, True, 0.0, -0.0, float("nan"), 1.0, "add", "mul", None, 0]
        return x + [repr(each) for each in told].index(repr(constant))

    x = ones(4)
    f = warm(which, x, first)
    before = repeated(f)
    np.testing.assert_array_equal(f(x, other), which(x, other))
    assert repeated(f) == before > 0
    np.testing.assert_array_equal(f(x, first), which(x, first))
    assert repeated(f) == before + 1


@pytest.mark.parametrize(
    "other",
    [
        {"b": 2 * ones(3), "a": ones(3)},
        {"a": ones(3), "c": 2 * ones(3)},
        {"a": ones(3)},
        {"a": ones(3), "b": 2 * ones(4)[:3][::1]},
        {"a": ones(3), "b": [2 * ones(3)]},
        [ones(3), 2 * ones(3)],
        (ones(3), 2 * ones(3)),
        OrderedDict(a=ones(3), b=2 * ones(3)),
        Items([ones(3), 2 * ones(3)]),
        Pair(ones(3), 2 * ones(3)),
        {"a": np.float32(3), "b": 2 * ones(3)},
        None,
    ],
    ids=["order", "keys", "fewer", "view", "deeper", "list", "tuple", "subclass", "items", "named", "scalar", "none"],
)
def test_other_nests_are_not_mistaken(other):
    def total(nest):
        values = list(nest.values()) if isinstance(nest, dict) else list(nest or ())
        leaves = [each[0] if isinstance(each, list) else each for each in values]
        return sum((leaf * (k + 1) for k, leaf in enumerate(leaves)), sw.asarray(ones(1)))

    f = warm(total, {"a": ones(3), "b": 2 * ones(3)})
    assert repeated(f) > 0
    np.testing.assert_array_equal(f(other), sw.jit(total)(other))


def test_constants_that_python_compares_take_the_long_way():
    f = warm(lambda x, kind: x.astype(kind), ones(3), np.dtype(np.int32))
    assert repeated(f) == 0 and f(ones(3), np.dtype(np.int64)).dtype == np.int64


def test_many_arrays():
    given = [ones(k % 3 + 1) * k for k in range(300)]
    f = warm(lambda arrays: [each + 1 for each in arrays], given)
    before = repeated(f)
    results = f(given)
    assert before > 0 and repeated(f) == before + 1
    assert all((result == each + 1).all() for result, each in zip(results, given, strict=True))


# Classes of named tuples that change their items


class Swapped(Pair):
    """Holds its items in reverse order."""

    def __new__(cls, first, second):
        return super().__new__(cls, second, first)


class Backwards(Pair):
    """Yields its items in reverse order."""

    def __iter__(self):
        return iter((self[1], self[0]))


class Counted(tuple):
    """Has field names that its class does not have."""

    def __init__(self, items):
        self._fields = tuple(f"item{k}" for k in range(len(items)))


def test_a_class_that_orders_its_items_gets_results_of_the_right_sizes():
    def both(x, y):
        return Swapped(x + 1, y * 3)

    given = ones(3), ones(500)
    result, expected = warm(both, *given)(*given), sw.jit(both)(*given)
    np.testing.assert_array_equal(result.first, expected.first)
    np.testing.assert_array_equal(result.second, expected.second)


@pytest.mark.parametrize("pair", [Backwards(ones(4), 3 * ones(4)), Swapped(3 * ones(4), ones(4))])
def test_a_class_that_orders_its_items_gives_the_same_on_both_ways(pair):
    def difference(pair):
        return pair[0] - 2 * pair[1]

    np.testing.assert_array_equal(warm(difference, pair)(pair), sw.jit(difference)(pair))


def test_tuples_whose_class_has_no_names_are_made_as_ever():
    f = warm(lambda x: Counted((x + 1, x)), ones(3))
    assert type(f(ones(3))) is Counted and len(f(ones(3))) == 2


def test_a_class_that_refuses_its_items_leaves_no_references():
    class Small(Pair):
        def __new__(cls, first, second):
            if isinstance(first, np.ndarray) and first[0] > 5:
                raise OverflowError("too large")
            return super().__new__(cls, first, second)

    f, x = warm(lambda x: [x * 1, Small(x + 1, None), {"x": x * 1}], ones(4)), 9 * ones(4)
    before = sys.getrefcount(x), sys.getrefcount(Small)
    for _ in range(50):
        with pytest.raises(OverflowError, match="too large"):
            f(x)
    assert (sys.getrefcount(x), sys.getrefcount(Small)) == before


def test_a_class_that_refers_to_the_function_does_not_keep_it():
    def made():
        class Result(NamedTuple):
            value: Any

            def again(self):
                return f(self.value)

        f = warm(lambda x: Result(x + 1), ones(3))
        assert repeated(f) > 0
        return weakref.ref(f), weakref.ref(Result)

    references = made()
    gc.collect()
    assert [reference() for reference in references] == [None, None]


# Arrays that are given away


def step(params, x):
    return [each + x for each in params], sum((each * x).sum() for each in params)


def test_results_go_to_what_is_given_away():
    params = [ones(40), ones(40), ones(40)]
    f = warm(step, [each.copy() for each in params], ones(40), donate_argnums=0)
    before = repeated(f)
    results, total = f(params, ones(40))
    assert repeated(f) == before + 1 > 1 and total == 120
    assert all(result is each and (each == 2).all() for result, each in zip(results, params, strict=True))


@pytest.mark.parametrize("which", ["read-only", "twice", "other argument", "parts"])
def test_what_cannot_be_given_away_is_copied(which):
    f = warm(step, [ones(40), ones(40), ones(40)], ones(40), donate_argnums=0)
    base, x = ones(60), ones(40)
    params = {
        "read-only": [ones(40), ones(40), ones(40)],
        "twice": [base[:40], ones(40), base[:40]],
        "other argument": [x, ones(40), ones(40)],
        "parts": [base[20:], ones(40), base[:40]],
    }[which]
    params[0].flags.writeable = which != "read-only"
    before = repeated(f)
    results, total = f(params, x)
    assert repeated(f) == before and total == 120
    assert all((result == 2).all() for result in results) and not np.shares_memory(results[0], results[2])
    assert (params[0] == 1).all() and (x == 1).all()


def test_empty_arrays_share_nothing():
    base = ones(4)
    f = warm(lambda p, x: p + x, ones(0), ones(0), donate_argnums=0)
    before = repeated(f)
    f(base[2:2], base[1:1])
    assert repeated(f) == before + 1 > 1


def test_a_check_that_fails_names_its_line_once_arrays_are_given_away():
    f = warm(lambda counts, by: counts // by, np.arange(8), np.ones(8, np.int64), donate_argnums=0)
    assert repeated(f) > 0
    with pytest.raises(ZeroDivisionError, match=r"test_warm_calls_nested.py:\d+:\d+: integer division by zero"):
        f(np.arange(8), np.arange(8))


def test_a_training_step_gives_the_same_numbers_on_both_ways():
    def train(params, x):
        loss, gradient = sw.value_and_grad(lambda w, x: ((x @ w - 1) ** 2).mean())(params, x)
        return loss, params - 0.1 * gradient

    x = np.random.default_rng(0).standard_normal((8, 4)).astype(np.float32)
    f, expected = sw.jit(train, donate_argnums=0), sw.jit(train)
    w, v = ones(4), ones(4)
    for _ in range(2 * CALLS_BEFORE):
        loss, w = f(w, x)
        with_copies, v = expected(v.copy(), x)
        assert loss == with_copies and (w == v).all()
    assert repeated(f) > 0


# References


def test_references_are_given_back():
    given = {"a": ones(8), "b": [ones(8)]}
    key = next(iter(given))
    f = warm(lambda nest: {"r": (nest["a"] + nest["b"][0], None)}, given)
    (plans,) = (each.warm._plans for each in f._compiled.values())
    watched = (given, given["a"], given["b"], given["b"][0], key, plans[0])
    before = [sys.getrefcount(each) for each in watched]
    for _ in range(200):
        f(given)
    assert [sys.getrefcount(each) for each in watched] == before


def test_what_is_given_away_is_given_back():
    params = [ones(100)]
    f = warm(step, params, ones(100), donate_argnums=0)
    before = sys.getrefcount(params[0])
    for _ in range(100):
        f(params, ones(100))
    after = sys.getrefcount(params[0])
    assert after == before


@pytest.mark.parametrize("other", [{"a": 5 * ones(6), "n": 2}, {"a": ones(3), "n": 3}, {"b": ones(3), "n": 2}])
def test_arguments_that_change_during_the_call_that_is_remembered(other):
    nest = {"a": ones(3), "n": 2}

    class Meddler(Pair):
        """Changes the arguments once there is a result, as another thread could."""

        def __new__(cls, first, second):
            if isinstance(first, np.ndarray):
                nest.clear()
                nest.update(other)
            return super().__new__(cls, first, second)

    def function(nest):
        first, count = nest.values()
        return Meddler(first.sum() * count, first + ("b" in nest))

    f = sw.jit(function)
    for _ in range(CALLS_BEFORE):
        nest = {"a": ones(3), "n": 2}
        f(nest)
    result, expected = f(other), sw.jit(function)(other)
    assert result.first == expected.first
    np.testing.assert_array_equal(result.second, expected.second)


def test_a_list_that_another_thread_empties_meanwhile():
    given = [ones(300, 300), ones(300, 300)]
    f = warm(lambda arrays: arrays[0] @ arrays[1], given)
    stop = threading.Event()

    def meddle():
        while not stop.is_set():
            given[:] = [ones(300, 300), ones(300, 300)]

    thread = threading.Thread(target=meddle)
    thread.start()
    try:
        assert all((f(given) == 300).all() for _ in range(100))
    finally:
        stop.set()
        thread.join()
