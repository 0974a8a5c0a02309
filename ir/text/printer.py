"""Printing of modules: custom or generic form, with or without locations, with large constants elided on request."""

from __future__ import annotations

from io import StringIO
from typing import NamedTuple

from xdsl.dialects.builtin import BytesAttr, DenseIntOrFPElementsAttr, LocationAttr, NameLoc, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, BlockArgument, Operation, OpResult, Region, SSAValue
from xdsl.printer import Printer

from ..gc_control import collection_paused
from ..locations import comments, pretty_location
from ..nesting import operations, region_depth, with_stack_for
from .print_cache import Parts, PrintMemory, is_kept
from .printed_users import has_id, users_of_argument, users_of_results

# The least number of elements for which a constant's bytes are compared to find a splat.
_LARGE = 1024


class Details(NamedTuple):
    """Details to print besides the usual text of operations, by MLIR's options of these names.

    `value_users` adds comments that list the users of values; `skip_regions` prints regions as `{...}`, which does not parse;
    `unique_ssa_ids` gives values of different functions different names. `pretty_locations` prints `model.py:3:4` for
    `loc("model.py":3:4)`, which does not parse. `name_locations` names values after the names in their locations.
    """

    value_users: bool = False
    skip_regions: bool = False
    unique_ssa_ids: bool = False
    pretty_locations: bool = False
    name_locations: bool = False


_NO_DETAILS = Details()


def print_module(
    module: Operation,
    generic: bool = False,
    debuginfo: bool = False,
    elide_larger_than: int | None = None,
    details: Details = _NO_DETAILS,
) -> str:
    """The text of an operation, with a newline at the end. `debuginfo` adds the location of each operation.

    Constants of more than `elide_larger_than` elements are printed as `dense_resource<__elided__>`, as in MLIR; such text
    cannot be parsed back.
    """
    if not details.value_users:
        return _print(module, generic, debuginfo, elide_larger_than, details=details)[0]
    # A comment names users that are printed later: the module is printed once before, to get their names.
    names: dict[SSAValue | Operation, str] = {}
    _print(module, generic, debuginfo, elide_larger_than, details=details, names=names)
    return _print(module, generic, debuginfo, elide_larger_than, details=details, names=names, with_users=True)[0]


def print_with_lines(
    module: Operation, generic: bool = False, memory: PrintMemory | None = None
) -> tuple[str, dict[Operation, int]]:
    """The text of an operation, and the line, from 1, of each nested operation.

    With a `memory`, for the custom form only, the text of operations unchanged since the last print is reused.
    """
    assert memory is None or not generic, "only the custom form is cached"
    return _print(module, generic, False, None, memory)


def _print(
    root: Operation,
    generic: bool,
    debuginfo: bool,
    elide_larger_than: int | None,
    memory: PrintMemory | None = None,
    details: Details = _NO_DETAILS,
    names: dict[SSAValue | Operation, str] | None = None,
    with_users: bool = False,
) -> tuple[str, dict[Operation, int]]:
    stream = _Pieces()
    printer = _Printer(stream, print_generic_format=generic, print_debuginfo=debuginfo)
    printer.pieces = stream.pieces
    printer.elide_larger_than = elide_larger_than
    printer.memory = memory
    printer.texts = memory if memory is not None else PrintMemory()
    printer.lines, printer.values = {}, []
    printer.details, printer.names, printer.with_users = details, names, with_users
    if memory is not None:
        memory.start()

    def work() -> None:
        printer.print_op(root)
        printer.print_metadata(())

    with collection_paused():
        with_stack_for(region_depth(operations(root)), work)
    return "".join(stream.pieces) + "\n", printer.lines


class _Pieces(StringIO):
    """A stream that stores its pieces without joining them."""

    def __init__(self) -> None:
        super().__init__()
        self.pieces: list[str] = []

    def write(self, text: str, /) -> int:
        self.pieces.append(text)
        return len(text)


class _Printer(Printer):
    """xDSL's printer, extended to record the line of each operation, to elide large constants, and to cache text: that of
    attributes in `texts`, and that of operations if there is a `memory`.

    `values` has the values printed since the start of the current cacheable operation, each with the index of the piece of its
    name. `names` collects the names of values and the ids of operations, for comments on users, which are printed `with_users`.
    """

    pieces: list[str]
    elide_larger_than: int | None
    memory: PrintMemory | None
    texts: PrintMemory
    lines: dict[Operation, int]
    values: list[tuple[int, SSAValue]]
    details: Details
    names: dict[SSAValue | Operation, str] | None
    with_users: bool

    def print_string(self, text: str, *, indent: int | None = None) -> None:
        if "\n" in text:
            super().print_string(text, indent=indent)
            return
        # A hot path: xDSL's method would call `print`.
        self._current_column += len(text)
        self.pieces.append(text)

    def print_ssa_value(self, value: SSAValue) -> str:
        if self.memory is not None:
            self.values.append((len(self.pieces), value))
        hint = value.name_hint
        if self.details.name_locations and value not in self._ssa_values and (named := _name_of(value)):
            value.name_hint = named
        name = super().print_ssa_value(value)
        value.name_hint = hint
        if self.names is not None:
            self.names[value] = f"%{name}"
        return name

    def print_region(self, region: Region, *args: bool, **options: bool) -> None:
        if self.details.skip_regions:
            self.print_string("{...}")
        else:
            super().print_region(region, *args, **options)

    def exit_scope(self) -> None:
        numbers = self._next_valid_name_id[-1], self._next_valid_block_id[-1]
        names = self._ssa_names[-1], self._block_names[-1]
        super().exit_scope()
        if self.details.unique_ssa_ids:
            # Numbers of names continue where the inner scope ended.
            self._next_valid_name_id[-1], self._next_valid_block_id[-1] = numbers
            self._ssa_names[-1], self._block_names[-1] = names

    def print_op(self, op: Operation) -> None:
        if self.names is None:
            self._print_op(op)
            return
        if has_id(op):
            self.names[op] = f"%{self._get_new_valid_name_id()}"
        if not self.with_users:
            self._print_op(op)
            return
        if op.parent is not None and op is op.parent.first_op:
            for argument in op.parent.args:
                self.print_string(users_of_argument(argument, self.names))
                self._print_new_line()
        self._print_op(op)
        self.print_string(users_of_results(op, self.names))

    def _print_op(self, op: Operation) -> None:
        self._print_comments(op)
        line = self.lines[op] = self._current_line + 1
        if self.memory is None or not is_kept(op):
            super().print_op(op)
            return
        known = self.memory.parts_of(op)
        if known is not None:
            self._print_parts(known)
            return
        self.values.clear()
        start = len(self.pieces)
        super().print_op(op)
        if self._is_all_since(line - 1):
            self.memory.keep_parts(op, _parts(self.pieces, start, self.values))

    def _print_comments(self, op: Operation) -> None:
        """The block comments of a statement of a function, if they differ from those of the previous statement."""
        if op.parent is None or not isinstance(op.parent.parent_op(), FuncOp):
            return
        before = comments(op.prev_op.location) if op.prev_op is not None else ()
        found = comments(op.location)
        if found and found != before:
            self.print_string(f"// {'; '.join(found)}")
            self._print_new_line()

    def _print_parts(self, parts: Parts) -> None:
        for part in parts:
            if isinstance(part, str):
                self.print_string(part)
            elif (name := self._ssa_values.get(part)) is not None:
                self.print_string(f"%{name}")
            else:
                self.print_ssa_value(part)

    def print_attribute(self, attribute: Attribute) -> None:
        if self.printing_location:  # a nested location is printed without `loc(...)`
            self._print_attribute(attribute)
            return
        if self.details.pretty_locations and isinstance(attribute, LocationAttr):
            self.print_string(pretty_location(attribute))
            return
        known = self.texts.text_of(attribute)
        if known is not None:
            self.print_string(known)
            return
        start, line = len(self.pieces), self._current_line
        self._print_attribute(attribute)
        if self._is_all_since(line):
            self.texts.keep_text(attribute, "".join(self.pieces[start:]))

    def _is_all_since(self, line: int) -> bool:
        """Whether the text printed since this line can be reused: it has no further lines, whose indentation depends on the
        context, and no resource, which is listed at the end too."""
        return self._current_line == line and not self._dialect_resources

    def _print_attribute(self, attribute: Attribute) -> None:
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


def _name_of(value: SSAValue) -> str | None:
    """The name in the location of the operation or argument that defines a value, if values can have this name."""
    location = value.op.location if isinstance(value, OpResult) else None
    if isinstance(value, BlockArgument):
        location = value.location
    name = location.desc.data if isinstance(location, NameLoc) else ""
    return name if SSAValue.is_valid_name(name) else None


def _one_element(attribute: DenseIntOrFPElementsAttr) -> DenseIntOrFPElementsAttr | None:
    """The element of a large splat constant, None for other constants.

    xDSL compares all elements as Python values, which takes seconds where comparing bytes takes milliseconds.
    """
    data = attribute.data.data
    count = len(attribute)
    if count < _LARGE:
        return None
    element = data[: len(data) // count]
    if data != element * count:
        return None
    return DenseIntOrFPElementsAttr(TensorType(attribute.get_element_type(), [1]), BytesAttr(element))


def _parts(pieces: list[str], start: int, values: list[tuple[int, SSAValue]]) -> Parts:
    """The pieces from `start` on, with values in place of their names."""
    parts: list[str | SSAValue] = []
    for number, value in values:
        parts += ("".join(pieces[start:number]), value)
        start = number + 1
    return (*parts, "".join(pieces[start:]))
