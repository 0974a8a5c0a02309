"""Random programs as people write them, at everyday sizes, for NumPy, torch and Stepwell alike: for tests of speed.

A program is a list of assignments over arrays of float32 (and one of indices). It uses functions that all three have under one
name, and takes the module as `xp`.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from math import prod
from types import SimpleNamespace
from typing import Any

import numpy as np

Shape = tuple[int, ...]

# The elements of an array, and the multiplications of a product.
FEWEST, MOST, MOST_PRODUCTS = 10_000, 4_000_000, 1_000_000_000
_EXTENTS = (3, 8, 16, 33, 64, 100, 128, 250, 500, 512, 1000, 1024, 2000, 4096, 10_000, 65_536, 200_000, 1_000_000)
_UNARY = (
    "xp.exp(-xp.abs({a}))",
    "xp.tanh({a})",
    "xp.sqrt(xp.abs({a}))",
    "xp.log(1 + {a} * {a})",
    "1 / (1 + {a} * {a})",
    "xp.where({a} > 0, {a}, 0.1 * {a})",
    "{a} * {a}",
    "0.5 * {a} - 0.25",
)
_BINARY = ("{a} + {b}", "{a} - {b}", "{a} * {b}", "xp.maximum({a}, {b})", "xp.where({a} < {b}, {a}, {b})")
_REDUCTIONS = ("xp.sum({a}{by})", "xp.mean({a}{by})", "xp.max({a}{by})", "xp.min({a}{by})", "xp.std({a}{by})")


@dataclass(frozen=True)
class Step:
    """An assignment: the name, the names that its expression reads, the expression, and the shape of the value."""

    name: str
    reads: tuple[str, ...]
    expression: str
    shape: Shape

    def renamed(self) -> tuple[str, int]:
        """The expression over `a0`, `a1` and so on, and the number of these."""
        names = {name: f"a{k}" for k, name in enumerate(self.reads)}
        return re.sub(r"\w+", lambda match: names.get(match[0], match[0]), self.expression), len(names)


@dataclass(frozen=True)
class EverydayProgram:
    """The inputs by name and shape (inputs whose names begin with `k` are indices below `limits[name]`), the steps, and the
    results."""

    inputs: Mapping[str, Shape]
    limits: Mapping[str, int]
    steps: tuple[Step, ...]
    results: tuple[str, ...]

    @cached_property
    def text(self) -> str:
        """The function as Python source."""
        lines = [f"def f(xp, {', '.join(self.inputs)}):"]
        lines += [f"    {step.name} = {step.expression}  # {list(step.shape)}" for step in self.steps]
        return "\n".join([*lines, f"    return {', '.join(self.results)}", ""])

    def function(self) -> Callable[..., Any]:
        """The function of `xp` and the inputs."""
        return _defined(self.text)

    def functions(self) -> list[tuple[Step, Callable[..., Any]]]:
        """Each step with a function of `xp` and what it reads. Steps that are equal except for names share one function."""
        return [(step, _function_of(*step.renamed())) for step in self.steps]

    def arrays(self) -> dict[str, Any]:
        """New inputs, with the same elements each time."""
        rng = np.random.default_rng(0)
        made = {}
        for name, shape in self.inputs.items():
            made[name] = (
                rng.integers(0, self.limits[name], shape) if name in self.limits else rng.standard_normal(shape, np.float32)
            )
        return made

    def only(self, results: Sequence[str]) -> EverydayProgram:
        """The program of these results, with the steps and inputs that they need."""
        needed, kept = set(results), list[Step]()
        for step in reversed(self.steps):
            if step.name in needed:
                kept.insert(0, step)
                needed.update(step.reads)
        inputs = {name: shape for name, shape in self.inputs.items() if name in needed}
        limits = {name: limit for name, limit in self.limits.items() if name in needed}
        return EverydayProgram(inputs, limits, tuple(kept), tuple(results))

    def from_step(self, name: str) -> EverydayProgram:
        """The program with a step's value as an input."""
        shape = next(step.shape for step in self.steps if step.name == name)
        steps = tuple(step for step in self.steps if step.name != name)
        return EverydayProgram({**self.inputs, name: shape}, self.limits, steps, self.results).only(self.results)


@cache
def _function_of(expression: str, count: int) -> Callable[..., Any]:
    """An expression as a function of `xp` and its arrays `a0`, `a1`, ..."""
    return _defined(f"def f(xp, {', '.join(f'a{k}' for k in range(count))}):\n    return {expression}\n")


def _defined(text: str) -> Callable[..., Any]:
    namespace: dict[str, Any] = {}
    exec(compile(text, "<everyday program>", "exec"), namespace)
    return namespace["f"]


def torch_names(torch: Any) -> Any:
    """torch's functions under NumPy's names, where the two differ."""

    def by_axis(function: Callable[..., Any]) -> Callable[..., Any]:
        return lambda x, axis=None, **options: function(x) if axis is None else function(x, dim=axis, **options)

    names = {
        "max": by_axis(torch.amax),
        "min": by_axis(torch.amin),
        "std": by_axis(lambda x, **options: torch.std(x, correction=0, **options)),
        "var": by_axis(lambda x, **options: torch.var(x, correction=0, **options)),
        "take": lambda x, index, axis: torch.index_select(x, axis, index),
        "take_along_axis": lambda x, index, axis: torch.take_along_dim(x, index, axis),
        "concatenate": torch.concatenate,
        "maximum": lambda x, y: torch.clamp(x, min=y) if isinstance(y, float) else torch.maximum(x, y),
    }
    return SimpleNamespace(**{**{name: getattr(torch, name) for name in dir(torch)}, **names})


class Generator:
    """Makes the program of a seed."""

    def __init__(self, seed: int):
        self._random = random.Random(seed)
        self._inputs: dict[str, Shape] = {}
        self._limits: dict[str, int] = {}
        self._steps: list[Step] = []
        self._shapes: dict[str, Shape] = {}

    def make(self) -> EverydayProgram:
        """A program of one to six steps, whose results are the values that no step reads."""
        self._input(self._shape())
        makers = (
            (self._unary, 3),
            (self._binary, 4),
            (self._reduction, 4),
            (self._product, 3),
            (self._transpose, 1),
            (self._gather, 1),
            (self._window, 2),
            (self._scan, 1),
            (self._outer, 1),
        )
        wanted = self._random.randint(1, 6)
        for _ in range(40):
            if len(self._steps) == wanted:
                break
            (maker,) = self._random.choices([each for each, _ in makers], [weight for _, weight in makers])
            maker()
        if not self._steps:
            self._unary()
        read = {name for step in self._steps for name in step.reads}
        results = tuple(step.name for step in self._steps if step.name not in read)
        return EverydayProgram(self._inputs, self._limits, tuple(self._steps), results)

    def _shape(self) -> Shape:
        while True:
            shape = tuple(self._random.choice(_EXTENTS) for _ in range(self._random.choice((1, 2, 2, 2, 3))))
            if FEWEST <= prod(shape) <= MOST:
                return shape

    def _input(self, shape: Shape) -> str:
        name = f"x{len(self._inputs)}"
        self._inputs[name] = self._shapes[name] = shape
        return name

    def _value(self, rank: int | None = None) -> str | None:
        """A random value of this rank, more likely a recent one."""
        fitting = [name for name, shape in self._shapes.items() if shape and rank in (None, len(shape))]
        return self._random.choices(fitting, [2**k for k in range(len(fitting))])[0] if fitting else None

    def _step(self, expression: str, reads: Sequence[str], shape: Shape) -> None:
        if prod(shape) <= MOST:
            name = f"v{len(self._steps)}"
            self._steps.append(Step(name, tuple(dict.fromkeys(reads)), expression, shape))
            self._shapes[name] = shape

    def _unary(self) -> None:
        a = self._value()
        if a is not None:
            self._step(self._random.choice(_UNARY).format(a=a), [a], self._shapes[a])

    def _binary(self) -> None:
        a = self._value()
        if a is None:
            return
        shape = self._shapes[a]
        other, view = shape, "{b}"
        if len(shape) == 2 and self._random.random() < 0.5:
            other, view = self._random.choice([((shape[1],), "{b}"), ((shape[0],), "{b}[:, None]")])
        known = [name for name, each in self._shapes.items() if each == other and name != a]
        b = self._random.choice(known) if known and self._random.random() < 0.7 else self._input(other)
        self._step(self._random.choice(_BINARY).format(a=a, b=view.format(b=b)), [a, b], shape)

    def _reduction(self) -> None:
        a = self._value()
        if a is None:
            return
        shape = self._shapes[a]
        axis = self._random.choice([None, *range(len(shape))])
        keep = axis is not None and self._random.random() < 0.3
        by = "" if axis is None else f", axis={axis}" + (", keepdims=True" if keep else "")
        left = tuple(1 if k == axis else size for k, size in enumerate(shape) if keep or k != axis) if axis is not None else ()
        self._step(self._random.choice(_REDUCTIONS).format(a=a, by=by), [a], left)

    def _product(self) -> None:
        a = self._value(self._random.choice((1, 2)))
        if a is None:
            return
        shape, left = self._shapes[a], a
        if len(shape) == 2 and self._random.random() < 0.4:
            shape, left = shape[::-1], f"{a}.T"
        inner = shape[-1]
        extents = [None, *(size for size in _EXTENTS if prod(shape) * size <= MOST_PRODUCTS and inner * size <= MOST)]
        columns = self._random.choice(extents)
        other = (inner,) if columns is None else (inner, columns)
        known = [name for name, each in self._shapes.items() if each == other]
        b = self._random.choice(known) if known else self._input(other)
        self._step(f"({left} @ {b}) * {1 / inner:.3g}", [a, b], (*shape[:-1], *other[1:]))

    def _transpose(self) -> None:
        """Add an array that is not transposed: NumPy and torch return a transpose by itself as a view in the old order."""
        a = self._value(2)
        if a is None:
            return
        shape = self._shapes[a][::-1]
        known = [name for name, each in self._shapes.items() if each == shape and name != a]
        b = self._random.choice(known) if known else self._input(shape)
        self._step(f"{a}.T + {b}", [a, b], shape)

    def _gather(self) -> None:
        a = self._value()
        if a is None:
            return
        shape = self._shapes[a]
        count = self._random.choice((100, 1000, 20_000))
        if count * prod(shape[1:]) <= MOST:
            name = f"k{len(self._inputs)}"
            self._inputs[name], self._limits[name] = (count,), shape[0]
            self._step(f"xp.take({a}, {name}, axis=0)", [a, name], (count, *shape[1:]))

    def _window(self) -> None:
        a = self._value()
        if a is None or min(self._shapes[a]) < 3:
            return
        shape = self._shapes[a]
        axis = self._random.randrange(len(shape))
        before = ":, " * axis
        kind = self._random.choice(("difference", "every other", "inside", "average"))
        size = shape[axis]
        expression, extent = {
            "difference": (f"{a}[{before}1:] - {a}[{before}:-1]", size - 1),
            "every other": (f"{a}[{before}::2] + 1", (size + 1) // 2),
            "inside": (f"{a}[{before}1:-1] * 2", size - 2),
            "average": (f"({a}[{before}2:] + {a}[{before}1:-1] + {a}[{before}:-2]) / 3", size - 2),
        }[kind]
        self._step(expression, [a], (*shape[:axis], extent, *shape[axis + 1 :]))

    def _scan(self) -> None:
        a = self._value()
        if a is not None:
            axis = self._random.randrange(len(self._shapes[a]))
            self._step(f"xp.cumsum({a}, axis={axis}) * 0.01", [a], self._shapes[a])

    def _outer(self) -> None:
        a = self._value(1)
        if a is None:
            return
        known = [name for name, each in self._shapes.items() if len(each) == 1]
        b = self._random.choice(known)
        shape = (*self._shapes[a], *self._shapes[b])
        operator = self._random.choice(("*", "-"))
        self._step(f"{a}[:, None] {operator} {b}[None, :]", [a, b], shape)
