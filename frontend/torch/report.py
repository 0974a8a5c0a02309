"""The report on the graphs of a model: their number, compiled operations, and operations left to eager with the reasons."""

from __future__ import annotations

import threading
import warnings
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ...runtime.toolchain.compiler import CompilerNotFound

# The advice of the error of a missing compiler: how torch chooses the target.
_INTERPRETED = ': torch.compile(model, backend="stepwell", options={"target": "interpret"})'


class EagerWarning(UserWarning):
    """An operation is left to eager: torch computes it, not compiled code."""


class GraphReport(NamedTuple):
    """One graph: its programs, which are compiled at their first call, the operations left to eager with the reasons, and the
    kernels of torch and library functions that the programs call."""

    programs: tuple[Any, ...]
    eager: Mapping[str, str]
    eager_count: int
    compiled_count: int
    kernels: tuple[str, ...]

    @staticmethod
    def of(runners: Sequence[Any], left: Mapping[Any, str], compiled: int, kernels: Sequence[str]) -> GraphReport:
        """The report of a graph's programs, the nodes left to eager, the number of compiled nodes, and the calls of kernels."""
        eager = {str(node.target): reason for node, reason in left.items()}
        return GraphReport(tuple(runners), eager, len(left), compiled, tuple(kernels))


@dataclass
class Report:
    """The reports of all graphs: forward, backward, and graphs after a graph break."""

    graphs: list[GraphReport] = field(default_factory=list[GraphReport])

    @property
    def partitions(self) -> int:
        """The number of compiled programs."""
        return sum(len(graph.programs) for graph in self.graphs)

    @property
    def operations(self) -> int:
        """The number of operations that are compiled."""
        return sum(graph.compiled_count for graph in self.graphs)

    @property
    def eager(self) -> dict[str, str]:
        """The operations that are left to eager, by name, each with one reason."""
        return {name: reason for graph in self.graphs for name, reason in graph.eager.items()}

    @property
    def eager_count(self) -> int:
        """The number of operations left to eager."""
        return sum(graph.eager_count for graph in self.graphs)

    @property
    def kernels(self) -> list[str]:
        """The operations in programs that kernels of torch or libraries compute on the host, one entry a call."""
        return [name for graph in self.graphs for name in graph.kernels]

    def lowered(self) -> list[Any]:
        """Each program that was called, lowered with every level and the trace (`sw.lower`)."""
        return [runner.lowered() for graph in self.graphs for runner in graph.programs if runner.called]

    def __str__(self) -> str:
        kinds = Counter(name for graph in self.graphs for name in graph.eager)
        called = f", of which {len(self.kernels)} call libraries of the host" if self.kernels else ""
        lines = [
            f"{len(self.graphs)} graphs, {self.partitions} compiled programs of {self.operations} operations{called}, "
            f"{self.eager_count} operations left to eager"
        ]
        reasons = self.eager
        return "\n".join([*lines, *(f"  {name}: {reasons[name]}" for name in sorted(kinds))])


_REPORT: ContextVar[Report | None] = ContextVar("report", default=None)


@contextmanager
def reporting() -> Iterator[Report]:
    """Collect the reports of graphs that are compiled inside the block."""
    report = Report()
    token = _REPORT.set(report)
    try:
        yield report
    finally:
        _REPORT.reset(token)


def current_report() -> Report | None:
    """The report that is being collected."""
    return _REPORT.get()


class _Warned:
    """The operations that were warned of, each with its reason."""

    def __init__(self) -> None:
        self.known: set[tuple[str, str]] = set()
        self.lock = threading.Lock()

    def is_new(self, name: str, reason: str) -> bool:
        with self.lock:
            new = (name, reason) not in self.known
            self.known.add((name, reason))
            return new


_WARNED = _Warned()


def warn_once(name: str, reason: str) -> None:
    """Warn, once in a process, that an operation is left to eager for a reason."""
    if _WARNED.is_new(name, reason):
        warnings.warn(f"'{name}' is left to eager: {reason}", EagerWarning, stacklevel=2)


def warn_of_program(program: Any, error: Exception) -> None:
    """Warn that a program is left to eager because it could not be compiled. Without a C compiler all programs are: warn
    once."""
    if isinstance(error, CompilerNotFound) and not _WARNED.is_new("compiler", str(error)):
        return
    others, how = (", and so are others", _INTERPRETED) if isinstance(error, CompilerNotFound) else ("", "")
    message = (
        f"a program of {len(program.nodes)} operations is left to eager{others}, because it could not be compiled: {error}{how}"
    )
    warnings.warn(message, EagerWarning, stacklevel=2)
