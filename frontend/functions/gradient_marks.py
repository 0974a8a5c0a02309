"""Functions that say what is differentiated and what is not."""

from __future__ import annotations

from typing import Any

from ...dialects import autodiff
from ..tracing.tensor import Tensor, is_number
from ..tracing.trees import flatten
from .arguments import tensor


def stop_gradient(x: Any, /) -> Any:
    """The tensors of nested tuples, lists and dicts as they are, but taken as given where they are differentiated."""
    leaves, tree = flatten(x)
    return tree.unflatten([leaf if is_number(leaf) else given(tensor(leaf)) for leaf in leaves])


def given(x: Tensor) -> Tensor:
    """A tensor as one that no gradient goes through."""
    made = x.tracer.emit(autodiff.GivenOp, x)
    made.weak = x.weak
    return made
