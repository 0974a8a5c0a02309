"""Assignment of results to the memory of donated arguments."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from xdsl.ir import Attribute

from ...ir.functions.entry import donate
from ..tracing.specs import Spec
from ..tracing.trees import flatten, paths
from .traced import Traced


class _Place(NamedTuple):
    """An array argument or result: its number, its path inside of the argument or result, and its type."""

    number: int
    path: str
    type: Attribute


def donate_arguments(traced: Traced, argnums: Sequence[int]) -> None:
    """Assign the arrays of donated positional arguments to results of the same type, preferring results with the same path.
    Raises ValueError for a number without a positional argument."""
    if not argnums:
        return
    types = traced.function.function_type
    args, _ = traced.in_tree.unflatten(traced.leaves)
    wrong = next((number for number in argnums if not -len(args) <= number < len(args)), None)
    if wrong is not None:
        raise ValueError(f"donate_argnums: argument {wrong} is to be donated, but there are {len(args)} positional arguments")
    positions = {number % len(args) for number in argnums}
    free = list(_arrays(args, positions, types.inputs.data))
    results = list(_results(traced, types.outputs.data))
    chosen: dict[int, int] = {}
    for same_path in (True, False):
        for result in results:
            found = next((each for each in free if _fits(each, result, same_path)), None)
            if found is not None and result.number not in chosen:
                chosen[result.number] = found.number
                free.remove(found)
    donate(traced.function, [chosen.get(result.number) for result in results])


def _fits(argument: _Place, result: _Place, same_path: bool) -> bool:
    return argument.type == result.type and (argument.path == result.path or not same_path)


def _arrays(args: Sequence[Any], positions: set[int], types: Sequence[Attribute]) -> Iterator[_Place]:
    """The arrays in donated arguments."""
    number = 0
    for position, arg in enumerate(args):
        for leaf, path in zip(flatten(arg)[0], paths(arg, ""), strict=True):
            if not isinstance(leaf, Spec):
                continue
            if position in positions:
                yield _Place(number, path, types[number])
            number += 1


def _results(traced: Traced, types: Sequence[Attribute]) -> Iterator[_Place]:
    whole = traced.out_tree.unflatten(range(len(types)))
    parts = whole if isinstance(whole, tuple) else (whole,)
    found = [path for part in parts for path in paths(part, "")]
    return (_Place(number, path, kind) for number, (path, kind) in enumerate(zip(found, types, strict=True)))
