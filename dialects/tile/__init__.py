"""The tile level: one operation for each construct of Triton, ready to be printed.

It has two kinds of functions, and is printed by `lowering/emit_triton/emit_triton.py`, which decides nothing. The program's
function is the launch plan: `tile.alloc`, `tile.data` and `tile.launch`, over buffers. A kernel (`sw.kernel`) works on tiles,
which are vectors; every launched program runs it once.

Invariants
- A kernel's arguments are buffers; `sw.params` lists the integers that it takes besides.
- All tiles of a kernel have one rank; an axis is as long as its block, or 1. Operands of a `tile.compute` have equal shapes.
- Index expressions are over 64-bit or 32-bit integers, all of one width in a kernel, which is 64 wherever an address or an
  intermediate result can pass 2^31 - 1, masked lanes included. Divisions are Triton's own (`div`, `rem`) where the operands
  are known to be non-negative, else floor divisions.
- Addresses are flat offsets in elements. A load gives 0, and a store does nothing, in lanes whose mask is false.
- Float16 and bfloat16 are stored, moved, selected and cast, and multiplied by `tile.dot`; nothing else computes on them.
"""

from __future__ import annotations

from xdsl.ir import Dialect, Operation

from .base import AccessOp as AccessOp
from .base import TileIndexedOp as TileIndexedOp
from .folds import DotOp, ReduceOp, ScanOp
from .launch import AllocOp, DataOp, IterateOp, LaunchOp
from .tiles import (
    ArangeOp,
    AtomicOp,
    BarrierOp,
    BroadcastOp,
    CastOp,
    CheckOp,
    ComputeOp,
    ConstantOp,
    ForOp,
    IndexOp,
    LoadOp,
    ProgramIdOp,
    StoreOp,
    TestOp,
    YieldOp,
)

OPS: tuple[type[Operation], ...] = (
    AllocOp, DataOp, LaunchOp, IterateOp, ProgramIdOp, ArangeOp, ConstantOp, IndexOp, TestOp, ComputeOp, CastOp, BroadcastOp,
    LoadOp, StoreOp, AtomicOp, BarrierOp, ReduceOp, ScanOp, DotOp, ForOp, YieldOp, CheckOp,
)  # fmt: skip

Tile = Dialect("tile", list(OPS), [])
