"""Pipelines without some of their passes: each pass that only makes programs faster can be left out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ...dialects import make_context
from ...ir.diagnostics import CompileError
from ...ir.functions.entry import entry_function
from ...lowering.driver import lower
from ...passes.manager.pass_manager import PassManager
from ...passes.manager.pipeline import Nest, parse_pipeline, passes_of
from ...passes.manager.registry import Registry, illegal_after
from ...runtime.boundary.signature import Signature
from ...runtime.executable import Executable, program_of
from ...runtime.toolchain.host import target_options

# The passes that a program needs besides those that lower it to another level.
NEEDED = ("inline", "uop-grad", "on-finalize", "loop-distribute", "loop-map-to-tiles", "cloop-plan-memory")


@dataclass
class Skipping:
    """Compiles a module with some of its optional passes.

    `first` is run before the target's own passes. `names` are the optional passes of the last compile, in order.
    """

    module: ModuleOp
    target: str
    registry: Registry
    first: Nest
    names: list[str] = field(default_factory=list[str])

    def compiled(self, wanted: Callable[[int], bool]) -> Executable:
        """The module compiled with the optional passes whose number, from 0, is wanted."""
        module = self.module
        for _, lowered in self.levels(wanted):
            module = lowered
        return Executable(program_of(module, self.target, Signature.of(entry_function(self.module))))

    def levels(self, wanted: Callable[[int], bool]) -> Iterator[tuple[str, ModuleOp]]:
        """The levels, each with a copy of the module that is lowered to it, with the optional passes whose number is wanted."""
        ctx, module = make_context(), self.module.clone()
        self.names.clear()

        def manager(pipeline: Nest) -> PassManager:
            return PassManager(self._without(pipeline, wanted), ctx)

        manager(self.first).run(module)
        if Signature.of(entry_function(module)).types != Signature.of(entry_function(self.module)).types:
            raise CompileError(f"'{self.first}' changes the types of the program's arguments or results")
        options = target_options(self.target)
        for level in lower(module, ctx, self.target, manager=lambda text: manager(self._parsed(text)), options=options):
            yield level, module

    def _parsed(self, text: str) -> Nest:
        return parse_pipeline(text, self.registry)

    def _without(self, nest: Nest, wanted: Callable[[int], bool]) -> Nest:
        kept: list[ModulePass | Nest] = []
        for each in nest.elements:
            if isinstance(each, Nest):
                kept.append(self._without(each, wanted))
            elif self._runs(each, wanted):
                kept.append(each)
        return Nest(nest.anchor, tuple(kept))

    def _runs(self, pass_: ModulePass, wanted: Callable[[int], bool]) -> bool:
        if is_needed(pass_):
            return True
        self.names.append(pass_.name)
        return wanted(len(self.names) - 1)


def is_needed(pass_: ModulePass) -> bool:
    """Whether programs need a pass."""
    return bool(illegal_after(pass_)) or pass_.name in NEEDED


def without_pass(nest: Nest, number: int) -> Nest:
    """A pipeline without its pass of this number, from 0."""
    kept: list[ModulePass | Nest] = []
    for each in nest.elements:
        count = sum(1 for _ in passes_of(each)) if isinstance(each, Nest) else 1
        if not 0 <= number < count:
            kept.append(each)
        elif isinstance(each, Nest) and count > 1:
            kept.append(without_pass(each, number))
        number -= count
    return Nest(nest.anchor, tuple(kept))
