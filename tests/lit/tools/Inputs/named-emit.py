"""A plugin with a pass that has the name of an option."""

from dataclasses import dataclass

from xdsl.passes import ModulePass


@dataclass(frozen=True)
class Emit(ModulePass):
    name = "emit"

    def apply(self, ctx, op):
        pass


PASSES = (Emit,)
