"""The result of `sw.lower`: the text of every level, the source, the trace, and the compiled function."""

from __future__ import annotations

import json
import operator
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from ...dialects import make_context
from ...ir.copies import CopiedAsItself
from ...ir.diagnostics import CompileError, did_you_mean
from ...ir.files import write_text
from ...ir.functions.entry import entry_function
from ...ir.functions.verification import Verified
from ...ir.functions.versions import versions_of
from ...ir.locations import Frame, frames
from ...ir.text.parser import parse_module
from ...lowering import all_passes
from ...lowering.driver import lower, source
from ...lowering.emission.source_text import SourceText
from ...lowering.machine import model
from ...lowering.pipelines import TARGETS
from ...passes.manager.pass_manager import PassManager
from ...passes.manager.remarks import Remarks
from ...passes.rules.rewrite_rules import Firings
from ...passes.trace.differences import Kind, differences, rows_of
from ...passes.trace.recording import Step, Trace, products_of
from ...passes.trace.snapshots import Snapshot
from ...runtime.boundary.signature import Signature
from ...runtime.cache.emitted_code import Code
from ...runtime.cpu.program import THREADS, CpuProgram
from ...runtime.executable import Executable, program_of
from ...runtime.toolchain.host import GPU_TARGETS, target_machine, target_options
from ..calls.traced import Traced
from ..reports.levels import EmittedLevel, Level, level_of
from ..reports.profiles import Profile, Run, Timed, checked_calls, operation_names, user_frame
from ..reports.stored_temporaries import StoredTemporaries, stored
from ..reports.structure import Structure, allocations, structure_of
from ..tracing.complex_tensors import joined, separated
from ..tracing.specs import Spec
from ..tracing.trees import flatten
from .memory import Arena, arena_for, bind_sizes
from .notebook import levels_html

if TYPE_CHECKING:
    from ..reports.costs import ProgramCost


class Change(NamedTuple):
    """A pass that changed an operation: its number and name, the level before it, and a line of the text before it."""

    number: int
    pass_name: str
    level: str
    line: int
    text: str


class LoweredTrace:
    """Maps lines of the emitted source to the user's lines, and back."""

    def __init__(self, levels: Sequence[Level], passes: Trace, emitted: Mapping[int, int], marks: Mapping[str, int]):
        self.levels = levels
        self.passes = passes
        # For each line of the emitted source that has one, the number of its operation in the last state of the module.
        self.emitted = emitted
        # For each level of the compiler, the number of the state of the module at which it is reached.
        self.marks = marks

    def sources(self, line: int) -> list[Frame]:
        """The ordered list of (file, line, column, function) positions behind a line of the emitted source, counted from 1,
        with call sites. Empty for lines that belong to no operation. Raises TypeError for a line that is not an int, ValueError
        for a line out of range."""
        last = self.levels[-1]
        line = operator.index(line)
        count = len(last.text.splitlines())
        if not 1 <= line <= count:
            raise ValueError(f"expected a line from 1 to {count}, got {line}")
        return list(last.lines.get(line, ()))

    def products(self, place: str) -> list[tuple[str, int]]:
        """All lines that a source line, given as `file:line`, was lowered to: pairs of a level and a line of its text.

        Raises ValueError when `place` has no line number.
        """
        return products_of(place, ((level.name, level.lines) for level in self.levels))

    def outputs(self, place: str) -> list[tuple[str, int]]:
        """The `products` of a source line that yield its output: a value that another line uses, or that is returned. The line
        of a function's definition yields the function's results. Empty without a trace.

        Raises ValueError as `products` does.
        """
        return products_of(place, ((level.name, level.outputs) for level in self.levels))

    def yields(self, line: int) -> list[Frame]:
        """The positions whose outputs a line of the emitted source yields."""
        return list(self.levels[-1].outputs.get(line, ()))

    def ancestry(self, line: int) -> list[tuple[str, int, str]]:
        """The origins of a line of the emitted source: for each pass, from the last to the first, the lines before the pass
        that the line derives from, as (pass, line, text). Empty for a line that belongs to no operation."""
        if line not in self.emitted:
            return []
        found: dict[tuple[str, int, str], None] = {}
        for level in reversed(range(len(self.passes.levels))):
            snapshot = self.passes.levels[level]
            texts = (snapshot.text or "").splitlines()
            for op in self.passes.ancestors(self.emitted[line], to=level):
                number = snapshot.ops[op].line
                found[snapshot.level, number, texts[number - 1].strip()] = None
        return list(found)

    def changes(self, line: int) -> list[Change]:
        """The `ancestry` of a line of the emitted source without repetition: for each pass, from the last to the first, the
        lines before it that the pass changed or replaced, not those that it merely renumbered. Empty if `ancestry` is."""
        found: list[Change] = []
        ops = {self.emitted[line]} if line in self.emitted else set[int]()
        for number in reversed(range(len(self.passes.steps))):
            step = self.passes.steps[number]
            origins = {origin for op in ops for origin in step.backward[op]}
            if step.has_effect and step.before.text is not None:
                texts = step.before.text.splitlines()
                lines = _changed(step, ops, origins)
                found += [Change(number, step.pass_name, self._level_of(number), k, texts[k - 1].strip()) for k in lines]
            ops = origins
        return found

    def _level_of(self, number: int) -> str:
        """The level that the module is on before a pass."""
        previous = ""
        for level, passes in self.marks.items():
            lowers = any(step.pass_name.startswith("lower-") for step in self.passes.steps[number:passes])
            if passes >= number:
                return previous if lowers else level
            previous = level
        raise AssertionError("every pass leads to a level")

    def snapshot(self, when: str, pass_name: str, occurrence: int = 0) -> Snapshot:
        """The module "before" or "after" a pass. Raises KeyError when the pass did not run."""
        return self.passes.snapshot(when, pass_name, occurrence)

    def source_map(self) -> str:
        """The source map of the emitted text as JSON: the positions of each line that has any."""
        last = self.levels[-1]
        lines = {str(line): [list(frame) for frame in found] for line, found in sorted(last.lines.items()) if found}
        return json.dumps({"version": 1, "level": last.name, "lines": lines}, indent=1)


class Lowered(CopiedAsItself):
    """A function lowered for a target: every level can be read, and the result called.

    `rewrites` has the number of times that each rewrite rule fired, by name.
    """

    def __init__(
        self,
        module: ModuleOp,
        target: str,
        signature: Signature,
        *,
        trace: bool = True,
        traced: Traced | None = None,
        ctx: Context | None = None,
    ):
        ctx = ctx or make_context()
        self._traced = traced
        recorded, firings, remarks = Trace(texts=True), Firings(), Remarks()
        self.target = target
        self.signature = signature
        self._levels: dict[str, Level] = {}
        self._counts: dict[str, Mapping[str, int]] = {}
        self._structure: Structure | None = None
        self._stored: StoredTemporaries | None = None
        self._arenas: list[Arena] = []

        instruments, verified = [firings, remarks, *([recorded] if trace else [])], Verified()

        def manager(passes: str) -> PassManager:
            return PassManager.parse(passes, ctx, all_passes(), instruments=instruments, verified=verified)

        marks: dict[str, int] = {}
        for name in lower(module, ctx, target, manager=manager, options=target_options(target)):
            self._levels[name] = level_of(name, module, recorded, trace)
            self._counts[name] = counted(module)
            marks[name] = len(recorded.steps)
            if name == "loop":
                self._structure = structure_of(entry_function(module))
                self._stored = stored(allocations(entry_function(module)), remarks.reasons)
            if name == "cloop":
                entry = entry_function(module)
                self._arenas = [Arena.of(each) for each in (*versions_of(entry), entry)]
        numbers: dict[int, int] = {}
        self._emitted: SourceText | None = None
        language = TARGETS[target].language
        if language:
            text = self._emitted = source(module, language)
            order = {op: number for number, op in enumerate(module.walk())}
            numbers = {line: order[op] for line, (_, op) in enumerate(text.lines, 1) if op is not None and trace}
            self._levels[language] = EmittedLevel(language, text, recorded, numbers)
        self.trace = LoweredTrace(list(self._levels.values()), recorded, numbers, marks)
        self.rewrites: Mapping[str, int] = dict(firings.counts)
        self._module = module
        self._executable: Executable | None = None

    @property
    def levels(self) -> tuple[str, ...]:
        """The names of the levels, from the top; the last is that of the emitted source, for targets that emit one."""
        return tuple(self._levels)

    def ir(self, level: str) -> str:
        """The text of a level. Raises CompileError for a level that the target does not have."""
        if level not in self._levels:
            hint = did_you_mean(level, self._levels)
            known = ", ".join(self._levels)
            raise CompileError(f"target '{self.target}' has no level '{level}'{hint} (its levels are {known})")
        return self._levels[level].text

    def source(self, *, line_directives: bool = False) -> str:
        """The C or Triton source. `line_directives` inserts a `#line` before each line of C, for debuggers and profilers.

        Raises CompileError for the target "interpret", which has no source, and for line directives in another language than C.
        """
        if self._emitted is None:
            raise CompileError(f"target '{self.target}' emits no source (its levels are {', '.join(self._levels)})")
        if not line_directives:
            return self._emitted.text
        if self.target != "cpu":
            raise CompileError(f"target '{self.target}' has no line directives, only C has")
        return self._emitted.with_line_directives()

    def explore(self, path: str | Path, profile: Profile | None = None) -> None:
        """Write the explorer: one HTML file with all levels side by side, the changes of each pass, and the kernels, with their
        lines linked. With a `profile` of this program, kernels and source lines show their times.

        Raises CompileError for a program that was lowered without a trace, and OSError when the file cannot be written.
        """
        # Local import: few programs are explored.
        from ..explorer.contents import Emitted, Times, contents
        from ..explorer.page import page

        trace = self.trace
        if not trace.passes.levels:
            wanted = "expected sw.lower(..., trace=True), of a program above the last level"
            raise CompileError(f"this program was lowered without a trace: {wanted}")
        emitted = None
        if self._emitted is not None:
            emitted = Emitted(TARGETS[self.target].language, self._emitted.text, trace.emitted)
        name = self._name()
        times = None
        if profile is not None:
            times = Times(profile.calls, profile.total, {nest.op: nest.seconds for nest in profile.nests}, profile.by_line())
        found = contents(name, trace.passes, trace.marks, emitted, self.target, times)
        write_text(path, page(found))

    def _name(self) -> str:
        """The name of the function."""
        return entry_function(self._module).sym_name.data

    def structure(self) -> Structure:
        """Blocks, temporaries and their ranks, on the level "loop". Raises CompileError for a target without loops."""
        if self._structure is None:
            raise CompileError(f"target '{self.target}' has no loops (its levels are {', '.join(self._levels)})")
        return self._structure

    def stored(self) -> StoredTemporaries:
        """The temporaries of `structure`, each with its line and the reason why it is stored; all others are computed where
        they are read. Printing the result gives a line for each. Raises CompileError as `structure` does."""
        self.structure()
        assert self._stored is not None, "both are of the level 'loop'"
        return self._stored

    def memory(self, *, threads: int | None = None, **sizes: int) -> int:
        """The bytes that a call allocates besides its arguments and results: the arena of temporaries, and the private memory
        of each thread.

        `sizes` are the values of the parameters; those not given are the sizes of the arrays that the function was lowered for,
        and `threads` is that of calls. Raises TypeError for a missing or unknown size, ValueError for a negative one,
        CompileError for another target than "cpu".
        """
        if not self._arenas:
            raise CompileError(f"target '{self.target}' has no memory plan, only 'cpu' has")
        hints = self._traced.sizes.hints if self._traced is not None else {}
        values = bind_sizes(self.signature.params, sizes, hints)
        count = THREADS.count if threads is None else threads
        return arena_for(self._arenas, values).bytes(values, count)

    def cost(self, *, threads: int = 1, machine: str | None = None, **sizes: int) -> ProgramCost:
        """The predicted cost of a call: bytes moved on each level of the memory, operations and time of each block of loops,
        with the source lines that it computes. Nothing is compiled or run.

        `sizes` are the values of the parameters; those not given are the sizes of the arrays that the function was lowered for.
        `machine` names a model (`lowering/machine.py`); by default it is the processor that the target compiles for. Raises
        TypeError for a missing or unknown size, ValueError for a negative one or no threads, CompileError for an unknown
        machine and for another target than "cpu".
        """
        # Local import: few programs ask for their costs.
        from ..reports.costs import program_cost

        if self.target != "cpu":
            raise CompileError(f"target '{self.target}' has no cost model, only 'cpu' has")
        hints = self._traced.sizes.hints if self._traced is not None else {}
        values = bind_sizes(self.signature.params, sizes, hints)
        level = self._levels["scheduled"]
        module = parse_module(level.text, make_context(), level.name)
        chosen = target_machine() if machine is None else model(machine)
        return program_cost(module, values, chosen, threads, self._line_in(level))

    def _line_in(self, level: Level) -> Callable[[Operation], Frame | None]:
        """A function that finds the user's line of an operation that was parsed from a level's text."""

        def line_of(op: Operation) -> Frame | None:
            printed = next(iter(frames(op.location)), None)
            return None if printed is None else user_frame(level.lines.get(printed.line, ()))

        return line_of

    def resources(self, gpu: str | int | None = None, **sizes: int) -> list[Any]:
        """The resources that each kernel uses on a GPU, which need not exist: registers, stack, shared memory, occupancy, kinds
        of instructions and, if all sizes are known, the predicted bytes, operations and time of a call, by source line
        (`KernelResources`).

        `gpu` names a model (`lowering/machine.py`) or is a compute capability, such as 90; by default it is the card that is
        there, or `$STEPWELL_GPU`. `sizes` are as for `cost`, all or none of them. Raises CompileError for other targets than
        "cuda" and "triton-interpret" and for GPUs other than NVIDIA's known ones, TypeError for missing or unknown sizes.
        """
        from ..reports.kernels import kernel_resources  # few programs ask for their kernels' resources

        if self.target not in GPU_TARGETS:
            raise CompileError(f"target '{self.target}' has no kernels, only 'cuda' and 'triton-interpret' have")
        hints = self._traced.sizes.hints if self._traced is not None else {}
        values = bind_sizes(self.signature.params, sizes, hints) if sizes or hints.keys() >= {*self.signature.params} else None
        level = self._levels["tile"]
        module = parse_module(level.text, make_context(), level.name)
        return kernel_resources(self.executable().program, module, values, gpu, self._line_in(level))

    def _repr_html_(self) -> str:
        """The text of each level, folded, for notebooks."""
        name = entry_function(self._module).sym_name.data
        return levels_html(name, self.target, ((level, self.ir(level)) for level in self.levels), self.rewrites)

    def code(self) -> Code:
        """The emitted C, with the checks that its calls have to make. For target "cpu"."""
        return Code.of(self._module)

    def executable(self) -> Executable:
        """The compiled function on flat arrays, compiled at first use."""
        if self._executable is None:
            self._executable = Executable(program_of(self._module, self.target, self.signature))
        return self._executable

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run the compiled function, on the arguments of the Python function that was lowered, or of the IR in order."""
        return self._call(self.executable(), args, kwargs)

    def profile(self, *args: Any, calls: int | None = None, **kwargs: Any) -> Profile:
        """Where the time of a call with these arguments goes, by loop nest and by operation with its source line.

        The program is compiled once more, with timers, and called `calls` times, by default for a fifth of a second; the times
        are those of the fastest call. Times of loop nests are measured; those of several operations that one nest computes are
        estimates. Printing the result gives a table of the most expensive lines, `profile.top(k)` one of k of them. Raises
        CompileError for another target than "cpu", TypeError or ValueError unless `calls` is an int of at least 1.
        """
        calls = checked_calls(calls)
        if self.target != "cpu":
            raise CompileError(f"target '{self.target}' has no profile, only 'cpu' has")
        programs, executable = self._timed()
        arrays, params = self.arrays_of(args, dict(kwargs))
        values = self.signature.bind([tuple(each.shape) for each in arrays], params)
        run = Run(lambda: self._call(executable, args, dict(kwargs)), programs, getattr(executable.program, "seconds", {}))
        first = next(iter(self._levels.values()))
        names = operation_names(first.text, first.lines)
        return run.profile(names, dict(zip(self.signature.params, values, strict=True)), calls, self)

    def _timed(self) -> tuple[list[Timed], Executable]:
        """The function compiled with timers."""
        module = Timed.copy_of(self._module)
        program = CpuProgram(Code.of(module), self.signature)
        return [Timed.loaded(module, program.library.path)], Executable(program)

    def counts(self, level: str) -> Mapping[str, int]:
        """The number of operations of each kind on a level, in descending order. Raises CompileError as `ir` does, and for
        emitted source."""
        self.ir(level)
        if level not in self._counts:
            raise CompileError(f"'{level}' is source text, which has no operations")
        return self._counts[level]

    def dump(self) -> str:
        """The whole program on every level; each level follows a line with its number of operations of each kind."""
        parts: list[str] = []
        for level, each in self._levels.items():
            counts = self._counts.get(level)
            listed = ", ".join(f"{name} {number}" for name, number in (counts or {}).items())
            what = f"{sum(counts.values())} operations: {listed}" if counts is not None else f"{each.text.count(chr(10))} lines"
            parts.append(f"== {level}: {what}\n{each.text}")
        return "\n".join(parts)

    def _call(self, executable: Executable, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
        traced = self._traced
        if traced is None:
            return executable(*args, **kwargs)
        return joined(traced.out_tree.unflatten(executable.run(*self.arrays_of(args, kwargs))))

    def arrays_of(self, args: Sequence[Any], kwargs: dict[str, Any]) -> tuple[list[Any], dict[str, int]]:
        """The arrays that the compiled function takes, and the values of its named parameters."""
        traced = self._traced
        if traced is None:
            return list(args), kwargs
        params = {key: kwargs.pop(key) for key in traced.params if key in kwargs}
        leaves, tree = flatten((args, kwargs))
        if traced.in_tree.has_nodes:
            leaves, tree = flatten(tree.unflatten([separated(leaf) for leaf in leaves]))
        if tree != traced.in_tree:
            raise TypeError("the arguments do not nest like those that the function was lowered for")
        arrays = [leaf for leaf, settled in zip(leaves, traced.leaves, strict=True) if isinstance(settled, Spec)]
        return [*arrays, *traced.captured], params


def counted(module: ModuleOp) -> Mapping[str, int]:
    """The number of operations of each kind, in descending order; modules do not count."""
    return by_count(Counter(op.name for op in module.walk() if not isinstance(op, ModuleOp)))


def by_count(counts: Counter[str]) -> Mapping[str, int]:
    return dict(sorted(counts.items(), key=lambda each: (-each[1], each[0])))


def _changed(step: Step, ops: set[int], origins: set[int]) -> list[int]:
    """The lines of `origins` before a pass, if it changed them, or changed or made one of the `ops` after it."""
    kept = {(row.before, row.after) for row in rows_of(differences(step)) if row.kind == Kind.EQUAL}
    before = sorted({step.before.ops[op].line for op in origins})
    after = {step.after.ops[op].line for op in ops}
    if len(before) == len(after) and all(any((line, other) in kept for other in after) for line in before):
        return []
    return before
