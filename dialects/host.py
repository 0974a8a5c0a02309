"""Calls of functions of the host, which are Python functions on NumPy arrays, among operations of the graph and uop levels.

`sw.define_op` makes such calls for implementations by `impl_host`. They do not occur below the uop level: a program is split at
its calls (`runtime/host/segments.py`), and each part is lowered separately.

Invariants:

- A call is in the body of a function, not in that of an operation.
- Its function is registered under its name in the process that runs the program.
- Each call runs once, in program order: calls are not pure. A mapped call calls its function once for each entry.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import ArrayAttr, IntegerAttr, IntegerType, StringAttr, TensorType
from xdsl.ir import Attribute, Dialect, SSAValue
from xdsl.irdl import irdl_op_definition, opt_prop_def, prop_def, var_operand_def, var_result_def
from xdsl.utils.exceptions import VerifyException

from ..ir.op import Op, int_attr
from ..ir.types.shapes import shape_of


@irdl_op_definition
class CallOp(Op):
    """A call of the host function registered under a name: `%y = host.call "smooth@cpu"(%x) : (tensor<4xf32>) ->
    tensor<4xf32>`.

    `overwrites` has the numbers of the operands that the function may write to: it gets copies of operands that are still used.
    `mapped` has the batches of a mapped function, from the outermost, each with the numbers of the operands that have an entry
    for each call. The batches are the first axes of these operands and of all results: `%y = host.call "smooth@cpu"(%x) mapped
    [[0 : i64]] : (tensor<3x4xf32>) -> tensor<3x4xf32>` calls the function for three rows.
    """

    name = "host.call"
    function = prop_def(StringAttr)
    inputs = var_operand_def(TensorType)
    mapped = opt_prop_def(ArrayAttr[ArrayAttr[IntegerAttr[IntegerType]]])
    overwrites = opt_prop_def(ArrayAttr[IntegerAttr[IntegerType]])
    results_ = var_result_def(TensorType)
    assembly_format = (
        "$function `(` $inputs `)` (`overwrites` $overwrites^)? (`mapped` $mapped^)? attr-dict `:` "
        "functional-type($inputs, results)"
    )

    def __init__(
        self,
        function: str,
        inputs: Sequence[SSAValue],
        results: Sequence[Attribute],
        overwrites: Sequence[int] = (),
        mapped: Sequence[Sequence[int]] = (),
    ):
        written = ArrayAttr(map(int_attr, overwrites)) if overwrites else None
        batches = ArrayAttr([ArrayAttr(map(int_attr, each)) for each in mapped]) if mapped else None
        properties = {"function": StringAttr(function), "overwrites": written, "mapped": batches}
        super().__init__(operands=[inputs], properties=properties, result_types=[list(results)])

    @property
    def overwritten(self) -> tuple[int, ...]:
        """The numbers of the operands that the function may write to."""
        return tuple(each.value.data for each in self.overwrites) if self.overwrites is not None else ()

    @property
    def batches(self) -> tuple[tuple[int, ...], ...]:
        """For each batch, from the outermost, the numbers of the operands that have an entry for each call."""
        return tuple(tuple(each.value.data for each in batch) for batch in self.mapped) if self.mapped is not None else ()

    def verify_(self) -> None:
        if not self.results:
            raise VerifyException(f"expected '{self.function.data}' to have results")
        for name, numbers in (("overwrites", self.overwritten), *(("mapped", batch) for batch in self.batches)):
            wrong = next((number for number in numbers if not 0 <= number < len(self.inputs)), None)
            if wrong is not None:
                raise VerifyException(f"{name}: operand {wrong} is out of range for {len(self.inputs)} operands")
        if not all(self.batches):
            raise VerifyException("mapped: expected an operand of each batch, got none")
        self._verify_axes()

    def _verify_axes(self) -> None:
        """Raise VerifyException unless operands and results have the axes of the batches."""
        depth = [sum(number in batch for batch in self.batches) for number in range(len(self.inputs))]
        needed = [*zip(self.inputs, depth, strict=True), *((each, len(self.batches)) for each in self.results)]
        for value, count in needed:
            if isinstance(value.type, TensorType) and value.type.get_num_dims() < count:
                raise VerifyException(f"mapped: expected at least {count} axes, those of the batches, got {value.type}")
        for number, batch in enumerate(self.batches):
            if len(set(batch)) != len(batch):
                raise VerifyException(f"mapped: expected each operand once in a batch, got {list(batch)}")
            # The first axes of an operand are the batches that it is in.
            axes = [sum(each in outer for outer in self.batches[:number]) for each in batch]
            sizes = [shape_of(self.inputs[each])[axis] for each, axis in zip(batch, axes, strict=True)]
            sizes += [shape_of(each)[number] for each in self.results]
            wrong = next((size for size in sizes if size != sizes[0]), None)
            if wrong is not None:
                raise VerifyException(f"mapped: expected one size of batch {number}, got {sizes[0]} and {wrong}")


Host = Dialect("host", [CallOp], [])
