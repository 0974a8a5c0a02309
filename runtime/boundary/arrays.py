"""Conversion of arguments and results: NumPy arrays and torch tensors to contiguous NumPy arrays, without a copy where
possible.

torch is never imported here: a caller who passes a tensor has imported it.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np

from ...ir.types.dtypes import DTYPES, DType, dtype

Array = Any

# The integer dtypes through which NumPy and torch exchange dtypes that both have but cannot exchange.
_HELD: Mapping[str, str] = MappingProxyType({name: each.held_as for name, each in DTYPES.items() if each.held_as is not None})


def is_torch(value: object) -> bool:
    """Whether `value` is a torch tensor."""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(value, torch.Tensor)


def requires_gradient(value: object) -> bool:
    """Whether `value` is a torch tensor, and torch's autograd records operations on it now."""
    return is_torch(value) and value.requires_grad and sys.modules["torch"].is_grad_enabled()  # pyright: ignore[reportAttributeAccessIssue]


def is_transformed(value: object) -> bool:
    """Whether `value` is a torch tensor whose uses torch differentiates, forward or backward, or maps."""
    if not is_torch(value):
        return False
    if sys.modules["torch"]._is_functional_tensor(value):
        return False
    return requires_gradient(value) or _is_wrapped(value) or _has_tangent(value)


def _is_wrapped(tensor: Any) -> bool:
    """Whether a tensor stands for another one inside of `torch.func.grad`, `vmap` and the like."""
    torch: Any = sys.modules["torch"]
    return torch._C._functorch.is_functorch_wrapped_tensor(tensor) or torch._is_functional_tensor(tensor)


def _has_tangent(tensor: Any) -> bool:
    forward = sys.modules["torch"].autograd.forward_ad
    return forward._current_level >= 0 and forward.unpack_dual(tensor).tangent is not None


def expect_no_gradient(value: object, name: str) -> None:
    """Raise TypeError for a tensor whose gradient would be lost, or that stands for others."""
    if is_torch(value):
        expect_elements(value, name)
    if requires_gradient(value):
        raise TypeError(
            f"{name} requires a gradient, which only functions of sw.jit compute for torch: detach it, or call under "
            "torch.no_grad()"
        )


def to_numpy(value: object) -> Array:
    """The array of a NumPy array, a number, a nested sequence or a torch tensor on the CPU, sharing memory if possible. Raises
    TypeError for a tensor on another device, and for an array with masked elements, whose mask would be lost."""
    if isinstance(value, np.ndarray):
        if isinstance(value, np.ma.MaskedArray) and np.ma.is_masked(value):
            raise TypeError("expected an array without a mask: fill it first, as with value.filled(0)")
        return value
    return _torch_to_numpy(value) if is_torch(value) else np.asarray(value)


class HostBoundary:
    """For code on the CPU: arguments become contiguous NumPy arrays, results are of the arguments' kind."""

    @staticmethod
    def take(argument: object, name: str, expected: DType) -> Array:
        """The array to compute with. Raises TypeError for a wrong dtype, a tensor on another device, or one that requires a
        gradient."""
        expect_no_gradient(argument, f"argument '{name}'")
        return check_array(to_numpy(argument), name, expected)

    @staticmethod
    def give(results: Sequence[Array], arguments: Sequence[object]) -> list[Any]:
        """The results in the form that the caller gets."""
        return results_like(results, any(map(is_torch, arguments)))


class DeviceBoundary(HostBoundary):
    """For code that takes torch tensors on any device directly, and makes its results on the device of its arguments."""

    @staticmethod
    def take(argument: object, name: str, expected: DType) -> Array:
        if not is_torch(argument):
            return HostBoundary.take(argument, name, expected)
        expect_no_gradient(argument, f"argument '{name}'")
        found = str(argument.dtype).removeprefix("torch.")  # pyright: ignore[reportAttributeAccessIssue] - a tensor
        if found != expected.name:
            raise TypeError(f"argument '{name}': expected dtype {expected}, got {found}")
        return argument

    @staticmethod
    def give(results: Sequence[Array], arguments: Sequence[object]) -> list[Any]:
        return list(results)


def check_array(array: Array, name: str, expected: DType) -> Array:
    """`array` contiguous, aligned and in native byte order. Raises TypeError when its dtype is not the expected one."""
    if not array.dtype.isnative:
        array = array.astype(array.dtype.newbyteorder("="))
    if array.dtype != expected.numpy:
        raise TypeError(f"argument '{name}': expected dtype {expected}, got {array.dtype}")
    return array if array.flags.c_contiguous and array.flags.aligned else array.copy()


def overlapping(arrays: Sequence[Array]) -> set[int]:
    """The positions of contiguous arrays that share memory with other ones."""
    starts = sorted((array.ctypes.data, number) for number, array in enumerate(arrays) if array.size)
    found: set[int] = set()
    end, last = 0, -1
    for start, number in starts:
        if start < end:
            found |= {last, number}
        if start + arrays[number].nbytes > end:
            end, last = start + arrays[number].nbytes, number
    return found


def results_like(results: Sequence[Array], torch_wanted: bool) -> list[Any]:
    """The results as torch tensors that share their memory, if torch is wanted."""
    return [_numpy_to_torch(result) for result in results] if torch_wanted else list(results)


def expect_elements(tensor: Any, name: str) -> None:
    """Raise TypeError for a tensor that holds no data of its own, and for a sparse or nested tensor."""
    torch: Any = sys.modules["torch"]
    if torch._is_functional_tensor(tensor):
        raise TypeError(
            f"{name} is a tensor of torch.func.functionalize, which Stepwell does not support: call the function without "
            "functionalize (Stepwell's functions do not change their arguments)"
        )
    if _is_wrapped(tensor):
        raise TypeError(
            f"{name} is a tensor of a transformation of torch.func, such as grad or vmap, and holds no data: only functions of "
            "sw.jit and sw.to_torch, and compiled models, accept such tensors"
        )
    if tensor.device.type == "meta":
        raise TypeError(f"{name} is a tensor on the device 'meta', which holds no data: pass a tensor on the CPU or a GPU")
    if tensor.is_nested:
        raise TypeError(f"{name} is a nested tensor: expected a dense one, as torch.nested.to_padded_tensor gives")
    if tensor.layout != torch.strided:
        raise TypeError(f"{name} has the layout {tensor.layout}: expected a dense tensor, as to_dense() gives")
    kind = type(tensor)
    if kind.__torch_dispatch__ is not torch.Tensor.__torch_dispatch__:
        raise TypeError(f"{name} is a {kind.__name__}, which has no elements of its own: pass the tensors that it is made of")


def _torch_to_numpy(tensor: Any) -> Array:
    torch = sys.modules["torch"]
    expect_elements(tensor, "a tensor")
    if tensor.device.type != "cpu":
        hint = "; use target='cuda' for it" if tensor.device.type == "cuda" else ""
        raise TypeError(f"expected a tensor on the CPU, got one on {tensor.device}{hint}")
    tensor = tensor.detach().resolve_conj().resolve_neg()
    held = _HELD.get(str(tensor.dtype).removeprefix("torch."))
    return tensor.numpy() if held is None else tensor.view(getattr(torch, held)).numpy().view(dtype(tensor.dtype).numpy)


def _numpy_to_torch(array: Array) -> Any:
    torch, name = sys.modules["torch"], array.dtype.type.__name__
    held = _HELD.get(name)
    return torch.from_numpy(array) if held is None else torch.from_numpy(array.view(held)).view(getattr(torch, name))
