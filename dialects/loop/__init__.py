"""The loop level: blocks of nested loops over buffers.

Tensors are buffers (memrefs, contiguous and row-major), not values; scalars are in single-static-assignment form. It may
contain `func.func`, `func.return` and the operations below, and lowers to `cloop` for CPUs and to `tile` for GPUs.

Invariants:

- A function's arguments are its input buffers and then its output buffers; it returns nothing. `sw.params` lists the names
  of its integer parameters, `sw.inputs` is the number of its inputs. An output that `sw.donated` assigns to an input is the
  same memory, and only one of the two is used (`loop-alias-donated`).
- The top level of a function contains `loop.alloc` (without a space), `loop.data`, `loop.block`, `loop.fence`,
  `loop.iterate` and `loop.call`. A block is a loop nest with statements, and ends before the next one starts.
- Bounds and addresses are index expressions over their operands: loop indices and integer scalars.
- Loops and branches have the effects of their bodies: `dce` removes one that only reads and computes, if its results are
  unused.
- A guard is an index expression that must be non-negative. A load whose guard fails gives its fill value and accesses no
  memory; a store, update or check whose guard fails does nothing. All other accesses are in bounds.
- Iterations of a `parallel` loop are independent. Those of a `reduction` loop may run in any order that respects the
  accumulator; those of a `sequential` loop run in order.
- Two kinds are schedules. An `unroll` loop runs in order, and is fully unrolled, here or by the C compiler. The iterations
  of a `vector` loop run in lockstep, as the lanes of vectors: no iteration may read an element that another one stores. A
  vector loop with carried values combines each with one value of the iteration, by an accumulator, and reads it nowhere
  before that. Both kinds have a constant trip count.
- Arithmetic is done in `DType.compute`: operands of a `loop.compute` other than "select" are cast to it, and its result is
  cast to the dtype that it is stored in.
- A buffer has a memory space: the call's memory (no name), the thread's, or registers. Buffers of threads and registers are
  allocated where they are used; each iteration of the enclosing loops has its own, with undefined elements at first.
"""

from __future__ import annotations

from xdsl.ir import Dialect, Operation

from ..scalar_ops import IndexedOp as IndexedOp
from .call import CallOp
from .iterate import IterateOp
from .iterate import arguments_shared_by_steps as arguments_shared_by_steps
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
