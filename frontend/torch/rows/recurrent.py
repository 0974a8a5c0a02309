"""Rows of recurrent layers and of their gradients: one scan over the steps, however many there are.

The gradient is a scan from the last step to the first. What it needs of each step, as the gates, is computed for all steps at
once from the states that the layer returned, by products of large matrices; so are the gradients by the weights.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from ... import functions as sw
from ...functions.arguments import precise
from ...tracing.tensor import Tensor, cast
from .row import Rows, Unsupported, own

# The number of an LSTM among oneDNN's kinds of layers.
_LSTM = 2


class _Layer(NamedTuple):
    """The tensors of a layer in one direction: `x` (steps, batch, features), first states, weights, one block of rows for each
    gate, and biases."""

    x: Tensor
    hidden: Tensor
    cell: Tensor
    weight: Tensor
    recurrent: Tensor
    bias: Tensor
    recurrent_bias: Tensor
    reverse: bool

    def inputs(self) -> Tensor:
        """What the gates get from x, for all steps."""
        return precise(sw.matmul(self.x, sw.matrix_transpose(self.weight)) + self.bias)

    def states(self, before: Tensor) -> Tensor:
        """What the gates get from the states before, of one step or of all."""
        return precise(sw.matmul(before, sw.matrix_transpose(self.recurrent)) + self.recurrent_bias)

    def before(self, first: Tensor, after: Tensor) -> Tensor:
        """The states before all steps, from the first one and those after all steps."""
        first = sw.expand_dims(cast(first, after.dtype), 0)
        return sw.concat([after[1:], first], axis=0) if self.reverse else sw.concat([first, after[:-1]], axis=0)


_Three = tuple[Tensor, Tensor, Tensor]


def _lstm(layer: _Layer, given: Tensor, hidden: Tensor, cell: Tensor) -> tuple[Tensor, Tensor]:
    i, f, g, o = sw.split(given + layer.states(hidden), 4, axis=-1)
    cell = sw.sigmoid(f) * cell + sw.sigmoid(i) * sw.tanh(g)
    return sw.sigmoid(o) * sw.tanh(cell), cell


def _gru(layer: _Layer, given: Tensor, hidden: Tensor, cell: Tensor) -> tuple[Tensor, Tensor]:
    (r, z, n), (rh, zh, nh) = (sw.split(each, 3, axis=-1) for each in (given, layer.states(hidden)))
    z = sw.sigmoid(z + zh)
    return (1 - z) * sw.tanh(n + sw.sigmoid(r + rh) * nh) + z * hidden, cell


def _rnn_tanh(layer: _Layer, given: Tensor, hidden: Tensor, cell: Tensor) -> tuple[Tensor, Tensor]:
    return sw.tanh(given + layer.states(hidden)), cell


def _rnn_relu(layer: _Layer, given: Tensor, hidden: Tensor, cell: Tensor) -> tuple[Tensor, Tensor]:
    return sw.relu(given + layer.states(hidden)), cell


# From a layer, its inputs to the gates of a step and the states before: the states after it.
_STEPS: Mapping[str, Callable[..., tuple[Tensor, Tensor]]] = MappingProxyType(
    {"lstm": _lstm, "gru": _gru, "rnn_tanh": _rnn_tanh, "rnn_relu": _rnn_relu}
)
# The names of torch's functions.
RECURRENT_LAYERS = frozenset(_STEPS)


def _scan(*args: Any, **kwargs: Any) -> Any:
    # Scans are built on the functions on tensors: imported at first use.
    from ...transforms.scans import scan

    return scan(*args, **kwargs)


def _recurrent(kind: str, *given: Any) -> tuple[Tensor, Tensor]:
    """`stepwell::recurrent`: the hidden states of all steps, and the cells of an LSTM."""
    layer = _Layer(*given)
    carries_cell = kind == "lstm"

    def step(carry: tuple[Tensor, ...], entry: Tensor) -> tuple[tuple[Tensor, ...], tuple[Tensor, ...]]:
        hidden, cell = _STEPS[kind](layer, entry, carry[0], carry[-1])
        after = (hidden, cell) if carries_cell else (hidden,)
        return after, after

    first = tuple(precise(each) for each in ((layer.hidden, layer.cell) if carries_cell else (layer.hidden,)))
    _, found = _scan(step, first, layer.inputs(), reverse=layer.reverse)
    out, *cells = (cast(each, layer.x.dtype) for each in found)
    return out, cells[0] if cells else sw.zeros((0,), layer.x.dtype)


def _recurrent_backward(kind: str, grad: Tensor, cell_grad: Tensor, *given: Any) -> tuple[Tensor, ...]:
    """`stepwell::recurrent_backward`: the gradients by the layer's tensors."""
    x, hidden, cell, weight, recurrent, bias, recurrent_bias, out, cells, reverse = given
    layer = _Layer(x, hidden, cell, weight, recurrent, bias, recurrent_bias, reverse)
    before = precise(layer.before(layer.hidden, out))
    if kind == "lstm":
        first, cell, inputs = _lstm_gradient(layer, before, precise(cells), precise(grad), precise(cell_grad))
        states = inputs
    elif kind == "gru":
        first, inputs, states = _gru_gradient(layer, before, precise(grad))
        cell = sw.zeros_like(layer.cell)
    else:
        first, inputs = _rnn_gradient(kind, layer, precise(out), precise(grad))
        cell, states = sw.zeros_like(layer.cell), inputs
    by_weight, by_recurrent = (_outer(a, b) for a, b in ((inputs, layer.x), (states, before)))
    by_bias, by_recurrent_bias = (sw.sum(each, axis=(0, 1)) for each in (inputs, states))
    return sw.matmul(inputs, layer.weight), first, cell, by_weight, by_recurrent, by_bias, by_recurrent_bias


def _outer(rows: Tensor, columns: Tensor) -> Tensor:
    """The sum over steps and batch of the outer products of two tensors' last axes."""
    rows, columns = (sw.reshape(each, (-1, each.shape[-1])) for each in (rows, columns))
    return sw.matmul(sw.matrix_transpose(rows), columns)


def _backwards(layer: _Layer, step: Any, first: Sequence[Tensor], entries: Sequence[Tensor]) -> tuple[Any, Any]:
    """A scan from the last step of the layer to its first."""
    return _scan(step, tuple(first), tuple(entries), reverse=not layer.reverse)


def _zero(layer: _Layer) -> Tensor:
    return sw.zeros_like(precise(layer.hidden))


def _lstm_gradient(layer: _Layer, before: Tensor, cells: Tensor, grad: Tensor, cell_grad: Tensor) -> _Three:
    """The gradients by the first hidden state, by the first cell, and by the sums that the gates are functions of."""
    i, f, g, o = sw.split(layer.inputs() + layer.states(before), 4, axis=-1)
    i, f, g, o = sw.sigmoid(i), sw.sigmoid(f), sw.tanh(g), sw.sigmoid(o)
    cells_before = layer.before(layer.cell, cells)

    def step(carry: Any, entry: Any) -> Any:
        by_hidden, by_cell = carry
        given, cell_given, i, f, g, o, t, c = entry
        by_hidden = by_hidden + given
        by_cell = by_cell + cell_given + by_hidden * o * (1 - t * t)
        sums = [by_cell * g * i * (1 - i), by_cell * c * f * (1 - f), by_cell * i * (1 - g * g), by_hidden * t * o * (1 - o)]
        found = sw.concat(sums, axis=-1)
        return (precise(sw.matmul(found, layer.recurrent)), by_cell * f), found

    entries = (grad, cell_grad, i, f, g, o, sw.tanh(cells), cells_before)
    (first, cell), found = _backwards(layer, step, [_zero(layer), _zero(layer)], entries)
    return first, cell, found


def _gru_gradient(layer: _Layer, before: Tensor, grad: Tensor) -> _Three:
    """The gradients by the first hidden state, and by what x and the state before contribute to the gates."""
    (r, z, n), (rh, zh, nh) = (sw.split(each, 3, axis=-1) for each in (layer.inputs(), layer.states(before)))
    r, z = sw.sigmoid(r + rh), sw.sigmoid(z + zh)
    n = sw.tanh(n + r * nh)

    def step(carry: Any, entry: Any) -> Any:
        given, r, z, n, nh, hidden = entry
        by_hidden = carry[0] + given
        by_n = by_hidden * (1 - z) * (1 - n * n)
        by_r, by_z = by_n * nh * r * (1 - r), by_hidden * (hidden - n) * z * (1 - z)
        states = sw.concat([by_r, by_z, by_n * r], axis=-1)
        return (by_hidden * z + precise(sw.matmul(states, layer.recurrent)),), (by_n, states)

    (first,), (by_n, states) = _backwards(layer, step, [_zero(layer)], (grad, r, z, n, nh, before))
    by_r, by_z, _ = sw.split(states, 3, axis=-1)
    return first, sw.concat([by_r, by_z, by_n], axis=-1), states


def _rnn_gradient(kind: str, layer: _Layer, out: Tensor, grad: Tensor) -> tuple[Tensor, Tensor]:
    """The gradients by the first hidden state and by the sums that the states are functions of."""

    def step(carry: Any, entry: Any) -> Any:
        given, out = entry
        by_hidden = carry[0] + given
        found = by_hidden * (1 - out * out) if kind == "rnn_tanh" else sw.where(out > 0, by_hidden, 0)
        return (precise(sw.matmul(found, layer.recurrent)),), found

    (first,), found = _backwards(layer, step, [_zero(layer)], (grad, out))
    return first, found


def _of_onednn(
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
    """A layer of an LSTM, as torch exports one: the results of all steps, and the last hidden state and cell."""
    if kind != _LSTM or batch_sizes:
        raise Unsupported("a recurrent layer other than an LSTM, or of packed sequences")
    first = (sw.reshape(each, each.shape[1:]) for each in (hidden, cell))
    out, cells = _recurrent("lstm", x, *first, weight, recurrent, bias, recurrent_bias, reverse)
    end = slice(0, 1) if reverse else slice(-1, None)
    return out, out[end], cells[end], sw.zeros((0,), "uint8")


RECURRENT: Rows = MappingProxyType(
    {
        "mkldnn_rnn_layer.default": own(_of_onednn),
        "stepwell.recurrent.default": own(_recurrent),
        "stepwell.recurrent_backward.default": own(_recurrent_backward),
    }
)
