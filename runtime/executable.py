"""From a module on any level to a callable: lowering, compilation, and the choice of a runtime."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Protocol

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from ..dialects import make_context
from ..ir.copies import CopiedAsItself
from ..ir.diagnostics import CompileError, did_you_mean
from ..ir.functions.entry import entry_function
from ..ir.functions.verification import verify
from ..ir.gc_control import collection_paused
from ..ir.lazy_import import load
from ..ir.text.parser import parse_module
from ..lowering import all_passes
from ..lowering.driver import lower
from ..lowering.pipelines import ALIASES, TARGETS
from ..passes.manager.pass_manager import PassManager
from .boundary.arrays import HostBoundary
from .boundary.signature import Signature
from .cache.emitted_code import Code, kept_code, line_directives
from .compile_notice import compile_notice
from .override import LevelFiles
from .toolchain.host import LateOptions


class Program(Protocol):
    """Code that runs: it takes contiguous arrays and the values of the signature's parameters, and returns fresh arrays."""

    @property
    def signature(self) -> Signature: ...

    @property
    def boundary(self) -> HostBoundary: ...

    def run(self, arrays: Sequence[Any], values: Sequence[int]) -> list[Any]: ...


class Executable(CopiedAsItself):
    """A compiled function of arrays: `executable(x, y, kh=3)` gives an array, or a tuple of them."""

    def __init__(self, program: Program):
        self.program = program
        self.signature = program.signature

    def __call__(self, *arguments: Any, **params: int) -> Any:
        """Run on NumPy arrays or torch tensors (results are of the same kind).

        Raises TypeError for a wrong number of arguments or a wrong dtype, ValueError for sizes that do not fit.
        """
        results = self.run(arguments, params)
        return results[0] if len(results) == 1 else tuple(results)

    def run(self, arguments: Sequence[Any], params: dict[str, int]) -> list[Any]:
        """The results as a list."""
        expected = self.signature.inputs
        if len(arguments) != len(expected):
            names = ", ".join(parameter.name for parameter in expected)
            raise TypeError(f"expected {len(expected)} arguments ({names}), got {len(arguments)}")
        boundary = self.program.boundary
        arrays = [boundary.take(given, each.name, each.dtype) for given, each in zip(arguments, expected, strict=True)]
        values = self.signature.bind([array.shape for array in arrays], params)
        return boundary.give(self.program.run(arrays, values), arguments)


def compile_module(
    module: ModuleOp | str, *, target: str = "cpu", pipeline: str | None = None, ctx: Context | None = None
) -> Executable:
    """Compile a module, given as IR or as text at any level, to a callable.

    `pipeline` is run on the module first, then the remaining passes of the target's own pipeline. The module itself is not
    changed. Raises CompileError for malformed text, an unknown target, or a level that the target's pipeline does not have.
    """
    if not isinstance(module, ModuleOp | str):
        raise TypeError(f"expected a module or its text, got {type(module).__name__}")
    ctx = ctx or make_context()
    check_target(target)
    work = parse_module(module, ctx) if isinstance(module, str) else module.clone()
    verify(work)  # no pass verifies a module that is on the target's last level already
    if pipeline:
        PassManager.parse(pipeline, ctx, all_passes()).run(work)
    return Executable(build_program(work, ctx, target, Signature.of(entry_function(work))))


@collection_paused()  # during all passes, and until compilers run: see `collection_resumed`
def build_program(module: ModuleOp, ctx: Context, target: str, signature: Signature, only_expected: bool = False) -> Program:
    """Lower `module` for the target, and make the program that runs it. The module may be changed.

    With `only_expected` the code may be only for the sizes of windows in the first call; the program's signature then has these
    sizes.
    """
    if calls_host(module):
        return host_program(module, ctx, target, signature)
    with compile_notice(entry_function(module).sym_name.data) as note:
        return _build(module, ctx, target, signature, only_expected, note)


def _build(
    module: ModuleOp, ctx: Context, target: str, signature: Signature, only_expected: bool, note: Callable[[str], None]
) -> Program:
    options = LateOptions(target, {"specialize-sizes": {"only": True}} if only_expected else {})
    files = LevelFiles.of(module, target)
    if files is not None:
        for level in lower(module, ctx, target, options=options):
            note(f"level {level}")
            files.level(level, module, ctx)
        return program_of(module, target, signature, files)

    def lowered(ahead: Callable[[FuncOp], None] | None = None) -> ModuleOp:
        for level in lower(module, ctx, target, options=options, ahead=ahead):
            note(f"level {level}")
        return module

    if target != "cpu":
        return program_of(lowered(), target, signature)
    from .cpu.background import Ahead
    from .cpu.program import CpuProgram

    with Ahead() as ahead:
        # Units compiled ahead have no line directives.
        start = None if line_directives() else ahead.start
        code = kept_code(module, options, lambda: Code.of(lowered(start), ahead.emitter), options.settled)
        note("C compiler")
        return CpuProgram(code, replace(signature, sizes=code.sizes, requires=code.requires), ahead.begun)


def use_graphs(program: Program) -> None:
    """Let a program for GPUs record the launches of repeated calls. Raises CompileError if the program can not."""
    use = getattr(program, "use_graphs", None)
    if use is None:
        raise CompileError("sw.jit(graph=True): the program calls Python functions, which a graph cannot record")
    use()


def host_program(module: ModuleOp, ctx: Context, target: str, signature: Signature) -> Program:
    """The program of a module that calls functions of the host: its micro-ops are split at the calls."""
    from .host.program import HostProgram
    from .host.segments import split

    for _ in lower(module, ctx, target, until="uop"):
        pass

    def build(segment: ModuleOp) -> Program:
        return build_program(segment, ctx, target, Signature.of(entry_function(segment)))

    return HostProgram(split(module), replace(signature, donated=()), build)


def calls_host(module: ModuleOp) -> bool:
    """Whether a program calls functions of the host."""
    return any(op.name == "host.call" for op in module.walk())


def program_of(module: ModuleOp, target: str, signature: Signature, files: LevelFiles | None = None) -> Program:
    """The program of a module that is on the target's last level; `files` may replace its code by an edited file. Raises
    CompileError if a package that it needs to run is missing."""
    place = TARGETS[target].program
    make = load(f"..{place}", __package__) if isinstance(place, str) else place
    return make(module, target, signature, files.emitted if files is not None else None)


def check_target(target: str) -> None:
    """Raise CompileError for an unknown target."""
    if target not in TARGETS:
        hint = did_you_mean(ALIASES.get(target, target), TARGETS)
        raise CompileError(f"unknown target '{target}'{hint} (the targets are {', '.join(TARGETS)})")
