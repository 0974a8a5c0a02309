"""The C level: one operation for each construct of C, ready to be printed.

It may contain `func.func`, `func.return` and the operations below, and is printed by `lowering/emit_c/emit_c.py`, which decides
nothing.

Invariants:

- A function's arguments are pointers to its buffers; `sw.params` lists the names of its integers. A private function marked
  `sw.unit` may be compiled separately. A private function marked `sw.part` has one caller, and is printed in the caller's
  translation unit.
- Addresses are flat offsets in elements. Divisions in index expressions are C's own (`div`, `rem`) where the operands are
  known to be non-negative, else floor divisions.
- A `cloop.variable` is a mutable local: a use reads its current value. All other values are constant locals.
- `vectors.py` defines the operations on vectors. Scalar operations also accept vectors, except in conditions, bounds and
  offsets.
- Every region, of a block, a loop or an if, is a pair of C's braces.
"""

from __future__ import annotations

from xdsl.ir import Dialect, Operation

from .base import PointerType
from .calls import CallOp, PickOp
from .memory import AllocateOp, ArenaOp, DataOp, MisalignmentOp, OffsetOp, SliceOp, ThreadOp
from .registers import OPS as REGISTER_OPS
from .registers import RegistersType
from .statements import (
    AssignOp,
    BlockOp,
    CastOp,
    CheckOp,
    ComputeOp,
    ConstantOp,
    ForOp,
    IfOp,
    IndexOp,
    LoadOp,
    PrefetchOp,
    StoreOp,
    TestOp,
    VariableOp,
)
from .vectors import OPS as VECTOR_OPS

OPS: tuple[type[Operation], ...] = (
    BlockOp, ForOp, IfOp, ConstantOp, IndexOp, TestOp, ComputeOp, CastOp,
    VariableOp, AssignOp, LoadOp, StoreOp, PrefetchOp, CheckOp,
    AllocateOp, ArenaOp, SliceOp, ThreadOp, OffsetOp, DataOp, MisalignmentOp,
    PickOp, CallOp, *VECTOR_OPS, *REGISTER_OPS,
)  # fmt: skip

Cloop = Dialect("cloop", list(OPS), [PointerType, RegistersType])
