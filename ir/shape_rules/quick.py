"""The results of a rule for arguments that fit it, without the bookkeeping of reports: the compiler infers a shape for each
operation that it creates. Sizes are equal if their expressions are (`sizes.Rigid`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from ..index.expressions import Index, index
from .grammar import EQUAL, ArrayPattern, Grammar, Shape, Symbol, ordered_bindings
from .parser import parse_rule
from .terms import Term, TermError, Undetermined, evaluate


class _Pattern(NamedTuple):
    """The leading sizes and the subscripts of an array: names, and sizes for numbers."""

    leading: str
    subscripts: tuple[str | Index, ...]


class QuickRule:
    """A rule whose names stand for single sizes."""

    def __init__(self, grammar: Grammar):
        self.grammar = grammar
        self.inputs = tuple(map(_pattern, grammar.inputs))
        self.outputs = tuple(map(_pattern, grammar.outputs))
        self.where: tuple[tuple[str, Term], ...] = tuple((each.name, each.term) for each in ordered_bindings(grammar))
        self.shares = any(each.leading for each in self.outputs)

    def results(self, shapes: Sequence[Shape], given: Mapping[str, Index]) -> tuple[Shape, ...] | None:
        """The shapes of the results; None for arguments that do not fit: `inference.solve` reports why."""
        values: dict[str, Index] = dict(given)
        shared: Shape | None = None
        if len(shapes) != len(self.inputs):
            return None
        for (leading, subscripts), shape in zip(self.inputs, shapes, strict=True):
            lead = shape
            if subscripts:
                count = len(shape) - len(subscripts)
                if count < 0 or (count and not leading):
                    return None
                if not _read(subscripts, shape[count:] if count else shape, values):
                    return None
                lead = shape[:count]
            elif shape and not leading:
                return None
            if leading and self.shares:
                if shared is None or shared == lead:
                    shared = lead
                elif leading == EQUAL:
                    return None
                else:
                    shared = _broadcast(shared, lead)
                    if shared is None:
                        return None
        return self._written(values, shared) if self._bind(values) else None

    def _bind(self, values: dict[str, Index]) -> bool:
        """Evaluate the bindings of `where`. Returns whether each has a value, which equals the value that the shapes give to
        the same name."""
        for name, term in self.where:
            try:
                value = evaluate(term, lambda each: _known(each, values))
            except (TermError, Undetermined):
                return False
            if not isinstance(value, Index) or values.setdefault(name, value) != value:
                return False
        return True

    def _written(self, values: Mapping[str, Index], shared: Shape | None) -> tuple[Shape, ...] | None:
        made: list[Shape] = []
        for leading, subscripts in self.outputs:
            if leading and not subscripts:
                made.append(shared or ())
                continue
            sizes: list[Index] = list(shared or ()) if leading else []
            for each in subscripts:
                size = values.get(each) if isinstance(each, str) else each
                if size is None or (self.where and size.constant is not None and size.constant < 0):
                    return None
                sizes.append(size)
            made.append(tuple(sizes))
        return tuple(made)


@lru_cache(maxsize=1 << 12)  # rules are written for each rank, and there are few of these
def quick_rule(text: str) -> QuickRule:
    """The rule of a text."""
    return QuickRule(parse_rule(text))


def _pattern(array: ArrayPattern) -> _Pattern:
    subscripts = tuple(each.name if isinstance(each, Symbol) else index(each) for each in array.subscripts)
    return _Pattern(array.leading.name if array.leading is not None else "", subscripts)


def _read(subscripts: Sequence[str | Index], sizes: Shape, values: dict[str, Index]) -> bool:
    """Take the sizes of an argument. Returns whether they agree with the known ones."""
    for name, size in zip(subscripts, sizes, strict=True):
        known = values.setdefault(name, size) if isinstance(name, str) else name
        if known is not size and known != size:
            return False
    return True


def _broadcast(shared: Shape, lead: Shape) -> Shape | None:
    """The common shape of both, aligned at the last sizes; None if there is none."""
    if len(lead) > len(shared):
        shared, lead = lead, shared
    start = len(shared) - len(lead)
    result = list(shared)
    for axis, size in enumerate(lead, start=start):
        known = result[axis]
        if known is size or known == size or size == 1:
            continue
        if known != 1:
            return None
        result[axis] = size
    return tuple(result)


def _known(name: str, values: Mapping[str, Index]) -> Index:
    found = values.get(name)
    if found is None:
        raise Undetermined(name)
    return found
