"""`sw.scan`: functions of tensors run step after step, on every level and target, with their gradients; and its errors."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import stepwell as sw
from stepwell.dialects import make_context
from stepwell.ir.diagnostics import ShapeError
from stepwell.ir.functions.entry import entry_function
from stepwell.ir.text.parser import parse_module
from stepwell.lowering import all_passes
from stepwell.lowering.driver import lower
from stepwell.passes.manager.pass_manager import PassManager
from stepwell.runtime.interpret.loop import run_loops
from stepwell.runtime.interpret.tile import run_tile
from stepwell.tests.unit.on_gpu import TRITON

TARGETS = ("interpret", "cpu", TRITON)
LENGTHS = (0, 1, 2, 5)


def normal(*shape: int) -> Any:
    return np.random.default_rng(len(shape)).normal(size=shape)


def cell(hidden: Any, entry: Any, weight: Any) -> Any:
    return sw.tanh(hidden @ weight + entry)


def run(x: Any, hidden: Any, weight: Any) -> Any:
    """A recurrent layer: products with the same tensors in all steps, a carry, and a sum of the carry in each step."""

    def step(hidden: Any, entry: Any) -> Any:
        hidden = cell(hidden, entry, weight)
        return hidden, sw.sum(hidden, axis=-1)

    return sw.scan(step, hidden, x)


def expected(x: Any, hidden: Any, weight: Any) -> Any:
    sums = np.zeros(x.shape[:2])
    for k, entry in enumerate(x):
        hidden = np.tanh(hidden @ weight + entry)
        sums[k] = hidden.sum(-1)
    return hidden, sums


def swapping(x: Any, reverse: bool) -> Any:
    """Carries that swap, in nested values, with entries from both of them."""

    def step(carry: Any, entry: Any) -> Any:
        return {"b": carry["a"] + entry[0], "a": carry["b"]}, (carry["a"] * entry[0], [carry["b"]])

    return sw.scan(step, {"a": x[0], "b": x[1]}, (x,), reverse=reverse)


@pytest.mark.parametrize("target", TARGETS)
def test_any_number_of_steps_is_compiled_once(target: str):
    function = sw.jit(run, target=target)
    x, hidden, weight = normal(5, 3, 4), normal(3, 4), normal(4, 4)
    for length in (5, *LENGTHS):
        found = function(x[:length].copy(), hidden, weight)
        for mine, theirs in zip(found, expected(x[:length], hidden, weight), strict=True):
            np.testing.assert_allclose(mine, theirs, rtol=1e-12, atol=1e-12)
    assert function.stats().compiles == 1


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("reverse", [False, True])
def test_carries_change_places(reverse: bool, target: str):
    function = sw.jit(lambda x: swapping(x, reverse), target=target)
    for length in (2, 3, 6):
        x = normal(length, 3)
        a, b, products, second = x[0], x[1], np.empty_like(x), np.empty_like(x)
        for k in reversed(range(length)) if reverse else range(length):
            products[k], second[k] = a * x[k], b
            a, b = b, a + x[k]
        last, (found, (found_second,)) = function(x)
        for mine, theirs in ((last["a"], a), (last["b"], b), (found, products), (found_second, second)):
            np.testing.assert_allclose(mine, theirs, rtol=1e-12)


@pytest.mark.parametrize("level", ["loop", "scheduled", "cloop", "tile"])
def test_every_level_means_the_same(level: str):
    x, hidden, weight = normal(5, 3, 4), normal(3, 4), normal(4, 4)
    target = "cuda" if level == "tile" else "cpu"
    ctx, text = make_context(), sw.lower(run, x, hidden, weight, target="interpret").ir("uop")
    module = parse_module(text, ctx)
    for _ in lower(module, ctx, target, until=level, manager=lambda passes: PassManager.parse(passes, ctx, all_passes())):
        pass
    params = {"s0": 5, "s1": 3, "s2": 4}
    outputs = [np.empty((3, 4)), np.empty((5, 3))]
    if level == "tile":
        run_tile(module, [x, hidden, weight, *outputs], params)
    else:
        run_loops(entry_function(module), [x, hidden, weight, *outputs], params)
    for mine, theirs in zip(outputs, expected(x, hidden, weight), strict=True):
        np.testing.assert_allclose(mine, theirs, rtol=1e-5 if level == "tile" else 1e-12)


def nested(x: Any, weight: Any) -> Any:
    """A scan in the step of another one, between other operations."""

    def outer(carry: Any, entries: Any) -> Any:
        last, _ = sw.scan(lambda inner, entry: (cell(inner, entry, weight), None), carry * 0.5, entries)
        return last, sw.cos(last) * carry

    return sw.scan(outer, sw.zeros_like(x[0, 0]), x)[1]


def nested_numpy(x: Any, weight: Any) -> Any:
    carry, found = np.zeros_like(x[0, 0]), []
    for entries in x:
        last = carry * 0.5
        for entry in entries:
            last = np.tanh(last @ weight + entry)
        found.append(np.cos(last) * carry)
        carry = last
    return np.array(found)


def test_long_products_with_weights_that_all_steps_share():
    """Their panels are packed before the first step, for all blocks of the sum."""
    arguments = normal(2, 13, 700) / 8, normal(13, 700) / 8, normal(700, 700) / 40
    for a, b in zip(sw.jit(run, static=True)(*arguments), expected(*arguments), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-9)

    def loss(x: Any, hidden: Any, weight: Any) -> Any:
        last, sums = run(x, hidden, weight)
        return sw.sum(last**2) + sw.sum(sums)

    gradient = sw.grad(loss, argnums=(0, 1, 2))
    found, right = (sw.jit(gradient, target=target, static=True)(*arguments) for target in ("cpu", "interpret"))
    for a, b in zip(found, right, strict=True):
        assert np.abs(a - b).max() <= 1e-9 * np.abs(b).max()


@pytest.mark.parametrize("target", ["interpret", "cpu"])
def test_scans_in_scans(target: str):
    x, weight = normal(4, 2, 5, 3), normal(3, 3)
    np.testing.assert_allclose(sw.jit(nested, target=target)(x, weight), nested_numpy(x, weight), rtol=1e-12, atol=1e-12)


def test_batches_of_scans():
    x, weight = normal(3, 4, 2, 5, 3), normal(3, 3)
    found = sw.jit(sw.vmap(nested, in_axes=(0, None)))(x, weight)
    np.testing.assert_allclose(found, [nested_numpy(each, weight) for each in x], rtol=1e-12, atol=1e-12)
    gradient = sw.grad(lambda x, weight: sw.sum(nested(x, weight)), argnums=1)
    found = sw.jit(sw.vmap(gradient, in_axes=(None, 0)))(x[0], np.stack([weight, 2 * weight]))
    np.testing.assert_allclose(found, [gradient(x[0], factor * weight) for factor in (1, 2)], rtol=1e-9, atol=1e-12)


def test_a_length_takes_the_place_of_entries():
    last, found = sw.jit(lambda x: sw.scan(lambda carry, _: (carry * 0.5, carry), x, length=3))(np.array([4.0, 8.0]))
    assert last.tolist() == [0.5, 1.0]
    assert found.tolist() == [[4.0, 8.0], [2.0, 4.0], [1.0, 2.0]]


def test_entries_of_two_names_are_as_many():
    """The trace assumes that both arguments have as many entries, which each call checks."""
    function = sw.jit(
        lambda x, y: sw.scan(lambda total, entry: (total + entry["a"] * entry["b"], None), 0.0, {"a": x, "b": y})[0]
    )
    assert function(np.arange(3.0), np.ones(3)) == 3
    with pytest.raises(ShapeError, match="expected"):
        function(np.arange(3.0), np.ones(2))


def test_numbers_take_the_dtype_that_they_are_carried_on_in():
    for dtype in ("float32", "float64", "int8"):
        total, ones = sw.jit(lambda x: sw.scan(lambda carry, entry: (carry + entry, 1), 0, x))(np.ones(5, dtype))
        assert (total.dtype, total, ones.shape) == (np.dtype(dtype), 5, (5,))


def test_numbers_that_are_carried_on_as_numbers_take_the_dtype_of_these():
    for first, step, last in (
        (0.0, lambda c: c + 1, 3.0),
        (0, lambda c: c + 1, 3),
        (8, lambda c: c * 0.5, 1.0),
        (0, lambda c: 1.5, 1.5),
    ):
        found, before = sw.scan(lambda c, _, step=step: (step(c), c), first, length=3)
        assert (found.numpy(), found.dtype, before.shape) == (last, before.dtype, (3,))
        assert (found.numpy().dtype.kind == "f") is isinstance(last, float)


def test_outside_of_a_trace():
    total, running = sw.scan(lambda total, entry: (total + entry, total * 2), np.zeros(2), np.ones((3, 2)))
    assert total.numpy().tolist() == [3, 3]
    assert running.numpy()[:, 0].tolist() == [0, 2, 4]


def test_an_index_that_is_out_of_range_in_a_step_is_named():
    function = sw.jit(lambda x, index: sw.scan(lambda total, k: (total + x[k], None), 0.0, index)[0])
    x = np.arange(4.0)
    assert function(x, np.array([0, 3, 1])) == 4
    with pytest.raises(IndexError, match=r"test_scan\.py.*: index 4 is out of range"):
        function(x, np.array([0, 4, 1]))
    assert function(x, np.array([3])) == 3


def test_windows_of_known_size_in_a_step():
    """Known sizes are known in the body too: a version for them is a version of the whole program."""

    def smooth(x: Any, kernel: Any) -> Any:
        return sw.scan(lambda image, _: (sw.conv2d(image, kernel, padding=1), sw.sum(image)), x, length=3)

    x, kernel = normal(1, 2, 6, 6), normal(2, 2, 3, 3)
    oracle = sw.jit(smooth, target="interpret")(x, kernel)
    for mine, theirs in zip(sw.jit(smooth)(x, kernel), oracle, strict=True):
        np.testing.assert_allclose(mine, theirs, rtol=1e-12)


def test_what_stands_before_and_behind_steps_stays_there():
    """A product, and rows of it that need the last carry: without the steps between them they would be fused in blocks of
    rows."""

    def attend(q: Any, k: Any, scale: Any) -> Any:
        scores = q @ sw.matrix_transpose(k)
        scale, _ = sw.scan(lambda scale, _: (scale * 0.5 + 1.0, None), scale, length=3)
        return sw.softmax(scores * scale, axis=-1) @ k

    given = normal(70, 8), normal(90, 8), np.float64(0.5)
    np.testing.assert_allclose(sw.jit(attend)(*given), sw.jit(attend, target="interpret")(*given), rtol=1e-9)


def test_what_a_step_needs_is_counted():
    """Without carries only the steps have temporaries."""
    x, weight = normal(5, 3, 4), normal(4, 4)
    low = sw.lower(lambda x, weight: sw.scan(lambda _, entry: ((), entry @ weight @ weight), (), x)[1], x, weight)
    assert (low.structure().blocks, low.structure().ranks) == (2, (2,))
    assert low.memory(threads=1) >= 3 * 4 * 8


def test_what_is_donated_is_read_before_it_is_overwritten():
    function = sw.jit(
        lambda weight, x: weight - sw.scan(lambda c, e: (sw.tanh(c @ weight + e), None), x[0], x)[0], donate_argnums=(0,)
    )
    weight, x = normal(3, 3), normal(4, 3, 3)
    hidden = x[0]
    for entry in x:
        hidden = np.tanh(hidden @ weight + entry)
    np.testing.assert_allclose(function(weight.copy(), x), weight - hidden, rtol=1e-12)


# Products and functions like tanh of each step are saved, also in nested steps.


def unrolled(x: Any, hidden: Any, weight: Any) -> Any:
    total = 0.0
    for k in range(4):
        hidden = cell(hidden, x[k], weight)
        total = total + sw.sum(sw.sum(hidden, axis=-1) ** 2)
    return total + sw.sum(sw.sin(hidden))


def scanned(x: Any, hidden: Any, weight: Any) -> Any:
    last, sums = run(x, hidden, weight)
    return sw.sum(sums**2) + sw.sum(sw.sin(last))


@pytest.mark.covering(1)
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("argnums", [(0, 1, 2), (2,), (0,)])
def test_gradients_are_those_of_the_steps_written_out(argnums: tuple[int, ...], target: str):
    given = normal(4, 2, 3), normal(2, 3), normal(3, 3)
    found = sw.jit(sw.grad(scanned, argnums), target=target)(*given)
    wanted = sw.jit(sw.grad(unrolled, argnums), target="interpret")(*given)
    for mine, theirs in zip(found, wanted, strict=True):
        np.testing.assert_allclose(mine, theirs, rtol=1e-9, atol=1e-12)


def along(function: Callable[[Any], Any], x: Any, direction: Any, step: float = 1e-6) -> float:
    return (float(function(x + step * direction)) - float(function(x - step * direction))) / (2 * step)


@pytest.mark.parametrize("target", ["interpret", "cpu"])
def test_gradients_and_second_derivatives_are_what_differences_say(target: str):
    x, weight, direction = normal(3, 2, 2, 3), normal(3, 3), np.random.default_rng(9).normal(size=(3, 3))

    def loss(weight: Any) -> Any:
        return sw.sum(nested(x, weight) ** 2)

    def steepness(weight: Any) -> Any:
        return sw.sum(sw.grad(loss)(weight) ** 2)

    for function in (loss, steepness):
        gradient = sw.jit(sw.grad(function), target=target)(weight)
        difference = along(sw.jit(function, target=target), weight, direction)
        np.testing.assert_allclose((gradient * direction).sum(), difference, rtol=1e-6)


def test_forward_mode():
    given = normal(4, 2, 3), normal(2, 3), normal(3, 3)
    tangents = tuple(np.random.default_rng(8).normal(size=each.shape) for each in given)
    _, found = sw.jvp(scanned, given, tangents)
    step = 1e-6
    values = [sw.jit(scanned)(*(x + sign * step * t for x, t in zip(given, tangents, strict=True))) for sign in (1, -1)]
    np.testing.assert_allclose(found, (values[0] - values[1]) / (2 * step), rtol=1e-6)


def test_integer_carries_count_and_have_no_gradient():
    def weighted(x: Any) -> Any:
        def step(carry: Any, entry: Any) -> Any:
            count, total = carry
            return (count + 1, total + entry * sw.astype(count, "float64")), count

        (count, total), counts = sw.scan(step, (0, 0.0), x)
        return total**2, (count, counts)

    (value, (count, counts)), gradient = sw.jit(sw.value_and_grad(weighted, has_aux=True))(np.ones(4))
    assert (value, count, counts.tolist()) == (36, 4, [0, 1, 2, 3])
    np.testing.assert_allclose(gradient, 12 * np.arange(4))


def test_nothing_is_kept_for_a_gradient_that_nobody_asks_for():
    given = normal(4, 2, 3), normal(2, 3), normal(3, 3)
    text = sw.lower(scanned, *given, target="interpret").ir("uop")
    assert text.count("uop.iterate") == 1
    assert "-> tensor<?x?xf64, #sw.shape<[s1, s2]>>, tensor<?x?xf64, #sw.shape<[s0, s1]>> {" in text


def test_the_gradient_of_a_weight_is_one_sum_over_all_steps():
    given = normal(4, 2, 3), normal(2, 3), normal(3, 3)
    text = sw.lower(sw.grad(scanned, 2), *given, target="interpret").ir("uop")
    behind = text[text.index("uop.yield", text.rindex("uop.iterate")) :]
    assert re.search(r'uop.reduce "add" %\w+ axes \[\d : i64, \d : i64\]', behind), behind
    weights = re.compile(r"iterate.*tensor<\?x\?xf64, #sw.shape<\[s2, s2\]>> \{")
    assert not any(weights.search(line.partition(" times ")[2]) for line in text.splitlines())


def test_what_is_dear_in_a_step_is_computed_once():
    """Products and functions like tanh of each step are kept, those of steps inside of steps as well."""
    given = normal(4, 2, 3), normal(2, 3), normal(3, 3)
    text = sw.lower(sw.grad(scanned), *given, target="interpret").ir("uop")
    # The backward product, with the transposed weight, is over another axis.
    assert (text.count('uop.map "tanh"'), len(re.findall(r'uop.reduce "add" %\w+ axes \[2 : i64\]', text))) == (1, 1)
    x, weight = normal(3, 2, 2, 3), normal(3, 3)
    text = sw.lower(sw.grad(lambda x, weight: sw.sum(nested(x, weight))), x, weight, target="interpret").ir("uop")
    assert text.count('uop.map "tanh"') == 1


def test_a_step_that_is_a_checkpoint_is_computed_again():
    """Only arguments and results are saved."""

    def loss(step: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
        def total(weight: Any, x: Any) -> Any:
            def advance(carry: Any, entry: Any) -> Any:
                return step(carry, (entry, weight)), None

            return sw.sum(sw.scan(advance, x[0], x)[0] ** 2)

        return total

    def twice(carry: Any, given: Any) -> Any:
        return cell(cell(carry, *given), *given)

    weight, x = normal(3, 3), normal(4, 2, 3)
    kept, again = (
        sw.lower(sw.grad(loss(step)), weight, x, target="interpret").ir("uop") for step in (twice, sw.checkpoint(twice))
    )
    assert (kept.count('uop.map "tanh"'), again.count('uop.map "tanh"')) == (2, 4)
    stacked = re.compile(r"-> (.*) \{")
    assert len(stacked.findall(again)[1].split("tensor")) < len(stacked.findall(kept)[1].split("tensor"))
    found, wanted = sw.grad(loss(sw.checkpoint(twice)))(weight, x), sw.grad(loss(twice))(weight, x)
    np.testing.assert_allclose(found, wanted, rtol=1e-12)


def test_a_backward_pass_of_ones_own_in_a_step():
    """The residuals belong to the same step; the forward steps compute them."""

    @sw.custom_vjp
    def doubling(x: Any) -> Any:
        return sw.exp(x)

    doubling.defvjp(lambda x: (sw.exp(x), sw.sin(x)), lambda residual, g: (2 * g * residual,))
    x = normal(4, 3)

    def total(x: Any) -> Any:
        return sw.sum(sw.scan(lambda carry, entry: (carry * 0.5, carry * doubling(entry)), x[0], x)[1])

    carries = x[0] * 0.5 ** np.arange(4)[:, None]
    wanted = carries * 2 * np.sin(x)
    wanted[0] += (0.5 ** np.arange(4)[:, None] * np.exp(x)).sum(0)
    np.testing.assert_allclose(sw.jit(sw.grad(total))(x), wanted, rtol=1e-12)


def test_several_gradients_of_the_same_steps():
    """A second pullback uses the values that the first one saved."""

    def rows(x: Any, hidden: Any, weight: Any) -> Any:
        _, pullback = sw.vjp(lambda weight: run(x, hidden, weight), weight)
        zeros, ones = sw.zeros_like(hidden), sw.ones((x.shape[0], x.shape[1]), dtype="float64")
        return pullback((sw.ones_like(hidden), 0 * ones))[0], pullback((zeros, ones))[0]

    given = normal(4, 2, 3), normal(2, 3), normal(3, 3)
    for mine, at in zip(sw.jit(rows)(*given), (0, 1), strict=True):
        wanted = sw.grad(lambda w, at=at: sw.sum(run(*given[:2], w)[at]))(given[2])
        np.testing.assert_allclose(mine, wanted, rtol=1e-10)
    text = sw.lower(rows, *given, target="interpret").ir("uop")
    assert text.count('uop.map "tanh"') == 1


# Errors


def error_of(function: Callable[..., Any], *args: Any) -> str:
    with pytest.raises(ShapeError) as caught:
        sw.jit(function, target="interpret")(*args)
    assert "test_scan.py" in str(caught.value)
    return str(caught.value)


X = np.ones((3, 2))


@pytest.mark.parametrize(
    ("step", "message"),
    [
        (lambda c, e: c, r"a function that returns a pair \(carry, y\), got"),
        (lambda c, e: (c["a"], e), r"nested as the first one, \{'a': \*, 'b': \(\*,\)\}, got \*"),
        (
            lambda c, e: ({**c, "a": e[0]}, e),
            r"carry_a enters with shape \(s1,\) and dtype float64, but is returned with shape \(\)",
        ),
        (
            lambda c, e: ({**c, "b": (sw.astype(c["b"][0], "float32"),)}, e),
            r"carry_b_0 enters with shape \(\) and dtype float64, but is returned with shape \(\) and dtype float32",
        ),
        (lambda c, e: ({**c, "a": sw.concat([e, e])}, e), r"carry_a enters .* returned with shape \(s1 \* 2,\)"),
    ],
)
def test_what_is_not_carried_on_is_named(step: Any, message: str):
    text = error_of(lambda x: sw.scan(step, {"a": x[0], "b": (x[0, 0],)}, x), X)
    assert re.search(message, text), text


def test_entries_and_lengths_that_do_not_fit_are_named():
    def sum_up(total: Any, entry: Any) -> Any:
        return total, None

    assert "dtype int64, but is returned with shape () and dtype bool" in error_of(
        lambda x: sw.scan(lambda c, _: (c > 0, None), 1, x), X
    )
    assert "s0 from xs_a and 2 from xs_b" in error_of(lambda x: sw.scan(sum_up, 0, {"a": x, "b": np.ones(2)}), X)
    assert "7 from length and s0 from xs" in error_of(lambda x: sw.scan(sum_up, 0, x, length=7), X)
    assert "expected xs or a length" in error_of(lambda x: sw.scan(sum_up, x), X)
    assert "xs_1 is a scalar" in error_of(lambda x: sw.scan(sum_up, 0, (x, 1.0)), X)
    assert "a length of at least 0, got -1" in error_of(lambda x: sw.scan(sum_up, x, length=-1), X)


def run_along(fn: Any, start: Any, xs: Any) -> Any:
    """The last carry and all earlier ones; a derivative of these functions needs their results."""
    return sw.scan(lambda carry, x: (fn(carry) * x, carry), start, xs)


PRODUCTS_OF_SCANS = {
    "last carries": lambda h, xs: run_along(sw.tanh, h, xs)[0] * run_along(sw.exp, -h, xs)[0],
    "stacked results": lambda h, xs: sw.sum(run_along(sw.tanh, h, xs)[1] * run_along(sw.sigmoid, h, xs)[1]),
    "one scan's": lambda h, xs: (lambda found: sw.sum(found[1] * found[0]))(run_along(sw.tanh, h, xs)),
    "of another's": lambda h, xs: (lambda first: first * run_along(sw.exp, -first, xs)[0])(run_along(sw.tanh, h, xs)[0]),
}


@pytest.mark.parametrize("name", PRODUCTS_OF_SCANS)
def test_the_gradient_of_a_product_of_scans(name: str):
    """The result of a scan is a factor of the cotangent of another scan, or of its own."""
    xs, step = np.array([1.0, 2.0]), 1e-6

    def function(h: Any) -> Any:
        return PRODUCTS_OF_SCANS[name](h, xs)

    for derivative, below in ((sw.grad(function), sw.jit(function)), (sw.grad(sw.grad(function)), sw.grad(function))):
        found = derivative(np.array(0.7))
        near = [float(below(np.array(0.7 + side))) for side in (step, -step)]
        np.testing.assert_allclose(found, (near[0] - near[1]) / (2 * step), rtol=1e-7, atol=1e-6)
