"""Rows of recurrent layers and of their gradients: one scan over any number of steps.

A layer in one direction is given as its tensors: `x` (steps, batch, features), `weight` and `recurrent`, with one block of rows
for each gate, their biases, and the initial states: the hidden state and, for an LSTM, the cell. Its results are the hidden
states after all steps, and the values of all steps that the gradient needs: the cells and the gates.

The products with the inputs are one product for all steps, and so are those of the weights' gradients. The gradient is a scan
from the last step to the first, whose factors, such as the derivatives of the gates, are computed for all steps at once.
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

_States = tuple[Tensor, ...]


class _Layer(NamedTuple):
    """The tensors of a layer in one direction."""

    x: Tensor
    weight: Tensor
    recurrent: Tensor
    bias: Tensor
    recurrent_bias: Tensor
    first: _States
    reverse: bool

    @staticmethod
    def of(given: Sequence[Tensor], reverse: bool) -> _Layer:
        """The layer from the tensors that an operation is given."""
        x, weight, recurrent, bias, recurrent_bias, *first = given
        return _Layer(x, weight, recurrent, bias, recurrent_bias, tuple(first), reverse)

    def from_inputs(self) -> Tensor:
        """The contributions of the inputs to the gates, for all steps."""
        return precise(sw.matmul(self.x, sw.matrix_transpose(self.weight)) + self.bias)

    def from_hidden(self, hidden: Tensor) -> Tensor:
        """The contribution of the hidden state before a step to its gates."""
        return precise(sw.matmul(hidden, sw.matrix_transpose(self.recurrent)) + self.recurrent_bias)

    def before(self, first: Tensor, after: Tensor) -> Tensor:
        """The states before each step, from the initial state and the states after each step."""
        first = sw.expand_dims(cast(first, after.dtype), 0)
        return sw.concat([after[1:], first], axis=0) if self.reverse else sw.concat([first, after[:-1]], axis=0)


class _Gradients(NamedTuple):
    """The gradients by the initial states, and by the contributions of the inputs and of the previous states to the gates of
    all steps."""

    first: _States
    by_inputs: Tensor
    by_states: Tensor


def _lstm(layer: _Layer, given: Tensor, states: _States) -> tuple[_States, _States]:
    hidden, cell = states
    i, f, g, o = sw.split(given + layer.from_hidden(hidden), 4, axis=-1)
    i, f, g, o = sw.sigmoid(i), sw.sigmoid(f), sw.tanh(g), sw.sigmoid(o)
    cell = f * cell + i * g
    return (o * sw.tanh(cell), cell), (cell, i, f, g, o)


def _gru(layer: _Layer, given: Tensor, states: _States) -> tuple[_States, _States]:
    (hidden,) = states
    (r, z, n), (rh, zh, nh) = (sw.split(each, 3, axis=-1) for each in (given, layer.from_hidden(hidden)))
    r, z = sw.sigmoid(r + rh), sw.sigmoid(z + zh)
    n = sw.tanh(n + r * nh)
    return ((1 - z) * n + z * hidden,), (r, z, n, nh)


def _rnn(activation: Callable[[Tensor], Tensor]) -> Callable[..., tuple[_States, _States]]:
    def step(layer: _Layer, given: Tensor, states: _States) -> tuple[_States, _States]:
        return (activation(given + layer.from_hidden(states[0])),), ()

    return step


def _scan(*args: Any, **kwargs: Any) -> Any:
    # Scans are built on the functions on tensors: imported at first use.
    from ...transforms.scans import scan

    return scan(*args, **kwargs)


def _backwards(layer: _Layer, step: Any, entries: Sequence[Tensor]) -> tuple[_States, Any]:
    """A scan from the last step of the layer to its first, that carries the gradients by the states."""
    zeros = tuple(sw.zeros_like(precise(each)) for each in layer.first)
    return _scan(step, zeros, tuple(entries), reverse=not layer.reverse)


def _lstm_gradient(layer: _Layer, grads: _States, results: _States) -> _Gradients:
    _, cells, i, f, g, o = results
    t, before = sw.tanh(cells), layer.before(layer.first[1], cells)
    by_gates = g * i * (1 - i), before * f * (1 - f), i * (1 - g * g)

    def step(carry: _States, entry: _States) -> tuple[_States, Tensor]:
        hidden_given, cell_given, cell_by_hidden, o_by_hidden, f, *by_gates = entry
        by_hidden = carry[0] + hidden_given
        by_cell = carry[1] + cell_given + by_hidden * cell_by_hidden
        found = sw.concat([*(by_cell * each for each in by_gates), by_hidden * o_by_hidden], axis=-1)
        return (precise(sw.matmul(found, layer.recurrent)), by_cell * f), found

    first, found = _backwards(layer, step, (*grads, o * (1 - t * t), t * o * (1 - o), f, *by_gates))
    return _Gradients(first, found, found)


def _gru_gradient(layer: _Layer, grads: _States, results: _States) -> _Gradients:
    out, r, z, n, nh = results
    before = layer.before(layer.first[0], out)
    n_by_hidden = (1 - z) * (1 - n * n)
    factors = n_by_hidden * nh * r * (1 - r), (before - n) * z * (1 - z), n_by_hidden * r

    def step(carry: _States, entry: _States) -> tuple[_States, tuple[Tensor, Tensor]]:
        given, z, *by_gates = entry
        by_hidden = carry[0] + given
        found = sw.concat([by_hidden * each for each in by_gates], axis=-1)
        return (by_hidden * z + precise(sw.matmul(found, layer.recurrent)),), (by_hidden, found)

    first, (by_hidden, found) = _backwards(layer, step, (*grads, z, *factors))
    by_r, by_z, _ = sw.split(found, 3, axis=-1)
    return _Gradients(first, sw.concat([by_r, by_z, by_hidden * n_by_hidden], axis=-1), found)


def _rnn_gradient(derivative: Callable[[Tensor], Tensor]) -> Callable[..., _Gradients]:
    """The gradient of a layer, from the derivative of its activation in terms of its results."""

    def gradient(layer: _Layer, grads: _States, results: _States) -> _Gradients:
        def step(carry: _States, entry: _States) -> tuple[_States, Tensor]:
            given, factor = entry
            found = (carry[0] + given) * factor
            return (precise(sw.matmul(found, layer.recurrent)),), found

        first, found = _backwards(layer, step, (*grads, derivative(results[0])))
        return _Gradients(first, found, found)

    return gradient


class _Kind(NamedTuple):
    """A kind of layers. `step(layer, contribution of the inputs, states before)` gives the states after a step, and the values
    that the gradient needs. `gradient(layer, gradients by the states after all steps, results)` gives the layer's
    `_Gradients`."""

    step: Callable[..., tuple[_States, _States]]
    gradient: Callable[..., _Gradients]
    results: int


_KINDS: Mapping[str, _Kind] = MappingProxyType(
    {
        "lstm": _Kind(_lstm, _lstm_gradient, 6),
        "gru": _Kind(_gru, _gru_gradient, 5),
        "rnn_tanh": _Kind(_rnn(sw.tanh), _rnn_gradient(lambda out: 1 - out * out), 1),
        "rnn_relu": _Kind(_rnn(sw.relu), _rnn_gradient(lambda out: cast(out > 0, out.dtype)), 1),
    }
)
# The names of torch's functions, and the number of results of a layer; all have the shape of the first result, the hidden
# states.
RESULTS: Mapping[str, int] = MappingProxyType({name: kind.results for name, kind in _KINDS.items()})


def _recurrent(kind: str, given: Sequence[Tensor], reverse: bool) -> tuple[Tensor, ...]:
    """`stepwell::recurrent`: the results of a layer."""
    layer, step = _Layer.of(given, reverse), _KINDS[kind].step

    def taken(states: _States, entry: Tensor) -> tuple[_States, _States]:
        after, kept = step(layer, entry, states)
        return after, (after[0], *kept)

    _, found = _scan(taken, tuple(map(precise, layer.first)), layer.from_inputs(), reverse=reverse)
    return tuple(cast(each, layer.x.dtype) for each in found)


def _recurrent_backward(
    kind: str, grads: Sequence[Tensor], given: Sequence[Tensor], results: Sequence[Tensor], reverse: bool
) -> tuple[Tensor, ...]:
    """`stepwell::recurrent_backward`: given the gradients by a layer's results and by its states after all steps, the gradients
    by the tensors that the layer took."""
    layer = _Layer.of(given, reverse)
    first, inputs, states = _KINDS[kind].gradient(layer, tuple(map(precise, grads)), tuple(map(precise, results)))
    before = precise(layer.before(layer.first[0], results[0]))
    by_weights = (_summed_outer(inputs, precise(layer.x)), _summed_outer(states, before))
    by_biases = (sw.sum(each, axis=(0, 1)) for each in (inputs, states))
    return (sw.matmul(inputs, layer.weight), *by_weights, *by_biases, *first)


def _summed_outer(rows: Tensor, columns: Tensor) -> Tensor:
    """The sum over steps and batch of the outer products of two tensors' last axes."""
    rows, columns = (sw.reshape(each, (-1, each.shape[-1])) for each in (rows, columns))
    return sw.matmul(sw.matrix_transpose(rows), columns)


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
    *_rest: Any,
) -> tuple[Tensor, ...]:
    """A layer of an LSTM, in the form that torch exports: the results of all steps, and the last hidden state and cell."""
    if kind != _LSTM or batch_sizes:
        raise Unsupported("a recurrent layer other than an LSTM, or of packed sequences")
    first = (sw.reshape(each, each.shape[1:]) for each in (hidden, cell))
    out, cells, *_ = _recurrent("lstm", [x, weight, recurrent, bias, recurrent_bias, *first], reverse)
    end = slice(0, 1) if reverse else slice(-1, None)
    return out, out[end], cells[end], sw.zeros((0,), "uint8")


RECURRENT: Rows = MappingProxyType(
    {
        "mkldnn_rnn_layer.default": own(_of_onednn),
        "stepwell.recurrent.default": own(_recurrent),
        "stepwell.recurrent_backward.default": own(_recurrent_backward),
    }
)
