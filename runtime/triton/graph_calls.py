"""CUDA graphs: the launches of a call, recorded once and replayed as one for arguments of the same shapes and types.

Arguments are copied to memory that belongs to the graph, but for donated ones: these are recorded at their own addresses, and a
graph is kept for each set of them. Results are copies of the graph's memory, or donated arguments. The first call of a kind
launches its kernels one by one, which compiles them; the second one records.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .direct_calls import MOST_KINDS, kind_of, share_memory

if TYPE_CHECKING:
    from .program import CudaProgram, Prepared

# Graphs for different addresses of donated arguments that are kept for a kind.
MOST_GRAPHS = 8


class GraphCall:
    """The calls of a program with arguments of one kind, on one stream. `buffers` are those of the plan: None where an argument
    takes their place, which `donated` has by position."""

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

    def run(self, arguments: Sequence[Any]) -> list[Any]:
        """The results of the program, in the order of its outputs."""
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
        # The arguments stay as long as the graph that has their addresses.
        held = list(arguments)
        graph = self._graphs[pointers] = kernels.Graph(lambda: self._launch(held), self.device)
        return graph


@dataclass
class DirectGraphCall:
    """A graph call that is found by the kind of its arguments alone (`direct_calls.py`)."""

    graphs: GraphCalls
    values: tuple[int, ...]
    device: Any
    give: Callable[[list[Any]], Any]

    def run(self, arguments: Sequence[Any]) -> Any:
        """The result of the function, NotImplemented for arguments that share memory with donated ones."""
        results = self.graphs.run(arguments, self.values)
        return results if results is NotImplemented else self.give(self.graphs.program.as_results(results))


class GraphCalls:
    """The graph calls of one program."""

    def __init__(self, program: CudaProgram):
        self.program = program
        self.known: dict[Hashable, GraphCall] = {}

    def run(self, arguments: Sequence[Any], values: tuple[int, ...]) -> Any:
        """The results of a call, as kernels see them. NotImplemented where donated arguments share memory with others or are
        not contiguous: they have to be copied first. Raises TypeError for what is no tensor on a GPU."""
        from . import kernels

        device = self._device(arguments)
        donated = [k for k in self.program.signature.donated if k is not None]
        if donated and (share_memory(arguments) or not all(arguments[k].is_contiguous() for k in donated)):
            return NotImplemented
        given = [kernels.as_in_memory(each) for each in arguments]
        key = (kind_of(given), values, kernels.current_stream(device))
        call = self.known.get(key)
        if call is None:
            if len(self.known) >= MOST_KINDS:
                self.known.clear()
            call = self.known[key] = GraphCall(self.program, self.program.prepared(values), device, given)
        return call.run(given)

    def _device(self, arguments: Sequence[Any]) -> Any:
        """The GPU that all arguments are on."""
        import torch

        kind = torch.device(self.program.device).type
        for given, to in zip(arguments, self.program.signature.inputs, strict=True):
            place = given.device.type if isinstance(given, torch.Tensor) else type(given).__name__
            if place != kind:
                raise TypeError(f"sw.jit(graph=True): argument '{to.name}': expected a tensor on a GPU, got one of {place}")
        return arguments[0].device if arguments else torch.device(self.program.device)
