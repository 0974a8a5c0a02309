"""Activations and normalisations of neural networks. All cast integers to their `default_float`, compute half precision in
float32, and raise ShapeError for sizes that do not fit."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from ...ir.types.dtypes import FLOAT32, FLOAT64, DType
from ..tracing.tensor import Tensor, TensorLike, cast, map_, tensor_of
from .arguments import axes_of, floating, precise, tensor, tracer_of
from .composites import call
from .elementwise import divide, greater, where
from .manipulation import reshape
from .reductions import count, sum
from .scalar_functions import rsqrt, sigmoid, square, tanh

# A dtype's (start, shift). For very negative x, sigmoid(x) = exp(x) is denormal and loses digits. Below `start`, silu computes
# x * sigmoid(x + shift) * exp(-shift), in which x + shift is exact. Half precision is computed in float32 and needs none.
_SILU_TAILS: Mapping[DType, tuple[int, int]] = MappingProxyType({FLOAT32: (-64, 32), FLOAT64: (-640, 64)})


def relu(x: TensorLike, /) -> Tensor:
    """max(x, 0), elementwise; NaN stays NaN. The gradient at 0 is 0."""
    return call(_relu, [tensor(x)])


def _relu(x: Tensor) -> Tensor:
    return where(x <= 0, 0, x)


def relu_gate(x: TensorLike, y: TensorLike, /) -> Tensor:
    """y where x is positive, else 0, elementwise: the backward of relu. The gradient by y passes the same gate; the gradient by
    x is 0."""
    return where(greater(x, 0), y, 0)


def silu(x: TensorLike, /) -> Tensor:
    """x * sigmoid(x), elementwise (Elfwing et al., 2017), accurate for very negative x too."""
    return call(_silu, [floating(x)])


def _silu(x: Tensor) -> Tensor:
    wide = precise(x)
    if x.dtype not in _SILU_TAILS:
        return cast(wide * sigmoid(wide), x.dtype)
    start, shift = _SILU_TAILS[x.dtype]
    tail = x < start

    def there(inside: float, outside: float) -> Tensor:
        return where(tail, tensor_of(inside, x.tracer, x.dtype), tensor_of(outside, x.tracer, x.dtype))

    return x * sigmoid(x + there(shift, 0)) * there(math.exp(-shift), 1)


def gelu(x: TensorLike, /, *, approximate: str = "none") -> Tensor:
    """x times the standard normal distribution function at x, elementwise (Hendrycks and Gimpel, 2016), with a small relative
    error in the negative tail too.

    approximate="tanh" computes 0.5 * x * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x ** 3))) instead. Raises ShapeError for
    other values of `approximate`.
    """
    value = floating(x)
    if approximate not in ("none", "tanh"):
        raise value.tracer.error(f"gelu: expected approximate 'none' or 'tanh', got {approximate!r}")
    if approximate == "none":
        return cast(map_("gelu", precise(value)), value.dtype)
    return call(_gelu_by_tanh, [value])


def _gelu_by_tanh(x: Tensor) -> Tensor:
    wide = precise(x)
    inner = math.sqrt(2 / math.pi) * (wide + 0.044715 * wide * wide * wide)
    return cast(0.5 * wide * (1.0 + tanh(inner)), x.dtype)


def layer_norm(
    x: TensorLike, /, weight: Any = None, bias: Any = None, *, axis: int | Sequence[int] = -1, eps: float = 1e-5
) -> Tensor:
    """Normalise x over `axis`, in the shape and dtype of x (Ba et al., "Layer Normalization", 2016):

        (x - mean(x)) / sqrt(var(x) + eps) * weight + bias

    The variance is that of the population. `weight` and `bias` are optional and broadcast with x: over the last axis they have
    shape (x.shape[-1],). Raises ShapeError for an axis out of range and for operands that do not broadcast.
    """
    value = floating(x)
    extra = [tensor(each) for each in (weight, bias) if each is not None]
    flags = (weight is not None, bias is not None)
    return call(_layer_norm, [value, *extra], axes_of(axis, value.ndim, value.tracer), eps, flags)


def _layer_norm(x: Tensor, *rest: Any) -> Tensor:
    *extra, axes, eps, (weighted, biased) = rest
    result = _standardised(precise(x), axes, eps)
    scale, shift = _scale_and_shift(extra, weighted, biased)
    return cast(_affine(result, scale, shift), x.dtype)


def rms_norm(x: TensorLike, /, weight: Any = None, *, axis: int | Sequence[int] = -1, eps: float = 1e-6) -> Tensor:
    """x / sqrt(mean(x * x) + eps) * weight over `axis`, in the shape and dtype of x (Zhang and Sennrich, 2019). `weight` is
    optional and broadcasts with x."""
    value = floating(x)
    extra = [tensor(weight)] if weight is not None else []
    return call(_rms_norm, [value, *extra], axes_of(axis, value.ndim, value.tracer), eps)


def _rms_norm(x: Tensor, *rest: Any) -> Tensor:
    *extra, axes, eps = rest
    wide = precise(x)
    mean_square = divide(sum(square(wide), axis=axes, keepdims=True), count(x, axes))
    return cast(_affine(wide * rsqrt(mean_square + eps), extra[0] if extra else None, None), x.dtype)


def group_norm(x: TensorLike, groups: int, /, weight: Any = None, bias: Any = None, *, eps: float = 1e-5) -> Tensor:
    """Normalise x of shape (N, C, space ...) over the channels and space of each of `groups` groups of channels, then apply
    `weight` (C) and `bias` (C) (Wu and He, 2018). The formula is that of `layer_norm`.

    Raises ShapeError unless x has at least two axes and C is divisible by `groups`.
    """
    value = floating(x)
    if value.ndim < 2:
        raise value.tracer.error(f"group_norm: expected (batch, channels, ...), got {value!r}")
    extra = [tensor(each) for each in (weight, bias) if each is not None]
    return call(_group_norm, [value, *extra], groups, eps, (weight is not None, bias is not None))


def _group_norm(x: Tensor, *rest: Any) -> Tensor:
    *extra, groups, eps, (weighted, biased) = rest
    batch, channels, *space = x.shape
    per_group = x.tracer.sizes.divide(x.sizes[1], x.sizes[1] * 0 + groups)
    if per_group is None:
        raise x.tracer.error(f"group_norm: {channels} channels do not divide into {groups} groups")
    grouped = reshape(precise(x), (batch, groups, per_group, *space))
    result = reshape(_standardised(grouped, tuple(range(2, grouped.ndim)), eps), x.sizes)
    scale, shift = (_per_channel(each, len(space)) for each in _scale_and_shift(extra, weighted, biased))
    return cast(_affine(result, scale, shift), x.dtype)


def batch_norm(
    x: TensorLike,
    /,
    mean: TensorLike,
    var: TensorLike,
    weight: Any = None,
    bias: Any = None,
    *,
    eps: float = 1e-5,
) -> Tensor:
    """(x - mean) / sqrt(var + eps) * weight + bias for x of shape (N, C, space ...), in the shape and dtype of x (Ioffe and
    Szegedy, 2015).

    `mean`, `var`, `weight` and `bias` have shape (C,); `batch_statistics` computes the first two. Raises ShapeError for fewer
    than two axes.
    """
    value = floating(x)
    extra = [tensor(each) for each in (weight, bias) if each is not None]
    tracer = tracer_of(x, mean, var)
    if value.ndim < 2:
        raise tracer.error(f"batch_norm: expected (batch, channels, ...), got {value!r}")
    return call(_batch_norm, [value, tensor(mean), tensor(var), *extra], eps, (weight is not None, bias is not None))


def _batch_norm(x: Tensor, mean: Tensor, var: Tensor, *rest: Any) -> Tensor:
    *extra, eps, (weighted, biased) = rest
    space = x.ndim - 2
    scale, shift = (_per_channel(each, space) for each in _scale_and_shift(extra, weighted, biased))
    wide, center = precise(x), _per_channel(mean, space)
    assert center is not None, "the mean is given"
    result = (wide - precise(center)) * _per_channel(rsqrt(precise(var) + eps), space)
    return cast(_affine(result, scale, shift), x.dtype)


def batch_statistics(x: TensorLike, /) -> tuple[Tensor, Tensor]:
    """The mean and the population variance of each channel of x of shape (N, C, space ...), both of shape (C,), for
    `batch_norm` in training."""
    from .reductions import mean, var

    value = floating(x)
    axes = (0, *range(2, value.ndim))
    return mean(value, axis=axes), var(value, axis=axes)


def _standardised(x: Tensor, axes: tuple[int, ...], eps: float) -> Tensor:
    number = count(x, axes)
    centered = x - divide(sum(x, axis=axes, keepdims=True), number)
    variance = divide(sum(square(centered), axis=axes, keepdims=True), number)
    return centered * rsqrt(variance + eps)


def _scale_and_shift(extra: Sequence[Tensor], weighted: bool, biased: bool) -> tuple[Tensor | None, Tensor | None]:
    """The weight and the bias from the list of operands, None for those not given."""
    operands = iter(extra)
    return next(operands) if weighted else None, next(operands) if biased else None


def _affine(x: Tensor, scale: Tensor | None, shift: Tensor | None) -> Tensor:
    if scale is not None:
        x = x * precise(scale)
    return x if shift is None else x + precise(shift)


def _per_channel(x: Tensor | None, space: int) -> Tensor | None:
    """Reshape a tensor with one value a channel to broadcast over `space` trailing axes."""
    return None if x is None else reshape(x, [*x.sizes, *[1] * space])
