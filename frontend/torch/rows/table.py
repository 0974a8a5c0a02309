"""The table of all ATen operations that are compiled."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

from .creation import CREATION
from .elementwise import ELEMENTWISE
from .embedding_bags import EMBEDDING_BAGS
from .indexing import INDEXING
from .kernels import KERNELS
from .neural import NEURAL
from .recurrent import RECURRENT
from .reductions import REDUCTIONS
from .resampling import RESAMPLING
from .row import Row, Rows
from .sorting import SORTING
from .transformers import TRANSFORMERS
from .views import VIEWS
from .windows import WINDOWS

ROWS: Rows = MappingProxyType(
    {
        **KERNELS,
        **ELEMENTWISE,
        **REDUCTIONS,
        **VIEWS,
        **CREATION,
        **INDEXING,
        **EMBEDDING_BAGS,
        **NEURAL,
        **RECURRENT,
        **SORTING,
        **TRANSFORMERS,
        **WINDOWS,
        **RESAMPLING,
    }
)


def row_of(target: Any) -> Row | None:
    """The row of an operation; None if there is none. ATen's are in the table without `aten.`, others with their namespace."""
    return ROWS.get(str(target).removeprefix("aten."))
