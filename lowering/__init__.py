"""Conversions between levels, the emitters, and the pipelines built from them.

A conversion pass is one file and one line here: its name, and the module and class that define it. A file is imported only
when a pipeline names its pass.
"""

from __future__ import annotations

from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING

from ..passes import PASSES

if TYPE_CHECKING:
    from ..passes.manager.registry import Registry

LOWERINGS: tuple[tuple[str, str], ...] = (
    ("lower-graph-to-uop", ".graph_to_uop.lower_graph_to_uop:LowerGraphToUop"),
    ("lower-uop-to-loop", ".uop_to_loop.lower_uop_to_loop:LowerUopToLoop"),
    ("lower-loop-to-cloop", ".loop_to_cloop.lower_loop_to_cloop:LowerLoopToCloop"),
    ("lower-loop-to-tile", ".loop_to_tile.lower_loop_to_tile:LowerLoopToTile"),
)

TABLES = MappingProxyType({f"{__name__.rpartition('.')[0]}.passes": PASSES, __name__: LOWERINGS})


@cache
def all_passes() -> Registry:
    """The registry of all passes that a pipeline can name."""
    # Local import: listing the names, as the driver's help does, then does not import xDSL.
    from ..passes.manager.registry import Registry

    return Registry(TABLES)
