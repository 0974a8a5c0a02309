"""The tile level: one operation for each construct of Triton, ready to be printed.

It has two kinds of functions, and is printed by `lowering/emit_triton/emit_triton.py`, which decides nothing. The program's
function is the launch plan: `tile.alloc`, `tile.data`, `tile.counter` and `tile.launch`, over buffers. A kernel (`sw.kernel`)
works on tiles, which are vectors; every launched program instance runs it once.

Invariants:

- A kernel's arguments are buffers; `sw.params` lists its integer parameters.
- All tiles of a kernel have one rank; the size of an axis is that of its block, or 1. Operands of a `tile.compute` have
  equal shapes.
- Index expressions are over integers of one width in a kernel, 32 or 64 bits: 64 wherever an address or an intermediate
  result can exceed 2^31 - 1, in masked lanes too. Divisions are Triton's own (`div`, `rem`) where the operands are known to
  be non-negative, else floor divisions.
- Addresses are flat offsets in elements. In lanes with a false mask, a load gives 0, and a store does nothing.
- Floats of 16 and 8 bits are only stored, moved, selected and cast, and multiplied by `tile.dot`.
"""

from __future__ import annotations

from xdsl.ir import Dialect, Operation

from .base import AccessOp as AccessOp
from .base import TileIndexedOp as TileIndexedOp
from .folds import DotOp, ReduceOp, ScanOp
from .launch import AllocOp, CounterOp, DataOp, IterateOp, LaunchOp
from .tiles import (
    ArangeOp,
    AtomicOp,
    BarrierOp,
    BroadcastOp,
    CastOp,
    CheckOp,
    ComputeOp,
    ConstantOp,
    FinishOp,
    ForOp,
    IndexOp,
    LoadOp,
    ProgramIdOp,
    StoreOp,
    TestOp,
    YieldOp,
)

OPS: tuple[type[Operation], ...] = (
    AllocOp, DataOp, CounterOp, LaunchOp, IterateOp, ProgramIdOp, ArangeOp, ConstantOp, IndexOp, TestOp, ComputeOp, CastOp,
    BroadcastOp, LoadOp, StoreOp, AtomicOp, BarrierOp, FinishOp, ReduceOp, ScanOp, DotOp, ForOp, YieldOp, CheckOp,
)  # fmt: skip

Tile = Dialect("tile", list(OPS), [])
