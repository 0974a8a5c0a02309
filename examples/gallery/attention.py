"""Attention: weighted means of values, by the softmax of products of queries and keys; the scores are never stored."""

import numpy as np
import stepwell as sw
from comparison import compare


@sw.jit
def attention(q, k, v):
    scores = sw.einsum("...|qd; ...|kd => ...|qk", *(sw.rows(each, batch=2) for each in (q, k))) / np.sqrt(q.shape[-1])
    return sw.softmax(scores, axis=-1) @ v


def attention_numpy(q, k, v):
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(np.float32(q.shape[-1]))
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True) @ v


def arguments(length=512, width=64):
    return tuple(np.random.default_rng(0).standard_normal((3, 2, 4, length, width), dtype=np.float32))


if __name__ == "__main__":
    compare(attention, attention_numpy, arguments())
