"""Parts that several rows share: axes and indices as ATen operations count them, and derivatives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ....ir.types.dtypes import INT64
from ... import functions as sw
from ...tracing.tensor import Tensor, cast


def axis_in(x: Tensor, dim: int) -> int:
    """An axis counted from the front."""
    return dim % max(x.ndim, 1)


def from_the_start(at: Tensor, size: Any) -> Tensor:
    """Indices for functions whose negative indices do not count from the end: negative indices become out of range."""
    places = cast(at, INT64)
    return sw.where(places < 0, places - size, places)


def pulled_back(function: Callable[..., Any], primals: Sequence[Tensor], gradient: Tensor) -> tuple[Tensor, ...]:
    """The gradient of a function's result, pulled back to its arguments."""
    # Derivatives are built on the functions on tensors: imported at first use.
    from ...transforms.linear import vjp

    _, pullback = vjp(function, *primals)
    return pullback(gradient)
