"""Random graph-level programs with user functions: scans and folds.

Carried values keep the bound of the first one, so that rounding errors hardly grow.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...frontend import public as sw
from ...frontend.tracing.tensor import Tensor
from .random_graphs import RULES, GraphGenerator, Rule, Run
from .random_programs import Facts
from .random_steps import DEEPEST, LARGEST_INSIDE


class SteppingGraphs(GraphGenerator):
    """Makes one program, of which some calls take a function."""

    def rules(self) -> Sequence[Rule]:
        return STEPPING_RULES


def iterate(run: Run) -> None:
    """A scan, whose carries and entries are nested in one of several ways."""
    if run.depth < DEEPEST:
        _Scan(run).keep()


class _Scan:
    """A scan with a random body. Its function may be traced several times, and makes the same choices each time."""

    def __init__(self, run: Run):
        self.run, self.seed = run, run.random.getrandbits(32)
        self.moderate = _moderate(run)
        self.stacked = self._stacked()
        self.length = run.shape(self.stacked[0])[0] if self.stacked else run.random.choice([0, 1, 2, 5])
        # A number has no dtype itself.
        numbers = [0.5] if run.random.random() < 0.2 else []
        self.init: list[Any] = [*run.random.sample(self.moderate, min(len(self.moderate), run.random.randint(1, 2))), *numbers]
        self.captured = run.random.sample(self.moderate, min(2, len(self.moderate)))
        self.as_dict = run.random.random() < 0.5
        self.body: Run = run
        self.computed: list[Tensor] = []

    def keep(self) -> None:
        run = self.run
        if not self.init:
            return
        reverse = run.random.random() < 0.5
        xs, length = (self._nested(self.stacked), None) if self.stacked else (None, self.length)
        last, found = sw.scan(self._step, self._nested(self.init), xs, length=length, reverse=reverse)
        for result, first in zip(self._flat(last), self.init, strict=True):
            shape, facts = self._shape(first), self._claim(first)
            run.keep(result, lambda shape=shape: np.zeros(shape), facts=facts)
        for result, made in zip(found, self.computed, strict=True):
            shape = (self.length, *self.body.shape(made))
            run.keep(result, lambda shape=shape: np.zeros(shape), facts=self.body.facts[id(made)])

    def _step(self, carry: Any, entry: Any) -> tuple[Any, Any]:
        carried, entries = self._flat(carry), [] if entry is None else self._flat(entry)
        shapes = [*map(self._shape, self.init), *(self.run.shape(each)[1:] for each in self.stacked)]
        shapes += [self.run.shape(each) for each in self.captured]
        given = [*carried, *entries, *self.captured]
        self.body = body = Run(random.Random(self.seed), shapes, given, self.run.rules, self.run.scale, self.run.depth + 1)
        known = [*map(self._claim, self.init), *(self.run.facts[id(each)] for each in (*self.stacked, *self.captured))]
        body.facts.update(zip(map(id, given), known, strict=True))
        body.extend(body.random.randint(1, 4))
        after = [self._carried_on(body, each) for each in carried]
        made = _moderate(body)
        self.computed = body.random.sample(made, min(len(made), body.random.randint(0, 2)))
        return self._nested(after), tuple(self.computed)

    def _carried_on(self, body: Run, carry: Tensor) -> Tensor:
        """The next value of a carry that meets its claims: another tensor like it, or a float of moderate slope."""
        claim, moderate = body.facts[id(carry)], _moderate(body)
        if carry.dtype.is_float and body.random.random() < 0.7:
            source = body.random.choice([each for each in moderate if each.dtype.is_float])
            return sw.astype(sw.tanh(carry * 0.5 + sw.sum(source) / 16), carry.dtype)
        like = [each for each in moderate if each.dtype == carry.dtype and body.shape(each) == body.shape(carry)]
        return body.random.choice(
            [each for each in like if body.facts[id(each)].bound <= claim.bound and body.facts[id(each)].exact >= claim.exact]
        )

    def _stacked(self) -> list[Tensor]:
        """Up to two tensors with equally many entries."""
        run = self.run
        found = [each for each in self.moderate if run.shape(each) and run.shape(each)[0] <= 8]
        if not found or run.random.random() < 0.2:
            return []
        first = run.random.choice(found)
        return [first, *(each for each in found if each is not first and run.shape(each)[0] == run.shape(first)[0])][:2]

    def _shape(self, first: Any) -> tuple[int, ...]:
        return self.run.shape(first) if isinstance(first, Tensor) else ()

    def _claim(self, first: Any) -> Facts:
        """The facts that carried values must meet, given the first ones: floats need not stay exact."""
        if not isinstance(first, Tensor):
            return Facts(False, 2)
        facts = self.run.facts[id(first)]
        return Facts(facts.exact and not first.dtype.is_float, max(facts.bound, 2))

    def _nested(self, values: Sequence[Any]) -> Any:
        if len(values) == 1:
            return values[0]
        return {"first": values[0], "others": list(values[1:])} if self.as_dict else tuple(values)

    def _flat(self, values: Any) -> list[Any]:
        if isinstance(values, dict):
            return [values["first"], *values["others"]]
        return list(values) if isinstance(values, tuple) else [values]


def combine(run: Run) -> None:
    """A reduction or scan by a function of scalars: associative or not, since elements are combined in order."""
    found = [each for each in _moderate(run) if each.dtype.is_float and run.shape(each) and max(run.shape(each)) <= 16]
    if not found or run.depth == DEEPEST:
        return
    x = run.random.choice(found)
    axis, seed, shape = run.axis(x), run.random.getrandbits(32), run.shape(x)
    function, xs, identity = run.random.choice([_affine, _any_function])(run, x, seed)
    if run.random.random() < 0.5:
        made = sw.reduce(function, xs, identity=identity, axis=axis)
        like = np.sum
    else:
        reverse, exclusive = run.random.random() < 0.5, run.random.random() < 0.5
        made = sw.associative_scan(function, xs, identity=identity, axis=axis, reverse=reverse, exclusive=exclusive)
        like = np.cumsum
    bound = LARGEST_INSIDE * shape[axis] + 2
    for each in made if isinstance(made, tuple) else (made,):
        run.keep(each, lambda a: like(a, axis=axis), x, facts=Facts(False, bound))


def _affine(run: Run, x: Tensor, seed: int) -> tuple[Callable[[Any, Any], Any], Any, Any]:
    """The composition of functions `by * x + to` with a slope of at most 1."""

    def function(f: Any, g: Any) -> Any:
        return f[0] * g[0], f[1] * g[0] + g[1]

    return function, (sw.cos(x), x), (1, 0)


def _any_function(run: Run, x: Tensor, seed: int) -> tuple[Callable[[Any, Any], Any], Any, Any]:
    """A random function of the accumulated value and an element."""

    def function(before: Tensor, element: Tensor) -> Tensor:
        body = Run(random.Random(seed), [(), ()], [before, element], run.rules, run.scale, DEEPEST)
        body.facts.update({id(before): Facts(False, 2), id(element): run.facts[id(x)]})
        body.extend(3, only=elementwise)
        source = body.random.choice([each for each in _moderate(body) if each.dtype.is_float and each is not before])
        return sw.tanh(before * 0.5 + sw.astype(source, before.dtype))

    elementwise = [rule for rule in run.rules if rule in ELEMENTWISE]
    return function, x, 0.5


def _moderate(run: Run) -> list[Tensor]:
    """The tensors that a body may use or return."""
    return [each for each in run.tensors if run.facts[id(each)].bound <= LARGEST_INSIDE]


ELEMENTWISE: tuple[Rule, ...] = RULES[:5]
STEPPING_RULES: tuple[Rule, ...] = (*RULES, iterate, iterate, combine)
