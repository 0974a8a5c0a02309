"""Runtime failures of compiled programs as Python exceptions, with the source line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from xdsl.dialects.builtin import LocationAttr, StringAttr
from xdsl.ir import Operation

from ...ir.locations import outermost_frame


class Check(NamedTuple):
    """A check of emitted code: the kind of number that it tests, "index" or "divisor", and the user's line."""

    kind: str
    place: str

    @staticmethod
    def of(op: Operation) -> Check:
        """The check of an operation of the C or tile level."""
        kind = op.properties["kind"]
        assert isinstance(kind, StringAttr), "a check has a kind"
        return Check(kind.data, place_of(op.location))

    def failure(self, value: int, limit: int) -> Exception:
        """The exception for a value that fails the check."""
        return index_error(value, limit, self.place) if self.kind == "index" else divisor_error(self.place)


def index_error(index: int, size: int, place: str) -> IndexError:
    """The exception for an index tensor's element that is out of bounds of the axis that it reads or writes."""
    return IndexError(_at(place, f"index {index} is out of range for an axis of size {size}"))


def divisor_error(place: str, divisor: object = None) -> ZeroDivisionError:
    """The exception for an integer divided by zero, the value of `divisor` if that is given."""
    return ZeroDivisionError(_at(place, f"integer division by zero{f': {divisor} is 0' if divisor is not None else ''}"))


def out_of_memory(shapes: Sequence[tuple[int, ...]], place: str) -> MemoryError:
    """The exception for an operation whose result cannot be allocated."""
    sizes = ", ".join(map(str, shapes))
    return MemoryError(_at(place, f"the array that is computed here could not be allocated, of shape {sizes}"))


def place_of(location: LocationAttr) -> str:
    """`file:line:column` of the outermost call, which is the user's line; empty if unknown."""
    return str(outermost_frame(location) or "")


def _at(place: str, message: str) -> str:
    return f"{place}: {message}" if place else message
