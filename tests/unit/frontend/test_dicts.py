"""Dicts and OrderedDicts among arguments, results and parameters, which keep their classes."""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import stepwell as sw
from stepwell.runtime.cpu.warm_calls import CALLS_BEFORE


def swapped(given: Any) -> OrderedDict[str, Any]:
    assert type(given) is OrderedDict and type(given["a"]) is dict
    return OrderedDict(y=given["b"] + 1, x={"a": given["a"]["x"]})


def test_ordered_dicts_stay_what_they_are():
    """Dicts keep their classes in calls that are repeated natively, and next to plain dicts with the same keys."""
    f, plain = sw.jit(swapped), sw.jit(lambda given: {"a": given["b"]})
    given: OrderedDict[str, Any] = OrderedDict(b=np.ones(2), a={"x": np.ones(3)})
    for _ in range(CALLS_BEFORE + 2):
        found = f(given)
        assert type(found) is OrderedDict and list(found) == ["y", "x"] and type(found["x"]) is dict
        np.testing.assert_array_equal(found["y"], given["b"] + 1)
        assert type(plain(given)) is dict
    with pytest.raises(AssertionError):
        f(dict(given))


def test_parameters_in_ordered_dicts_are_trained():
    params = OrderedDict(w=np.arange(3.0), b=np.ones(3))
    grads = sw.grad(lambda params: sw.sum(params["w"] * params["b"]))(params)
    assert type(grads) is OrderedDict and list(grads) == ["w", "b"]
    optimizer = sw.optim.SGD(0.1)
    updated, _ = optimizer.update(params, dict(grads), optimizer.init(params))
    assert type(updated) is OrderedDict
    np.testing.assert_allclose(updated["w"].numpy(), params["w"] - 0.1 * params["b"], rtol=1e-6)


def test_the_carry_of_a_scan_keeps_its_class():
    start = OrderedDict(a=np.array(1.0), b=np.array(2.0))
    last, _ = sw.scan(lambda c, x: ({"b": c["a"] + x, "a": c["b"]}, None), start, np.ones(3))
    assert type(last) is OrderedDict and list(last) == ["a", "b"]
    assert (last["a"].item(), last["b"].item()) == (3.0, 3.0)


@pytest.mark.parametrize("kind", [lambda: defaultdict(list, a=np.ones(2)), lambda: Counter(a=1)])
def test_other_dicts_are_refused(kind: Callable[[], Any]):
    given, name = kind(), type(kind()).__name__
    message = f"expected dicts of the class dict or OrderedDict, got {name} with the keys 'a'"
    with pytest.raises(TypeError, match=message):
        sw.jit(lambda given: given["a"])(given)
    with pytest.raises(TypeError, match=message):
        sw.jit(lambda x: given)(np.ones(2))
