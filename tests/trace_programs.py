"""The trace on random programs: sources of every operation and statement, both directions, and the outlined view.

    python -m tests.trace_programs --programs 300 --seed 0

Programs are made as `stepwell fuzz` makes them, printed, and read again, so that each operation has a line of its own. Checked
for each of them, on the way to C and to Triton, and through passes of xDSL:

    sources     every operation after every pass, and every statement of the code, has source lines
    live lines  after every pass, the source lines of all operations are those of the input operations with results there; lines
                without any effect on the program's results are not among those of the code
    inverse     the map of operations backward is the exact inverse of the one forward, over any number of passes; from a
                line of the code to its sources and from a source to its lines are the same pairs
    outline     after every pass that has an effect, inlining the outlined view gives the identical module, locations included
    off         without a trace the text of every level and the code are the same

The exit status is 1 if anything differs.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
from collections.abc import Iterator, Sequence

from stepwell.dialects import make_context
from stepwell.frontend.lowered.function import Lowered
from stepwell.ir.functions.entry import entry_function
from stepwell.ir.text.parser import parse_module
from stepwell.ir.text.printer import print_module
from stepwell.lowering import all_passes
from stepwell.lowering.driver import lower
from stepwell.passes.manager.instruments import Instrument, PassRun
from stepwell.passes.manager.pass_manager import PassManager
from stepwell.passes.trace.outlined_view import inline, outline
from stepwell.passes.trace.recording import Trace
from stepwell.passes.trace.snapshots import OpInfo, Snapshot
from stepwell.runtime.boundary.signature import Signature
from stepwell.tools.fuzz.random_graph_steps import SteppingGraphs
from stepwell.tools.fuzz.random_steps import SteppingGenerator
from stepwell.tools.progress import progress
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass
from xdsl.transforms.canonicalize import CanonicalizePass
from xdsl.transforms.common_subexpression_elimination import CommonSubexpressionElimination
from xdsl.transforms.dead_code_elimination import DeadCodeElimination

FILE = "program.mlir"
TARGETS = ("cpu", "cuda")
XDSL: tuple[type[ModulePass], ...] = (CanonicalizePass, CommonSubexpressionElimination, DeadCodeElimination)
# Lines of emitted code without an operation: the text common to all files, and braces of blocks.
FIXED = re.compile(r"\s*([{}]*|@triton\.jit|return|#.*|//.*)\s*")
# The number of operations whose maps are compared over the whole pipeline.
SAMPLE = 40


class Outlining(Instrument):
    """Compares each module with the inlined one of its outlined view."""

    def __init__(self):
        self.differing: list[str] = []
        self._last = ""

    def after(self, run: PassRun) -> None:
        text = print_module(run.module, debuginfo=True)
        if text != self._last and print_module(inline(outline(run.module)), debuginfo=True) != text:
            self.differing.append(run.pass_.name)
        self._last = text


def program_text(seed: int) -> str:
    """The text of a random program of the uop or the graph level."""
    generator = (SteppingGenerator, SteppingGraphs)[seed % 2](seed)
    return print_module(generator.make().module)


def faults(seed: int) -> Iterator[str]:
    """The errors in the traces of a program."""
    text = program_text(seed)
    for target in TARGETS:
        low = _lowered(text, target, trace=True)
        for fault in (*_unlocated(low.trace.passes), *_lines(low, text), *_inverse(low.trace.passes, seed), *_code(low)):
            yield f"{target}: {fault}"
        yield from (f"{target}: {fault}" for fault in _outlined(text, target))
        off = _lowered(text, target, trace=False)
        yield from (f"{target}: without a trace {level} differs" for level in low.levels if low.ir(level) != off.ir(level))
    yield from (f"xDSL: {fault}" for fault in _xdsl(text, seed))


def _lowered(text: str, target: str, trace: bool) -> Lowered:
    ctx = make_context()
    module = parse_module(text, ctx, FILE)
    return Lowered(module, target, Signature.of(entry_function(module)), ctx=ctx, trace=trace)


def _unlocated(trace: Trace) -> Iterator[str]:
    for snapshot in trace.levels:
        lost = {op.name for op in snapshot.ops if not op.frames and op.name != "builtin.module"}
        if lost:
            yield f"after {snapshot.level}: no sources of {', '.join(sorted(lost))}"


def _lines(low: Lowered, text: str) -> Iterator[str]:
    """Check the source lines after each pass: locations and map agree. Check the source lines of the code: results use each of
    them."""
    trace = low.trace.passes
    yield from _differing_lines(trace)
    extra = _located(trace.levels[-1]) - _used(parse_module(text, make_context(), FILE))
    if extra:
        yield f"lines {sorted(extra)} have no effect on results, but are sources of the code"


def _differing_lines(trace: Trace) -> Iterator[str]:
    for snapshot, mapped in zip(trace.levels, _mapped(trace), strict=True):
        located = _located(snapshot)
        if located != mapped:
            yield f"after {snapshot.level}: lines {sorted(located ^ mapped)} are in one of the locations and the map alone"


def _located(snapshot: Snapshot) -> set[int]:
    return {frame.line for op in snapshot.ops if op.name != "builtin.module" for frame in op.frames if frame.file == FILE}


def _mapped(trace: Trace) -> Iterator[set[int]]:
    """For each level, the lines of input operations that its operations come from, by the maps of the passes."""
    none = frozenset[int]()
    lines = [_own_lines(op) for op in trace.levels[0].ops]
    for level, snapshot in enumerate(trace.levels):
        if level:
            backward = trace.steps[level - 1].backward
            lines = [none.union(*(lines[origin] for origin in origins)) for origins in backward]
        yield set().union(*(found for op, found in zip(snapshot.ops, lines, strict=True) if op.name != "builtin.module"))


def _own_lines(op: OpInfo) -> frozenset[int]:
    return frozenset(frame.line for frame in op.frames) if op.name != "builtin.module" else frozenset()


def _used(module: ModuleOp) -> set[int]:
    """The lines of functions, of their regions' terminators, and of all operations that these use, directly or not."""
    ops = list(module.walk())
    pending = [op for op in ops if op.name in ("func.func", "func.call", "uop.check") or op.next_op is None]
    seen = set(pending)
    while pending:
        op = pending.pop()
        owners = [operand.owner for operand in op.operands] + [op.parent_op()]
        for owner in owners:
            if isinstance(owner, Operation) and owner not in seen:
                seen.add(owner)
                pending.append(owner)
    trace = Trace()
    PassManager([], make_context(), instruments=[trace]).run(module)
    return {frame.line for op, info in zip(ops, trace.levels[0].ops, strict=True) if op in seen for frame in info.frames}


def _inverse(trace: Trace, seed: int) -> Iterator[str]:
    for step in trace.steps:
        pairs = {(origin, op) for op, origins in enumerate(step.backward) for origin in origins}
        if pairs != {(origin, op) for origin, found in enumerate(step.forward) for op in found}:
            yield f"{step.pass_name}: forward is not the inverse of backward"
    choose = random.Random(seed)
    last, first = range(len(trace.levels[-1].ops)), range(len(trace.levels[0].ops))
    chosen = set(choose.sample(last, min(SAMPLE, len(last))))
    up = {(origin, op) for op in chosen for origin in trace.ancestors(op)}
    down = {(op, result) for op in first for result in trace.descendants(op) if result in chosen}
    if up != down:
        yield "the maps over all passes are not inverse to each other"


def _code(low: Lowered) -> Iterator[str]:
    code, text = low.levels[-1], low.source().splitlines()
    sources = {number: low.trace.sources(number) for number in range(1, len(text) + 1)}
    traced = [number for number, found in sources.items() if found]
    bare = [text[number - 1] for number in range(traced[0], traced[-1]) if not sources[number]] if traced else ["all"]
    yield from (f"no source of {line.strip()}" for line in bare if not FIXED.fullmatch(line))
    up = {(frame.line, number) for number, found in sources.items() for frame in found}
    products = {line: low.trace.products(f"{FILE}:{line}") for line in {line for line, _ in up}}
    down = {(line, number) for line, found in products.items() for level, number in found if level == code}
    if up != down:
        yield "from the code to its sources and back are different pairs"


def _outlined(text: str, target: str) -> Iterator[str]:
    ctx, check = make_context(), Outlining()
    module = parse_module(text, ctx, FILE)

    def manager(passes: str) -> PassManager:
        return PassManager.parse(passes, ctx, all_passes(), instruments=[check])

    for _ in lower(module, ctx, target, manager=manager):
        pass
    yield from (f"after {name}: inlining the outlined view gives another module" for name in check.differing)


def _xdsl(text: str, seed: int) -> Iterator[str]:
    ctx, trace, check = make_context(), Trace(texts=True), Outlining()
    module = parse_module(text, ctx, FILE)
    PassManager([kind() for kind in XDSL], ctx, instruments=[trace, check]).run(module)
    plain = parse_module(text, ctx, FILE)
    PassManager([kind() for kind in XDSL], ctx).run(plain)
    yield from (*_unlocated(trace), *_inverse(trace, seed), *_differing_lines(trace))
    yield from (f"after {name}: inlining the outlined view gives another module" for name in check.differing)
    if print_module(plain) != print_module(module):
        yield "without a trace the module differs"


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.trace_programs", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--programs", type=int, default=300, help="how many programs (default 300)")
    parser.add_argument("--seed", type=int, default=0, help="the seed of the first one (default 0)")
    arguments = parser.parse_args(argv)
    wrong = 0
    with progress("traces", arguments.programs) as shown:
        for seed in range(arguments.seed, arguments.seed + arguments.programs):
            found = list(faults(seed))
            wrong += bool(found)
            for fault in found[:6]:
                shown.say(f"seed {seed}: {fault}")
            shown.advance()
    last = arguments.seed + arguments.programs - 1
    print(
        f"{arguments.programs} programs, seeds {arguments.seed} to {last}, {', '.join(TARGETS)} and xDSL: {wrong} with faults"
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
