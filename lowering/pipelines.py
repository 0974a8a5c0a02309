"""The compiler on one page: for each target the levels, and the passes that lead to each.

A level is where a program can enter, be printed, and be looked at. Each line is a pass with the reason why it stands there.
Options that depend on the machine, such as sizes of blocks, are not here but in `machine.py`, by the names of passes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from xdsl.context import Context
from xdsl.dialects.builtin import MemRefType, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.utils.arg_spec import ArgSpec

from ..ir.diagnostics import CompileError, InternalError, Note, VerifyError
from ..ir.functions.entry import check_params, check_types, is_unit
from ..ir.gc_control import collection_paused
from ..ir.text.printer import print_module
from ..ir.verification import verify
from ..passes.manager.instruments import Instrument
from ..passes.manager.pass_manager import PassManager
from ..passes.manager.reproducer import CrashReproducer
from ..passes.rules.settings import current
from . import all_passes
from .detached import Apart
from .emission.source_text import SourceText
from .machine import MACHINE_PASSES, Options

if TYPE_CHECKING:
    from .emit_c.emit_c import CEmitter, Unit


class Stage(NamedTuple):
    """A level, and the passes that lead to it from the level before."""

    level: str
    passes: tuple[str, ...]


# The same for all targets; what lies between them, and what follows, may depend on the target.
MICRO_OPS = (
    "inline-calls",  # composites become the operations that they stand for
    "lower-graph-to-uop",  # each operation becomes a few micro-ops
    "cse",  # expansions repeat broadcasts and index arithmetic of their neighbours, and rules look for values used twice
)
GRADIENTS = (
    "uop-grad",  # gradients are micro-ops like others: what follows sees forward and backward as one program
    "cse",  # gradients repeat what the forward program computes
)

CPU: tuple[Stage, ...] = (
    Stage("graph", ()),
    Stage(
        "uop",
        (
            *MICRO_OPS,
            "rewrite-rules{device=cpu}",  # formulas that overflow or lose digits, however they were spelled
            *GRADIENTS,
            "rewrite-rules{device=cpu}",  # gradients have formulas of their own
            "uop-divide",  # products by groups and phases, which forward and backward passes make, are tiled by what follows
            "uop-trim",  # scans are made with all that a gradient could ask for
            "dce",  # expansions also compute what nobody asked for, as the mean beside a variance
        ),
    ),
    Stage(
        "loop",
        (
            "specialize-sizes",  # loops over windows of 3 are short: written out, they share what they load
            "lower-uop-to-loop{accumulate=float64}",  # a nest for each micro-op; CPUs add doubles as fast as they load floats
            "loop-simplify",  # axes of size 1 need no loops, which would keep nests from matching
            "loop-inline{epilogues=1}",  # elementwise producers and index maps disappear into readers, ends of products do not
            "loop-simplify",  # composed index maps are shorter than their parts, and some of their guards always hold
            "loop-donate",  # before nests share loops, so that what overwrites an argument stays behind what reads it
            "loop-fuse",  # nests that share data share loops, so that data is met while it is in the cache
            "loop-forward",  # what one fused loop stores and loads again stays in a register
            "loop-shrink",  # what is left of temporaries inside one nest needs no more room than an iteration
            "loop-stream",  # what lies between two contractions stays in the cache, a strip of rows at a time
            "cse",  # fused nests compute the same things side by side
            "dce",  # values that were only stored to temporaries now gone
            "loop-share",  # layers that differ in their sizes alone are scheduled and compiled once
            "loop-outline",  # a C compiler works on what is lowered, while the rest of a long program still is being
        ),
    ),
    Stage(
        "scheduled",
        (
            "loop-collapse",  # one long walk over memory has one rest to do, many short ones have many
            "loop-split-reduction",  # a sum of everything would run on one thread
            "loop-tile-windows",  # panels of windows would hold each element once for every window that it is in
            "loop-pad",  # windows that reach over the border would ask at every element whether they do
            "loop-tile-contractions",  # operands that are used again and again stay in the caches and registers
            "loop-simplify",  # sizes that are known leave loops over blocks that run once, and branches that are never taken
            "loop-hoist",  # what tiles and rows share is computed once for them; vectors want nothing else in their loops
            "loop-split-quotients",  # which window an element is in is a division of its index, for each element
            "loop-split-remainders",  # rolled and tiled arrays divide the index of each element, too
            "loop-split-guards",  # padding is met at the borders alone
            "loop-interchange",  # sums down columns walk along rows
            "loop-vectorize-scans",  # scans wait for themselves; vectors of them wait once for all their lanes
            "loop-jam",  # other loops that carry values: several rows at once need not wait
            "loop-online",  # rows longer than the cache are read for their maximum, and again for the sum below it
            "loop-online-squares",  # and for their mean, and again for distances from it
            "loop-jam-windows",  # windows of neighbouring rows read the same elements, and can load them once
            "loop-transpose",  # rows that become columns would touch a line of the cache for each element
            "loop-vectorize",  # last of the loops' changes: only innermost loops that walk along memory
            "loop-multiply-add",  # sums that vectors hold whole, as of windows, are half multiplications
            "loop-unroll-windows",  # written out side by side, windows of neighbouring rows load what they share once
            "loop-hoist",  # what all vectors and unrolled windows of a loop share
            "loop-hoist-steps",  # weights are packed for the first step, and are the same in all others
            "loop-prefetch",  # rows that are walked over again leave memory idle meanwhile, and no processor foresees all walks
            "loop-simplify",  # tiles and vectors have made new index arithmetic and guards that hold
            "cse",  # vectors load what their neighbours load
            "dce",  # and leave the originals of what they copied
        ),
    ),
    Stage(
        "cloop",
        (
            "lower-loop-to-cloop",  # buffers become pointers, loops C's loops
            "cloop-transpose",  # columns of tiles lane by lane take longer than memory does
            "cloop-plan-memory",  # fresh memory costs page faults at each call; temporaries that never meet can share theirs
            "cloop-stream-stores",  # large results push out of the caches what is still to be read, and are not read from there
            "cloop-outline",  # a C compiler works on one processor; for a long program there are as many as processors
            "cloop-outline-tiles",  # a C compiler looks at tiles again for each loop around them
            "cloop-hoist",  # a C compiler may not move a division out of a loop that might not run
        ),
    ),
)

GPU: tuple[Stage, ...] = (
    Stage("graph", ()),
    Stage(
        "uop",
        (
            *MICRO_OPS,
            "rewrite-rules{device=cuda}",  # as on the CPU; rules may be for one kind of device
            *GRADIENTS,
            "rewrite-rules{device=cuda}",  # as on the CPU
            "uop-divide",  # as on the CPU
            "uop-trim",  # as on the CPU
            "dce",  # as on the CPU
        ),
    ),
    Stage(
        "loop",
        (
            "lower-uop-to-loop{accumulate=float32}",  # tensor cores and float32 units; doubles are slow on GPUs
            "loop-inline{sliding=4}",  # as on the CPU, windows too: a kernel for each block that is left
        ),
    ),
    Stage("scheduled", ()),
    Stage("tile", ("lower-loop-to-tile",)),  # a kernel for each block, a launch plan for the whole
)

PIPELINES: Mapping[str, tuple[Stage, ...]] = MappingProxyType(
    {
        "cpu": CPU,
        "cuda": GPU,
        "triton-interpret": GPU,
        # What was written, without rules.
        "interpret": (Stage("graph", ()), Stage("uop", (*MICRO_OPS, *GRADIENTS, "uop-trim", "dce"))),
    }
)
TARGETS = tuple(PIPELINES)
# The target whose hooks a target has where that is not itself: the interpreter shows what the kernels for GPUs do.
HOOKED_AS: Mapping[str, str] = MappingProxyType({"triton-interpret": "cuda"})

# What `emit` prints, with the target whose pipeline leads there and the level that it is printed from.
EMITTED: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "graph": ("cpu", "graph"),
        "uop": ("cpu", "uop"),
        "loop": ("cpu", "loop"),
        "scheduled": ("cpu", "scheduled"),
        "cloop": ("cpu", "cloop"),
        "c": ("cpu", "cloop"),
        "tile": ("cuda", "tile"),
        "triton": ("cuda", "tile"),
    }
)


def level_of(module: ModuleOp) -> str:
    """The level that a module is on: graph while any of it or a mark is there. Loops are scheduled when some run in vectors.

    A module without operations is told by the types of its functions' arguments; with tensors it can go the whole way.
    """
    # Imported here: code that is kept from an earlier process needs no level below the first.
    from ..dialects import loop
    from ..dialects.cloop.base import PointerType

    names = {op.name for op in module.walk()}
    dialects = {name.partition(".")[0] for name in names}
    if dialects & {"graph", "mark"} or "func.call" in names:
        return "graph"
    arguments = [arg for op in module.walk() if isinstance(op, FuncOp) for arg in op.function_type.inputs]
    if "tile" in dialects:
        return "tile"
    if "cloop" in dialects or any(isinstance(kind, PointerType) for kind in arguments):
        return "cloop"
    if any(isinstance(op, loop.ForOp) and op.kind.data in ("vector", "unroll") for op in module.walk()):
        return "scheduled"
    if "loop" in dialects or any(isinstance(kind, MemRefType) for kind in arguments):
        return "loop"
    return "uop" if "uop" in dialects else "graph"


def lower(
    module: ModuleOp,
    ctx: Context,
    target: str,
    *,
    until: str | None = None,
    manager: Callable[[str], PassManager] | None = None,
    options: Options | None = None,
    ahead: Callable[[FuncOp], None] | None = None,
) -> Iterator[str]:
    """Lower `module` in place from its level to `until` (by default the target's last level), yielding each level reached.

    `options` are those of passes that depend on the machine (`machine.py`), by default those for AVX512; their values are
    asked for when these passes' turn comes.

    `manager` makes the pass manager of a pipeline, for callers that print, time or trace. Without it nobody looks on, and the
    module is verified where it reaches a level, but for "scheduled" on the way, instead of after each pass, which would take a
    third of the time. With `ahead`, which goes with no manager, functions that are called for sizes of their own go the rest of
    the way from "loop" before the others, one by one, and `ahead` is told when one is there; until the end what they hold is
    not in the module. Where users have hooks, they go with the others. At the end `ahead` is told of the other units.

    Raises CompileError for a level that the target does not have, what `check_types` and `check_params` raise, and what the
    passes do.
    """
    stages = PIPELINES[target]
    levels = [stage.level for stage in stages]
    start, end = level_of(module), until or levels[-1]
    for level in (start, end):
        if level not in levels:
            raise CompileError(f"target '{target}' has no level '{level}': its levels are {', '.join(levels)}")
    if levels.index(end) < levels.index(start):
        raise CompileError(f"the module is on the level '{start}', which is below '{end}': nothing leads up again")
    assert ahead is None or manager is None, "who looks on sees whole modules"
    if start != "cloop":  # where functions take pointers
        check_types(module)
    check_params(module)
    make = manager or (lambda passes: PassManager.parse(passes, ctx, all_passes(), verify_each=False))

    def manager_of(passes: Sequence[str]) -> PassManager:
        return make(",".join(with_options(each, options or {}) for each in passes))

    yield start
    apart = Apart()
    pending = stages[levels.index(start) + 1 : levels.index(end) + 1]
    for number, stage in enumerate(pending, 1):
        passes = (*stage.passes, *hooks_after(target, stage.level))
        # Whoever looks on sees a stage as one pipeline.
        first = 0 if manager else next((k for k, each in enumerate(passes) if each in MACHINE_PASSES), 0)
        for part in (passes[:first], passes[first:]):
            if part:
                manager_of(part).run(module)
        if stage.level == end:
            told = apart.put_back()
            if ahead is not None:
                _tell(ahead, (each for each in module.body.block.ops if isinstance(each, FuncOp) and each not in told))
        # Vectors and tiles are many operations, all of which are verified again as what becomes of them.
        if manager is None and (stage.level == end or stage.level != "scheduled"):
            _verify_level(module, stage.level)
        # Hooks are shown the whole module.
        if ahead is not None and stage.level == "loop" and not current().hooks:
            later = [each for other in pending[number:] for each in other.passes]
            apart.lower(module, manager_of(later), ahead)
        yield stage.level


def _tell(ahead: Callable[[FuncOp], None], functions: Iterable[FuncOp]) -> None:
    for unit in filter(is_unit, functions):
        ahead(unit)


def with_options(name: str, options: Options) -> str:
    """A pass of a pipeline as text, with the options that it has for a machine."""
    if name not in options:
        return name
    values = {key: value if isinstance(value, tuple) else (value,) for key, value in options[name].items()}
    return str(ArgSpec(name, {key.replace("_", "-"): value for key, value in values.items()}))


def _verify_level(module: ModuleOp, level: str) -> None:
    try:
        with collection_paused():
            verify(module)
    except VerifyError as error:
        message = f"the passes that lead to the level '{level}' made invalid IR: {error.message}"
        raise InternalError(message, error.location, error.notes) from error


def hooks_after(target: str, level: str) -> tuple[str, ...]:
    """The pass that runs the hooks which users added for a level of a target, where there are any."""
    device = HOOKED_AS.get(target, target)
    wanted = any((hook.device, hook.level) == (device, level) for hook in current().hooks)
    return (f"on-finalize{{device={device} level={level}}}",) if wanted else ()


def emit(
    module: ModuleOp, ctx: Context, what: str, instruments: tuple[Instrument, ...] = (), options: Options | None = None
) -> str:
    """The text of a module at one of the levels, or its C or Triton source. The module is lowered in place, as `lower` does."""
    target, level = EMITTED[what]

    def manager(passes: str) -> PassManager:
        return PassManager.parse(passes, ctx, all_passes(), instruments=instruments)

    for _ in lower(module, ctx, target, until=level, manager=manager, options=options):
        pass
    if what not in ("c", "triton"):
        return print_module(module)
    return source(module, what, next((each for each in instruments if isinstance(each, CrashReproducer)), None)).text


def source(
    module: ModuleOp, what: str, reproducer: CrashReproducer | None = None, emitter: CEmitter | None = None
) -> SourceText:
    """The C or Triton source of a module on the last level; of C by an `emitter` that has printed units of it already, if any.

    Raises the emitter's CompileError, and InternalError for anything else that goes wrong there, with what `reproducer` wrote.
    """
    try:
        with _emitting(what):
            return emitter.emit(module) if emitter is not None else _emitter(what)(module)
    except InternalError as failure:
        if reproducer is not None:
            failure.reproducer = reproducer.write_emission(module)
            shown = f"stepwell-opt --run-reproducer --emit={what} {failure.reproducer}"
            failure.notes = (Note(f"reproducer written to '{failure.reproducer}': {shown}"),)
        raise


def unit_source(function: FuncOp, emitter: CEmitter) -> Unit:
    """The C of a unit that is on the last level before the rest of its module is. Raises what `source` does."""
    with _emitting("c"):
        return emitter.emit_unit(function)


def c_emitter() -> CEmitter:
    """What prints C."""
    # Imported here, as emitters are.
    from .emit_c.emit_c import CEmitter

    return CEmitter()


@contextmanager
def _emitting(what: str) -> Iterator[None]:
    try:
        with collection_paused():
            yield
    except CompileError:
        raise
    except Exception as error:
        # As in a pass, whatever else is raised is a bug of the compiler: it is reported with the means to see it again.
        raise InternalError(f"emitting {what} failed: {type(error).__name__}: {error}") from error


def _emitter(what: str) -> Callable[[ModuleOp], SourceText]:
    # Imported here: each target needs one of them.
    if what == "c":
        return c_emitter().emit
    from .emit_triton.emit_triton import emit_triton

    return emit_triton
