"""The C level: one operation for each construct of C, ready to be printed.

It may contain `func.func`, `func.return` and the operations below, and is printed by `lowering/emit_c/emit_c.py`, which decides
nothing.

Invariants
- A function's arguments are pointers to its buffers; `sw.params` lists the names of its integers. A private function may be
  marked `sw.unit`: it may be compiled without the others. One that is marked `sw.part` is called in one place, and stands in C
  with who calls it.
- Addresses are flat offsets in elements. Divisions in index expressions are C's own (`div`, `rem`) where the operands are
  known to be non-negative, else floor divisions.
- A `cloop.variable` is a mutable local: using it means its value at that point. Everything else is a constant local.
- Vectors are of `vectors.py`; what takes a scalar takes a vector too, but for conditions, bounds and offsets.
- No code is reached twice by different constructs: a block, a loop's body and an if's body are C's braces.
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
