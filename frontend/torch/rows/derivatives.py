"""Derivatives of the functions of rows, for the operations of backward passes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...tracing.tensor import Tensor


def pulled_back(function: Callable[..., Any], primals: Sequence[Tensor], gradient: Tensor) -> tuple[Tensor, ...]:
    """The gradient of a function's result, pulled back to its arguments."""
    # Derivatives are built on the functions on tensors: imported at first use.
    from ...transforms.linear import vjp

    _, pullback = vjp(function, *primals)
    return pullback(gradient)
