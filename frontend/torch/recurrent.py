"""Recurrent layers of torch as one operation for each layer and direction, so that no graph has the steps one by one.

torch decomposes an LSTM into operations for each step when it is differentiated. `replace_layers` replaces the calls in a graph
of Dynamo's, before it is differentiated, by the operations `stepwell::recurrent` and `stepwell::recurrent_backward`, whose rows
(`rows/recurrent.py`) are loops over the steps. Left to eager, the rows are interpreted.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from types import MappingProxyType
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

from ..jit import Jitted
from .rows.recurrent import RECURRENT, RECURRENT_LAYERS


def replace_layers(module: Any) -> None:
    """Replace recurrent layers in a graph of Dynamo's, in place. Those of packed sequences, with projections or of mixed dtypes
    stay torch's."""
    kept = {getattr(torch._VF, kind): kind for kind in RECURRENT_LAYERS}
    for node in module.graph.nodes:
        if node.op == "call_function" and node.target in kept and isinstance(node.args[2], list | tuple):
            node.target = _LAYERS[kept[node.target]]
    module.recompile()


def _layers(
    kind: str,
    x: Tensor,
    state: Any,
    params: Sequence[Tensor],
    has_biases: bool,
    count: int,
    dropout: float,
    train: bool,
    bidirectional: bool,
    batch_first: bool,
) -> tuple[Tensor, ...]:
    """What torch's function of this name computes: the results of all steps, and the last states."""
    directions = 2 if bidirectional else 1
    each = 4 if has_biases else 2
    if len(params) != each * directions * count or len({x.dtype, *(p.dtype for p in params)}) > 1 or _in_autocast(x):
        rest = (params, has_biases, count, dropout, train, bidirectional, batch_first)
        return getattr(torch._VF, kind)(x, state, *rest)
    hidden, cell = state if kind == "lstm" else (state, state.new_empty(state.shape[0], 0))
    x = x.transpose(0, 1) if batch_first else x
    last: list[tuple[Tensor, Tensor]] = []
    for layer in range(count):
        found = []
        for direction in range(directions):
            number = layer * directions + direction
            weight, recurrent, *biases = params[number * each : (number + 1) * each]
            bias, recurrent_bias = biases or (weight.new_zeros(len(weight)), weight.new_zeros(len(weight)))
            given = (x, hidden[number], cell[number], weight, recurrent, bias, recurrent_bias)
            out, cells = recurrent_layer(kind, *given, bool(direction))
            found.append(out)
            end = 0 if direction else -1
            last.append((out[end], cells[end] if kind == "lstm" else out[end]))
        x = torch.cat(found, -1) if bidirectional else found[0]
        if dropout and train and layer + 1 < count:
            x = F.dropout(x, dropout)
    states = [torch.stack(each) for each in zip(*last, strict=True)]
    return (x.transpose(0, 1) if batch_first else x, *states[: 2 if kind == "lstm" else 1])


def _in_autocast(x: Tensor) -> bool:
    return torch.is_autocast_enabled(x.device.type)


def _named(kind: str) -> Callable[..., Any]:
    """The layers of one kind, as a function with a name, which graphs need."""

    @functools.wraps(_layers)
    def layers(*args: Any) -> Any:
        return _layers(kind, *args)

    layers.__name__ = layers.__qualname__ = kind
    return layers


_LAYERS = MappingProxyType({kind: _named(kind) for kind in RECURRENT_LAYERS})


@torch.library.custom_op("stepwell::recurrent", mutates_args=())
def recurrent_layer(
    kind: str,
    x: Tensor,
    hidden: Tensor,
    cell: Tensor,
    weight: Tensor,
    recurrent: Tensor,
    bias: Tensor,
    recurrent_bias: Tensor,
    reverse: bool,
) -> tuple[Tensor, Tensor]:
    """One layer in one direction on `x` (steps, batch, features): the hidden states of all steps, and the cells of an LSTM,
    empty for other kinds."""
    out, cells = _interpreted("recurrent", kind, reverse)(x, hidden, cell, weight, recurrent, bias, recurrent_bias)
    return out, cells


@functools.cache
def _interpreted(name: str, kind: str, reverse: bool) -> Callable[..., tuple[Tensor, ...]]:
    """The row of an operation as a function of tensors that needs no compiler."""
    row = RECURRENT[f"stepwell.{name}.default"].function
    jitted = Jitted(lambda *tensors: row(kind, *tensors, reverse), "interpret")

    def computed(*tensors: Tensor) -> tuple[Tensor, ...]:
        found = jitted(*(each.detach().cpu() for each in tensors))
        return tuple(each.to(tensors[0].device) for each in found)

    return computed


@recurrent_layer.register_fake
def _(
    kind: str,
    x: Tensor,
    hidden: Tensor,
    cell: Tensor,
    weight: Tensor,
    recurrent: Tensor,
    bias: Tensor,
    recurrent_bias: Tensor,
    reverse: bool,
) -> tuple[Tensor, Tensor]:
    out = x.new_empty((*x.shape[:2], hidden.shape[-1]))
    return out, torch.empty_like(out) if kind == "lstm" else x.new_empty(0)


@torch.library.custom_op("stepwell::recurrent_backward", mutates_args=())
def recurrent_backward(
    kind: str,
    grad: Tensor,
    cell_grad: Tensor,
    x: Tensor,
    hidden: Tensor,
    cell: Tensor,
    weight: Tensor,
    recurrent: Tensor,
    bias: Tensor,
    recurrent_bias: Tensor,
    out: Tensor,
    cells: Tensor,
    reverse: bool,
) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor, Tensor, Tensor]:
    """The gradients by the tensors that a layer was given, from those by its results `out` and `cells`."""
    given = (grad, cell_grad, x, hidden, cell, weight, recurrent, bias, recurrent_bias, out, cells)
    by_x, by_hidden, by_cell, *by_weights = _interpreted("recurrent_backward", kind, reverse)(*given)
    return by_x, by_hidden, by_cell, by_weights[0], by_weights[1], by_weights[2], by_weights[3]


@recurrent_backward.register_fake
def _(
    kind: str,
    grad: Tensor,
    cell_grad: Tensor,
    x: Tensor,
    hidden: Tensor,
    cell: Tensor,
    weight: Tensor,
    recurrent: Tensor,
    bias: Tensor,
    recurrent_bias: Tensor,
    out: Tensor,
    cells: Tensor,
    reverse: bool,
) -> tuple[Tensor, ...]:
    given = (x, hidden, cell, weight, recurrent, bias, recurrent_bias)
    return tuple(each.new_empty(each.shape) for each in given)


def _save(ctx: Any, inputs: Any, output: Any) -> None:
    kind, *given, reverse = inputs
    ctx.kind, ctx.reverse = kind, reverse
    ctx.save_for_backward(*given, *output)


def _backward(ctx: Any, grad: Tensor, cell_grad: Tensor) -> tuple[Any, ...]:
    *given, out, cells = ctx.saved_tensors
    return None, *recurrent_backward(ctx.kind, grad.contiguous(), cell_grad, *given, out, cells, ctx.reverse), None


recurrent_layer.register_autograd(_backward, setup_context=_save)
