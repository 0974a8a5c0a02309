"""Layers that repeat in a graph of torch: runs of operations that differ only in their inputs.

One program, compiled once, serves all layers of a run, so that a deep model takes as long to compile as a shallow one. A run is
found in three steps:

1. Each operation is described by its target, its constants and the memory of its results. A period is a distance at which the
   descriptions of a stretch of operations repeat.
2. Take the period that covers the most operations in at least `LEAST_LAYERS` layers, the shortest if there are several. Of the
   positions where its first layer can begin, take the one that the fewest values cross.
3. Layers are the same if their operations refer to each other, and to values from outside, in the same way (`Layer.key`).

Layers with little work stay in one program: a call costs tens of microseconds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from math import prod
from typing import Any, NamedTuple

import numpy as np

from .program import Program, value_of
from .symbols import hint_of, is_symbolic

LEAST_LAYERS = 3
# A run has to save the compilation of this many operations.
LEAST_SAVED = 48
# A layer has to read and compute this many elements, so that the cost of its call is negligible.
LEAST_ELEMENTS = 1 << 19
# The cost of cutting the graph between an operation with several results and a use of one of them: too high for any cut there,
# since programs take and return only tensors.
_FORBIDDEN = 1 << 20


class Layer(NamedTuple):
    """Operations of a graph: `key` is the same for layers that one program can compute, given their `inputs` in this order;
    `outputs` has the numbers of the operations whose results are used elsewhere."""

    nodes: Sequence[Any]
    key: tuple[Any, ...]
    inputs: tuple[Any, ...]
    outputs: tuple[int, ...]

    @staticmethod
    def of(nodes: Sequence[Any]) -> Layer:
        """The layer of these operations."""
        places = {node: place for place, node in enumerate(nodes)}
        inputs: dict[Any, int] = {}

        def named(value: Any) -> Any:
            if isinstance(value, list | tuple):
                return tuple(map(named, value))
            if isinstance(value, dict):
                return tuple((key, named(each)) for key, each in value.items())
            if not hasattr(value, "all_input_nodes"):
                return repr(value)
            if value in places:
                return places[value]
            return "input", inputs.setdefault(value, len(inputs)), _described(value_of(value))

        operations = tuple(
            (str(node.target), named(node.args), named(node.kwargs), _described(value_of(node))) for node in nodes
        )
        outputs = tuple(place for node, place in places.items() if is_result(node, places))
        tensors = tuple(node for node in inputs if not is_symbolic(value_of(node)))
        return Layer(nodes, (operations, outputs), tensors, outputs)

    @property
    def results(self) -> list[Any]:
        """The operations whose results are used elsewhere."""
        return [self.nodes[place] for place in self.outputs]

    @property
    def elements(self) -> int:
        """The number of elements of tensors that the layer reads and computes."""
        return sum(_elements(value_of(node)) for node in (*self.nodes, *self.inputs))


def is_result(node: Any, inside: Any) -> bool:
    """Whether an operation of a program gives a tensor that is used outside the program."""
    return not isinstance(value_of(node), list | tuple) and any(user not in inside for user in node.users)


def programs_of(nodes: Sequence[Any]) -> list[Program]:
    """The programs of operations, in order: one for each layer of the runs among them, which share their compiled code, and one
    for each stretch between runs."""
    found = _longest_run(nodes)
    if found is None:
        return [_program(nodes)] if nodes else []
    start, layers = found
    first = layers[0]
    shared = Program.of(first.nodes, first.inputs, first.results)
    shared.layers.extend(layer.nodes for layer in layers)
    run = [
        shared,
        *(replace(shared, nodes=each.nodes, inputs=each.inputs, outputs=each.results, shared=shared) for each in layers[1:]),
    ]
    end = start + sum(len(layer.nodes) for layer in layers)
    return [*programs_of(nodes[:start]), *run, *programs_of(nodes[end:])]


def _program(nodes: Sequence[Any]) -> Program:
    layer = Layer.of(nodes)
    return Program.of(nodes, layer.inputs, layer.results)


def _longest_run(nodes: Sequence[Any]) -> tuple[int, list[Layer]] | None:
    """The layers of the run that saves the most, and the number of the first operation; None if no run is worth it."""
    described = [_operation(node) for node in nodes]
    numbers = {each: number for number, each in enumerate(dict.fromkeys(described))}
    codes = [numbers[each] for each in described]
    crossing = _crossing(nodes)
    candidates = sorted(_stretches(codes), key=lambda each: (-each.covered, each.period))
    for stretch in candidates[:4]:  # the others are parts or multiples of these
        places = sorted(range(stretch.start, stretch.start + stretch.slack + 1), key=crossing.__getitem__)
        for start in dict.fromkeys((places[0], stretch.start)):
            borders = range(start, stretch.end + 1, stretch.period)
            layers = _same_layers(nodes, borders) if all(crossing[at] < _FORBIDDEN for at in borders) else None
            if layers is not None:
                return layers
    return None


def _same_layers(nodes: Sequence[Any], borders: Sequence[int]) -> tuple[int, list[Layer]] | None:
    """The longest run of layers with the same key between these positions, and the number of its first operation; None if no
    run is worth it."""
    layers = [Layer.of(nodes[begin:end]) for begin, end in pairwise(borders)]
    changes = [0, *(k + 1 for k, (a, b) in enumerate(pairwise(layers)) if a.key != b.key), len(layers)]
    first, last = max(pairwise(changes), key=lambda pair: pair[1] - pair[0])
    found = layers[first:last]
    saved = sum(len(each.nodes) for each in found[1:])
    if len(found) < LEAST_LAYERS or saved < LEAST_SAVED or found[0].elements < LEAST_ELEMENTS:
        return None
    return borders[first], found


class _Stretch(NamedTuple):
    """Operations from `start` to before `end` that repeat at the distance of a period."""

    period: int
    start: int
    end: int

    @property
    def covered(self) -> int:
        return (self.end - self.start) // self.period * self.period

    @property
    def slack(self) -> int:
        """The number of positions by which the first layer can begin later with the same number of layers."""
        return self.end - self.start - self.covered


def _stretches(codes: Sequence[int]) -> list[_Stretch]:
    """The longest stretch of each period with enough layers."""
    found: list[_Stretch] = []
    numbers = np.array(codes)
    for period in range(2, len(codes) // LEAST_LAYERS + 1):
        changes = np.flatnonzero(numbers[period:] != numbers[:-period])
        borders = np.concatenate(([-1], changes, [len(codes) - period]))
        lengths = np.diff(borders) - 1
        best = int(lengths.argmax())
        start, length = int(borders[best]) + 1, int(lengths[best])
        if length >= (LEAST_LAYERS - 1) * period:
            found.append(_Stretch(period, start, start + length + period))
    return found


def _crossing(nodes: Sequence[Any]) -> list[int]:
    """For each position, the number of values computed before it and used after it."""
    places = {node: place for place, node in enumerate(nodes)}
    changes = [0] * (len(nodes) + 2)
    for node, place in places.items():
        last = max((places[user] for user in node.users if user in places), default=place)
        weight = _FORBIDDEN if isinstance(value_of(node), list | tuple) else 1
        changes[place + 1] += weight
        changes[last + 1] -= weight
    found: list[int] = []
    for change in changes:
        found.append((found[-1] if found else 0) + change)
    return found


def _operation(node: Any) -> tuple[Any, ...]:
    """The description of an operation, without its references to other operations."""
    constants = [repr(each) for each in (*node.args, *node.kwargs.values()) if isinstance(each, int | float | str | bool)]
    return str(node.target), tuple(constants), _described(value_of(node))


def _described(value: Any) -> Any:
    """The memory of a result, as far as a program knows it."""
    if isinstance(value, list | tuple):
        return tuple(map(_described, value))
    if hasattr(value, "stride"):
        return str(tuple(value.shape)), str(tuple(value.stride())), str(value.dtype), str(value.device)
    return str(value)


def _elements(value: Any) -> int:
    if isinstance(value, list | tuple):
        return sum(map(_elements, value))
    sizes = [hint_of(each) for each in value.shape] if hasattr(value, "stride") else [0]
    return prod(1 if size is None else size for size in sizes)
