"""The structure of gradients after the default pipeline: blocks, temporaries, and the values that the backward pass reads."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
import stepwell as sw
from stepwell.frontend.lowered.function import Lowered

ROWS, ROW = sw.Spec(("n", "m")), sw.Spec("m")
IMAGES = sw.Spec(("n", "c", "h", "w"))
BY_WEIGHTS = sw.Spec(("n", "k")), sw.Spec(("k", "m"))


class Case(NamedTuple):
    """A function, its arguments, by all of which it is differentiated, and its result; the most blocks and temporaries of the
    gradients."""

    function: Callable[..., Any]
    specs: tuple[sw.Spec, ...]
    result: sw.Spec
    blocks: int
    temporaries: int


# The pre-activation of a linear layer is recomputed, in one more block. The gradient by the input of a strided convolution is a
# product for each phase of the stride, whose results are interleaved. The others read only their arguments and the cotangent.
CASES = {
    "product": Case(lambda x, w: x @ w, BY_WEIGHTS, ROWS, 2, 0),
    "linear": Case(lambda x, w, b: sw.relu(x @ w + b), (*BY_WEIGHTS, ROW), ROWS, 4, 1),
    "convolution": Case(
        lambda x, w: sw.conv2d(x, w), (IMAGES, sw.Spec(("o", "c", 3, 3))), sw.Spec(("n", "o", "h - 2", "w - 2")), 2, 0
    ),
    "convolution with steps and padding": Case(
        lambda x, w: sw.conv2d(x, w, stride=2, padding=1), (IMAGES, sw.Spec(("o", "c", 3, 3))),
        sw.Spec(("n", "o", "(h - 1) // 2 + 1", "(w - 1) // 2 + 1")), 6, 4,  # the phases of 4, 2, 2 and 1 elements
    ),
    "convolution with symbolic windows": Case(
        lambda x, w: sw.conv2d(x, w), (IMAGES, sw.Spec(("o", "c", "k", "l"))),
        sw.Spec(("n", "o", "h - k + 1", "w - l + 1")), 2, 0,
    ),
    "greatest of windows": Case(lambda x: sw.max_pool2d(x, 2), (IMAGES,), sw.Spec(("n", "c", "h // 2", "w // 2")), 1, 0),
    "softmax": Case(lambda x: sw.softmax(x, axis=1), (ROWS,), ROWS, 1, 0),
    "elementwise": Case(lambda x, y: sw.exp(x) * sw.tanh(y), (ROWS, ROWS), ROWS, 1, 0),
}  # fmt: skip


def backward(case: Case) -> Lowered:
    """The gradients by all arguments, given the cotangent of the result."""

    def gradients(*given: Any) -> Any:
        *values, cotangent = given
        return sw.grad(lambda *xs: sw.sum(case.function(*xs) * cotangent), tuple(range(len(values))))(*values)

    return sw.lower(gradients, *case.specs, case.result, trace=False)


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_blocks_and_temporaries(case: Case):
    found = backward(case).structure()
    assert found.blocks <= case.blocks and found.temporaries <= case.temporaries
    assert max(found.ranks, default=0) <= 5


def test_products_read_their_operands_where_they_lie():
    """No operand is transposed: both gradients are contractions of the arguments and the cotangent."""
    assert "uop.reduce" in backward(CASES["product"]).ir("uop")
    loops = backward(CASES["product"]).ir("loop")
    assert loops.count("loop.alloc") == 0 and loops.count("loop.store") == 2


def test_a_convolution_is_read_back_without_a_scatter():
    text = backward(CASES["convolution with steps and padding"]).ir("uop")
    assert "uop.scatter" not in text and "loop.update" not in backward(CASES["convolution"]).ir("loop")


@pytest.mark.parametrize(("size", "stride"), [(2, 2), (3, 2)])
def test_windows_are_read_back_without_divisions(size: int, stride: int):
    """The windows of an element are known for each remainder of its index; the code is unrolled over the remainders."""
    images, windows = sw.Spec((1, 1, 16, 16)), sw.Spec((1, 1, (16 - size) // stride + 1, (16 - size) // stride + 1))
    case = Case(lambda x: sw.max_pool2d(x, size, stride=stride), (images,), windows, 1, 0)
    assert "floordiv" in backward(case).ir("loop")
    assert not re.search(r"\[[^\]]*[/%>&]", backward(case).source()), "no address is divided"


def test_a_block_of_a_network_has_no_buffer_of_more_than_five_axes():
    def block(x: Any, w: Any, scale: Any, shift: Any) -> Any:
        mean, var = sw.batch_statistics(sw.conv2d(x, w, padding=1))
        normalised = sw.batch_norm(sw.conv2d(x, w, padding=1), mean, var, scale, shift)
        return sw.sum(sw.square(sw.max_pool2d(sw.relu(normalised), 2)))

    weight, channels = sw.Spec(("o", "c", 3, 3)), sw.Spec("o")
    low = sw.lower(sw.grad(block, (0, 1, 2, 3)), IMAGES, weight, channels, channels, trace=False)
    assert max(low.structure().ranks) <= 5


def test_only_what_was_broadcast_is_summed():
    text = backward(CASES["elementwise"]).ir("uop")
    assert "uop.reduce" not in text and "uop.reindex" not in text


def pulled_back(function: Callable[[Any], Any]) -> dict[str, list[str]]:
    """The operations of an elementwise function with its gradient along a cotangent `c`, by name, each with its line."""

    def both(x: Any, c: Any) -> Any:
        return function(x), sw.grad(lambda y: sw.sum(function(y) * c))(x)

    text = sw.lower(both, sw.Spec("n"), sw.Spec("n"), trace=False).ir("uop")
    found: dict[str, list[str]] = {}
    for line in text.splitlines():
        if "uop.map" in line:
            found.setdefault(line.split('"')[1], []).append(line)
    return found


@pytest.mark.parametrize("name", ["exp", "tanh", "sqrt"])
def test_where_the_result_tells_the_derivative_nothing_else_is_read(name: str):
    """The argument is read once, for the result."""
    operations = pulled_back(getattr(sw, name))
    assert [name for name, lines in operations.items() for line in lines if "%x" in line] == [name]
    assert len(operations[name]) == 1


def test_an_exponential_takes_one_product_back():
    assert {name: len(lines) for name, lines in pulled_back(sw.exp).items()} == {"exp": 1, "mul": 1}


def cut_off(x: sw.Tensor) -> sw.Tensor:
    return sw.where(x > 0, x, 0.0)


@pytest.mark.parametrize(("function", "test"), [(sw.relu, "le"), (cut_off, "gt")])
def test_the_result_of_a_rectifier_tells_its_derivative(function: Any, test: str):
    """The argument need not be saved; for any other condition, the backward pass tests what the forward pass tested."""
    operations = pulled_back(function)
    assert {name: len(lines) for name, lines in operations.items()} == {test: 2, "select": 2}
    result = operations["select"][0].split()[0]
    assert f"({result}," in operations[test][1]


@pytest.mark.parametrize(
    "function",
    [
        lambda x: sw.where(x < 0, 0.0, x),  # the result is 0 where x is, too
        lambda x: sw.where(x <= 0, 1.0, x),
        lambda x: sw.where(x <= 1, 0.0, x),
        lambda x: sw.where(x <= 0, x, 0.0),
        lambda x: sw.where(x > 0, 0.0, x),
    ],
)
def test_other_choices_are_made_once(function: Any):
    assert sum(len(lines) for name, lines in pulled_back(function).items() if name in ("le", "lt", "gt")) == 1
