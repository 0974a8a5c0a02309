"""A cache of printed text, so that printing a module after each pass reuses the text of unchanged operations."""

from __future__ import annotations

import functools
import operator
from typing import NamedTuple

from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import IRDLOperation

# The longest cached text of an attribute; longer ones are those of large constants.
_LONGEST = 4096

# The text of an operation, with values in place of their names, which depend on the operations before it.
Parts = tuple[str | SSAValue, ...]


class _Printed(NamedTuple):
    made_of: list[object]
    parts: Parts


class PrintMemory:
    """The text of attributes, within a print of a module and from one print to the next, and the text of operations in custom
    form without locations, from one print to the next.

    The text of an operation without regions and with a declarative format is reused if its attributes, its operands and their
    types are the same objects. Entries that one print does not use are dropped at the next.
    """

    def __init__(self) -> None:
        self._ops_before: dict[Operation, _Printed] = {}
        self._ops: dict[Operation, _Printed] = {}
        # Keyed by id, since attributes are slow to hash; holding the attribute keeps its id unique.
        self._attributes_before: dict[int, tuple[Attribute, str]] = {}
        self._attributes: dict[int, tuple[Attribute, str]] = {}

    def start(self) -> None:
        """Begin a print of the module."""
        self._ops_before, self._ops = self._ops, {}
        self._attributes_before, self._attributes = self._attributes, {}

    def parts_of(self, op: Operation) -> Parts | None:
        """The cached text of an operation, None if there is none."""
        known = self._ops_before.get(op)
        if known is None or not _are_same(known.made_of, _made_of(op)):
            return None
        self._ops[op] = known
        return known.parts

    def keep_parts(self, op: Operation, parts: Parts) -> None:
        """Cache the text of an operation for which `is_kept` is true."""
        self._ops[op] = _Printed(_made_of(op), parts)

    def text_of(self, attribute: Attribute) -> str | None:
        """The cached text of an attribute, None if there is none."""
        known = self._attributes.get(id(attribute)) or self._attributes_before.get(id(attribute))
        if known is None:
            return None
        self._attributes[id(attribute)] = known
        return known[1]

    def keep_text(self, attribute: Attribute, text: str) -> None:
        """Cache the text of an attribute."""
        if len(text) <= _LONGEST:
            self._attributes[id(attribute)] = attribute, text


def is_kept(op: Operation) -> bool:
    """Whether an operation, its attributes and the types and names of its values determine its text."""
    return not op.regions and not op.successors and _is_declared(type(op))


@functools.cache
def _is_declared(kind: type[Operation]) -> bool:
    return issubclass(kind, IRDLOperation) and kind.get_irdl_definition().assembly_format is not None


def _made_of(op: Operation) -> list[object]:
    made: list[object] = [*op.properties, *op.properties.values(), None, *op.attributes, *op.attributes.values(), None]
    for value in (*op.operands, *op.results):
        made += (value, value.type)
    return made


def _are_same(one: list[object], other: list[object]) -> bool:
    return len(one) == len(other) and all(map(operator.is_, one, other))
