"""The sequential iteration of a function on the loop level."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from xdsl.dialects.builtin import BoolAttr, FlatSymbolRefAttrConstr, MemRefType, ModuleOp, SymbolRefAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    irdl_op_definition,
    prop_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect
from xdsl.utils.exceptions import VerifyException

from ...ir.functions.entry import is_step
from ...ir.index.expressions import Index
from ...ir.op import Op
from ...ir.types.shapes import MapAttr, element_of, memref_type, shape_of
from ..callees import callee_of
from ..scalar_ops import map_attr

T = TypeVar("T")


class IterateBase(Op):
    """Calls a function of buffers for each step, in order.

    The callee's inputs are the carries, the step's entry of each of the buffers `stacked`, and the buffers `shared`; its
    outputs are the next carries and the step's entry of each of the buffers `into`. The first step reads the carries from
    `init`. The last step writes them to `last`, the one before to `spare`, and so on alternately (double buffering): a step
    never writes the carries that it reads. Zero steps access nothing. `reverse` runs from the last entry to the first.
    """

    function = prop_def(FlatSymbolRefAttrConstr)
    times = prop_def(MapAttr)
    reverse = prop_def(BoolAttr)
    init = var_operand_def(MemRefType)
    last = var_operand_def(MemRefType)
    spare = var_operand_def(MemRefType)
    stacked = var_operand_def(MemRefType)
    shared = var_operand_def(MemRefType)
    into = var_operand_def(MemRefType)
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())
    assembly_format = (
        "$function `times` $times `reverse` $reverse "
        "`from` `(` ($init^ `:` type($init))? `)` `last` `(` ($last^ `:` type($last))? `)` "
        "`spare` `(` ($spare^ `:` type($spare))? `)` `over` `(` ($stacked^ `:` type($stacked))? `)` "
        "`with` `(` ($shared^ `:` type($shared))? `)` `into` `(` ($into^ `:` type($into))? `)` attr-dict"
    )

    def __init__(
        self,
        function: str,
        length: Index,
        reverse: bool,
        carried: tuple[Sequence[SSAValue], Sequence[SSAValue], Sequence[SSAValue]],
        stacked: Sequence[SSAValue],
        shared: Sequence[SSAValue],
        into: Sequence[SSAValue],
    ):
        """`carried` are the buffers `init`, `last` and `spare`."""
        super().__init__(
            operands=[*carried, stacked, shared, into],
            properties={
                "function": SymbolRefAttr(function),
                "times": map_attr((), [length]),
                "reverse": BoolAttr.from_bool(reverse),
            },
        )

    @property
    def length(self) -> Index:
        """The number of steps."""
        return self.times.data.results[0]

    @property
    def backwards(self) -> bool:
        """Whether the iteration runs from the last entry to the first."""
        return bool(self.reverse.value.data)

    @property
    def parts(self) -> tuple[Sequence[SSAValue], ...]:
        """The buffers in the order of the operands."""
        return self.init, self.last, self.spare, self.stacked, self.shared, self.into

    @property
    def reads(self) -> list[SSAValue]:
        """The buffers that are read."""
        return [*self.init, *self.stacked, *self.shared]

    @property
    def writes(self) -> list[SSAValue]:
        """The buffers that are written."""
        return [*self.last, *self.spare, *self.into]

    @property
    def callee(self) -> FuncOp:
        """The called function."""
        return callee_of(self, self.function)

    @property
    def shared_arguments(self) -> Sequence[SSAValue]:
        """The callee's arguments that are the buffers `shared`."""
        first = len(self.init) + len(self.stacked)
        return self.callee.args[first : first + len(self.shared)]

    def verify_(self) -> None:
        if self.times.data.dims != 0 or len(self.times.data.results) != 1:
            raise VerifyException("the number of steps must be one expression over parameters")
        for what, buffers in (("last", self.last), ("spare", self.spare)):
            if [each.type for each in buffers] != [each.type for each in self.init]:
                raise VerifyException(f"expected buffers '{what}' of the types of the first carries")
        for value in (*self.stacked, *self.into):
            if not shape_of(value) or shape_of(value)[0] != self.length:
                raise VerifyException(f"expected {self.length} entries, got {value.type}")
        self.verify_types(list(self.callee.function_type.inputs))

    def verify_types(self, found: Sequence[Attribute]) -> None:
        """Raise VerifyException unless `found`, the callee's types, fit the buffers."""
        carries = [each.type for each in self.init]
        inputs = [*carries, *map(entry_type, self.stacked), *(each.type for each in self.shared)]
        expected = [*inputs, *carries, *map(entry_type, self.into)]
        if list(found) != expected:
            taken, given = (", ".join(map(str, types)) for types in (found, expected))
            raise VerifyException(f"'{self.function.root_reference.data}' takes ({taken}), but is called with ({given})")


def carries_of_step(init: T, last: T, spare: T, step: int, length: int) -> tuple[T, T]:
    """The buffers that a step reads the carries from and writes them to, as `IterateBase` defines."""
    is_odd = (length - step) % 2 == 1
    return init if step == 0 else spare if is_odd else last, last if is_odd else spare


def entry_type(buffer: SSAValue) -> Attribute:
    """The type of an entry of a buffer along its first axis."""
    return memref_type(shape_of(buffer)[1:], element_of(buffer))


@irdl_op_definition
class IterateOp(IterateBase):
    """`loop.iterate @f times <() -> (n)> reverse false from (%i : ...) last (%l : ...) spare (%s : ...) over (%x : ...) with ()
    into (%y : ...)` calls `@f(carry, entry of %x, next carry, entry of %y)` for each of n steps, as `IterateBase` defines."""

    name = "loop.iterate"


def arguments_shared_by_steps(function: FuncOp) -> Sequence[SSAValue]:
    """The arguments of a step of a scan that are the same in all steps. There are none for a function that is no step, or that
    several scans run."""
    module = function.parent_op()
    if not is_step(function) or not isinstance(module, ModuleOp):
        return ()
    ops = [op for each in module.body.block.ops if isinstance(each, FuncOp) and each.body.blocks for op in each.body.block.ops]
    runs = [op for op in ops if isinstance(op, IterateOp) and op.function.root_reference == function.sym_name]
    return runs[0].shared_arguments if len(runs) == 1 else ()
