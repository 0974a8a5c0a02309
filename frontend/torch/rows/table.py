"""The table of all ATen operations that are compiled."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

from .activations import ACTIVATIONS
from .complex_numbers import COMPLEX_ROWS
from .creation import CREATION
from .elementwise import ELEMENTWISE
from .embedding_bags import EMBEDDING_BAGS
from .indexing import INDEXING
from .kernels import KERNELS
from .neural import NEURAL
from .padding import PADDING
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
        **ACTIVATIONS,
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
        **PADDING,
    }
)


def row_of(target: Any) -> Row | None:
    """The row of an operation on real tensors; None if there is none. ATen's operations are in the table without `aten.`,
    others with their namespace."""
    return ROWS.get(str(target).removeprefix("aten."))


def row_for(node: Any) -> Row | None:
    """The row of an operation in a graph: the row for complex tensors if an argument or a result is complex."""
    name = str(node.target).removeprefix("aten.")
    return (COMPLEX_ROWS if has_complex(node) else ROWS).get(name)


def has_complex(node: Any) -> bool:
    """Whether an argument or a result of an operation is a complex tensor."""
    return any(_is_complex(each.meta.get("val")) for each in (node, *node.all_input_nodes))


def _is_complex(value: Any) -> bool:
    if isinstance(value, list | tuple):
        return any(map(_is_complex, value))
    return hasattr(value, "is_complex") and value.is_complex()
