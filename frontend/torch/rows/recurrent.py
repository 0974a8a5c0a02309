"""Rows of recurrent layers: one scan over the steps, however many there are."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType
from typing import Any

from ... import functions as sw
from ...functions.arguments import precise
from ...tracing.tensor import Tensor, cast
from .row import Rows, Unsupported, own

# The number of an LSTM among oneDNN's kinds of layers.
_LSTM = 2


def _layer(
    x: Tensor,
    weight: Tensor,
    recurrent: Tensor,
    bias: Tensor,
    recurrent_bias: Tensor,
    hidden: Tensor,
    cell: Tensor,
    reverse: bool,
    batch_sizes: Sequence[int],
    kind: int,
    *_: Any,
) -> tuple[Tensor, ...]:
    """A layer of an LSTM on x (steps, batch, features): the results of all steps, and the last hidden state and cell."""
    if kind != _LSTM or batch_sizes:
        raise Unsupported("a recurrent layer other than an LSTM, or of packed sequences")
    # Scans are built on the functions on tensors: imported at first use.
    from ...transforms.scans import scan

    gates = precise(sw.matmul(x, sw.matrix_transpose(weight)) + (bias + recurrent_bias))
    back = sw.matrix_transpose(recurrent)

    def step(carry: tuple[Tensor, Tensor], given: Tensor) -> tuple[tuple[Tensor, Tensor], Tensor]:
        state, memory = carry
        i, f, g, o = sw.split(given + sw.matmul(state, back), 4, axis=-1)
        memory = sw.sigmoid(f) * memory + sw.sigmoid(i) * sw.tanh(g)
        state = sw.sigmoid(o) * sw.tanh(memory)
        return (state, memory), state

    first = tuple(precise(sw.reshape(each, each.shape[1:])) for each in (hidden, cell))
    (state, memory), out = scan(step, first, gates, reverse=reverse)
    last = (cast(sw.expand_dims(each, 0), x.dtype) for each in (state, memory))
    return (cast(out, x.dtype), *last, sw.zeros((0,), "uint8"))


RECURRENT: Rows = MappingProxyType({"mkldnn_rnn_layer.default": own(_layer)})
