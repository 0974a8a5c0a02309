"""Constraints on pass options: `depth: int = limited(256)` bounds an integer, `one_of("a", "b")` lists the words allowed.

The pipeline parser checks them (`pipeline_options.py`), so that passes need not.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, fields
from typing import Any, NamedTuple

from xdsl.passes import ModulePass

_LIMITS = "limits"


class Limits(NamedTuple):
    """The least and the greatest value that an option may have, and whether the value must be a power of two."""

    least: int
    most: int | None
    power_of_two: bool

    def allow(self, value: Any) -> bool:
        """Whether an option may have a value."""
        within = self.least <= value and (self.most is None or value <= self.most)
        return within and not (self.power_of_two and value & (value - 1))

    def __str__(self) -> str:
        kind = "a power of two, " if self.power_of_two else ""
        return f"{kind}at least {self.least}" if self.most is None else f"{kind}from {self.least} to {self.most}"


class Words(NamedTuple):
    """The words that an option may have as its value; None where the option may be omitted."""

    words: tuple[str | None, ...]

    def allow(self, value: Any) -> bool:
        """Whether an option may have a value."""
        return value in self.words

    def __str__(self) -> str:
        return " or ".join(each for each in self.words if each is not None)


def limited(default: int, least: int = 1, most: int | None = None, power_of_two: bool = False) -> Any:
    """The default of an option that has limits, for the field of a pass."""
    return field(default=default, metadata={_LIMITS: Limits(least, most, power_of_two)})


def one_of(default: str | None, *others: str) -> Any:
    """The default of an option whose value is one of some words, for the field of a pass; None where the option may be
    omitted."""
    return field(default=default, metadata={_LIMITS: Words((default, *others))})


def limits_of(pass_: type[ModulePass]) -> Mapping[str, Limits | Words]:
    """The limits of a pass' options, by their names in Python."""
    return {each.name: each.metadata[_LIMITS] for each in fields(pass_) if _LIMITS in each.metadata}


def first_violation(pass_: ModulePass) -> tuple[str, str] | None:
    """The first option of a pass that violates its limits, by its name in Python, with the problem; None if all are valid."""
    for name, limits in limits_of(type(pass_)).items():
        value = getattr(pass_, name)
        if not limits.allow(value):
            return name, f"expected {limits}, got {value}"
    return None
