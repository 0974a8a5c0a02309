"""Requirements on the sizes of a function's arguments, which each call checks: `sw.requires`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from xdsl.dialects.builtin import DictionaryAttr, LocationAttr
from xdsl.dialects.func import FuncOp

from ..index.expressions import Index
from ..locations import frames
from ..types.shapes import IndexMap, MapAttr
from .attributes import REQUIRES

DIVISION = "division at "


class Requirement(NamedTuple):
    """An expression over parameters that must not be negative, and the line of the program that needs this. For a divisor the
    expression is the divisor minus 1, and `needed_by` begins with DIVISION."""

    expr: Index
    needed_by: str

    @property
    def divides(self) -> str | None:
        """The line that divides, if this is the requirement of a divisor."""
        return self.needed_by.removeprefix(DIVISION) if self.needed_by.startswith(DIVISION) else None

    @staticmethod
    def of_divisor(divisor: Index, location: LocationAttr) -> Requirement:
        """The requirement that the operation at a location does not divide by 0."""
        found = Requirement.at(divisor - 1, location)
        return Requirement(found.expr, f"{DIVISION}{found.needed_by}")

    @staticmethod
    def at(expr: Index, location: LocationAttr, reason: str = "") -> Requirement:
        """A requirement of the operation at a location."""
        return Requirement(expr, next((str(frame) for frame in frames(location)), "the program") + reason)


def requirements(function: FuncOp) -> Iterator[Requirement]:
    """The requirements of a function, in order."""
    declared = function.attributes.get(REQUIRES)
    for needed_by, exprs in declared.data.items() if isinstance(declared, DictionaryAttr) else ():
        assert isinstance(exprs, MapAttr), "the verifier checks this"
        yield from (Requirement(expr, needed_by) for expr in exprs.data.results)


def add_requirements(function: FuncOp, added: Iterable[Requirement]) -> None:
    """Add requirements to those that the function has, each expression once."""
    needed = {each.expr: each.needed_by for each in requirements(function)}
    for each in added:
        needed.setdefault(each.expr, each.needed_by)
    by_place: dict[str, list[Index]] = {}
    for expr, needed_by in needed.items():
        by_place.setdefault(needed_by, []).append(expr)
    if by_place:
        maps = {needed_by: MapAttr(IndexMap.of(0, exprs)) for needed_by, exprs in by_place.items()}
        function.attributes[REQUIRES] = DictionaryAttr(maps)
