"""The loop level: blocks of nested loops over buffers.

Tensors are buffers (memrefs, contiguous and row-major), not values; scalars are in single-static-assignment form. It may
contain `func.func`, `func.return` and the operations below, and lowers to `cloop` for CPUs and to `tile` for GPUs.

Invariants
- A function's arguments are its input buffers and then its output buffers; it returns nothing. `sw.params` lists the names
  of the integers that it takes besides, `sw.inputs` counts its inputs. An output that `sw.donated` names an input for is the
  same memory, and one of the two is used (`loop-alias-donated`).
- At the top stand `loop.alloc` (of no space), `loop.data`, `loop.block`, `loop.fence`, `loop.iterate` and `loop.call`; a block
  is a loop nest with statements, and runs to its end before the next one starts.
- Bounds and addresses are index expressions over the operands given to them: loop indices and integer scalars.
- Loops and branches have the effects of what they hold: one that only reads and computes goes with its results (`dce`).
- A guard is an index expression that must be non-negative. A load whose guard fails gives its fill value and touches no
  memory; a store, update or check whose guard fails does nothing. Whatever remains is in bounds.
- Iterations of a `parallel` loop are independent. Those of a `reduction` loop may be done in any order that respects the
  accumulator; those of a `sequential` loop run in order.
- Two kinds are schedules. An `unroll` loop runs in order, and its body is written out for each iteration, here or by the C
  compiler. The iterations of a `vector` loop run side by side, as the lanes of vectors: nothing that one of them stores may
  be read by another. A vector loop that carries values yields an accumulator of each with a value of the iteration, before
  which nothing looks at the carried one. Both run a constant number of times.
- A buffer is a memory "space": memory of the call (no name), of the thread, or registers. The latter two stand where they
  are used; each iteration of the loops around them has its own, whose elements are undefined at first.
"""

from __future__ import annotations

from xdsl.ir import Dialect, Operation

from ..scalar_ops import IndexedOp as IndexedOp
from .call import CallOp
from .iterate import IterateOp
from .memory import LoadOp, MisalignmentOp, PrefetchOp, StoreOp, UpdateOp
from .structure import (
    AllocOp,
    BlockOp,
    CastOp,
    CheckOp,
    ComputeOp,
    ConstantOp,
    DataOp,
    FenceOp,
    ForOp,
    IfOp,
    IndexOp,
    TestOp,
    YieldOp,
)
from .structure import RunOp as RunOp
from .structure import lanes_in as lanes_in

OPS: tuple[type[Operation], ...] = (
    BlockOp, ForOp, IfOp, YieldOp, ConstantOp, IndexOp, TestOp, ComputeOp, CastOp,
    LoadOp, StoreOp, UpdateOp, PrefetchOp, MisalignmentOp, CheckOp, AllocOp, DataOp, FenceOp, IterateOp, CallOp,
)  # fmt: skip

Loop = Dialect("loop", list(OPS), [])
