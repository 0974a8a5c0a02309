"""Recurrent layers. The loop over time is a scan, compiled once for any number of steps."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

from ..frontend import public as sw
from .initializers import uniform
from .keys import split
from .layers import linear
from .module import Params, Stateful, parameter


@dataclass(frozen=True)
class _Cell(Stateful):
    """One time step: x (N, input_size) and a state to the next state. Gates are stacked along the first axis of the weights."""

    input_size: int
    hidden_size: int
    bias: bool = True
    # The number of gates.
    gates: ClassVar[int]

    @property
    def shapes(self) -> dict[str, tuple[int, ...]]:
        """The shapes of the parameters."""
        rows = self.gates * self.hidden_size
        weights = {"weight_ih": (rows, self.input_size), "weight_hh": (rows, self.hidden_size)}
        return weights | ({"bias_ih": (rows,), "bias_hh": (rows,)} if self.bias else {})

    def init(self, key: int) -> Params:
        shapes = self.shapes
        bound = 1 / math.sqrt(self.hidden_size)
        keys = split(key, len(shapes))
        return {name: uniform(each, shape, -bound, bound) for each, (name, shape) in zip(keys, shapes.items(), strict=True)}

    def from_input(self, params: Params, x: Any) -> Any:
        """The contribution of the input to the gates."""
        return self._linear(params, x, "ih")

    def from_hidden(self, params: Params, hidden: Any) -> Any:
        """The contribution of the previous hidden state to the gates."""
        return self._linear(params, hidden, "hh")

    def _linear(self, params: Params, x: Any, which: str) -> Any:
        weight, *bias = (
            parameter(self, params, name, shape) for name, shape in self.shapes.items() if name.endswith(f"_{which}")
        )
        return linear(x, weight, *bias)

    def split_gates(self, gates: Any) -> list[Any]:
        """The separate gates, (N, hidden_size) each."""
        return [gates[:, k * self.hidden_size : (k + 1) * self.hidden_size] for k in range(self.gates)]


@dataclass(frozen=True)
class LSTMCell(_Cell):
    """One step of a long short-term memory (Hochreiter and Schmidhuber, 1997). x is (N, input_size); the state is `(hidden,
    cell)`, both (N, hidden_size)."""

    gates: ClassVar[int] = 4

    def __call__(self, params: Params, x: Any, state: tuple[Any, Any], /) -> tuple[Any, Any]:
        return self.advance(params, self.from_input(params, x), state)

    def advance(self, params: Params, entering: Any, state: tuple[Any, Any]) -> tuple[Any, Any]:
        """The state after a step; `entering` is the contribution of its input to the gates."""
        hidden, cell = state
        enter, forget, new, leave = self.split_gates(entering + self.from_hidden(params, hidden))
        cell = sw.sigmoid(forget) * cell + sw.sigmoid(enter) * sw.tanh(new)
        return sw.sigmoid(leave) * sw.tanh(cell), cell

    def start(self, like: Any) -> tuple[Any, Any]:
        """The initial state: zeros, with the dtype and the number of rows of `like`."""
        zeros = sw.zeros((like.shape[0], self.hidden_size), dtype=like.dtype)
        return zeros, zeros


@dataclass(frozen=True)
class GRUCell(_Cell):
    """One step of a gated recurrent unit (Cho et al., 2014). x is (N, input_size); the state is `hidden` (N, hidden_size)."""

    gates: ClassVar[int] = 3

    def __call__(self, params: Params, x: Any, state: Any, /) -> Any:
        return self.advance(params, self.from_input(params, x), state)

    def advance(self, params: Params, entering: Any, state: Any) -> Any:
        """The state after a step; `entering` is the contribution of its input to the gates."""
        entering, remembered = self.split_gates(entering), self.split_gates(self.from_hidden(params, state))
        reset, update = (sw.sigmoid(entering[k] + remembered[k]) for k in range(2))
        new = sw.tanh(entering[2] + reset * remembered[2])
        return new + update * (state - new)

    def start(self, like: Any) -> Any:
        """The initial state: zeros, with the dtype and the number of rows of `like`."""
        return sw.zeros((like.shape[0], self.hidden_size), dtype=like.dtype)


@dataclass(frozen=True)
class _Recurrent(Stateful, ABC):
    """A cell run over the second axis of x (N, T, input_size): returns all hidden states (N, T, hidden_size), and the last
    state.

    The inputs of all steps share one product; the contribution of the state to the gates is a product in each step.
    """

    input_size: int
    hidden_size: int
    bias: bool = True

    @property
    @abstractmethod
    def cell(self) -> LSTMCell | GRUCell:
        """The cell of each step."""

    def init(self, key: int) -> Params:
        return self.cell.init(key)

    def __call__(self, params: Params, x: Any, state: Any = None, /, *, key: Any = None) -> tuple[Any, Any]:
        cell: Any = self.cell
        value = sw.asarray(x)
        state = cell.start(value) if state is None else state

        def step(state: Any, entering: Any) -> tuple[Any, Any]:
            state = cell.advance(params, entering, state)
            return state, state[0] if isinstance(state, tuple) else state

        last, outputs = sw.scan(step, state, sw.moveaxis(cell.from_input(params, value), 1, 0))
        return sw.moveaxis(outputs, 0, 1), last


@dataclass(frozen=True)
class LSTM(_Recurrent):
    """An LSTMCell over time; its state is `(hidden, cell)`."""

    @property
    def cell(self) -> LSTMCell:
        return LSTMCell(self.input_size, self.hidden_size, self.bias)


@dataclass(frozen=True)
class GRU(_Recurrent):
    """A GRUCell over time; its state is `hidden`."""

    @property
    def cell(self) -> GRUCell:
        return GRUCell(self.input_size, self.hidden_size, self.bias)
