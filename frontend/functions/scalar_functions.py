"""The functions of the library that apply a scalar function of their own name: `sw.exp` applies `exp`.

A row of `ir/scalars/` with a `doc` is such a function, made at first use. `elementwise` has the others.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...ir.scalars.table import SCALARS, scalar
from ..tracing.tensor import Tensor, TensorLike, cast, common_dtype, default_float, harmonise, is_weak, map_
from .arguments import tensor, tracer_of


def __getattr__(name: str) -> Callable[..., Tensor]:
    row = SCALARS.get(name)
    if row is None or not row.doc:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    make = {1: unary, 2: binary, 3: ternary}[row.arity]
    function = globals()[name] = make(name, row.doc, name)
    return function


def unary(name: str, doc: str, function: str) -> Callable[[TensorLike], Tensor]:
    """Make a function of one operand. Integers are cast to floats where the scalar function takes only floats."""
    row = scalar(function)

    def apply(x: TensorLike, /) -> Tensor:
        value = tensor(x)
        lifted = not row.accepts(value.dtype) and row.kinds == ("float",)
        result = map_(function, cast(value, default_float(value.dtype)) if lifted else value)
        return Tensor(value.tracer, result.value, value.weak)

    return described(apply, name, doc)


def binary(name: str, doc: str, function: str) -> Callable[[TensorLike, TensorLike], Tensor]:
    """Make a function of two operands of a common dtype. Integers are cast to floats where the scalar function takes only
    floats."""
    row = scalar(function)

    def apply(x1: TensorLike, x2: TensorLike, /) -> Tensor:
        tracer = tracer_of(x1, x2)
        found = common_dtype([x1, x2], tracer)
        if not row.accepts(found) and row.kinds == ("float",):
            found = default_float(found)
        result = map_(function, *harmonise([x1, x2], tracer, found))
        return Tensor(tracer, result.value, is_weak(x1) and is_weak(x2))

    return described(apply, name, doc)


def ternary(name: str, doc: str, function: str) -> Callable[[TensorLike, TensorLike, TensorLike], Tensor]:
    """Make a function of three operands of a common dtype."""

    def apply(x1: TensorLike, x2: TensorLike, x3: TensorLike, /) -> Tensor:
        return map_(function, *harmonise([x1, x2, x3], tracer_of(x1, x2, x3)))

    return described(apply, name, doc)


def described(apply: Any, name: str, doc: str) -> Any:
    apply.__name__ = apply.__qualname__ = name
    apply.__doc__ = f"{doc}, elementwise."
    return apply
