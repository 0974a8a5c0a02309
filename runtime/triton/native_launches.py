"""Direct calls in native code (`runtime/cpu/native_launch.c`): one call checks the arguments, takes memory from torch's
allocator and launches all kernels.

The kernels have been compiled and loaded before: Triton's objects tell the driver's function of a kernel, and which of its
parameters remain. Triton itself launches a kernel that needs more than a plain launch (clusters, memory of Triton's own).
Profilers that hook into Triton's launches see these calls only if they hooked in before the first call.
"""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ..cpu.warm_calls import native_call
from .places import Argument, Counter, Donated, Fresh

if TYPE_CHECKING:
    from .direct_calls import DirectCall
    from .program import PreparedLaunch

# Temporaries in an allocation begin at multiples of this many bytes, as torch's own allocations do.
BOUNDARY = 512


@functools.cache
def launch_address() -> int:
    """The address of `cuLaunchKernel` in the driver; 0 where there is no driver."""
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return 0
    return ctypes.cast(driver.cuLaunchKernel, ctypes.c_void_p).value or 0


class NativeKernel(NamedTuple):
    """A loaded kernel: its function in the driver, the threads of a program, the bytes of shared memory, which of its arguments
    are parameters of the function, and how many pointers to Triton's own memory follow these parameters."""

    function: int
    threads: int
    shared: int
    taken: tuple[bool, ...]
    own: int


def native_kernel(compiled: Any) -> NativeKernel | None:
    """The data that the driver needs to launch a kernel that Triton compiled; None if a launch needs more."""
    metadata, source = getattr(compiled, "metadata", None), getattr(compiled, "src", None)
    if metadata is None or source is None or metadata.target.backend != "cuda" or _has_hooks():
        return None
    more = ("launch_pdl", "launch_cooperative_grid", "global_scratch_size", "profile_scratch_size", "instrumentation_mode")
    if metadata.num_ctas != 1 or any(getattr(metadata, name, 0) for name in more):
        return None
    kinds = list(source.signature.values())
    if not all(kind in ("constexpr", "i32", "i64") or kind.startswith("*") for kind in kinds):
        return None
    own = sum(hasattr(metadata, name) for name in ("global_scratch_size", "profile_scratch_size"))
    threads = metadata.num_warps * metadata.target.warp_size
    return NativeKernel(compiled.function, threads, metadata.shared, tuple(kind != "constexpr" for kind in kinds), own)


def native_launches(call: DirectCall, arguments: Sequence[Any], buffers: Sequence[Any]) -> Any:
    """The native repetition of a direct call that has just run with these buffers; None if the call cannot be native."""
    import torch

    module, address = native_call().module, launch_address()
    if module is None or not address or not arguments:
        return None
    arena = arena_of(call)
    kernels = [_kernel(call, each, buffers, arena) for each in call.prepared.launches]
    if not all(kernels):
        return None
    donated = set(call.program.donated.values())
    sources = [_source(call, k, buffers[k], arena) for k in range(len(buffers))]
    if arena.offsets:
        sources.append(functools.partial(torch.empty, (arena.size,), dtype=torch.uint8, device=call.device))
    return module.Launches(
        launch=address,
        tensor=torch.Tensor,
        device=call.device,
        arguments=tuple((each.shape, each.dtype, each.nbytes, k in donated) for k, each in enumerate(arguments)),
        buffers=tuple(sources),
        checks=_checks(call),
        stream=_stream(call.device),
        kernels=tuple(kernels),
        outputs=tuple(call.program.outputs),
        give=call.give,
    )


class Arena(NamedTuple):
    """One allocation for all temporaries: its bytes, and the offset of each buffer of the plan."""

    size: int
    offsets: Mapping[int, int]


def arena_of(call: DirectCall) -> Arena:
    """The temporaries of a call in one allocation, the largest first. Two temporaries share memory if all launches on one come
    before all launches on the other."""
    spans: dict[int, tuple[int, int]] = {}
    for at, launch in enumerate(call.prepared.launches):
        spans |= {k: (spans.get(k, (at,))[0], at) for k in launch.positions}
    temporaries = {k: each for k, each in enumerate(call.prepared.places) if isinstance(each, Fresh) and not each.is_result}
    sizes = {k: each.nbytes for k, each in temporaries.items()}
    offsets: dict[int, int] = {}
    for k in sorted(sizes, key=lambda each: -sizes[each]):
        first, last = spans[k]
        alive = [each for each in offsets if spans[each][0] <= last and first <= spans[each][1]]
        offsets[k] = _first_gap(sorted((offsets[each], offsets[each] + sizes[each]) for each in alive), sizes[k])
    # An allocation is not empty, so that empty temporaries have an address too.
    return Arena(max((offsets[k] + sizes[k] for k in offsets), default=0) or 1, offsets)


def _first_gap(taken: Sequence[tuple[int, int]], size: int) -> int:
    """The first offset with `size` free bytes between ranges that are taken."""
    start = 0
    for first, end in taken:
        if start + size <= first:
            break
        start = max(start, -(-end // BOUNDARY) * BOUNDARY)
    return start


def _source(call: DirectCall, position: int, buffer: Any, arena: Arena) -> Any:
    """The source of a buffer for native code: the number of an argument, a function that makes the buffer, or the buffer
    itself."""
    import torch

    match call.prepared.places[position]:
        case Argument(number, _) | Donated(number, _):
            return number
        case Fresh(shape, dtype, _):
            if position in arena.offsets:
                return None
            return functools.partial(torch.empty, tuple(shape), dtype=getattr(torch, dtype.name), device=call.device)
        case _:
            return buffer


def _kernel(call: DirectCall, launch: PreparedLaunch, buffers: Sequence[Any], arena: Arena) -> tuple[Any, ...] | None:
    """A launch in the form that native code takes; None if it is more than a plain launch."""
    from .kernels import ALIGNMENT, part_of

    parts = launch.parts or [None] * len(launch.positions)
    given = [
        buffers[k] if part is None else part_of(buffers[k], part.start, part.count)
        for k, part in zip(launch.positions, parts, strict=True)
    ]
    kernel = native_kernel(launch.launcher.compiled(call.device, given))
    if kernel is None:
        return None
    slots: list[Any] = []
    for k, tensor in zip(launch.positions, given, strict=True):
        address = tensor.data_ptr()
        buffer, offset = (len(buffers), arena.offsets[k]) if k in arena.offsets else (k, 0)
        slots.append((buffer, offset + address - buffers[k].data_ptr(), address % ALIGNMENT == 0))
    slots += launch.params
    taken = [slot for slot, is_taken in zip(slots, kernel.taken, strict=True) if is_taken]
    return kernel.function, launch.launcher.programs, kernel.threads, kernel.shared, (*taken, *[0] * kernel.own)


def _checks(call: DirectCall) -> tuple[Any, ...]:
    """The conditions on a call besides those on its arguments: the device is the current one, and the stream that of the
    counters."""
    import torch

    if call.device.type != "cuda":
        return ()
    device = (torch._C._cuda_getDevice, call.device.index)  # pyright: ignore[reportPrivateUsage, reportAttributeAccessIssue]
    if not any(isinstance(made, Counter) for made in call.prepared.places):
        return (device,)
    stream = _stream(call.device)
    return device, (stream, stream())


def _stream(device: Any) -> Callable[[], int]:
    """The handle of torch's current stream of a device."""
    import torch

    if device.type != "cuda":
        return int
    # As in torch's own compiler.
    return functools.partial(torch._C._cuda_getCurrentRawStream, device.index)  # pyright: ignore[reportPrivateUsage, reportAttributeAccessIssue]


def _has_hooks() -> bool:
    """Whether a hook is registered for Triton's launches."""
    from triton import knobs

    hooks = [getattr(knobs.runtime, name, None) for name in ("launch_enter_hook", "launch_exit_hook")]
    # The lists of hooks may be empty.
    return any(hook is not None and getattr(hook, "calls", True) for hook in hooks)
