"""Variables, by which results are differentiated, and cotangents and tangents of their shapes and dtypes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from ...dialects import autodiff
from ...dialects.graph.base import expect_equal
from ...ir.types.shapes import format_shape
from ..tracing.grad_mode import differentiating
from ..tracing.tensor import Tensor, TensorLike, tensor_of
from ..tracing.tracer import Tracer, leaf_names
from ..tracing.trees import Tree, flatten, ordered


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


def pull_back(
    tracer: Tracer, outputs: Sequence[Tensor], cotangents: Sequence[Tensor], variables: Sequence[Tensor]
) -> list[Tensor]:
    """The cotangents of variables, given those of outputs computed from them."""
    return tracer.emit_all(autodiff.GradientOp, list(outputs), list(cotangents), list(variables))


def alike(tracer: Tracer, what: str, value: Any, tree: Tree, likes: Sequence[Tensor]) -> list[Tensor]:
    """The leaves of `value` as tensors of the shapes and dtypes of `likes`, in the order of `tree`; keys of dicts may be in any
    order. Raises ShapeError unless they fit."""
    leaves, found = flatten(ordered(value, tree))
    if found != tree:
        note = (
            ", where * is a real tensor: sw.complex(x, 0) makes a complex one of it"
            if found.has_nodes or tree.has_nodes
            else ""
        )
        raise tracer.error(f"expected {what}s nested as {tree}, got {found}{note}")
    return [_like(tracer, what, leaf, like) for leaf, like in zip(leaves, likes, strict=True)]


def _like(tracer: Tracer, what: str, leaf: Any, like: Tensor) -> Tensor:
    made = tensor_of(leaf, tracer, like.dtype)
    expected = f"expected a {what} of shape {format_shape(like.sizes)} and dtype {like.dtype}"
    message = f"{expected}, got shape {format_shape(made.sizes)} and dtype {made.dtype}"
    if made.ndim != like.ndim or made.dtype != like.dtype:
        raise tracer.error(message)
    for axis in range(like.ndim):
        tracer.settle(what, lambda axis=axis: expect_equal(made.sizes[axis], like.sizes[axis], message))
    return made
