"""Gradients of functions: `sw.grad` and `sw.value_and_grad`.

A differentiated function is traced inline: its arguments become variables, and an operation requests the gradient, which the
pass `uop-grad` expands. Inside of a jitted function it is part of that function; on arrays and lazy tensors it is compiled as a
jitted function.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ..functions.arguments import argument_numbers
from ..jit import Jitted
from ..tracing.complex_tensors import is_complex
from ..tracing.grad_mode import differentiating
from ..tracing.tensor import Tensor, tensor_of
from ..tracing.tracer import Tracer, current_tracer
from .derived import everywhere
from .variables import Variables, leaves_of, nested, pull_back, wanted


def grad(function: Callable[..., Any], argnums: int | Sequence[int] = 0, *, has_aux: bool = False) -> Jitted:
    """The gradient of a function that returns one float.

    The result is a function of the same arguments. It returns the derivatives by the arguments number `argnums`, nested like
    the arguments, which are floats in tuples, lists and dicts; for several distinct numbers it returns a tuple. With `has_aux`
    the function returns a pair, whose first part is differentiated; the result is then a pair of the gradient and the second
    part.

    Calls raise ShapeError, with the user's line, for an argument that is not made of floats, and for a function that does not
    return one float.
    """
    differentiated = value_and_grad(function, argnums, has_aux=has_aux).function

    def gradient(*args: Any, **kwargs: Any) -> Any:
        value, found = differentiated(*args, **kwargs)
        return (found, value[1]) if has_aux else found

    return everywhere(gradient, function)


def value_and_grad(function: Callable[..., Any], argnums: int | Sequence[int] = 0, *, has_aux: bool = False) -> Jitted:
    """The result of a function with its gradient, as `grad` returns it: `(value, gradient)`, or `((value, aux), gradient)` with
    `has_aux`."""

    numbers = argument_numbers(argnums, "argnums")

    def both(*args: Any, **kwargs: Any) -> Any:
        tracer = current_tracer()
        variables = wanted(function, numbers, args, tracer)
        with differentiating(True):
            result = function(*_with(args, numbers, variables), **kwargs)
        if has_aux and not (isinstance(result, tuple) and len(result) == 2):
            raise tracer.error(f"grad: expected a function that returns a pair (value, aux), got {result!r}")
        value, aux = result if has_aux else (result, None)
        output = _one_float(value, tracer)
        cotangent = tensor_of(1.0, tracer, output.dtype)
        trees = nested(pull_back(tracer, [output], [cotangent], leaves_of(variables)), variables)
        return (output, aux) if has_aux else output, trees if isinstance(argnums, Iterable) else trees[0]

    return everywhere(both, function)


def _with(args: Sequence[Any], numbers: Sequence[int], variables: Sequence[Variables]) -> list[Any]:
    """The arguments with variables in place of the differentiated ones."""
    result = list(args)
    for number, each in zip(numbers, variables, strict=True):
        result[number] = each.tree.unflatten(each.leaves)
    return result


def _one_float(value: Any, tracer: Tracer) -> Tensor:
    """The result of a differentiated function. Raises ShapeError unless it is one float."""
    if isinstance(value, tuple | list | dict):
        raise tracer.error(f"grad: expected a function that returns one float, got a {type(value).__name__}")
    if value is None:
        raise tracer.error("grad: expected a function that returns one float, a scalar, got None: does it return its result?")
    if is_complex(value):
        raise tracer.error(
            "grad: expected a function that returns one float, got a complex tensor: take its real part or magnitude"
        )
    output = tensor_of(value, tracer)
    if output.ndim or not output.dtype.is_float:
        raise tracer.error(f"grad: expected a function that returns one float, got {output!r}")
    return output
