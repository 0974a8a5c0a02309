"""Calls of functions of the host, which are Python functions on NumPy arrays, among operations of the graph and uop levels.

`sw.define_op` makes such calls for implementations by `impl_host`. Below the uop level there are none: a program with calls is
split at them (`runtime/host/segments.py`), and each part is lowered on its own.

Invariants:

- A call stands in the body of a function, not in that of an operation.
- Its function is registered under its name in the process that runs the program.
- Calls run once each, in their order: they are not pure.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import ArrayAttr, IntegerAttr, IntegerType, StringAttr, TensorType
from xdsl.ir import Attribute, Dialect, SSAValue
from xdsl.irdl import irdl_op_definition, opt_prop_def, prop_def, var_operand_def, var_result_def
from xdsl.utils.exceptions import VerifyException

from ..ir.op import Op, int_attr


@irdl_op_definition
class CallOp(Op):
    """A call of the host function registered under a name: `%y = host.call "smooth@cpu"(%x) : (tensor<4xf32>) ->
    tensor<4xf32>`.

    `overwrites` has the numbers of the operands that the function may write to: it is given copies of those that are still
    used.
    """

    name = "host.call"
    function = prop_def(StringAttr)
    inputs = var_operand_def(TensorType)
    overwrites = opt_prop_def(ArrayAttr[IntegerAttr[IntegerType]])
    results_ = var_result_def(TensorType)
    assembly_format = "$function `(` $inputs `)` (`overwrites` $overwrites^)? attr-dict `:` functional-type($inputs, results)"

    def __init__(self, function: str, inputs: Sequence[SSAValue], results: Sequence[Attribute], overwrites: Sequence[int] = ()):
        written = ArrayAttr(map(int_attr, overwrites)) if overwrites else None
        properties = {"function": StringAttr(function), "overwrites": written}
        super().__init__(operands=[inputs], properties=properties, result_types=[list(results)])

    @property
    def overwritten(self) -> tuple[int, ...]:
        """The numbers of the operands that the function may write to."""
        return tuple(each.value.data for each in self.overwrites) if self.overwrites is not None else ()

    def verify_(self) -> None:
        if not self.results:
            raise VerifyException(f"expected '{self.function.data}' to have results")
        wrong = next((number for number in self.overwritten if not 0 <= number < len(self.inputs)), None)
        if wrong is not None:
            raise VerifyException(f"overwrites: operand {wrong} is out of range for {len(self.inputs)} operands")


Host = Dialect("host", [CallOp], [])
