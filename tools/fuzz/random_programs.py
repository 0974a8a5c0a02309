"""Random well-typed programs of micro-ops, with arguments to run them on.

Results of programs stay comparable: for each tensor it is known whether its values are exact (small integers and halves), and
how large they can be. Discontinuous steps (comparisons, floor, casts to integers, argmax) only take exact tensors, and growing
steps are only taken while values stay small: two correct compilers differ only by rounding.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from xdsl.dialects.builtin import FunctionType, ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, Region, SSAValue

from ...dialects import uop
from ...dialects.uop.folds import ARG_REDUCTIONS
from ...ir.functions.versions import set_hints
from ...ir.index.expressions import Index, dim, index, param
from ...ir.locations import file_location
from ...ir.scalars.attributes import number
from ...ir.types.dtypes import BOOL, FLOAT32, FLOAT64, INT32, INT64, DType, dtype_of
from ...ir.types.shapes import Shape, element_of, shape_of, tensor_type

LARGEST = 2.0**12
MOST_RESULTS = 6


@dataclass(frozen=True)
class Facts:
    """The facts about a tensor's values: whether they are exact small multiples of 1/4, and a bound of their magnitude."""

    exact: bool
    bound: float


@dataclass(frozen=True)
class Scale:
    """The sizes of programs: the values of the parameters `n` and `m`, the extents of axes on the graph level, and the most
    elements of a value, and of the products that a contraction sums, which the oracle computes all."""

    n: tuple[int, ...]
    m: tuple[int, ...]
    extents: tuple[int, ...]
    most_elements: int
    most_products: int

    @property
    def index_bound(self) -> int:
        """A bound of indices of elements along an axis."""
        return max(64, *self.n, *self.extents)


SMALL = Scale((0, 1, 2, 3, 5, 7), (1, 2, 4), (0, 1, 2, 3, 4, 5), 400, 400)
# Loops of these sizes have enough work for threads.
LARGE = Scale((96, 127, 256, 331, 600), (33, 64, 130), (2, 3, 16, 80, 128, 300, 600), 400_000, 1 << 24)


@dataclass
class RandomProgram:
    """A module with one function, the values of its parameters, and arguments."""

    module: ModuleOp
    params: dict[str, int]
    arguments: list[Any]
    bounds: list[float] = field(default_factory=list)


class Generator:
    """Makes one program; every choice comes from `seed`."""

    dtypes: ClassVar[tuple[DType, ...]] = (FLOAT32, FLOAT32, FLOAT64, INT32, INT64, BOOL)

    def __init__(self, seed: int, steps: int = 12, scale: Scale = SMALL):
        self.random = random.Random(seed)
        self.numpy = np.random.default_rng(seed)
        self.steps, self.scale = steps, scale
        self.params = {"n": self.random.choice(scale.n), "m": self.random.choice(scale.m)}
        self.facts: dict[SSAValue, Facts] = {}
        self.body = Block()
        # Where operations are inserted: the function, or a body in it, whose values have to stay smaller.
        self.block, self.largest = self.body, LARGEST
        self.arguments: list[Any] = []
        self.line = 0

    def make(self) -> RandomProgram:
        """The program."""
        for _ in range(self.random.randint(1, 3)):
            self._argument()
        rules = self.rules()
        while self.line < self.steps:
            self.random.choice(rules)()
        results = [value for value in self.facts if isinstance(value.owner, Operation) and not value.uses][-MOST_RESULTS:]
        self.body.add_op(ReturnOp(*results))
        types = FunctionType.from_lists([arg.type for arg in self.body.args], [value.type for value in results])
        function = FuncOp("random", types, Region(self.body))
        function.location = file_location("random.mlir", 1, 1)
        # Half of the programs have versions for the sizes that they are run with.
        set_hints(function, self.params if self.random.random() < 0.5 else {})
        module = ModuleOp([function])
        bounds = [self.facts[value].bound for value in results]
        return RandomProgram(module, self.params, self.arguments, bounds)

    def rules(self) -> list[Callable[[], None]]:
        """The steps that a program is made of, more likely the more often they are listed."""
        return [
            self._unary, self._binary, self._binary, self._compare, self._select, self._cast, self._constant, self._iota,
            self._permute, self._flip, self._pad, self._slice, self._broadcast, self._window, self._flatten, self._gather,
            self._reduce, self._reduce, self._arg_reduce, self._scan, self._scatter,
        ]  # fmt: skip

    # Elementwise

    def _unary(self) -> None:
        value = self._pick()
        kind = self._dtype(value).kind
        if kind == "bool":
            self._map("not", [value], Facts(True, 1))
        elif kind == "float" and self.random.random() < 0.6:
            name = self.random.choice(["tanh", "sin", "cos", "sigmoid", "erf", "atan"])
            self._map(name, [value], Facts(False, 2))
        else:
            name = self.random.choice(["neg", "abs", "square"])
            bound = self.facts[value].bound
            if name == "square" and bound**2 > self.largest:
                return
            self._map(name, [value], Facts(self.facts[value].exact, bound**2 if name == "square" else bound))

    def _binary(self) -> None:
        a = self._pick()
        b = self._like(a)
        left, right = self.facts[a], self.facts[b]
        names = ["and", "or", "xor"] if self._dtype(a) is BOOL else ["add", "sub", "mul", "min", "max"]
        name = self.random.choice(names)
        bound = left.bound * right.bound if name == "mul" else left.bound + right.bound
        if bound <= self.largest:
            # Products of quarters are sixteenths, and so on: only small integers stay exact in products.
            exact = left.exact and right.exact and (name != "mul" or self._dtype(a).kind != "float")
            self._map(name, [a, b], Facts(exact, max(bound, 1)))

    def _compare(self) -> None:
        if not self._any_exact():
            return
        a = self._pick(exact=True)
        self._map(self.random.choice(["eq", "ne", "lt", "le", "gt", "ge"]), [a, self._like(a, exact=True)], Facts(True, 1))

    def _select(self) -> None:
        conditions = [value for value in self.facts if self._dtype(value) is BOOL]
        if not conditions:
            return
        condition = self.random.choice(conditions)
        values = [value for value in self.facts if shape_of(value) == shape_of(condition)]
        a = self.random.choice(values)
        b = self._like(a)
        left, right = self.facts[a], self.facts[b]
        self._map("select", [condition, a, b], Facts(left.exact and right.exact, max(left.bound, right.bound)))

    def _cast(self) -> None:
        if not self._any_exact():
            return
        value = self._pick(exact=True)
        self._emit(uop.CastOp(value, self.random.choice(self.dtypes).type), self.facts[value])

    def _constant(self) -> None:
        like, kind = self._pick(), self.random.choice(self.dtypes)
        value = self.random.choice([0, 1, 2, -1])
        self._emit(uop.ConstantOp(number(value, kind.type), tensor_type(shape_of(like), kind.type)), Facts(True, 2))

    def _iota(self) -> None:
        like, kind = self._pick(), self.random.choice([FLOAT32, INT32, INT64])
        if shape_of(like):
            axis = self.random.randrange(len(shape_of(like)))
            self._emit(uop.IotaOp(axis, tensor_type(shape_of(like), kind.type)), Facts(True, self.scale.index_bound))

    # Index maps

    def _permute(self) -> None:
        value = self._pick()
        order = list(range(len(shape_of(value))))
        self.random.shuffle(order)
        shape = [shape_of(value)[axis] for axis in order]
        self._reindex(value, shape, [dim(order.index(axis)) for axis in range(len(order))])

    def _flip(self) -> None:
        value = self._pick()
        shape = shape_of(value)
        at = [size - 1 - dim(k) if self.random.random() < 0.5 else dim(k) for k, size in enumerate(shape)]
        self._reindex(value, shape, at)

    def _pad(self) -> None:
        value = self._pick()
        shape = shape_of(value)
        low = [self.random.randint(-1, 2) for _ in shape]
        wider = [size + 3 for size in shape]
        fill = number(self.random.choice([0, 1]), element_of(value))
        self._reindex(value, wider, [dim(k) - amount for k, amount in enumerate(low)], fill)

    def _slice(self) -> None:
        value = self._pick()
        shape = shape_of(value)
        steps = [self.random.choice([1, 1, 2]) for _ in shape]
        sizes = [(size + step - 1) // step for size, step in zip(shape, steps, strict=True)]
        self._reindex(value, sizes, [dim(k) * step for k, step in enumerate(steps)])

    def _broadcast(self) -> None:
        value = self._pick()
        shape = shape_of(value)
        axis = self.random.randint(0, len(shape))
        new = self.random.choice([index(1), index(3), param("n"), param("m")])
        self._reindex(value, [*shape[:axis], new, *shape[axis:]], [dim(k + (k >= axis)) for k in range(len(shape))])

    def _window(self) -> None:
        value = self._pick()
        shape = shape_of(value)
        if shape:
            at = [*(dim(k) for k in range(len(shape) - 1)), dim(len(shape) - 1) + dim(len(shape)) - 1]
            size = self.random.choice([index(3), param("m")])
            self._reindex(value, [*shape, size], at, number(0, element_of(value)))

    def _flatten(self) -> None:
        value = self._pick()
        shape = shape_of(value)
        if len(shape) >= 2:
            *rest, a, b = shape
            at = [*(dim(k) for k in range(len(rest))), dim(len(rest)) // b, dim(len(rest)) % b]
            if b.constant != 0:
                self._reindex(value, [*rest, a * b], at)

    def _gather(self) -> None:
        value = self._pick()
        shape = shape_of(value)
        if not shape or self._sizes(shape)[0] == 0:
            return
        at = self._indices(shape[0], self.random.randint(1, 4))
        results = [dim(len(shape)), *(dim(k) for k in range(1, len(shape)))]
        new = (shape_of(at)[0], *shape[1:])
        self._emit(uop.ReindexOp(value, new, results, indices=[(at, [dim(0)])]), self.facts[value])

    def _scatter(self) -> None:
        init = self._pick()
        shape = shape_of(init)
        if not shape or self._sizes(shape)[0] == 0:
            return
        count = self.random.randint(0, 4)
        kind = self._dtype(init)
        names = ["or", "and", "set"] if kind is BOOL else ["add", "set", "max", "min", "mul"]
        name = self.random.choice(names)
        bound = self.facts[init].bound
        if name == "mul" and bound**5 > self.largest:
            return
        at = self._indices(shape[0], count)
        pick = [dim(0) % shape[0], *(dim(k) for k in range(1, len(shape)))]
        if not self._reindex(init, (index(count), *shape[1:]), pick):
            return
        updates = self.block.last_op
        assert updates is not None, "a reindex was just added"
        results = [dim(len(shape)), *(dim(k) for k in range(1, len(shape)))]
        facts = Facts(self.facts[init].exact and name != "mul", bound**5 if name == "mul" else bound * 5)
        self._emit(uop.ScatterOp(name, init, updates.results[0], results, indices=[(at, [dim(0)])]), facts)

    # Reductions

    def _reduce(self) -> None:
        value = self._pick()
        axes = [axis for axis in range(len(shape_of(value))) if self.random.random() < 0.5]
        count = int(np.prod([self._sizes(shape_of(value))[axis] for axis in axes], dtype=np.int64)) or 1
        facts = self.facts[value]
        names = ["and", "or"] if self._dtype(value) is BOOL else ["add", "max", "min"]
        if self._dtype(value) is not BOOL and facts.bound ** min(count, 16) <= self.largest and count <= 16:
            names.append("mul")
        name = self.random.choice(names)
        if name in ("max", "min") and 0 in [self._sizes(shape_of(value))[axis] for axis in axes]:
            return
        grown = facts.bound * count if name == "add" else facts.bound
        bound = max(1.0, grown) ** count if name == "mul" else grown
        if bound <= self.largest * 64:
            self._emit(uop.ReduceOp(name, value, axes), Facts(facts.exact and name != "mul", max(bound, 1)))

    def _arg_reduce(self) -> None:
        if not self._any_exact():
            return
        value = self._pick(exact=True)
        shape = shape_of(value)
        if not shape or self._dtype(value) is BOOL:
            return
        axis = self.random.randrange(len(shape))
        if self._sizes(shape)[axis]:
            self._emit(uop.ReduceOp(self.random.choice(ARG_REDUCTIONS), value, [axis]), Facts(True, self.scale.index_bound))

    def _scan(self) -> None:
        value = self._pick()
        shape, facts = shape_of(value), self.facts[value]
        if not shape:
            return
        axis = self.random.randrange(len(shape))
        name = self.random.choice(["or", "and"] if self._dtype(value) is BOOL else ["add", "max"])
        exclusive = name != "max" and self.random.random() < 0.5
        bound = facts.bound * max(1, self._sizes(shape)[axis]) if name == "add" else facts.bound
        if bound <= self.largest * 64:
            reverse = self.random.random() < 0.5
            self._emit(uop.ScanOp(name, value, axis, reverse=reverse, exclusive=exclusive), Facts(facts.exact, bound))

    # Pieces

    def _argument(self) -> None:
        kind = self.random.choice(self.dtypes)
        sizes = [index(2), index(3), param("n"), param("m"), param("n") + 1]
        shape = [self.random.choice(sizes) for _ in range(self.random.randint(0, 3))]
        # Each parameter is a size by itself somewhere, so that calls can read it off.
        if not self.arguments:
            shape = [param("n"), param("m"), *shape[:1]]
        self._add_argument(self.numbers(self._sizes(shape), kind), shape, kind, Facts(True, 6))

    def numbers(self, shape: Sequence[int], kind: DType) -> Any:
        """The values of an argument: results computed from them stay exact for many steps."""
        values = self.numpy.integers(-6, 7, shape)
        return values / 2 if kind.is_float else values > 0 if kind is BOOL else values

    def _indices(self, size: Index, count: int) -> SSAValue:
        values = self.numpy.integers(0, max(1, self._sizes([size])[0]), count)
        return self._add_argument(values, [index(count)], INT64, Facts(True, self.scale.index_bound))

    def _add_argument(self, values: Any, shape: Sequence[Index], kind: DType, facts: Facts) -> SSAValue:
        argument = self.body.insert_arg(tensor_type(shape, kind.type), len(self.body.args))
        self.arguments.append(np.asarray(values).astype(kind.numpy))
        self.facts[argument] = facts
        return argument

    def _pick(self, exact: bool = False) -> SSAValue:
        return self.random.choice([value for value, facts in self.facts.items() if facts.exact or not exact])

    def _any_exact(self) -> bool:
        return any(facts.exact for facts in self.facts.values())

    def _like(self, value: SSAValue, exact: bool = False) -> SSAValue:
        """A tensor of the same type."""
        same = [other for other in self.facts if other.type == value.type and (self.facts[other].exact or not exact)]
        return self.random.choice(same)

    def _map(self, name: str, operands: Sequence[SSAValue], facts: Facts) -> None:
        self._emit(uop.MapOp(name, *operands), facts)

    def _reindex(self, value: SSAValue, shape: Sequence[Index], at: Sequence[Index], fill: Any = None, most: int = 0) -> bool:
        """Add a reindex. Returns whether it was added."""
        facts = self.facts[value]
        return self._emit(uop.ReindexOp(value, shape, at, fill=fill), Facts(facts.exact, max(facts.bound, 1)), most=most)

    def _emit(self, op: uop.MicroOp, *facts: Facts, most: int = 0) -> bool:
        """Add the operation unless a result has more than `most` elements, by default the scale's. Returns whether it was
        added."""
        most = most or self.scale.most_elements
        if any(math.prod(self._sizes(shape_of(result))) > most for result in op.results):
            op.erase()
            return False
        self.line += 1
        op.location = file_location("random.mlir", self.line, 1)
        self.block.add_op(op)
        self.facts.update(zip(op.results, facts, strict=True))
        return True

    def _dtype(self, value: SSAValue) -> DType:
        return dtype_of(element_of(value))

    def _sizes(self, shape: Sequence[Index] | Shape) -> tuple[int, ...]:
        return tuple(size.evaluate(lambda atom: self.params[str(atom)]) for size in shape)
