"""The base of all operations that Stepwell defines."""

from __future__ import annotations

from abc import ABCMeta
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import TypeAlias

from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr, IntegerType, StringAttr, i32, i64
from xdsl.ir import Attribute, Operation, Region, SSAValue
from xdsl.irdl import AttrSizedOperandSegments, IRDLOperation, OptionalDef

Operands: TypeAlias = SSAValue | Sequence[SSAValue] | None
Types: TypeAlias = Attribute | Sequence[Attribute]

# Tested for first: `isinstance` with xDSL's abstract classes is a call of Python.
_MANY = (tuple, list)


class _OpMeta(ABCMeta):
    """A metaclass with a faster `isinstance`, which checks base classes only: no class is registered with `ABCMeta.register`.
    Passes call it a hundred thousand times for a training step."""

    __instancecheck__ = type.__instancecheck__


class Op(IRDLOperation, metaclass=_OpMeta):
    """An operation with an unchecked constructor. xDSL's constructor compares each argument with the definition: this takes
    most of the time of creating an operation, and the verifier repeats it."""

    # By identity, as xDSL's, without a call of Python for each operation that is looked up.
    __hash__ = object.__hash__

    def __init__(
        self,
        *,
        operands: Sequence[Operands] = (),
        result_types: Sequence[Types] = (),
        properties: Mapping[str, Attribute | None] | None = None,
        regions: Sequence[Region] = (),
    ) -> None:
        """One argument for each operand and result definition: a sequence for a variadic one, and None for a missing optional
        one. Properties that are None are left out."""
        values: list[SSAValue] = []
        sizes: list[int] = []
        for given in operands:
            before = len(values)
            if isinstance(given, _MANY):
                values.extend(given)
            elif isinstance(given, SSAValue):
                values.append(given)
            elif given is not None:
                values.extend(given)
            sizes.append(len(values) - before)
        types: list[Attribute] = []
        for kind in result_types:
            if isinstance(kind, _MANY):
                types.extend(kind)
            elif isinstance(kind, Attribute):
                types.append(kind)
            else:
                types.extend(kind)
        kept = {name: value for name, value in (properties or {}).items() if value is not None}
        if _is_segmented(type(self)):
            kept[AttrSizedOperandSegments.attribute_name] = _segments(tuple(sizes))
        Operation.__init__(self, operands=values, result_types=types, properties=kept, regions=regions)

    def __post_init__(self) -> None:
        """Fill in default properties and attributes, as xDSL's does from the definition of each property."""
        properties, attributes = _defaults(type(self))
        for name, value in properties:
            self.properties.setdefault(name, value)
        for name, value in attributes:
            self.attributes.setdefault(name, value)
        Operation.__post_init__(self)


# Cached: attributes are immutable, and most operations have one of these few.
@lru_cache(maxsize=1 << 10)
def string_attr(text: str) -> StringAttr:
    return StringAttr(text)


@lru_cache(maxsize=1 << 10)
def int_attr(value: int) -> IntegerAttr[IntegerType]:
    """A 64-bit integer property."""
    return IntegerAttr(value, i64)


@cache
def _is_segmented(kind: type[IRDLOperation]) -> bool:
    """Whether operations of this class store the number of operands of each variadic definition."""
    options = [each for each in kind.get_irdl_definition().options if isinstance(each, AttrSizedOperandSegments)]
    assert all(each.as_property for each in options), f"'{kind.name}': segments must be a property"
    return bool(options)


@cache
def _defaults(kind: type[IRDLOperation]) -> tuple[Sequence[tuple[str, Attribute]], Sequence[tuple[str, Attribute]]]:
    """The properties and the attributes that operations of this class have where none are given."""
    definition = kind.get_irdl_definition()
    properties, attributes = (
        [
            (name, each.default_value)
            for name, each in definitions.items()
            if not isinstance(each, OptionalDef) and each.default_value is not None
        ]
        for definitions in (definition.properties, definition.attributes)
    )
    return properties, attributes


@lru_cache(maxsize=1 << 10)
def _segments(sizes: tuple[int, ...]) -> Attribute:
    return DenseArrayBase.from_list(i32, sizes)
