"""Recurrent layers of torch as one operation for each layer and direction, instead of operations for each step.

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
from .rows.recurrent import RECURRENT, RESULTS

# The number of a layer's tensors that are not initial states: x, two weights, two biases.
_BUT_STATES = 5


def replace_layers(calls: Sequence[Any]) -> None:
    """Replace calls of recurrent layers in a graph of Dynamo's, in place. Layers on packed sequences, with projections or of
    mixed dtypes stay torch's."""
    kept = {getattr(torch._VF, kind): kind for kind in RESULTS}
    for node in calls:
        if isinstance(node.args[2], list | tuple):
            node.target = _LAYERS[kept[node.target]]


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
    """The results of torch's function of this name: those of all steps, and the last states."""
    directions = 2 if bidirectional else 1
    each = 4 if has_biases else 2
    if len(params) != each * directions * count or len({x.dtype, *(p.dtype for p in params)}) > 1 or _in_autocast(x):
        rest = (params, has_biases, count, dropout, train, bidirectional, batch_first)
        return getattr(torch._VF, kind)(x, state, *rest)
    states = state if kind == "lstm" else (state,)
    x = x.transpose(0, 1) if batch_first else x
    last: list[tuple[Tensor, ...]] = []
    for layer in range(count):
        found: list[Tensor] = []
        for direction in range(directions):
            number = layer * directions + direction
            weight, recurrent, *biases = params[number * each : (number + 1) * each]
            biases = biases or [weight.new_zeros(len(weight))] * 2
            given = [x, weight, recurrent, *biases, *(first[number] for first in states)]
            results = recurrent_layer(kind, given, bool(direction))
            found.append(results[0])
            last.append(tuple(each[0 if direction else -1] for each in results[: len(states)]))
        x = torch.cat(found, -1) if bidirectional else found[0]
        if dropout and train and layer + 1 < count:
            x = F.dropout(x, dropout)
    return (x.transpose(0, 1) if batch_first else x, *(torch.stack(each) for each in zip(*last, strict=True)))


def _in_autocast(x: Tensor) -> bool:
    return torch.is_autocast_enabled(x.device.type)


def _named(kind: str) -> Callable[..., Any]:
    """The layers of one kind, as a function with a name, which graphs need."""

    @functools.wraps(_layers)
    def layers(*args: Any) -> Any:
        return _layers(kind, *args)

    layers.__name__ = layers.__qualname__ = kind
    return layers


_LAYERS = MappingProxyType({kind: _named(kind) for kind in RESULTS})


@torch.library.custom_op("stepwell::recurrent", mutates_args=(), schema="(str kind, Tensor[] given, bool reverse) -> Tensor[]")
def recurrent_layer(kind: str, given: Sequence[Tensor], reverse: bool) -> list[Tensor]:
    """One layer in one direction, given as in `rows/recurrent.py`, where its results are described."""
    return _interpreted("recurrent", kind, given, reverse=reverse)


@torch.library.custom_op(
    "stepwell::recurrent_backward",
    mutates_args=(),
    schema="(str kind, Tensor[] grads, Tensor[] given, Tensor[] results, bool reverse) -> Tensor[]",
)
def recurrent_backward(
    kind: str, grads: Sequence[Tensor], given: Sequence[Tensor], results: Sequence[Tensor], reverse: bool
) -> list[Tensor]:
    """The gradients by the tensors that a layer was given, from the gradients by its states after all steps and from its
    results."""
    return _interpreted("recurrent_backward", kind, grads, given, results, reverse=reverse)


def _interpreted(name: str, kind: str, *groups: Sequence[Tensor], reverse: bool) -> list[Tensor]:
    """The row of an operation on tensors, which needs no compiler."""
    found = _row(name, kind, reverse)(*([each.detach().cpu() for each in group] for group in groups))
    return [each.to(groups[0][0].device) for each in found]


@functools.cache
def _row(name: str, kind: str, reverse: bool) -> Jitted:
    row = RECURRENT[f"stepwell.{name}.default"].function
    return Jitted(lambda *groups: row(kind, *groups, reverse), "interpret")


@recurrent_layer.register_fake
def _(kind: str, given: Sequence[Tensor], reverse: bool) -> list[Tensor]:
    x, recurrent = given[0], given[2]
    return [x.new_empty((*x.shape[:2], recurrent.shape[-1])) for _ in range(RESULTS[kind])]


@recurrent_backward.register_fake
def _(kind: str, grads: Sequence[Tensor], given: Sequence[Tensor], results: Sequence[Tensor], reverse: bool) -> list[Tensor]:
    return [each.new_empty(each.shape) for each in given]


def _save(ctx: Any, inputs: Any, output: Any) -> None:
    ctx.kind, given, ctx.reverse = inputs
    ctx.count = len(given)
    ctx.save_for_backward(*given, *output)


def _backward(ctx: Any, grads: Sequence[Tensor]) -> tuple[Any, ...]:
    given, results = ctx.saved_tensors[: ctx.count], ctx.saved_tensors[ctx.count :]
    states = len(given) - _BUT_STATES
    return None, recurrent_backward(ctx.kind, list(grads[:states]), list(given), list(results), ctx.reverse), None


recurrent_layer.register_autograd(_backward, setup_context=_save)
