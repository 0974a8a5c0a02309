"""What goes wrong while a program runs, as the Python exceptions that users see, with the source line."""

from __future__ import annotations

from xdsl.dialects.builtin import LocationAttr

from ..ir.locations import frames


def index_error(index: int, size: int, location: LocationAttr) -> IndexError:
    """An index tensor's element outside of the axis it reads or writes."""
    return IndexError(f"{_where(location)}index {index} is out of range for an axis of size {size}")


def divisor_error(location: LocationAttr) -> ZeroDivisionError:
    """An integer divided by zero."""
    return ZeroDivisionError(f"{_where(location)}integer division by zero")


def _where(location: LocationAttr) -> str:
    """`file:line:column: ` of the outermost call, which is the user's line."""
    found = frames(location)
    return f"{found[-1]}: " if found else ""
