"""Operations that run other operations: removes the tokens by which torch orders checks, and completes the descriptions of
results."""

from __future__ import annotations

import operator
from typing import Any

from .program import value_of


def remove_tokens(graph: Any) -> None:
    """Replace `token, = with_effects(token, check, ...)` by `check(...)`, for checks of results of linear algebra. The checks
    run in their order in the graph; at run time torch passes None for tokens."""
    for node in list(graph.nodes):
        if str(node.target) != "with_effects" or str(node.args[1]) != "aten._linalg_check_errors.default":
            continue
        token, check, *args = node.args
        with graph.inserting_before(node):
            made = graph.call_function(check, tuple(args), dict(node.kwargs))
        made.meta.update({**node.meta, "val": None})
        for user in list(node.users):
            assert user.target is operator.getitem, "results of effects are taken apart"
            user.replace_all_uses_with(token)
            graph.erase_node(user)
        graph.erase_node(node)


def complete_values(graph: Any) -> None:
    """Complete operations without fake results: by those of their elements, or of the operation that they run. torch leaves
    fake results out where it runs an operation with a saved state of the random numbers, as under gradient checkpointing."""
    import torch
    from torch._guards import detect_fake_mode
    from torch.fx.node import map_arg

    for node in graph.nodes:
        if node.op != "call_function" or "val" in node.meta or not node.users:
            continue
        elements = {user.args[1]: value_of(user) for user in node.users if user.target is operator.getitem}
        if elements:
            node.meta["val"] = tuple(elements.get(place) for place in range(max(elements) + 1))
            continue
        run = next((place for place, each in enumerate(node.args) if isinstance(each, torch._ops.OpOverload)), None)
        mode = detect_fake_mode([value_of(each) for each in graph.nodes if each.op == "placeholder"])
        if run is not None and mode is not None:
            operation, *args = map_arg(node.args[run:], value_of)
            with mode:
                node.meta["val"] = operation(*args, **map_arg(node.kwargs, value_of))
