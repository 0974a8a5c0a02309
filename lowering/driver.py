"""The driver: runs a target's pipeline over a module, from the level where it enters to the one that is asked for, and emits.

`pipelines.py` says which passes run; this file says how: verification where a level is reached, users' hooks after it, options
for the machine, detached lowering of outlined functions, and internal errors with a reproducer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from xdsl.context import Context
from xdsl.dialects.builtin import MemRefType, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.utils.arg_spec import ArgSpec

from ..ir.diagnostics import CompileError, InternalError, Note, VerifyError
from ..ir.functions.entry import check_params, check_types, is_unit
from ..ir.functions.verification import verify
from ..ir.gc_control import collection_paused
from ..ir.text.printer import print_module
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
from .pipelines import EMITTED, HOOKED_AS, PIPELINES


def level_of(module: ModuleOp) -> str:
    """The level that a module is on: graph while any of it or a mark is there. Loops are scheduled when some run in vectors.

    A module without operations is told by the types of its functions' arguments; with tensors it can go the whole way.
    """
    # Imported here: code that is kept from an earlier process needs no level below the first.
    from ..dialects import loop
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
