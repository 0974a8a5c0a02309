"""Rows of activations, and of the gradients of activations and of elementwise losses.

torch's decompositions of these gradients select a branch by comparisons such as `x <= 0`, so that some drop a NaN and others
pass a gradient where x is NaN. They also compute `sigmoid(x) - 1`, which loses its digits for large x. Here the gradient at a
NaN is NaN, except that of `hardtanh`, which is 0 as in eager. The other gradients have no counterpart in eager: eager's
gradient at a NaN depends on the dtype, and on whether the element is computed in a vector.
"""

from __future__ import annotations

import math
from types import MappingProxyType
from typing import Any

from ... import functions as sw
from ...functions.arguments import precise
from ...tracing.tensor import Tensor
from .elementwise import clamped
from .row import Rows, own


def _clamp_between(x: Any, low: Any = -1.0, high: Any = 1.0) -> Any:
    return clamped(x, low, high)


def _leaky_relu(x: Any, slope: Any = 0.01) -> Any:
    return sw.where(x > 0, x, x * slope)


def _elu(x: Any, alpha: Any = 1, scale: Any = 1, input_scale: Any = 1) -> Any:
    wide = precise(x)
    return sw.where(wide > 0, wide * scale, sw.expm1(wide * input_scale) * (alpha * scale))


def _elu_backward(gradient: Tensor, alpha: Any, scale: Any, input_scale: Any, is_result: bool, x: Tensor) -> Tensor:
    """The gradient by the argument, from the argument or from the result."""
    arrived, wide = precise(gradient), precise(x)
    low = wide + alpha * scale if is_result else sw.exp(wide * input_scale) * (alpha * scale)
    return sw.where(wide > 0, arrived * scale, arrived * (low * input_scale))


def _softplus(x: Any, beta: Any = 1, threshold: Any = 20) -> Any:
    wide = precise(x)
    scaled = wide * beta
    return sw.where(scaled > threshold, wide, sw.softplus(scaled) / beta)


def _hardswish_backward(gradient: Tensor, x: Tensor) -> Tensor:
    arrived, wide = precise(gradient), precise(x)
    return sw.where(wide <= -3, 0, sw.where(wide >= 3, arrived, arrived * (wide / 3 + 0.5)))


def _hardtanh_backward(gradient: Tensor, x: Tensor, low: Any, high: Any) -> Tensor:
    wide = precise(x)  # bounds are no numbers of half precision
    return sw.where(sw.logical_and(wide > low, wide < high), gradient, 0)


def _share(gradient: Tensor, x: Tensor, reduction: int) -> Tensor:
    """The cotangent of each element of a loss; the reduction 1 is the mean."""
    arrived = precise(gradient)
    return arrived / math.prod(x.shape) if reduction == 1 else arrived


def _smooth_l1_backward(gradient: Tensor, x: Tensor, target: Tensor, reduction: int, beta: Any) -> Tensor:
    distance = precise(x) - precise(target)
    arrived = _share(gradient, distance, reduction)
    inner = sw.sign(distance) if beta == 0 else distance / beta
    return (
        sw.where(distance <= -beta, -arrived, sw.where(distance >= beta, arrived, inner * arrived)) if beta else inner * arrived
    )


def _soft_margin_backward(gradient: Tensor, x: Tensor, target: Tensor, reduction: int) -> Tensor:
    sign = precise(target)
    slope = -sign * sw.sigmoid(-sign * precise(x))
    return slope * _share(gradient, slope, reduction)


ACTIVATIONS: Rows = MappingProxyType(
    {
        "relu.default": own(sw.relu),
        "leaky_relu.default": own(_leaky_relu),
        "hardtanh.default": own(_clamp_between),
        "elu.default": own(_elu),
        "silu.default": own(sw.silu),
        "softplus.default": own(_softplus),
        "gelu.default": own(sw.gelu),
        "elu_backward.default": own(_elu_backward),
        "hardswish_backward.default": own(_hardswish_backward),
        "hardtanh_backward.default": own(_hardtanh_backward),
        "smooth_l1_loss_backward.default": own(_smooth_l1_backward),
        "soft_margin_loss_backward.default": own(_soft_margin_backward),
    }
)
