"""The memory that a call allocates: the arena of its temporaries, for given sizes."""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

from xdsl.dialects.func import FuncOp

from ...dialects import cloop
from ...ir.diagnostics import did_you_mean
from ...ir.functions.entry import function_params
from ...ir.functions.versions import all_hold, condition_of
from ...ir.index.expressions import Atom, Index, IndexLike, Param, index, maximum


@dataclass(frozen=True)
class Arena:
    """The bytes shared by all threads and those private to each, over a function's parameters, and the expressions that are
    non-negative where the function runs."""

    conditions: tuple[Index, ...]
    shared: Index
    each_thread: Index

    @staticmethod
    def of(function: FuncOp) -> Arena:
        """The arena of a function on the C level, plus the largest arena of its callees; 0 bytes for a function without an
        arena."""
        found = [op for op in function.walk() if isinstance(op, cloop.ArenaOp)]
        assert len(found) <= 1, "a call has one arena"
        shared, each_thread = found[0].size.data.results if found else (index(0), index(0))
        calls = [op for op in function.walk() if isinstance(op, cloop.CallOp)]
        arenas = {callee: Arena.of(callee) for callee in {op.callee for op in calls}}
        called = [arenas[op.callee].called_by(op) for op in calls]
        shared += reduce(maximum, (each.shared for each in called), index(0))
        each_thread += reduce(maximum, (each.each_thread for each in called), index(0))
        return Arena(condition_of(function) or (), shared, each_thread)

    def called_by(self, op: cloop.CallOp) -> Arena:
        """The arena over the parameters of the caller."""
        if op.sizes is None:
            return self
        given = zip(function_params(op.callee), op.sizes.data.results, strict=False)
        places: dict[Atom, IndexLike] = {Param(name): size for name, size in given}
        return Arena(self.conditions, self.shared.substitute(places), self.each_thread.substitute(places))

    def bytes(self, sizes: Mapping[str, int], threads: int) -> int:
        """The bytes of a call. Raises ValueError for fewer than one thread."""
        if threads < 1:
            raise ValueError(f"expected at least one thread, got {threads}")
        shared, each = (expr.evaluate(lambda atom: sizes[str(atom)]) for expr in (self.shared, self.each_thread))
        return shared + each * threads


def arena_for(arenas: Sequence[Arena], sizes: Mapping[str, int]) -> Arena:
    """The arena of the first function version that runs for these sizes; the last one runs for all."""
    return next(arena for arena in arenas if all_hold(arena.conditions, sizes))


def bind_sizes(names: Sequence[str], given: Mapping[str, int], defaults: Mapping[str, int]) -> dict[str, int]:
    """The values of parameters. Raises TypeError for a name that is missing or unknown and for a value that is not an integer,
    ValueError for a negative one."""
    unknown = next((name for name in given if name not in names), None)
    if unknown is not None:
        known = ", ".join(names) or "none"
        raise TypeError(f"there is no size '{unknown}'{did_you_mean(unknown, names)} (the sizes are {known})")
    bound = {name: given.get(name, defaults.get(name)) for name in names}
    missing = [name for name, value in bound.items() if value is None]
    if missing:
        raise TypeError(f"the sizes {', '.join(missing)} are missing: give {', '.join(f'{name}=...' for name in missing)}")
    values = {name: _whole(name, value) for name, value in bound.items()}
    negative = next((name for name, value in values.items() if value < 0), None)
    if negative is not None:
        raise ValueError(f"the size '{negative}' must not be negative, got {values[negative]}")
    return values


def _whole(name: str, value: Any) -> int:
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(f"the size '{name}' must be a whole number, got {value!r}") from None
