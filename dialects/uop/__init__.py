"""The uop level: about a dozen micro-ops over tensors in single-static-assignment form.

This level defines the semantics of programs: the NumPy interpreter of its operations is the oracle for all other levels, and
gradients and compositions of index maps are computed on it. It may contain `func.func`, `func.return`, `host.call` and the
operations below. It lowers to `loop`, once it is split at the calls of the host.

Invariants:

- Operands of `uop.map` have exactly the result's shape; broadcasting is a `uop.reindex`.
- The scalar function of a map and the accumulator of a reduction are rows of the scalar table.
- Every size is an index expression over parameters that the function's arguments determine, or over its `$params`.
- A `uop.reindex` without `fill` never reads out of bounds: its map is proven in bounds, or contains elements of index
  tensors, which are checked at run time. With `fill`, an index out of bounds, or a negative guard, gives the fill value.

Maps: dimensions `d0 ... d<r-1>` are the indices of the result (for a scatter, of the updates), followed by one dimension for
each index tensor: the element loaded from it at its own map in `index_maps`.
"""

from __future__ import annotations

from xdsl.ir import Dialect, Operation

from .base import MicroOp as MicroOp
from .elementwise import CastOp, ConstantOp, FenceOp, InterleaveOp, IotaOp, MapOp
from .folds import FoldOp, IterateOp, RecurrenceOp, ReduceOp, ScanOp, YieldOp
from .indexed import OutOfBounds as OutOfBounds
from .indexed import ReindexOp, ScatterOp, ScatterRecurrenceOp

OPS: tuple[type[Operation], ...] = (
    ConstantOp, IotaOp, MapOp, CastOp, ReindexOp, ReduceOp, ScatterOp, ScatterRecurrenceOp, ScanOp, RecurrenceOp, FoldOp,
    IterateOp, YieldOp, InterleaveOp, FenceOp,
)  # fmt: skip

Uop = Dialect("uop", list(OPS), [])
