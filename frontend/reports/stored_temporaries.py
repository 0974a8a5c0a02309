"""The temporaries that a program stores, each with the reason why it is not inlined into its readers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from xdsl.ir import Operation

from ...dialects import loop
from ...ir.locations import Frame, frames
from ...ir.types.dtypes import DType, dtype_of
from ...ir.types.shapes import element_of, shape_of
from .profiles import user_frame


class Stored(NamedTuple):
    """A temporary: its shape and dtype, the user's line that it is computed at, if known, and why it is stored. A `private`
    temporary has the size that one iteration of a loop needs."""

    shape: tuple[str, ...]
    dtype: DType
    frame: Frame | None
    reason: str
    private: bool

    def __str__(self) -> str:
        where = "computed" if self.frame is None else f"{self.frame.file}:{self.frame.line}"
        kept = f"{self.dtype}[{', '.join(self.shape)}]{' of an iteration' if self.private else ''}"
        return f"{where}: {kept} is stored: {self.reason}"


class StoredTemporaries(tuple[Stored, ...]):
    """All temporaries of a program; printed, one a line."""

    def __str__(self) -> str:
        return "\n".join(map(str, self)) or "no temporary is stored"


def stored(allocations: Iterable[tuple[loop.AllocOp, bool]], reasons: Mapping[Operation, str]) -> StoredTemporaries:
    """The temporaries of the "loop" level. `allocations` has the `loop.alloc`s, each with whether it is private."""
    found: list[Stored] = []
    for op, private in allocations:
        shape = tuple(map(str, shape_of(op.result)))
        reason = reasons.get(op, "the passes after inlining made it")
        found.append(Stored(shape, dtype_of(element_of(op.result)), user_frame(frames(op.location)), reason, private))
    return StoredTemporaries(found)
