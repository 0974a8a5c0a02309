"""Everything that goes down a level: the conversions, the emitters, and the pipelines made of them.

A lowering is one file and one line here: its name, and where its class is. Files are only imported when a pipeline
names the lowering.
"""

from __future__ import annotations

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


def all_passes() -> Registry:
    """Every pass that a pipeline can name."""
    # Imported here, so that the names alone (as the driver's help needs them) cost no import of xDSL.
    from ..passes.manager.registry import Registry

    return Registry(TABLES)
