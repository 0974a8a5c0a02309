"""Rows of products, convolutions, normalisations and attention. Operations of backward passes are the derivatives of the rows
of their forward passes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from types import MappingProxyType
from typing import Any

from ... import functions as sw
from ...functions.arguments import precise
from ...tracing.tensor import Tensor, cast
from .parts import pulled_back
from .row import Rows, Unsupported, meta, meta_dtype, own, result


def _scaled(value: Tensor, factor: Any) -> Tensor:
    """A product with a number, which is truncated for integers."""
    factor = int(factor) if isinstance(factor, float) and not value.dtype.is_float else factor
    return value if isinstance(factor, int | float) and factor == 1 else sw.multiply(value, factor)


def _added_product(x: Tensor, a: Tensor, b: Tensor, *, beta: Any = 1, alpha: Any = 1) -> Tensor:
    """beta * x + alpha * (a @ b); for beta = 0, x is left out, even where it is NaN."""
    _expect_same_dtype(a, b)
    x, a, b = (cast(each, meta_dtype()) for each in (x, a, b))
    product = _scaled(sw.matmul(a, b), alpha)
    is_left_out = beta == 0 if x.dtype.is_float else int(beta) == 0
    return sw.broadcast_to(product, meta().shape) if is_left_out else _scaled(x, beta) + product


def _convolution(
    x: Tensor,
    weight: Tensor,
    bias: Tensor | None,
    stride: Sequence[int],
    padding: Sequence[int],
    dilation: Sequence[int],
    transposed: bool,
    output_padding: Sequence[int],
    groups: int,
) -> Tensor:
    rank = weight.ndim - 2
    options: dict[str, Any] = {
        "stride": _each(stride, rank),
        "padding": _each(padding, rank),
        "dilation": _each(dilation, rank),
        "groups": groups,
        "bias": bias,
    }
    if transposed:
        return getattr(sw, f"conv_transpose{rank}d")(x, weight, output_padding=_each(output_padding, rank), **options)
    return getattr(sw, f"conv{rank}d")(x, weight, **options)


def _each(amounts: Sequence[int], rank: int) -> list[int]:
    """One amount for each axis: torch may give one for all axes."""
    return [int(each) for each in (list(amounts) * rank if len(amounts) == 1 else amounts)]


def _convolution_backward(
    gradient: Tensor, x: Tensor, weight: Tensor, bias_sizes: Any, *rest: Any
) -> tuple[Tensor | None, Tensor | None, Tensor | None]:
    *options, mask = rest
    by_bias = cast(sw.sum(precise(gradient), axis=(0, *range(2, gradient.ndim))), gradient.dtype) if mask[2] else None
    if mask[1] and _is_reversible(options):
        by_x = pulled_back(lambda x: _convolution(x, weight, None, *options), [x], gradient)[0] if mask[0] else None
        return by_x, _by_weight_of_transposed(gradient, x, weight, options), by_bias
    wanted = [each for each, is_wanted in ((x, mask[0]), (weight, mask[1])) if is_wanted]

    def forward(*values: Tensor) -> Tensor:
        given = iter(values)
        return _convolution(next(given) if mask[0] else x, next(given) if mask[1] else weight, None, *options)

    found = iter(pulled_back(forward, wanted, gradient) if wanted else ())
    return next(found) if mask[0] else None, next(found) if mask[1] else None, by_bias


def _is_reversible(options: Sequence[Any]) -> bool:
    """Whether a convolution is transposed, and the convolution that it transposes maps its result to the size of its
    argument."""
    stride, _, _, transposed, output_padding, _ = options
    count = max(len(stride), len(output_padding))
    return transposed and all(
        more < step for more, step in zip(_each(output_padding, count), _each(stride, count), strict=True)
    )


def _by_weight_of_transposed(gradient: Tensor, x: Tensor, weight: Tensor, options: Sequence[Any]) -> Tensor:
    """The gradient by the weight of a transposed convolution, computed as that of the convolution that it transposes, from
    `gradient` to x: its operands are packed once for all places of the kernel."""
    stride, padding, dilation, _, output_padding, groups = options
    plain = (stride, padding, dilation, False, output_padding, groups)
    return pulled_back(lambda weight: _convolution(gradient, weight, None, *plain), [weight], x)[0]


def _layer_norm(x: Tensor, shape: Sequence[Any], weight: Any, bias: Any, eps: float) -> tuple[Tensor, Tensor, Tensor]:
    axes = tuple(range(x.ndim - len(shape), x.ndim))
    found, mean, scale = _standardised(precise(x), axes, eps)
    return cast(_affine(found, weight, bias), x.dtype), mean, scale


def _standardised(x: Tensor, axes: tuple[int, ...], eps: float) -> tuple[Tensor, Tensor, Tensor]:
    """The normalised tensor, the mean, and one over the standard deviation."""
    mean = sw.mean(x, axis=axes, keepdims=True)
    scale = sw.rsqrt(sw.var(x, axis=axes, keepdims=True) + eps)
    return (x - mean) * scale, mean, scale


def _affine(x: Tensor, weight: Tensor | None, bias: Tensor | None) -> Tensor:
    if weight is not None:
        x = x * precise(weight)
    return x if bias is None else x + precise(bias)


def _group_norm(
    x: Tensor, weight: Any, bias: Any, batch: Any, channels: Any, space: Any, groups: int, eps: float
) -> tuple[Tensor, Tensor, Tensor]:
    grouped = sw.reshape(precise(x), (batch, groups, channels // groups, space))
    found, mean, scale = _standardised(grouped, (2, 3), eps)
    shaped = [None if each is None else sw.reshape(each, (-1, *[1] * (x.ndim - 2))) for each in (weight, bias)]
    out = cast(_affine(sw.reshape(found, x.shape), *shaped), x.dtype)
    return out, sw.reshape(mean, (batch, groups)), sw.reshape(scale, (batch, groups))


def _attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    dropout: float = 0.0,
    is_causal: bool = False,
    *,
    attn_mask: Tensor | None = None,
    scale: float | None = None,
) -> tuple[Tensor, Tensor]:
    """Scaled dot-product attention, and the logarithms of the sums of exponentials of its scores. Queries whose keys are all
    masked attend to nothing."""
    if dropout:
        raise Unsupported("attention with a dropout")
    scores = _scores(query, key, is_causal, attn_mask, scale)
    out, sums = sw.matmul(sw.softmax(scores, axis=-1), precise(value)), sw.logsumexp(scores, axis=-1)
    if attn_mask is not None:
        out = sw.where(_attend_nothing(sums), 0, out)
    return cast(out, query.dtype), sums


def _attend_nothing(sums: Tensor) -> Tensor:
    """Which queries have no keys, by the logarithms of their sums."""
    return sw.expand_dims(sw.equal(sums, -math.inf), -1)


def _scores(query: Tensor, key: Tensor, is_causal: bool, mask: Tensor | None, scale: float | None) -> Tensor:
    size = int(query.shape[-1])
    factor = 1 / math.sqrt(max(size, 1)) if scale is None else scale  # sums over no features are 0
    scores = sw.matmul(precise(query) * factor, sw.matrix_transpose(precise(key)))
    if mask is not None:
        scores = sw.where(mask, scores, -math.inf) if mask.dtype.name == "bool" else scores + precise(mask)
    if is_causal:
        rows, columns = sw.arange(query.shape[-2]), sw.arange(key.shape[-2])
        scores = sw.where(sw.expand_dims(rows, 1) >= columns, scores, -math.inf)
    return scores


def _attention_backward(
    gradient: Tensor,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    out: Tensor,
    sums: Tensor,
    dropout: float,
    is_causal: bool,
    *,
    attn_mask: Tensor | None = None,
    scale: float | None = None,
) -> tuple[Tensor, ...]:
    if dropout:
        raise Unsupported("attention with a dropout")

    def forward(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
        scores = _scores(query, key, is_causal, attn_mask, scale)
        if attn_mask is not None:
            scores = sw.where(_attend_nothing(sums), 0, scores)
        return cast(sw.matmul(sw.softmax(scores, axis=-1), precise(value)), query.dtype)

    if attn_mask is not None:
        gradient = sw.where(_attend_nothing(sums), 0, gradient)
    return pulled_back(forward, (query, key, value), gradient)


def _distances(x1: Tensor, x2: Tensor, p: float, mode: Any = None) -> Tensor:
    """The distance of each row of x1 from each row of x2."""
    size = sw.abs(sw.expand_dims(x1, -2) - sw.expand_dims(x2, -3))
    if p == 0:
        return sw.sum(cast(sw.not_equal(size, 0), x1.dtype), axis=-1)
    if p == 1:
        return sw.sum(size, axis=-1)
    if p == 2:
        return _root(sw.sum(sw.square(size), axis=-1))
    return sw.max(size, axis=-1) if p == math.inf else sw.pow(sw.sum(sw.pow(size, p), axis=-1), 1 / p)


def _root(x: Tensor) -> Tensor:
    """The square root, whose derivative at 0 is 0."""
    is_zero = sw.equal(x, 0)
    return sw.where(is_zero, 0.0, sw.sqrt(sw.where(is_zero, 1.0, x)))


def _distances_backward(gradient: Tensor, x1: Tensor, x2: Tensor, p: float, found: Tensor) -> Tensor:
    return pulled_back(lambda x1: _distances(x1, x2, p), [x1], gradient)[0]


def _expect_same_dtype(x: Tensor, y: Tensor) -> None:
    """Leave factors of different dtypes to eager, which raises the error."""
    if x.dtype != y.dtype:
        raise Unsupported(f"factors of {x.dtype} and {y.dtype}")


def _product(x: Tensor, y: Tensor) -> Tensor:
    _expect_same_dtype(x, y)
    target = meta_dtype()
    return cast(sw.matmul(cast(x, target), cast(y, target)), target)


def _summed_products(x: Tensor, a: Tensor, b: Tensor, *, beta: Any = 1, alpha: Any = 1) -> Tensor:
    """`addmm` with the sum of the products of a batch."""
    flat = sw.reshape(sw.permute_dims(a, (1, 0, 2)), (a.shape[1], a.shape[0] * a.shape[2]))
    return _added_product(x, flat, sw.reshape(b, (b.shape[0] * b.shape[1], b.shape[2])), beta=beta, alpha=alpha)


def _trilinear(a: Tensor, b: Tensor, c: Tensor, *expanded_and_summed: Any) -> Tensor:
    """The sum over some axes of the product of three tensors, each with new axes."""
    *expanded, summed = expanded_and_summed[:4]
    values = [sw.expand_dims(each, tuple(axes)) if axes else each for each, axes in zip((a, b, c), expanded, strict=True)]
    return sw.sum(values[0] * values[1] * values[2], axis=tuple(summed))


NEURAL: Rows = MappingProxyType(
    {
        "mm.default": own(_product),
        "bmm.default": own(_product),
        "mv.default": own(_product),
        "addmm.default": own(_added_product),
        "baddbmm.default": own(_added_product),
        "addbmm.default": result(_summed_products),
        "_trilinear.default": own(_trilinear),
        "addmv.default": result(_added_product),
        "convolution.default": own(_convolution),
        "convolution_backward.default": own(_convolution_backward),
        "native_layer_norm.default": own(_layer_norm),
        "native_group_norm.default": own(_group_norm),
        "_scaled_dot_product_flash_attention_for_cpu.default": own(_attention),
        "_scaled_dot_product_flash_attention_for_cpu_backward.default": own(_attention_backward),
        "_cdist_forward.default": own(_distances),
        "_cdist_backward.default": own(_distances_backward),
    }
)
