"""The sources of a launch plan's buffers: arguments, constants, fresh memory."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from ...ir.types.dtypes import DType

if TYPE_CHECKING:
    from ...lowering.emit_triton.launch_plan import LaunchPlan, Sizes


class Argument(NamedTuple):
    """The argument of this number."""

    number: int
    dtype: DType


class Donated(NamedTuple):
    """A result in the memory of the argument of this number."""

    number: int
    dtype: DType


class Constant(NamedTuple):
    """The constant at this position of the plan."""

    position: int


class Counter(NamedTuple):
    """The counter at this position of the plan. Each stream has its own, since kernels of different streams may run at once."""

    position: int


class Fresh(NamedTuple):
    """Memory for a result or a temporary."""

    shape: Sequence[int]
    dtype: DType
    is_result: bool

    @property
    def nbytes(self) -> int:
        return math.prod(self.shape) * self.dtype.itemsize

    def allocator(self, device: Any) -> Callable[[], Any]:
        """A function that makes a tensor on a device, as kernels see it."""
        # Local imports: Triton's interpreter, in a process of its own, does not need them.
        import torch

        from .kernels import in_memory

        return functools.partial(torch.empty, tuple(self.shape), dtype=in_memory(self.dtype.name), device=device)


# None is a buffer that no launch uses.
Place: TypeAlias = Argument | Donated | Constant | Counter | Fresh | None


def places_of(plan: LaunchPlan, sizes: Sizes, donated: Mapping[int, int], used: frozenset[int]) -> Iterator[Place]:
    """The place of each buffer of a plan for given sizes; `donated` has the arguments for results, by their positions."""
    numbers = count()
    for k, (buffer, shape) in enumerate(zip(plan.buffers, sizes.shapes, strict=True)):
        match buffer.role:
            case "input":
                yield Argument(next(numbers), buffer.dtype)
            case "data":
                yield Constant(k)
            case "counter":
                yield Counter(k)
            case "output" if k in donated:
                yield Donated(donated[k], buffer.dtype)
            case "argument":
                yield None
            case "temporary" if k not in used:
                yield None
            case role:
                yield Fresh(shape, buffer.dtype, role == "output")
