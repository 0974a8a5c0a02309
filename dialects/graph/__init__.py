"""The graph level: tensors as values, operations as the user wrote them.

It may contain `func.func`, `func.return`, `func.call` (of composites such as softmax, which are functions of the module) and
the operations below, which are spread over files by topic; micro-ops may stand among them. It lowers to `uop`.

Invariants
- Each operation has one result, whose type follows from its operands and attributes by its `infer`.
- Operands of one operation have one dtype; conversions are `graph.cast`.
- Sizes, offsets and paddings are index expressions over the function's parameters. Sizes that must be equal are equal as
  expressions.
- Each operation has one expansion into micro-ops; nothing else is known about it below.
"""

from __future__ import annotations

from xdsl.ir import Dialect

from . import contract, elementwise, index, shape
from .reduction import ReduceOp, ScanOp

Graph = Dialect(
    "graph",
    [*elementwise.OPS, *shape.OPS, *contract.OPS, *index.OPS, ReduceOp, ScanOp],
    [],
)
