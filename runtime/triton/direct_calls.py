"""Direct calls: tensors on a GPU of shapes and types that came before go to the kernels at once.

The first call of a kind goes through the whole path: arguments are flattened, described and bound, and sizes evaluated. What
follows from shapes and types alone is kept; a later call allocates its results and temporaries and launches.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from .program import CudaProgram, Prepared

# Kinds of arguments that a function keeps direct calls for.
MOST_KINDS = 256


class Counter(NamedTuple):
    """A counter of the plan: kernels of different streams may run at once, and have their own."""

    position: int


@dataclass(frozen=True)
class DirectCall:
    """A program with the launches for sizes that are known. Each buffer of its plan is an argument (its number), made anew (its
    shape and dtype), a counter of the stream (`Counter`), or there already (a constant). Arguments may be `donated`."""

    program: CudaProgram
    prepared: Prepared
    device: Any
    buffers: tuple[Any, ...]
    outputs: tuple[tuple[int, bool], ...]
    give: Callable[[list[Any]], Any]
    donated: bool = False

    def run(self, arguments: Sequence[Any]) -> Any:
        """The result, NotImplemented for donated arguments that share memory with others."""
        import torch

        if self.donated and share_memory(arguments):
            return NotImplemented
        device, buffers = self.device, list[Any]()
        for made in self.buffers:
            if type(made) is int:
                buffers.append(arguments[made])
            elif type(made) is tuple:
                buffers.append(torch.empty(made[0], dtype=made[1], device=device))
            elif type(made) is Counter:
                buffers.append(self.program.counter(made.position, device))
            else:
                buffers.append(made)
        self.program.launch(buffers, self.prepared, device)
        return self.give([buffers[k].view(torch.bool) if is_bool else buffers[k] for k, is_bool in self.outputs])


@dataclass
class DirectCalls:
    """The direct calls of one function, by the kinds of their arguments."""

    known: dict[Hashable, DirectCall] = field(default_factory=dict[Hashable, DirectCall])
    hits: int = 0

    def run(self, arguments: Sequence[Any]) -> Any:
        """The result of a call, NotImplemented if no direct call is known for such arguments."""
        try:
            found = self.known.get(kind_of(arguments))
        except (AttributeError, TypeError):
            return NotImplemented  # an argument that is no tensor
        if found is None or not _is_current(found.device):
            return NotImplemented
        self.hits += 1
        return found.run(arguments)

    def remember(self, program: Any, arguments: Sequence[Any], give: Callable[[list[Any]], Any]) -> None:
        """Keep the call of a program with these arguments, in the order of its inputs, if it can be repeated directly."""
        direct = getattr(program, "direct", None)
        made = direct(arguments, give) if direct is not None else None
        if made is not None:
            if len(self.known) >= MOST_KINDS:
                self.known.clear()
            self.known[kind_of(arguments)] = made


def kind_of(arguments: Sequence[Any]) -> Hashable:
    """What decides how tensors are handled, besides their memory. A tensor that requires gradients is of a kind that is never
    kept."""
    return tuple([(type(x), x.shape, x.dtype, x.device, x.requires_grad, x.is_contiguous()) for x in arguments])


def share_memory(arguments: Sequence[Any]) -> bool:
    """Whether some tensors have their elements in one allocation."""
    return len({each.untyped_storage().data_ptr() for each in arguments if each.numel()}) < sum(
        1 for each in arguments if each.numel()
    )


def _is_current(device: Any) -> bool:
    import torch

    return device.type != "cuda" or torch.cuda.current_device() == device.index
