"""Jitted functions in torch's autograd and under `torch.func`: calls with tensors that require gradients record how to
differentiate them, and calls under `torch.func.grad`, `vmap`, `jvp` and the like use Stepwell's transformations."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ...runtime.boundary.arrays import is_torch, requires_gradient
from ..jit import Jitted
from ..tracing.complex_tensors import joined, separated
from ..tracing.trees import Tree, flatten
from .linear import jvp, vjp
from .vmap import vmap


@dataclass(frozen=True, eq=False)
class _Call:
    """A call: its function, the nesting of its arguments, the arguments without the tensors, and the numbers of the tensors."""

    jitted: Jitted
    tree: Tree
    leaves: tuple[Any, ...]
    places: tuple[int, ...]

    @staticmethod
    def of(jitted: Jitted, leaves: Sequence[Any], tree: Tree) -> tuple[_Call, list[Any]]:
        """The call with these arguments, and its tensors."""
        places = tuple(k for k, leaf in enumerate(leaves) if is_torch(leaf))
        others = tuple(0 if is_torch(leaf) else leaf for leaf in leaves)
        return _Call(jitted, tree, others, places), [leaves[k] for k in places]

    def filled(self, tensors: Sequence[Any]) -> list[Any]:
        """The arguments with these tensors."""
        found = list(self.leaves)
        for k, tensor in zip(self.places, tensors, strict=True):
            found[k] = tensor
        return found

    def derived(self, kind: Any, make: Callable[[], Callable[..., Any]]) -> Jitted:
        """The jitted function of a kind that is made of this one, for arguments of this nesting; made once."""
        known: dict[Any, Jitted] = self.jitted.derived
        key = self.tree, self.places, kind
        if key not in known:
            known[key] = Jitted(make(), self.jitted.target, self.jitted.static)
        return known[key]

    def mapped(self, axes: tuple[int | None, ...]) -> _Call:
        """The call of the function mapped over these axes of the tensors."""
        function, tree, places = self.jitted.function, self.tree, self.places

        def made() -> Callable[..., Any]:
            def batched(leaves: list[Any]) -> Any:
                def one(*tensors: Any) -> Any:
                    given = dict(zip(places, tensors, strict=True))
                    args, kwargs = tree.unflatten([given.get(k, leaf) for k, leaf in enumerate(leaves)])
                    return function(*args, **kwargs)

                return vmap(one, axes)(*(leaves[k] for k in places))

            return batched

        _, nesting = flatten(((list(self.leaves),), {}))
        return _Call(self.derived(("vmap", axes), made), nesting, self.leaves, self.places)

    def pullback(self, wanted: tuple[int, ...], floats: tuple[int, ...]) -> Jitted:
        """The jitted function that pulls cotangents of the float results back to the wanted arguments."""

        def pulled(others: list[Any], primals: list[Any], cotangents: list[Any]) -> list[Any]:
            return list(vjp(self._inner(others, wanted, floats), *primals)[1](cotangents))

        return self.derived(("vjp", wanted, floats), lambda: pulled)

    def pushforward(self, wanted: tuple[int, ...], floats: tuple[int, ...]) -> Jitted:
        """The jitted function that pushes tangents of the wanted arguments forward to the float results."""

        def pushed(others: list[Any], primals: list[Any], tangents: list[Any]) -> list[Any]:
            return jvp(self._inner(others, wanted, floats), primals, tangents)[1]

        return self.derived(("jvp", wanted, floats), lambda: pushed)

    def _inner(self, others: Sequence[Any], wanted: tuple[int, ...], floats: tuple[int, ...]) -> Callable[..., list[Any]]:
        """The float results as a function of the wanted arguments alone."""
        function, tree = self.jitted.function, self.tree

        def of(*inner: Any) -> list[Any]:
            rest = iter(others)
            values = dict(zip(wanted, inner, strict=True))
            args, kwargs = tree.unflatten([values[k] if k in values else next(rest) for k in range(tree.count)])
            results, _ = flatten(function(*args, **kwargs))
            return [results[k] for k in floats]

        return of


class _Results:
    """How the results of a call nest, known once it has run."""

    tree: Tree


def differentiable_call(jitted: Jitted, leaves: Sequence[Any], tree: Tree) -> Any:
    """The results of a jitted function, as tensors that torch's backward pass differentiates by the function's own gradient,
    and its forward mode by its `sw.jvp`. Under `torch.func.vmap` the function is mapped by `sw.vmap`.

    Results that are not floats have no gradient. Gradients are compiled at the first backward pass. Under `create_graph=True`
    gradients are themselves calls of a jitted function, which torch can differentiate again. Raises TypeError for a function
    with donated arguments: backward passes may need them, and torch.func keeps the tensors that it passes.
    """
    if jitted.donate_argnums:
        if any(map(requires_gradient, leaves)):
            raise TypeError("a function with donated arguments has no gradient for torch: call it under torch.no_grad()")
        raise TypeError(
            "torch.func and forward-mode differentiation cannot transform a function with donated arguments: jit it without "
            "donate_argnums"
        )
    call, tensors = _Call.of(jitted, leaves, tree)
    nesting = _Results()
    results = _function().apply(call, nesting, *tensors)
    return joined(nesting.tree.unflatten(list(results)))


@functools.cache
def _function() -> Any:
    """The subclass of torch's autograd function that records calls of jitted functions."""
    import torch

    class JittedCall(torch.autograd.Function):
        @staticmethod
        def forward(call: _Call, nesting: _Results, *tensors: Any) -> tuple[Any, ...]:  # pyright: ignore[reportIncompatibleMethodOverride]
            args, kwargs = call.tree.unflatten(call.filled(tensors))
            found, nesting.tree = _flattened(call.jitted(*args, **kwargs))
            return tuple(torch.as_tensor(each) for each in found)

        @staticmethod
        def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Any) -> None:
            ctx.call, _, *tensors = inputs
            ctx.floats = tuple(k for k, each in enumerate(output) if each.is_floating_point())
            ctx.results = len(output)
            # Saved, so that torch notices where one of them is changed before the backward pass.
            ctx.save_for_backward(*tensors)
            ctx.save_for_forward(*tensors)
            ctx.mark_non_differentiable(*(each for each in output if not each.is_floating_point()))

        @staticmethod
        def backward(ctx: Any, *cotangents: Any) -> tuple[Any, ...]:  # pyright: ignore[reportIncompatibleMethodOverride]
            call: _Call = ctx.call
            needed = ctx.needs_input_grad[2:]
            wanted = tuple(k for k, is_needed in zip(call.places, needed, strict=True) if is_needed)
            given = [cotangents[k].contiguous() for k in ctx.floats]
            found = iter(call.pullback(wanted, ctx.floats)(*_divided(ctx, wanted), given))
            return None, None, *(next(found) if is_needed else None for is_needed in needed)

        @staticmethod
        def jvp(ctx: Any, *tangents: Any) -> tuple[Any, ...]:  # pyright: ignore[reportIncompatibleMethodOverride]
            call: _Call = ctx.call
            pairs = [(k, each) for k, each in zip(call.places, tangents[2:], strict=True) if each is not None]
            wanted = tuple(k for k, _ in pairs)
            pushforward = call.pushforward(wanted, ctx.floats)
            found = iter(pushforward(*_divided(ctx, wanted), [each.contiguous() for _, each in pairs]))
            return tuple(next(found) if k in ctx.floats else None for k in range(ctx.results))

        @staticmethod
        def vmap(info: Any, in_dims: tuple[Any, ...], call: _Call, nesting: _Results, *tensors: Any) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
            found = JittedCall.apply(call.mapped(in_dims[2:]), nesting, *tensors)
            return found, (0,) * len(found)

    return JittedCall


def _divided(ctx: Any, wanted: Sequence[int]) -> tuple[list[Any], list[Any]]:
    """The arguments of a call that are not differentiated, and those that are."""
    leaves = ctx.call.filled(ctx.saved_tensors)
    return [leaf for k, leaf in enumerate(leaves) if k not in wanted], [leaves[k] for k in wanted]


def _flattened(results: Any) -> tuple[list[Any], Tree]:
    """The leaves of results and their nesting, as in the trace: complex ones are pairs."""
    leaves, tree = flatten(results)
    return flatten(tree.unflatten([separated(leaf) for leaf in leaves]))
