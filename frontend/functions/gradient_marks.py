"""Functions that exclude values from differentiation."""

from __future__ import annotations

from typing import Any

from ...dialects import autodiff
from ..tracing.tensor import Tensor, is_number
from ..tracing.trees import flatten
from .arguments import tensor


def stop_gradient(x: Any, /) -> Any:
    """The tensors of nested tuples, lists and dicts unchanged, but without gradients: they count as constants."""
    leaves, tree = flatten(x)
    return tree.unflatten([leaf if is_number(leaf) else given(tensor(leaf)) for leaf in leaves])


def given(x: Tensor) -> Tensor:
    """A tensor detached from gradients."""
    made = x.tracer.emit(autodiff.GivenOp, x)
    made.weak = x.weak
    return made
