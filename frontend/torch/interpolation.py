"""`interpolate` as one operation of a graph, forward and backward.

torch decomposes a differentiated interpolation: it becomes gathers, whose derivatives scatter every element for each of its
taps. In a graph of Dynamo's, before differentiation, the backend replaces the interpolation by `interpolated`. This function
calls the operations `stepwell::resample` and `stepwell::resample_backward`, whose rows are in `rows/resampling.py`.
Interpolations of other memory formats, dtypes and modes stay torch's. When left to eager, the operations run torch's own.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from types import MappingProxyType
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

from ..functions.images.resampling import LARGEST_DENOMINATOR

# torch's operations by mode and the number of axes.
_LINEAR = MappingProxyType({"linear": 1, "bilinear": 2, "trilinear": 3})
_NEAREST = MappingProxyType({"nearest": "upsample_nearest{}d", "nearest-exact": "_upsample_nearest_exact{}d"})


def interpolated(
    input: Tensor,
    size: Any = None,
    scale_factor: Any = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
    recompute_scale_factor: bool | None = None,
    antialias: bool = False,
) -> Tensor:
    """The result of torch's function of these arguments."""
    rank = input.ndim - 2
    is_ours = (mode in _NEAREST and 1 <= rank <= 3) or _LINEAR.get(mode) == rank or (mode == "bicubic" and rank == 2)
    if (
        not is_ours
        or antialias
        or not input.is_floating_point()
        or not input.is_contiguous()
        or (input.device.type != "cpu" and torch.is_autocast_enabled(input.device.type))  # torch casts to float32 there
        or (size is None) == (scale_factor is None)
    ):
        rest = (size, scale_factor, mode, align_corners, recompute_scale_factor, antialias)
        return F.interpolate(input, *rest)
    scales: list[float] = []
    if scale_factor is None:
        out = list(size) if isinstance(size, Sequence) else [size] * rank
    else:
        scales = [float(each) for each in (scale_factor if isinstance(scale_factor, Sequence) else [scale_factor] * rank)]
        out = [_scaled(each, scale) for each, scale in zip(input.shape[2:], scales, strict=True)]
    return resample(input, out, [] if recompute_scale_factor else scales, mode, bool(align_corners))


def _scaled(size: Any, scale: float) -> Any:
    """floor(size * scale). A symbolic size stays symbolic if the factor is a fraction of small numbers."""
    exact = Fraction(scale)
    if isinstance(size, int) or exact.denominator > LARGEST_DENOMINATOR:
        return math.floor(size * scale)
    return size * exact.numerator // exact.denominator


def _operation(mode: str, rank: int) -> str:
    return _NEAREST[mode].format(rank) if mode in _NEAREST else f"upsample_{mode}{rank}d"


def _arguments(mode: str, rank: int, align_corners: bool, scales: Sequence[float]) -> list[Any]:
    """The last arguments of torch's operations: nearest modes have no corners to align."""
    each: list[Any] = list(scales) or [None] * rank
    return each if mode in _NEAREST else [align_corners, *each]


@torch.library.custom_op(
    "stepwell::resample",
    mutates_args=(),
    schema="(Tensor x, SymInt[] out, float[] scales, str mode, bool align_corners) -> Tensor",
)
def resample(x: Tensor, out: Sequence[int], scales: Sequence[float], mode: str, align_corners: bool) -> Tensor:
    """x with its last axes resampled to the sizes `out`; `scales`, if there are any, determine the positions."""
    rank = len(out)
    operation = getattr(torch.ops.aten, _operation(mode, rank)).default
    return operation(x, out, *_arguments(mode, rank, align_corners, scales))


@torch.library.custom_op(
    "stepwell::resample_backward",
    mutates_args=(),
    schema="(Tensor gradient, SymInt[] shape, float[] scales, str mode, bool align_corners) -> Tensor",
)
def resample_backward(
    gradient: Tensor, shape: Sequence[int], scales: Sequence[float], mode: str, align_corners: bool
) -> Tensor:
    """The gradient by the argument of that shape."""
    rank = len(shape) - 2
    operation = getattr(torch.ops.aten, f"{_operation(mode, rank)}_backward").default
    return operation(gradient, gradient.shape[2:], shape, *_arguments(mode, rank, align_corners, scales))


@resample.register_fake
def _(x: Tensor, out: Sequence[int], scales: Sequence[float], mode: str, align_corners: bool) -> Tensor:
    return x.new_empty((*x.shape[:2], *out))


@resample_backward.register_fake
def _(gradient: Tensor, shape: Sequence[int], scales: Sequence[float], mode: str, align_corners: bool) -> Tensor:
    return gradient.new_empty(shape)


def _save(ctx: Any, inputs: Any, output: Tensor) -> None:
    x, _, *ctx.options = inputs
    ctx.shape = x.shape


def _backward(ctx: Any, gradient: Tensor) -> tuple[Any, ...]:
    return resample_backward(gradient.contiguous(), ctx.shape, *ctx.options), None, None, None, None


def _save_backward(ctx: Any, inputs: Any, output: Tensor) -> None:
    gradient, _, *ctx.options = inputs
    ctx.out = gradient.shape[2:]


def _second_backward(ctx: Any, gradient: Tensor) -> tuple[Any, ...]:
    return resample(gradient.contiguous(), ctx.out, *ctx.options), None, None, None, None


resample.register_autograd(_backward, setup_context=_save)
resample_backward.register_autograd(_second_backward, setup_context=_save_backward)
