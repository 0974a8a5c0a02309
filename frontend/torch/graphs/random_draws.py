"""Random numbers: torch draws them, so that they follow its generator."""

from __future__ import annotations

from typing import Any

from ..rows.table import row_of
from .program import value_of

REASON = "torch draws random numbers"


def draws(node: Any) -> bool:
    """Whether an operation draws random numbers. Operations with rows, such as attention, draw only with a dropout, which the
    rows leave to eager."""
    import torch

    return torch.Tag.nondeterministic_seeded in getattr(node.target, "tags", ()) and row_of(node.target) is None


def draw_without_operands(graph: Any) -> None:
    """Replace draws in the shape of a tensor by draws of a shape, if it is known: then a program need not end before each
    draw."""
    import torch

    plain = {
        torch.ops.aten.rand_like.default: torch.ops.aten.rand.default,
        torch.ops.aten.randn_like.default: torch.ops.aten.randn.default,
    }
    for node in list(graph.nodes):
        fake = value_of(node)
        if node.target in plain and all(isinstance(size, int) for size in fake.shape):
            with graph.inserting_before(node):
                options = {"dtype": fake.dtype, "device": fake.device}
                drawn = graph.call_function(plain[node.target], (list(fake.shape),), options)
            drawn.meta = dict(node.meta)
            node.replace_all_uses_with(drawn)
            graph.erase_node(node)
