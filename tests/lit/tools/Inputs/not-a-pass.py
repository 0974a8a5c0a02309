"""A pass without the decorator that makes it a dataclass."""

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass


class Plain(ModulePass):
    name = "plain"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        pass


PASSES = (Plain,)
