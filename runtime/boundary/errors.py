"""Runtime failures of compiled programs as Python exceptions, with the source line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from xdsl.dialects.builtin import LocationAttr, StringAttr
from xdsl.ir import Operation

from ...ir.locations import outermost_frame


class Check(NamedTuple):
    """A check of emitted code: what it looks at, "index" or "divisor", and the user's line."""

    kind: str
    place: str

    @staticmethod
    def of(op: Operation) -> Check:
        """The check that an operation of the C or tile level makes."""
        kind = op.properties["kind"]
        assert isinstance(kind, StringAttr), "a check has a kind"
        return Check(kind.data, place_of(op.location))

    def failure(self, value: int, limit: int) -> Exception:
        """The exception for a value that does not pass."""
        return index_error(value, limit, self.place) if self.kind == "index" else divisor_error(self.place)


def index_error(index: int, size: int, place: str) -> IndexError:
    """An index tensor's element outside of the axis it reads or writes."""
    return IndexError(_at(place, f"index {index} is out of range for an axis of size {size}"))


def divisor_error(place: str, divisor: object = None) -> ZeroDivisionError:
    """An integer divided by zero, which is the value of `divisor` if that is given."""
    return ZeroDivisionError(_at(place, f"integer division by zero{f': {divisor} is 0' if divisor is not None else ''}"))


def out_of_memory(shapes: Sequence[tuple[int, ...]], place: str) -> MemoryError:
    """No memory for what an operation computes."""
    return MemoryError(_at(place, f"what is computed here could not be allocated, of shape {', '.join(map(str, shapes))}"))


def place_of(location: LocationAttr) -> str:
    """`file:line:column` of the outermost call, which is the user's line; empty where it is not known."""
    return str(outermost_frame(location) or "")


def _at(place: str, message: str) -> str:
    return f"{place}: {message}" if place else message
