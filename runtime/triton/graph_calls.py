"""CUDA graphs: the launches of a call, recorded once and replayed as one for arguments of the same shapes and types.

Arguments are copied to memory that belongs to the graph. Donated arguments are recorded at their own addresses instead, and a
graph is kept for each set of addresses. Results are copies of the graph's memory, or donated arguments. The first call of a
kind launches its kernels one by one, which compiles them; the second call records them.

Threads take turns: the arguments of one call are copied after the results of the previous one. All of this is only enqueued on
the stream, so that no thread waits for the GPU.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..boundary.arrays import is_torch
from .direct_calls import kind_of, share_memory

if TYPE_CHECKING:
    from .program import CudaProgram, Prepared

# Kinds of arguments that a program keeps graphs for: each has memory for all arguments, temporaries and results.
MOST_KINDS = 8
# The most graphs for different addresses of donated arguments that are kept for a kind.
MOST_GRAPHS = 8


class GraphCall:
    """The calls of a program with arguments of one kind, on one stream. `buffers` has the buffers of the plan, with None in
    place of donated arguments, which are in `donated`."""

    def __init__(self, program: CudaProgram, prepared: Prepared, device: Any, arguments: Sequence[Any]):
        import torch

        self.program, self.prepared, self.device = program, prepared, device
        self.buffers, self.donated = program.buffers_of_graph(prepared, device)
        sources = set(self.donated.values())
        self.copied = [k for k in range(len(arguments)) if k not in sources]
        for k in self.copied:
            self.buffers[k] = torch.empty(arguments[k].shape, dtype=arguments[k].dtype, device=device)
        self._graphs: dict[tuple[int, ...], Any] = {}
        self._is_compiled = False
        self._lock = threading.Lock()

    def run(self, arguments: Sequence[Any]) -> list[Any]:
        """The results of the program, in the order of its outputs."""
        with self._lock:
            return self._run(arguments)

    def _run(self, arguments: Sequence[Any]) -> list[Any]:
        import torch

        sources = sorted(set(self.donated.values()))
        pointers = tuple(arguments[k].data_ptr() for k in sources)
        if self.copied:
            copies = [self.buffers[k] for k in self.copied]
            torch._foreach_copy_(copies, [arguments[k] for k in self.copied])  # pyright: ignore[reportPrivateImportUsage]
        if not self._is_compiled:
            self._launch(arguments)
            self._is_compiled = True
        else:
            graph = self._graphs.get(pointers)
            if graph is None:
                graph = self._record(pointers, arguments)
            graph.replay()
        return [arguments[self.donated[k]] if k in self.donated else self.buffers[k].clone() for k in self.program.outputs]

    def _launch(self, arguments: Sequence[Any]) -> None:
        """Launch the kernels on the graph's memory and the donated arguments."""
        given = list(self.buffers)
        for k, source in self.donated.items():
            given[k] = given[source] = arguments[source]
        self.program.launch(given, self.prepared, self.device)

    def _record(self, pointers: tuple[int, ...], arguments: Sequence[Any]) -> Any:
        from . import kernels

        if len(self._graphs) >= MOST_GRAPHS:
            self._graphs.clear()
        sources = set(self.donated.values())
        # The graph reads other arguments from its own memory: they can be released.
        held = [each if k in sources else None for k, each in enumerate(arguments)]
        graph = self._graphs[pointers] = kernels.Graph(lambda: self._launch(held), self.device)
        return graph


@dataclass
class DirectGraphCall:
    """A graph call that is found by the kind of its arguments alone (`direct_calls.py`)."""

    graphs: GraphCalls
    values: tuple[int, ...]
    device: Any
    give: Callable[[list[Any]], Any]

    def run(self, arguments: Sequence[Any], native: list[Any]) -> Any:
        """The result of the function; NotImplemented for arguments that share memory with donated ones. A graph is a single
        launch already: nothing is added to `native`."""
        results = self.graphs.run(arguments, self.values)
        return results if results is NotImplemented else self.give(self.graphs.program.as_results(results))


class GraphCalls:
    """The graph calls of one program, for the most recent kinds of arguments."""

    def __init__(self, program: CudaProgram):
        self.program = program
        self.known: dict[Hashable, GraphCall] = {}
        self._lock = threading.Lock()

    def run(self, arguments: Sequence[Any], values: tuple[int, ...]) -> Any:
        """The results of a call, as kernels see them. NotImplemented if donated arguments share memory with others, are not
        contiguous or not on the GPU: these have to be copied first. Raises TypeError if no argument is on a GPU, or if
        arguments are on two."""
        from . import kernels

        device = self._device(arguments)
        donated = [arguments[k] for k in self.program.signature.donated if k is not None]
        if not all(is_torch(each) and each.device == device and each.is_contiguous() for each in donated):
            return NotImplemented
        elements = [buffer.dtype for buffer in self.program.plan.buffers if buffer.role == "input"]
        given = [
            kernels.as_in_memory(each) if is_torch(each) and each.device == device else kernels.on_device(each, element, device)
            for each, element in zip(arguments, elements, strict=True)
        ]
        if donated and share_memory(given):
            return NotImplemented
        return self._call(given, values, device).run(given)

    def _call(self, given: Sequence[Any], values: tuple[int, ...], device: Any) -> GraphCall:
        """The call of this kind, which becomes the most recent one."""
        from . import kernels

        key = (kind_of(given), values, kernels.current_stream(device))
        with self._lock:
            call = self.known.pop(key, None) or GraphCall(self.program, self.program.prepared(values), device, given)
            while len(self.known) >= MOST_KINDS:
                del self.known[next(iter(self.known))]
            self.known[key] = call
        return call

    def _device(self, arguments: Sequence[Any]) -> Any:
        """The GPU that arguments are on; arguments on the host are copied there."""
        import torch

        kind = torch.device(self.program.device).type
        found = next((each.device for each in arguments if is_torch(each) and each.device.type == kind), None)
        for given, to in zip(arguments, self.program.signature.inputs, strict=True):
            place = str(given.device) if is_torch(given) else "the host"
            if found is None or (is_torch(given) and given.device not in (found, torch.device("cpu"))):
                expected = "a tensor on a GPU" if found is None else f"a tensor on {found}, as another argument, or on the host"
                raise TypeError(f"sw.jit(graph=True): argument '{to.name}': expected {expected}, got one on {place}")
        return found if arguments else torch.device(self.program.device)
