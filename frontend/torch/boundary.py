"""The boundary between torch and compiled code: converts tensors to arrays for compiled code, and its results to tensors.

The conversion of a tensor, by its layout and dtype, is chosen once for a program: calls of small graphs take microseconds.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch.utils._python_dispatch import _disable_current_modes

from ...ir.types.dtypes import BFLOAT16
from ...runtime.boundary.arrays import results_like, to_numpy
from .graphs.layouts import Layout

Conversion = Callable[[Any], Any]


def taking(fake: Any, layout: Layout, target: str) -> Conversion:
    """The conversion of arguments like a fake tensor to the arrays that compiled code takes: contiguous, in the order of
    memory."""
    if target == "cuda":
        return _same if layout.is_plain else _permuted(_same, layout.order)
    take = _bits_of_bfloat16 if fake.dtype == torch.bfloat16 else as_numpy
    return take if layout.is_plain else _permuted(take, layout.order)


def _same(tensor: Any) -> Any:
    return tensor


def _permuted(take: Conversion, order: tuple[int, ...]) -> Conversion:
    return lambda tensor: take(tensor.permute(order))


def as_numpy(tensor: Any) -> Any:
    """The array of a tensor. Most share its memory at once; others are converted by `to_numpy`."""
    try:
        return (tensor.detach() if tensor.requires_grad else tensor).numpy()
    except (RuntimeError, TypeError):  # it is a conjugate or a negative view, of a subclass, or of a dtype that NumPy lacks
        with _disable_current_modes():  # the first call of a graph is under a mode of torch's that refuses subclasses
            return to_numpy(tensor)


def _bits_of_bfloat16(tensor: Any) -> Any:
    """The array of a tensor of bfloat16, a dtype that NumPy has only by an extension."""
    try:
        return (tensor.detach() if tensor.requires_grad else tensor).view(torch.int16).numpy().view(BFLOAT16.numpy)
    except RuntimeError:  # it is a negative view
        return to_numpy(tensor)


def giving(fake: Any, target: str) -> Conversion:
    """The function that converts a result to a tensor like `fake`. It shares arrays of NumPy's own dtypes without inspecting
    them."""
    if target == "cuda":
        return _same
    return as_torch if fake.dtype in (torch.bfloat16, torch.float8_e4m3fn, torch.float8_e5m2) else _shared


def _shared(array: Any) -> Any:
    is_usual = type(array) is np.ndarray and array.flags.writeable and array.size
    return torch.from_numpy(array) if is_usual else as_torch(array)


def as_torch(array: Any) -> Any:
    """A result as a tensor, on the same memory if that is writable."""
    array = np.asarray(array)
    (found,) = results_like([array if array.flags.writeable else array.copy()], torch_wanted=True)
    return found if array.size else found.new_empty(found.shape)  # torch's strides; NumPy's are 0
