"""Random programs on the graph level: calls of the public functions, traced, with arguments to run them on.

As for micro-ops (`random_programs.py`), two facts keep results comparable: whether values are exact, and a bound.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, TypeAlias

import numpy as np

from ...frontend import public as sw
from ...frontend.calls.traced import trace
from ...frontend.tracing.sizes import SizeSolver
from ...frontend.tracing.specs import Spec
from ...frontend.tracing.tensor import Tensor
from ...ir.types.dtypes import BOOL, FLOAT32, FLOAT64, INT32, DType
from ...runtime.boundary.signature import Signature
from .random_programs import LARGE, LARGEST, MOST_RESULTS, SMALL, Facts, RandomProgram, Scale

# A step: it adds a tensor to a run, or nothing.
Rule: TypeAlias = "Callable[[Run], None]"


class GraphGenerator:
    """Makes one program; every choice comes from `seed`. Sizes of arguments are symbolic in two of three programs."""

    dtypes: ClassVar[tuple[DType, ...]] = (FLOAT32, FLOAT32, FLOAT64, INT32, BOOL)

    def __init__(self, seed: int, steps: int = 10, scale: Scale = SMALL):
        self.seed = seed
        self.steps, self.scale = steps, scale

    def rules(self) -> Sequence[Rule]:
        """The steps of programs; those listed several times are more likely."""
        return RULES

    def argument(self, generator: np.random.Generator, chooser: random.Random) -> Any:
        """An array of halves, of any dtype and shape."""
        kind = chooser.choice(self.dtypes)
        shape = [chooser.choice(self.scale.extents) for _ in range(chooser.randint(0, 3))]
        values = generator.integers(-6, 7, shape)
        return np.asarray(values / 2 if kind.is_float else values > 0 if kind is BOOL else values).astype(kind.numpy)

    def make(self) -> RandomProgram:
        """The program."""
        generator = np.random.default_rng(self.seed)
        chooser = random.Random(self.seed)
        arrays = [self.argument(generator, chooser) for _ in range(chooser.randint(1, 3))]
        solver = SizeSolver()
        static = chooser.random() < 1 / 3
        specs = [Spec.static(array) if static else Spec.of(array, solver) for array in arrays]
        bounds: list[float] = []

        def program(*tensors: Tensor) -> list[Tensor]:
            # A trace may run the function again, with the same choices.
            run = Run(random.Random(self.seed), [array.shape for array in arrays], tensors, self.rules(), self.scale)
            results = run.results(self.steps)
            bounds[:] = [run.facts[id(result)].bound for result in results]
            return results

        traced = trace(program, specs, sizes=solver, name="random")
        signature = Signature.of(traced.function)
        values = signature.bind([array.shape for array in arrays])
        return RandomProgram(traced.module, dict(zip(signature.params, values, strict=True)), arrays, bounds)


class Run:
    """One run of the program, or of a function in it, `depth` deep, on traced tensors; `shapes` follows their sizes."""

    def __init__(
        self,
        chooser: random.Random,
        shapes: Sequence[tuple[int, ...]],
        tensors: Sequence[Tensor],
        rules: Sequence[Rule],
        scale: Scale,
        depth: int = 0,
    ):
        self.random, self.rules, self.scale, self.depth = chooser, rules, scale, depth
        self.tensors: list[Tensor] = list(tensors)
        self.facts = {id(tensor): Facts(True, 6) for tensor in tensors}
        self.shapes = {id(tensor): shape for tensor, shape in zip(tensors, shapes, strict=True)}

    def results(self, steps: int) -> list[Tensor]:
        """The results after some steps."""
        start = len(self.tensors)
        self.extend(steps)
        made = self.tensors[start:] or self.tensors
        return [tensor for tensor in made if not tensor.value.uses][-MOST_RESULTS:]

    def extend(self, steps: int, only: Sequence[Rule] = ()) -> None:
        """Add `steps` tensors by the rules, or by those in `only`; fewer if rules do not find suitable operands."""
        wanted = len(self.tensors) + steps
        for _ in range(steps * 4):
            self.random.choice(only or self.rules)(self)
            if len(self.tensors) >= wanted:
                break

    def pick(self, exact: bool = False, kinds: str = "", least_rank: int = 0, filled: bool = False) -> Tensor | None:
        """A tensor with the given properties; None if there is none."""
        found = [
            tensor
            for tensor in self.tensors
            if (self.facts[id(tensor)].exact or not exact)
            and (not kinds or tensor.dtype.kind in kinds.split())
            and len(self.shape(tensor)) >= least_rank
            and not (filled and 0 in self.shape(tensor))
        ]
        return self.random.choice(found) if found else None

    def shape(self, tensor: Tensor) -> tuple[int, ...]:
        return self.shapes[id(tensor)]

    def axis(self, tensor: Tensor) -> int:
        rank = len(self.shape(tensor))
        return self.random.randrange(-rank, rank)

    def keep(self, tensor: Tensor, like: Callable[..., Any], *sources: Tensor, facts: Facts) -> None:
        """Add a result; `like`, applied to arrays of the sources' shapes, gives its concrete shape."""
        shape = np.shape(like(*(np.zeros(self.shape(source)) for source in sources)))
        if int(np.prod(shape, dtype=np.int64)) <= self.scale.most_elements and facts.bound <= LARGEST * 64:
            self.tensors.append(tensor)
            self.facts[id(tensor)] = facts
            self.shapes[id(tensor)] = shape

    def facts_of(self, *tensors: Tensor) -> tuple[bool, float]:
        found = [self.facts[id(tensor)] for tensor in tensors]
        return all(each.exact for each in found), max(each.bound for each in found)


def _unary(run: Run) -> None:
    x = run.pick(kinds="float")
    if x is not None:
        name = run.random.choice(["tanh", "sin", "cos", "sigmoid", "erf", "relu", "abs", "negative", "gelu", "silu"])
        exact, bound = run.facts_of(x)
        kept = name in ("relu", "abs", "negative")
        run.keep(
            getattr(sw, name)(x), lambda a: a, x, facts=Facts(exact and kept, bound if kept or name in ("gelu", "silu") else 2)
        )


def _binary(run: Run) -> None:
    x, y = run.pick(kinds="float int"), run.pick(kinds="float int")
    if x is None or y is None or not broadcasts(run.shape(x), run.shape(y)):
        return
    name = run.random.choice(["add", "subtract", "multiply", "minimum", "maximum"])
    (exact, _), bounds = run.facts_of(x, y), [run.facts[id(each)].bound for each in (x, y)]
    bound = bounds[0] * bounds[1] if name == "multiply" else sum(bounds)
    if bound <= LARGEST:
        both_int = x.dtype.kind == y.dtype.kind == "int"
        facts = Facts(exact and (name != "multiply" or both_int), max(bound, 1))
        run.keep(getattr(sw, name)(x, y), lambda a, b: a + b, x, y, facts=facts)


def _compare(run: Run) -> None:
    x, y = run.pick(exact=True, kinds="float int"), run.pick(exact=True, kinds="float int")
    if x is not None and y is not None and broadcasts(run.shape(x), run.shape(y)):
        name = run.random.choice(["less", "less_equal", "equal", "not_equal"])
        run.keep(getattr(sw, name)(x, y), lambda a, b: a + b, x, y, facts=Facts(True, 1))


def _where(run: Run) -> None:
    c, x = run.pick(kinds="bool"), run.pick(kinds="float int")
    if c is not None and x is not None and broadcasts(run.shape(c), run.shape(x)):
        exact, bound = run.facts_of(x)
        run.keep(sw.where(c, x, 1), lambda a, b: a + b, c, x, facts=Facts(exact, max(bound, 1)))


def _astype(run: Run) -> None:
    x = run.pick(exact=True)
    if x is not None:
        run.keep(
            sw.astype(x, run.random.choice(GraphGenerator.dtypes).name), lambda a: a, x, facts=Facts(True, run.facts_of(x)[1])
        )


def _matmul(run: Run) -> None:
    x = run.pick(kinds="float", least_rank=2)
    if x is not None and int(np.prod(run.shape(x))) * run.shape(x)[-2] <= LARGE.most_products:
        size = run.shape(x)[-1]
        fitting = [each for each in run.tensors if each.dtype == x.dtype and len(run.shape(each)) == 2]
        y = run.random.choice([x, *(each for each in fitting if run.shape(each)[1] == size)])
        bounds = [run.facts[id(each)].bound for each in (x, y)]
        product = sw.matmul(x, sw.matrix_transpose(y))
        facts = Facts(False, bounds[0] * bounds[1] * max(1, size))
        run.keep(product, lambda a, b: a @ np.swapaxes(b, -1, -2), x, y, facts=facts)


def _reduce(run: Run) -> None:
    x = run.pick(kinds="float int")
    if x is None:
        return
    name = run.random.choice(["sum", "max", "min", "mean"])
    axis = None if not run.shape(x) or run.random.random() < 0.3 else run.axis(x)
    reduced = run.shape(x) if axis is None else (run.shape(x)[axis],)
    if name != "sum" and 0 in reduced:
        return
    keep = run.random.random() < 0.5
    exact, bound = run.facts_of(x)
    count = int(np.prod(reduced, dtype=np.int64)) or 1
    facts = Facts(exact and name != "mean", max(1, bound * (count if name == "sum" else 1)))
    run.keep(getattr(sw, name)(x, axis=axis, keepdims=keep), lambda a: np.sum(a, axis=axis, keepdims=keep), x, facts=facts)


def _arg_reduce(run: Run) -> None:
    x = run.pick(exact=True, kinds="float int", least_rank=1, filled=True)
    if x is not None:
        axis = run.axis(x)
        run.keep(sw.argmax(x, axis=axis), lambda a: np.argmax(a, axis=axis), x, facts=Facts(True, run.scale.index_bound))


def _normalise(run: Run) -> None:
    x = run.pick(kinds="float", least_rank=1, filled=True)
    if x is not None:
        axis, name = run.axis(x), run.random.choice(["softmax", "log_softmax"])
        run.keep(getattr(sw, name)(x, axis=axis), lambda a: a, x, facts=Facts(False, 2 * run.facts_of(x)[1] + 10))


def _scan(run: Run) -> None:
    x = run.pick(kinds="float int", least_rank=1)
    if x is not None:
        axis = run.axis(x)
        exact, bound = run.facts_of(x)
        facts = Facts(exact, bound * max(1, run.shape(x)[axis]))
        run.keep(sw.cumulative_sum(x, axis=axis), lambda a: a, x, facts=facts)


def _shape(run: Run) -> None:
    x = run.pick(least_rank=1)
    if x is None:
        return
    axis = run.axis(x)
    order = list(range(len(run.shape(x))))
    run.random.shuffle(order)
    choices: list[tuple[Callable[[Any], Any], Callable[[Any], Any]]] = [
        (lambda t: sw.permute_dims(t, tuple(order)), lambda a: np.transpose(a, order)),
        (lambda t: sw.flip(t, axis=axis), lambda a: a),
        (lambda t: sw.roll(t, 1, axis=axis), lambda a: a),
        (lambda t: sw.reshape(t, (-1,)), lambda a: a.reshape(-1)),
        (lambda t: sw.expand_dims(t, axis=0), lambda a: a[None]),
        (lambda t: t[::2], lambda a: a[::2]),
        (lambda t: t[::-1], lambda a: a),
        (lambda t: sw.concat([t, t], axis=axis), lambda a: np.concatenate([a, a], axis=axis)),
        (lambda t: sw.stack([t, t], axis=0), lambda a: np.stack([a, a])),
        (lambda t: sw.repeat(t, 2, axis=axis), lambda a: np.repeat(a, 2, axis=axis)),
        (lambda t: sw.pad(t, [(1, 2)] * len(order)), lambda a: np.pad(a, [(1, 2)] * len(order))),
    ]
    apply, like = run.random.choice(choices)
    run.keep(apply(x), like, x, facts=run.facts[id(x)])


def _take(run: Run) -> None:
    x = run.pick(least_rank=1)
    if x is not None:
        axis = run.axis(x)
        size = run.shape(x)[axis]
        if size:
            at = np.array([run.random.randrange(-size, size) for _ in range(3)])
            run.keep(sw.take(x, sw.asarray(at), axis=axis), lambda a: np.take(a, at, axis=axis), x, facts=run.facts[id(x)])


def broadcasts(a: tuple[int, ...], b: tuple[int, ...]) -> bool:
    """Whether shapes broadcast to one."""
    return all(m == n or 1 in (m, n) for m, n in zip(reversed(a), reversed(b), strict=False))


RULES: tuple[Rule, ...] = (
    _unary, _binary, _binary, _compare, _where, _astype, _matmul, _reduce, _reduce, _arg_reduce, _normalise, _scan,
    _shape, _shape, _shape, _take,
)  # fmt: skip
