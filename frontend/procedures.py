"""Procedures: functions that assign to their array arguments, in place.

    @sw.procedure
    def step(p, velocity, *, rate=0.1):
        velocity.assign(0.9 * velocity + p.grad)
        p.accumulate(-rate * velocity)

An argument that is an array, or a `Variable`, is a cell: a tensor whose value statements change. Statements run in order, and
each reads what the earlier ones assigned. The whole procedure is one compiled program, which takes the assigned arrays as
donated arguments, so that results are written where they belong. A tensor that several statements use is computed once, before
its first use, as everywhere in a program.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from ..ir.copies import CopiedAsItself
from ..runtime.distributed import sum_of_others
from .functions.generalised_einsum import ACCUMULATORS, generalised
from .functions.manipulation import broadcast_to
from .jit import Jitted
from .traced import trace
from .tracing.sizes import SizeSolver
from .tracing.specs import Spec
from .tracing.tensor import Tensor, TensorLike, cast, tensor_of

Array = Any


class Variable:
    """An array that procedures change, with its gradient: `value`, and `grad`, zeros at first."""

    def __init__(self, value: Any):
        """Copy a NumPy array of floats, a nested list or a number."""
        found = np.array(value, copy=True)
        self.value: Array = found if found.dtype.kind == "f" else found.astype(np.float32)
        self.grad: Array = np.zeros_like(self.value)

    def __repr__(self) -> str:
        return f"Variable({self.value!r})"


class Cell(Tensor):
    """An array argument of a procedure: a tensor whose value statements change."""

    __slots__ = ("_merge", "changed", "gradient", "merged", "name")

    def __new__(cls, *args: Any, **options: Any) -> Self:
        return object.__new__(cls)

    def __init__(self, name: str, initial: Tensor, merge: Callable[[], Tensor], gradient: Cell | None = None):
        super().__init__(initial.tracer, initial.value)
        self.name, self.gradient, self._merge = name, gradient, merge
        self.changed = self.merged = False

    @property
    def grad(self) -> Cell:
        """The cell of a variable's gradient. Raises ShapeError for an argument that is a plain array."""
        if self.gradient is None:
            raise self.tracer.error(f"'{self.name}' has no gradient: pass a sw.Variable")
        return self.gradient

    @property
    def merge(self) -> Tensor:
        """The sum of this array over the other processes, as it was when the procedure was called; zeros if there are none.

        Raises ShapeError after an assignment to the cell.
        """
        if self.changed:
            raise self.tracer.error(f"'{self.name}' has been assigned to: read its merge buffer before")
        self.merged = True
        return self._merge()

    def assign(self, value: Any, *, logic: str | None = None, op: str = "mul") -> None:
        """Replace the elements by those of `value`, which broadcasts; with `logic` by the einsum of it, or of a tuple of
        tensors. Raises ShapeError for shapes that do not fit."""
        found = value if logic is None else self._einsum(value, logic, op, "add")
        self._set(self._fitting(found))

    def accumulate(self, value: Any, accum: str = "add", *, logic: str | None = None, op: str = "mul") -> None:
        """Combine the elements with those of `value` by an accumulator; with `logic`, with the einsum of it."""
        found = value if logic is None else self._einsum(value, logic, op, accum)
        self._set(self._accumulator(accum)(Tensor(self.tracer, self.value), self._fitting(found)))

    def init_accumulate(self, value: Any, accum: str = "add", *, logic: str | None = None, op: str = "mul") -> None:
        """Set the elements to the neutral element of an accumulator, then accumulate: elements that `value` does not reach stay
        neutral."""
        self._accumulator(accum)
        found = value if logic is None else self._einsum(value, logic, op, accum)
        self._set(self._fitting(found))

    def _accumulator(self, accum: str) -> Callable[..., Tensor]:
        if accum not in ACCUMULATORS:
            raise self.tracer.error(f"'{self.name}': expected an accumulator, one of {', '.join(ACCUMULATORS)}, got {accum!r}")
        return ACCUMULATORS[accum]

    def _einsum(self, value: Any, logic: str, op: str, accum: str) -> Tensor:
        operands = value if isinstance(value, tuple) else (value,)
        return generalised(logic, operands, op, accum, None, {})

    def _fitting(self, value: TensorLike) -> Tensor:
        found = tensor_of(value, self.tracer)
        if found.ndim > self.ndim:
            raise self.tracer.error(f"'{self.name}' has {self.ndim} axes: cannot assign {found.ndim}")
        return broadcast_to(found, self.sizes)

    def _set(self, value: Tensor) -> None:
        self.value, self.changed = cast(value, self.dtype).value, True


@dataclass(frozen=True)
class _Compiled:
    """The program of a procedure for arguments of one structure: the numbers of the arrays that it assigns to, and of those
    whose merge buffers it reads."""

    program: Jitted
    assigned: tuple[int, ...]
    merged: tuple[int, ...]


class Procedure(CopiedAsItself):
    """A function that assigns to its array arguments. Calls run it compiled, and change the arrays in place."""

    def __init__(self, function: Callable[..., Any]):
        functools.update_wrapper(self, function)
        self.function = function
        self._signature = inspect.signature(function)
        self._compiled: dict[Hashable, _Compiled] = {}

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run the procedure on NumPy arrays, `Variable`s and constants. Returns what the function returns.

        Raises TypeError for arguments that do not fit the function, ValueError for an assigned array that is read-only or
        shares memory with another argument, and CompileError as a jitted function does.
        """
        bound = self._signature.bind(*args, **kwargs)
        bound.apply_defaults()
        given = list(bound.arguments.items())
        arrays = [array for _, value in given for array in _arrays(value)]
        compiled = self._compiled_for(given, arrays)
        _expect_writable([name for name, value in given for _ in _arrays(value)], arrays, compiled.assigned)
        merges = [sum_of_others(arrays[number]) for number in compiled.merged]
        changed, result = compiled.program(*arrays, *merges)
        for number, found in zip(compiled.assigned, changed, strict=True):
            if not np.shares_memory(found, arrays[number]):
                np.copyto(arrays[number], found)
        return result

    def stats(self) -> Any:
        """The numbers of compiles and of cache hits of all its programs."""
        stats = [each.program.stats() for each in self._compiled.values()]
        return type(stats[0])(*map(sum, zip(*stats, strict=True))) if stats else Jitted(self.function).stats()

    def _compiled_for(self, given: Sequence[tuple[str, Any]], arrays: Sequence[Array]) -> _Compiled:
        key = tuple((name, _kind(value)) for name, value in given)
        found = self._compiled.get(key)
        if found is None:
            # A trace finds out what is assigned, and whose merge buffers are read.
            cells: list[Cell] = []
            solver = SizeSolver()
            trace(lambda *values: self._run(given, values, {}, cells), [Spec.of(each, solver) for each in arrays], sizes=solver)
            assigned = tuple(k for k, cell in enumerate(cells) if cell.changed)
            merged = tuple(k for k, cell in enumerate(cells) if cell.merged)

            def program(*values: Tensor) -> Any:
                made: list[Cell] = []
                result = self._run(given, values[: len(arrays)], dict(zip(merged, values[len(arrays) :], strict=True)), made)
                return tuple(Tensor(made[k].tracer, made[k].value) for k in assigned), result

            program.__name__ = getattr(self.function, "__name__", "procedure")
            found = self._compiled[key] = _Compiled(Jitted(program, donate_argnums=assigned), assigned, merged)
        return found

    def _run(
        self, given: Sequence[tuple[str, Any]], values: Sequence[Tensor], merges: Mapping[int, Tensor], cells: list[Cell]
    ) -> Any:
        """Call the function on cells with these values, which are left in `cells`. A merge buffer that is not given is the
        array's own value."""
        del cells[:]

        def cell(name: str, gradient: Cell | None = None) -> Cell:
            number = len(cells)
            made = Cell(name, values[number], lambda: merges.get(number, values[number]), gradient)
            cells.append(made)
            return made

        arguments: dict[str, Any] = {}
        for name, value in given:
            if isinstance(value, Variable):
                variable = cell(name)
                variable.gradient = cell(f"{name}.grad")
                arguments[name] = variable
            else:
                arguments[name] = cell(name) if isinstance(value, np.ndarray) else value
        bound = inspect.BoundArguments(self._signature, arguments)  # pyright: ignore[reportArgumentType]
        result = self.function(*bound.args, **bound.kwargs)
        return Tensor(result.tracer, result.value) if isinstance(result, Cell) else result


def procedure(function: Callable[..., Any]) -> Procedure:
    """Compile a function that assigns to its array arguments: in its body these are cells, with `assign`, `accumulate` and
    `init_accumulate`, `grad` for a `Variable`, and `merge`, the sum over other processes. As a decorator, `@sw.procedure`."""
    return Procedure(function)


def _arrays(value: Any) -> list[Array]:
    """The arrays of an argument."""
    if isinstance(value, Variable):
        return [value.value, value.grad]
    return [value] if isinstance(value, np.ndarray) else []


def _kind(value: Any) -> Hashable:
    if isinstance(value, Variable):
        return Variable, value.value.dtype, value.value.ndim
    return (np.ndarray, value.dtype, value.ndim) if isinstance(value, np.ndarray) else (type(value), value)


def _expect_writable(names: Sequence[str], arrays: Sequence[Array], assigned: Sequence[int]) -> None:
    for number in assigned:
        if not arrays[number].flags.writeable:
            raise ValueError(f"procedure: '{names[number]}' is assigned to, and its array is read-only")
        for other, array in enumerate(arrays):
            if other != number and np.shares_memory(arrays[number], array):
                raise ValueError(f"procedure: '{names[number]}' is assigned to, and shares memory with '{names[other]}'")
