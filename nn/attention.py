"""Attention (Vaswani et al., 2017)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..frontend import functions as sw
from .initializers import xavier_uniform
from .keys import split
from .layers import Linear, linear
from .module import Params


@dataclass(frozen=True)
class MultiHeadAttention:
    """(N, T, embed_dim) to (N, T, embed_dim): each position asks all positions of `context` (N, S, embed_dim), or of x.

    With `causal`, a position asks itself and those before it. The weights of queries, keys and values stand below each other
    in `in_proj_weight` (3 embed_dim, embed_dim).
    """

    embed_dim: int
    num_heads: int
    causal: bool = False

    def __post_init__(self):
        if self.embed_dim % self.num_heads:
            raise ValueError(f"MultiHeadAttention: {self.embed_dim} does not divide into {self.num_heads} heads")

    def init(self, key: int) -> Params:
        inner, outer = split(key, 2)
        params: Params = {
            "in_proj_weight": xavier_uniform(inner, (3 * self.embed_dim, self.embed_dim)),
            "in_proj_bias": np.zeros(3 * self.embed_dim, np.float32),
            "out_proj": Linear(self.embed_dim, self.embed_dim).init(outer),
        }
        params["out_proj"]["bias"] = np.zeros(self.embed_dim, np.float32)
        return params

    def __call__(self, params: Params, x: Any, context: Any = None, /, *, key: Any = None) -> Any:
        query, found, value = self._projected(params, x, x if context is None else context)
        scores = sw.einsum("nthd,nshd->nhts", query, found) * (1 / math.sqrt(self.embed_dim // self.num_heads))
        if self.causal:
            times, places = (sw.arange(size) for size in scores.shape[2:])
            scores = sw.where(places <= sw.expand_dims(times, -1), scores, -math.inf)
        mixed = sw.einsum("nhts,nshd->nthd", sw.softmax(scores, axis=-1), value)
        joined = sw.reshape(mixed, (*mixed.shape[:2], self.embed_dim))
        return linear(joined, params["out_proj"]["weight"], params["out_proj"]["bias"])

    def _projected(self, params: Params, x: Any, context: Any) -> list[Any]:
        """Queries, keys and values as (N, T, heads, width of a head)."""
        width = self.embed_dim
        weight, bias = (sw.asarray(params[name]) for name in ("in_proj_weight", "in_proj_bias"))
        parts = [slice(k * width, (k + 1) * width) for k in range(3)]
        if context is x:
            together = linear(x, weight, bias)
            return [self._heads(together[..., part]) for part in parts]
        sources = zip((x, context, context), parts, strict=True)
        return [self._heads(linear(source, weight[part], bias[part])) for source, part in sources]

    def _heads(self, x: Any) -> Any:
        return sw.reshape(x, (*x.shape[:2], self.num_heads, self.embed_dim // self.num_heads))
