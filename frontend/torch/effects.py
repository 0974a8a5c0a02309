"""Removal of the tokens by which torch orders checks: operations without results, which may raise errors."""

from __future__ import annotations

import operator
from typing import Any


def remove_tokens(graph: Any) -> None:
    """Replace `token, = with_effects(token, check, ...)` by `check(...)`, for checks of results of linear algebra. They stay in
    their order, in which they are run; at run time torch passes None for tokens."""
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
