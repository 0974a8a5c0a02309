"""Derivatives as linear maps: `sw.vjp` pulls cotangents back through a function, `sw.jvp` pushes tangents forward.

The tangent of y = f(x) along t is linear in t, and the cotangent of x along u is linear in u; the two maps are adjoint. So a
tangent is computed by reverse mode twice: it is the cotangent of u, along t, of the function that pulls u back. Every micro-op
has only one rule, for reverse mode. Dead code elimination removes the values of the first pull-back, which nothing uses.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...passes.rules.settings import current, held
from ...runtime.boundary.arrays import is_torch
from ..lazy import in_trace
from ..tracing.grad_mode import differentiating
from ..tracing.tensor import Tensor, tensor_of
from ..tracing.tracer import Tracer, current_tracer
from ..tracing.trees import Tree, flatten
from .derived import everywhere
from .variables import Variables, alike, leaves_of, nested, pull_back, variable, wanted


def vjp(function: Callable[..., Any], *args: Any, has_aux: bool = False) -> tuple[Any, ...]:
    """The results of a function, and the function that pulls their cotangents back: `(results, pullback)`.

    Arguments and results are floats in tuples, lists and dicts. `pullback` takes cotangents nested as the results, and returns
    a tuple with those of each argument. With `has_aux` the function returns a pair, whose second part is the third result.

    Inside of a jitted function the results are computed once, and their derivatives reuse intermediate values. On arrays and
    lazy tensors, outside of jitted functions, `pullback` is a separate jitted function, which recomputes the values that it
    needs. Raises ShapeError, with the user's line, for arguments, results and cotangents that are not floats or do not fit.
    """
    if in_trace(flatten(args)[0]):
        return _Linearised(current_tracer(), function, args, has_aux).pair()

    def called(*args: Any) -> Any:
        return function(*args)

    def pulled(args: Any, cotangents: Any) -> Any:
        return _Linearised(current_tracer(), function, args, has_aux).pull(cotangents)

    found = everywhere(called, function)(*args)
    args = _kept(args)
    jitted = everywhere(pulled, function, same_arguments=False)
    results, *aux = found if has_aux else (found,)
    settings = current()

    def pullback(cotangents: Any) -> Any:
        with held(settings):  # the backends and bypasses with which the results were computed
            return jitted(args, cotangents)

    return results, pullback, *aux


def jvp(function: Callable[..., Any], primals: Sequence[Any], tangents: Sequence[Any], *, has_aux: bool = False) -> Any:
    """The results of a function at `primals`, and their derivatives along `tangents`: `(results, tangents)`.

    Both are tuples or lists with an entry for each argument, of floats in tuples, lists and dicts; tangents nest as the
    primals. With `has_aux` the function returns a pair, whose second part is the third result. Raises ShapeError as `vjp` does,
    and TypeError for primals and tangents that are not tuples or lists.
    """

    _expect_entries("primals", primals)
    _expect_entries("tangents", tangents)

    def pushed(primals: Any, tangents: Any) -> Any:
        return _Linearised(current_tracer(), function, tuple(primals), has_aux).push(tuple(tangents))

    return everywhere(pushed, function, same_arguments=False)(tuple(primals), tuple(tangents))


def _kept(args: Sequence[Any]) -> Any:
    """Copy the arguments: the pullback is for their present values, even if the arrays change."""
    leaves, tree = flatten(tuple(args))
    return tree.unflatten([_copy(leaf) for leaf in leaves])


def _copy(leaf: Any) -> Any:
    if is_torch(leaf):
        return leaf.clone()
    return leaf.copy() if isinstance(leaf, np.ndarray) else leaf


def _expect_entries(name: str, values: Any) -> None:
    if not isinstance(values, tuple | list):
        found = type(values).__name__
        raise TypeError(f"jvp: expected {name} as a tuple with an entry for each argument, such as (x,), got {found}")


class _Linearised:
    """A function applied to arguments as variables."""

    def __init__(self, tracer: Tracer, function: Callable[..., Any], args: Sequence[Any], has_aux: bool):
        self.tracer = tracer
        self.variables: list[Variables] = wanted(function, range(len(args)), args, tracer)
        with differentiating(True):
            result = function(*nested(leaves_of(self.variables), self.variables))
        if has_aux and not (isinstance(result, tuple) and len(result) == 2):
            raise tracer.error(f"expected a function that returns a pair, got {result!r}")
        result, self.aux = (result[0], result[1:]) if has_aux else (result, ())
        leaves, self.tree = flatten(result)
        self.outputs = [self._output(leaf) for leaf in leaves]

    def _output(self, leaf: Any) -> Tensor:
        found = tensor_of(leaf, self.tracer)
        if not found.dtype.is_float:
            raise self.tracer.error(f"only floats have derivatives, but the function returns {found!r}")
        return found

    def pair(self) -> tuple[Any, ...]:
        return self.tree.unflatten(self.outputs), self.pull, *self.aux

    def pull(self, cotangents: Any) -> tuple[Any, ...]:
        """Pull cotangents of the results back to the arguments."""
        given = alike(self.tracer, "cotangent", cotangents, self.tree, self.outputs)
        return nested(pull_back(self.tracer, self.outputs, given, leaves_of(self.variables)), self.variables)

    def push(self, tangents: tuple[Any, ...]) -> tuple[Any, ...]:
        """The results, and their tangents."""
        leaves = leaves_of(self.variables)
        tree = Tree(tuple, tuple(each.tree for each in self.variables))
        given = alike(self.tracer, "tangent", tangents, tree, leaves)
        # The values of the cotangents do not matter: the map is linear in these.
        with differentiating(True):
            cotangents = [variable(each) for each in self.outputs]
            pulled = pull_back(self.tracer, self.outputs, cotangents, leaves)
        found = pull_back(self.tracer, pulled, given, cotangents)
        return self.tree.unflatten(self.outputs), self.tree.unflatten(found), *self.aux
