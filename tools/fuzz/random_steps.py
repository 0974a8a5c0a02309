"""Random micro-op programs with functions in them: tensor functions run step by step, scalar functions carried along an axis.

Carried values stay within the bound of the first one, so that rounding errors hardly grow.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from xdsl.ir import Block, SSAValue

from ...dialects import uop
from ...dialects.uop.folds import entry_type
from ...frontend.transforms.scans import close
from ...ir.index.expressions import Index, dim, index
from ...ir.scalars.attributes import number
from ...ir.types.shapes import element_of, shape_of, tensor_type
from .random_programs import SMALL, Facts, Generator, Scale

# Values in bodies are smaller than elsewhere: errors are multiplied at each step.
LARGEST_INSIDE = 8.0
MOST_STEPS = 10
# The nesting depth of functions.
DEEPEST = 2


class SteppingGenerator(Generator):
    """Makes one program, of which some operations have a body."""

    def __init__(self, seed: int, steps: int = 12, scale: Scale = SMALL):
        super().__init__(seed, steps, scale)
        self.depth = 0

    def rules(self) -> list[Callable[[], None]]:
        return [*super().rules(), self._contract, self._exponentials, self._iterate, self._iterate, self._fold]

    def scalar_rules(self) -> list[Callable[[], None]]:
        """The steps from scalars to scalars."""
        return [self._unary, self._binary, self._binary, self._compare, self._select, self._cast, self._constant]

    def _contract(self) -> None:
        """A product of two matrices, along axes that fit."""
        matrices = [value for value in self._moderate() if len(shape_of(value)) == 2 and self._dtype(value).is_float]
        pairs = [
            (a, b, k, j)
            for a in matrices
            for b in matrices
            if element_of(a) == element_of(b)
            for k in range(2)
            for j in range(2)
            if shape_of(a)[k] == shape_of(b)[j]
        ]
        if not pairs:
            return
        a, b, k, j = self.random.choice(pairs)
        shape = (shape_of(a)[1 - k], shape_of(b)[1 - j], shape_of(a)[k])
        facts = self.facts[a], self.facts[b]
        most = self.scale.most_products
        if math.prod(self._sizes([shape[0], shape[1]])) > self.scale.most_elements:
            return
        if not self._reindex(a, shape, [dim(2) if axis == k else dim(0) for axis in range(2)], most=most):
            return
        left = self._last()
        self._reindex(b, shape, [dim(2) if axis == j else dim(1) for axis in range(2)], most=most)
        bound = max(1.0, facts[0].bound * facts[1].bound)
        self._emit(uop.MapOp("mul", left, self._last()), Facts(False, bound), most=most)
        count = max(1, self._sizes([shape[2]])[0])
        self._emit(uop.ReduceOp("add", self._last(), [2]), Facts(False, bound * count))

    def _exponentials(self) -> None:
        """A sum of exponentials relative to the maximum of a row, perhaps weighted, and perhaps divided by their sum."""
        rows = [value for value in self._moderate() if shape_of(value) and self._dtype(value).is_float]
        # An argument may be larger than computed values.
        rows = [value for value in rows if math.prod(self._sizes(shape_of(value))) <= self.scale.most_elements]
        value = self.random.choice(rows) if rows else None
        axis = self.random.randrange(len(shape_of(value))) if value is not None else 0
        if value is None or 0 in self._sizes(shape_of(value)):
            return
        shape, length = shape_of(value), self._sizes(shape_of(value))[axis]
        along = [dim(k) for k in range(len(shape)) if k != axis]
        self._emit(uop.ReduceOp("max", value, [axis]), self.facts[value])
        self._reindex(self._last(), shape, along)
        self._map("sub", [value, self._last()], Facts(False, 2 * LARGEST_INSIDE))
        self._map("exp", [self._last()], Facts(False, 1))
        powers = self._last()
        if self.random.random() < 0.3:
            self._map("mul", [powers, value], Facts(False, LARGEST_INSIDE))
        self._emit(uop.ReduceOp("add", self._last(), [axis]), Facts(False, LARGEST_INSIDE * length))
        if self.random.random() < 0.5:
            self._reindex(self._last(), shape, along)
            self._map("mul", [powers, self._last()], Facts(False, LARGEST_INSIDE * length))

    def _iterate(self) -> None:
        values = self._moderate()
        if self.depth == DEEPEST or not values:
            return
        stacked = self._stacked([value for value in values if shape_of(value)])
        length = shape_of(stacked[0])[0] if stacked else index(self.random.choice([0, 1, 2, 5]))
        if self._sizes([length])[0] > MOST_STEPS:
            return
        init = [self.random.choice(values) for _ in range(self.random.randint(1, 2))]
        carried = [self._claim(value) for value in init]
        body = Block(arg_types=[*(each.type for each in init), *map(entry_type, stacked)])
        given = dict(zip(body.args, [*carried, *(self.facts[each] for each in stacked)], strict=True))
        captured = {value: self.facts[value] for value in self.random.sample(values, min(2, len(values)))}
        with self._inside(body, captured | given):
            for _ in range(self.random.randint(1, 5)):
                self.random.choice(self.rules())()
            facts = [*carried, *self._yield(body.args[: len(init)], carried, self._moderate())]
        shared = close(body)
        self._emit(uop.IterateOp(init, stacked, shared, length, body, reverse=self.random.random() < 0.5), *facts)

    def _fold(self) -> None:
        inputs = [value for value in self._moderate() if shape_of(value)]
        if self.depth == DEEPEST or not inputs:
            return
        first = self.random.choice(inputs)
        inputs = [first, *(self.random.choice([each for each in inputs if shape_of(each) == shape_of(first)]),)]
        shape = shape_of(first)
        axis = self.random.randrange(len(shape))
        if self._sizes(shape)[axis] > MOST_STEPS:
            return
        init = self._start((*shape[:axis], *shape[axis + 1 :]))
        if init is None:
            return
        carried = self._claim(init)
        body = Block(arg_types=[tensor_type((), element_of(each)) for each in (init, *inputs)])
        with self._inside(body, dict(zip(body.args, [carried, *(self.facts[each] for each in inputs)], strict=True))):
            for _ in range(self.random.randint(1, 5)):
                self.random.choice(self.scalar_rules())()
            scalars = [value for value in self._moderate() if not shape_of(value)]
            facts = [carried, *self._yield(body.args[:1], [carried], scalars)]
        self._emit(uop.FoldOp(inputs, [init], axis, body, reverse=self.random.random() < 0.5), *facts)

    # Pieces

    @contextmanager
    def _inside(self, body: Block, known: dict[SSAValue, Facts]) -> Iterator[None]:
        """Insert operations into a body, with these facts about its values."""
        saved = self.block, self.facts, self.largest
        self.block, self.facts, self.largest = body, known, LARGEST_INSIDE
        self.depth += 1
        try:
            yield
        finally:
            self.block, self.facts, self.largest = saved
            self.depth -= 1

    def _moderate(self) -> list[SSAValue]:
        """The values that a body may use or return."""
        return [value for value, facts in self.facts.items() if facts.bound <= LARGEST_INSIDE]

    def _stacked(self, values: Sequence[SSAValue]) -> list[SSAValue]:
        """Up to two tensors with equally many entries."""
        if not values or self.random.random() < 0.2:
            return []
        first = self.random.choice(values)
        return [first, *(each for each in values if each is not first and shape_of(each)[0] == shape_of(first)[0])][:2]

    def _start(self, shape: Sequence[Index]) -> SSAValue | None:
        """A value of a given shape."""
        found = [value for value in self._moderate() if shape_of(value) == tuple(shape)]
        if found:
            return self.random.choice(found)
        kind = self.random.choice(self.dtypes).type
        made = self._emit(uop.ConstantOp(number(1, kind), tensor_type(shape, kind)), Facts(True, 1))
        return self._last() if made else None

    def _claim(self, first: SSAValue) -> Facts:
        """The facts that carried values must meet, given the first ones: the values need not stay exact."""
        facts = self.facts[first]
        exact = facts.exact and (not self._dtype(first).is_float or self.random.random() < 0.3)
        return Facts(exact, max(facts.bound, 2))

    def _yield(self, args: Sequence[SSAValue], claims: Sequence[Facts], values: Sequence[SSAValue]) -> list[Facts]:
        """End a body: it yields carried values that meet the claims, and up to two results. Returns the facts about the
        results."""
        carried = [self._carried_on(arg, claim) for arg, claim in zip(args, claims, strict=True)]
        computed = self.random.sample(list(values), min(len(values), self.random.randint(0, 2)))
        self.block.add_op(uop.YieldOp(*carried, *computed))
        return [self.facts[value] for value in computed]

    def _carried_on(self, arg: SSAValue, claim: Facts) -> SSAValue:
        """A value of the type of `arg` that meets a claim. If it need not be exact, it is mostly a new value."""
        same = [value for value in self._moderate() if value.type == arg.type]
        if not claim.exact and self._dtype(arg).is_float and self.random.random() < 0.7:
            self._map("tanh", [self.random.choice(same)], Facts(False, 1))
            return self._last()
        fits = [value for value in same if self.facts[value].bound <= claim.bound and self.facts[value].exact >= claim.exact]
        return self.random.choice(fits)

    def _last(self) -> SSAValue:
        """The value added last."""
        return next(reversed(self.facts))
