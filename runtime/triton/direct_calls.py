"""Direct calls: tensors on a GPU of shapes and types that came before go to the kernels at once.

The first call of a kind goes through the whole path: arguments are flattened, described and bound, and sizes evaluated. What
follows from shapes and types alone is kept; a later call allocates its results and temporaries and launches.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .program import CudaProgram, Prepared

# Kinds of arguments that a function keeps direct calls for.
MOST_KINDS = 256


@dataclass(frozen=True)
class DirectCall:
    """A program with the launches for sizes that are known. Each buffer of its plan is an argument (its number), made anew (its
    shape and dtype), or there already (a constant)."""

    program: CudaProgram
    prepared: Prepared
    device: Any
    buffers: tuple[Any, ...]
    outputs: tuple[tuple[int, bool], ...]
    give: Callable[[list[Any]], Any]

    def run(self, arguments: Sequence[Any]) -> Any:
        import torch

        device, buffers = self.device, list[Any]()
        for made in self.buffers:
            if type(made) is int:
                buffers.append(arguments[made])
            elif type(made) is tuple:
                buffers.append(torch.empty(made[0], dtype=made[1], device=device))
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
            found = self.known.get(_kind(arguments))
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
            self.known[_kind(arguments)] = made


def _kind(arguments: Sequence[Any]) -> Hashable:
    """What decides how tensors are handled, besides their memory. A tensor that requires gradients is of a kind that is never
    kept."""
    return tuple([(type(x), x.shape, x.dtype, x.device, x.requires_grad, x.is_contiguous()) for x in arguments])


def _is_current(device: Any) -> bool:
    import torch

    return device.type != "cuda" or torch.cuda.current_device() == device.index
