"""Direct calls: tensors on a GPU with the shapes and types of an earlier call go directly to the kernels.

The first call of a kind takes the whole path: arguments are flattened, described and bound, and sizes evaluated. Everything
that follows from shapes and types alone is kept. The second call only allocates its results and temporaries and launches; later
calls are repeated in native code (`native_launches.py`), if it can call the driver.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from .native_launches import native_launches
from .places import Argument, Constant, Counter, Donated, Fresh, Place

if TYPE_CHECKING:
    from ...ir.types.dtypes import DType
    from .program import CudaProgram, Prepared

# Kinds of arguments that a function keeps direct calls for.
MOST_KINDS = 256
# The most of these kinds that are repeated in native code, which searches them linearly.
MOST_NATIVE = 8


class Viewed(NamedTuple):
    """The argument of this number, which kernels see as another dtype."""

    number: int
    dtype: Any


@dataclass
class DirectCall:
    """A program with the launches for known sizes. Each buffer of its plan is an argument (its number, or `Viewed`), fresh (a
    function that makes it), a counter of the stream (`Counter`), or a constant. `outputs` has the positions of the results,
    with their dtype if kernels see another one."""

    program: CudaProgram
    prepared: Prepared
    device: Any
    buffers: tuple[Any, ...]
    outputs: tuple[tuple[int, Any], ...]
    give: Callable[[list[Any]], Any]
    _is_repeated: bool = False

    @staticmethod
    def of(program: CudaProgram, prepared: Prepared, device: Any, give: Callable[[list[Any]], Any]) -> DirectCall:
        """The call of a program on a device."""
        import torch

        from .kernels import in_memory

        def seen_otherwise(dtype: DType) -> bool:
            return in_memory(dtype.name) != getattr(torch, dtype.name)

        def source(place: Place) -> Any:
            match place:
                case Argument(number, dtype) | Donated(number, dtype):
                    return Viewed(number, in_memory(dtype.name)) if seen_otherwise(dtype) else number
                case Constant(position):
                    return program.constant(position, device)
                case Fresh():
                    return place.allocator(device)
                case _:
                    return place

        kinds = [(k, program.plan.buffers[k].dtype) for k in program.outputs]
        outputs = tuple((k, getattr(torch, dtype.name) if seen_otherwise(dtype) else None) for k, dtype in kinds)
        return DirectCall(program, prepared, device, tuple(map(source, prepared.places)), outputs, give)

    def run(self, arguments: Sequence[Any], native: list[Any]) -> Any:
        """The result; NotImplemented for donated arguments that share memory with others. The first call inserts its repetition
        in native code, if there is one, at the front of `native`."""
        if self.program.donated and share_memory(arguments):
            return NotImplemented
        buffers = list[Any]()
        for made in self.buffers:
            if type(made) is int:
                buffers.append(arguments[made])
            elif type(made) is functools.partial:
                buffers.append(made())
            elif type(made) is Viewed:
                buffers.append(arguments[made.number].view(made.dtype))
            elif type(made) is Counter:
                buffers.append(self.program.counter(made.position, self.device))
            else:
                buffers.append(made)
        self.program.launch(buffers, self.prepared, self.device)
        if not self._is_repeated:
            self._is_repeated = True
            found = native_launches(self, arguments, buffers)
            native[:0] = [found] if found is not None else []
        return self.give([buffers[k] if dtype is None else buffers[k].view(dtype) for k, dtype in self.outputs])


@dataclass
class DirectCalls:
    """The direct calls of one function, by the kinds of their arguments, and their repetitions in native code."""

    known: dict[Hashable, DirectCall] = field(default_factory=dict[Hashable, DirectCall])
    native: list[Any] = field(default_factory=list[Any])
    _hits: int = 0

    @property
    def hits(self) -> int:
        """The number of direct calls so far."""
        return self._hits + sum(each.hits for each in self.native)

    def run(self, arguments: tuple[Any, ...]) -> Any:
        """The result of a call; NotImplemented if no direct call is known for such arguments."""
        for native in self.native:
            result = native.run(arguments)
            if result is not NotImplemented:
                return result
        try:
            found = self.known.get(kind_of(arguments))
        except (AttributeError, TypeError):
            return NotImplemented  # an argument that is not a tensor
        if found is None or not _is_current(found.device):
            return NotImplemented
        self._hits += 1
        result = found.run(arguments, self.native)
        for old in self.native[MOST_NATIVE:]:
            self._hits += old.hits
        del self.native[MOST_NATIVE:]
        return result

    def remember(self, program: Any, arguments: Sequence[Any], give: Callable[[list[Any]], Any]) -> None:
        """Keep the call of a program with these arguments, in the order of its inputs, if it can be repeated directly."""
        direct = getattr(program, "direct", None)
        made = direct(arguments, give) if direct is not None else None
        if made is not None:
            if len(self.known) >= MOST_KINDS:
                self.known.clear()
            self.known[kind_of(arguments)] = made


def kind_of(arguments: Sequence[Any]) -> Hashable:
    """The properties of tensors, other than their memory, that decide how they are handled. A tensor that requires gradients
    has a kind that is never kept."""
    return tuple([(type(x), x.shape, x.dtype, x.device, x.requires_grad, x.is_contiguous()) for x in arguments])


def share_memory(arguments: Sequence[Any]) -> bool:
    """Whether some tensors have their elements in one allocation."""
    return len({each.untyped_storage().data_ptr() for each in arguments if each.numel()}) < sum(
        1 for each in arguments if each.numel()
    )


def _is_current(device: Any) -> bool:
    import torch

    return device.type != "cuda" or torch.cuda.current_device() == device.index
