"""Procedures: functions that assign to their array arguments, in place.

    @sw.procedure
    def step(p, velocity, *, rate=0.1):
        velocity.assign(0.9 * velocity + p.grad)
        p.accumulate(-rate * velocity)

An argument that is an array, or a `Variable`, is a cell: a tensor whose value statements change. Statements run in order, and
each reads what the earlier ones assigned. The whole procedure is one compiled program, which takes the assigned arrays as
donated arguments, so that results are written to them in place. A tensor that several statements use is computed once, before
its first use.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..ir.copies import CopiedAsItself
from ..ir.diagnostics import ShapeError
from ..runtime.boundary.arrays import is_torch
from ..runtime.distributed import sum_of_others
from .calls.arguments import expect_hashable
from .calls.traced import trace
from .cells import STATEMENTS, Cell
from .jit import Jitted
from .tracing.sizes import SizeSolver
from .tracing.source import SourceLocator, definition
from .tracing.specs import Spec
from .tracing.tensor import Tensor
from .tracing.tracer import leaf_names
from .tracing.trees import Tree, exact, flatten, map_leaves
from .tracing.variables import Variable

Array = Any


@dataclass(frozen=True)
class _Compiled:
    """The program of a procedure for arguments of one structure, with the positions of the arrays that it assigns to, and the
    positions and names of the arrays whose merge buffers it reads."""

    program: Jitted
    assigned: tuple[int, ...]
    merged: tuple[tuple[int, str], ...]

    def given(self, arrays: Sequence[Array]) -> list[Array]:
        """The arguments of the program: copies of the arrays that are assigned to if a run-time check may fail after some of
        them have changed."""
        may_fail = self.program.has_checks()
        return [each.copy() if may_fail and k in self.assigned else each for k, each in enumerate(arrays)]


class Procedure(CopiedAsItself):
    """A function that assigns to its array arguments. Calls run it compiled, and change the arrays in place."""

    def __init__(self, function: Callable[..., Any]):
        if not callable(function):
            raise TypeError(f"sw.procedure: expected a function, got {function!r}")
        functools.update_wrapper(self, function)
        self.function = function
        self._signature = inspect.signature(function)
        self._compiled: dict[Hashable, _Compiled] = {}

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run the procedure on NumPy arrays, `Variable`s and constants, nested in tuples, lists and dicts. Returns the
        results of the function. If another procedure calls it with cells of its own, the statements become part of the other
        procedure.

        If a run-time check fails, no array has changed. Raises TypeError for arguments that do not fit the function, and
        ShapeError for a procedure that assigns to no argument. Raises ValueError for an assigned array that is read-only or
        shares memory with another argument, and CompileError as a jitted function does.
        """
        bound = self._signature.bind(*args, **kwargs)
        bound.apply_defaults()
        leaves, tree = flatten((bound.args, bound.kwargs))
        if any(isinstance(leaf, Cell) for leaf in leaves):
            return self.function(*bound.args, **bound.kwargs)
        names = leaf_names(self.function, bound.args, bound.kwargs)
        _expect_arrays(names, leaves)
        arrays = [array for leaf in leaves for array in _arrays(leaf)]
        compiled = self._compiled_for(tree, names, leaves, arrays)
        _expect_writable(
            [name for name, leaf in zip(names, leaves, strict=True) for _ in _arrays(leaf)], arrays, compiled.assigned
        )
        owners = [leaf for leaf in leaves for _ in _arrays(leaf)]
        merges = [sum_of_others(arrays[number], self._described(name, owners[number])) for number, name in compiled.merged]
        changed, result = compiled.program(*compiled.given(arrays), *merges)
        for number, found in zip(compiled.assigned, changed, strict=True):
            if not np.shares_memory(found, arrays[number]):
                np.copyto(arrays[number], found)
        return result

    def stats(self) -> Any:
        """The numbers of compiles and of cache hits of all its programs."""
        stats = [each.program.stats() for each in self._compiled.values()]
        return type(stats[0])(*map(sum, zip(*stats, strict=True))) if stats else Jitted(self.function).stats()

    def _compiled_for(self, tree: Tree, names: Sequence[str], leaves: Sequence[Any], arrays: Sequence[Array]) -> _Compiled:
        kinds = tuple(map(_kind, leaves))
        expect_hashable(self.function, tree, leaves, kinds)
        found = self._compiled.get((tree, kinds))
        if found is None:
            # A trace finds the arrays that are assigned to, and those whose merge buffers are read.
            cells: list[Cell] = []
            solver = SizeSolver()
            run = functools.partial(self._run, tree, names, leaves)
            trace(lambda *values: run(values, {}, cells), [Spec.of(each, solver) for each in arrays], sizes=solver)
            assigned = tuple(k for k, cell in enumerate(cells) if cell.changed)
            merged = tuple((k, cell.name) for k, cell in enumerate(cells) if cell.merged)
            if not assigned:
                raise ShapeError(
                    f"procedure '{self._name}' assigns to no argument: expected a statement such as c.assign(...) or c += ... "
                    "on an array argument; sw.jit compiles functions that return results alone",
                    definition(self.function),
                )

            def program(*values: Tensor) -> Any:
                made: list[Cell] = []
                merges = zip([k for k, _ in merged], values[len(arrays) :], strict=True)
                result = run(values[: len(arrays)], dict(merges), made)
                return tuple(made[k].read() for k in assigned), result

            program.__name__ = self._name
            found = self._compiled[tree, kinds] = _Compiled(Jitted(program, donate_argnums=assigned), assigned, merged)
        return found

    def _described(self, name: str, owner: Any) -> str:
        """The name of an array, for other processes to compare."""
        origin = f" of the variable made at {owner.origin}" if isinstance(owner, Variable) else ""
        return f"procedure '{self._name}': '{name}'{origin}"

    @property
    def _name(self) -> str:
        return getattr(self.function, "__name__", "procedure")

    def _run(
        self,
        tree: Tree,
        names: Sequence[str],
        leaves: Sequence[Any],
        values: Sequence[Tensor],
        merges: Mapping[int, Tensor],
        cells: list[Cell],
    ) -> Any:
        """Call the function on cells with these values; `cells` gains the cells. A merge buffer that is not given is the
        array's own value."""
        del cells[:]

        def cell(name: str) -> Cell:
            number = len(cells)
            made = Cell(name, values[number], lambda: merges.get(number, values[number]))
            cells.append(made)
            return made

        def argument(name: str, leaf: Any) -> Any:
            if not _arrays(leaf):
                return leaf
            made = cell(name)
            if isinstance(leaf, Variable):
                made.gradient = cell(f"{name}.grad")
            return made

        args, kwargs = tree.unflatten([argument(name, leaf) for name, leaf in zip(names, leaves, strict=True)])
        try:
            result = self.function(*args, **kwargs)
        except AttributeError as error:
            raise _explained(error) from error
        return map_leaves(lambda leaf: leaf.read() if isinstance(leaf, Cell) else leaf, result)


def procedure(function: Callable[..., Any]) -> Procedure:
    """Compile a function that assigns to its array arguments: in its body these are cells, with `assign`, `accumulate` and
    `init_accumulate`, `grad` for a `Variable`, and `merge`, the sum over other processes. As a decorator, `@sw.procedure`.
    Raises TypeError unless `function` is a function."""
    return Procedure(function)


def _arrays(leaf: Any) -> list[Array]:
    """The arrays of an argument."""
    if isinstance(leaf, Variable):
        return [leaf.value, leaf.grad]
    return [leaf] if isinstance(leaf, np.ndarray) else []


def _kind(leaf: Any) -> Hashable:
    if isinstance(leaf, Variable):
        return Variable, leaf.value.dtype, leaf.value.ndim
    return (np.ndarray, leaf.dtype, leaf.ndim) if isinstance(leaf, np.ndarray) else exact(leaf)


def _expect_arrays(names: Sequence[str], leaves: Sequence[Any]) -> None:
    """Raise TypeError for tensors among the arguments."""
    for name, leaf in zip(names, leaves, strict=True):
        expected = f"procedure: argument '{name}': expected a NumPy array or a sw.Variable, got"
        if isinstance(leaf, Tensor):
            if leaf.has_elements:
                raise TypeError(f"{expected} a sw.Tensor, whose elements do not change: pass np.array({name})")
            raise leaf.tracer.error(
                f"{expected} a traced tensor: procedures change arrays outside of sw.jit, sw.grad and others"
            )
        if is_torch(leaf):
            raise TypeError(f"{expected} a tensor of torch: pass {name}.numpy(), which has the same memory")


def _explained(error: AttributeError) -> Exception:
    """The explained error of a statement on a value that is not a cell; any other error unchanged."""
    if error.name not in STATEMENTS or isinstance(error.obj, Cell):
        return error
    kind = type(error.obj).__name__
    found = f"only cells, the array arguments of a procedure, have '.{error.name}': got a {kind}"
    if isinstance(error.obj, Tensor):
        found = (
            f"{found}, which is computed and stays as it is: assign to the whole argument, as in c.assign(sw.where(mask, x, c))"
        )
    elif isinstance(error.obj, np.ndarray):
        found = f"{found} that is no argument: pass it to the procedure"
    elif isinstance(error.obj, list | tuple | int | float | np.generic):
        found = f"{found}: pass np.array(...), which the procedure can change"
    else:
        return error
    return ShapeError(found, SourceLocator().raised(error))


def _expect_writable(names: Sequence[str], arrays: Sequence[Array], assigned: Sequence[int]) -> None:
    for number in assigned:
        if not arrays[number].flags.writeable:
            raise ValueError(f"procedure: '{names[number]}' is assigned to, and its array is read-only")
        for other, array in enumerate(arrays):
            if other != number and np.shares_memory(arrays[number], array):
                raise ValueError(f"procedure: '{names[number]}' is assigned to, and shares memory with '{names[other]}'")
