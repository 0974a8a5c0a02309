"""What was printed last time, so that a module that is printed after each pass is not printed anew from one to the next."""

from __future__ import annotations

import functools
import operator
from typing import NamedTuple

from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import IRDLOperation

# Longer texts of attributes are those of large constants, which are not worth the memory.
_LONGEST = 4096

# The text of an operation, with its operands and results in the places of their names, which change with what is before it.
Parts = tuple[str | SSAValue, ...]


class _Printed(NamedTuple):
    made_of: list[object]
    parts: Parts


class PrintMemory:
    """How attributes are printed, in one print of a module and from one to the next, and operations in custom form without
    locations, from one print to the next.

    An operation without regions whose syntax is declared is printed as before where its attributes, operands and their types
    are the same objects. What one print does not meet again is forgotten at the next.
    """

    def __init__(self) -> None:
        self._ops_before: dict[Operation, _Printed] = {}
        self._ops: dict[Operation, _Printed] = {}
        # By identity, as attributes are slow to hash, with the attribute, so that no other gets its identity.
        self._attributes_before: dict[int, tuple[Attribute, str]] = {}
        self._attributes: dict[int, tuple[Attribute, str]] = {}

    def start(self) -> None:
        """A module is about to be printed."""
        self._ops_before, self._ops = self._ops, {}
        self._attributes_before, self._attributes = self._attributes, {}

    def parts_of(self, op: Operation) -> Parts | None:
        """The text of an operation, None if it isn't known."""
        known = self._ops_before.get(op)
        if known is None or not _are_same(known.made_of, _made_of(op)):
            return None
        self._ops[op] = known
        return known.parts

    def keep_parts(self, op: Operation, parts: Parts) -> None:
        """The operation, one that `is_kept`, was printed like this."""
        self._ops[op] = _Printed(_made_of(op), parts)

    def text_of(self, attribute: Attribute) -> str | None:
        """The text of an attribute, None if it isn't known."""
        known = self._attributes.get(id(attribute)) or self._attributes_before.get(id(attribute))
        if known is None:
            return None
        self._attributes[id(attribute)] = known
        return known[1]

    def keep_text(self, attribute: Attribute, text: str) -> None:
        """The attribute was printed like this."""
        if len(text) <= _LONGEST:
            self._attributes[id(attribute)] = attribute, text


def is_kept(op: Operation) -> bool:
    """Whether nothing beyond an operation, its attributes and the types and names of its values says how it is printed."""
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
