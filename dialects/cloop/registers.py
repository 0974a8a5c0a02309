"""Register arrays on the C level, and loops that the C compiler unrolls.

The C compiler keeps an array in registers if all of its indices are constant after unrolling. So a tile of a product is one
name and a loop, instead of two dozen names with a line each. With other indices it is an ordinary array on the stack.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import IntAttr
from xdsl.ir import Attribute, ParametrizedAttribute, SSAValue, TypeAttribute
from xdsl.irdl import (
    irdl_attr_definition,
    irdl_op_definition,
    operand_def,
    param_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect
from xdsl.utils.exceptions import VerifyException

from ...ir.index.expressions import Index
from ...ir.op import Op
from ...ir.types.shapes import MapAttr
from ..scalar_ops import IndexedOp, map_attr
from .base import is_value_type


@irdl_attr_definition
class RegistersType(ParametrizedAttribute, TypeAttribute):
    """`!cloop.registers<24, vector<16xf32>>`: a number of scalars or vectors of one type."""

    name = "cloop.registers"
    count: IntAttr = param_def()
    element: Attribute = param_def()

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(f"{self.count.data}, ")
            printer.print_attribute(self.element)

    def verify(self) -> None:
        if self.count.data < 1:
            raise VerifyException(f"expected at least one register, got {self.count.data}")
        if not is_value_type(self.element):
            raise VerifyException(f"expected registers of scalars or vectors, got {self.element}")

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            count = parser.parse_integer()
            parser.parse_punctuation(",")
            return IntAttr(count), parser.parse_type()


class RegisterOp(IndexedOp):
    """An access to one register of an array, at the only expression of `map`."""

    def verify_register(self, registers: SSAValue, value: SSAValue) -> None:
        """Raise VerifyException unless `registers` has elements of the type of `value`, and a constant index is in range."""
        self.verify_map(1)
        kind = registers.type
        assert isinstance(kind, RegistersType), "operands are registers"
        if kind.element != value.type:
            raise VerifyException(f"expected registers of {value.type}, got {kind.element}")
        place = self.index_map.results[0].constant
        if place is not None and not 0 <= place < kind.count.data:
            raise VerifyException(f"there are {kind.count.data} registers, got index {place}")


@irdl_op_definition
class RegistersOp(Op):
    """An array of registers, initialised to zero: `%t = cloop.registers : !cloop.registers<24, vector<16xf32>>`."""

    name = "cloop.registers"
    result = result_def(RegistersType)
    assembly_format = "attr-dict `:` type($result)"

    def __init__(self, count: int, element: Attribute):
        super().__init__(result_types=[RegistersType(IntAttr(count), element)])

    @property
    def count(self) -> int:
        """The number of registers."""
        return self._kind.count.data

    @property
    def element(self) -> Attribute:
        """The type of each register, a scalar or a vector."""
        return self._kind.element

    @property
    def _kind(self) -> RegistersType:
        assert isinstance(self.result.type, RegistersType), "the verifier says so"
        return self.result.type


@irdl_op_definition
class GetOp(RegisterOp):
    """The current value of a register: `%v = cloop.get %t[%r : index] <(d0) -> (d0)> : !cloop.registers<4, f32> -> f32`."""

    name = "cloop.get"
    registers = operand_def(RegistersType)
    at = var_operand_def()
    map = prop_def(MapAttr)
    result = result_def()
    traits = traits_def(MemoryReadEffect())
    assembly_format = "$registers (`[` $at^ `:` type($at) `]`)? $map attr-dict `:` type($registers) `->` type($result)"

    def __init__(self, registers: SSAValue, index: Index, at: Sequence[SSAValue]):
        kind = registers.type
        assert isinstance(kind, RegistersType), f"expected registers, got {kind}"
        super().__init__(operands=[registers, at], properties={"map": map_attr(at, [index])}, result_types=[kind.element])

    def verify_(self) -> None:
        self.verify_register(self.registers, self.result)


@irdl_op_definition
class SetOp(RegisterOp):
    """`registers[index] = value;`: `cloop.set %t[%r] <(d0) -> (d0)>, %v : !cloop.registers<4, f32>, index, f32`."""

    name = "cloop.set"
    registers = operand_def(RegistersType)
    at = var_operand_def()
    value = operand_def()
    map = prop_def(MapAttr)
    traits = traits_def(MemoryWriteEffect())
    assembly_format = "$registers `[` $at `]` $map `,` $value attr-dict `:` type(operands)"

    def __init__(self, registers: SSAValue, index: Index, at: Sequence[SSAValue], value: SSAValue):
        super().__init__(operands=[registers, at, value], properties={"map": map_attr(at, [index])})

    def verify_(self) -> None:
        self.verify_register(self.registers, self.value)


OPS = (RegistersOp, GetOp, SetOp)
