"""Random differentiable programs on the graph and uop levels, mostly in float64.

Arguments are multiples of 1/64 that are rarely equal, so that few programs have a kink or a tie at their arguments.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import numpy as np
from xdsl.ir import SSAValue

from ...dialects import uop
from ...frontend import public as sw
from ...ir.scalars.attributes import number
from ...ir.types.dtypes import BOOL, FLOAT32, FLOAT64, INT32, DType
from ...ir.types.shapes import element_of, shape_of
from .random_graph_steps import STEPPING_RULES, SteppingGraphs
from .random_graphs import Rule, Run, broadcasts
from .random_programs import SMALL, Facts, Scale
from .random_steps import SteppingGenerator

DTYPES = (FLOAT64, FLOAT64, FLOAT64, FLOAT64, FLOAT32, FLOAT32, INT32, BOOL)


def _numbers(generator: np.random.Generator, shape: Sequence[int], kind: DType) -> Any:
    values = generator.integers(-6, 7, shape)
    return values / 2 + generator.integers(-15, 16, shape) / 64 if kind.is_float else values > 0 if kind is BOOL else values


def steps_of(seed: int) -> int:
    """The number of operations of the program of a seed."""
    return random.Random(seed).randint(5, 30)


class SmoothGenerator(SteppingGenerator):
    """Programs of micro-ops, of 5 to 30 operations."""

    dtypes: ClassVar[tuple[DType, ...]] = DTYPES

    def __init__(self, seed: int, scale: Scale = SMALL):
        super().__init__(seed, steps_of(seed), scale)

    def rules(self) -> list[Callable[[], None]]:
        return [
            *super().rules(), self._binary, self._curved, self._curved, self._quotient, self._curved_pair, self._accumulate,
            self._accumulate, self._recurrence, self._product,
        ]  # fmt: skip

    def scalar_rules(self) -> list[Callable[[], None]]:
        return [*super().scalar_rules(), self._curved, self._curved, self._quotient, self._curved_pair]

    def numbers(self, shape: Sequence[int], kind: DType) -> Any:
        return _numbers(self.numpy, shape, kind)

    def _floats(self) -> list[SSAValue]:
        return [value for value in self.facts if self._dtype(value).is_float]

    def _small(self, most: float) -> SSAValue | None:
        """A float tensor whose values are at most `most` in magnitude."""
        found = [value for value in self._floats() if self.facts[value].bound <= most]
        return self.random.choice(found) if found else None

    def _curved(self) -> None:
        value = self._small(4)
        if value is not None:
            name = self.random.choice(
                ["exp", "expm1", "exp2", "sinh", "cosh", "softplus", "erfc", "gelu", "square", "cos", "tanh"]
            )
            self._map(name, [value], Facts(False, 64))

    def _quotient(self) -> None:
        """A function of positive numbers, applied to a square plus 1."""
        value = self._small(64)
        if value is None:
            return
        one = uop.ConstantOp(number(1, element_of(value)), value.type)
        if not self._emit(one, Facts(True, 1)):
            return
        bound = self.facts[value].bound ** 2 + 1
        self._map("fma", [value, value, one.result], Facts(False, bound))
        positive = list(self.facts)[-1]
        self._map(self.random.choice(["log", "sqrt", "rsqrt", "reciprocal", "cbrt", "log1p"]), [positive], Facts(False, bound))

    def _curved_pair(self) -> None:
        a = self._small(8)
        if a is None:
            return
        b = self._like(a)
        if self.facts[b].bound <= self.largest:
            name = self.random.choice(["logaddexp", "copysign", "max", "min"])
            self._map(name, [a, b], Facts(False, max(self.facts[a].bound, self.facts[b].bound) + 1))

    def _accumulate(self) -> None:
        """A scan or reduction that is not a sum."""
        value = self._small(3)
        if value is None or not shape_of(value):
            return
        axis = self.random.randrange(len(shape_of(value)))
        size = self._sizes(shape_of(value))[axis]
        bound = self.facts[value].bound
        name = self.random.choice(["mul", "max", "min", "logaddexp"])
        facts = Facts(False, bound ** min(size, 7) if name == "mul" else bound + 4)
        if self.random.random() < 0.3 and size:
            self._emit(uop.ReduceOp(name, value, [axis]), facts)
            return
        reverse, exclusive = self.random.random() < 0.5, name == "mul" and self.random.random() < 0.5
        self._emit(uop.ScanOp(name, value, axis, reverse=reverse, exclusive=exclusive), facts)

    def _recurrence(self) -> None:
        factors = self._small(2)
        if factors is None or not shape_of(factors):
            return
        value = self._like(factors)
        axis = self.random.randrange(len(shape_of(factors)))
        bound = self.facts[value].bound * 2.0 ** min(self._sizes(shape_of(factors))[axis], 100)
        if bound <= self.largest:
            self._emit(uop.RecurrenceOp(factors, value, axis, reverse=self.random.random() < 0.5), Facts(False, bound))

    def _product(self) -> None:
        """A product of all elements of a short axis, some of which may be 0."""
        value = self._small(6)
        shape = shape_of(value) if value is not None else ()
        axis = self.random.randrange(len(shape)) if shape else 0
        if value is not None and shape and self._sizes(shape)[axis] <= 4:
            self._emit(uop.ReduceOp("mul", value, [axis]), Facts(False, 6.0**4))


class SmoothGraphs(SteppingGraphs):
    """Programs of graph operations, of 5 to 30 calls."""

    dtypes: ClassVar[tuple[DType, ...]] = DTYPES

    def __init__(self, seed: int, scale: Scale = SMALL):
        super().__init__(seed, steps_of(seed), scale)

    def rules(self) -> Sequence[Rule]:
        return MORE_RULES

    def argument(self, generator: np.random.Generator, chooser: random.Random) -> Any:
        kind = chooser.choice(self.dtypes)
        shape = [chooser.choice(self.scale.extents) for _ in range(chooser.randint(0, 3))]
        return np.asarray(_numbers(generator, shape, kind)).astype(kind.numpy)


def _curved(run: Run) -> None:
    x = run.pick(kinds="float")
    if x is not None and run.facts_of(x)[1] <= 4:
        name = run.random.choice(["exp", "expm1", "softplus", "square", "sinh", "erf", "sigmoid", "silu"])
        run.keep(getattr(sw, name)(x), lambda a: a, x, facts=Facts(False, 64))


def _quotient(run: Run) -> None:
    x, y = run.pick(kinds="float"), run.pick(kinds="float")
    if x is not None and y is not None and broadcasts(run.shape(x), run.shape(y)) and run.facts_of(y)[1] <= 64:
        bound = run.facts_of(x, y)[1] ** 2 + 1
        apply = run.random.choice([lambda a, b: a / b, lambda a, b: a * sw.sqrt(b), lambda a, b: a - sw.log(b)])
        run.keep(apply(x, 1 + sw.square(y)), lambda a, b: a + b, x, y, facts=Facts(False, bound))


def _accumulate(run: Run) -> None:
    x = run.pick(kinds="float", least_rank=1, filled=True)
    if x is None or run.facts_of(x)[1] > 6:
        return
    axis, bound = run.axis(x), run.facts_of(x)[1]
    size = run.shape(x)[axis]
    name = run.random.choice(["cumulative_prod", "cummax", "cummin", "logcumsumexp", "prod", "logsumexp", "var", "std"])
    facts = Facts(False, max(1, bound) ** size if name.endswith("prod") else bound**2 + 4)
    if name.startswith(("cum", "logcum")):
        run.keep(getattr(sw, name)(x, axis=axis), lambda a: a, x, facts=facts)
    elif name != "std" or size > 1:
        run.keep(getattr(sw, name)(x, axis=axis), lambda a: np.sum(a, axis=axis), x, facts=facts)


def _normalise(run: Run) -> None:
    x = run.pick(kinds="float", least_rank=1, filled=True)
    if x is not None:
        name = run.random.choice(["layer_norm", "rms_norm"])
        run.keep(getattr(sw, name)(x), lambda a: a, x, facts=Facts(False, 4))


def _windows(run: Run) -> None:
    x = run.pick(kinds="float", least_rank=3, filled=True)
    if x is None or run.shape(x)[-1] < 2 or len(run.shape(x)) != 3:
        return
    name, bound = run.random.choice(["max_pool1d", "avg_pool1d", "conv1d"]), run.facts_of(x)[1]
    if name == "conv1d":
        batch, channels, _ = run.shape(x)
        facts = Facts(False, bound * bound * 2 * channels)
        result = sw.conv1d(x, x[..., :2], padding=1)
        run.keep(result, lambda a: np.zeros((batch, batch, a.shape[-1] + 1)), x, facts=facts)
        return
    run.keep(getattr(sw, name)(x, 2), lambda a: a[..., ::2][..., : a.shape[-1] // 2], x, facts=Facts(False, bound))


def _einsum(run: Run) -> None:
    x = run.pick(kinds="float", least_rank=2)
    y = run.pick(kinds="float", least_rank=2)
    if x is None or y is None or x.dtype != y.dtype or len(run.shape(x)) != 2 or len(run.shape(y)) != 2:
        return
    if run.shape(x)[0] == run.shape(y)[0]:
        bound = run.facts_of(x)[1] * run.facts_of(y)[1] * max(1, run.shape(x)[0])
        formula = run.random.choice(["ki,kj->ij", "ki,kj->ji", "ki,kj->kij", "ki,kj->i"])
        run.keep(sw.einsum(formula, x, y), lambda a, b: np.einsum(formula, a, b), x, y, facts=Facts(False, bound))


def _scatter(run: Run) -> None:
    x = run.pick(kinds="float", least_rank=1, filled=True)
    if x is None or run.facts_of(x)[1] > 8:
        return
    size = run.shape(x)[0]
    to, source = (np.array([run.random.randrange(-size, size) for _ in range(3)]) for _ in range(2))
    name = run.random.choice(["set", "add", "mul", "max", "min"])
    updates = sw.sin(sw.take(x, sw.asarray(source), axis=0))
    made = sw.scatter(x, sw.asarray(to), updates, axis=0, op=name)
    run.keep(made, lambda a: a, x, facts=Facts(False, run.facts_of(x)[1] + 3))


MORE_RULES: tuple[Rule, ...] = (
    *STEPPING_RULES, _curved, _curved, _quotient, _accumulate, _accumulate, _normalise, _windows, _einsum, _scatter,
)  # fmt: skip
