"""`python -m benchmarks.tracing`: the cost of the trace, as a share of the time of lowering without one.

Each program is lowered with and without a trace, in turns, by the processor time of one process; the least times count. A trace
prints only the requested texts, so there are two columns: lowering alone, and lowering with the texts of all levels, which are
printed without a trace too. The C compiler is not run: with it the shares would be smaller. Random programs are those of
`stepwell fuzz`.
"""

from __future__ import annotations

import argparse
import gc
import time
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import stepwell as sw
from stepwell.dialects import make_context
from stepwell.frontend.lowered.function import Lowered
from stepwell.ir.functions.entry import entry_function
from stepwell.ir.text.parser import parse_module
from stepwell.ir.text.printer import print_module
from stepwell.runtime.boundary.signature import Signature
from stepwell.tools.fuzz.random_graph_steps import SteppingGraphs
from stepwell.tools.progress import progress

from .environment import machine
from .report import table

FILE = "program.mlir"


def _softmax(x: Any) -> Any:
    return sw.softmax(x, axis=1)


def _attention(q: Any, k: Any, v: Any) -> Any:
    return sw.softmax(q @ sw.swapaxes(k, 1, 2), axis=-1) @ v


def _perceptron(x: Any, w: Any, v: Any) -> Any:
    return sw.relu(x @ w) @ v


def _gradient(x: Any, w: Any, v: Any) -> Any:
    return sw.grad(lambda x, w, v: sw.sum(_perceptron(x, w, v) ** 2), (1, 2))(x, w, v)


def _convolution(x: Any, w: Any) -> Any:
    return sw.relu(sw.conv2d(x, w, padding=1))


def _chain(x: Any) -> Any:
    for _ in range(25):
        x = sw.tanh(x) * 0.5 + sw.sum(x, axis=1, keepdims=True)
    return x


_MATRIX = sw.Spec(("n", "m"), "float32")
PROGRAMS: Mapping[str, tuple[Callable[..., Any], tuple[sw.Spec, ...]]] = MappingProxyType(
    {
        "softmax": (_softmax, (_MATRIX,)),
        "attention": (_attention, (sw.Spec(("b", "t", "d")),) * 3),
        "perceptron": (_perceptron, (_MATRIX, sw.Spec(("m", "k")), sw.Spec(("k", "j")))),
        "its gradient": (_gradient, (_MATRIX, sw.Spec(("m", "k")), sw.Spec(("k", "j")))),
        "convolution": (_convolution, (sw.Spec(("n", 8, "h", "w")), sw.Spec((16, 8, 3, 3)))),
        "100 operations": (_chain, (_MATRIX,)),
    }
)


class Cost(NamedTuple):
    """The least seconds of a program: without a trace, with one, and with one and the texts of all levels."""

    name: str
    without: float
    traced: float
    read: float

    def cells(self) -> list[str]:
        """The row of the table."""
        times = [f"{1000 * each:.0f}" for each in self[1:]]
        return [self.name, *times, f"{self.traced / self.without - 1:.0%}", f"{self.read / self.without - 1:.0%}"]


def programs(seeds: range) -> Iterator[tuple[str, Callable[[bool], Lowered]]]:
    """The name and the lowering of each program; the lowering takes whether to trace."""
    for name, (function, specs) in PROGRAMS.items():
        yield name, lambda trace, function=function, specs=specs: sw.lower(function, *specs, trace=trace)
    for seed in seeds:
        text = print_module(SteppingGraphs(seed).make().module)
        yield f"random {seed}", lambda trace, text=text: _lowered(text, trace)


def _lowered(text: str, trace: bool) -> Lowered:
    ctx = make_context()
    module = parse_module(text, ctx, FILE)
    return Lowered(module, "cpu", Signature.of(entry_function(module)), ctx=ctx, trace=trace)


def measured(name: str, lowering: Callable[[bool], Lowered], seconds: float) -> Cost:
    """The least times of a program, from turns for some seconds, at least five."""
    without, traced, read = [], [], []
    start = time.perf_counter()
    while len(without) < 5 or time.perf_counter() - start < seconds:
        gc.collect()
        before = time.process_time()
        lowering(False)
        without.append(time.process_time() - before)
        gc.collect()
        before = time.process_time()
        low = lowering(True)
        traced.append(time.process_time() - before)
        for level in low.levels:
            low.ir(level)
        read.append(time.process_time() - before)
    return Cost(name, min(without), min(traced), min(read))


def main() -> None:
    """Measure all programs, and print a table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.tracing", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--random", type=int, default=6, help="how many random programs besides the layers (default 6)")
    parser.add_argument("--seconds", type=float, default=2.0, help="seconds for each program (default 2)")
    arguments = parser.parse_args()
    each = list(programs(range(arguments.random)))
    found: list[Cost] = []
    with progress("programs", len(each)) as shown:
        for name, lowering in each:
            found.append(measured(name, lowering, arguments.seconds))
            shown.advance()
    total = Cost("all", *(sum(column) for column in zip(*(row[1:] for row in found), strict=True)))
    header = ["program", "no trace", "trace", "and levels read", "cost", "and levels read"]
    print(f"Machine: {machine()}. Processor time of lowering, milliseconds.\n")
    print("\n".join(table(header, [row.cells() for row in (*found, total)])))


if __name__ == "__main__":
    main()
