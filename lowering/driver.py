"""Driver: runs a target's pipeline over a module, from its current level to the requested one, and emits source code.

`pipelines.py` lists the passes; this file runs them: verification after each level, users' hooks, machine-dependent pass
options, separate lowering of outlined functions, and internal errors with a reproducer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from xdsl.context import Context
from xdsl.dialects.builtin import MemRefType, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation
from xdsl.utils.arg_spec import ArgSpec

from ..ir.diagnostics import CompileError, InternalError, Note, VerifyError
from ..ir.functions.entry import check_params, check_types, is_unit
from ..ir.functions.verification import verify
from ..ir.gc_control import collection_paused
from ..ir.lazy_import import load
from ..ir.text.printer import print_module
from ..passes.manager.instruments import Instrument
from ..passes.manager.pass_manager import PassManager
from ..passes.manager.reproducer import CrashReproducer
from ..passes.rules.settings import current
from . import all_passes
from .emission.source_text import SourceText
from .machine import MACHINE_PASSES, Options
from .separate_functions import SeparateFunctions

if TYPE_CHECKING:
    from .emit_c.emit_c import CEmitter, Unit
from .pipelines import EMITTED, LANGUAGES, TARGETS, Stage


def level_of(module: ModuleOp) -> str:
    """The level of a module: "graph" while it holds graph operations or autodiff requests, "scheduled" once some loop is
    vectorized or unrolled, or some block is scheduled as a kernel. Without operations, the argument types of its functions
    decide: with tensors the level is "graph".
    """
    # Local imports: code loaded from the cache of an earlier process needs no level below the first.
    from ..dialects.cloop.base import PointerType

    names = {op.name for op in module.walk()}
    dialects = {name.partition(".")[0] for name in names}
    if dialects & {"graph", "autodiff"} or "func.call" in names:
        return "graph"
    arguments = [arg for op in module.walk() if isinstance(op, FuncOp) for arg in op.function_type.inputs]
    if "tile" in dialects:
        return "tile"
    if "cloop" in dialects or any(isinstance(kind, PointerType) for kind in arguments):
        return "cloop"
    if any(map(_is_scheduled, module.walk())):
        return "scheduled"
    if "loop" in dialects or any(isinstance(kind, MemRefType) for kind in arguments):
        return "loop"
    return "uop" if "uop" in dialects else "graph"


def _is_scheduled(op: Operation) -> bool:
    # Local import: see `level_of`.
    from ..dialects import loop

    if isinstance(op, loop.BlockOp):
        return op.warps is not None
    return isinstance(op, loop.ForOp) and op.kind.data in ("vector", "unroll")


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

    `options` are those of machine-dependent passes (`machine.py`), by default those for AVX512; their values are read only
    when the first such pass runs.

    `manager` creates the pass manager of a pipeline, for callers that print, time or trace. Without it the module is verified
    at each level (except at "scheduled", when that is an intermediate level) rather than after each pass, which would add a
    third to the compile time.

    If `ahead` is given, outlined functions are lowered from "loop" to the last level first, one by one. Each is passed to
    `ahead`, so that the C compiler runs concurrently; the module holds their bodies again when the last level is reached. The
    other translation units are passed to `ahead` at the end. If users have hooks, all functions are lowered together. `ahead`
    and `manager` exclude each other.

    Raises CompileError for a level that the target does not have, and whatever `check_types`, `check_params` and the passes
    raise.
    """
    assert ahead is None or manager is None, "a caller's pass manager must see whole modules"
    start, pending = _stages_for(module, target, until)
    end = pending[-1].level if pending else start
    make = manager or (lambda passes: PassManager.parse(passes, ctx, all_passes(), verify_each=False))

    def manager_of(passes: Sequence[str]) -> PassManager:
        return make(",".join(with_options(each, options or {}) for each in passes))

    yield start
    separate = SeparateFunctions()
    for number, stage in enumerate(pending, 1):
        passes = (*stage.passes, *hooks_after(target, stage.level))
        # A caller's pass manager runs a stage as one pipeline; otherwise machine options are read as late as possible.
        first = 0 if manager else next((k for k, each in enumerate(passes) if each in MACHINE_PASSES), 0)
        for pipeline in (passes[:first], passes[first:]):
            if pipeline:
                manager_of(pipeline).run(module)
        if stage.level == end:
            reported = separate.reattach()
            if ahead is not None:
                _report_units(
                    ahead, (each for each in module.body.block.ops if isinstance(each, FuncOp) and each not in reported)
                )
        # Skip the intermediate level "scheduled": its many operations are verified again after lowering to "cloop".
        if manager is None and (stage.level == end or stage.level != "scheduled"):
            _verify_level(module, stage.level)
        # Hooks need the whole module.
        if ahead is not None and stage.level == "loop" and not current().hooks:
            later = [each for other in pending[number:] for each in other.passes]
            separate.lower(module, manager_of(later), ahead)
        yield stage.level


def _stages_for(module: ModuleOp, target: str, until: str | None) -> tuple[str, tuple[Stage, ...]]:
    """The level of a valid module, and the stages from there to `until`, by default to the target's last level."""
    stages = TARGETS[target].stages
    levels = [stage.level for stage in stages]
    start, end = level_of(module), until or levels[-1]
    for level in (start, end):
        if level not in levels:
            raise CompileError(f"target '{target}' has no level '{level}': its levels are {', '.join(levels)}")
    if levels.index(end) < levels.index(start):
        raise CompileError(f"cannot lower from '{start}' to '{end}': lowering goes {' -> '.join(levels)}")
    if start != "cloop":  # on that level functions take pointers
        check_types(module)
    check_params(module)
    return start, stages[levels.index(start) + 1 : levels.index(end) + 1]


def _report_units(ahead: Callable[[FuncOp], None], functions: Iterable[FuncOp]) -> None:
    for unit in filter(is_unit, functions):
        ahead(unit)


def with_options(name: str, options: Options) -> str:
    """The pipeline text of a pass, with its entry in `options`, if any."""
    if name not in options:
        return name
    values = {key: value if isinstance(value, tuple) else (value,) for key, value in options[name].items()}
    return str(ArgSpec(name, {key.replace("_", "-"): value for key, value in values.items()}))


def _verify_level(module: ModuleOp, level: str) -> None:
    try:
        with collection_paused():
            verify(module)
    except VerifyError as error:
        message = f"the passes that lower to level '{level}' made invalid IR: {error.message}"
        raise InternalError(message, error.location, error.notes) from error


def hooks_after(target: str, level: str) -> tuple[str, ...]:
    """The pass that runs users' hooks for a level of a target, or nothing if there are none."""
    device = TARGETS[target].device or target
    wanted = any((hook.device, hook.level) == (device, level) for hook in current().hooks)
    return (f"on-finalize{{device={device} level={level}}}",) if wanted else ()


def emit(
    module: ModuleOp, ctx: Context, what: str, instruments: tuple[Instrument, ...] = (), options: Options | None = None
) -> str:
    """Lower a module in place and return its IR text at a level, or its source in a language (see EMITTED)."""
    target, level = EMITTED[what]
    _, stages = _stages_for(module, target, level)
    # One pipeline, so that instruments number their output consecutively.
    passes = [each for stage in stages for each in (*stage.passes, *hooks_after(target, stage.level))]
    text = ",".join(with_options(each, options or {}) for each in passes)
    PassManager.parse(text, ctx, all_passes(), instruments=instruments).run(module)
    if what == level:
        return print_module(module)
    return source(module, what, next((each for each in instruments if isinstance(each, CrashReproducer)), None)).text


def source(
    module: ModuleOp, what: str, reproducer: CrashReproducer | None = None, emitter: CEmitter | None = None
) -> SourceText:
    """The source of a module on the last level, in a language. For C, `emitter` may have printed some translation units.

    Raises the emitter's CompileError, and InternalError for any other failure, with the file that `reproducer` wrote.
    """
    try:
        with _emitting(what):
            if emitter is not None:
                return emitter.emit(module)
            place = LANGUAGES[what].emitter
            return (load(f"..{place}", __package__) if isinstance(place, str) else place)(module)
    except InternalError as failure:
        if reproducer is not None:
            failure.reproducer = reproducer.write_emission(module)
            shown = f"stepwell-opt --run-reproducer --emit={what} {failure.reproducer}"
            failure.notes = (Note(f"reproducer written to '{failure.reproducer}': {shown}"),)
        raise


def unit_source(function: FuncOp, emitter: CEmitter) -> Unit:
    """The C of a translation unit that was lowered before the remainder of its module. Raises the errors of `source`."""
    with _emitting("c"):
        return emitter.emit_unit(function)


def c_emitter() -> CEmitter:
    """A new emitter of C."""
    # Local import: a target needs only its own emitter.
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
        # As in a pass, any other exception is a compiler bug, reported with a reproducer.
        raise InternalError(f"emitting {what} failed: {type(error).__name__}: {error}") from error
