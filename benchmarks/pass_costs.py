"""`python -m benchmarks.pass_costs`: the predicted cost of random programs with and without each pass on loops.

The programs are those of `stepwell fuzz --speed`. If a pass makes a program more expensive in the model, the pass's rule or the
model is wrong. Nothing is compiled or timed.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import stepwell as sw
from stepwell.dialects import make_context
from stepwell.ir.text.parser import parse_module
from stepwell.lowering import all_passes
from stepwell.lowering.driver import lower
from stepwell.lowering.machine import model, pass_options, processor
from stepwell.passes.analysis.execution_cost import block_costs
from stepwell.passes.manager.pass_manager import PassManager
from stepwell.passes.manager.pipeline import parse_pipeline
from stepwell.tools.fuzz.everyday_programs import EverydayProgram, Generator
from xdsl.passes import ModulePass

from .report import table

PASSES = (
    *("loop-inline", "loop-fuse", "loop-contract-buffers", "loop-tile-and-fuse", "loop-collapse", "loop-split-reduction"),
    *("loop-tile-convolutions", "loop-pad", "loop-tile-contractions", "loop-unroll-by-divisor", "loop-delinearize"),
    *("loop-index-set-split", "loop-interchange", "loop-vectorize-scans", "loop-unroll-and-jam", "loop-online-softmax"),
    *("loop-one-pass-variance", "loop-unroll-and-jam-windows", "loop-tile-transposes", "loop-vectorize", "loop-unroll-windows"),
)
# Predictions that differ by less count as equal.
_NOISE = 0.02


class Compared(NamedTuple):
    """A program's predicted seconds with all passes over those without one."""

    seed: int
    ratio: float


def graph_of(program: EverydayProgram) -> str:
    """The text of the graph level, for the sizes of the program."""
    arrays, function = program.arrays(), program.function()
    return sw.lower(lambda *xs: function(sw, *xs), *(sw.Spec(each.shape, str(each.dtype)) for each in arrays.values())).ir(
        "graph"
    )


def predicted(graph: str, machine: str, without: str = "") -> float:
    """The predicted seconds of a program on one thread, lowered without a pass."""
    ctx, chosen = make_context(), model(machine)

    def manager(pipeline: str) -> PassManager:
        elements = parse_pipeline(pipeline, all_passes()).elements
        kept = [each for each in elements if isinstance(each, ModulePass) and each.name != without]
        return PassManager(kept, ctx, verify_each=False)

    module = parse_module(graph, ctx, "program")
    for _ in lower(module, ctx, "cpu", until="scheduled", manager=manager, options=pass_options(chosen)):
        pass
    return sum(cost.seconds for cost in block_costs(module, {}, processor(chosen)))


def report(found: dict[str, list[Compared]], programs: int, seed: int, machine: str) -> Iterator[str]:
    """The lines of the report."""
    yield f"Machine model {machine}, {programs} programs from seed {seed}. Predicted: all passes over all but one."
    yield ""
    cells = []
    for name, rows in found.items():
        cheaper = [each for each in rows if each.ratio < 1 - _NOISE]
        dearer = sorted((each for each in rows if each.ratio > 1 + _NOISE), key=lambda each: -each.ratio)
        worst = ", ".join(f"{each.ratio:.2f} ({each.seed})" for each in dearer[:3])
        best = min((each.ratio for each in rows), default=1.0)
        cells.append([f"`{name}`", str(len(cheaper)), f"{best:.2f}", str(len(dearer)), worst])
    yield from table(["pass", "cheaper", "best", "dearer", "worst (seed)"], cells)


def main(argv: Sequence[str] | None = None) -> int:
    """Compare, and print the report."""
    parser = argparse.ArgumentParser("python -m benchmarks.pass_costs", description=__doc__)
    parser.add_argument("--programs", type=int, default=100, help="how many (100)")
    parser.add_argument("--seed", type=int, default=0, help="the first seed (0)")
    parser.add_argument("--machine", default="zen4", help="the model of a machine (zen4)")
    parser.add_argument("--passes", nargs="*", default=PASSES, help="the passes to leave out one by one")
    given = parser.parse_args(argv)
    found: dict[str, list[Compared]] = {name: [] for name in given.passes}
    for seed in range(given.seed, given.seed + given.programs):
        graph = graph_of(Generator(seed).make())
        whole = predicted(graph, given.machine)
        for name in given.passes:
            found[name].append(Compared(seed, whole / predicted(graph, given.machine, name)))
    print("\n".join(report(found, given.programs, given.seed, given.machine)))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
