"""Functions with their own backward pass: `@sw.custom_vjp`."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from contextvars import ContextVar
from typing import Any

from ...dialects import autodiff
from ...ir.copies import CopiedAsItself
from ..functions.creation import zeros_like
from ..tracing.grad_mode import differentiating
from ..tracing.tensor import Tensor, is_number, tensor_of
from ..tracing.tracer import Tracer, current_tracer, leaf_names
from ..tracing.trees import Tree, flatten, leaves_like
from .derived import everywhere
from .variables import alike, variable

# The functions whose `fwd` or `bwd` is being traced, innermost last.
_ruled: ContextVar[tuple[CustomVjp, ...]] = ContextVar("ruled", default=())


class CustomVjp(CopiedAsItself):
    """A function whose gradient is defined by its `defvjp`."""

    def __init__(self, function: Callable[..., Any]):
        functools.update_wrapper(self, function)
        self.function = function
        self.rule: tuple[Callable[..., Any], Callable[..., Any]] | None = None
        self._everywhere = everywhere(lambda *args, **kwargs: _Call(self, args, kwargs).results(), function)

    def defvjp(self, fwd: Callable[..., Any], bwd: Callable[..., Any]) -> None:
        """Set the backward pass of the function.

        `fwd` takes the arguments of the function and returns a pair: the function's results, and residuals, both in tuples,
        lists and dicts. `bwd(residuals, cotangents)` takes cotangents nested as the results, and returns a tuple with an entry
        for each positional argument: cotangents nested as the argument, or None for zeros and for arguments that are not
        floats. Calls of the function inside of both are plain, without this backward pass.
        """
        self.rule = fwd, bwd

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The function's results; if it is differentiated, those of `fwd`.

        Raises ShapeError, with the user's line, for `fwd` and `bwd` that return anything else than `defvjp` specifies.
        """
        # Inside of its own rule the function is called without the rule, which would recurse without end.
        return self.function(*args, **kwargs) if self in _ruled.get() else self._everywhere(*args, **kwargs)

    def ruled(self, part: Callable[..., Any], *args: Any) -> Any:
        """Call `fwd` or `bwd`."""
        token = _ruled.set((*_ruled.get(), self))
        try:
            return part(*args)
        finally:
            _ruled.reset(token)


def custom_vjp(function: Callable[..., Any]) -> CustomVjp:
    """Make a function whose backward pass is set by `defvjp`; also as a decorator.

        @sw.custom_vjp
        def clipped(x):                       # the identity, with a clipped gradient
            return x

        clipped.defvjp(lambda x: (x, None), lambda _, g: (sw.clip(g, -1.0, 1.0),))

    The results are floats in tuples, lists and dicts. `fwd` and `bwd` are differentiable, so that second derivatives are those
    of `bwd`. Only arguments get gradients, not captured values.
    """
    return CustomVjp(function)


class _Call:
    """A call of a function with its own backward pass inside of a trace."""

    def __init__(self, custom: CustomVjp, args: Sequence[Any], kwargs: dict[str, Any]):
        self.tracer: Tracer = current_tracer()
        self.name = getattr(custom.function, "__name__", "the function")
        self.custom, self.function = custom, custom.function
        if custom.rule is None:
            raise self.tracer.error(
                f"custom_vjp: '{self.name}' has no backward pass: give it one with {self.name}.defvjp(fwd, bwd)"
            )
        self.forward, self.backward = custom.rule
        self.args = self._positional(args, kwargs)

    def _positional(self, args: Sequence[Any], kwargs: dict[str, Any]) -> tuple[Any, ...]:
        """All arguments by position, as `fwd` and `bwd` take them."""
        if not kwargs:
            return tuple(args)
        bound = inspect.signature(self.function).bind(*args, **kwargs)
        if bound.kwargs:
            raise self.tracer.error(f"custom_vjp: '{self.name}' has keyword-only arguments: {', '.join(bound.kwargs)}")
        return bound.args

    def results(self) -> Any:
        leaves, in_tree = flatten(self.args)
        with differentiating(True):
            entered = [self._entered(leaf) for leaf in leaves]
            args = in_tree.unflatten(entered)
            primal, out_tree = self._floats(self.function(*args), self.name)
            pair = self.custom.ruled(self.forward, *args)
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise self.tracer.error(
                f"custom_vjp: expected fwd of '{self.name}' to return a pair (results, residuals), got {pair!r}"
            )
        given, residuals = pair
        forward = alike(self.tracer, "result of fwd", given, out_tree, primal)
        inputs = [leaf for leaf in entered if _is_input(leaf)]
        with self.tracer.region([each.value.type for each in primal]) as body, differentiating(True):
            cotangents = out_tree.unflatten([Tensor(self.tracer, each) for each in body.args])
            found = self._cotangents(self.custom.ruled(self.backward, residuals, cotangents), entered)
            self.tracer.add(autodiff.YieldOp(*(self.tracer.current(each.value) for each in found)))
        made = self.tracer.emit_all(autodiff.CustomOp, primal, forward, inputs, body)
        return out_tree.unflatten(made)

    def _entered(self, leaf: Any) -> Any:
        """A leaf as the function gets it: floats become variables, which the backward pass computes cotangents of."""
        if is_number(leaf) or not hasattr(leaf, "dtype"):
            return leaf
        value = tensor_of(leaf, self.tracer)
        return variable(value) if value.dtype.is_float else value

    def _floats(self, value: Any, name: str) -> tuple[list[Tensor], Tree]:
        leaves, tree = flatten(value)
        found = [tensor_of(leaf, self.tracer) for leaf in leaves]
        wrong = next((each for each in found if not each.dtype.is_float), None)
        if wrong is not None:
            raise self.tracer.error(f"custom_vjp: expected '{name}' to return floats, got {wrong!r}")
        return found, tree

    def _cotangents(self, found: Any, entered: Sequence[Any]) -> list[Tensor]:
        """A cotangent for each input, from the result of `bwd`."""
        if not isinstance(found, tuple | list) or len(found) != len(self.args):
            count = len(found) if isinstance(found, tuple | list) else repr(found)
            raise self.tracer.error(
                f"custom_vjp: expected bwd of '{self.name}' to return a tuple of {len(self.args)} cotangents, one for each "
                f"argument, got {count}"
            )
        names = iter(leaf_names(self.function, self.args, {}))
        pending, made = iter(entered), list[Tensor]()
        for number, (arg, each) in enumerate(zip(self.args, found, strict=True)):
            leaves, tree = flatten(arg)
            try:
                parts = leaves_like(each, tree)
            except ValueError as error:
                name = f"'{next(names)}'" if leaves else number
                message = f"custom_vjp: expected bwd of '{self.name}' to return cotangents nested as argument {name}: {error}"
                raise self.tracer.error(message) from error
            made += [
                cotangent
                for like, part, name in zip([next(pending) for _ in leaves], parts, names, strict=False)
                if (cotangent := self._cotangent(part, like, name)) is not None
            ]
        return made

    def _cotangent(self, part: Any, like: Any, name: str) -> Tensor | None:
        if not _is_input(like):
            if part is not None:
                raise self.tracer.error(
                    f"custom_vjp: argument '{name}' is not a tensor of floats: expected None from bwd, got {part!r}"
                )
            return None
        if part is None:
            return zeros_like(like)
        return alike(self.tracer, f"cotangent of argument '{name}'", part, Tree(), [like])[0]


def _is_input(leaf: Any) -> bool:
    return isinstance(leaf, Tensor) and leaf.dtype.is_float
