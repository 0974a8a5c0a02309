"""Gradients of functions: `sw.grad` and `sw.value_and_grad`.

A differentiated function is traced inline: its arguments become variables, and an operation requests the gradient, which the
pass `uop-grad` expands. Inside of a jitted function it is part of that function; on arrays and lazy tensors it is compiled as a
jitted function.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from ...dialects import autodiff
from ..functions.arguments import argument_numbers
from ..jit import Jitted
from ..lazy import lazily
from ..tracing.complex_tensors import is_complex
from ..tracing.grad_mode import differentiating
from ..tracing.tensor import Tensor, TensorLike, tensor_of
from ..tracing.tracer import Tracer, current_tracer, is_tracing, leaf_names
from ..tracing.trees import Tree, flatten


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


def pull_back(
    tracer: Tracer, outputs: Sequence[Tensor], cotangents: Sequence[Tensor], variables: Sequence[Tensor]
) -> list[Tensor]:
    """The cotangents of variables, given those of outputs computed from them."""
    return tracer.emit_all(autodiff.GradientOp, list(outputs), list(cotangents), list(variables))


class Variables(NamedTuple):
    """The leaves of a differentiated argument as variables, and their nesting."""

    leaves: list[Tensor]
    tree: Tree


def variables_of(value: Any, names: Sequence[str], tracer: Tracer) -> Variables:
    """The floats in nested tuples, lists and dicts as variables. Raises ShapeError, with the leaf's name, for any other
    leaf."""
    leaves, tree = flatten(value)
    with differentiating(True):
        return Variables([_variable(leaf, name, tracer) for leaf, name in zip(leaves, names, strict=True)], tree)


def wanted(function: Callable[..., Any], numbers: Sequence[int], args: Sequence[Any], tracer: Tracer) -> list[Variables]:
    """The function's arguments number `numbers` as variables. Raises ShapeError, with the argument's name, for one that is not
    made of floats, for a number out of range, and for one that repeats."""
    wrong = next((number for number in numbers if not -len(args) <= number < len(args)), None)
    if wrong is not None:
        raise tracer.error(f"grad: argnums has argument {wrong}, but there are {len(args)} positional arguments")
    positions = [number % len(args) for number in numbers]
    twice = next((number for k, number in enumerate(numbers) if positions[k] in positions[:k]), None)
    if twice is not None:
        raise tracer.error(f"grad: argument {twice} repeats in argnums, {tuple(numbers)}")
    found: list[Variables] = []
    for position in positions:
        skipped = len(leaf_names(function, args[:position], {}))
        found.append(variables_of(args[position], leaf_names(function, args[: position + 1], {})[skipped:], tracer))
    return found


def leaves_of(variables: Sequence[Variables]) -> list[Tensor]:
    """The leaves of all arguments, in order."""
    return [leaf for each in variables for leaf in each.leaves]


def nested(leaves: Sequence[Any], like: Sequence[Variables]) -> tuple[Any, ...]:
    """Nest one leaf for each variable as the arguments."""
    pending = iter(leaves)
    return tuple(each.tree.unflatten([next(pending) for _ in each.leaves]) for each in like)


def _with(args: Sequence[Any], numbers: Sequence[int], variables: Sequence[Variables]) -> list[Any]:
    """The arguments with variables in place of the differentiated ones."""
    result = list(args)
    for number, each in zip(numbers, variables, strict=True):
        result[number] = each.tree.unflatten(each.leaves)
    return result


def _variable(leaf: TensorLike, name: str, tracer: Tracer) -> Tensor:
    value = tensor_of(leaf, tracer)
    if not value.dtype.is_float:
        raise tracer.error(f"only floats have gradients, but argument '{name}' is {value.dtype}")
    return variable(value)


def variable(value: Tensor) -> Tensor:
    """A tensor by which others can be differentiated."""
    made = value.tracer.emit(autodiff.VariableOp, value)
    made.weak = value.weak
    return made


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


class Derived(Jitted):
    """A function made from another one, which may capture tensors of the enclosing trace: inside of a trace it is always traced
    inline."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call it as a jitted function, outside of traces."""
        return self.function(*args, **kwargs) if is_tracing() else super().__call__(*args, **kwargs)


def everywhere(traced: Callable[..., Any], function: Callable[..., Any], *, same_arguments: bool = True) -> Jitted:
    """Make a function of traced tensors callable with any tensors and arrays, under the name of `function`.

    It has the signature of `function` unless `same_arguments` is False, and its target.
    """
    own = None if same_arguments else inspect.signature(traced)
    # Do not copy attributes of `function`: those of a jitted one are its compiled code.
    named: Any = functools.update_wrapper(traced, function, updated=())
    if own is not None:
        named.__signature__ = own
    target, static = (function.target, function.static) if isinstance(function, Jitted) else ("cpu", False)
    return Derived(lazily(named, at_once=True), target, static)
