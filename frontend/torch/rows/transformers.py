"""Rows of whole layers of transformers, which torch's modules call in inference, and of weight normalisation."""

from __future__ import annotations

import math
from types import MappingProxyType
from typing import Any

from ... import functions as sw
from ...tracing.tensor import Tensor
from .parts import pulled_back
from .row import Rows, Unsupported, own


def _attended(x: Tensor, heads: int, weight: Tensor, bias: Tensor, out_weight: Tensor, out_bias: Tensor) -> Tensor:
    """Self-attention of x (batch, steps, features) with several heads."""
    batch, steps, width = x.shape
    size = int(width) // heads
    joint = sw.matmul(x, sw.matrix_transpose(weight)) + bias
    parts = sw.permute_dims(sw.reshape(joint, (batch, steps, 3, heads, size)), (2, 0, 3, 1, 4))
    query, key, value = (parts[k] for k in range(3))
    scores = sw.matmul(query * (1 / math.sqrt(size)), sw.matrix_transpose(key))
    found = sw.permute_dims(sw.matmul(sw.softmax(scores, axis=-1), value), (0, 2, 1, 3))
    return sw.matmul(sw.reshape(found, (batch, steps, width)), sw.matrix_transpose(out_weight)) + out_bias


def _encoder_layer(
    x: Tensor,
    width: int,
    heads: int,
    *rest: Any,
) -> Tensor:
    """A layer of an encoder: attention, and two products, each with a residual sum and a normalisation before or after."""
    attention, (use_gelu, norm_first, eps), norms, products, masks = rest[:4], rest[4:7], rest[7:11], rest[11:15], rest[15:]
    if x.ndim != 3 or any(each is not None for each in masks):
        raise Unsupported("a transformer layer with a mask, or without a batch")

    def normed(x: Tensor, number: int) -> Tensor:
        return sw.layer_norm(x, norms[2 * number], norms[2 * number + 1], eps=eps)

    def inner(x: Tensor) -> Tensor:
        hidden = sw.matmul(x, sw.matrix_transpose(products[0])) + products[1]
        hidden = sw.gelu(hidden) if use_gelu else sw.relu(hidden)
        return sw.matmul(hidden, sw.matrix_transpose(products[2])) + products[3]

    if norm_first:
        x = x + _attended(normed(x, 0), heads, *attention)
        return x + inner(normed(x, 1))
    x = normed(x + _attended(x, heads, *attention), 0)
    return normed(x + inner(x), 1)


def _weight_norm_backward(gradient: Tensor, v: Tensor, g: Tensor, _: Tensor, dim: int) -> tuple[Tensor, ...]:
    def forward(v: Tensor, g: Tensor) -> Tensor:
        axes = tuple(k for k in range(v.ndim) if k != dim)
        return v * (g / sw.sqrt(sw.sum(sw.square(v), axis=axes, keepdims=True)))

    return pulled_back(forward, (v, g), gradient)


TRANSFORMERS: Rows = MappingProxyType(
    {
        "_transformer_encoder_layer_fwd.default": own(_encoder_layer),
        "_weight_norm_interface_backward.default": own(_weight_norm_backward),
    }
)
