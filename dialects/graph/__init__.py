"""The graph level: tensors as values, operations as the user wrote them.

It may contain `func.func`, `func.return`, `func.call` (of composites such as softmax, which are functions of the module) and
the operations below, in one file a topic; micro-ops and `host.call` may be mixed with them. It lowers to `uop`.

Invariants:

- Each operation has one result, whose type its `infer` derives from its operands and attributes, by a rule of the shape
  language (`rules.py`) where it has operands whose sizes must agree or change.
- Operands of one operation have one dtype; conversions are `graph.cast`.
- Sizes, offsets and paddings are index expressions over the function's parameters. Sizes that must be equal are equal as
  expressions.
- Each operation has one expansion into micro-ops; lower levels know nothing else about it.
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
