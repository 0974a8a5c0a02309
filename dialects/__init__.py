"""The dialects, one a level of the compiler, and the context that loads them.

A dialect is one module or package and one line here; it is imported when a program uses it.
"""

from __future__ import annotations

from functools import partial

from xdsl.context import Context

from ..ir.lazy_import import load
from ..ir.plugins import PluginContext

# The definition of each dialect, "module:name"; a leading dot means this package.
DIALECTS: tuple[tuple[str, str], ...] = (
    ("graph", ".graph:Graph"),
    ("autodiff", ".autodiff:Autodiff"),
    ("host", ".host:Host"),
    ("uop", ".uop:Uop"),
    ("loop", ".loop:Loop"),
    ("cloop", ".cloop:Cloop"),
    ("tile", ".tile:Tile"),
    ("sw", "..ir.types.shapes:Sw"),
)

# The levels from the top down; a lowering removes all operations of its level and of those above.
LEVELS = ("graph", "uop", "loop", "cloop", "tile")

# xDSL's own dialects that input programs may contain.
SHARED_DIALECTS: tuple[tuple[str, str], ...] = (
    ("builtin", "xdsl.dialects.builtin:Builtin"),
    ("func", "xdsl.dialects.func:Func"),
    ("arith", "xdsl.dialects.arith:Arith"),
    ("math", "xdsl.dialects.math:Math"),
    ("scf", "xdsl.dialects.scf:Scf"),
    ("cf", "xdsl.dialects.cf:Cf"),
    ("memref", "xdsl.dialects.memref:MemRef"),
    ("tensor", "xdsl.dialects.tensor:Tensor"),
    ("vector", "xdsl.dialects.vector:Vector"),
    ("affine", "xdsl.dialects.affine:Affine"),
)


def make_context(allow_unregistered: bool = False) -> Context:
    """A context of all dialects, those of plugins too, each loaded at first use."""
    context = PluginContext(allow_unregistered=allow_unregistered)
    for name, place in SHARED_DIALECTS + DIALECTS:
        context.register_dialect(name, partial(load, place, __name__))
    return context
