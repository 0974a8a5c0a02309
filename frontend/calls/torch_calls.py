"""Repeated calls on tensors of torch: they run as calls on arrays that share the tensors' memory."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from ...runtime.boundary.arrays import is_torch
from ...runtime.cpu.warm_calls import WarmCalls
from ..tracing.trees import map_leaves


def shared(leaf: Any) -> Any:
    """A torch tensor as an array that shares its memory, if NumPy has its dtype; other leaves unchanged."""
    if not is_torch(leaf):
        return leaf
    try:
        return leaf.numpy()
    except (RuntimeError, TypeError):
        return leaf


def torch_call(warm: WarmCalls, args: tuple[Any, ...]) -> Any:
    """The result of a repeated call on tensors of torch; NotImplemented if the call does not repeat an earlier one. Arguments
    and results share their memory with arrays."""
    try:
        # RuntimeError: it requires a gradient, or is not in the processor's memory; TypeError: a dtype that NumPy lacks.
        torch = sys.modules["torch"]
        if torch._C._are_functorch_transforms_active():
            return NotImplemented
        tensor = torch.Tensor
        arrays = tuple([arg.numpy() if type(arg) is tensor else arg for arg in args])
    except (RuntimeError, TypeError):
        return NotImplemented
    result = warm.run(arrays)
    if result is NotImplemented:
        return result
    from_numpy = sys.modules["torch"].from_numpy
    if type(result) is np.ndarray:
        return from_numpy(result)
    return map_leaves(lambda leaf: from_numpy(leaf) if type(leaf) is np.ndarray else leaf, result)
