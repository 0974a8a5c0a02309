"""Multi-head attention (Vaswani et al., 2017)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..frontend import public as sw
from .initializers import xavier_uniform
from .keys import split
from .layers import Linear, linear
from .module import Params, parameter


@dataclass(frozen=True)
class MultiHeadAttention:
    """Attention from x (N, T, embed_dim) to `context` (N, S, embed_dim), or to x itself, with a result of (N, T, embed_dim).

    With `causal`, a position attends only to itself and to earlier ones. The weights of queries, keys and values are stacked
    along the first axis of `in_proj_weight` (3 embed_dim, embed_dim). Raises ValueError unless embed_dim is divisible by
    num_heads.
    """

    embed_dim: int
    num_heads: int
    causal: bool = False

    def __post_init__(self):
        if self.embed_dim % self.num_heads:
            raise ValueError(f"MultiHeadAttention: an embed_dim of {self.embed_dim} is not divisible by {self.num_heads} heads")

    @property
    def out_proj(self) -> Linear:
        """The output projection of the joined heads."""
        return Linear(self.embed_dim, self.embed_dim)

    def init(self, key: int) -> Params:
        inner, outer = split(key, 2)
        params: Params = {
            "in_proj_weight": xavier_uniform(inner, (3 * self.embed_dim, self.embed_dim)),
            "in_proj_bias": np.zeros(3 * self.embed_dim, np.float32),
            "out_proj": self.out_proj.init(outer),
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
        return self.out_proj(params["out_proj"], joined)

    def _projected(self, params: Params, x: Any, context: Any) -> list[Any]:
        """Queries, keys and values as (N, T, heads, embed_dim / heads)."""
        width = self.embed_dim
        weight = parameter(self, params, "in_proj_weight", (3 * width, width))
        bias = parameter(self, params, "in_proj_bias", (3 * width,))
        parts = [slice(k * width, (k + 1) * width) for k in range(3)]
        if context is x:
            together = linear(x, weight, bias)
            return [self._heads(together[..., part]) for part in parts]
        sources = zip((x, context, context), parts, strict=True)
        return [self._heads(linear(source, weight[part], bias[part])) for source, part in sources]

    def _heads(self, x: Any) -> Any:
        return sw.reshape(x, (*x.shape[:2], self.num_heads, self.embed_dim // self.num_heads))
