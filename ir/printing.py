"""Modules as text: custom or generic form, with or without locations, large constants elided on request."""

from __future__ import annotations

from io import StringIO

from xdsl.dialects.builtin import BytesAttr, DenseIntOrFPElementsAttr, TensorType
from xdsl.ir import Attribute, Operation
from xdsl.printer import Printer

from .nesting import region_depth, with_stack_for

# Constants of this many elements are worth a look at their bytes before they are printed.
_LARGE = 1024


def print_module(
    module: Operation,
    generic: bool = False,
    debuginfo: bool = False,
    elide_larger_than: int | None = None,
) -> str:
    """The text of an operation, ending in a newline. `debuginfo` adds the location to each operation.

    Constants of more than `elide_larger_than` elements are printed as `dense_resource<__elided__>`, as in MLIR; such
    text is for reading only.
    """
    return _print(module, generic, debuginfo, elide_larger_than)[0]


def print_with_lines(module: Operation, generic: bool = False) -> tuple[str, dict[Operation, int]]:
    """The text of an operation, and the line (from 1) on which each operation in it starts."""
    return _print(module, generic, False, None)


def _print(root: Operation, generic: bool, debuginfo: bool, elide_larger_than: int | None) -> tuple[str, dict[Operation, int]]:
    stream = StringIO()
    printer = _Printer(stream, print_generic_format=generic, print_debuginfo=debuginfo)
    printer.elide_larger_than = elide_larger_than
    printer.lines = {}

    def work() -> None:
        printer.print_op(root)
        printer.print_metadata(())

    with_stack_for(region_depth(root), work)
    return stream.getvalue() + "\n", printer.lines


class _Printer(Printer):
    """xDSL's printer, which notes the line of each operation and elides large constants."""

    elide_larger_than: int | None
    lines: dict[Operation, int]

    def print_op(self, op: Operation) -> None:
        self.lines[op] = self._current_line + 1
        super().print_op(op)

    def print_attribute(self, attribute: Attribute) -> None:
        if self._is_elided(attribute):
            assert isinstance(attribute, DenseIntOrFPElementsAttr)
            self.print_string("dense_resource<__elided__> : ")
            super().print_attribute(attribute.get_type())
            return
        if isinstance(attribute, DenseIntOrFPElementsAttr) and (one := _one_element(attribute)) is not None:
            one.print_without_type(self)
            self.print_string(" : ")
            super().print_attribute(attribute.get_type())
            return
        super().print_attribute(attribute)

    def _is_elided(self, attribute: Attribute) -> bool:
        limit = self.elide_larger_than
        return limit is not None and isinstance(attribute, DenseIntOrFPElementsAttr) and len(attribute) > limit


def _one_element(attribute: DenseIntOrFPElementsAttr) -> DenseIntOrFPElementsAttr | None:
    """The element of a large constant that repeats it, None for other constants.

    xDSL compares all elements as Python values, which takes seconds where comparing the bytes takes none.
    """
    data = attribute.data.data
    count = len(attribute)
    if count < _LARGE:
        return None
    element = data[: len(data) // count]
    if data != element * count:
        return None
    return DenseIntOrFPElementsAttr(TensorType(attribute.get_element_type(), [1]), BytesAttr(element))
