"""The result of `sw.lower` for a function that calls functions of the host: each segment between the calls is lowered on its
own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import ModuleOp

from ...dialects import make_context
from ...ir.functions.entry import entry_function
from ...ir.functions.verification import Verified
from ...ir.locations import Frame
from ...lowering import all_passes
from ...lowering.driver import lower
from ...lowering.emission.source_text import SourceText
from ...lowering.pipelines import LANGUAGES, TARGETS
from ...passes.manager.pass_manager import PassManager
from ...passes.rules.rewrite_rules import Firings
from ...passes.trace.recording import Trace
from ...runtime.boundary.signature import Signature
from ...runtime.executable import Executable, Program
from ...runtime.host.program import HostProgram
from ...runtime.host.segments import Segment, split
from ..calls.traced import Traced
from ..reports.levels import KnownLevel, Level, level_of
from ..reports.profiles import Timed
from ..reports.stored_temporaries import StoredTemporaries
from ..reports.structure import Structure
from .function import Lowered, LoweredTrace, by_count, counted
from .memory import bind_sizes

if TYPE_CHECKING:
    from ..reports.costs import ProgramCost


class LoweredSegments(Lowered):
    """A function that calls functions of the host, lowered for a target. Below "uop", the text of a level is the text of each
    segment between these calls, in order."""

    def __init__(self, module: ModuleOp, target: str, signature: Signature, *, trace: bool = True, traced: Traced):
        ctx = make_context()
        self._traced, self.target, self.signature = traced, target, signature
        recorded, firings = Trace(texts=True), Firings()
        instruments, verified = [firings, recorded] if trace else [firings], Verified()

        def manager(passes: str) -> PassManager:
            return PassManager.parse(passes, ctx, all_passes(), instruments=instruments, verified=verified)

        self._levels, self._counts = {}, {}
        marks: dict[str, int] = {}
        for name in lower(module, ctx, target, until="uop", manager=manager):
            self._levels[name] = level_of(name, module, recorded, trace)
            self._counts[name] = counted(module)
            marks[name] = len(recorded.steps)
        self._plan = split(module)
        modules = [step.module for step in self._plan.steps if isinstance(step, Segment)]
        self.segments = [Lowered(each, target, Signature.of(entry_function(each)), trace=trace, ctx=ctx) for each in modules]
        below = [level for each in self.segments[:1] for level in each.levels if level not in self._levels]
        for name in below:
            self._levels[name] = _joined(name, [each._levels[name] for each in self.segments])
            counts = [each._counts[name] for each in self.segments if name in each._counts]
            if counts:
                self._counts[name] = by_count(sum(map(Counter, counts), Counter[str]()))
        self._emitted = _joined_source([each._emitted for each in self.segments], target)
        self.trace = LoweredTrace(list(self._levels.values()), recorded, {}, marks)
        self.rewrites = dict(firings.counts)
        self._executable = None

    def _name(self) -> str:
        return self._plan.function.sym_name.data

    def structure(self) -> Structure:
        """The sums over the segments."""
        found = [each.structure() for each in self.segments]
        ranks = tuple(rank for each in found for rank in each.ranks)
        private = tuple(rank for each in found for rank in each.private)
        return Structure(sum(each.blocks for each in found), sum(each.temporaries for each in found), ranks, private)

    def stored(self) -> StoredTemporaries:
        """The temporaries of all segments."""
        return StoredTemporaries(one for each in self.segments for one in each.stored())

    def memory(self, *, threads: int | None = None, **sizes: int) -> int:
        """The most bytes that a segment allocates besides its arguments and results."""
        hints = self._traced.sizes.hints if self._traced is not None else {}
        values = bind_sizes(self.signature.params, sizes, hints)
        own = [{name: values[name] for name in each.signature.params} for each in self.segments]
        return max((each.memory(threads=threads, **mine) for each, mine in zip(self.segments, own, strict=True)), default=0)

    def cost(self, *, threads: int = 1, machine: str | None = None, **sizes: int) -> ProgramCost:
        # Local import: few programs ask for their costs.
        from ..reports.costs import joined

        hints = self._traced.sizes.hints if self._traced is not None else {}
        values = bind_sizes(self.signature.params, sizes, hints)
        own = [{name: values[name] for name in each.signature.params} for each in self.segments]
        parts = [each.cost(threads=threads, machine=machine, **mine) for each, mine in zip(self.segments, own, strict=True)]
        return joined(parts, values, threads)

    def resources(self, gpu: str | int | None = None, **sizes: int) -> list[Any]:
        return [kernel for each in self.segments for kernel in each.resources(gpu, **sizes)]

    def executable(self) -> Executable:
        if self._executable is None:
            programs = {id(each._module): each.executable().program for each in self.segments}
            self._executable = self._run_by(programs)
        return self._executable

    def _timed(self) -> tuple[list[Timed], Executable]:
        made = [(each, *each._timed()) for each in self.segments]
        programs = {id(each._module): executable.program for each, _, executable in made}
        return [timed for _, timers, _ in made for timed in timers], self._run_by(programs)

    def _run_by(self, programs: Mapping[int, Program]) -> Executable:
        """The function, with its segments run by `programs`, which has a program for the identity of each segment's module."""
        return Executable(HostProgram(self._plan, self.signature, lambda module: programs[id(module)]))


def _joined(name: str, levels: Sequence[Level]) -> Level:
    """The level of all segments, each under a line with its number."""
    text, lines, outputs = "", dict[int, tuple[Frame, ...]](), dict[int, tuple[Frame, ...]]()
    for number, level in enumerate(levels):
        text += f"{LANGUAGES[name].comment if name in LANGUAGES else '//'} segment {number}\n"
        before = text.count("\n")
        lines.update({before + line: found for line, found in level.lines.items()})
        outputs.update({before + line: found for line, found in level.outputs.items()})
        text += level.text
    return KnownLevel(name, text, lines, outputs)


def _joined_source(sources: Sequence[SourceText | None], target: str) -> SourceText | None:
    """The source of all segments; None if the target emits no source."""
    language = TARGETS[target].language
    if not language:
        return None
    made = SourceText()
    for number, each in enumerate(sources):
        made.lines.append((f"{LANGUAGES[language].comment} segment {number}", None))
        made.lines += each.lines if each is not None else []
    return made
