"""Donated arguments: results in their memory equal results in fresh memory, for all orders of reads and all kinds of arrays."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest
import stepwell as sw

# Functions of p, v (n x n) and x (n), of which p and v are donated. Some of them need a copy.
FUNCTIONS: dict[str, Callable[..., Any]] = {
    "elementwise": lambda p, v, x: (p - 0.1 * v, v * 2 + p),
    "exchanged": lambda p, v, x: (v, p),
    "in another order": lambda p, v, x: (v + 1, p * 2),
    "transposed": lambda p, v, x: (p.T, v - p.T),
    "flipped": lambda p, v, x: (sw.flip(p, axis=0), p @ v),
    "product": lambda p, v, x: (p @ v, v @ p),
    "read before": lambda p, v, x: (p - (p @ v), v, sw.sum(p, axis=1)),
    "read after": lambda p, v, x: (sw.exp(p), v - p[::-1], p @ x),
    "row by row": lambda p, v, x: (sw.softmax(p, axis=-1), sw.cumulative_sum(v, axis=0)),
    "unchanged": lambda p, v, x: (p, v + x),
    "scattered": lambda p, v, x: (sw.scatter(p, np.array([0, 2, 0]), v[:3], axis=0, op="add"), v),
    "set": lambda p, v, x: (sw.scatter(p, np.array([1]), x[None, :], axis=0), sw.sum(p) + v),
    "twice": lambda p, v, x: (p + v, p + v),
    "one result": lambda p, v, x: p * sw.max(p) + x,
    "nothing fits": lambda p, v, x: (sw.sum(p), x),
}


def arguments() -> list[Any]:
    generator = np.random.default_rng(1)
    return [generator.normal(size=shape) for shape in ((5, 5), (5, 5), (5,))]


def results(value: Any) -> list[Any]:
    return list(value) if isinstance(value, tuple) else [value]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_results_are_those_of_fresh_memory(name: str):
    function = FUNCTIONS[name]
    expected = results(sw.jit(function, target="interpret")(*arguments()))
    given = arguments()
    found = results(sw.jit(function, static=True, donate_argnums=(0, 1))(*given))
    for mine, wanted in zip(found, expected, strict=True):
        np.testing.assert_allclose(mine, wanted, rtol=1e-9, atol=1e-12)
    matrices = [each for each in found if each.shape == (5, 5)]
    assert all(any(each is array for array in given[:2]) for each in matrices[:2])
    assert np.array_equal(given[2], arguments()[2])


@pytest.mark.parametrize("name", ["elementwise", "product", "row by row"])
def test_arrays_that_cannot_be_written_to_in_place(name: str):
    """Each result is right. Arrays that cannot take a result remain unchanged, and so do arguments that were not donated."""
    function = FUNCTIONS[name]
    compiled = sw.jit(function, donate_argnums=(0, 1))
    p, v, x = arguments()

    def check(p: Any, v: Any, x: Any) -> list[Any]:
        expected = results(sw.jit(function, target="interpret")(p.copy(), v.copy(), x.copy()))
        found = results(compiled(p, v, x))
        for mine, wanted in zip(found, expected, strict=True):
            np.testing.assert_allclose(mine, wanted, rtol=1e-9, atol=1e-12)
        return found

    strided = np.asfortranarray(p)
    assert check(strided, v.copy(), x)[0] is not strided and np.array_equal(strided, p)
    fixed = p.copy()
    fixed.flags.writeable = False
    assert check(fixed, v.copy(), x)[0] is not fixed and np.array_equal(fixed, p)
    same = p.copy()
    found = check(same, same, x)
    assert not np.shares_memory(*found) and np.array_equal(same, p)
    memory = np.random.default_rng(3).normal(size=40)
    before = memory.copy()
    check(memory[:25].reshape(5, 5), memory[10:35].reshape(5, 5), x)
    assert np.array_equal(memory, before)
    row = memory[5:10]
    check(memory[:25].reshape(5, 5), v.copy(), row)
    assert np.array_equal(memory, before)


def test_lazy_tensors_stay_as_they_are():
    lazy = sw.asarray(np.ones(3))
    assert list(sw.jit(lambda p: p + 1, donate_argnums=0)(lazy)) == [2, 2, 2]
    assert list(lazy.numpy()) == [1, 1, 1]


def test_tensors_of_torch_are_written_into():
    torch = pytest.importorskip("torch")
    p = torch.ones(3)
    found = sw.jit(lambda p: p + 1, donate_argnums=0)(p)
    assert found.data_ptr() == p.data_ptr() and p.tolist() == [2, 2, 2]


def test_nested_arguments_go_to_results_in_their_place():
    """Each of two results of one type goes to the memory of the argument of its name, in any order of the arguments."""

    @sw.jit(donate_argnums=(0, 1))
    def step(params: Any, state: Any, rate: Any) -> Any:
        velocity = {name: 0.5 * state["velocity"][name] + rate for name in params}
        moved = {name: params[name] - velocity[name] for name in params}
        return {"velocity": velocity}, moved

    params = {"a": np.zeros(3), "b": np.zeros(3)}
    state = {"velocity": {"a": np.zeros(3), "b": np.ones(3)}}
    after, moved = step(params, state, 1.0)
    assert moved["a"] is params["a"] and moved["b"] is params["b"]
    assert after["velocity"]["b"] is state["velocity"]["b"]
    assert list(moved["b"]) == [-1.5] * 3 and list(after["velocity"]["b"]) == [1.5] * 3


def test_a_training_step_makes_no_copies():
    """Parameters and velocities are updated in place: the program's temporaries are those of the gradients."""
    params = {"w": np.zeros((64, 32), np.float32)}
    optimizer = sw.optim.SGD(0.1, momentum=0.9)

    def step(params: Any, state: Any, x: Any) -> Any:
        grads = sw.grad(lambda p: sw.sum(sw.square(sw.tanh(x @ p["w"].T))))(params)
        return optimizer.update(params, grads, state)

    arguments = params, optimizer.init(params), np.zeros((16, 32), np.float32)
    texts = [sw.jit(step, donate_argnums=given).lower(*arguments).ir("loop") for given in ((0, 1), ())]
    assert texts[0].count("loop.alloc") == texts[1].count("loop.alloc")
    for name in ("params_w", "state_velocity_w"):
        assert f"loop.load %{name}[" not in texts[0] and f"loop.load %{name}[" in texts[1]


def test_rows_that_a_product_updates_in_place_are_prefetched_once():
    """Each row of a tile is prefetched up to the line that it ends in, and not again for the stores."""
    x, z = np.ones((64, 256), np.float32), np.ones((256, 256), np.float32)
    scheduled = sw.lower(lambda x, z: z - x.T @ x, x, z, donate_argnums=1, static=True).ir("scheduled")
    assert scheduled.count("loop.prefetch %out") == scheduled.count("loop.prefetch") == 2


def test_mistakes_are_named():
    with pytest.raises(ValueError, match="argument 2 is to be donated, but there are 1 positional arguments"):
        sw.jit(lambda p: p, donate_argnums=2)(np.ones(3))


def test_a_module_in_text():
    text = """
    func.func @f(%p: tensor<3xf32>) -> tensor<3xf32> attributes {sw.donated = array<i64: 0>} {
      %0 = uop.map "exp"(%p) : (tensor<3xf32>) -> tensor<3xf32>
      func.return %0 : tensor<3xf32>
    }"""
    p = np.zeros(3, np.float32)
    assert sw.compile(text)(p) is p and list(p) == [1, 1, 1]
    lowered = sw.compile(text, pipeline="lower-uop-to-loop")  # loops that read and write different buffers
    assert lowered(p) is not p


@pytest.mark.skipif(not (find_spec("triton") and find_spec("torch")), reason="Triton and torch are not installed")
@pytest.mark.parametrize("name", FUNCTIONS)
def test_donated_arguments_of_kernels(name):
    """On a GPU, or in Triton's interpreter, where arrays of NumPy are donated, too."""
    generator = np.random.default_rng(1)
    given = [generator.normal(size=shape).astype("float32") for shape in ((33, 33), (33, 33), (33,))]
    wanted = results(sw.jit(FUNCTIONS[name], target="interpret")(*given))
    found = results(sw.jit(FUNCTIONS[name], target="triton-interpret", static=True, donate_argnums=(0, 1))(*given))
    for ours, theirs in zip(found, wanted, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-4, atol=1e-4)
    memory = [each.ctypes.data for each in given[:2]]
    taken = [each for each in found if each.shape == (33, 33)][:2]
    assert sorted(each.ctypes.data for each in taken) == sorted(memory[: len(taken)])
