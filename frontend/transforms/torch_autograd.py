"""Jitted functions in torch's autograd: calls with tensors that require gradients record how to differentiate them."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from ..jit import Jitted
from ..tracing.complex_tensors import joined, separated
from ..tracing.trees import Tree, flatten
from .linear import vjp


class _Call(NamedTuple):
    """A call: its function, its arguments, and the numbers of the tensors among them that require gradients."""

    jitted: Jitted
    leaves: list[Any]
    tree: Tree
    wanted: tuple[int, ...]


def differentiable_call(jitted: Jitted, leaves: Sequence[Any], tree: Tree) -> Any:
    """The results of a jitted function, as tensors that torch's backward pass differentiates by the function's own gradient.

    Results that are not floats have no gradient. Gradients are compiled at the first backward pass. Under `create_graph=True`
    gradients are themselves calls of a jitted function, which torch can differentiate again. Raises TypeError for a function
    with donated arguments, which backward passes may still need.
    """
    if jitted.donate_argnums:
        raise TypeError("arguments that require gradients cannot be donated: call under torch.no_grad()")
    wanted = tuple(k for k, leaf in enumerate(leaves) if getattr(leaf, "requires_grad", False))
    call = _Call(jitted, list(leaves), tree, wanted)
    trees: list[Tree] = []
    results = _function().apply(call, trees, *(leaves[k] for k in wanted))
    return joined(trees[0].unflatten(list(results)))


@functools.cache
def _function() -> Any:
    """The subclass of torch's autograd function that records calls of jitted functions."""
    import torch

    class JittedCall(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, call: _Call, trees: list[Tree], *tensors: Any) -> tuple[Any, ...]:
            args, kwargs = call.tree.unflatten(call.leaves)
            found, tree = _flattened(call.jitted(*args, **kwargs))
            results = [torch.as_tensor(each) for each in found]
            trees.append(tree)
            ctx.call, ctx.tree = call, tree
            ctx.floats = [k for k, each in enumerate(results) if each.is_floating_point()]
            # Saved, so that torch notices if one of these is changed before the backward pass.
            ctx.save_for_backward(*tensors, *(each for each in _others(call) if isinstance(each, torch.Tensor)))
            ctx.mark_non_differentiable(*(each for each in results if not each.is_floating_point()))
            return tuple(results)

        @staticmethod
        def backward(ctx: Any, *cotangents: Any) -> tuple[Any, ...]:  # pyright: ignore[reportIncompatibleMethodOverride]
            given = [cotangents[k].contiguous() for k in ctx.floats]
            count = len(ctx.call.wanted)
            primals, saved = list(ctx.saved_tensors[:count]), iter(ctx.saved_tensors[count:])
            others = [next(saved) if isinstance(each, torch.Tensor) else each for each in _others(ctx.call)]
            found = _pullback(ctx.call, tuple(ctx.floats))(others, primals, given)
            return None, None, *found

    return JittedCall


def _flattened(results: Any) -> tuple[list[Any], Tree]:
    """The leaves of results and their nesting, as in the trace: complex ones are pairs."""
    leaves, tree = flatten(results)
    return flatten(tree.unflatten([separated(leaf) for leaf in leaves]))


def _others(call: _Call) -> list[Any]:
    """The arguments without those that are differentiated."""
    return [leaf for k, leaf in enumerate(call.leaves) if k not in call.wanted]


def _pullback(call: _Call, floats: tuple[int, ...]) -> Callable[..., Any]:
    """The jitted function that pulls cotangents of the float results back to the differentiated arguments."""
    pullbacks: dict[Any, Jitted] = call.jitted.pullbacks
    key = call.tree, call.wanted, floats
    if key not in pullbacks:
        function, tree, wanted = call.jitted.function, call.tree, call.wanted

        def pulled(others: list[Any], primals: list[Any], cotangents: list[Any]) -> list[Any]:
            def of(*inner: Any) -> list[Any]:
                rest = iter(others)
                values = dict(zip(wanted, inner, strict=True))
                count = len(others) + len(wanted)
                args, kwargs = tree.unflatten([values[k] if k in values else next(rest) for k in range(count)])
                results, _ = flatten(function(*args, **kwargs))
                return [results[k] for k in floats]

            return list(vjp(of, *primals)[1](cotangents))

        pullbacks[key] = Jitted(pulled, call.jitted.target, call.jitted.static)
    return pullbacks[key]
